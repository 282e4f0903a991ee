"""Which release a file shows, one piece of evidence at a time."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from overhaul.gamemaker.data.chunks.psem import ParticleEmitter
from overhaul.gamemaker.data.chunks.shdr import Shader
from overhaul.gamemaker.data.chunks.sond import Sound
from overhaul.gamemaker.data.chunks.sprt import Sprite
from overhaul.gamemaker.data.chunks.txtr import TextureGroup
from overhaul.gamemaker.data.detect_code import Probe
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.form import read_form
from overhaul.schema import Record
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
    return [entry.version for entry in evidence if entry.reason == "names of feature flags"]


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
    return [entry.version for entry in evidence if entry.reason == "sub-version of sprites"]


def test_sprites_with_nine_slices_show_their_release() -> None:
    assert shown_by_sprites("2.3.2", 3) == ["2.3.2"]
    assert shown_by_sprites("2.3.2") == []
    assert shown_by_sprites("2.3.1", 2) == []
    assert shown_by_sprites("2.3", 2, 2) == []


def shown_by(version: str, reason: str, *records: tuple[str, type[Record]]) -> list[str]:
    """The releases that a reason shows, in a game without names of feature flags."""
    game = game_of(version)
    flags, options = game.record("FEAT"), game.record("OPTN")
    assert options is not None
    options.constants = []
    if flags is not None:
        flags.flags = []
    for number, (chunk, kind) in enumerate(records):
        record = kind()
        setattr(record, "name", game.strings.add(f"zz_{number}"))  # noqa: B010
        if isinstance(record, TextureGroup) and game.release.at_least(2022, 9):
            record.directory = record.extension = game.strings.add("")
        game.named(chunk).append(record)
    evidence = GameData.from_bytes(game.to_bytes()).evidence
    return [entry.version for entry in evidence if entry.reason == reason]


@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize(
    ("version", "shown"),
    [("2022.8", []), ("2022.9", ["2022.9"])],
)
def test_texture_groups_show_their_release(version: str, shown: list[str], count: int) -> None:
    groups = [("TGIN", TextureGroup)] * count
    assert shown_by(version, "shape of texture groups", *groups) == shown


@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize(
    ("version", "shown"),
    [
        ("2023.6", ["2023.6"]), ("2023.8", ["2023.8"]), ("2024.2", ["2023.8"]),
        ("2024.8", ["2023.8"]),
    ],
)  # fmt: skip
def test_emitters_show_their_release(version: str, shown: list[str], count: int) -> None:
    emitters = [("PSEM", ParticleEmitter)] * count
    reason = "size or number of particle emitters"
    assert shown_by(version, reason, *emitters) == shown


def test_few_emitters_were_there_before_there_were_more() -> None:
    reason = "size or number of particle emitters"
    assert shown_by("2023.2", reason) == shown_by("2024.8", reason) == ["2023.4"]
    assert shown_by("2023.2", reason, ("PSEM", ParticleEmitter)) == []


@pytest.mark.parametrize(("version", "shown"), [("2024.4", []), ("2024.6", ["2024.6"])])
def test_sounds_show_their_release(version: str, shown: list[str]) -> None:
    assert shown_by(version, "size of sound records", *[("SOND", Sound)] * 2) == shown


@pytest.mark.parametrize(("version", "shown"), [("2024.6", []), ("2024.8", ["2024.11"])])
def test_lists_with_null_entries_show_a_release_without_code_locals(
    version: str, shown: list[str]
) -> None:
    game = game_of(version)
    for name in ("snd_a", "snd_b"):
        game.records.sounds.append(Sound(game.strings.add(name)))
    reason = "null entries in an asset list"

    def found() -> list[str]:
        evidence = GameData.from_bytes(game.to_bytes()).evidence
        return [entry.version for entry in evidence if entry.reason == reason]

    assert found() == []
    game.records.sounds.items.insert(1, None)
    assert found() == shown


@pytest.mark.parametrize("absent", ["ACRV", "FONT", "OBJT"])
def test_lists_that_are_not_there_show_nothing(absent: str) -> None:
    """A file without a kind of resource is looked through as others."""
    game = game_of("2024.8")
    for number in range(2):
        game.records.shaders.append(Shader(game.strings.add(f"zz_{number}")))
    game.records.shaders.items.insert(1, None)
    data = game.to_bytes()
    assert data.count(absent.encode()) == 1
    read = GameData.from_bytes(data.replace(absent.encode(), b"ZZZZ"))
    shown = [entry.version for entry in read.evidence if entry.reason.startswith("null entries")]
    assert shown == ["2024.11"]


def test_only_a_size_that_a_release_has_shows_it() -> None:
    assert Probe.release_of("Sound", 40) == (2024, 6)
    assert Probe.release_of("Sound", 36) == (1, 0)
    assert [Probe.release_of("Sound", size) for size in (0, 35, 37, 38, 39, 41, 44)] == [()] * 7


def test_a_field_has_the_place_of_the_release() -> None:
    data = game_of("2024.14").to_bytes()
    probe = Probe(data, read_form(data))
    places = {}
    for release in ((1, 4), (2024, 11), (2024, 13), (2024, 14), (2026,)):
        probe.number = release
        places[release] = probe.place("Room.layers"), probe.place("AudioGroupEntry")
    assert places == {
        (1, 4): (88, 4),
        (2024, 11): (88, 4),
        (2024, 13): (92, 4),
        (2024, 14): (92, 8),
        (2026,): (92, 8),
    }
    assert probe.place("Room.layers", (2024, 8)) == 88
    room = probe.listed("ROOM")
    assert room == [] or probe.field(room[0], "Room.layers") > room[0]
