"""Fractions are read first as the author probably writes them."""

from __future__ import annotations

from typing import Any

import pytest

import overhaul
from modded_games import changed, lantern
from overhaul.document import caches
from overhaul.gamemaker.data.chunks.code import CodeEntry
from overhaul.gamemaker.data.code import learning
from overhaul.gamemaker.data.code.decompiling import GameDecompiler
from overhaul.gamemaker.data.code.likely import likely_fractions
from overhaul.gamemaker.data.game import GameData
from overhaul.gml.decompiler import Decompiled, parcels
from overhaul.gml.decompiler.types.habits import REDUCED, Fractions

KEEPER = "code/gml_Object_obj_keeper_Step_0.gml"
DOOR = "code/gml_Object_obj_door_Step_0.gml"
TOPS = (1, 5, 7, 11, 16, 25, 28, 35, 50, 55)
LINES = [f"zz_{top} = room_speed * ({top} / 60);\nzz_0 = {top} / 60;" for top in TOPS]
OTHERS = (
    "yy = room_speed * 0.5; yy *= 1 / 7; yy = 1 / 3; yy = pi / 3; yy = 0.1234567890123456 * yy;\n"
)


@pytest.fixture(scope="module")
def game_of_sixtieths() -> bytes:
    edits = {
        KEEPER: lambda text: "\n".join(LINES) + "\n" + text,
        DOOR: lambda text: OTHERS + text,
    }
    return changed(lantern("gms1"), edits)


def opened(data: bytes) -> GameData:
    game = overhaul.open(data)
    assert isinstance(game, GameData)
    return game


def habit(game: GameData) -> Fractions:
    return likely_fractions(game, [root.bytecode for root in game.language.index.roots])


def test_instructions_show_the_habit(game_of_sixtieths: bytes) -> None:
    with opened(game_of_sixtieths) as game:
        likely = habit(game)
        game.language.decompiled.decompiler.learn()
        assert game.language.decompiled.decompiler.inferred.fractions == likely
        assert likely == Fractions(60, frozenset({"room_speed"}))
    with opened(lantern("gms1")) as game:
        assert habit(game) == REDUCED


@pytest.mark.parametrize("kept", [0, 1 << 30])
@pytest.mark.parametrize("wrong", [REDUCED, Fractions(120, frozenset({"yy", "room_speed"}))])
def test_a_likely_habit_changes_no_source(
    game_of_sixtieths: bytes, kept: int, wrong: Fractions, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(learning, "_KEPT", kept)
    made, facts, again = [], [], []
    analyse = GameDecompiler._analyse
    read: list[str] = []

    def analysing(self: GameDecompiler, entry: CodeEntry, *given: Any, **named: Any) -> Decompiled:
        if id(entry) not in self.code.first:
            read.append(str(entry.name))
        return analyse(self, entry, *given, **named)

    for likely in (None, wrong):
        with caches.without(), opened(game_of_sixtieths) as game, monkeypatch.context() as patch:
            patch.setattr(GameDecompiler, "_analyse", analysing)
            decompiler = game.language.decompiled.decompiler
            decompiler.needed = None
            decompiler.code._likely = likely
            span = (0, len(game.language.index.roots))
            facts.append(parcels.to_plain(decompiler.code.read_span(span)[0], []))
            made.append({entry.name: entry.gml for entry in game.code})
            again.append(read[:])
            read.clear()
    assert made[0] == made[1]
    assert repr(facts[0]) == repr(facts[1])
    source = made[0]["gml_Object_obj_keeper_Step_0"]
    assert "room_speed * (25 / 60)" in source and "zz_0 = 35 / 60" in source
    other = made[0]["gml_Object_obj_door_Step_0"]
    assert "room_speed * (30 / 60)" in other and "yy = 20 / 60" in other and "pi / 3" in other
    names = {"gml_Object_obj_keeper_Step_0", "gml_Object_obj_door_Step_0"}
    assert names <= set(again[1])
    assert "gml_Object_obj_keeper_Step_0" not in again[0]
