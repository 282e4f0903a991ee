"""Statements of all shapes come back: what declares variables, and what leaves their blocks."""

from __future__ import annotations

from itertools import product

import pytest

from ags_decompiled import compiled
from overhaul.ags.decompiler import decompile_block
from overhaul.ags.decompiler.proof import prove
from overhaul.ags.script.model import Script

LOOPS = {
    "while": "while (a)\n{\n%s\n}",
    "for": "for (int i = 0; i < a; i++)\n{\n%s\n}",
    "for without a variable": "for (a = 0; a < b; a++)\n{\n%s\n}",
    "do": "do\n{\n%s\n} while (a);",
    "switch": "switch (a)\n{\ncase 1:\n{\n%s\n}\ndefault:\n}",
}
DECLARATIONS = {
    "number": "int x = b;",
    "pointer": "Node *x = null;",
    "struct": "Thing x; x.kind = 2;",
    "array": "int x[4]; x[a] = 1;",
    "pointers": "Node *x[4]; x[a] = null;",
    "none": "",
}
LEAVES = ("break;", "continue;", "return;")
BODIES = {
    "in a condition": "%s\nif (b > 2)\n{\n%s\n}\nother = 3;",
    "last": "if (b > 2)\n{\n%s\nother = 3;\n%s\n}",
    "behind a block": "{\n%s\n}\n%s",
    "before more": "%s\n%s\nint y = 2; other = y;",
}


@pytest.mark.parametrize("loop", LOOPS)
def test_each_way_out_of_each_block_comes_back(loop: str) -> None:
    functions, count = [], 0
    for declaration, leave, body in product(DECLARATIONS.values(), LEAVES, BODIES.values()):
        if loop == "switch" and leave == "continue;":
            continue
        text = LOOPS[loop] % (body % (declaration, leave))
        functions.append(f"function f{count}(int a, int b)\n{{\n{text}\nother = 4;\n}}\n")
        count += 1
    assert prove(compiled("".join(functions))) == []
    assert count == (48 if loop == "switch" else 72)


def shown(script: Script) -> list[str]:
    """The statements that a script's only function is read as, without its braces."""
    assert prove(script) == []
    made = decompile_block(script)
    lines = [line.strip() for line in made.text.split("\r\n") if line.strip()]
    start = next(n for n, line in enumerate(lines) if line.startswith("function f("))
    return lines[start + 1 : -1]


def read(statements: str, editor: str = "3.5.1.22") -> list[str]:
    return shown(compiled(f"function f(int a, int b)\n{{\n{statements}\n}}\n", editor=editor))


def test_a_variable_before_a_condition_that_breaks() -> None:
    lines = [
        "while (value > 3)", "{", "int value3 = value;", "if (value3 > 5)", "{", "break;", "}",
        "other = value3;", "}",
    ]  # fmt: skip
    text = "\n".join(lines)
    assert read(text.replace("value3", "x").replace("value", "a"))[1:] == lines


def test_what_for_does_last_is_copied_before_continue() -> None:
    lines = [
        "for (int i = 0; i < value; i++)", "{", "if (i == 2)", "{", "int value3 = i;",
        "other = value3;", "continue;", "}", "other = 2;", "}",
    ]  # fmt: skip
    text = "\n".join(lines).replace("value3", "x").replace("value", "a")
    assert read(text)[1:] == lines


def test_the_same_assignment_before_each_continue_of_while_is_that_of_for() -> None:
    text = "while (a) { if (b) { a--; continue; } other = 2; a--; }"
    assert " ".join(read(text)) == ("{ for (; value; value--) { if (flag) continue; other = 2; }")


def test_calls_with_the_same_arguments_are_copies() -> None:
    """What is done before ``continue`` and what is done last."""
    text = "{ for (; value; value = Random(value)) { if (flag) continue; other = 2; }"
    assert " ".join(read(text.replace("value", "a").replace("flag", "b")[2:])) == text


def test_another_line_says_that_an_assignment_is_no_copy() -> None:
    text = "while (a)\n{\nif (b)\n{\na--;\ncontinue;\n}\nother = 2;\na--;\n}"
    assert read(text)[1] == "while (value)"


def test_a_head_without_a_condition_has_its_line_in_its_assignment() -> None:
    lines = ["for (;; value++)", "{", "if (value2)", "break;", "other = 2;", "}"]
    text = "\n".join(lines).replace("value2", "b").replace("value", "a")
    assert read(text)[1:] == [line.replace("value2", "flag") for line in lines]


def test_copies_of_a_head_without_a_condition_have_no_line_of_their_own() -> None:
    text = "other = 1;\nfor (;; a++)\n{\nNode *n = null;\nif (b)\nreturn;\ncontinue;\n}"
    assert read(text)[2:] == [
        "for (;; value++)", "{", "String text = null;", "if (flag)", "return;", "continue;", "}"
    ]  # fmt: skip


def test_for_is_of_editors_that_have_it() -> None:
    text = "a = 0; while (a < b) { other = 2; a++; }"
    assert read(text)[1] == "for (value = 0; value < value2; value++) other = 2;"
    old = read(text, "3.2.1.0")
    assert old[1] == "value = 0; while (value < value2) { other = 2; value++; }"


@pytest.mark.parametrize("editor", ["3.4.0.14", "3.4.1.15", "3.6.2.21"])
@pytest.mark.parametrize("first", ["Thing t; t.kind = 2;", "other = a;", 'cEgo.Say("a");', "a++;"])
def test_the_only_label_is_where_the_statements_begin(editor: str, first: str) -> None:
    # The compiler measures the way there before it writes the line of the brace.
    text = f"switch (a) {{ default: {{ {first} }} break;\n}}\nother = 5;"
    assert any("default:" in line for line in read(text, editor))


@pytest.mark.parametrize("editor", ["3.4.0.14", "3.4.1.15"])
def test_lines_of_a_switch_of_each_editor(editor: str) -> None:
    text = (
        "switch (a)\n{\ncase 1:\n{\nother = 2;\nbreak;\n}\ncase 2:\ncase 3:\nother = 4;\n"
        "return;\ndefault:\n\ncase 4:\n{\nint x = 5;\nother = x;\n}\nbreak;\n}\nother = 6;"
    )
    script = compiled(f"function f(int a)\n{{\n{text}\n}}\n", editor=editor)
    assert prove(script) == []
    lines = decompile_block(script).text.split("\r\n")
    for line, label in ((5, "case 1:"), (10, "case 2:"), (11, "case 3:"), (16, "case 4:")):
        assert label in lines[line - 1]


def test_empty_blocks_between_labels_keep_their_lines() -> None:
    # Editors before 3.4.1 give the line of a closing brace to the next label.
    text = "switch (a)\n{ case 1: { other = 2;\n} case 2: {\n}\ncase 3:\ndefault:\ncase 4: b = 4; }"
    assert read(text, "3.4.0.14")[1:] == [
        "switch (value) { case 1: { other = 2;",
        "} case 2: {",
        "}",
        "case 3:",
        "default:",
        "case 4: value2 = 4; }",
    ]


def test_a_condition_that_breaks_last_in_a_switch() -> None:
    text = "switch (a) { case 1: other = 2; if (b > 3) break; } other = 5;"
    assert read(text)[1:] == [
        "switch (value) { case 1: other = 2; if (value2 > 3) break; } other = 5;"
    ]
