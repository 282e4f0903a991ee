"""Which release a file shows, one piece of evidence at a time."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from overhaul.gamemaker.data.chunks.sprt import Sprite
from overhaul.gamemaker.data.game import GameData
from small_games import game_of

FLAGS = [
    ("mqtt", "2022.9"),
    ("custom_env", "2023.6"),
    ("gx_mod_gamestrip", "2023.8"),
    ("code-editor", "2024.11"),
    ("prefab-library", "2024.13"),
    ("gm-auth-login", "2024.14"),
]


def shown_by_flags(*names: str) -> list[str]:
    """The releases that the names of feature flags show."""
    game = game_of("2022.8")
    record = game.record("FEAT")
    assert record is not None
    record.flags = [game.strings.add(name) for name in names]
    evidence = GameData.from_bytes(game.to_bytes()).evidence
    return [each.version for each in evidence if each.reason == "names of feature flags"]


@pytest.mark.parametrize(("name", "release"), FLAGS)
def test_a_feature_flag_shows_its_release_wherever_it_stands(name: str, release: str) -> None:
    assert shown_by_flags(name) == [release]
    assert shown_by_flags("zz_other", "zz_another", name) == [release]
    assert shown_by_flags(name, "zz_other") == [release]


def test_the_latest_of_several_feature_flags_counts() -> None:
    for (early, _), (late, release) in pairwise(FLAGS):
        assert shown_by_flags(early, late) == shown_by_flags(late, early) == [release]
    assert shown_by_flags(*(name for name, _ in FLAGS)) == ["2024.14"]


def test_other_feature_flags_show_nothing() -> None:
    assert shown_by_flags("zz_other") == shown_by_flags() == []


def shown_by_sprites(version: str, *sub_versions: int) -> list[str]:
    """The releases that sprites of these sub-versions show; 0 is a sprite of an early layout."""
    game = game_of(version)
    for number, sub_version in enumerate(sub_versions):
        game.sprites.add(f"spr_{number}", np.full((4, 4, 4), 255, np.uint8))
        record = game.records.sprites[number]
        assert isinstance(record, Sprite)
        record.sub_version = sub_version
    evidence = GameData.from_bytes(game.to_bytes()).evidence
    return [each.version for each in evidence if each.reason == "sub-version of sprites"]


def test_sprites_with_nine_slices_show_their_release() -> None:
    assert shown_by_sprites("2.3.2", 3) == ["2.3.2"]
    assert shown_by_sprites("2.3.2") == []
    assert shown_by_sprites("2.3.1", 2) == []
    assert shown_by_sprites("2.3", 2, 2) == []
