"""Statements and expressions: what their code is read as; it compiles to the same bytes again."""

from __future__ import annotations

import re

import pytest

from ags_decompiled import body, compiled, decompiled, shown
from overhaul.ags.decompiler import Environment, decompile_block
from overhaul.ags.decompiler.proof import prove

EXPRESSIONS = [
    "other = value + value2 * 3;",
    "other = (value + value2) * 3;",
    "other = value - (value2 - 1);",
    "other = value - value2 - 1;",
    "other = value / (value2 * 2);",
    "other = value % 5 + value2;",
    "other = -value * value2;",
    "other = value - -3;",
    "other = -value + value2;",
    "other = !(value == value2);",
    "other = value > 1 && value2 > 2 || value > 3;",
    "other = (value > 1 || value2 > 2) && value == 3;",
    "other = (value > value2) == value;",
    "other = value & value2 | 4 ^ value;",
    "other = value << 2 >> value2;",
    "other += value;",
    "other *= value + 1;",
    "other <<= 2;",
    "other++;",
    "other--;",
    "player.x = value;",
    "player.x++;",
    "player.x += value2;",
    "cEgo.Say(\"A \\\"word\\\".\");",
    "cEgo.ChangeView(3);",
    "cEgo.Animate(1, 2, eRepeat, eNoBlock);",
    "character[value].Walk(1, 2, eBlock, eWalkableAreas);",
    "OtherScript(value, 2.5);",
    "game.score = value;",
    "other = mouse.x;",
    "Mouse.Mode = 3;",
    "mouse.Mode = 3;",
    "Display(\"%d\", value);",
    "Display(\"%d %f\", value, 2.5);",
    "if (player.ActiveInventory == iKey) other = 7;",
    "other = FloatToInt(1.5, eRoundNearest);",
]  # fmt: skip


@pytest.mark.parametrize("line", EXPRESSIONS)
def test_an_expression_is_as_it_was_written(line: str) -> None:
    assert body(_named(line)) == line


def _named(text: str) -> str:
    """A text with the names of the parameters instead of those that the decompiler gives."""
    return re.sub(r"\bvalue\b", "a", re.sub(r"\bvalue2\b", "b", text))


def test_levels_are_those_of_the_compiler_and_not_of_other_languages() -> None:
    assert body("other = a == b && a > 2;") == "other = value == value2 && value > 2;"
    assert body("other = (a * b) / 2;") == "other = (value * value2) / 2;"
    assert body("other = (a / b) * 2;") == "other = (value / value2) * 2;"
    assert body("other = !a / 2;") == "other = !flag / 2;"
    assert body("other = -(!a);") == "other = -(!flag);"


def test_brackets_follow_the_way_equal_levels_group() -> None:
    script = compiled("function f(int a, int b) { other = a - b - 1; }", left_to_right=False)
    right = Environment(left_to_right=False)
    assert prove(script, right) == []
    assert "value - value2 - 1" in decompile_block(script, right).text
    assert "value - (value2 - 1)" in decompile_block(script).text


STATEMENTS = [
    "while (value)\n  {\n    other = 7;\n    for (int i = 0; i < value; i++)\n    {\n"
    "      other += i;\n    }\n    break;\n    other = 2;\n  }",
    "while (value < 3) { if (value == 2) continue; other = 7; value++; }",
    "value = 0; while (value < 3) { if (value == 2) continue; other = 7; value++; }",
    "value = 0; for (value = 2; value < 3; value++) { if (value == 2) continue; other = 7; }",
    "if (value) other = 7;",
    "if (value)\n  {\n    other = 7;\n    other = 2;\n  }",
    "if (value) {\n    other = 7;\n  }\n  else if (value2) {\n    other = 2;\n  }\n"
    "  else {\n    other = 3;\n  }",
    "while (value < 3)\n  {\n    value++;\n    other = value;\n  }",
    "for (int i = 0; i < value; i++)\n  {\n    other += i;\n  }",
    "for (int i = 0; i < value; i++)\n  {\n    if (i == 2)\n    {\n      continue;\n    }\n"
    "    other += i;\n  }",
    "do {\n    value++;\n  } while (value < 3);",
    "while (value > 1)\n  {\n    if (value2 > 1) {\n      break;\n    }\n    value--;\n  }",
    "switch (value)\n  {\n    case 1:\n      other = 7;\n      break;\n    case 2:\n    case 3:\n"
    "      other = 2;\n      break;\n    default:\n      other = 3;\n      break;\n  }",
    "return;",
]  # fmt: skip


