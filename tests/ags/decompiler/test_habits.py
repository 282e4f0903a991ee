"""What authors do and other random scripts lack: enums of all values, variables with values at the
start, macros in code, functions that call themselves, switches in loops in switches."""

from __future__ import annotations

import os

import pytest

from ags_decompiled import compiled, text_of, unproven
from ags_habits import habitual, placed
from overhaul.ags.decompiler import Environment, decompile_block, decompile_blocks
from overhaul.ags.decompiler.library import Member
from overhaul.ags.decompiler.proof import differences, prove

EDITORS = ("3.0.2.0", "3.2.1.0", "3.4.0.14", "3.4.1.15", "3.5.1.22", "3.6.1.26", "3.6.2.21")
SEEDS = range(1000 if os.environ.get("OVERHAUL_FULL") == "1" else 40)
CLOCK = "struct Clock { import int Start(int a); import attribute int Hour; };\n"


@pytest.mark.parametrize("editor", EDITORS)
def test_random_scripts_of_habits_compile_to_their_bytes(editor: str) -> None:
    assert unproven(habitual, editor, SEEDS) == {}


@pytest.mark.parametrize("editor", ["3.2.1.0", "3.6.2.21"])
def test_random_variables_have_their_values(editor: str) -> None:
    seeds = range(len(SEEDS) * 5)
    assert [one for one in seeds if prove(compiled(placed(one), editor=editor))] == []


# -------------------------------------------------------------------------- numbers below zero

MOODS = (
    "enum Mood { eBad = -1, eWorse = -7 };\n"
    "function f(int a) { a = eWorse + a; if (a == eBad) a = -1; }\n"
)


@pytest.mark.parametrize("editor", ["3.0.2.0", "3.2.1.0"])
def test_a_member_of_an_enum_below_zero_is_one(editor: str) -> None:
    """Compilers before 3.3.5.2 subtract for a negative literal, but not for a member."""
    assert text_of(compiled(MOODS, editor=editor)) == (
        "enum Minus1 { eMinus1 = -1 }; enum Minus7 { eMinus7 = -7 }; "
        "function f(int value) { value = eMinus7 + value; if (value == eMinus1) value = -1; }"
    )


def test_a_member_of_an_enum_is_a_number_where_compilers_have_such() -> None:
    shown = text_of(compiled(MOODS, editor="3.5.1.22"))
    assert "enum" not in shown and "if (value == -1) value = -1;" in shown


def test_the_editor_shows_that_a_number_is_a_member_of_an_enum() -> None:
    """No literal of the script does."""
    script = compiled(
        "enum Mood { eBad = -1 };\nfunction f(int a) { if (a == eBad) a = 2; }\n", editor="3.2.1.0"
    )
    shown = decompile_block(script, Environment(version="3.2.1"))
    assert "if (value == eMinus1) value = 2;" in shown.text
    assert "eMinus1" not in decompile_block(script, Environment(version="3.5.1")).text


@pytest.mark.parametrize(("version", "count"), [("3.3.5.1", 1), ("3.3.5.2", 0)])
def test_editors_have_negative_literals_since_one_of_3_3_5(version: str, count: int) -> None:
    script = compiled("function f(int a) { if (a == -1) a = 2; }\n", editor="3.3.5.8")
    shown = decompile_block(script, Environment(version=version))
    assert shown.declarations.count("enum") == count


def test_a_minus_before_a_variable_is_no_sign_of_an_old_compiler() -> None:
    script = compiled("int f(int a) { if (a == -3) return -a; return 2; }\n", editor="3.3.5.8")
    assert "if (value == -3) return -value;" in text_of(script)


def test_functions_of_one_name_have_default_values_of_their_own() -> None:
    text = "int g(int x, int y = {0}) {{ return x + y; }}\nfunction f{1}(int a) {{ g(a); }}\n"
    scripts = [compiled(text.format(-one, one), editor="3.2.1.0") for one in (1, 2)]
    made = decompile_blocks(scripts, Environment(version="3.2.1"))
    assert "int value2 = -1)" in made[0].text and "int value2 = -2)" in made[1].text


