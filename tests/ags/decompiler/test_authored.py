"""What authors write and few programs have: structs without fields, heirs, and odd numbers."""

from __future__ import annotations

import os
import re

import pytest

from ags_authored import authored
from ags_decompiled import body, compiled, text_of, unproven
from overhaul.ags.decompiler import Environment, decompile_blocks
from overhaul.ags.decompiler.proof import decompile_proven, differences

EDITORS = ("3.0.2.0", "3.2.1.0", "3.4.0.14", "3.4.1.15", "3.5.1.22", "3.6.1.26", "3.6.2.21")
SEEDS = range(1000 if os.environ.get("OVERHAUL_FULL") == "1" else 40)


@pytest.mark.parametrize("editor", EDITORS)
def test_random_scripts_of_authors_compile_to_their_bytes(editor: str) -> None:
    assert unproven(authored, editor, SEEDS) == {}


# ---------------------------------------------------------------------------------------- numbers


@pytest.mark.parametrize("editor", ["3.4.0.14", "3.5.1.22", "3.6.2.21"])
def test_a_minus_before_a_bracket_is_no_sign_of_an_old_compiler(editor: str) -> None:
    """Before 3.3.5.2 a negative literal had that code; those editors had no ``for``."""
    text = "int f(int a) { for (int i = 0; i < -(5); i++) other = -a; return -3; }\n"
    shown = text_of(compiled(text, editor=editor))
    assert "i < -(5)" in shown and "return -3;" in shown


def test_a_minus_before_a_minus_has_a_bracket() -> None:
    text = "other = -(-3);\nother = -(-a);\nother = -(a + 2);\nother = -(-3 * a);"
    assert body(text) == (
        "other = -(-3);\n  other = -(-value);\n  other = -(value + 2);\n  other = -(-3 * value);"
    )


def test_an_array_of_one_text_is_an_array() -> None:
    shown = body("String t[1];\nint c[1];\nt[0] = null;\nc[a] = 2;\nDisplay(t[0]);")
    assert "String texts[1];" in shown and "Display(texts[0]);" in shown


@pytest.mark.parametrize("call", ["", "Wait(1);"])
def test_the_length_of_an_array_shows_the_editor(call: str) -> None:
    text = f"int numbers[];\nfunction f() {{ {call} player.x = numbers.Length; }}\n"
    assert "player.x = g_values1.Length;" in text_of(compiled(text, editor="3.6.2.21"))


# ------------------------------------------------------------------------- pointers and their heirs


def test_this_has_the_struct_of_the_pointers_that_it_is_compared_with() -> None:
    text = (
        "managed struct Part { int number; Part *parts[]; import bool Has(int a); };\n"
        "Part *first;\n"
        "bool Part::Has(int a) { if (first.number) this.parts[1] = first; "
        "return this == this.parts[a]; }\n"
    )
    shown = text_of(compiled(text))
    assert (
        "managed struct Part { import bool Has(int p0); bool flag_0; Part *theParts_4[]; }" in shown
    )
    assert "Part *g_thePart1;" in shown


def test_this_is_given_to_methods_that_take_its_struct() -> None:
    text = (
        "managed struct Part { import bool Near(Part *p); import int All(); int number; };\n"
        "bool Part::Near(Part *p) { return p != null; }\n"
        "int Part::All() { return this.Near(this); }\n"
        "function f() { Part *p = new Part; p.number = 3; if (p.Near(new Part)) p.All(); }\n"
    )
    shown = text_of(compiled(text))
    assert "import bool Near(Part *p0);" in shown and "new Part" in shown
    assert "Struct1" not in shown


def test_objects_of_two_sizes_in_one_pointer_are_of_a_struct_and_its_heir() -> None:
    text = (
        "managed struct Base { int number; };\n"
        "managed struct Heir extends Base { int more[4]; };\n"
        "int Take(Base *b) { return b.number; }\n"
        "function f() { Base *b = new Heir; Take(b); Take(new Base); Take(new Heir); }\n"
    )
    shown = text_of(compiled(text))
    assert "managed struct Struct1 { int value_0; };" in shown
    assert "managed struct Struct2 extends Struct1 { int unused_4[4]; };" in shown
    assert "Struct1 *theStruct1 = new Struct2; Take(theStruct1); Take(new Struct1);" in shown


