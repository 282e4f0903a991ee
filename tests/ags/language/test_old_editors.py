"""What editors before 2.71 emit; checked against rooms that hold source and code."""

from __future__ import annotations

import pytest

from ags_scripts import instructions
from overhaul.ags.language import CompilerOptions, ScriptError, Source, compile_block
from overhaul.ags.script.model import Script

HEADER = """
import void Wait(int n);
struct C { int a; char b[5]; short c[4]; };
import C list[9];
import C one;
"""


def compiled(text: str, editor: tuple[int, ...], keep: Script | None = None) -> Script:
    """The block of a script behind ``HEADER``."""
    options = CompilerOptions(editor=editor, left_to_right=False, old_strings=True)
    return compile_block([Source("Header", HEADER)], Source("Room", text), options, keep)


CASES = [
    (
        "int a; a = a + 1;",
        "mov sp mar; memwritelit 4 0; addi sp 4; mov sp mar; subi mar 4; memread4 ax; push ax;"
        " movl ax 1; pop bx; add bx ax; mov bx ax; mov sp mar; subi mar 4; memwrite4 ax;"
        " subi sp 4; ret",
    ),
    (
        "if (x > 1 && x || x) return;",
        "movl mar data+0; memread4 ax; push ax; movl ax 1; pop bx; gt bx ax; mov bx ax; push ax;"
        " movl mar data+0; memread4 ax; pop bx; land bx ax; mov bx ax; push ax; movl mar data+0;"
        " memread4 ax; pop bx; lor bx ax; mov bx ax; jzi 1; ret; ret",
    ),
    (
        "list[2].c[x] = 3;",
        "movl ax 3; push ax; movl ax 2; movl cx 0; muli ax 20; add cx ax; movl mar data+0;"
        " memread4 ax; muli ax 2; add cx ax; pop ax; movl mar list; addi mar 9; add mar cx;"
        " memwrite2 ax; ret",
    ),
    (
        "int y; list[2].c[y] = 3;",
        "mov sp mar; memwritelit 4 0; addi sp 4; movl ax 3; push ax; movl ax 2; movl cx 0;"
        " muli ax 20; add cx ax; push cx; mov sp mar; subi mar 12; memread4 ax; pop cx; muli ax 2;"
        " add cx ax; pop ax; movl mar list; addi mar 9; add mar cx; memwrite2 ax; subi sp 4; ret",
    ),
    (
        "one.a = 3;",
        "movl ax 3; push ax; pop ax; movl mar one; memwrite4 ax; ret",
    ),
    (
        "list[x].a++;",
        "movl mar data+0; memread4 ax; movl cx 0; muli ax 20; add cx ax; movl mar list;"
        " add mar cx; memread4 ax; addi ax 1; memwrite4 ax; ret",
    ),
    (
        "Wait(-1);",
        "movl ax 1; movl bx 0; sub bx ax; mov bx ax; farpush ax; setfuncargs 1; movl ax Wait;"
        " farcall ax; farsubsp 1; ret",
    ),
]


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_code_of_2_7(text: str, expected: str) -> None:
    lines = instructions(compiled(f"int x;\nvoid f() {{ {text} }}", (2, 7, 0, 0)))
    assert "; ".join(lines) == f"sourceline 2; thisaddr 0; {expected}"


@pytest.mark.parametrize(
    ("editor", "version", "code", "export", "stride"),
    [
        ((2, 7, 0, 0), 83, "thisaddr 0; movl ax 1; farpush ax; setfuncargs 1", "f$0", 20),
        ((2, 6, 0, 0), 81, "thisaddr 0; movl ax 1; farpush ax; movl ax Wait", "f", 20),
        ((2, 2, 0, 0), 73, "movl ax 1; farpush ax; movl ax Wait", "f", 17),
    ],
)
def test_older_editors_lack_more(
    editor: tuple[int, ...], version: int, code: str, export: str, stride: int
) -> None:
    script = compiled("void f() { Wait(1); list[1].a = 2; }", editor)
    assert script.version == version
    shown = "; ".join(instructions(script))
    assert shown.startswith(f"sourceline 1; {code}")
    assert f"muli ax {stride}" in shown
    assert [item.name for item in script.exports] == [export]
    assert script.strings == b""


SWITCH = "int x;\nvoid f() {\nswitch (x)\n{\ncase 1:\nx = 2;\nreturn;\n}\nx = 3;\n}"


@pytest.mark.parametrize(
    ("editor", "table", "end"),
    [
        ((3, 4, 0, 14), "push bx; sourceline 5; movl ax 1", 2),
        ((3, 4, 1, 15), "push bx; movl ax 1", 0),
    ],
)
def test_switches_before_3_4_1_have_other_lines(
    editor: tuple[int, ...], table: str, end: int
) -> None:
    script = compiled(SWITCH, editor)
    lines = instructions(script)
    assert table in "; ".join(lines)
    head = script.words.index(31)
    behind = head + 4 + script.words[head + 3]
    assert script.words[behind - end : behind - end + 2] == (36, 9)


def test_sections_without_code_are_listed() -> None:
    script = compiled("void f() { }", (2, 7, 0, 0))
    assert [(item.name, item.offset) for item in script.sections] == [("Header", 0), ("Room", 0)]


@pytest.mark.parametrize("editor", [(2, 7, 0, 0), (2, 6, 0, 0), (2, 4, 0, 0)])
def test_an_old_block_decides_what_is_emitted(editor: tuple[int, ...]) -> None:
    text = "int x;\nvoid f() { int y = 3; if (x && y) list[y].a = 2; }"
    old = compiled(text, editor)
    assert compiled(text, (3, 2, 1, 0), keep=old).to_bytes() == old.to_bytes()
    assert compiled(text, (3, 2, 1, 0)).words != old.words


def test_blocks_of_unknown_old_versions_are_taken_for_the_oldest() -> None:
    old = compiled("void f() { Wait(1); }", (2, 4, 0, 0))
    older = Script(
        version=60,
        code=old.code,
        fixup_types=old.fixup_types,
        fixup_positions=old.fixup_positions,
        imports=old.imports,
        exports=old.exports,
    )
    again = compiled("void f() { Wait(1); }", (3, 2, 1, 0), keep=older)
    assert (again.version, again.code) == (60, old.code)


def test_a_function_may_have_another_result_than_its_prototype() -> None:
    text = "int Wait(int n) { return n; }"
    assert compiled(text, (2, 7, 0, 99)).imports == ["", "", ""]
    with pytest.raises(ScriptError, match="Wait has other types where it is imported"):
        compiled(text, (2, 7, 1, 0))
    with pytest.raises(ScriptError, match="Wait has other types where it is imported"):
        compiled("void Wait(short n) { }", (2, 7, 0, 0))


def test_a_return_without_a_value_has_its_line() -> None:
    lines = instructions(compiled("void f() {\n  return;\n}", (2, 7, 0, 0)))
    assert lines[:4] == ["sourceline 1", "thisaddr 0", "sourceline 2", "ret"]


@pytest.mark.parametrize(("editor", "has_base"), [((2, 3, 1, 0), False), ((2, 5, 0, 0), True)])
def test_blocks_of_2_5_begin_functions_as_the_block_that_they_replace(
    editor: tuple[int, ...], has_base: bool
) -> None:
    text = "void f() { Wait(1); }"
    old = compiled(text, editor)
    assert old.version == 81
    assert any(line.startswith("thisaddr") for line in instructions(old)) == has_base
    assert instructions(compiled(text, (3, 6, 1, 0), old)) == instructions(old)
