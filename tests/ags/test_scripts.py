"""Compiled scripts: sections, assembly both ways, errors in people's text."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overhaul.ags.blocks import Block
from overhaul.ags.script.assembler import assemble
from overhaul.ags.script.disassembler import disassemble
from overhaul.ags.script.model import Export, Script, Section, read_script
from overhaul.ags.script.tables import BY_NAME, OPCODES
from overhaul.errors import FormatError, SourceError, UnsupportedVersion

SMALL = """
.script 90
.data 8
    0x0004: 2a 00 00 00
.strings
    s0: "Hello, \\"world\\""
    s16: ""
.imports 3
    1: "Display^101"
.exports
    function "room_Load$0" L0
    data "score" 4
.sections
    "room1.asc" L0
.code
L0:
    sourceline 3            ; a comment; with a semicolon
    movl ax, @string s0     ; "Hello"
    farpush ax
    movl ax, @import "Display^101"
    farcall ax
    movl mar, @data 4
    memread4 ax
    jzi L9
    jmpi L0
L9:
    movl ax, @function L0
    movl bx, @string s0+7
    ret
"""


def code(*words: int) -> bytes:
    return struct.pack(f"<{len(words)}i", *words)


def test_a_script_written_by_hand() -> None:
    script = assemble(SMALL)
    assert script.version == 90 and script.name == "room1.asc"
    assert script.global_data == b"\0\0\0\0\x2a\0\0\0"
    assert script.strings == b'Hello, "world"\0\0'
    assert script.imports == ["", "Display^101", ""]
    assert script.exports == [Export("room_Load$0", 1 << 24), Export("score", 2 << 24 | 4)]
    assert script.sections == [Section("room1.asc", 0)]
    assert list(script.fixup_types) == [3, 4, 1, 2, 3]
    words = script.words
    assert words[:2] == (36, 3) and words[4] == 0
    assert words[-1] == 5 and words[-2] == 7
    # jumps count from the word behind them
    at = words.index(28, 10)
    assert words[at + 1] == 2 and words[at + 3] == -(at + 4)


def test_texts_for_translators() -> None:
    script = Script(strings=b"__NEWSCRIPTSTART_room1.asc\0Hello\0\0W\xe4lder\0")
    assert script.texts() == ["Hello", "W\udce4lder"]


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "cp1251", "cp932"])
def test_texts_in_code_pages(encoding: str) -> None:
    strings = "Füße €".encode("cp1252") + b"\x81\x8d\0" + "Füße €\u2028".encode() + b"\0\x85\0"
    script = Script(strings=strings, imports=["\udce4x"])
    text = disassemble(script, encoding)
    assert assemble(text, encoding=encoding).to_bytes() == script.to_bytes()
    assert ("Füße €" in text.splitlines()[3]) == (encoding == "cp1252")
    with pytest.raises(SourceError, match="does not exist in the encoding cp1252"):
        assemble(text.replace("imports", "imports").replace('"', '"☃', 1), encoding="cp1252")


def test_assembly_gives_the_same_bytes() -> None:
    script = assemble(SMALL)
    data = script.to_bytes()
    again, end = read_script(data)
    assert end == len(data) and again.to_bytes() == data
    text = disassemble(again)
    assert assemble(text).to_bytes() == data
    for line in (
        "movl ax, @string s_Hello_world_3ebfda".ljust(36) + ' ; "Hello, \\"world\\""',
        "movl bx, @string s_Hello_world_3ebfda+7",
        "movl mar, @data 4",
        'movl ax, @import "Display^101"',
        "jzi L_room_Load_338f0a",
        "movl ax, @function L_room_Load",
    ):
        assert f"\n    {line}\n" in text


def test_longer_strings_move_what_refers_to_them() -> None:
    text = disassemble(assemble(SMALL))
    longer = text.replace(': "Hello', ': "Oh, hello').replace("s_e3b", 's99: "more"\n    s_e3b')
    script = assemble(longer)
    assert script.strings == b'Oh, hello, "world"\0more\0\0'
    assert script.fixup_types == assemble(SMALL).fixup_types


def test_inserted_instructions_move_labels() -> None:
    script = assemble(SMALL.replace("L9:", "    ret\n    ret\nL9:"))
    words = script.words
    assert words[words.index(28, 10) + 1] == 4


@pytest.mark.parametrize(
    "script",
    [
        Script(code=code(99, -1, 0)),
        Script(code=code(6)),  # an instruction without its arguments
        Script(code=code(6, 3, 77, 5), fixup_types=b"\0", fixup_positions=[2]),
        Script(code=code(6, 3, 77), fixup_types=b"\3\3", fixup_positions=[2, 1]),
        Script(code=code(5), fixup_types=b"\4", fixup_positions=[0]),
        Script(code=code(5), fixup_types=b"\5", fixup_positions=[0], global_data=b"abcd"),
        Script(code=code(6, 3, 3, 5), fixup_types=b"\4", fixup_positions=[2]),
        Script(code=code(31, 100, 31, -1), strings=b"no end"),
        Script(code=code(29, 12, 6, 5, -7), imports=["a", "a", ""], strings=b"\xff\0\n\0"),
        Script(exports=[Export("odd", 0x7F000001), Export("far", 1 << 24 | 500)], version=83),
        Script(version=81, code=code(5)),
        Script(version=95, extensions=[Block(0, b"rtti".ljust(16, b"\0"), b"\1\2\3")]),
        Script(sections=[Section("a\udcff", 7)], imports=['q"uote\\', "t\tab"]),
        Script(),
    ],
)
def test_odd_scripts_survive_assembly(script: Script) -> None:
    data = script.to_bytes()
    found, end = read_script(data)
    assert end == len(data)
    assert assemble(disassemble(found)).to_bytes() == data


word = st.one_of(st.integers(1, 76), st.integers(-3, 90), st.integers(-(1 << 31), (1 << 31) - 1))
names = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=6)


@given(
    st.lists(word, max_size=30),
    st.lists(st.tuples(st.integers(0, 7), st.integers(-1, 31)), max_size=5),
    st.binary(max_size=12),
    st.binary(max_size=12),
    st.lists(names, max_size=4),
    st.lists(st.tuples(names, st.integers(0, (1 << 32) - 1)), max_size=3),
    st.sampled_from([81, 83, 90, 95]),
)
def test_any_script_survives_assembly(
    words: list[int],
    fixups: list[tuple[int, int]],
    strings: bytes,
    data: bytes,
    imports: list[str],
    exports: list[tuple[str, int]],
    version: int,
) -> None:
    script = Script(
        version=version,
        code=code(*words),
        fixup_types=bytes(kind for kind, _ in fixups),
        fixup_positions=[position for _, position in fixups],
        strings=strings,
        global_data=data,
        imports=imports,
        exports=[Export(*export) for export in exports],
    )
    stored = script.to_bytes()
    found, _ = read_script(stored)
    assert found.to_bytes() == stored
    assert assemble(disassemble(found)).to_bytes() == stored


def test_every_directive_of_assembly() -> None:
    text = """
