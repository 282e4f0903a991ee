"""Capabilities that no release number decides: the whole game's code does."""

from __future__ import annotations

from pathlib import Path

import pytest

from overhaul.cli.output import Settings
from overhaul.cli.reports import info_files
from overhaul.gamemaker.data.game import GameData
from overhaul.gml.dialect import Dialect
from small_games import again, game_of


def made(version: str, assembly: str) -> GameData:
    """A game whose only event has this code."""
    game = game_of(version)
    game.add_event("obj_a", "Step_0", "hp = 7;")
    game.records.code["gml_Object_obj_a_Step_0"].assembly = assembly
    return again(game)


def dialect(version: str, assembly: str) -> Dialect:
    return made(version, assembly).language.context.dialect


NO_CONDITION = ":[0]\npush.l 1\nconv.l.b\nbf [end]\n\n:[1]\nb [0]\n"
NO_INDEX = ":[0]\npushi.e -1\npush.l 0\nconv.l.i\npush.v [array]self.view_xview\npop.v.v self.a\n"
HEXADECIMAL = ":[0]\npush.l 2147483648\npop.v.l self.a\npush.l -2147483649\npop.v.l self.a\n"


@pytest.mark.parametrize(
    ("assembly", "expected"),
    [
        (":[0]\npush.l 2\npop.v.l self.state\n", True),
        (":[0]\npush.l 0\npop.v.l self.state\n", True),
        (":[0]\npush.v self.a\npush.l -2147483647\ncmp.l.v EQ\npopz.v\n", True),
        (":[0]\npush.l 1\nconv.l.i\npopz.v\n", True),
        (":[0]\npush.l 0\nconv.l.b\npopz.v\n", True),
        (":[0]\npushi.e 2\npop.v.i self.state\n", False),
        (NO_CONDITION, False),
        (NO_INDEX, False),
        (HEXADECIMAL, False),
    ],
)
def test_members_of_enums_are_what_the_game_shows(assembly: str, expected: bool) -> None:
    for version in ("2.0.6", "2.2.2"):
        assert dialect(version, assembly).enums_as_int64 is expected
    assert dialect("2.3.7", assembly).enums_as_int64
    source = "enum E { a, b } x = E.b;"
    code = made("2.2.2", assembly).compile("gml_Object_obj_a_Step_0", source)
    assert code.instructions[0].type1 == (3 if expected else 15)


@pytest.mark.parametrize(
    ("words", "expected"),
    [("and.b.b", False), ("or.b.b", False), ("and.i.i", True), ("or.i.b", True), ("or.b.i", True)],
)
def test_booleans_that_an_instruction_combines(words: str, expected: bool) -> None:
    for version in ("1.0.0.1763", "2.2.2", "2024.14"):
        assembly = f":[0]\npush.v self.a\npush.v self.b\n{words}\npopz.v\n"
        assert dialect(version, assembly).logical_short_circuit is expected


def test_instance_keywords_of_bytecode_15_are_what_the_game_shows() -> None:
    number = ":[0]\npushi.e -2\npushenv [2]\n\n:[1]\npopz.v\n\n:[2]\npopenv [1]\n"
    word = ":[0]\npush.v other.id\nconv.v.i\npushenv [2]\n\n:[1]\npopz.v\n\n:[2]\npopenv [1]\n"
    assert not dialect("1.0.0.1749", number).instance_keywords_as_id
    assert dialect("1.0.0.1749", word).instance_keywords_as_id
    assert dialect("1.0.0.1749", number.replace("-2", "-3")).instance_keywords_as_id
    assert dialect("1.0.0.1773", number).instance_keywords_as_id


def test_info_shows_what_the_code_decides(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "data.win"
    made("2.2.2", ":[0]\npush.l 2\npop.v.l self.state\n").save(path)
    assert info_files([str(path)], Settings(verbose=True)) == 0
    shown = capsys.readouterr().out
    assert "  compiler:\n    version: 2.2.2" in shown
    assert "    enums as int64: yes\n" in shown
    assert info_files([str(path)], Settings()) == 0
    assert "compiler" not in capsys.readouterr().out
