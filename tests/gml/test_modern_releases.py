"""What releases from 2.3 on make of accessors, array owners, exits, functions named again, and so
on; and that the decompiler's text of it compiles to the same.
"""

from __future__ import annotations

import pytest

from overhaul import gml
from overhaul.gml.compiler.owners import owner_numbers
from overhaul.gml.dialect import Dialect
from overhaul.gml.roundtrip import decompile
from overhaul.gml.vm.code import Code, FunctionReference
from overhaul.gml.vm.opcodes import Opcode

EVENT = "gml_Object_o_Create_0"


def dialect(*version: int, **changes: bool) -> Dialect:
    return Dialect.for_version(17, version, **changes)


OWNERS = dialect(2022, 1)
BEFORE = dialect(2024, 13)
NEWEST = dialect(2024, 14)


def context(chosen: Dialect) -> gml.Context:
    made = gml.Context(dialect=chosen)
    made.add_asset("object", 5, "obj_a")
    made.add_asset("sprite", 3, "spr_b")
    made.add_function("tally", "gml_Script_tally")
    return made


def code_of(source: str, chosen: Dialect, previous: Code | None = None, name: str = EVENT) -> Code:
    kind = "global_script" if name.startswith("gml_GlobalScript") else "event"
    return gml.compile(source, context(chosen), kind=kind, name=name, previous=previous)


def lines(
    source: str, chosen: Dialect, previous: Code | None = None, name: str = EVENT
) -> list[str]:
    made = code_of(source, chosen, previous, name)
    return gml.disassemble(made, context(chosen)).splitlines()


def text_of(assembly: str, chosen: Dialect) -> str:
    """Decompiled, after a look at whether the text compiles to the very code."""
    known = context(chosen)
    made = gml.assemble(assembly, known)
    made.name = EVENT
    text = decompile(made, known)
    for previous in (made, None):
        assert code_of(text, chosen, previous).instructions == made.instructions, text
    return text


def comes_back(source: str, chosen: Dialect, shown: str | None = None) -> None:
    """The text of the code is the source, and compiles to the code."""
    made = code_of(source, chosen)
    text = decompile(made, context(chosen))
    assert code_of(text, chosen, made).instructions == made.instructions
    assert text.strip() == (source if shown is None else shown)


# -- accessors -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("chosen", "get"), [(BEFORE, "array_get"), (NEWEST, "@@array_get@@")])
def test_elements_in_accessors_are_calls(chosen: Dialect, get: str) -> None:
    source = "m[$ names[i]] = v;"
    assert f"call.i {get}(argc=2)" in lines(source, chosen)
    comes_back(source, chosen)
    comes_back("m[? a[1]] += 2;", chosen)
    comes_back("x = l[| a[1][2]];", chosen)
    assert lines("x = l[| a[1][2]];", chosen).count(f"call.i {get}(argc=2)") == 2
    comes_back("a[0][$ k] = 2;", chosen)
    comes_back("x = f()[1];", chosen)


@pytest.mark.parametrize(
    "source", ["x = l[| a[1] + 1];", "x = m[? q.names[i]];", "x = m[? f(a[0])];"]
)
def test_elements_deeper_in_accessors_are_plain(source: str) -> None:
    assert not any("array_get" in line for line in lines(source, NEWEST))
    comes_back(source, NEWEST)


def test_a_plain_element_given_to_the_function_stays_a_call() -> None:
    text = text_of(
        "pushi.e -1\npushi.e 1\npush.v [array]self.a\npush.v self.m\n"
        "call.i ds_map_find_value(argc=2)\npop.v.v self.x\n",
        dialect(2023, 1),
    )
    assert text == "x = ds_map_find_value(m, a[1]);"


def test_internal_functions_are_read_as_a_last_resort() -> None:
    source = "x = @@array_get@@(a, m[? k]);"
    assert "call.i @@array_get@@(argc=2)" in lines(source, NEWEST)
    comes_back(source, NEWEST)
    comes_back("x = a[@@f@@(1)];", NEWEST, "x = a[ @@f@@(1)];")
    comes_back("@@array_set@@(a, 1, 2);", NEWEST)
    assert lines("x = a[@@f@@(1)];", NEWEST)[1:3] == ["pushi.e -6", "pushi.e 1"]
    assert "call.i array_set(argc=3)" in lines("f()[1] = 2;", BEFORE)
    assert "call.i @@array_set@@(argc=3)" in lines("f()[1] = 2;", NEWEST)


