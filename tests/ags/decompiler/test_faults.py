"""Code that no compiler makes: it is left as assembly, quickly, and nothing else is raised."""

from __future__ import annotations

import random
import struct
import time
from dataclasses import dataclass
from typing import Any

import pytest

import overhaul.ags
from ags_decompiled import compiled
from overhaul.ags.decompiler import Environment, decompile_block, decompile_blocks
from overhaul.ags.decompiler.proof import prove
from overhaul.ags.script.assembler import assemble
from overhaul.ags.script.disassembler import disassemble, instructions
from overhaul.ags.script.model import Export, Script, Section
from overhaul.ags.script.tables import BY_NAME, IMPORT, OPCODES
from overhaul.errors import FormatError

STREAMS = 300
_IMPORTS = ["Display", "player", "Character::Say^101", "Mouse::set_Mode", "T::m^2", "cEgo"]
_NUMBERS = (0, 0, 1, 2, 4, 8, 12, 16, 20, 100, -1, 65536, 1 << 30, -(1 << 31))


@dataclass
class Streams:
    """Makes scripts of random instructions."""

    random: random.Random

    def words(self, base: int) -> tuple[list[int], dict[int, int]]:
        """The words of a function, and the kinds of its fix-ups by place."""
        words: list[int] = []
        fixups: dict[int, int] = {}
        choose = self.random.choice
        while len(words) < self.random.randrange(5, 100):
            opcode = OPCODES[self.random.randrange(1, 77)]
            words.append(opcode.number)
            for kind in opcode.arguments:
                if kind == "r":
                    words.append(choose((1, 2, 3, 3, 3, 4, 5, 7, 9, -1)))
                elif opcode.is_jump:
                    words.append(self.random.randrange(-40, 40))
                elif opcode.name == "movl" and self.random.random() < 0.5:
                    fixups[base + len(words)] = choose((1, 2, 3, 4))
                    words.append(self.random.randrange(8))
                else:
                    words.append(choose(_NUMBERS))
        return [*words, 6, 3, 0, 5], fixups

    def script(self) -> Script:
        """A script of a few functions."""
        words: list[int] = []
        fixups: dict[int, int] = {}
        exports = []
        for number in range(self.random.randrange(1, 4)):
            exports.append(Export(name=f"f{number}$1", address=1 << 24 | len(words)))
            more, places = self.words(len(words))
            words += more
            fixups |= places
        return Script(
            version=self.random.choice((90, 89, 83, 81)),
            global_data=bytes(self.random.randrange(64)),
            code=struct.pack(f"<{len(words)}i", *words),
            strings=b"abc\0de\0",
            fixup_types=bytes(fixups.values()),
            fixup_positions=list(fixups),
            imports=_IMPORTS,
            exports=exports,
            sections=[Section(name="x.asc")],
        )


def test_random_instructions_give_comments_in_bounded_time() -> None:
    streams = Streams(random.Random(25))
    start = time.monotonic()
    for number in range(STREAMS):
        script = streams.script()
        made = decompile_block(script)
        read = [*made.functions, *(failure.name for failure in made.failures)]
        assert sorted(read) == sorted(e.name.partition("$")[0] for e in script.exports)
        if number % 10 == 0:
            prove(script)
    assert time.monotonic() - start < 20 * STREAMS / 100


def test_damaged_code_is_read_or_left_as_assembly() -> None:
    script = compiled(
        "function f(int a)\n{\n  for (int i = 0; i < a; i++) { if (i == 2) break; other += i; }\n"
        "  switch (a) { case 1: Display(\"x\"); break; default: other = 2; }\n"
        "  String s = String.Format(\"%d\", a);\n  cEgo.Say(s);\n}\n"
    )  # fmt: skip
    words = list(script.words)
    chance = random.Random(7)
    for _ in range(STREAMS):
        damaged = list(words)
        for _ in range(chance.randrange(1, 4)):
            place = chance.randrange(len(words))
            damaged[place] = chance.choice((damaged[place] + 1, chance.randrange(77), -5))
        code = struct.pack(f"<{len(damaged)}i", *damaged)
        broken = Script(**{**_fields(script), "code": code}, version=script.version)
        assert all(reason for _, reason in prove(broken))


def _fields(script: Script) -> dict[str, Any]:
    return {name: getattr(script, name) for name in Script.__struct_fields__ if name != "version"}


