"""What the code of a game shows of the first compilers: it counts, and the release only without."""

from __future__ import annotations

import pytest

from overhaul.gamemaker.data.code.additions import add_event
from overhaul.gamemaker.data.game import GameData
from overhaul.gml.dialect import Dialect
from small_games import game_of

#: what shows a capability: the source, and releases before and behind its step
SHOWN = [
    ("plain_as_builtin", "hp = 1;", 666, 929),
    ("plain_as_builtin", "show_message(hp);", 666, 929),
    ("every_index_checked", "a[0] = 1;", 964, 1044),
    ("every_index_checked", "show_message(a[hp]);", 964, 1044),
    ("every_index_checked", "a[0] += 1;", 964, 1044),
    ("every_index_checked", "a[0] = hp;", 666, 929),
    ("two_indices_checked", "a[1, hp] = 2;", 666, 929),
    ("bitwise_int64", "hp = a & b;", 964, 1044),
    ("bitwise_int64", "hp = a ^ 5;", 412, 1307),
    ("bitwise_int64", "hp = a >> 2;", 964, 1044),
]
#: what shows only one side of it: the release of that side, and one of the other
SHOWN_ONCE = [
    ("compound_reads_again", "a[0] += 1;", 666, 412),
    ("compound_reads_again", "a.b += 1;", 1044, 513),
    ("switch_return_direct", "switch (hp) { case 1: return 5; }", 1307, 412),
    ("browser_constant", "hp = os_browser;", 666, 964),
    ("ord_folds", 'hp = ord("Z");', 412, 513),
    ("logical_short_circuit", "hp = a && b;", 964, 1044),
]


def dialect_of(source: str, made_by: int, says: int) -> Dialect:
    """The dialect of a game made by one build that says it is of another."""
    game = game_of(f"1.0.0.{made_by}")
    add_event(game, "obj_a", "Step_0", source)
    game.general.build = says
    read = GameData.from_bytes(game.to_bytes())
    entry = read.records.code["gml_Object_obj_a_Step_0"]
    assert read.check_code(str(entry.name)) is None
    dialect: Dialect = read.language.context.dialect
    return dialect


def of_release(build: int) -> Dialect:
    return Dialect.for_version(8, (1, 0, 0, build))


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("name", "source", "one", "other"),
    [*SHOWN, *((item[0], item[1], item[3], item[2]) for item in SHOWN), *SHOWN_ONCE],
)
def test_the_code_counts(name: str, source: str, one: int, other: int) -> None:
    assert getattr(of_release(one), name) is not getattr(of_release(other), name)
    assert getattr(dialect_of(source, one, other), name) is getattr(of_release(one), name)


@pytest.mark.parametrize(("name", "source", "one", "other"), [*SHOWN, *SHOWN_ONCE])
def test_the_release_counts_where_the_code_shows_nothing(
    name: str, source: str, one: int, other: int
) -> None:
    plain = "exit;"
    assert getattr(dialect_of(plain, one, other), name) is getattr(of_release(other), name)
    assert getattr(dialect_of(plain, other, one), name) is getattr(of_release(one), name)


def test_a_call_of_ord_with_a_variable_shows_nothing() -> None:
    assert dialect_of('hp = ord(a); show_message("Z");', 412, 513).ord_folds
    assert dialect_of('hp = string("Z");', 412, 513).ord_folds


def test_a_number_that_is_no_row_shows_nothing() -> None:
    for constant in ("32000", "70000"):
        assert dialect_of(f"hp = a * {constant};", 666, 929).two_indices_checked


def test_two_indices_are_checked_in_all_but_the_first() -> None:
    source = "a[1, 2] = 3;"
    assert not dialect_of(source, 1044, 964).every_index_checked
    assert of_release(929).two_indices_checked and not of_release(666).two_indices_checked