@pytest.mark.parametrize("more", ["", " b.number = 2; Base *c = h; c = b;", " h = new Heir;"])
@pytest.mark.parametrize("first", ["", "Heir *own = new Heir; own.number = 3; h = own; "])
def test_a_struct_has_heirs_where_fields_of_these_are_used(more: str, first: str) -> None:
    """A pointer that gets the smaller object is of the struct that the other one extends."""
    script = compiled(
        "managed struct Base { int number; };\n"
        "managed struct Heir extends Base { int more; };\n"
        f"function f(int a) {{ Heir *h = new Heir; {first}h.more = a; Base *b = h; "
        f"b = new Base;{more} }}\n"
    )
    made, wrong = decompile_proven(script)
    assert wrong == []
    found = re.search(r"struct (\w+) extends (\w+) \{\s+int value_4;\s+\};", made.declarations)
    assert found is not None
    heir, base = found.groups()
    text = " ".join(made.text.split())
    assert re.search(rf"{base} \*(\w+) = (\w+); \1 = new {base};", text)
    assert f"{heir} *" in text and f"= new {heir};" in text


def test_values_of_functions_are_of_structs_that_extend_those_of_their_parameters() -> None:
    script = compiled(
        "managed struct Base { int number; };\n"
        "managed struct Heir extends Base { int more; };\n"
        "int Take(Base *b) { return b.number; }\n"
        "Heir *Make(int a) { Heir *h = new Heir; h.more = a; h.number = a; return h; }\n"
        "function f() { Take(new Base); Take(Make(3)); Heir *h = Make(4); h.more++; }\n"
    )
    made, wrong = decompile_proven(script)
    assert wrong == []
    assert "extends Struct1 { int value_4; };" in " ".join(made.declarations.split())
    assert "Take(new Struct1); Take(Make(3)); Struct2 *" in " ".join(made.text.split())


def test_a_struct_with_heirs_has_the_size_of_its_own_objects() -> None:
    """Objects of an heir that nothing uses come into the same parameter."""
    head = "managed struct Base { int number; };\nmanaged struct Heir extends Base { int more; };\n"
    script = compiled(
        f"{head}import int Take(Base *b);\nHeir *own;\n"
        "function f() { Take(new Heir); Take(new Base); Take(own); own.number = own.more; }\n"
    )
    made, wrong = decompile_proven(script)
    assert wrong == []
    assert made.declarations.count(" extends Struct1 {") == 2


def test_a_struct_has_the_bytes_of_the_smallest_object_that_comes_where_it_is_expected() -> None:
    text = (
        "managed struct Base { int number; import int Near(Base *b); };\n"
        "managed struct Heir extends Base { int more; import int Far(int a); };\n"
        "int Base::Near(Base *b) { return this.number + this.Near(this); }\n"
        "int Heir::Far(int a) { return this.more; }\n"
        "function f(Heir *h) { h.Far(1); h.Near(new Base); h.Near(new Heir); }\n"
    )
    shown = text_of(compiled(text, editor="3.4.0.14"))
    assert "Base { import int Near(Base *p0); int value_0; };" in shown
    assert "Heir extends Base { import int Far(bool p0); int value_4; };" in shown
    assert "theHeir.Near(new Base); theHeir.Near(new Struct1);" in shown


def test_a_struct_with_methods_extends_what_its_objects_are_given_as() -> None:
    """No struct takes the place of the one with these methods."""
    script = compiled(
        "managed struct Base { int number; };\n"
        "managed struct Heir extends Base { int more; import int Far(); import int Go(); };\n"
        "int Take(Base *b) { return b.number; }\n"
        "int Heir::Far() { this.more = 2; return this.more; }\n"
        "function f(int a) { Heir *h = new Heir; h.Far(); Take(h); Take(new Base); }\n"
        "int Heir::Go() { return Take(this); }\n",
        editor="3.4.0.14",
    )
    made, wrong = decompile_proven(script)
    assert wrong == []
    assert "struct Heir extends Struct1 {" in made.declarations
    assert "theHeir.Far(); Take(theHeir); Take(new Struct1);" in " ".join(made.text.split())


def test_an_array_of_structs_may_inherit_dynamic_arrays() -> None:
    """The compiler asks for those of a struct's own.  (Elements of such an array in the elements of
    another have code that reads the array of the first, so no game has it.)"""
    text = (
        "struct Base { int numbers[]; import int Sum(); };\n"
        "struct Heir extends Base { int more; };\nHeir all[3]; Heir one;\n"
        "function f(int a) { one.numbers = new int[4]; one.numbers[2] = all[a].more; one.Sum(); "
        "all[1].Sum(); one.more = a; all[a].more = 3; }\n"
    )
    shown = text_of(compiled(text))
    assert "numbers" not in shown and "_0[]; }" in shown and "extends" in shown