def test_assets_without_a_name() -> None:
    text = text_of("pushref.i 16777302\npop.v.v builtin.x\n", dialect(2024, 14))
    assert text == "x = @@sprite@@(86);"
    assert text_of(
        "pushref.i 150994949\npop.v.v builtin.x\n", dialect(2023, 8, self_to_builtin=True)
    ) == ("x = @@type_9@@(5);")
    assert "call.i @@sprite@@(argc=1)" in lines("x = @@sprite@@(86);", dialect(2023, 1))


# -- array owners ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "marks"),
    [
        ("a[0] = 1; a[1] = 2;", 1),
        ("if (c) { a[0] = 1; } a[1] = 2;", 1),
        ("if (c) { b = 1; } else { a[0] = 1; } a[1] = 2;", 2),
        ("if (c) { a[2] = 1; } else { a[0] = 1; } a[1] = 2;", 2),
        ("a[2] = 1; if (c) { a[3] = 1; } else { a[0] = 1; } a[1] = 2;", 1),
        ("if (c) { b[0] = 1; } else if (d) { a[0] = 1; } else { a[0] = 1; } a[1] = 2;", 4),
        ("switch (c) { case 1: a[0] = 1; break; case 2: a[1] = 1; break; }", 2),
        ("a[0] = 1; switch (c) { case 1: a[0] = 1; break; case 2: a[1] = 1; }", 1),
        ("a[0] = 1; switch (c) { case 1: d = 1; break; } a[1] = 1;", 1),
        ("switch (c) { case 1: a[0] = 1; break; } a[1] = 1;", 2),
        ("a[0] = 1; repeat (2) { d = 1; } a[1] = 1;", 1),
        ("a[0] = 1; while (e) { d = 1; } a[1] = 1;", 1),
        ("a[0] = 1; with (e) { d = 1; } a[1] = 1;", 1),
        ("a[0] = 1; repeat (2) { if (d) break; } a[1] = 1;", 2),
        ("a[0] = 1; for (;;) { if (d) continue; } a[1] = 1;", 2),
        ("a[0] = 1; repeat (2) { b[0] = 1; } a[1] = 1;", 3),
        ("repeat (2) { a[0] = 1; } a[1] = 1;", 2),
    ],
)
def test_where_owners_are_marked(source: str, marks: int) -> None:
    assert lines(source, OWNERS).count("setowner.e") == marks
    assert "setowner.e" not in lines(source, NEWEST)


@pytest.mark.parametrize(
    "source",
    [
        "a[0] = 1;\nswitch (c)\n{\n    case 1:\n        f([1]);\n        break;\n    case 2:\n"
        "        a[1]++;\n        break;\n}",
        "a[0] = 1;\nif (c)\n{\n    f([1]);\n}\nelse\n{\n    a[1]++;\n}",
        "f([1]);\nif (c)\n{\n    a[0] = 1;\n}\nelse\n{\n    b[@ 1]++;\n}",
    ],
)
def test_owners_are_shown_in_branches(source: str) -> None:
    comes_back(source, OWNERS)


def test_a_large_owner_never_gets_a_short_push() -> None:
    first = dialect(2, 3, 0)
    made = code_of("alarm[0] = 1;", first)
    assert "setowner.e" in lines("alarm[0] = 1;", first)
    assert made.instructions[0].opcode == Opcode.PUSHI
    made.instructions[0].opcode = int(Opcode.PUSH)  # as in a game whose numbers are of another kind
    made.instructions[0].type1 = 2
    made.instructions[0].operand = 68065
    again = code_of("alarm[0] = 1;", first, made)
    assert -0x8000 <= again.instructions[0].value <= 0x7FFF


@pytest.mark.parametrize(
    ("number", "kept"),
    [(0x7FFF, True), (-0x8000, True), (12, True), (0x8000, False), (-0x8001, False)],
)
def test_an_owner_of_a_built_in_variable_is_a_number_of_16_bits(number: int, kept: bool) -> None:
    first = dialect(2, 3, 0)
    previous = code_of("alarm[0] = 1;", first)
    previous.instructions[0].opcode = int(Opcode.PUSH)
    previous.instructions[0].type1 = 2
    previous.instructions[0].operand = number
    made = code_of("alarm[0] = 1;", first, previous)
    assert made.instructions[0].value == (number if kept else 2400)


def test_numbers_of_owners_are_kept_where_there_are_as_many() -> None:
    previous = code_of("a[0] = 1; b[0] = 2;", OWNERS)
    assert owner_numbers(previous.instructions) == [165536, 165537]
    for instruction in previous.instructions:
        if instruction.operand in (165536, 165537):
            instruction.operand += 10
    for source, numbers in (
        ("c[0] = 1; d[0] = 2;", [165546, 165547]),
        ("c[0] = 1;", [165536]),
        ("c[0] = 1; d[0] = 2; c[0] = 3;", [165536, 165537, 165536]),
    ):
        assert owner_numbers(code_of(source, OWNERS, previous).instructions) == numbers


