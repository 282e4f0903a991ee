"""Code entries as people look at them: rows and columns, functions inside, names nearly right."""

from __future__ import annotations

import pytest

from overhaul import gml
from overhaul.gamemaker.data.game import GameData
from overhaul.gml import Instruction
from overhaul.gml.vm.code import VariableReference
from present import instance, present
from small_games import again, game_of

FUNCTIONS = """
function first(a, b)
{
    var c = a;
    return c + b;
}

function second()
{
    return first(1, 2);
}
"""


@pytest.fixture
def game() -> GameData:
    made = game_of("2023.4")
    made.add_script("scr_two", FUNCTIONS)
    made.add_event("obj_a", "Step_0", "hp = 7;\nshow_debug_message(hp);")
    return again(made)


def test_instructions_are_rows_and_columns(game: GameData) -> None:
    for entry in map(present, game.records.code):
        rows = entry.instructions
        assert len(rows) == len(list(rows)) == len(rows.opcode) > 0
        assert all(isinstance(row, Instruction) for row in rows)
        assert [row.opcode for row in rows] == rows.opcode.tolist()
        assert [row.type1 for row in rows] == rows.type1.tolist()
        assert rows[-1] == rows[len(rows) - 1]
        assert rows[:2] == [rows[0], rows[1]]
        ends = rows.offset + 4 * rows.size.astype(int)
        assert rows.offset.tolist() == [0, *ends.tolist()[:-1]]
        with pytest.raises(AttributeError):
            rows.colour  # noqa: B018
    step = game.records.code["gml_Object_obj_a_Step_0"].instructions
    assert step[0].value == 7
    assert instance(VariableReference, step[1].operand).name == "hp"


def test_functions_inside_an_entry(game: GameData) -> None:
    first, second = game.records.code["gml_GlobalScript_scr_two"].children
    assert (first.name, first.locals, first.arguments) == ("gml_Script_first", 1, 2)
    assert (second.name, second.locals, second.arguments) == ("gml_Script_second", 0, 0)
    assert 0 < first.offset < second.offset
    whole = game.records.code["gml_GlobalScript_scr_two"].to_bytes()
    assert whole[first.offset :].startswith(first.to_bytes())
    assert 0 < len(first.to_bytes()) < second.offset - first.offset


def test_symbolic_code_is_what_the_language_tools_take(game: GameData) -> None:
    context = game.language.context
    for entry in map(present, game.records.code):
        text = gml.disassemble(entry.symbolic)
        assert gml.assemble(text, context).instructions == entry.symbolic.instructions
        assert gml.decompile(entry.symbolic, context) == entry.gml
        assert entry.symbolic.to_bytes() == (entry.root or entry).to_bytes()


def test_shown_in_few_words(game: GameData) -> None:
    entry = game.records.code["gml_Object_obj_a_Step_0"]
    assert repr(entry) == "<code entry gml_Object_obj_a_Step_0: 5 instructions>"
    assert repr(game.records.code[1]) == "<function gml_Script_first in gml_GlobalScript_scr_two>"
    assert repr(entry.instructions) == "<5 instructions of gml_Object_obj_a_Step_0>"
    assert repr(game.records.code) == "<code entry list: 4>"


def test_names_that_are_nearly_right(game: GameData) -> None:
    assert "gml_Object_obj_a_Step_0" in game.records.code
    assert "gml_Object_obj_a_Step_1" not in game.records.code
    assert game.records.code.get("gml_Object_obj_a_Step_1") is None
    assert game.records.code.get("gml_Object_obj_a_Step_0") is game.records.code[-1]
    assert game.records.code[-2:] == [game.records.code[2], game.records.code[3]]
    with pytest.raises(KeyError, match="did you mean 'gml_Object_obj_a_Step_0'"):
        game.records.code["gml_Object_obj_a_Step_1"]
    with pytest.raises(KeyError, match="did you mean 'gml_Script_first'"):
        game.records.code["GML_SCRIPT_FIRST"]
    with pytest.raises(KeyError) as caught:
        game.records.code["something quite different"]
    assert "mean" not in str(caught.value)
