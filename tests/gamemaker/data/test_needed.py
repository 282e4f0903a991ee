"""The source of one entry is what all code gives, and only the code that it needs is read."""

from __future__ import annotations

from random import Random

import pytest

from gml_sharing import sharing
from needed_games import MANY, NEW, OLD, game_with, root_of
from overhaul.gamemaker.data.chunks.code import CodeEntry
from overhaul.gamemaker.data.code import decompiling, needed, remembered
from overhaul.gamemaker.data.code.needed import Needed
from overhaul.gamemaker.data.game import GameData
from overhaul.gml.decompiler.types.facts import GameFacts
from repeats import times


@pytest.fixture(autouse=True)
def much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(needed, "_MUCH", 0)


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the entries that others were read for; "all" for all code."""
    names: list[str] = []
    one, all_code = Needed._facts_of, decompiling.GameDecompiler.learn

    def reading(self: Needed, root: CodeEntry) -> GameFacts:
        names.append(str(root.name))
        return one(self, root)

    def learning(self: decompiling.GameDecompiler) -> None:
        names.append("all")
        all_code(self)

    monkeypatch.setattr(Needed, "_facts_of", reading)
    monkeypatch.setattr(decompiling.GameDecompiler, "learn", learning)
    return names


def from_all(game: GameData, name: str) -> str:
    """The source of an entry, with all code read."""
    game.language.forget()
    game.language.decompiled.decompiler.needed = None
    return game.language.decompiled.source(root_of(game, name))[0]


@pytest.mark.parametrize("version", [OLD, NEW])
def test_a_name_follows_from_the_code_that_has_it(version: str, read: list[str]) -> None:
    scripts = {
        "sets": "picture = 5;",
        "draws": "draw_sprite(picture, 0, 0, 0);",
        "copies": "look = 3; picture = look;",
    }
    game = game_with(version, scripts)
    source = game.language.decompiled.source(root_of(game, "sets"))[0]
    assert "picture = spr_5;" in source
    assert sorted({name.rpartition("_")[2] for name in read}) == ["copies", "draws", "sets"]
    assert source == from_all(game, "sets")


def test_a_type_comes_through_what_holds_the_same_values(read: list[str]) -> None:
    chain = [f"c_{n + 1} = c_{n};" for n in range(4)]
    scripts = {f"chain_{n}": source for n, source in enumerate(chain)}
    scripts |= {"sets": "c_4 = 6;", "draws": "draw_sprite(c_0, 0, 0, 0);"}
    game = game_with(OLD, scripts)
    source = game.language.decompiled.source(root_of(game, "sets"))[0]
    assert source == "c_4 = spr_6;"  # four steps away
    assert "all" not in read
    assert source == from_all(game, "sets")
    longer = scripts | {"chain_4": "c_5 = c_4;", "sets": "c_5 = 6;"}
    game = game_with(OLD, longer)
    assert (
        game.language.decompiled.source(root_of(game, "sets"))[0]
        == from_all(game, "sets")
        == "c_5 = 6;"
    )


def test_parameters_and_results_are_of_their_function(read: list[str]) -> None:
    scripts = {
        "show": "draw_sprite(argument0, 0, 0, 0);",
        "pick": "return 4;",
        "uses": "show(2); shown = pick();",
        "again": "draw_sprite(pick(), 0, 0, 0);",
    }
    game = game_with(OLD, scripts)
    assert (
        game.language.decompiled.source(root_of(game, "uses"))[0] == "show(spr_2);\nshown = pick();"
    )
    assert game.language.decompiled.source(root_of(game, "pick"))[0] == "return spr_4;"
    assert "all" not in read
    assert {name.rpartition("_")[2] for name in read} == {"show", "pick", "uses", "again"}
    assert from_all(game, "uses") == "show(spr_2);\nshown = pick();"


@pytest.mark.usefixtures("with_cache")
def test_what_most_code_has_is_read_for_the_first_entry_only(
    read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second one that needs so much has all code read, which the cache keeps for all others."""
    scripts = {f"sets_{n}": f"picture = {n}; a_{n} = 1; b_{n} = a_{n};" for n in range(MANY)}
    data = game_with(OLD, scripts).to_bytes()
    texts = []
    asked = []
    for name in ("sets_5", "sets_6", "sets_7"):
        del read[:]
        if name != "sets_5":
            monkeypatch.setattr(remembered, "_asked", set())  # as in another program
        with GameData.from_bytes(data) as game:
            texts.append(game.language.decompiled.source(root_of(game, name))[0])
            asked.append(set(read))
            if name == "sets_5":
                del read[:]
                texts.append(game.language.decompiled.source(root_of(game, "sets_4"))[0])
                assert read == []  # what was read for the first stays known
            if name == "sets_5":  # the same once more in this program: as for the first
                with GameData.from_bytes(data) as twin:
                    twin.language.decompiled.source(root_of(twin, "sets_3"))
                assert set(read) == asked[0]
    first, second, third = asked
    assert first == {f"gml_Script_sets_{n}" for n in range(MANY)}
    assert second == {"all"}
    assert third <= {"all"}  # all of it is known
    with GameData.from_bytes(data) as game:
        names = ("sets_5", "sets_4", "sets_6", "sets_7")
        assert texts == [from_all(game, name) for name in names]


