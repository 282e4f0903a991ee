"""Damaged games: an error of ours, or a project."""

from __future__ import annotations

import random
import struct

import pytest

import overhaul
from furnished import furnished
from overhaul.errors import OverhaulError
from overhaul.gamemaker.data.chunks import uilr
from overhaul.gamemaker.data.chunks.optn import AssetTags
from overhaul.gamemaker.recovery import recover
from per_file import per_file
from present import present
from repeats import times

#: The numbers that go wrong: none, too many, and as a float what is not a number or has no end.
WORDS = (0, 1, 0x7FFFFFFF, 0xFFFFFFFF, 0x7FC00000, 0x7F800000)


@pytest.mark.parametrize("edition", ["current", "gms1"])
def test_a_damaged_game_gives_an_error_or_a_project(edition: str) -> None:
    dice, whole = random.Random(3), furnished(edition)
    made = 0
    for _ in range(times(300, 10)):
        data = bytearray(whole)
        for _ in range(dice.choice([1, 1, 3])):
            data[dice.randrange(len(data))] = dice.choice([0, 255, dice.randrange(256)])
        try:
            with overhaul.open_game(bytes(data)) as game:
                for path, read in recover(game).files.items():
                    assert ".." not in path.split("/") and not path.startswith("/")
                    read()
        except OverhaulError:
            continue
        made += 1
    assert made > 10


@per_file
def named() -> bytes:
    """The demo game with what names its parts: tags, texture groups, an interface."""
    with overhaul.open_game(furnished("current")) as game:
        sprite = game.named("SPRT").reference(0)
        present(game.tags).assets.append(AssetTags(sprite, [game.strings.add("enemy")]))
        game.texture_groups.add("level_1").add(game.sprites[0])
        panel = uilr.Node(uilr.NodeType.PANEL, uilr.FlexPanel(game.strings.add("side")))
        layer = uilr.FlexLayer(game.strings.add("shown"))
        present(game.ui_layers).nodes[:] = [uilr.Node(uilr.NodeType.LAYER, layer, [panel])]
        return game.to_bytes()


def words_of(data: bytes, chunk: str) -> range:
    """Where the words of a chunk are."""
    at = 8
    while data[at : at + 4] != chunk.encode():
        at += 8 + int(struct.unpack_from("<I", data, at + 4)[0])
    size = int(struct.unpack_from("<I", data, at + 4)[0])
    return range(at + 8, at + 8 + min(size, 240) // 4 * 4, 4)


@pytest.mark.parametrize("chunk", ["GEN8", "OPTN", "TAGS", "TGIN", "UILR", "SPRT"])
def test_each_word_of_a_chunk_may_be_wrong(chunk: str) -> None:
    dice, whole = random.Random(11), named()
    cases = [(at, word) for at in words_of(whole, chunk) for word in WORDS]
    for at, word in dice.sample(cases, min(len(cases), times(400, 4))):
        data = bytearray(whole)
        struct.pack_into("<I", data, at, word)
        try:
            with overhaul.open_game(bytes(data)) as game:
                for read in recover(game).files.values():
                    read()
        except OverhaulError:
            continue