# ------------------------------------------------------------------------- structs without fields

CLOCK = "struct Clock { import int Start(int a); import attribute int Hour; };\n"


def test_local_variables_of_a_struct_without_fields() -> None:
    text = CLOCK + (
        "struct None { };\n"
        "function f(int a)\n{ None n; Clock c; int b = 3; Clock d[2]; None o;\n"
        "c.Start(b); d[a].Start(3); if (a) { Clock e; e.Hour = 2; b = e.Hour; }\n"
        "while (a) { None p; int q; Clock z; q++; z.Start(q); }\nb = 4; }\n"
    )
    shown = text_of(compiled(text))
    assert "struct Clock { import int Start(int p0); import attribute int Hour; };" in shown
    assert "theClock.Start(value2); theClocks[value].Start(3);" in shown
    assert "if (value) { Clock theClock2; theClock2.Hour = 2; value2 = theClock2.Hour; }" in shown
    assert "int value3; Clock theClock2; value3++; theClock2.Start(value3); }" in shown


@pytest.mark.parametrize(
    "inner", ["None n;", "None n;\nother = 2;", "int b; None n;", "None n; int b;"]
)
@pytest.mark.parametrize(
    "around",
    ["if (a) {{\n{}\n}}", "while (a) {{ {} }}", "{{ {}\n}} other = 3;",
     "switch (a) {{ case 1: {{\n{} }} }}"],
)  # fmt: skip
def test_a_declaration_without_bytes_in_each_block(inner: str, around: str) -> None:
    text = f"struct None {{ }};\nfunction f(int a)\n{{ {around.format(inner)} other = 9; }}\n"
    assert "Struct1 theStruct1;" in text_of(compiled(text))


def test_an_array_of_structs_shows_that_what_begins_with_it_has_no_bytes() -> None:
    text = CLOCK + (
        "struct Pair { int value; Character *who; };\nClock clock; Pair pairs[10];\n"
        "function f(int a) { pairs[1].who = player; clock.Start(2); }\n"
    )
    shown = text_of(compiled(text))
    assert (
        "Clock g_theClock1; Struct1 g_theStruct1s1[10];" in shown or "Clock g_theClock1;" in shown
    )


@pytest.mark.parametrize(
    ("variables", "uses"),
    [
        ("Clock clock; short last;", "clock.Start(last);"),
        ("Clock clocks[3]; int last;", "clocks[a].Start(last);"),
        ("int first; Clock clock; short odd; Character *who;", "clock.Start(odd); who = player;"),
        ("Clock clock; char odd; Box boxes[10]; short last; export odd, last;",
         "clock.Start(2); boxes[1].Open();"),
    ],
)  # fmt: skip
def test_what_lies_too_near_shows_a_variable_without_bytes(variables: str, uses: str) -> None:
    box = "struct Box { int value; import int Open(); };\n"
    text = f"{CLOCK}{box}{variables}\nfunction f(int a) {{ {uses} }}\n"
    shown = text_of(compiled(text))
    assert "struct Clock { import int Start(int p0); };" in shown


def test_an_export_behind_all_bytes_is_of_a_struct_without_fields() -> None:
    owner = compiled(
        CLOCK + "Clock first; int number; Clock last; export last;\n"
        "function g() { first.Start(number); }\n"
    )
    user = compiled(CLOCK + "import Clock last;\nfunction f() { last.Start(1); }\n")
    made, _ = decompile_blocks([owner, user], Environment())
    assert "struct Clock {\n  import int Start(int p0);\n};" in made.declarations
    again = compiled(made.declarations.replace("\n", " ") + made.text)
    assert list(differences(owner, again)) == []


@pytest.mark.parametrize(
    "block", ["if (a) {{ {} }}", "{{ int b; {} }} int more;", "while (a) {{ int b; {} }} int more;"]
)
def test_a_variable_without_bytes_ends_with_its_block(block: str) -> None:
    """Another one lies where it was."""
    text = CLOCK + (
        "struct Box { int value; import int Open(); };\n"
        f"function f(int a) {{ {block.format('Clock c; c.Start(1);')} "
        "Box box; box.Open(); box.value = 2; }\n"
    )
    assert "theBox.Open(); theBox.value_0 = 2;" in text_of(compiled(text))


