"""ds strings as text: every structure, generation and element, both ways."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from overhaul.errors import EncodeError, FormatError
from overhaul.gamemaker import ds
from present import instance

# The worked example of the format's first description: random = 4, 3.14 = "pi", universe = 42.
EXAMPLE = (
    "92010000"  # 402: a map of generation 2
    "03000000"  # entries
    "01000000" "06000000" "72616E646F6D"  # "random"
    "00000000" "0000000000001040"  # 4
    "00000000" "1F85EB51B81E0940"  # 3.14
    "01000000" "02000000" "7069"  # "pi"
    "01000000" "08000000" "756E697665727365"  # "universe"
    "00000000" "0000000000004540"  # 42
)  # fmt: skip

ONE = "00000000000000000000F03F"  # the element 1.0
TWO = "000000000000000000000040"  # the element 2.0
LETTER = "010000000100000061"  # the element "a"

WELL_FORMED = {
    "stack 103": "67000000" "02000000" + ONE + LETTER,
    "stack 102": "66000000" "01000000" + ONE,
    "empty stack": "6700000000000000",
    "list 303": "2F010000" "02000000" + ONE + LETTER,
    "list 302": "2E010000" "01000000" + LETTER,
    "empty list": "2F01000000000000",
    "map 403": "93010000" "01000000" + LETTER + TWO,
    "priority 503": "F7010000" "02000000" + ONE + TWO + LETTER + LETTER,
    "grid 603": "5B020000" "02000000" "01000000" + ONE + TWO,
    "grid of no cells": "5B020000" "00000000" "05000000",
    "queue 203, native": "CB000000" "02000000" "01000000" "04000000" + ONE + LETTER + TWO + TWO,
    "queue 203, browser": "CB000000" "02000000" "00000000" "02000000" + ONE + LETTER,
    "empty queue": "CB000000" + "00000000" * 3,
    "undefined": "2F010000" "02000000" "05000000" "05000000",
    "int32": "2F010000" "01000000" "07000000" "FFFFFFFF",
    "int64": "2F010000" "01000000" "0A000000" "FFFFFFFFFFFFFF7F",
    "booleans": "2F010000" "02000000" "0D000000000000000000F03F" "0D0000000000000000000000",
    "a boolean of 2": "2F010000" "01000000" "0D0000000000000000000040",
    "a boolean of -0": "2F010000" "01000000" "0D0000000000000000000080",
    "pointer": "2F010000" "01000000" "03000000" "EFBEADDE00000000",
    "reference": "2F010000" "02000000" "0F0000004188010000000000" "0F0000003F88010000000000",
    "reference of 4 bytes": "2F010000" "02000000" "0F00000041880100" "0F0000003F880100",
    "marked": "2E010000" "02000000" "00000040" "00000080",
    "marked, with reals": "2E010000" "02000000" "000000400000000000000040" "00000080" + ONE[8:],
    "array": "2F010000" "01000000" "02000000" "02000000" + ONE + "0200000000000000",
    "array of generation 2": "2E010000" "01000000" "02000000" "01000000" "01000000" + ONE,
    "two rows": "2E010000" "01000000" "02000000" "02000000" "01000000" + ONE + "00000000",
    "undefined in an array": "2F010000" "01000000" "02000000" "02000000" "05000000" "05000000",
    "undefined in a row": "2E010000" "01000000" "02000000" "01000000" "01000000" "05000000",
    "no row": "2E010000" "01000000" "02000000" "00000000",
    "a NaN of its own": "2F010000" "01000000" "00000000" "010203040506F87F",
    "infinities": "2F010000" "02000000" "00000000000000000000F07F" "00000000000000000000F0FF",
    "-0": "2F010000" "01000000" "00000000" "0000000000000080",
    "no text": "2F010000" "01000000" "01000000" "03000000" "FF00ED",
    "repeated keys": "93010000" "02000000" + LETTER + ONE + LETTER + TWO,
    "true and 1 as keys": "93010000" "02000000" "0D000000000000000000F03F" + ONE + ONE + TWO,
    "an array as key": "93010000" "01000000" "02000000" "00000000" + ONE,
    "bytes after the end": "2F010000" "00000000" "CAFE",
    "a line end": "2F010000" "00000000\r\n",
    "half a byte after the end": "2F010000" "00000000" "C",
    "lower case": "2f010000" "00000000" "cafe",
    "mixed case": "2F010000" "00000000" "cAfE",
    # generation 1: tag, real, length, string for every element
    "list 301": "2D010000" "02000000"
    "00000000" "000000000000F03F" "00000000"
    "01000000" "0000000000000000" "01000000" "61",
    "map 401": "91010000" "01000000"
    "01000000" "0000000000000000" "01000000" "61"
    "00000000" "0000000000000040" "00000000",
    "priority 501": "F5010000" "01000000" + "00" * 16 + "00" * 16,
    "grid 601": "59020000" "01000000" "01000000" + "00" * 16,
    "stack 101": "65000000" "00000000",
    "unused halves": "2D010000" "02000000"
    "00000000" "000000000000F03F" "01000000" "61"
    "01000000" "000000000000F03F" "00000000",
}  # fmt: skip


@pytest.mark.parametrize("text", WELL_FORMED.values(), ids=WELL_FORMED)
def test_every_form_comes_back(text: str) -> None:
    assert ds.dumps(ds.loads(text)) == text
    assert ds.dumps(ds.loads(text, nested=True)) == text


@pytest.mark.parametrize("text", WELL_FORMED.values(), ids=WELL_FORMED)
def test_every_form_comes_back_from_json(text: str) -> None:
    written = ds.json_text(ds.to_json(ds.loads(text)))
    assert ds.dumps(ds.from_json(ds.parse_json(written))) == text


@pytest.mark.parametrize("text", WELL_FORMED.values(), ids=WELL_FORMED)
def test_bytes_behind_the_text(text: str) -> None:
    digits = text.strip()
    data = bytes.fromhex(digits[: len(digits) // 2 * 2])
    assert ds.encode_bytes(ds.decode_bytes(data)) == data


def test_the_worked_example() -> None:
    value = ds.loads(EXAMPLE)
    assert isinstance(value, ds.DsMap)
    assert value.generation == 2
    assert list(value.items()) == [("random", 4.0), (3.14, "pi"), ("universe", 42.0)]
    made = ds.DsMap([("random", 4), (3.14, "pi"), ("universe", 42)])
    assert ds.dumps(made, generation=2) == EXAMPLE


def element(tag: int, payload: bytes = b"", generation: int = 3) -> object:
    data = struct.pack("<III", 300 + generation, 1, tag) + payload
    value = ds.decode_bytes(data)
    assert isinstance(value, ds.DsList)
    assert value.trailing == b""
    return value[0]


def test_what_elements_become() -> None:
    assert element(0, struct.pack("<d", 2.5)) == 2.5
    assert element(1, b"\2\0\0\0\xc3\xa9") == "é"
    assert element(1, b"\2\0\0\0\xc3\x28") == b"\xc3\x28"
    assert element(5) is None
    assert element(13, struct.pack("<d", 1)) is True
    assert element(13, struct.pack("<d", 0)) is False
    strange = element(13, struct.pack("<d", 2))
    assert type(strange) is ds.Boolean and strange == 2.0
    for tag, layout, kind in (3, "<Q", ds.Pointer), (7, "<i", ds.Int32), (10, "<q", ds.Int64):
        value = element(tag, struct.pack(layout, 77))
        assert type(value) is kind and value == 77
    assert element(15, struct.pack("<Q", 100417)) == ds.Reference(100417)
    assert element(15, struct.pack("<I", 100417)) == ds.Reference(100417, size=4)
    assert element(1 << 30, generation=2) == ds.Mark("list")
    assert element(1 << 31, generation=2) == ds.Mark("map")
    assert element(2, struct.pack("<IId", 1, 0, 9.0)) == [9.0]
    assert element(2, struct.pack("<IIId", 1, 1, 0, 9.0), generation=2) == [9.0]
    rows = element(2, struct.pack("<IIIdI", 2, 1, 0, 9.0, 0), generation=2)
    assert type(rows) is ds.Rows and rows == [[9.0], []]


def list_of(text: str, encoding: str = "utf-8") -> ds.DsList:
    return instance(ds.DsList, ds.loads(text, encoding=encoding))


REFERENCE = "0F00000041880100"  # of 4 bytes
REAL_MARK = "000000400000000000000040"  # a mark with the real 2.0


@pytest.mark.parametrize(
    ("elements", "expected"),
    [
        (["00000040", "00000080"], [ds.Mark("list"), ds.Mark("map")]),
        (
            [REAL_MARK, "00000080000000000000F03F"],
            [ds.Mark("list", 2.0), ds.Mark("map", 1.0)],
        ),
        ([REFERENCE, ONE], [ds.Reference(0x18841, 4), 1.0]),
        ([REFERENCE + "00000000", ONE], [ds.Reference(0x18841, 8), 1.0]),
        ([REFERENCE, "00000040", ONE], [ds.Reference(0x18841, 4), ds.Mark("list"), 1.0]),
        ([REFERENCE, REAL_MARK], [ds.Reference(0x18841, 4), ds.Mark("list", 2.0)]),
        (
            [REFERENCE + "00000000", REAL_MARK, ONE],
            [ds.Reference(0x18841, 8), ds.Mark("list", 2.0), 1.0],
        ),
    ],
)
def test_the_sizes_of_references_and_marks_are_those_that_fit(
    elements: list[str], expected: list[object]
) -> None:
    text = "2E010000" + f"{len(elements):02X}000000" + "".join(elements)
    result = instance(ds.DsList, ds.loads(text))
    assert list(result) == expected
    assert result.trailing == b""
    assert ds.dumps(result) == text


def test_text_that_an_encoding_would_write_otherwise_is_kept_as_bytes() -> None:
    """Two pairs of bytes of cp932 are the same letter."""
    usual, other = b"\x81\xca", b"\xee\xf9"
    texts = ["0100000002000000" + item.hex().upper() for item in (usual, other)]
    text = "2F01000002000000" + "".join(texts)
    result = ds.loads(text, encoding="cp932")
    assert list(instance(ds.DsList, result)) == ["\uffe2", other]
    assert ds.dumps(result) == text


def test_what_has_no_form_in_base64_is_named_by_its_end() -> None:
    made = ds.DsList([])
    made.base64 = "a" * 18 + "b\u20ac"
    with pytest.raises(EncodeError, match=f"'{'a' * 18}b\u20ac' has no form in base64"):
        ds.dumps(made)


def test_generation_1_keeps_the_unused_half() -> None:
    value = instance(ds.DsList, ds.loads(WELL_FORMED["unused halves"]))
    assert value == [ds.Legacy(0, 1.0, "a"), ds.Legacy(1, 1.0, "")]
    assert [instance(ds.Legacy, item).value for item in value] == [1.0, ""]


def test_other_encodings() -> None:
    text = "2D0100000100000001000000000000000000000002000000E4FC"
    assert list_of(text) == [b"\xe4\xfc"]
    german = list_of(text, encoding="cp1252")
    assert german == ["äü"]
    assert ds.dumps(german) == text
    undefined = list_of(text.replace("E4FC", "8181"), encoding="cp1252")
    assert undefined == [b"\x81\x81"]
    with pytest.raises(LookupError):
        ds.loads(text, encoding="no such thing")


def test_plain_values() -> None:
    assert ds.dumps({"gem": 1}, generation=2) == ("9201000001000000010000000300000067656D" + ONE)
    assert ds.dumps([1, "a"]) == WELL_FORMED["list 303"]
    assert ds.dumps([1, "a"], generation=1) == WELL_FORMED["list 301"]
    assert list_of(ds.dumps([True, None, 2**60, [1, [2]]])) == [True, None, 2**60, [1.0, [2.0]]]
    assert list_of(ds.dumps([[1, 2]], generation=2)) == [[1.0, 2.0]]
    assert list_of(ds.dumps([True], generation=1)) == [1.0]
    inner = ds.dumps({"x": 1})
    assert ds.dumps({"inner": {"x": 1}}) == ds.dumps({"inner": inner})
    read = instance(ds.DsMap, ds.loads(ds.dumps({"inner": {"x": 1}}), nested=True))
    assert read == {"inner": {"x": 1.0}}


def test_generations_convert() -> None:
    value = ds.loads(EXAMPLE)
    old = ds.dumps(value, generation=1)
    assert old.startswith("91010000")
    assert ds.loads(old) == value
    assert ds.dumps(ds.loads(old), generation=2) == EXAMPLE


@pytest.mark.parametrize(
    ("value", "generation", "words"),
    [
        ([None], 1, "list[0]: generation 1 has no form for None"),
        ([[1]], 1, "list[0]: generation 1 has no form for"),
        ({"a": object()}, 3, "map[1]: a ds string can't hold a object"),
        ([ds.Int32(1 << 40)], 3, "does not fit"),
        ([1 << 80], 3, "does not fit"),
        ([ds.Mark("set")], 2, "list or map"),
        (["\ud800"], 3, "list[0]: not text in utf-8"),
        ([1], 4, "expected generation 1, 2 or 3"),
        ("text", 3, "neither a ds structure nor a collection"),
        (7, 3, "neither a ds structure nor a collection"),
    ],
)
def test_what_has_no_form(value: object, generation: int, words: str) -> None:
    with pytest.raises(EncodeError) as caught:
        ds.dumps(value, generation=generation)  # type: ignore[arg-type]
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("text", "offset", "path"),
    [
        ("", 0, ""),
        ("hello", 0, ""),
        ('{"a": 1}', 0, ""),
        ("2F0100", 6, ""),
        ("30010000" "00000000", 0, ""),
        ("2F010000", 8, "list"),
        ("2F010000" "FFFFFFFF", 8, "list"),
        ("2F010000" "02000000" + ONE, 40, "list[1]"),
        ("2F010000" "02000000" + ONE + "01000000" "09000000" "61", 48, "list[1]"),
        ("2F010000" "01000000" "04000000" + "00" * 8, 16, "list[0]"),
        ("93010000" "01000000" + LETTER + "FF000000", 34, "map[0].value"),
        ("2D010000" "01000000" "02000000" + "00" * 12, 16, "list[0]"),
        ("5B020000" "FFFFFFFF" "FFFFFFFF", 16, "grid"),
        ("CB000000" "01000000" "02000000" "00000000", 8, "queue"),
        ("2F010000" "01000000" "02000000" "01000000" "02000000" "FFFFFFFF", 40, "list[0][0]"),
        ("2F01000Z" "01000000", 6, ""),
        # an array of two rows, the second of which ends early
        ("2E010000" "01000000" "02000000" "02000000" "01000000" + ONE + "01000000", 64,
         "list[0][1]"),
    ],
)  # fmt: skip
def test_faults_name_their_place(text: str, offset: int, path: str) -> None:
    with pytest.raises(FormatError) as caught:
        ds.loads(text)
    assert (caught.value.offset, caught.value.path) == (offset, path)


def test_deep_arrays_end() -> None:
    text = "2F01000001000000" + "0200000001000000" * 5000
    with pytest.raises(FormatError, match="deep"):
        ds.loads(text)
    deep: list[object] = []
    for _ in range(5000):
        deep = [deep]
    with pytest.raises(EncodeError, match="deep"):
        ds.dumps(deep)


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "save.txt"
    path.write_bytes(EXAMPLE.encode() + b"\r\n\xff")
    value = ds.load(path)
    assert value.rest == "\r\n\xff"
    ds.dump(value, path, force=True)
    assert path.read_bytes() == EXAMPLE.encode() + b"\r\n\xff"
    with pytest.raises(FileExistsError):
        ds.dump(value, path)
    path.write_text("nothing of the kind")
    with pytest.raises(FormatError) as caught:
        ds.load(path)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("lead", "rest"),
    [
        (" ", " "),
        ('"', '"'),
        ("'", "'\n"),
        ("\ufeff", "\r\n"),
        ("\xef\xbb\xbf", "\n"),
        ("\n\t", ""),
    ],
)
def test_what_stands_around_the_digits_is_kept(lead: str, rest: str, tmp_path: Path) -> None:
    text = lead + ds.dumps({"gold": 5}) + rest
    value = ds.loads(text)
    assert (value.lead, value.rest) == (lead, rest)
    assert ds.dumps(value) == text
    assert ds.dumps(ds.from_json(ds.to_json(value))) == text
    ds.dump(value, tmp_path / "save.txt")
    encoding = "utf-8" if "\ufeff" in lead else "latin-1"
    assert (tmp_path / "save.txt").read_bytes() == text.encode(encoding)