@pytest.mark.parametrize(
    ("source", "record"),
    [
        ("var a; a[0]++;", "local"), ("global.a[0]++;", "global"),
        ("globalvar a; a[0]--;", "global"), ("a[0]++;", "self"),
        ("var a; a[0] += 1;", "self"), ("obj_a.a[0]++;", "self"),
    ],
)  # fmt: skip
def test_the_record_that_a_step_writes_by(source: str, record: str) -> None:
    for chosen in (dialect(2022, 9), dialect(2023, 8), NEWEST):
        stores = [line for line in lines(source, chosen) if line.startswith("pop.i.")]
        assert stores == [f"pop.i.v [array]{record}.a"]


def test_old_code_decides_by_which_record() -> None:
    chosen = dialect(2023, 8)
    old = gml.assemble(
        "pushi.e -7\npushi.e 0\ndup.i 1\npush.v [array]self.a\npush.e 1\nadd.i.v\n"
        "pop.i.v [array]self.a\n",
        context(chosen),
    )
    assert "pop.i.v [array]self.a" in lines("var a; a[0]++;", chosen, old)


# -- left of a dot, with, statics, structs ---------------------------------------------------------


def test_an_array_of_the_instance_left_of_a_dot() -> None:
    assert "pushi.e -1" in lines("a[0].x = y;", NEWEST)
    assert "pushi.e -1" not in lines("with (a[0]) { x = y; }", NEWEST)
    comes_back("with (a[0])\n{\n    x = y;\n}", NEWEST)


def test_functions_in_the_value_of_a_static() -> None:
    source = "function f() { static a = (function() { return 1; })(); b = function() {}; }"
    shown = lines(source, NEWEST, name="gml_GlobalScript_f")
    assert shown.count("pushi.e -16") == 1
    assert any(line.startswith("> gml_Script_a@anon@") for line in shown)


@pytest.mark.parametrize("release, joined", [((2023, 11), "_"), ((2024, 2), "@")])
def test_how_the_names_of_enclosing_functions_are_joined(
    release: tuple[int, ...], joined: str
) -> None:
    """The name of a function is joined to its scope by @ since 2023.11, that of a scope later."""
    made = gml.Context(dialect=gml.Dialect.for_version(17, release))
    source = "function f() constructor { g(function() { g(function() { }); }); x = {}; }"
    code = gml.compile(source, made, "global_script", "gml_GlobalScript_s")
    scope = f"f{joined}s"
    assert [child.name for child in code.children][:2] == [
        f"gml_Script_anon@44@anon@29{joined}{scope}",
        f"gml_Script_anon@29@{scope}",
    ]
    assert f"gml_Script____struct___0@{scope}" in [child.name for child in code.children]


def test_assets_in_struct_literals_stay_inside() -> None:
    shown = lines("a = { b: spr_b, c: d };", NEWEST)
    assert shown.index("pushref.i 16777219") > shown.index(":[1]")
    assert shown.index("push.v builtin.d") < shown.index(":[1]")
    assert "call.i @@NewGMLObject@@(argc=2)" in shown


@pytest.mark.parametrize(("version", "read"), [((2022, 9), "builtin"), ((2022, 11), "static")])
def test_calls_of_statics(version: tuple[int, ...], read: str) -> None:
    shown = lines("function f() { static a = 1; a(); }", dialect(*version))
    assert shown[shown.index("callv.v 0") - 1] == f"push.v {read}.a"


# -- ways out --------------------------------------------------------------------------------------


def test_what_an_exit_drops() -> None:
    source = "switch (0) { case 0: switch (a) { case 1: exit; } }"

    def dropped(chosen: Dialect, text: str) -> list[str]:
        shown = lines(text, chosen)
        at = shown.index("exit.i")
        return [line for line in shown[at - 2 : at] if line.startswith("popz")]

    assert dropped(BEFORE, source) == ["popz.v", "popz.i"]
    assert dropped(NEWEST, source) == ["popz.i", "popz.v"]
    default = "switch (a) { default: exit; }"
    assert dropped(BEFORE, default) == ["popz.v"]
    assert dropped(NEWEST, default) == []
    assert dropped(NEWEST, "switch (0) { default: switch (a) { case 1: exit; } }") == ["popz.v"]


