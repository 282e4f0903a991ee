"""An edit of one function changes no other, also where a function's source is not its code."""

from __future__ import annotations

import re
import struct
from dataclasses import replace
from pathlib import Path

import pytest

import overhaul
from ags_decompiled import compiled
from overhaul.ags.decompiler.files import ScriptFiles, compile_edited, script_files
from overhaul.ags.decompiler.proof import differences
from overhaul.ags.language import ScriptError
from overhaul.ags.script.assembler import assemble
from overhaul.ags.script.disassembler import disassemble
from overhaul.ags.script.model import Script, read_script
from overhaul.ags.script.tables import BY_NAME
from overhaul.errors import FormatError, SourceError

JUMP = BY_NAME["jzi"].number
SHORT_CIRCUIT = BY_NAME["land"].number
TEXT = """
int first = 3;
int count;
export count;
function twice(int a)
{
  return a * 2;
}
function odd(int a)
{
  while (a > 0) a--;
  count = count + a;
  Display("odd %d", twice(count));
}
function even()
{
  Display("even");
}
"""


def quirky(text: str = TEXT) -> Script:
    """A script whose function ``odd`` is shown as source that compiles to other code: the
    instruction loopcheckoff stands where no compiler puts it."""
    script = compiled(text)
    lines = disassemble(script)
    behind = start_of(script, "even$0")
    for old, new in (
        ("    add bx, ax\n", "    loopcheckoff\n    add bx, ax\n"),
        (f"    thisaddr {behind}\n", f"    thisaddr {behind + 1}\n"),
    ):
        assert lines.count(old) == 1
        lines = lines.replace(old, new)
    return assemble(lines)


def start_of(script: Script, name: str) -> int:
    """The first code word of a function."""
    return next(e.address & 0xFFFFFF for e in script.exports if e.name == name)


def code_of(script: Script, name: str) -> str:
    """The assembly of a function, its labels without digests."""
    lines = re.sub(r"(L_[a-z]+)_[0-9a-f]{6}", r"\1", disassemble(script))
    plain = name.partition("$")[0]
    return lines[lines.rindex(f"L_{plain}:\n") :].partition("    ret\nL_")[0]


class Edited:
    """The folder of a script."""

    def __init__(self, root: Path, script: Script) -> None:
        self.script = script
        file = root / "x.o"
        file.write_bytes(script.to_bytes())
        self.folder = root / "x"
        overhaul.unpack(file, self.folder)
        self.source = self.folder / "script.asc"
        self.packed = root / "packed.o"

    def replace(self, old: str, new: str) -> None:
        text = self.source.read_bytes().decode()
        assert text.count(old) == 1, text
        self.source.write_bytes(text.replace(old, new).encode())

    def pack(self) -> Script:
        overhaul.pack(self.folder, self.packed, force=True)
        return read_script(self.packed.read_bytes())[0]

    def changes(self) -> list[tuple[str, str]]:
        return [item for item in differences(self.script, self.pack()) if item[0]]


def test_a_function_that_does_not_come_back_keeps_its_code(tmp_path: Path) -> None:
    edited = Edited(tmp_path, quirky())
    assert script_files(edited.script).reason == "it compiles to other code"
    edited.replace('Display("even");', 'Display("uneven");')
    assert edited.changes() == [
        ("even$0", "instruction 3: movl 3, b'even', but movl 3, b'uneven' when compiled")
    ]


def unread(text: str = TEXT) -> Script:
    """A script with a word that is not an instruction in ``odd``, or in the method ``Fill``."""
    script = compiled(text)
    words = list(script.words)
    lost = next(e.name for e in script.exports if e.name in ("odd$1", "Box::Fill$1"))
    place = words.index(SHORT_CIRCUIT, start_of(script, lost))
    words[place] = 0
    script.code = struct.pack(f"<{len(words)}i", *words)
    return script


def test_a_function_that_is_not_read_keeps_its_code(tmp_path: Path) -> None:
    edited = Edited(tmp_path, unread(TEXT.replace("a--", "count = a > 1 && a < 3")))
    assert script_files(edited.script).tables.unread == ("odd",)
    text = edited.source.read_text()
    assert "int odd(int p0) { /* left as assembly */ }" in text
    assert "/* odd is left as assembly: " in text
    edited.replace('Display("even");', 'Display("uneven");')
    assert edited.changes() == [
        ("even$0", "instruction 3: movl 3, b'even', but movl 3, b'uneven' when compiled")
    ]
    edited.replace("/* left as assembly */", "return p0;")
    with pytest.raises(SourceError, match=r"odd does not come back .*, and it is edited: edit "):
        edited.pack()