@pytest.mark.parametrize("text", STATEMENTS)
def test_a_statement_stands_as_it_was_written(text: str) -> None:
    shown = body("  " + _named(text)).replace("flag", "value")
    assert shown.split() == text.split()


def test_statements_stand_in_their_lines() -> None:
    text = "\r\n\r\nfunction f()\r\n{\r\n\r\n  Wait(1);\r\n\r\n\r\n  Wait(2);\r\n}\r\n"
    assert decompiled(text).text == text


def test_two_statements_of_a_line_stay_in_it() -> None:
    assert body("  Wait(1); Wait(2);") == "Wait(1); Wait(2);"


def test_a_block_of_its_own_ends_its_variables() -> None:
    text = "  {\n    int x = a;\n    other = x;\n  }\n  other = 2;"
    assert [line.strip() for line in body(text).split("\n")] == [
        "{", "int value3 = value;", "other = value3;", "}", "other = 2;",
    ]  # fmt: skip


def test_arrays_pointers_and_strings() -> None:
    lines = shown(
        "int a[4];\n"
        "function f(Character *who, String text)\n{\n"
        "  int list[] = new int[3];\n"
        "  list[1] = a[2];\n"
        "  Node *n = new Node;\n"
        "  n.next = n;\n"
        "  n.value = list[0];\n"
        "  who.Name = text.Append(\"x\");\n"
        "  String s = text;\n"
        "  if (s == \"a\" && n != null) a[1] = text.Chars[0];\n"
        "  return;\n}\n"
    )  # fmt: skip
    assert lines == [
        "int g_value1[4];",
        "function f(Character *theCharacter, String text)",
        "{",
        "  int values[] = new int[3];",
        "  values[1] = g_value1[2];",
        "  Struct1 *theStruct1 = new Struct1;",
        "  theStruct1.theStruct1_4 = theStruct1;",
        "  theStruct1.value_0 = values[0];",
        '  theCharacter.Name = text.Append("x");',
        "  String text2 = text;",
        '  if (text2 == "a" && theStruct1 != null) g_value1[1] = text.Chars[0];',
        "  return;",
        "}",
    ]


def test_methods_and_attributes_of_the_script() -> None:
    made = decompiled(
        "int Thing::Twice(int number)\n{\n  this.kind = 1;\n  return this.tag * number;\n}\n"
        "static int Thing::Zero()\n{\n  return 0;\n}\n"
        "function Wave(this Character*, int n)\n{\n  this.x = n;\n}\n"
        "Thing own;\n"
        "function f()\n{\n  own.values[2] = own.Twice(4) + Thing.Zero();\n  cEgo.Wave(3);\n}\n"
    )
    assert "int Thing::Twice(int value)" in made.text
    assert "static function Thing::Zero()" in made.text
    assert "function Wave(this Character*, int value)" in made.text
    assert "cEgo.Wave(3);" in made.text
    assert "import static function Zero();" in made.declarations
    assert "import Character cEgo;" in made.declarations


def test_global_variables_have_their_values_types_and_names() -> None:
    made = decompiled(
        "\n" * 9
        + "int counter = -3;\nfloat speed = 1.5;\nbool on;\nshort s = 7;\nString title;\n"
        "export counter, title;\n"
        "function f()\n{\n  counter++;\n  speed = speed + 1.0;\n  on = true;\n  s = 2;\n"
        "  title = \"a\";\n}\n"
    )  # fmt: skip
    lines = made.text.split("\r\n")
    assert lines[:5] == [
        "int counter = -3;",
        "float g_number1 = 1.5;",
        "bool g_flag1;",
        "short g_short1 = 7;",
        "String title;",
    ]
    assert "export counter;" in made.text
    assert "export title;" in made.text


def test_pointers_have_names_in_the_order_of_their_release() -> None:
    # the name of the second one stands first in the text
    assert shown(
        "function g() { String b; }\n"
        "function f() { String a; String b; a = \"x\"; b = a; }\n"
    )  # fmt: skip


@pytest.mark.parametrize("count", [2, 12, 14, 40])
def test_many_pointers_are_released_in_the_order_of_an_earlier_function(count: int) -> None:
    """There are words enough that stand in the text before: those of types, then any."""
    words = [f"a{number}" for number in range(count)]
    first = " ".join(f"int {word};" for word in words)
    second = " ".join(f"String {word};" for word in reversed(words))
    lines = shown(f"function g() {{ {first} }}\nfunction f() {{ {second} }}\n")
    names = re.findall(r"String (\w+);", " ".join(lines))
    assert len(set(names)) == count


