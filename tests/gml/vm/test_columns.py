"""Encoding: known words both ways, the old numbering, and what is refused."""

from __future__ import annotations

import struct
from dataclasses import fields
from random import Random

import numpy as np
import pytest

from overhaul import gml
from overhaul.errors import EncodeError, FormatError
from overhaul.gml.vm import columns as vm_columns
from overhaul.gml.vm.columns import (
    Columns,
    decode,
    encode,
    is_branch,
    is_call,
    is_integer_push,
    is_pushref,
    is_string_push,
    is_variable,
    unreadable,
)
from overhaul.gml.vm.linking import Tables, concatenate
from overhaul.gml.vm.opcodes import POPENV_DROP, Opcode
from overhaul.gml.vm.registration import function_order, string_order, variable_order
from overhaul.gml.vm.rows import to_columns


def words(*numbers: int) -> bytes:
    return struct.pack(f"<{len(numbers)}I", *numbers)


# Text, and the words of it (bytecode 15+; chain words without their distances).
ENCODINGS = [
    ("pushi.e 5", [0x840F0005]),
    ("pushi.e -1", [0x840FFFFF]),
    ("push.e 1", [0xC00F0001]),
    ("push.v self.hits", [0xC005FFFF, 0xA0000000]),
    ("pushloc.v local.i", [0xC105FFF9, 0xA0000000]),
    ("pushglb.v global.score", [0xC205FFFB, 0xA0000000]),
    ("pushbltn.v builtin.room", [0xC305FFFA, 0xA0000000]),
    ("push.v [array]self.slots", [0xC0050000, 0x00000000]),
    ("push.v [stacktop]self.slots", [0xC0050000, 0x80000000]),
    ("push.v 37.[instance]self.x", [0xC0050025, 0xE0000000]),
    ("push.v [arraypushaf]self.grid", [0xC0050000, 0x10000000]),
    ("push.v [arraypopaf]self.grid", [0xC0050000, 0x90000000]),
    ("pop.v.v self.hits", [0x4555FFFF, 0xA0000000]),
    ("pop.v.i [stacktop]self.hp", [0x45250000, 0x80000000]),
    ("pop.e.v 5", [0x455F0005]),
    ("add.i.v", [0x0C520000]),
    ("conv.i.v", [0x07520000]),
    ("cmp.i.v LT", [0x15520100]),
    ("popenv <drop>", [0xBBF00000]),
    ("b $-7", [0xB67FFFF9]),
    ("bf $12", [0xB800000C]),
    ("call.i f(argc=2)", [0xD9020002, 0x00000000]),
    ("callv.v 1", [0x99050001]),
    ("dup.i 1", [0x86020001]),
    ("dup.v 1 8", [0x86058801]),
    ("dup.i 4 48", [0x8602B004]),
    ("popz.v", [0x9E050000]),
    ("ret.v", [0x9C050000]),
    ("exit.i", [0x9D020000]),
    ("not.b", [0x12040000]),
    ("push.d 0.5", [0xC0000000, 0x00000000, 0x3FE00000]),
    ("push.i 70000", [0xC0020000, 70000]),
    ("push.i -2", [0xC0020000, 0xFFFFFFFE]),
    ("push.l -3", [0xC0030000, 0xFFFFFFFD, 0xFFFFFFFF]),
    ("push.i [function]f", [0xC0020000, 0x00000000]),
    ("chkindex.e", [0xFF0FFFFF]),
    ("chknullish.e", [0xFF0FFFF6]),
    ("pushref.i 16777219", [0xFF02FFF5, 0x01000003]),
]


def columns_of(text: str) -> Columns:
    code = gml.assemble(text)
    tables = Tables(
        gml.Dialect(),
        variable_order([code], gml.Dialect()),
        {name: at for at, name in enumerate(function_order([code]))},
        {name: at for at, name in enumerate(string_order([code], gml.Dialect()))},
    )
    return to_columns(code.instructions, tables.numbers(0))[0]