.script 95
.strings
    s0: "ab" unterminated
    sx: "c"
.imports 2
    0: "a"
    1: "a"
.exports
    other "x" 4294967295
    data "y" 7
    function "z" 1
.sections
    "s" 1
    "t" L1
.fixups
    5 0
    255 -1
.extension "a" 0 61000000000000000000000000000000
    0102
    03
.extension "1" 7 -
.code
    .word 4294967295
L1:
    push r9
    movl ax, @stack 5
    movl ax, @import 1
    movl ax, @import "a"
    movl ax, @string sx+1
    movl ax, @string 0
    jzi L1
    jmpi -3
    movl ax, 0x80000000
"""
    script = assemble(text)
    assert script.strings == b"abc\0" and script.imports == ["a", "a"]
    assert [(e.name, e.address) for e in script.exports] == [
        ("x", 0xFFFFFFFF), ("y", 2 << 24 | 7), ("z", 1 << 24 | 1)
    ]  # fmt: skip
    assert [(s.name, s.offset) for s in script.sections] == [("s", 1), ("t", 1)]
    assert list(script.fixup_types) == [5, 255] and script.fixup_positions == [0, -1]
    assert [(b.id, b.data) for b in script.extensions] == [("a", b"\1\2\3"), (7, b"")]
    assert script.words == (
        -1, 29, 9, 6, 3, 5, 6, 3, 1, 6, 3, 0, 6, 3, 3, 6, 3, 0, 28, -19, 31, -3, 6, 3, -(1 << 31),
    )  # fmt: skip
    assert assemble(disassemble(script)).to_bytes() == script.to_bytes()


def test_every_instruction_has_a_name_of_its_own() -> None:
    assert len(BY_NAME) == len(OPCODES) == 76
    assert set(OPCODES) == set(range(1, 77))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected .script"),
        ("ret", "expected a directive"),
        (".script x", "expected a number"),
        (".script 90\n.code\n    fly ax", "unknown instruction fly"),
        (".script 90\n.code\n    mov ax", "expected 2 operands"),
        (".script 90\n.code\n    ret ax", "too many operands"),
        (".script 90\n.code\n    jmpi L5", "unknown label L5"),
        (".script 90\n.code\n    push zx", "unknown register"),
        (".script 90\n.code\n    movl ax, @string s9", "unknown string s9"),
        ('.script 90\n.code\n    movl ax, @import "f"', "unknown import"),
        (".script 90\n.code\nL1:\nL1:", "duplicate label"),
        ('.script 90\n.strings\n    s0: "a\\q"', "not a valid escape"),
        (".script 90\n.strings\n    s0: a", "double quotes"),
        (".script 90\n.data 99999999999", "32 bits"),
        (".script 90\n.data 2\n    0: 01 02 03", "outside the data"),
        (".script 90\n.wings", "unknown directive"),
        (".script 90\n5", "expected a directive"),
        (".script 90 1", "expected one number"),
        (".script 90\n.script 90", "duplicate directive .script"),
        (".script 90\n.data -1", "not a valid size"),
        (".script 90\n.data 16777217", "not a valid size"),
        (".script 90\n.data 2\n    1: 01 02", "outside the data"),
        (".script 90\n.data 2\n    -1: 01", "outside the data"),
        (".script 90\n.data 2\n    0: 0x", "hexadecimal"),
        ('.script 90\n.strings\n    s0 "a"', "expected  label"),
        ('.script 90\n.strings\n    s0: "a" "b" "c"', "expected  label"),
        ('.script 90\n.strings\n    s0: "a" ended', "unexpected ended"),
        ('.script 90\n.strings\n    s0: "a"\n    s0: "b"', "duplicate string label s0"),
        ('.script 90\n.imports 2\n    2: "a"', "unknown import slot 2"),
        ('.script 90\n.imports 2\n    -1: "a"', "unknown import slot -1"),
        ('.script 90\n.imports 2\n    1: "a" 5', "expected  slot"),
        ('.script 90\n.exports\n    thing "a" L0', "expected  function"),
        ('.script 90\n.exports\n    data "a"', "expected  function"),
        ('.script 90\n.exports\n    function "a" L0', "unknown label L0"),
        ('.script 90\n.sections\n    "a"', 'expected  "name" place'),
        ('.script 90\n.sections\n    "a" L0', "unknown label L0"),
        (".script 90\n.fixups\n    1", "expected  type"),
        (".script 90\n.fixups\n    256 0", "fixup type: 256"),
        (".script 90\n.fixups\n    -1 0", "fixup type: -1"),
        ('.script 95\n.extension "a" 0', "expected an id"),
        ('.script 95\n.extension "a" 0 6x', "hexadecimal"),
        (".script 90\n.code\n    movl ax, @data", "expected a target after @data"),
        (".script 90\n.code\n    movl ax, @function L1", "unknown label L1"),
        (".script 90\n.code\n    movl ax, 4294967296", "32 bits"),
        (".script 90\n.code\n    movl ax, -2147483649", "32 bits"),
        (".script 90\n.code\n    .word", "expected 1 operands"),
        (".script 90\n.code\n    .word 1 2", "too many operands"),
    ],
)
def test_errors_name_the_line(text: str, message: str) -> None:
    with pytest.raises(SourceError, match=message) as caught:
        assemble(text, name="room.asm")
    assert caught.value.name == "room.asm"
    assert caught.value.line == len(text.splitlines()) or not text


def test_bad_scripts_are_refused() -> None:
    data = assemble(SMALL).to_bytes()
    with pytest.raises(FormatError, match="expected SCOM"):
        read_script(b"SCAM" + data[4:])
    with pytest.raises(UnsupportedVersion):
        read_script(data[:4] + (96).to_bytes(4, "little") + data[8:])
    with pytest.raises(FormatError, match="end"):
        read_script(data[:-1] + b"\0")
    for size in range(len(data)):
        with pytest.raises(FormatError):
            read_script(data[:size])
