"""A game of 600 code entries, made of the example: commands do what they are asked for, not more.

``benchmarks/large.py`` measures larger ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import overhaul
from large_games import enlarge, entries_of
from overhaul import folder as folders
from overhaul import mods
from overhaul.examples import write_example
from overhaul.gamemaker.data.chunks.code import CodeEntry
from overhaul.gamemaker.data.code import needed
from overhaul.gamemaker.data.code.decompiling import GameDecompiler
from overhaul.gamemaker.data.code.needed import Needed
from overhaul.gamemaker.data.game import GameData
from overhaul.gml.decompiler.types.facts import GameFacts

ENTRIES = 600
ENTRY = "gml_Object_c030_obj_door_Step_0"


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("large")
    write_example("lantern", place / "example.win")
    overhaul.unpack(place / "example.win", place / "example")
    overhaul.unpack(place / "example.win", place / "folder")
    assert enlarge(place / "folder", [place / "example"], ENTRIES) == 49
    assert entries_of(place / "folder") == ENTRIES
    packed = overhaul.pack(place / "folder", place / "large.win")
    assert all(": layers: other rooms have these ids" in warning for warning in packed.warnings)
    return place / "large.win"


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The entries that others were read for; "all" for all code."""
    names: list[str] = []
    one, all_code = Needed._facts_of, GameDecompiler.learn

    def reading(self: Needed, root: CodeEntry) -> GameFacts:
        names.append(str(root.name))
        return one(self, root)

    def learning(self: GameDecompiler, *given: None) -> None:
        names.append("all")
        all_code(self, *given)

    monkeypatch.setattr(needed, "_MUCH", 0)
    monkeypatch.setattr(Needed, "_facts_of", reading)
    monkeypatch.setattr(GameDecompiler, "learn", learning)
    yield names


def opened(path: Path) -> GameData:
    game = overhaul.open(path)
    assert isinstance(game, GameData)
    return game


def test_a_copy_means_what_its_game_means(large: Path) -> None:
    with opened(large) as game:
        assert len(game.language.index.roots) == ENTRIES
        first, copy = (game.code[name].gml for name in (ENTRY.replace("c030_", ""), ENTRY))
    names = ("spr_", "obj_", "snd_", "rm_", "scr_")
    for name in names:
        first = first.replace(name, f"c030_{name}")
    assert copy == first


def test_a_list_of_sprites_reads_no_code_and_no_rooms(large: Path) -> None:
    with opened(large) as game:
        assert len(folders.find_resources(game, ["sprites/*"])) == 250
        assert not any(game.chunks[name].decoded for name in ("CODE", "ROOM", "OBJT", "SOND"))


def test_one_entry_reads_few(large: Path, read: list[str]) -> None:
    with opened(large) as game:
        source = game.code[ENTRY].gml
        assert "all" not in read
        assert len(read) <= ENTRIES // 5
        game.language.forget()
        game.language.decompiler.needed = None
        assert game.code[ENTRY].gml == source


def test_a_mod_of_one_line_reads_few(large: Path, read: list[str], tmp_path: Path) -> None:
    with opened(large) as game:
        game.code[ENTRY].gml += "\nzz = 3;\n"
        game.save(tmp_path / "changed.win")
    del read[:]
    mod = mods.make(large, tmp_path / "changed.win", name="one line")
    assert list(mod.patches) == [f"code/{ENTRY}.gml"]
    assert "all" not in read
    assert len(set(read)) <= ENTRIES // 5
    del read[:]
    changes = mods.diff(large, tmp_path / "changed.win").changes
    assert [change.path for change in changes] == [f"code/{ENTRY}.gml"]
    assert "all" not in read