@pytest.mark.parametrize(("text", "expected"), ENCODINGS, ids=[text for text, _ in ENCODINGS])
def test_known_encodings(text: str, expected: list[int]) -> None:
    columns = columns_of(text)
    assert encode(columns, 17).hex(" ", 4) == words(*expected).hex(" ", 4)
    again = decode(words(*expected), 17)
    for name in ("offset", "opcode", "type1", "type2", "value", "operand", "size"):
        assert getattr(again, name).tolist() == getattr(columns, name).tolist(), name


def test_a_blob_of_everything_decodes_at_once() -> None:
    parts = [words(*numbers) for _, numbers in ENCODINGS]
    columns = decode(b"".join(parts), 17)
    assert len(columns) == len(ENCODINGS)
    assert encode(columns, 17) == b"".join(parts)
    joined = concatenate([decode(part, 17) for part in parts])
    assert joined.offset.tolist() == columns.offset.tolist()
    assert joined.operand.tolist() == columns.operand.tolist()
    first = len(parts[0]) + len(parts[1])
    assert columns.entry(first, len(parts[2])).opcode.tolist() == [Opcode.PUSH]


def test_masks() -> None:
    columns = decode(b"".join(words(*numbers) for _, numbers in ENCODINGS), 17)
    texts = [text for text, _ in ENCODINGS]

    def named(mask: np.ndarray) -> set[str]:
        return {texts[at] for at in np.flatnonzero(mask)}

    assert named(is_branch(columns)) == {"popenv <drop>", "b $-7", "bf $12"}
    assert named(is_call(columns)) == {"call.i f(argc=2)"}
    assert named(is_pushref(columns)) == {"pushref.i 16777219"}
    assert named(is_string_push(columns)) == set()
    assert named(is_integer_push(columns)) == {
        "push.i 70000", "push.i -2", "push.i [function]f",
    }  # fmt: skip
    assert named(is_variable(columns)) == {
        text for text, numbers in ENCODINGS if len(numbers) == 2 and ".v" in text.split(" ")[0]
    } | {"pop.v.i [stacktop]self.hp"}


OLD = [
    ([0x03520000], Opcode.CONV, 0),
    ([0x08520000], Opcode.ADD, 0),
    ([0x11520000], Opcode.CMP, 1),
    ([0x16520000], Opcode.CMP, 6),
    ([0x41550000, 0xA0000000], Opcode.POP, 0),
    ([0x82020001], Opcode.DUP, 1),
    ([0x9D050000], Opcode.RET, 0),
    ([0x9E020000], Opcode.EXIT, 0),
    ([0x9F050000], Opcode.POPZ, 0),
    ([0xB7FFFFF9], Opcode.B, -7),
    ([0xB8000005], Opcode.BT, 5),
    ([0xB9000005], Opcode.BF, 5),
    ([0xBB000004], Opcode.PUSHENV, 4),
    ([0xBCFFFFFC], Opcode.POPENV, -4),
    ([0xBCF00000], Opcode.POPENV, POPENV_DROP),
    ([0xC00F0007], Opcode.PUSH, 7),
    ([0xDA020002, 0x00000010], Opcode.CALL, 2),
    ([0xFF0FFFFF], Opcode.BREAK, -1),
]


@pytest.mark.parametrize(("numbers", "opcode", "value"), OLD)
def test_old_numbering(numbers: list[int], opcode: int, value: int) -> None:
    columns = decode(words(*numbers), 14)
    assert columns.opcode.tolist() == [opcode]
    assert columns.value.tolist() == [value]
    assert encode(columns, 14) == words(*numbers)


@pytest.mark.parametrize("number", [0x00000000, 0x01020304, 0xC4050000, 0xC0070000, 0x0C720000])
def test_unknown_words_are_refused_with_their_offset(number: int) -> None:
    with pytest.raises(FormatError) as caught:
        decode(words(0x9D020000, number, 0x9D020000), 17)
    assert caught.value.offset == 4