@pytest.mark.parametrize("behind", ["", "int last;", "Other more;"])
@pytest.mark.parametrize("before", ["", "int first;", "Clock early;"])
def test_variables_of_a_struct_without_fields(before: str, behind: str) -> None:
    text = CLOCK + (
        "struct Other { int value; import int Do(); };\n"
        f"{before} Clock clock; Other other2; Clock clocks[3]; Clock end; {behind}\n"
        "function f(int a) { clock.Start(2); clocks[a].Start(other2.value); other2.Do(); "
        "end.Hour = clock.Hour; Clock own; own.Start(1); }\n"
    )
    shown = text_of(compiled(text))
    assert "struct Clock { import int Start(int p0); import attribute int Hour; };" in shown


def test_exports_of_one_place_have_the_struct_that_others_use_of_them() -> None:
    """Other scripts show which of two variables that begin at one place has no bytes."""
    head = CLOCK + "struct Box { import int Open(); int value; };\n"
    owner = compiled(head + "Clock clock; Box box; Clock last; export box, clock, last;\n")
    user = compiled(
        head + "import Clock clock; import Box box; import Clock last;\n"
        "function f() { clock.Start(1); box.value = 2; last.Hour = 3; }\n"
    )
    made, other = decompile_blocks([owner, user], Environment())
    assert " ".join(made.text.split()).startswith("Clock clock; int box; Clock last;")
    assert "import Clock clock;" in other.declarations
    again = compiled(made.declarations.replace("\n", " ") + made.text)
    assert list(differences(owner, again)) == []


def test_what_extends_a_struct_without_fields_may_have_some() -> None:
    text = CLOCK + (
        "struct Alarm extends Clock { int when; };\nAlarm alarms[4]; Clock clock;\n"
        "function f(int a) { if (alarms[1].Hour) alarms[a].when = 2; Clock own[3]; "
        "own[2].Hour = a; clock.Start(a); }\n"
    )
    shown = text_of(compiled(text))
    assert "struct Clock { import attribute int Hour; import int Start(int p0); };" in shown
    assert "extends Clock {" in shown


def test_an_exported_variable_of_what_extends_a_struct_without_fields_has_its_bytes() -> None:
    head = CLOCK + "struct Alarm extends Clock { int when; };\n"
    owner = compiled(
        head + "Alarm alarm; int own; Clock last; export alarm, last;\n"
        "function g() { alarm.Start(own); alarm.when = 2; last.Start(1); }\n"
    )
    user = compiled(
        head + "import Alarm alarm; import Clock last;\n"
        "function f() { alarm.when = last.Hour; alarm.Start(2); last.Start(3); }\n"
    )
    made, other = decompile_blocks([owner, user], Environment())
    for script, read in ((owner, made), (user, other)):
        again = compiled(read.declarations.replace("\n", " ") + read.text)
        assert list(differences(script, again)) == []


def test_an_attribute_that_is_only_set_has_the_type_of_other_scripts() -> None:
    head = "struct Box { import attribute String Label; import attribute GUI *Guis[]; };\n"
    owner = compiled(
        head + "String label; GUI *panel; Box box; export box;\n"
        "String get_Label(this Box*) { return label; }\n"
        "void set_Label(this Box*, String value) { label = value; Display(value); }\n"
        "GUI *geti_Guis(this Box*, int index) { return panel; }\n"
        "void seti_Guis(this Box*, int index, GUI *value) { value.Visible = index; }\n"
    )
    user = compiled(
        head + "import Box box;\nfunction f() { box.Label = null; box.Guis[2] = null; }\n"
    )
    _, other = decompile_blocks([owner, user], Environment())
    assert "box.Label = null; box.Guis[2] = null;" in " ".join(other.text.split())
    assert "import attribute String Label;" in other.declarations
    assert "import attribute GUI *Guis[];" in other.declarations


def test_an_attribute_that_is_only_set_has_the_type_of_those_who_read_it() -> None:
    head = "struct Box { import attribute String Label; };\nimport Box box;\n"
    reads = compiled(head + "function g() { Display(box.Label); }\n")
    sets = compiled(head + "function f() { box.Label = null; }\n")
    _, other = decompile_blocks([reads, sets], Environment())
    assert "box.Label = null;" in other.text
