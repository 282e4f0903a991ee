"""What GameMaker 2026.0 changed: calls of functions around, keys of structs, and the way back."""

from __future__ import annotations

import pytest

from overhaul import gml
from overhaul.gml.vm.code import FunctionReference
from overhaul.gml.vm.opcodes import Opcode

EVENT = "gml_Object_o_Create_0"
RELEASES = {
    "2024.11": (2024, 11, 0, 0),
    "2024.13": (2024, 13, 0, 0),
    "2024.14": (2024, 14, 0, 0),
    "2026": (2026, 0, 0, 0),
}

#: a function calls one that is declared further down, in the function around both
CALLS = """function outer()
{
    function first(arg0)
    {
        return second(arg0);
    }

    function second(arg0)
    {
        return arg0;
    }

    return first(1);
}"""


def context(release: str) -> gml.Context:
    return gml.Context(gml.Dialect.for_version(17, RELEASES[release]))


def directly_called(code: gml.Code) -> list[str]:
    return [
        instruction.operand.name
        for instruction in code.instructions
        if instruction.opcode == Opcode.CALL
        and isinstance(instruction.operand, FunctionReference)
        and instruction.operand.name.startswith("gml_")
    ]


@pytest.mark.parametrize(
    ("release", "called"),
    [("2024.14", ["first"]), ("2026", ["second", "first"])],
)
def test_functions_of_enclosing_functions_are_called_directly(
    release: str, called: list[str]
) -> None:
    code = gml.compile(CALLS, context(release), "global_script", "gml_GlobalScript_s")
    assert directly_called(code) == [f"gml_Script_{name}@outer@s" for name in called]
    assert gml.decompile(code, context(release)) == CALLS


def test_a_parameter_hides_a_function_around() -> None:
    source = CALLS.replace(
        "first(arg0)\n    {\n        return second(arg0)",
        "first(second)\n    {\n        return second(1)",
    )
    code = gml.compile(source, context("2026"), "global_script", "gml_GlobalScript_s")
    assert directly_called(code) == ["gml_Script_first@outer@s"]


@pytest.mark.parametrize("release", RELEASES)
def test_self_and_other_are_keys_of_structs(release: str) -> None:
    source = "a = {\n    self: true,\n    other: x,\n    all: 1\n};"
    code = gml.compile(source, context(release), "event", EVENT)
    text = gml.disassemble(code, context(release))
    for name in ("self", "other"):
        assert f"[stacktop]self.{name}\n" in text
    assert "pop.v.i self.all" in text
    assert gml.decompile(code, context(release)) == source


@pytest.mark.parametrize(
    "source",
    [
        'x = y[$ "hp"] ?? 1;',
        'x = y[$ "h p"];',
        'y[$ "h p"] = 1;',
        'y[$ "hp"] += 1;',
        'y[$ "hp"] ??= 1;',
        'x = variable_struct_get(y, "hp");',
        'variable_struct_set(y, "hp", 1);',
        "x = struct_get_from_hash(y, z);",
        'x = y[$ "a"][$ "b"];',
        'y[$ "hp"]++;',
        "x = a ?? b ?? c;",
        "x = (a ?? b) ?? c;",
        "y.list[z](self, 2);",
        "y.list[z]();",
        "f(1).g(2, 3);",
    ],
)
@pytest.mark.parametrize("release", RELEASES)
def test_texts_come_back_to_the_same_code(release: str, source: str) -> None:
    code = gml.compile(source, context(release), "event", EVENT)
    shown = gml.decompile(code, context(release))
    folded = release == "2026" or "variable_struct_set" not in source
    assert shown == (source if folded else 'y[$ "hp"] = 1;')
    again = gml.compile(shown, context(release), "event", EVENT)
    assert again.instructions == code.instructions


def test_a_plain_store_by_key_is_shown_as_the_member_it_compiles_to() -> None:
    code = gml.compile('y[$ "hp"] = 1;', context("2026"), "event", EVENT)
    assert gml.decompile(code, context("2026")) == "y.hp = 1;"


def test_members_of_the_enums_of_the_language_have_their_names() -> None:
    made = context("2026")
    source = "flexpanel_node_style_set_flex_direction(n, flexpanel_flex_direction.row);"
    code = gml.compile(source, made, "event", EVENT)
    assert gml.decompile(code, made) == source
    # where a plain number stands, it is none of them
    code = gml.compile("flexpanel_node_style_set_flex_direction(n, 2);", made, "event", EVENT)
    assert "direction(n, 2)" in gml.decompile(code, made)


def test_functions_in_an_anonymous_function_at_the_root_of_a_script() -> None:
    source = "f(function() { g(function() { }); function h() { } }); x = { y: function() { } };"
    made = context("2026")
    code = gml.compile(source, made, "global_script", "gml_GlobalScript_s")
    assert [child.name for child in code.children] == [
        "gml_Script_anon@17@anon@2@s@s",
        "gml_Script_h@anon@2@s@s",
        "gml_Script_anon@2@s",
        "gml_Script_anon@64@___struct___0@s",
        "gml_Script____struct___0",
    ]
    event = gml.compile("f(function() { g(function() { }); });", made, "event", EVENT)
    assert event.children[0].name == f"gml_Script_anon@17@anon@2@{EVENT}"


def test_inner_functions_keep_their_names_where_one_is_added() -> None:
    made = context("2026")
    old = gml.compile("a = function() { }; b = { c: 1 };", made, "event", EVENT)
    for child, name in zip(old.children, ("anon@900@x", "___struct___77@x"), strict=True):
        child.name = f"gml_Script_{name}"
    source = "a = function() { }; b = { c: 1 }; d = function() { };"
    new = gml.compile(source, made, "event", EVENT, previous=old)
    names = [child.name for child in new.children]
    assert names[:2] == ["gml_Script_anon@900@x", "gml_Script____struct___77@x"]
    assert names[2].startswith("gml_Script_anon@")