def test_a_default_value_below_zero_is_left_out() -> None:
    """A literal has another code."""
    script = compiled(
        "int g(int x, int y = -1, int z = -2) { return x + y + z; }\n"
        "function f(int a) { g(2); g(a, 3); }\n",
        editor="3.2.1.0",
    )
    shown = decompile_block(script, Environment(version="3.2.1"))
    assert "int g(int value, int value2 = -1, int value3 = -2)" in shown.text
    assert "g(2); g(value, 3);" in shown.text


def test_a_default_value_is_one_for_all_scripts() -> None:
    """The script that has a function may always give all arguments."""
    head = "import int g(int x, int y = -1);\n"
    owner = compiled(f"{head}int g(int x, int y) {{ return x + y; }}\n", editor="3.2.1.0")
    user = compiled(f"{head}function f(int a) {{ g(a); }}\n", editor="3.2.1.0")
    other = compiled(
        f"enum Mood {{ eBad = -7 }};\n{head}function h() {{ g(2, eBad); }}\n", editor="3.2.1.0"
    )
    made = decompile_blocks([owner, user, other], Environment(version="3.2.1"))
    assert "int g(int value, int value2 = -1)" in made[0].text
    assert "g(value);" in made[1].text
    assert "g(2, eMinus7);" in made[2].text and "int p1 = -1);" in made[2].declarations


@pytest.mark.parametrize(
    "head",
    ["int eMinus1; export eMinus1;", "import int eMinus1;", "import int Minus1(int a);",
     "int Minus1(int a) { return a; }", "struct Minus1 { int value; import int Go(); };"],
)  # fmt: skip
def test_a_member_of_an_enum_has_a_name_of_its_own(head: str) -> None:
    uses = {"e": "eMinus1 = 2;", "M": "Minus1(2);", "s": "Minus1 m; m.Go(); m.value = 3;"}
    use = uses["s" if head.startswith("struct") else "e" if "eMinus1" in head else "M"]
    shown = text_of(compiled(f"{MOODS}{head}\nfunction g() {{ {use} }}\n", editor="3.2.1.0"))
    assert "enum Minus1_ { eMinus1_ = -1 };" in shown and "value == eMinus1_" in shown


def test_a_member_of_an_enum_has_no_name_of_the_game_or_of_another_script() -> None:
    script = compiled(MOODS, editor="3.2.1.0")
    other = compiled("int Minus2_; export Minus2_;\n", editor="3.2.1.0")
    thing = Environment(version="3.2.1", variables=(Member("eMinus9", "Character"),))
    made = decompile_blocks([script, other], thing)
    assert made[0].declarations.startswith("enum Minus1__ { eMinus1__ = -1 };")


def test_a_struct_has_no_name_of_a_variable() -> None:
    script = compiled(
        "struct Pair { int one; int two[3]; };\nPair Struct1; Pair all[3]; export Struct1;\n"
        "function f(int a) { Struct1.one = 2; all[a].two[a] = 3; }\n"
    )
    assert "struct Struct2 { int unused_0; int value_4[3]; };" in text_of(script)


# --------------------------------------------------------------------------- values at the start


@pytest.mark.parametrize(
    ("variables", "shown"),
    [
        ("char many[70]; int two = 300; char more;",
         "char unused1[70]; int unused2 = 300; char unused3;"),
        ("short odd; int five = 5;", "short unused1; int unused2 = 5;"),
        ("char odd; short five = 5;", "char unused1; short unused2 = 5;"),
        ("char one = 1; char two = 2; char three = 3;",
         "short unused1 = 513; char unused2 = 3;"),
        ("char many[68];", "char unused1[68];"),
    ],
)  # fmt: skip
def test_values_of_variables_that_nothing_uses(variables: str, shown: str) -> None:
    text = f"int first; {variables} int last;\nfunction f() {{ first = last; }}\n"
    assert f"int g_value1; {shown} int g_value2;" in text_of(compiled(text))


def test_an_array_of_structs_ends_before_a_value() -> None:
    text = (
        "struct Pair { int one; int two; }; Pair all[3]; int five = 5; short odd;\n"
        "function f(int a) { all[a].two = 2; }\n"
    )
    shown = text_of(compiled(text))
    assert "Struct1 g_theStruct11[3]; int unused1 = 5; short unused2;" in shown


def test_a_struct_has_no_value_at_the_start() -> None:
    text = f"{CLOCK}Clock clock; int five = 5;\nfunction f(int a) {{ clock.Start(a); }}\n"
    shown = text_of(compiled(text))
    assert "struct Clock { import int Start(int p0); }; Clock g_theClock1;" in shown
    assert "int unused1 = 5;" in shown


