"""The lines of code with a word: as in the sources, with little of the code read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from needed_games import OLD, game_with, root_of
from overhaul.examples import write_example
from overhaul.gamemaker.data.chunks.code import CodeEntry
from overhaul.gamemaker.data.code import decompiling, needed
from overhaul.gamemaker.data.code.mentions import roots
from overhaul.gamemaker.data.code.needed import Needed
from overhaul.gamemaker.data.code.spelled import entries_with
from overhaul.gamemaker.data.code.word_lines import Lines, lines_in
from overhaul.gamemaker.data.game import GameData
from overhaul.gml.decompiler.types.facts import GameFacts
from overhaul.gml.decompiler.wording import finder

_WORD = re.compile(r"[A-Za-z0-9_]{2,}")


@pytest.fixture(autouse=True)
def much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(needed, "_MUCH", 0)
    monkeypatch.setattr(Needed, "is_few", lambda self, numbers: True)


@pytest.fixture
def others(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the entries that are read besides those that may have the word; "all" for all
    code."""
    names: list[str] = []
    one, all_code = Needed._facts_of, decompiling.GameDecompiler.learn

    def reading(self: Needed, root: CodeEntry) -> GameFacts:
        names.append(str(root.name).rpartition("_")[2])
        return one(self, root)

    def learning(self: decompiling.GameDecompiler, *given: None) -> None:
        names.append("all")
        all_code(self, *given)

    monkeypatch.setattr(Needed, "_facts_of", reading)
    monkeypatch.setattr(decompiling.GameDecompiler, "learn", learning)
    return names


def seen(game: GameData, word: str, *, any_case: bool = False) -> dict[str, Lines]:
    """The lines with a word by the last word of the entry's name; as they are found."""
    entries = entries_with(game, word, any_case=any_case)
    assert entries is not None
    lines = lines_in(game, entries, word, any_case=any_case, each=None)
    return {
        str(entry.name).rpartition("_")[2]: found
        for entry, found in zip(entries, lines, strict=True)
    }


def test_every_word_of_every_source_has_its_lines(tmp_path: Path) -> None:
    write_example("lantern", tmp_path / "game.win")
    data = (tmp_path / "game.win").read_bytes()
    with GameData.from_bytes(data) as game:
        game.language.decompiled.learn()
        sources = {
            str(entry.name): game.language.decompiled.source(entry)[0] for entry in roots(game)
        }
    known = 0
    with GameData.from_bytes(data) as game:
        for word in sorted(set[str]().union(*map(_WORD.findall, sources.values()))):
            for part, any_case in ((word, False), (word.swapcase(), True)):
                entries = entries_with(game, part, any_case=any_case)
                if entries is None:
                    continue
                has = finder(part, any_case)
                lines = lines_in(game, entries, part, any_case=any_case, each=None)
                for entry, found in zip(entries, lines, strict=True):
                    source = sources[str(entry.name)].split("\n")
                    having = [(n, line) for n, line in enumerate(source, 1) if has(line)]
                    if found is not None:
                        known += 1
                        assert [line for line in found if has(line[1])] == having, part
    assert known > 100


def test_a_line_without_numbers_needs_no_other_code(others: list[str]) -> None:
    scripts = {"sets": "picture = 5;\nhealth_left = other_thing;", "draws": "draw_text(0, 0, 7);"}
    game = game_with(OLD, scripts)
    assert seen(game, "health_left") == {"sets": [(2, "health_left = other_thing;")]}
    assert others == []


def test_a_number_is_named_by_the_code_that_has_its_variable(others: list[str]) -> None:
    scripts = {
        "sets": "picture = 5;\nbig = 3;",
        "draws": "draw_sprite(picture, 0, 0, 0);",
        "copies": "look = 3;\npicture = look;",
    }
    game = game_with(OLD, scripts)
    assert seen(game, "picture") == {
        "sets": [(1, "picture = spr_5;")],
        "draws": [(1, "draw_sprite(picture, 0, 0, 0);")],
        "copies": [(2, "picture = look;")],
    }
    assert "all" not in others
    # found by its name only, where the number is not the word
    game = game_with(OLD, scripts)
    assert seen(game, "spr_5")["sets"] == [(1, "picture = spr_5;")]
    assert seen(game, "spr_3") == {"sets": [(2, "big = 3;")], "copies": [(1, "look = spr_3;")]} | {
        name: found for name, found in seen(game, "spr_3").items() if name not in ("sets", "copies")
    }


