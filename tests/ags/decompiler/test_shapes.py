"""Variables of structs, defaults, and types that only code shows."""

from __future__ import annotations

import pytest

from ags_decompiled import compiled, text_of
from overhaul.ags.decompiler import Environment, decompile_block
from overhaul.ags.decompiler.proof import decompile_proven, prove

BOX = "struct Box {{ {} import int Fill(int a); }};\nint Box::Fill(int a) {{ return a; }}\n"


def test_pointers_in_a_local_struct_are_fields_though_nothing_uses_them() -> None:
    text = (
        "struct Held { int a; Node *n; String s; };\n"
        "function f(int a) { Held h; h.a = a; Node *n = null; Held more[2]; }\n"
    )
    shown = text_of(compiled(text))
    assert "struct Struct1 { int value_0; String text_4; String text_8; };" in shown
    assert "Struct1 " in shown.partition("function f")[2]


def test_pointers_of_an_array_of_structs_are_released_one_field_after_another() -> None:
    text = (
        "struct Held { char c; Node *n; String s[2]; };\n"
        "function f(int a) { Held h[3]; if (a) return; Node *n = null; }\n"
    )
    shown = text_of(compiled(text))
    assert "{ char unused_0[1]; String text_1; String text_5[2]; };" in shown
    assert "[3];" in shown.partition("function f")[2]


def test_a_local_struct_of_one_pointer_is_no_pointer() -> None:
    shown = text_of(compiled("struct One { Node *n; };\nfunction f() { One o; o.n = null; }\n"))
    assert "Struct1 theStruct1; theStruct1.text_0 = null;" in shown


@pytest.mark.parametrize("first", ["Node *first[3];", "int first[3];", "short first[3];"])
@pytest.mark.parametrize("word", ["", "import "])
def test_a_struct_may_begin_with_an_array(first: str, word: str) -> None:
    value = "null" if "*" in first else "2"
    text = BOX.format(f"{first} int n;") + (
        f"{word}Box box;\nfunction f(int a) {{ box.Fill(2); box.first[a] = {value}; box.n = a; "
        "Box own; own.Fill(a); }\n"
    )
    shown = text_of(compiled(text))
    assert ".Fill(2);" in shown
    assert "[value] = " in shown


@pytest.mark.parametrize("where", ["char own[30];\n{}", "{}char own[200]; "])
def test_an_array_of_characters_is_handed_on_as_an_old_string(where: str) -> None:
    function = "function f(int i) {{ {} own[i] = 2; g(own); }}\n"
    before, _, inside = where.partition("{}")
    text = f"{before}function g(string s) {{ }}\n{function.format(inside)}"
    assert "function g(const string message)" in text_of(compiled(text))


def test_arrays_of_structs_next_to_each_other() -> None:
    text = (
        "struct Wide { int a; int b; char c[3]; };\nshort odd; Wide one[3]; short more[3]; "
        "Wide two[3];\n"
        "function f(int a) { one[a].b = 2; two[a].c[a] = 'A'; one[1].c[2] = two[a].c[0]; "
        "more[a] = 1; odd = 2; }\n"
    )
    shown = text_of(compiled(text))
    assert shown.count("[3];") == 5


@pytest.mark.parametrize("length", [0, 3, 20])
@pytest.mark.parametrize("field", ["a", "b", "c"])
def test_an_array_does_not_begin_at_an_exported_variable_before_it(field: str, length: int) -> None:
    """Fields that nothing uses may stand before the first that is used."""
    before, exported = (f"int lone[{length}]; ", "lone") if length else ("", "list")
    text = (
        f"struct Wide {{ int a; int b; int c; }};\n{before}Wide list[3];\nexport {exported};\n"
        f"function f(int i) {{ list[i].{field} = 7; }}\n"
    )
    shown = text_of(compiled(text))
    assert f"Struct1 {'g_theStruct11' if length else 'list'}[3];" in shown


def test_a_field_of_an_imported_struct_is_no_element_of_an_array() -> None:
    text = (
        "struct Wide { char c[3]; int list[3]; };\nimport Wide wide;\n"
        "function f(int a) { wide.list[a] = wide.list[1]; }\n"
    )
    assert "wide.value_3[value] = wide.value_3[1];" in text_of(compiled(text))


@pytest.mark.parametrize("editor", ["3.4.0.14", "3.6.2.21"])
def test_the_size_of_an_array_is_an_int(editor: str) -> None:
    """A variable is compared with what is true or false, another is handed on as a key."""
    text = (
        "int count; int most; int list[];\n"
        "function f(int a)\n{\n  if ((a > 1) == count && IsKeyPressed(most))\n"
        "  {\n    list = new int[count];\n    list = new int[most];\n  }\n}\n"
    )
    shown = text_of(compiled(text, editor=editor))
    assert "int g_value1; int g_value2; int g_values1[];" in shown