@pytest.mark.parametrize("editor", ["3.2.1.0", "3.3.4.2", "3.4.1.15", "3.6.0.51", "3.6.2.21"])
def test_each_editor(editor: str) -> None:
    lines = shown(
        "function f(int a)\n{\n  other = -5;\n  while (a > 0) { a--; }\n  Display(\"%d\", a);\n}\n",
        editor=editor,
    )  # fmt: skip
    assert "  other = -5;" in lines
    assert '  Display("%d", value);' in lines


def test_what_people_read_in_another_order_has_brackets() -> None:
    line = "if (value == 5 && (value2 & 2)) other = 7;"
    assert body(_named(line)) == line
    assert body("other = a % (b * 2) + a * b * 2;") == (
        "other = value % (value2 * 2) + value * value2 * 2;"
    )


def test_an_else_has_braces_where_there_is_room_for_them() -> None:
    head = "if (a)\n{\n other = 7;\n other = 8;\n}\n"
    assert "else Wait(1);" in " ".join(body(f"{head}else Wait(1);\nother = 3;").split())
    shown = " ".join(body(f"{head}else {{\nWait(1);\n}}\nother = 3;").split())
    assert "else { Wait(1); }" in shown
    inner = "if (b) {\n if (a) {\n other = 7;\n }\n else Wait(1);\n}\nother = 3;"
    assert "} else Wait(1); }" in " ".join(body(inner).split())
    inner = "if (b) {\n if (a) {\n other = 7;\n }\n else {\n Wait(1);\n }\n}\nother = 3;"
    assert "} else { Wait(1); } }" in " ".join(body(inner).split())


def test_variables_that_do_not_meet_share_a_name() -> None:
    counts = "for (int n = 0; n < a; n++) { for (int m = 0; m < n; m++) other += m; }"
    text = "for (int n = 0; n < a; n++) other += n;\n"
    text += f"{counts}\nif (a) {{ int x = a;\n other = x * x; }} else {{ int y = b;\n other = y; }}"
    shown = " ".join(body(text).split())
    assert "for (int i = 0; i < value; i++) other += i;" in shown
    assert "for (int i = 0; i < value; i++) { for (int j = 0; j < i; j++) other += j; }" in shown
    assert "int value3 = value;" in shown and "int value3 = value2;" in shown


def test_numbers_are_int_and_the_rest_is_function() -> None:
    text = (
        "int a() { return other * 2; }\nfunction b() { return 0; }\nfunction c() { other = 1; }\n"
    )
    shown = " ".join(decompiled(text).text.split())
    assert "int a()" in shown and "function b() { return; }" in shown
    assert "function c()" in shown


def test_functions_of_attributes_that_nothing_uses_are_theirs() -> None:
    text = (
        "struct S { int held; import attribute int Held; import static attribute int Of[];\n"
        "import attribute GUI *Bar; import int get_Called(); import int get_Many(int a); "
        "import int Twin(); import int get_Twin(); };\n"
        "GUI *get_Bar(this S*) { return null; }\n"
        "void set_Bar(this S*, GUI *g) { if (other) return; g.Visible = true; }\n"
        "int get_Held(this S*) { return this.held; }\n"
        "void set_Held(this S*, int value) { this.held = value; }\n"
        "int geti_Of(static S, int index) { return index; }\n"
        "int S::get_Called() { return 2; }\nint S::get_Many(int a) { return a; }\n"
        "int S::Twin() { return 2; }\nint S::get_Twin() { return 2; }\n"
        "S s; function f() { other = s.get_Called(); }\n"
    )
    made = decompiled(text)
    shown = " ".join(f"{made.declarations} {made.text}".split())
    assert "import attribute int Held;" in shown and "import static attribute int Of[];" in shown
    assert "int get_Held(this S*)" in shown and "void set_Held(this S*, int value)" in shown
    assert "int geti_Of(static S, int value)" in shown
    assert "GUI* get_Bar(this S*)" in shown
    assert "void set_Bar(this S*, GUI *" in shown
    for name in ("get_Called()", "get_Many(int value)", "get_Twin()"):
        assert f"int S::{name}" in shown


def test_keys_have_the_names_that_authors_use() -> None:
    text = "function on_key_press(eKeyCode k) { if (k == eKeyReturn) k = 0;\n"
    text += "if (k == eKeyCtrlA) Wait(1); if (k == 12345) Wait(2); }"
    made = decompiled(text, editor="3.6.1.26").text
    assert "keycode == eKeyReturn" in made and "keycode == eKeyCtrlA" in made
    assert "keycode = 0;" in made and "keycode == 12345" in made
    assert "function on_key_press(eKeyCode keycode)" in made