@pytest.mark.parametrize("data", [words(0xC0000000), words(0xC0000000, 1), words(0xD9020001)])
def test_cut_operands_are_refused(data: bytes) -> None:
    with pytest.raises(FormatError, match="cut off") as caught:
        decode(data, 17)
    assert caught.value.offset == 0


def test_half_a_word_is_refused() -> None:
    with pytest.raises(FormatError, match="whole words"):
        decode(words(0x9D020000)[:3], 17)


def test_an_instruction_does_not_reach_over_an_entry() -> None:
    data = words(0xC0020000, 0x840F0001, 0x9D020000)
    assert len(decode(data, 17)) == 2
    with pytest.raises(FormatError, match="code entry"):
        decode(data, 17, entries=[0, 4])
    with pytest.raises(FormatError, match="outside"):
        decode(data, 17, entries=[0, 400])


def test_starts_are_found_behind_operands_that_look_like_instructions() -> None:
    # Long runs in which no word is certain: doubles whose halves look like pushes of doubles.
    data = words(*[0xC0000000] * 3 * 500)
    columns = decode(data, 17)
    assert len(columns) == 500
    assert encode(columns, 17) == data


@pytest.mark.parametrize("seed", range(20))
def test_code_is_decoded_in_parts_as_it_is_at_once(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Operands that look like instructions, bits that nothing reads, and damage, anywhere."""
    random = Random(seed)
    known = [number for _, numbers in ENCODINGS for number in numbers if number]
    code = [random.choice(known) for _ in range(5)]
    for _ in range(60):
        code += random.choice(ENCODINGS)[1]
        if random.random() < 0.1:
            code += [0xC0020000, random.choice(known)]  # an operand that may be anything
    code[random.randrange(len(code))] |= random.choice((0, 0, 0x00800000, 0x20))
    data = words(*code)

    def made() -> list[object]:
        try:
            columns = decode(data, 17)
        except FormatError as error:
            return [error.message, error.offset]
        assert encode(columns, 17) == data
        arrays = [getattr(columns, each.name) for each in fields(columns)]
        return [array if array is None else (array.dtype, array.tolist()) for array in arrays]

    at_once = made()
    for size in (1, 2, 3, 7, 64):
        monkeypatch.setattr(vm_columns, "_BLOCK", size)
        assert made() == at_once


def test_a_chain_through_words_that_cannot_be_read_is_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    columns = unreadable(words(0xFFFFFFFF, 5, 0x9D020000))
    columns.operand[0] = 0x1234  # it is the next word
    for size in (1, 2, 64):
        monkeypatch.setattr(vm_columns, "_BLOCK", size)
        assert encode(columns, 17) == words(0xFFFFFFFF, 0x1234, 0x9D020000)


def test_bits_that_nothing_reads_are_kept() -> None:
    data = words(0x15520103, 0xB6800001, 0x9D020000)
    columns = decode(data, 17)
    assert columns.residue is not None
    assert columns.residue.tolist() == [3, 0x800000, 0]
    assert columns.value.tolist() == [1, 1, 0]
    assert encode(columns, 17) == data
    part = columns.rows(1, 2)
    assert encode(part, 17) == words(0xB6800001)


@pytest.mark.parametrize("text", ["b $4194303", "b $-4194304"])
def test_the_longest_branches(text: str) -> None:
    columns = columns_of(text)
    assert decode(encode(columns, 17), 17).value.tolist() == columns.value.tolist()


def test_values_that_do_not_fit_are_refused() -> None:
    columns = columns_of("b $4")
    columns.value[0] = 1 << 22
    with pytest.raises(EncodeError, match="no encoding"):
        encode(columns, 17)
    assert encode(columns, 14) == words(0xB7400000)
    columns = columns_of("callv.v 1")
    with pytest.raises(EncodeError, match="callv"):
        encode(columns, 14)
    columns = columns_of("pushi.e 1")
    columns.value[0] = 40000
    with pytest.raises(EncodeError, match="40000"):
        encode(columns, 17)


def test_nothing_decodes_to_nothing() -> None:
    columns = decode(b"", 17)
    assert len(columns) == 0
    assert encode(columns, 17) == b""