def test_noone_is_named_otherwise_by_other_code() -> None:
    scripts = {
        "asks": "if (one_met == -4)\n    one_found = 1;\nif (one_found == -4) exit;",
        "fills": "one_met = instance_place(x, y, 2);",
        "keys": "one_found = keyboard_lastkey;",
    }
    game = game_with(OLD, scripts)
    game.language.decompiled.learn()
    sources = {
        name: game.language.decompiled.source(root_of(game, name))[0].split("\n")
        for name in scripts
    }
    assert sources["asks"][0] == "if (one_met == noone)"
    fresh = game_with(OLD, scripts)
    for word in ("one_met", "one_found"):
        for name, lines in seen(fresh, word).items():
            having = [(n, line) for n, line in enumerate(sources[name], 1) if word in line]
            assert lines is not None
            assert [line for line in lines if word in line[1]] == having


_SIXTIETHS = "; ".join(f"h_{n} = {n} / 60" for n in (7, 11, 13, 17, 19, 23, 29, 31))
_OTHERS = "t_1 = 7 / 30; t_2 = 2 / 15; t_3 = 5 / 12; t_4 = 2 / 3"


def test_fractions_are_written_as_all_code_shows(others: list[str]) -> None:
    scripts = {
        "sets": "waits = room_speed * 0.25;\nright = far_off;",
        "uses": "a_1 = room_speed * (7 / 60); a_2 = room_speed * (11 / 60);",
        "more": f"{_SIXTIETHS}; {_OTHERS}; a_3 = room_speed * (13 / 60);",
    }
    game = game_with(OLD, scripts)
    game.language.decompiled.learn()
    expected = game.language.decompiled.source(root_of(game, "sets"))[0].split("\n")
    assert expected[0] == "waits = room_speed * (15 / 60);"
    del others[:]
    fresh = game_with(OLD, scripts)
    assert seen(fresh, "far_off") == {"sets": [(2, expected[1])]}
    assert others == []
    assert seen(fresh, "waits") == {"sets": [(1, expected[0])]}
    assert set(others) <= {"uses", "more"}


def test_a_local_that_is_called_as_an_asset_is_read_in_its_source() -> None:
    scripts = {
        "sets": "var spr_5 = 5;\npicture = spr_5;",
        "draws": "draw_sprite(picture, 0, 0, 0);",
    }
    game = game_with(OLD, scripts)
    assert seen(game, "picture")["sets"] is None


def test_all_code_of_early_releases_shows_how_booleans_are_written(
    tmp_path: Path, others: list[str]
) -> None:
    write_example("lantern-old", tmp_path / "game.win")
    with GameData.from_bytes((tmp_path / "game.win").read_bytes()) as game:
        assert set(seen(game, "spr_").values()) == {None}
    assert others == []


def test_much_code_is_read_as_a_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Needed, "is_few", lambda self, numbers: False)
    game = game_with(OLD, {"sets": "picture = 5;"})
    assert seen(game, "picture") == {"sets": None}


def test_code_that_was_learned_from_is_not_read_again(others: list[str]) -> None:
    game = game_with(OLD, {"sets": "picture = 5;"})
    game.language.decompiled.learn()
    assert seen(game, "picture") == {"sets": None}
    assert others == ["all"]


def test_what_a_variable_is_multiplied_by_may_be_divided_by_the_game() -> None:
    """Early compilers leave quotients to the game: code with them has no such double."""
    scripts = {"part7": "a = room_speed * 0.1;", "part11": "", "part13": "", "more": _SIXTIETHS}
    scripts["more"] += f"; {_OTHERS}"
    scripts["args"] = "; ".join(f"a_{n} = argument0 * ({n} / 60)" for n in (7, 11, 13))
    made = game_with(OLD, scripts)
    assembly = root_of(made, "part7").assembly
    (pushed,) = (line for line in assembly.split("\n") if "push.d" in line)
    for top in (7, 11, 13):
        divided = f"pushi.e {top}\nconv.i.d\npushi.e 60\nconv.i.d\ndiv.d.d"
        root_of(made, f"part{top}").assembly = assembly.replace(pushed, divided)
    game = GameData.from_bytes(made.to_bytes())
    roots_of = game.language.index.roots

    def showing(name: str) -> set[str]:
        numbers = game.language.decompiled.decompiler.alone_reader()._fractions.showing([name])
        return {str(roots_of[number].name).rpartition("_")[2] for number in numbers}

    assert showing("room_speed") == {"more", "part7", "part11", "part13"}
    assert showing("nothing_so") == {"more"}  # its roots are looked through
    assert showing("argument0") == {"more", "args"}  # no certain name of instructions


def test_a_part_of_the_code_is_few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    monkeypatch.setattr(needed, "_MUCH", 0)
    game = game_with(OLD, {"sets": "picture = 5;"})
    reader = game.language.decompiled.decompiler.alone_reader()
    everything = set(range(len(game.language.index.roots)))
    some = set(list(everything)[: len(everything) // 3])
    assert reader.is_few({0})
    assert not reader.is_few(everything)
    before = reader.work
    assert reader.is_few(some)
    assert reader.work > before
    monkeypatch.setattr(decompiling.GameDecompiler, "may_read_much", lambda self: False)
    assert not reader.is_few(some)
    assert reader.is_few({0})