def test_a_struct_may_end_where_the_next_variable_begins() -> None:
    text = (
        "struct Box { int value; import int Open(); };\n"
        "Box box; int last; export last;\nfunction f(int a) { box.Open(); last = a; }\n"
    )
    shown = text_of(compiled(text))
    assert "struct Box { import int Open(); int unused_0; }; Box g_theBox1;" in shown


def test_a_variable_without_bytes_is_where_another_one_begins() -> None:
    text = (
        f"{CLOCK}Clock first; char odd; Clock second; short last;\n"
        "function f(int a) { first.Start(a); second.Start(a); }\n"
    )
    assert "struct Clock { import int Start(int p0); };" in text_of(compiled(text))


def test_an_export_where_a_number_has_a_value_has_no_bytes() -> None:
    owner = compiled(f"{CLOCK}Clock clock; short three = 300; export clock;\n")
    user = compiled(f"{CLOCK}import Clock clock;\nfunction f() {{ clock.Start(1); }}\n")
    made, _ = decompile_blocks([owner, user], Environment())
    assert made.text.split()[:6] == ["Clock", "clock;", "short", "unused1", "=", "300;"]


def test_an_array_of_structs_ends_where_an_export_begins() -> None:
    text = (
        f"{CLOCK}struct Pair {{ int one[6]; int two; }};\n"
        "Clock clock; Pair pairs[10]; int last; export last; int more[20];\n"
        "function f(int a) { clock.Start(pairs[a].two); }\n"
    )
    assert "Clock g_theClock1; Struct1 g_theStruct11[10];" in text_of(compiled(text))


def test_an_array_of_structs_ends_before_the_next_variable() -> None:
    """So it begins where another variable is, which has no bytes."""
    text = (
        f"{CLOCK}struct Pair {{ int one[2]; char two[5]; int three[4]; }};\n"
        "Clock clock; Pair pairs[10]; int last;\n"
        "function f(int a) { last = clock.Hour; a = pairs[a].two[1] + pairs[a].three[2]; }\n"
    )
    assert "Clock g_theClock1; Struct1 g_theStruct11[10]; int g_value1;" in text_of(compiled(text))


def test_the_bytes_of_an_array_show_a_variable_without_bytes() -> None:
    text = f"{CLOCK}Clock clock; short all[3];\nfunction f(int a) {{ clock.Start(all[a]); }}\n"
    assert "Clock g_theClock1; short g_short1[3];" in text_of(compiled(text))


def test_an_array_of_structs_whose_methods_are_called_is_no_part_of_a_struct() -> None:
    text = (
        f"{CLOCK}struct Box {{ int value; import int Open(); }};\n"
        "Clock clock; Box boxes[3];\n"
        "function f(int a) { clock.Start(a); boxes[a].Open(); }\n"
    )
    shown = text_of(compiled(text))
    assert "Clock g_theClock1; Box g_theBox1[3];" in shown


def test_an_enum_that_scripts_share_is_declared_once() -> None:
    first = compiled("enum Mood { eBad = -1 };\nint f() { return eBad; }\n", editor="3.2.1.0")
    second = compiled(
        "enum Mood { eBad = -1 };\nint g(int a) { return a + eBad; }\n", editor="3.2.1.0"
    )
    made = decompile_blocks([first, second], Environment(version="3.2.1"))
    for script, one in zip((first, second), made, strict=True):
        again = compiled(one.declarations.replace("\n", " ") + one.text, editor="3.2.1.0")
        assert list(differences(script, again)) == []


# ----------------------------------------------------------------------------- nothing in a switch


@pytest.mark.parametrize("editor", ["3.4.0.14", "3.4.1.15", "3.6.2.21"])
@pytest.mark.parametrize(
    "statement",
    ["switch (value) { }", "switch (value) {\n\n}", "while (value) { switch (value) { } value--; }",
     "if (value) switch (value) { } else switch (value) { default: }",
     "switch (f(value)) { } switch (value) { case 1: }"],
)  # fmt: skip
def test_a_switch_without_cases(editor: str, statement: str) -> None:
    script = compiled(f"int f(int value) {{ {statement} return value; }}\n", editor=editor)
    assert text_of(script).count("switch (") == statement.count("switch (")