def test_what_is_left_out_has_a_default() -> None:
    text = (
        "import function Say(int a, int b = -1);\n"
        "import function Rate(int a, float b = -2.5, int c = 4);\n"
        "function own(int a, float b = -1.0) { return a; }\n"
        "function f(int a) { Say(1); Say(2, -1); Say(3, a); Rate(1); Rate(a, 2.0); own(a); }\n"
    )
    old = text_of(compiled(text, editor="3.2.1.0"))
    assert "import int Say(int p0, int p1 = -1);" in old
    assert "Say(1); Say(2, -1);" in old
    new = text_of(compiled(text))
    assert "import int Rate(int p0, float p1 = -2.5, int p2 = 4);" in new
    assert "Rate(1); Rate(value, 2.0, 4); own(value);" in new
    assert "float number = -1.0)" in new


def test_a_text_that_becomes_a_string_is_a_parameter_of_that_type() -> None:
    text = (
        "import function Take(String s);\n"
        "function f(const string message, int a) { String s = message; other = a; }\n"
    )
    assert "function f(const string message, int value)" in text_of(compiled(text))


def test_comparing_pointers_does_not_change_their_types() -> None:
    text = (
        "import InvWindow invMain;\n"
        "function f() { GUIControl *c = GUIControl.GetAtScreenXY(1, 2); invMain.ScrollUp();\n"
        "if (c == invMain) other = 2; }\n"
    )
    assert "GUIControl *control = GUIControl.GetAtScreenXY(1, 2);" in text_of(compiled(text))


def test_a_function_of_another_editor_is_left_as_assembly_alone() -> None:
    script = compiled(
        "function f() { object[0].Animate(1, 2); }\nfunction g(int a) { other = a; }\n"
    )
    script.imports = [
        name.replace("Object::Animate^6", "Object::Animate^9") for name in script.imports
    ]
    assert any("^9" in name for name in script.imports)
    reason = "the editor declares Object::Animate with other parameters"
    assert prove(script) == [("f", reason)]
    made = decompile_block(script)
    assert "{ other = value; }" in made.text
    assert f"/* f is left as assembly: {reason}" in made.text


def test_a_switch_asks_for_a_number() -> None:
    text = "function f(int a) { switch (a) { case 0: other = 1; break; case 1: other = 2; } }\n"
    assert "switch (value) { case 0:" in text_of(compiled(text))


@pytest.mark.parametrize("is_local", [False, True])
def test_an_array_of_pointers_to_structs_with_dynamic_arrays_is_a_field(is_local: bool) -> None:
    """No variable can be such an array, but a field can."""
    outside, inside = ("", "Board board; ") if is_local else ("Board board;\n", "")
    shown = text_of(
        compiled(
            "managed struct Row { int cells[]; };\nstruct Board { Row *rows[2]; };\n"
            f"{outside}function f(int a) {{ {inside}board.rows[a].cells[0] = a; }}\n"
        )
    )
    assert "managed struct Struct1 { int values_0[]; };" in shown
    assert "}; struct Struct2 { Struct1 *theStruct1_0[2]; };" in shown
    name = "theStruct2" if is_local else "g_theStruct21"
    assert f"Struct2 {name};" in shown
    assert f"{name}.theStruct1_0[value].values_0[0] = value;" in shown


def test_an_array_of_pointers_to_structs_that_extend_others_is_a_variable() -> None:
    """The compiler asks for dynamic arrays of a struct's own, and releases a field otherwise."""
    shown = text_of(
        compiled(
            "managed struct Row { int cells[]; };\nmanaged struct Heir extends Row { };\n"
            "Heir *kept[2];\n"
            "function f(int a) { Heir *rows[2]; rows[a] = kept[a]; rows[a].cells[0] = a; }\n"
        )
    )
    assert (
        "struct Struct2 { int values_0[]; }; managed struct Struct1 extends Struct2 { };" in shown
    )
    assert "Struct1 *g_theStruct11[2];" in shown
    assert "{ Struct1 *theStruct1s[2];" in shown


@pytest.mark.parametrize("type", ["int", "short", "char", "float"])
def test_a_local_struct_does_not_release_arrays_of_numbers(type: str) -> None:
    text = f"struct Row {{ {type} cells[]; }};\nfunction f() {{ Row r; other = r.cells[1] > 0; }}"
    text = text.replace("> 0", "> 0.0") if type == "float" else text
    shown = text_of(compiled(text + "\n"))
    assert "Struct1 theStruct1;" in shown
    assert " extends " not in shown