def test_conditions_two_steps_away_count_where_both_are_asked_for(read: list[str]) -> None:
    """An argument and the variable that it goes to are in one entry; another one is asked."""
    scripts = {
        "uses": "kept = argument0; kept = 3; if (argument0 == 0) exit;",
        "draws": "draw_sprite(kept, 0, 0, 0);",
        "asks": "flag = kept; if (flag) exit;",
    }
    game = game_with(OLD, scripts)
    source = game.language.decompiled.source(root_of(game, "uses"))[0]
    assert "argument0 == false" in source
    assert "all" not in read
    assert source == from_all(game, "uses")


def test_an_instance_that_a_function_gives_is_a_word(read: list[str]) -> None:
    """``self`` is the call of a function with another name there."""
    scripts = {"sets": "spot = 5;", "gives": "spot = self;", "takes": "place = self;"}
    game = game_with(NEW, scripts)
    source = game.language.decompiled.source(root_of(game, "sets"))[0]
    assert {name.rpartition("_")[2] for name in read} == {"sets", "gives", "takes"}
    assert source == from_all(game, "sets")


def test_all_code_is_read_for_entries_that_are_asked_for_in_their_order(read: list[str]) -> None:
    game = game_with(OLD, {"draws": "draw_sprite(v_3, 0, 0, 0);"})
    for number in range(decompiling._IN_A_ROW):
        game.language.decompiled.source(root_of(game, f"other_{number}"))
    game.language.decompiled.source(root_of(game, "draws"))
    for number in range(decompiling._IN_A_ROW, MANY):
        assert "all" not in read, number
        game.language.decompiled.source(root_of(game, f"other_{number}"))
        if number % 3 == 0:
            game.language.decompiled.source(root_of(game, f"other_{number - 3}"))  # is known
    game = game_with(OLD, {})
    for number in range(decompiling._IN_A_ROW + 1):
        assert "all" not in read, number
        game.language.decompiled.source(root_of(game, f"other_{number}"))
    assert read[-1] == "all"