def test_marks_of_statics_at_returns() -> None:
    source = "function f() { if (a) return 1; with (b) return 2; }"
    first = dialect(2, 3, 0)
    assert lines(source, first).count("setstatic.e") == 3
    assert lines(source, first.replace(static_marker_at_returns=False)).count("setstatic.e") == 1


@pytest.mark.parametrize(("version", "folds"), [((2022, 9), True), ((2022, 11), False)])
def test_string_of_a_constant(version: tuple[int, ...], folds: bool) -> None:
    for source in ('x = string("a");', "x = string(5);"):
        called = "call.i string(argc=1)" in lines(source, dialect(*version))
        assert called is not folds
    assert "push.i 12" not in lines('x = real("12");', dialect(*version))
    assert "pushi.e 12" in lines('x = real("12");', dialect(*version))


def test_a_character_of_a_constant() -> None:
    chosen = NEWEST.replace(chr_folds=True)
    for code, called in ((-1, True), (0x10FFFF, False), (0x110000, True)):
        assert ("call.i chr(argc=1)" in lines(f"x = chr({code});", chosen)) is called


# -- functions -------------------------------------------------------------------------------------


def test_names_in_library_packages() -> None:
    source = "function gml_Script_pack__f() constructor { a = function() {}; b = { c: d }; }"
    entries = [
        line for line in lines(source, NEWEST, name="gml_GlobalScript_pack__s") if line[:1] == ">"
    ]
    names = [line.split()[1] for line in entries]
    assert names[0] == "gml_Script_pack__f"
    assert names[1].startswith("gml_Script_pack_anon@")
    assert names[1].endswith("@pack__f@pack__s")
    assert names[2] == "gml_Script_pack____struct___0@pack__f@pack__s"


def test_functions_keep_generated_names_of_packages_only() -> None:
    name = "gml_GlobalScript_pack__s"
    source = "function gml_Script_pack__f() constructor { a = function() {}; }"
    old = code_of(source, NEWEST, name=name)
    known = "gml_Script_pack_anon@5@pack__f@pack__s"
    for instruction in old.instructions:
        if (
            isinstance(instruction.operand, FunctionReference)
            and "anon" in instruction.operand.name
        ):
            instruction.operand = FunctionReference(known)
    for child in old.children:
        if "anon" in child.name:
            child.name = known
    again = code_of(source, NEWEST, old, name)
    assert again.instructions == old.instructions and again.children == old.children


def test_parameters_behind_the_sixteenth_have_names() -> None:
    parameters = ", ".join(f"arg{number}" for number in range(18))
    body = "x = arg16;\n    arg17[1] = 2;\n    arg16++;\n    y = argument[18];"
    for chosen in (OWNERS, NEWEST):
        comes_back(f"function f({parameters})\n{{\n    {body}\n}}", chosen)


def test_statics_of_a_function() -> None:
    chosen = dialect(2023, 8)
    comes_back("a = tally.b;", chosen)
    comes_back("a = static_get(tally);", chosen)
    comes_back("tally.b(1);", chosen)


def test_old_code_says_whether_a_name_is_the_function() -> None:
    chosen = dialect(2023, 8)
    source = "a = f;\n\nfunction f()\n{\n    return 1;\n}\n"
    made = code_of(source, chosen)
    assert made.instructions[0].opcode == Opcode.PUSH and made.instructions[0].type1 == 5
    swapped = code_of("function f() { return 1; } a = f;", chosen)
    reference = next(
        instruction
        for instruction in reversed(swapped.instructions)
        if instruction.type1 == 2 and instruction.operand is not None
    )
    made.instructions[0].type1, made.instructions[0].value = 2, 0
    made.instructions[0].operand = reference.operand
    assert code_of(source, chosen, made).instructions[0] == made.instructions[0]


def test_globals_without_their_owner() -> None:
    text = text_of("pushi.e -5\npushi.e 1\npush.v [array]self.g\npop.v.v builtin.x\n", NEWEST)
    assert text == "globalvar g;\nx = g[1];"
    assert "call.i @@Global@@(argc=0)" in lines("x = global.g[1];", NEWEST)
    comes_back("x = global.g[1];", dialect(2023, 8))
    comes_back("x = {\n    a: 1\n};", BEFORE)


def test_an_asset_hidden_by_a_package() -> None:
    old = code_of("x = hidden;", NEWEST)
    known = context(NEWEST)
    known.add_asset("sprite", 7, "hidden")
    kept = gml.compile("x = hidden;", known, name=EVENT, previous=old)
    assert kept.instructions == old.instructions
    assert gml.compile("x = hidden;", known, name=EVENT).instructions != old.instructions
