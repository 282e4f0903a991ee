"""What a game's own code shows of its compiler, and code that no record stands behind."""

from __future__ import annotations

import pytest

from overhaul.errors import EncodeError
from overhaul.gamemaker.data.code.checking import why_not_identical
from overhaul.gamemaker.data.code.registration import Registrar
from overhaul.gamemaker.data.game import GameData
from overhaul.gml.vm.columns import NO_RECORD
from overhaul.gml.vm.opcodes import Opcode
from small_games import again, game_of

ENTRY = "gml_Object_obj_a_Create_0"


def game_with(version: str, source: str, **dialect: bool) -> GameData:
    """A game whose compiler had other capabilities than its version says."""
    game = game_of(version)
    game.language.context.dialect = game.language.context.dialect.replace(**dialect)
    game.add_event("obj_a", "Create_0", "x = 1;")
    game.language.context.dialect = game.language.context.dialect.replace(**dialect)
    game.records.code[ENTRY].gml = source
    return again(game)


@pytest.mark.parametrize(
    ("version", "source", "capability"),
    [
        ("2022.3", 'x = string("a");', "string_call_folds"),
        ("2024.14", "x = f()[1];", "internal_array_access"),
        ("2024.14", "function f() { return 1; } x = f;", "function_script_references"),
        ("2.3.2", "alarm[0] = 1;", "new_array_owners"),
        ("2.3.0", "f = function() { return 1; };", "static_marker_at_returns"),
        ("2022.3", "f = function() { static a = 1; a(); };", "statics_called_directly"),
    ],
)
@pytest.mark.parametrize("value", [True, False])
def test_capabilities_show_in_code(version: str, source: str, capability: str, value: bool) -> None:
    usual = game_of(version).language.context.dialect
    game = game_with(version, source, **{capability: value})
    result = getattr(game.language.context.dialect, capability)
    if capability in ("internal_array_access", "statics_called_directly") and not value:
        assert result == getattr(usual, capability)  # nothing shows that it is not so
    elif capability == "string_call_folds" and value:
        assert result == getattr(usual, capability)
    else:
        assert result == value
    assert game.records.code[ENTRY].gml
    if result == value:
        assert why_not_identical(game, ENTRY) is None


def test_names_of_struct_members_hide_no_constants() -> None:
    game = game_with("2023.8", "a = { c_red: 5 }; b = a.c_red; c = c_red;")
    assert game.language.context.builtin_constants["c_red"].value == 255
    hidden = game_with("2023.8", "x = 1;")
    code = hidden.language.code(hidden.records.code[ENTRY])
    hidden.language.assemble(hidden.records.code[ENTRY], "push.v self.c_red\npop.v.v self.y\n")
    hidden = again(hidden)
    assert code.instructions and "c_red" not in hidden.language.context.builtin_constants


def test_scripts_that_are_a_body_are_functions() -> None:
    game = game_of("2.3.2")
    game.add_script("jump", "y -= 4; show_debug_message(argument0);")
    game.add_script("tools", "function run() { jump(1); }")
    game = again(game)
    assert game.language.context.functions["jump"] == "jump"
    assert "tools" not in game.language.context.functions
    game.records.code["gml_GlobalScript_tools"].gml = "function run() { jump(2); }"
    assert "call.i jump(argc=1)" in game.records.code["gml_GlobalScript_tools"].assembly


def test_code_of_removed_objects_refers_to_names() -> None:
    game = game_with("2024.14", "show_debug_message(x); y = floor(1);")
    entry = game.records.code[ENTRY]
    record, columns = entry.bytecode.record, entry.bytecode.columns
    calls = columns.opcode == int(Opcode.CALL)
    name = [str(string) for string in game.strings].index("show_debug_message")
    assert calls.sum() == 2
    first = calls.nonzero()[0][0]
    entry.bytecode.record = record = record.copy()
    columns.operand = columns.operand.copy()
    record[first], columns.operand[first] = NO_RECORD, name
    game.language.forget()
    assert "show_debug_message(x)" in entry.gml
    assert why_not_identical(game, ENTRY) is None
    entry.gml = "show_debug_message(x + 1);"
    made = game.records.code[ENTRY].bytecode
    assert made.record[-2] == NO_RECORD and made.columns.operand[-2] == name


def test_what_cannot_be_encoded_is_reported_as_that(monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_with("2022.3", "x = 1;")
    code = game.language.code(game.records.code[ENTRY])
    code.instructions[0].value = 100004
    with pytest.raises(EncodeError, match="pushi with value 100004 has no encoding"):
        game.language.link(game.records.code[ENTRY], code)
    with Registrar(game.language.index, trial=True) as registrar, pytest.raises(EncodeError):
        registrar.bytecode(game.records.code[ENTRY], code, game.language.context)
    monkeypatch.setattr(game.language, "compile_new", lambda root, source, before: code)
    why = why_not_identical(game, ENTRY)
    assert why is not None and why.startswith("compiles to code that can't be encoded: ")


@pytest.mark.parametrize("version", ["2.3.2", "2023.8", "2024.14"])
def test_a_function_of_the_runner_that_a_script_hides_stays_the_one_called(version: str) -> None:
    game = game_with(version, 'x = string_split("a", "b");')
    game.add_script("string_cut", "function string_cut(a, b) { return a; }")
    game.scripts.rename("string_cut", "string_split")  # which new code can't declare
    game = again(game)
    assert game.records.code[ENTRY].gml == 'x = @@runner_string_split@@("a", "b");'
    assert why_not_identical(game, ENTRY) is None
    game.records.code[
        ENTRY
    ].gml = 'x = string_split("a", "b"); y = @@runner_string_split@@("a", "b");'
    text = again(game).records.code[ENTRY].assembly
    assert "call.i gml_Script_string_split(argc=2)" in text
    assert "call.i string_split(argc=2)" in text