def test_a_local_struct_extends_what_has_the_pointers_that_it_does_not_release() -> None:
    text = (
        "struct Base { String name; int cells[]; };\n"
        "struct Heir extends Base { int n; String more; };\n"
        "function f() { Heir h; h.name = h.more; h.cells[0] = h.n; }\n"
    )
    shown = text_of(compiled(text))
    assert "struct Struct2 { String text_0; };" in shown
    assert (
        "struct Struct1 extends Struct2 { int values_4[]; int value_8; String text_12; };" in shown
    )


def test_a_struct_too_small_to_extend_another_is_its_base() -> None:
    """Both names are used of one variable; a local variable says how small one of them is."""
    text = (
        "struct Base { int n; import int Own(); };\n"
        "struct Heir extends Base { int list[5]; import int More(); };\nHeir heir;\n"
        "int Heir::More() { return this.list[other]; }\n"
        "function f() { Base b; other = b.Own() + heir.Own() + heir.More(); }\n"
    )
    shown = text_of(compiled(text))
    assert "struct Base { import int Own(); int unused_0; };" in shown
    assert "struct Heir extends Base { import int More(); int value_4[5]; };" in shown
    assert "Base theBase;" in shown


def test_fields_of_a_base_that_do_not_end_at_a_multiple_of_four_are_all_its_own() -> None:
    """What extends a struct begins at a multiple of 4.  The base shows its first field only, and
    each further one, which a method of the heir uses, begins before the multiple behind the last
    one: so the heir has none of them."""
    text = (
        "struct Base { char kind; int a; int b[2]; int c; import int Own(); };\n"
        "struct Heir extends Base { int d; import int More(); };\n"
        "int Base::Own() { return this.kind; }\n"
        "int Heir::More() { return this.Own() + this.a + this.b[other] + this.c + this.d; }\n"
    )
    shown = text_of(compiled(text, editor="3.0.2.0"))
    fields = "char letter_0; int value_1; int value_5[2]; int value_13;"
    assert f"struct Base {{ import int Own(); {fields} }};" in shown
    assert "struct Heir extends Base { import int More(); int value_20; };" in shown


def test_fields_of_a_base_that_two_heirs_show_in_turn_are_all_its_own() -> None:
    """Each field begins before the multiple of 4 behind the last one, which the other heir uses."""
    text = (
        "struct Base { char kind; int a; int b; int c; int d; int e; import int Own(); };\n"
        "struct Left extends Base { int f; import int More(); };\n"
        "struct Right extends Base { int g; import int Most(); };\n"
        "int Base::Own() { return this.kind; }\n"
        "int Left::More() { return this.Own() + this.a + this.c + this.e + this.f; }\n"
        "int Right::Most() { return this.Own() + this.b + this.d + this.g; }\n"
    )
    shown = text_of(compiled(text, editor="3.0.2.0"))
    fields = "char letter_0; int value_1; int value_5; int value_9; int value_13; int value_17;"
    assert f"struct Base {{ import int Own(); {fields} }};" in shown
    assert "struct Left extends Base { import int More(); int value_24; };" in shown
    assert "struct Right extends Base { import int Most(); int value_24; };" in shown


def test_a_struct_with_pointers_of_its_own_is_the_base_of_one_with_fewer_bytes() -> None:
    """The methods of the heir use fewer bytes.  What a local variable of the base releases is in no
    struct that it extends."""
    text = (
        "managed struct Row { int a; };\n"
        "struct Base { Row *rows[3]; int a; int b; import int Own(int i); };\n"
        "struct Heir extends Base { Row *row; import int More(); };\n"
        "Heir held;\n"
        "int Base::Own(int i) { return this.rows[i].a + this.b; }\n"
        "int Heir::More() { return this.a; }\n"
        "function f(int a) { Base b; b.Own(held.More() + held.Own(a)); }\n"
    )
    shown = text_of(compiled(text))
    fields = "Struct1 *theStruct1_0[3]; int value_12; int value_16;"
    assert f"struct Base {{ import int Own(int p0); {fields} }};" in shown
    assert "struct Heir extends Base { import int More(); };" in shown
    assert "Heir g_theHeir1;" in shown


