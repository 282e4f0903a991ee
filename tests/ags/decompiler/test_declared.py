"""What scripts declare of themselves and of each other, as values."""

from __future__ import annotations

import pytest

from ags_decompiled import compiled
from overhaul.ags.decompiler import Decompiled, Environment, decompile_block, decompile_blocks
from overhaul.ags.decompiler.declared import GlobalVariable

CLOCK = "struct Clock { import int Start(int a = 2); import attribute int Hour; int value; };\n"
#: A script with a function that an attribute stands for, and that it calls by its name as well.
OWNER = CLOCK.replace("attribute int Hour", "int get_Hour()") + (
    "Clock clock; export clock;\n"
    "int Clock::get_Hour() { return this.value; }\n"
    "int Clock::Start(int a) { return this.get_Hour(); }\n"
)
USER = CLOCK + "import Clock clock;\nfunction f() { clock.Start(); return clock.Hour; }\n"


def read(*texts: str, extended: bool = False) -> list[Decompiled]:
    scripts = [compiled(text) for text in texts]
    return decompile_blocks(scripts, Environment(extended=extended))


def members_of(made: Decompiled, struct: str) -> dict[str, str]:
    (found,) = [each for each in made.declared if (each.kind, each.name) == ("struct", struct)]
    return {member.name: member.kind for member in found.members}


def test_functions_behind_attributes_of_other_scripts_extend_their_struct() -> None:
    alone, _ = read(OWNER, USER)
    assert "int Clock::get_Hour()" in alone.text
    assert members_of(alone, "Clock") == {
        "get_Hour": "function", "Start": "function", "value_0": "field"
    }  # fmt: skip
    assert alone.members == ["Clock::get_Hour", "Clock::Start"] and not alone.prototypes
    owner, user = read(OWNER, USER, extended=True)
    assert "int get_Hour(this Clock*)" in owner.text and "int Clock::Start(" in owner.text
    assert members_of(owner, "Clock") == {"Start": "function", "value_0": "field"}
    assert members_of(user, "Clock")["Hour"] == "attribute"
    assert owner.prototypes == {"Clock::get_Hour": "import int get_Hour(this Clock*);"}
    (same,) = read(OWNER, extended=True)  # no script uses the attribute
    assert "int Clock::get_Hour()" in same.text


def test_static_functions_behind_attributes_extend_their_struct() -> None:
    struct = "struct Sum {{ import static {}; }};\n"
    owner = struct.format("int geti_At(int index)") + (
        "static int Sum::geti_At(int index) { return index; }\n"
        "function g() { return Sum.geti_At(3); }\n"
    )
    user = struct.format("attribute int At[]") + "function f() { return Sum.At[2]; }\n"
    made, _ = read(owner, user, extended=True)
    assert "int geti_At(static Sum, int value)" in made.text
    assert made.prototypes["Sum::geti_At"] == "import int geti_At(static Sum, int p0);"


def test_functions_that_others_call_have_prototypes() -> None:
    text = (
        "String noloopcheck f(int count, String text) { while (count) count--; return text; }\n"
        "void Greet(this Character*, int times) { f(times, this.Name); }\n"
        "int[] list(int size) { int made[] = new int[size]; return made; }\n"
    )
    made = decompile_block(compiled(text))
    assert made.prototypes == {
        "f": "import String f(int p0, String p1);",
        "Character::Greet": "import function Greet(this Character*, int p0);",
        "list": "import int[] list(int p0);",
    }


def test_a_function_without_a_value_gives_the_array_that_others_take_it_for() -> None:
    text = "int[] none() { }\nfunction f(int some[]) { return some[1]; }\n"
    user = "import int f(int some[]); import int[] none();\nint g() { return f(none()); }\n"
    owner, _ = read(text, user)
    assert "int[] none()" in owner.text
    assert owner.prototypes["none"] == "import int[] none();"


@pytest.mark.parametrize("value", ["plain", 'with "quotes" and \\\\', "two; x = 3;"])
def test_variables_have_their_values_at_the_start(value: str) -> None:
    quoted = value.replace('"', '\\"')
    text = (
        "int whole = -5; float real = 2.5; String title; String none; bool on = true;\n"
        "export whole, real, title, none, on;\n"
        f'function start() {{ title = "{quoted}"; if (whole) none = "not always"; }}\n'
        "function use() { if (on) real = IntToFloat(whole); }\n"
    )
    made = decompile_block(compiled(text))
    assert made.variables == [
        GlobalVariable("whole", "int", "-5"),
        GlobalVariable("real", "float", "2.5"),
        GlobalVariable("title", "String", f'"{quoted}"'),
        GlobalVariable("none", "String", ""),
        GlobalVariable("on", "bool", "true"),
    ]