def test_a_method_that_is_not_read_keeps_its_code(tmp_path: Path) -> None:
    text = TEXT.replace(
        "int first = 3;", "struct Box { int n; import int Fill(int a); };\nBox box;"
    )
    text = text.replace("function odd(int a)", "int Box::Fill(int a)")
    text = text.replace("a--", "this.n = a > 1 && a < 3").replace('("even")', '("%d", box.Fill(2))')
    edited = Edited(tmp_path, unread(text))
    header = (edited.folder / "script.ash").read_text()
    assert "  import int Fill(int p0);\n" in header
    edited.replace('Display("%d", ', 'Display("is %d", ')
    assert [name for name, _ in edited.changes()] == ["even$0"]


def test_kept_code_moves_with_what_it_refers_to(tmp_path: Path) -> None:
    edited = Edited(tmp_path, quirky())
    edited.replace("int unused1 = 3;", "int unused1 = 3;\nint more[5];")
    edited.replace("int twice", 'function another()\n{\n  Display("x");\n}\nint twice')
    made = edited.pack()
    names = [e.name for e in made.exports if e.address >> 24 == 1]
    assert names == ["another$0", "twice$1", "odd$1", "even$0"]
    old, new = code_of(edited.script, "odd$1"), code_of(made, "odd$1")
    assert old.count("@data 4\n") == 3 and "loopcheckoff" in old
    place = start_of(made, "odd$1")
    assert place == start_of(edited.script, "odd$1") + start_of(made, "twice$1")
    moved = old.replace("@data 4\n", "@data 24\n")
    assert new == moved.replace(
        f"thisaddr {start_of(edited.script, 'odd$1')}\n", f"thisaddr {place}\n"
    )
    assert ("count", 2 << 24 | 24) in [(e.name, e.address) for e in made.exports]
    assert made.sections[0].offset == 0
    for name in ("twice$1", "even$0"):
        assert f"thisaddr {start_of(made, name)}\n" in code_of(made, name)


def test_the_function_itself_is_refused_by_name(tmp_path: Path) -> None:
    edited = Edited(tmp_path, quirky())
    edited.replace("twice(count)", "twice(count + 1)")
    message = (
        r"^script\.asc:\d+:10: odd does not come back from its source, and it is edited: edit "
    )
    with pytest.raises(SourceError, match=message + r"script\.asm$"):
        edited.pack()


def test_what_it_uses_is_not_edited_without_it(tmp_path: Path) -> None:
    edited = Edited(tmp_path, quirky())
    edited.replace("int count;", "int count[2];")
    edited.replace("count = count + value;", "count[0] = count[0] + value;")
    edited.replace("twice(count)", "twice(count[0])")
    with pytest.raises(SourceError, match="odd does not come back from its source, and it is"):
        edited.pack()


def test_what_it_uses_is_not_edited_alone(tmp_path: Path) -> None:
    edited = Edited(tmp_path, quirky())
    edited.replace("int count;", "short count;")
    with pytest.raises(SourceError, match=r"odd does not come .*, and what it uses is edited"):
        edited.pack()


def test_a_variable_with_another_name_is_the_same(tmp_path: Path) -> None:
    edited = Edited(tmp_path, quirky())
    text = edited.source.read_text()
    assert text.count("unused1") == 1
    text = text.replace("count", "total").replace("int total;", "int total;\nint behind;")
    edited.source.write_text(text.replace("export total;", ""))
    made = edited.pack()
    old, new = code_of(edited.script, "odd$1"), code_of(made, "odd$1")
    assert new == old and "loopcheckoff" in new


def test_functions_with_other_names(tmp_path: Path) -> None:
    edited = Edited(tmp_path, quirky())
    text = edited.source.read_text()
    edited.source.write_text(text.replace("odd(", "strange(").replace("twice", "doubled"))
    made = edited.pack()
    names = [e.name for e in made.exports if e.address >> 24 == 1]
    assert names == ["doubled$1", "strange$1", "even$0"]
    old, new = code_of(edited.script, "odd$1"), code_of(made, "strange$1")
    assert "loopcheckoff" in new
    assert new == old.replace("L_odd", "L_strange").replace("L_twice", "L_doubled")


def test_source_that_is_right_is_taken() -> None:
    old = quirky()
    right = files_of(TEXT.replace("even", "uneven"), old)
    wrong = files_of(TEXT.replace("twice(count)", 'twice("x")'), old)
    old = compiled(TEXT)
    made = compile_edited(right, wrong, old, old)
    assert [name for name, _ in differences(old, made) if name] == ["even$0", "uneven$0"]