def test_all_code_is_read_once_single_entries_took_as_long(
    read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    scripts = {f"sets_{n}": f"picture = {n}; a_{n} = 1;" for n in range(MANY)}
    for times_read, most in ((0, 1), (1000, MANY)):
        monkeypatch.setattr(decompiling, "_TIMES", times_read)
        game = game_with(OLD, scripts)
        del read[:]
        asked = 0
        for number in range(0, MANY, 2):
            game.language.decompiled.source(root_of(game, f"sets_{number}"))
            asked += 1
            if "all" in read:
                break
        assert ("all" in read) == (asked < MANY // 2)
        assert 1 <= asked <= most + 1


def test_an_edit_compiles_with_the_types_that_the_source_was_written_with(read: list[str]) -> None:
    scripts = {"sets": "picture = 5;", "draws": "draw_sprite(picture, 0, 0, 0);"}
    game = game_with(OLD, scripts)
    root = root_of(game, "sets")
    source = game.language.decompiled.source(root)[0]
    types = game.language.decompiled.inferred_of(root)
    assert types is not None
    assert set(types.types.values()) - {""} == {"Asset.GMSprite"}
    game.language.assign_source(root, source + "picture = 2;\n")
    assert game.language.decompiled.source(root)[0] == "picture = spr_5;\npicture = spr_2;"
    assert "all" not in read
    assert game.language.decompiled.inferred is not None  # of any entry: that takes all code
    assert read[-1] == "all"


def test_a_constructor_says_self_as_all_constructors_do(read: list[str]) -> None:
    game = game_with(NEW, {})
    game.add_script("one", "function one() constructor { self.hp = 1; self.mp = 2; self.hp += 3; }")
    game.add_script("two", "function two() constructor { hp = 1; }")
    game = GameData.from_bytes(game.to_bytes())
    source = game.language.decompiled.source(root_of(game, "two"))[0]
    alone = [name for name in read if name != "all"]
    assert source == from_all(game, "two")
    assert {name.rpartition("_")[2] for name in alone} >= {"one", "two"}


def doubts_of(game: GameData, name: str, lines: set[str]) -> list[tuple[int, int]]:
    """The lines and numbers in doubt in some lines of an entry."""
    made = game.language.decompiled.doubts_in(root_of(game, name), lines, lambda number: number < 8)
    source = made.source.split("\n")
    return [(d.line, d.value) for d in made.doubts if source[d.line - 1] in lines]


def test_doubts_in_some_lines_ask_for_what_these_name(read: list[str]) -> None:
    scripts = {
        "uses": "target = 5; speed_of = 6; far = 99;",
        "moves": "speed_of = speed_of * 2;",
        "keeps": "target = other_target;",
    }
    game = game_with(OLD, scripts)
    assert doubts_of(game, "uses", {"target = 5;", "far = 99;"}) == [(1, 5)]
    assert doubts_of(game, "uses", {"speed_of = 6;"}) == []  # it is calculated with
    assert doubts_of(game, "uses", {"far = 99;"}) == []  # no asset has this number
    assert "all" not in read
    game.language.decompiled.decompiler.needed = None
    full = game.language.decompiled.doubtful(root_of(game, "uses"))
    assert [(doubt.line, doubt.value) for doubt in full.doubts] == [(1, 5), (3, 99)]
    assert read[-1] == "all"


def test_a_state_is_in_doubt_only_if_it_meets_other_code(read: list[str]) -> None:
    scripts = {"one": "state = 2; if (state == 3) exit;", "two": "mood = 2;", "says": 'z = "mood";'}
    game = game_with(OLD, scripts)
    within = {}
    for name in ("one", "two"):
        source = game.language.decompiled.source(root_of(game, name))[0]
        lines = {line for line in source.split("\n") if "= 2" in line}
        made = game.language.decompiled.doubts_in(root_of(game, name), lines, lambda number: True)
        within[name] = [doubt.within for doubt in made.doubts]
    assert within == {"one": ["entry"], "two": [None]}  # a text may read the other one
    assert "all" not in read


@pytest.mark.parametrize("version", [OLD, "2.2.5", NEW, "2024.14"])
def test_entries_of_random_games_are_what_all_code_gives(version: str) -> None:
    """In any order: each is read with what the ones before it had read; and so are their doubts."""
    tried = 0
    for seed in range(times(40, 20)):
        data = sharing(seed, version)
        alone = GameData.from_bytes(data).language
        needed, every = (
            alone.decompiled.decompiler.alone_reader(),
            GameData.from_bytes(data).language,
        )
        every.decompiled.decompiler.needed = None
        numbers = list(range(len(alone.index.roots)))
        Random(seed).shuffle(numbers)
        for number in numbers:
            root = alone.index.roots[number]
            expected = every.decompiled.decompiler.source(every.index.roots[number])
            made = needed.source(root)
            assert made is None or (made.text, made.problems) == expected, (seed, root.name)
            lines = set(expected[0].split("\n"))
            doubtful = needed.doubtful(root, lines, lambda value: value < 8)
            if doubtful is not None:
                found = every.decompiled.decompiler.doubtful(every.index.roots[number]).doubts
                wanted = [(doubt.line, doubt.value) for doubt in found if doubt.value < 8]
                assert [(each.line, each.value) for each in doubtful.doubts] == wanted, seed
            tried += made is not None
    assert tried > 10