def test_what_cannot_be_read_is_a_comment_with_the_reason() -> None:
    script = compiled("function f() { Wait(1); }\nfunction g(int a) { other = a; }\n")
    words = list(script.words)
    words[words.index(34) :] = [0, *words[words.index(34) + 1 :]]
    script.code = struct.pack(f"<{len(words)}i", *words)
    made = decompile_block(script)
    assert [failure.name for failure in made.failures] == ["f"]
    assert "/* f is left as assembly: the word 0 is not an instruction" in made.text
    assert "function g(int value)\r\n{ other = value; }" in made.text
    assert prove(script) == [("f", "the word 0 is not an instruction")]


def test_scripts_of_another_compiler_are_left_as_assembly() -> None:
    script = compiled("function f() { Wait(1); }\n")
    script.version = 95
    assert prove(script) == [("", "Adventure Game Studio 4 has another compiler")]
    assert "/* f is left as assembly" in decompile_block(script).text


def test_deep_code_is_left_as_assembly() -> None:
    depth = 45
    text = "if (a) { " * depth + "other = 1;" + " }" * depth
    script = compiled(f"function f(int a) {{ {text} }}\n")
    assert prove(script) == [("f", "statements are nested too deep")]
    chain = "".join(" + a" for _ in range(400))
    script = compiled(f"function f(int a) {{ other = a{chain}; }}\n")
    assert prove(script) == [("f", "an expression is too deep")]


def test_decompile_takes_a_block() -> None:
    script = compiled("\n\n\nfunction f(int a) { other = a; }\n")
    source = overhaul.ags.decompile(script.to_bytes())
    assert source == ("import int other;\r\n\r\nfunction f(int value)\r\n{ other = value; }\r\n")
    with pytest.raises(FormatError, match="not a compiled script"):
        overhaul.ags.decompile(b"GAME" + bytes(40))
    with pytest.raises(FormatError, match="1 bytes follow the script"):
        overhaul.ags.decompile(script.to_bytes() + b"x")


def test_an_address_that_is_checked_as_a_pointer_is_refused() -> None:
    lines = disassemble(compiled("function f(int a)\n{\n  other = a;\n}\n"))
    checked = assemble(lines.replace("    memwrite4 ax\n", "    checknull.ptr\n    memwrite4 ax\n"))
    assert prove(checked) == [("f", "an address is checked")]


def test_imports_that_are_not_there_leave_a_function_as_assembly() -> None:
    script = compiled("import int shared; int f() { return shared; }\nint g() { return 2; }\n")
    (place,) = (
        at
        for at, kind in zip(script.fixup_positions, script.fixup_types, strict=True)
        if kind == IMPORT and script.imports[script.words[at]] == "shared"
    )
    words = list(script.words)
    words[place] = len(script.imports) + 5
    code = struct.pack(f"<{len(words)}i", *words)
    broken = Script(**{**_fields(script), "code": code}, version=script.version)
    (made, other) = decompile_blocks([broken, compiled("int h() { return 3; }\n")], Environment())
    assert [failure.name for failure in made.failures] == ["f"]
    assert "int g()" in made.text and "int h()" in other.text


@pytest.mark.parametrize("editor", ["3.4.0.14", "3.6.1.26"])
def test_no_line_of_a_text_is_behind_the_last_that_a_script_can_have(editor: str) -> None:
    """Lines of loops and of tables of switches are read before the statements that they are of."""
    script = compiled(
        "function f(int a)\n{\n  do {\n    if (a)\n    { other = 1;\n      break; }\n"
        "  } while (a\n  > 2);\n  for (int i = 0;\n i < a; i++)\n { continue;\n }\n"
        "  switch (a)\n  { case 1:\n    other = 1;\n    break;\n"
        "    case 2:\n    other = 2;\n  }\n}\n",
        editor=editor,
    )
    words = list(script.words)
    sourceline = BY_NAME["sourceline"].number
    read = instructions(script.words, {})
    places = [at for at, opcode in read if opcode is not None and opcode.number == sourceline]
    assert len(places) > 8
    for place in places:
        damaged = words.copy()
        damaged[place + 1] = 200_001
        script.code = struct.pack(f"<{len(damaged)}i", *damaged)
        made = decompile_block(script)
        assert [failure.reason for failure in made.failures] == ["a line has an unusual number"]
        assert made.text.count("\n") < 400


def test_a_function_may_end_with_a_jump_behind_a_line() -> None:
    """No compiler ends one without ``ret``; the jump before it is that of the table's head."""
    script = compiled("function f(int a) { switch (a) { case 1: other = 1; } }\n")
    line, jump = BY_NAME["sourceline"].number, BY_NAME["jmpi"].number
    words = [*script.words, line, 3, jump, -2]
    script.code = struct.pack(f"<{len(words)}i", *words)
    assert [reason for _, reason in prove(script)][:1] != []
    assert [failure.name for failure in decompile_block(script).failures] == ["f"]