def test_a_comment_and_other_lines_are_no_edit(tmp_path: Path) -> None:
    edited = Edited(tmp_path, quirky())
    edited.replace("count = count + value;", "// more\n\n  count = count +\n    value;")
    edited.replace("value--;", "\n   value--;")
    # The function behind it has other lines.
    lines = "instruction 0: sourceline 16, but sourceline 20 when compiled"
    assert edited.changes() == [("even$0", lines)]


def test_a_function_may_be_removed(tmp_path: Path) -> None:
    edited = Edited(tmp_path, quirky())
    text = edited.source.read_bytes().decode()
    start, end = text.index("function odd"), text.index("function even")
    edited.source.write_bytes((text[:start] + text[end:]).encode())
    lines = "instruction 0: sourceline 16, but sourceline 10 when compiled"
    assert edited.changes() == [("odd$1", "it is missing"), ("even$0", lines)]


def test_texts_that_are_no_letters_keep_their_bytes(tmp_path: Path) -> None:
    lines = disassemble(compiled(TEXT)).replace('"odd %d"', '"f\\x81r %d"')
    edited = Edited(tmp_path, assemble(lines))
    assert "f\\udc81r" in edited.source.read_bytes().decode()
    edited.replace('Display("even");', 'Display("uneven");')
    assert [name for name, _ in edited.changes()] == ["even$0"]
    strings = edited.pack().strings
    assert b"f\x81r %d\0" in strings and b"udc81" not in strings


def kept_in(old: Script, unedited: str) -> list[str]:
    """The functions that differ from a script's where one function is edited of a source."""
    text = unedited.replace('"even"', '"uneven"')
    made = compile_edited(files_of(text, old), files_of(unedited, old), old, old)
    return [name for name, _ in differences(old, made)]


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("SetGameSpeed(a)", "Wait(a)"),  # another import
        ("twice(count)", "thrice(count)"),  # another function
        ("count = count + a", "first = first + a"),  # another variable
        ('"odd %d"', '"add %d"'),  # another text
        ("a > 0", "a >= 0"),
        ("a--;", "{ a--; if (a == 9) break; }"),
    ],
)
def test_what_differs_is_kept(right: str, wrong: str) -> None:
    text = TEXT.replace("while", "SetGameSpeed(a); while")
    text = text.replace(
        "function odd", "function thrice(int a)\n{\n  return a * 3;\n}\nfunction odd"
    )
    assert text.count(right) == 1
    assert kept_in(compiled(text), text.replace(right, wrong)) == ["even$0"]


def test_a_jump_that_differs_is_kept() -> None:
    old = compiled(TEXT)
    words = list(old.words)
    jump = next(at for at in range(start_of(old, "odd$1"), len(words)) if words[at] == JUMP)
    words[jump + 1] += 2  # over the number of a line
    old.code = struct.pack(f"<{len(words)}i", *words)
    assert old.words[jump + 2 + words[jump + 1]] != words[jump]
    assert kept_in(old, TEXT) == ["even$0"]


# -- source that does not compile ------------------------------------------------------------------

WRONG = TEXT.replace("twice(count)", 'twice("x")')


def files_of(text: str, script: Script) -> ScriptFiles:
    """The files of a script with another text."""
    files = script_files(script)
    return replace(files, text=text.replace("\n", "\r\n"))


def test_a_function_that_does_not_compile_keeps_its_code() -> None:
    old = compiled(TEXT)
    unedited = files_of(WRONG, old)
    edited = files_of(WRONG.replace('"even"', '"uneven"'), old)
    made = compile_edited(edited, unedited, old, old)
    assert [name for name, _ in differences(old, made)] == ["even$0"]
    assert compile_edited(unedited, unedited, old, old).to_bytes() == old.to_bytes()


def test_other_functions_must_compile() -> None:
    old = compiled(TEXT)
    edited = files_of(WRONG.replace("return a * 2", "return a * b"), old)
    with pytest.raises(ScriptError, match=r"^script\.asc:7:14: 'b' is not declared") as caught:
        compile_edited(edited, files_of(WRONG, old), old, old)
    assert len(caught.value.errors) == 1


def test_a_function_that_does_not_compile_is_not_edited() -> None:
    old = compiled(TEXT)
    edited = files_of(WRONG.replace('twice("x")', 'twice("y")'), old)
    with pytest.raises(FormatError, match=r"^odd does not come back .*, and it is edited$"):
        compile_edited(edited, files_of(WRONG, old), old, old)


def test_variables_must_come_back() -> None:
    old = compiled(TEXT)
    unedited = files_of(TEXT.replace("int count;", "int count; int unknown;"), old)
    with pytest.raises(FormatError, match=r"^the variables do not come back from the source$"):
        compile_edited(unedited, unedited, old, old)