def test_a_struct_between_others_extends_the_one_with_pointers_of_its_own() -> None:
    """A method of the last one calls one of the first, so it extends that for certain; one object
    is of all three."""
    text = (
        "managed struct Row { int a; };\n"
        "struct Low { Row *rows[3]; int n; import int Own(int i); };\n"
        "struct Middle extends Low { import int More(); };\n"
        "struct High extends Middle { int b; import int Most(int i); };\n"
        "High held;\n"
        "int Low::Own(int i) { return this.rows[i].a + this.n; }\n"
        "int Middle::More() { return this.n; }\n"
        "int High::Most(int i) { return this.Own(i) + this.b; }\n"
        "function f(int a) { Low low; low.Own(held.Most(held.More())); }\n"
    )
    shown = text_of(compiled(text))
    fields = "Struct1 *theStruct1_0[3]; int value_12;"
    assert f"struct Low {{ import int Own(int p0); {fields} }};" in shown
    assert "struct Middle extends Low { import int More(); };" in shown
    assert "struct High extends Middle { import int Most(int p0); int value_16; };" in shown


def test_siblings_of_which_only_methods_of_their_base_show_are_read_apart() -> None:
    text = (
        "struct Base { import attribute int Kind; };\n"
        "struct Left extends Base { int a; };\nstruct Right extends Base { char c[8]; };\n"
        "Left left[3]; Right right[2];\n"
        "function f(int a) { left[a].a = left[a].Kind; right[a].c[a] = right[1].Kind; }\n"
    )
    script = compiled(text)
    made, wrong = decompile_proven(script)
    assert wrong == []
    shown = " ".join((made.declarations + made.text).split())
    assert "struct Base { import attribute int Kind; };" in shown
    assert "struct Struct1 extends Base { int value_0; };" in shown
    assert "struct Struct2 extends Base { char letter_0[8]; };" in shown
    together = decompile_block(script)
    assert "Struct1" not in together.declarations
    assert decompile_block(script, Environment(apart=True)).declarations == made.declarations


def test_an_exported_variable_that_nothing_uses_ends_before_the_next() -> None:
    """Three bytes lie between the two: no value has three."""
    text = (
        "struct Pair { char c; int n; };\nshort lone; Pair pair;\nexport lone;\n"
        "function f() { other = pair.n; }\n"
    )
    shown = text_of(compiled(text))
    assert "short lone; char unused1; int g_value1; char unused2[3]; export lone;" in shown


def test_members_of_an_enum_that_are_together_are_shown_by_name() -> None:
    text = (
        "function own(int m) { return (m & eKeyModAlt) != 0; }\n"
        "function on_key_press(eKeyCode keycode, int mod)\n{\n"
        "  if ((mod & eKeyModShift) != 0 && keycode == eKeyA) own(mod);\n"
        "  if (mod & eKeyModCtrl) WaitInput(eInputKeyboard | eInputMouse, 4);\n"
        "  if ((mod & (eKeyModShiftLeft | eKeyModAlt)) == eKeyModAlt) Wait(65536);\n"
        "  int x = mod; if (x == eKeyModNum) Wait(1);\n  if (x & 5) Wait(2);\n}\n"
    )
    shown = text_of(compiled(text, editor="3.6.1.26"))
    for line in (
        "bool own(int value) { return (value & eKeyModAlt) != 0; }",
        "function on_key_press(eKeyCode keycode, int mod)",
        "if ((mod & eKeyModShift) != 0 && keycode == eKeyA) own(mod);",
        "if (mod & eKeyModCtrl) WaitInput(eInputKeyboard | eInputMouse, 4);",
        "if ((mod & (eKeyModShiftLeft | eKeyModAlt)) == eKeyModAlt) Wait(65536);",
        "if (value == eKeyModNum) Wait(1);",
        "if (value & 5) Wait(2);",
    ):
        assert line in shown, line


def test_the_key_modifiers_of_early_editors_are_numbers() -> None:
    text = "function on_key_press(eKeyCode keycode, int mod) { if (mod & 65536) Wait(1); }\n"
    script = compiled(text, editor="3.5.1.22")
    made = decompile_block(script, Environment(version="3.5.1.22"))
    assert "if (mod & 65536) Wait(1);" in made.text


def test_what_is_compared_of_bits_has_parentheses() -> None:
    text = (
        "function f(int a, int b) { other = (a & b) == (a | 2); if ((a ^ 1) > b) other = a & b; }\n"
    )
    shown = text_of(compiled(text))
    assert "other = (value & value2) == (value | 2); if ((value ^ 1) > value2)" in shown
    assert "other = value & value2;" in shown


@pytest.mark.parametrize("bare", [False, True])
def test_an_else_has_braces_where_its_if_has(bare: bool) -> None:
    """A statement behind ``else`` has a line of its own with and without braces."""
    first = "    other = 1;\n" if bare else "  {\n    other = 1;\n  }\n"
    second = "  else\n  {\n    other = 2;\n  }\n  other = 3;\n}\n"
    shown = text_of(compiled(f"function f(int a)\n{{\n  if (a)\n{first}{second}"))
    assert ("else other = 2;" if bare else "else { other = 2; }") in shown
