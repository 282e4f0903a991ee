"""Bytes ↔ structures: the layout behind the hexadecimal digits.

A structure is a magic number (hundreds: which structure; last digit: the generation), its counts
and its elements.  From generation 2 an element is a tag and the payload that :data:`SCALARS` and
the two methods next to it give; in generation 1 every element has the same four fields.
All integers are 32-bit, everything is little-endian.

Facts: specs/gamemaker-ds.md, from YoYoGames/GameMaker-HTML5 (Apache-2.0), the maker's own test
projects and OpenGMK's runner for generation 1.
"""

from __future__ import annotations

import base64
import binascii
import struct
from collections.abc import Callable, Iterable, Mapping
from itertools import chain
from typing import NamedTuple, cast

from overhaul.errors import EncodeError, FormatError
from overhaul.gamemaker.ds.structures import (
    Boolean,
    DsGrid,
    DsList,
    DsMap,
    DsPriority,
    DsQueue,
    DsStack,
    Int32,
    Int64,
    Legacy,
    Mark,
    Pointer,
    Prioritized,
    Reference,
    Rows,
    Structure,
    Value,
)

MAGIC = {"stack": 100, "queue": 200, "list": 300, "map": 400, "priority": 500, "grid": 600}
GENERATIONS = (1, 2, 3)
KINDS = {
    base + generation: (kind, generation)
    for kind, base in MAGIC.items()
    for generation in GENERATIONS
}

REAL, STRING, ARRAY, UNDEFINED, BOOLEAN, REFERENCE = 0, 1, 2, 5, 13, 15
MARKS = {0x4000_0000: "list", 0x8000_0000: "map"}

MAXIMUM_DEPTH = 64  # of arrays in arrays
MAXIMUM_NESTING = 16  # of strings in strings; each level takes twice the room
LARGEST_NESTED = 32 << 20  # bytes of a structure in a string


class Scalar(NamedTuple):
    """How an integer type is stored: its tag, its layout and its Python class."""

    tag: int
    layout: struct.Struct
    type: type[int]


SCALARS = (
    Scalar(3, struct.Struct("<Q"), Pointer),
    Scalar(7, struct.Struct("<i"), Int32),
    Scalar(10, struct.Struct("<q"), Int64),
)
_BY_TAG = {scalar.tag: scalar for scalar in SCALARS}
_BY_TYPE = {scalar.type: scalar for scalar in SCALARS}

_U32 = struct.Struct("<I")
_F64 = struct.Struct("<d")
_TAGGED_REAL = struct.Struct("<Id")
_TAGGED_LENGTH = struct.Struct("<II")
_LEGACY = struct.Struct("<IdI")
_NO = _F64.pack(0.0)
_YES = _F64.pack(1.0)

Where = Callable[[int], str]  # names the n-th element for an error's path


# ---------------------------------------------------------------------------------- reading


def decode_bytes(data: bytes, *, encoding: str = "utf-8") -> Structure:
    """Read a structure from its bytes (the string's digits, taken in pairs).

    Strings become ``str`` where they are text in ``encoding``, else ``bytes``.  Bytes after the
    last element are kept in ``trailing``.  FormatError: not a ds structure, or one that ends
    early, with the byte's offset and the element's path.
    """
    b"".decode(encoding)  # a LookupError for an unknown name comes now, not in the middle
    first = _StructureReader(data, encoding)
    failure: FormatError | None = None
    result: Structure | None = None
    try:
        result = first.structure()
    except FormatError as error:
        failure = error
    if result is None or result.trailing:
        # No source says the size of two kinds of element; where the likelier one doesn't fit
        # the string to its end, one that does is right.  A wrong size may hide the other kind.
        tried, waiting = {first.sizes}, first.other_sizes()
        while waiting:
            sizes = waiting.pop(0)
            if sizes in tried:
                continue
            tried.add(sizes)
            reader = _StructureReader(data, encoding, *sizes)
            try:
                other = reader.structure()
            except FormatError:
                other = None
            if other is not None and not other.trailing:
                return other
            waiting += reader.other_sizes()
    if result is None:
        assert failure is not None
        raise failure
    return result


class _StructureReader:
    """A position in a structure's bytes."""

    def __init__(
        self, data: bytes, encoding: str, reference_size: int = 8, mark_size: int = 0
    ) -> None:
        self.data = data
        self.encoding = encoding
        self.exact = encoding.lower().replace("_", "-") in ("utf-8", "utf8")
        self.position = 0
        self.generation = 0
        self.depth = 0
        self.sizes = (reference_size, mark_size)
        self.saw_reference = self.saw_mark = False

    def other_sizes(self) -> list[tuple[int, int]]:
        """Other payload sizes worth trying, given the tags that were met."""
        references = (8, 4) if self.saw_reference else (8,)
        marks = (0, 8) if self.saw_mark else (0,)
        pairs = [(reference, mark) for reference in references for mark in marks]
        return [pair for pair in pairs if pair != self.sizes]

    def u32(self) -> int:
        if self.position + 4 > len(self.data):
            raise FormatError("the string ends early", offset=len(self.data))
        value = cast("int", _U32.unpack_from(self.data, self.position)[0])
        self.position += 4
        return value

    def count(self, smallest: int) -> int:
        """Read a count of elements of at least ``smallest`` bytes each."""
        value = self.u32()
        self.check(value, smallest)
        return value

    def check(self, count: int, smallest: int) -> None:
        left = len(self.data) - self.position
        if count * smallest > left:
            raise FormatError(
                f"{count} elements do not fit the {left} bytes left", offset=self.position - 4
            )

    def structure(self) -> Structure:
        magic = self.u32()
        known = KINDS.get(magic)
        if known is None:
            raise FormatError(f"not a ds structure: the magic number is {magic}", offset=0)
        kind, self.generation = known
        try:
            result = getattr(self, f"_{kind}")()
        except FormatError as error:
            raise error.within(kind) from None
        assert isinstance(result, Structure)
        if self.generation != Structure.generation:
            result.generation = self.generation
        if self.encoding != Structure.encoding:
            result.encoding = self.encoding
        if self.position < len(self.data):
            result.trailing = self.data[self.position :]
        return result

    @property
    def smallest(self) -> int:
        """The size of the smallest element: a bare tag; generation 1 always has four fields."""
        return _LEGACY.size if self.generation == 1 else _U32.size

    def _list(self) -> DsList:
        return DsList(self.values(self.count(self.smallest), _index))

    def _stack(self) -> DsStack:
        return DsStack(self.values(self.count(self.smallest), _index))

    def _map(self) -> DsMap:
        count = self.count(2 * self.smallest)
        if self.generation == 1:
            keys = self.values(count, lambda index: f"[{index}].key")
            return DsMap(
                zip(keys, self.values(count, lambda index: f"[{index}].value"), strict=True)
            )
        flat = self.values(2 * count, lambda i: f"[{i // 2}].{'value' if i & 1 else 'key'}")
        return DsMap(zip(flat[::2], flat[1::2], strict=True))

    def _priority(self) -> DsPriority:
        count = self.count(2 * self.smallest)
        priorities = self.values(count, lambda index: f"[{index}].priority")
        values = self.values(count, lambda index: f"[{index}].value")
        return DsPriority(map(Prioritized, values, priorities))

    def _grid(self) -> DsGrid:
        width, height = self.u32(), self.u32()
        self.check(width * height, self.smallest)
        return DsGrid(
            width,
            height,
            self.values(width * height, lambda i: f"[{i // height}, {i % height}]"),
        )

    def _queue(self) -> DsQueue:
        start = self.position
        tail, head = self.u32(), self.u32()
        slots = self.count(self.smallest)
        if not head <= tail <= slots:
            raise FormatError(f"a queue from slot {head} to slot {tail} of {slots}", offset=start)
        stored = self.values(slots, lambda index: f"slots[{index}]")
        return DsQueue(stored[head:tail], before=stored[:head], after=stored[tail:])

    def values(self, count: int, where: Where) -> list[Value]:
        """Read ``count`` elements."""
        read = self._legacy_value if self.generation == 1 else self._value
        result: list[Value] = []
        append = result.append
        data, position = self.data, self.position
        tag_at, real_at = _U32.unpack_from, _F64.unpack_from
        generation = self.generation
        try:
            for _ in range(count):
                (tag,) = tag_at(data, position)
                if tag == 0 and generation != 1:  # nearly all elements of nearly all strings
                    append(real_at(data, position + 4)[0])
                    position += 12
                else:
                    self.position = position
                    append(read(tag))
                    position = self.position
        except struct.error:
            error = FormatError("the string ends early", offset=len(data))
            raise error.within(where(len(result))) from None
        except FormatError as error:
            raise error.within(where(len(result))) from None
        self.position = position
        return result

    def text(self, length: int) -> str | bytes:
        start = self.position
        if start + length > len(self.data):
            raise FormatError(
                f"a string of {length} bytes, where {len(self.data) - start} are left",
                offset=start - 4,
            )
        self.position = start + length
        raw = self.data[start : start + length]
        try:
            text = raw.decode(self.encoding)
            return text if self.exact or text.encode(self.encoding) == raw else raw
        except UnicodeError:
            return raw

    def _legacy_value(self, tag: int) -> Value:
        if tag > STRING:
            raise FormatError(f"unknown element tag {tag}", offset=self.position)
        tag, real, length = _LEGACY.unpack_from(self.data, self.position)
        self.position += _LEGACY.size
        text = self.text(length)
        if tag == REAL:
            return Legacy(tag, real, text) if length else real
        return text if _F64.pack(real) == _NO else Legacy(tag, real, text)

    def _value(self, tag: int) -> Value:
        start = self.position
        self.position += 4
        if tag == STRING:
            return self.text(self.u32())
        if tag == UNDEFINED:
            return None
        if tag == ARRAY:
            return self._array()
        scalar = _BY_TAG.get(tag)
        if scalar is not None:
            return scalar.type(self.payload(scalar.layout))
        if tag == BOOLEAN:
            raw = self.data[self.position : self.position + 8]
            real = self.payload(_F64)
            return raw == _YES if raw in (_NO, _YES) else Boolean(real)
        if tag == REFERENCE:
            self.saw_reference = True
            size = self.sizes[0]
            layout = struct.Struct("<Q" if size == 8 else "<I")
            return Reference(self.payload(layout), size)
        if tag in MARKS:
            self.saw_mark = True
            return Mark(MARKS[tag], self.payload(_F64) if self.sizes[1] else None)
        if tag == REAL:
            return self.payload(_F64)
        raise FormatError(f"unknown element tag {tag}", offset=start)

    def payload(self, layout: struct.Struct) -> int:
        value = layout.unpack_from(self.data, self.position)[0]
        self.position += layout.size
        return cast("int", value)

    def _array(self) -> Value:
        self.depth += 1
        if self.depth > MAXIMUM_DEPTH:
            raise FormatError(f"arrays more than {MAXIMUM_DEPTH} deep", offset=self.position)
        if self.generation == 3:
            result: Value = self.values(self.count(4), _index)
        else:
            rows: Rows = Rows()
            for row in range(self.count(4)):
                try:
                    rows.append(self.values(self.count(4), _index))
                except FormatError as error:
                    raise error.within(f"[{row}]") from None
            result = rows[0] if len(rows) == 1 else rows
        self.depth -= 1
        return result


def _index(index: int) -> str:
    return f"[{index}]"


# ---------------------------------------------------------------------------------- writing


def encode_bytes(
    value: Structure | Mapping[Value, Value] | Iterable[Value],
    *,
    generation: int | None = None,
    encoding: str | None = None,
) -> bytes:
    """Write a structure as bytes.

    A plain mapping is written as a map, another plain iterable as a list.  ``generation`` and
    ``encoding`` override the structure's own.  EncodeError: a value that the generation has no
    form for, with the element's path.
    """
    return _encode(as_structure(value), generation, encoding, 0)


def _encode(
    structure: Structure, generation: int | None, encoding: str | None, nesting: int
) -> bytes:
    writer = _Writer(
        structure.generation if generation is None else generation,
        structure.encoding if encoding is None else encoding,
        nesting,
    )
    return writer.structure(structure) + structure.trailing


def digits_of(structure: Structure, data: bytes) -> str:
    """The digits of a structure's bytes, in its case, and in base64 if it was."""
    digits = binascii.hexlify(data).decode("ascii")
    if not structure.lower_case:
        digits = digits.upper()
        if structure.mixed_case.upper() == digits:
            digits = structure.mixed_case
    return digits if structure.base64 is None else to_base64(digits + structure.base64)


def to_base64(text: str) -> str:
    """A text, of the bytes 0 to 255, in base64."""
    try:
        return base64.b64encode(text.encode("latin-1")).decode("ascii")
    except UnicodeEncodeError:
        raise EncodeError(f"{text[-20:]!r} has no form in base64", path="base64") from None


def as_structure(value: Structure | Mapping[Value, Value] | Iterable[Value]) -> Structure:
    """The structure that a plain collection stands for."""
    if isinstance(value, Structure):
        return value
    if isinstance(value, Mapping):
        return DsMap(value)
    if isinstance(value, Iterable) and not isinstance(value, str | bytes):
        return DsList(value)
    raise EncodeError(f"{type(value).__name__} is neither a ds structure nor a collection")


class _Writer:
    """The parts of a structure, as they are written."""

    def __init__(self, generation: int, encoding: str, nesting: int) -> None:
        if generation not in GENERATIONS:
            raise EncodeError(f"expected generation 1, 2 or 3, got {generation}")
        self.generation = generation
        self.encoding = encoding
        self.nesting = nesting
        self.parts: list[bytes] = []
        self.depth = 0

    def structure(self, structure: Structure) -> bytes:
        self.u32(MAGIC[structure.kind] + self.generation)
        try:
            self._elements(structure)
        except EncodeError as error:
            raise _inside(structure.kind, error) from None
        return b"".join(self.parts)

    def u32(self, *values: int) -> None:
        for value in values:
            if not 0 <= value < 1 << 32:
                raise EncodeError(f"{value} does not fit 32 bits")
            self.parts.append(_U32.pack(value))

    def _elements(self, structure: Structure) -> None:
        if isinstance(structure, DsMap):
            pairs = structure.pairs()
            self.u32(len(pairs))
            if self.generation == 1:
                self.values([key for key, _ in pairs])
                self.values([value for _, value in pairs])
            else:
                self.values(list(chain.from_iterable(pairs)))
        elif isinstance(structure, DsPriority):
            self.u32(len(structure))
            self.values([priority for _, priority in structure])
            self.values([value for value, _ in structure])
        elif isinstance(structure, DsGrid):
            self.u32(structure.width, structure.height)
            self.values(structure.cells)
        elif isinstance(structure, DsQueue):
            tail, head, slots = structure.slots()
            self.u32(tail, head, len(slots))
            self.values(slots)
        elif isinstance(structure, DsList | DsStack):
            self.u32(len(structure))
            self.values(structure)
        else:
            raise EncodeError(f"{type(structure).__name__} is not a ds structure")

    def values(self, values: Iterable[Value]) -> None:
        append, pack = self.parts.append, _TAGGED_REAL.pack
        modern = self.generation != 1
        for index, value in enumerate(values):
            if modern and type(value) is float:
                append(pack(REAL, value))
                continue
            try:
                self._value(value)
            except EncodeError as error:
                raise _inside(f"[{index}]", error) from None
            except UnicodeEncodeError as error:
                message = f"not text in {self.encoding}: {error.reason}"
                raise EncodeError(message, path=f"[{index}]") from None
            except (struct.error, OverflowError):
                message = f"{value!r:.60} does not fit its field"
                raise EncodeError(message, path=f"[{index}]") from None

    def _value(self, value: Value) -> None:
        if isinstance(value, str | bytes):
            self._string(value)
        elif isinstance(value, Legacy):
            if self.generation != 1:
                self._value(value.value)
            else:
                raw = self._raw(value.text)
                self.parts += (_LEGACY.pack(value.tag, value.real, len(raw)), raw)
        elif isinstance(value, Mapping | Structure):
            self._nested(value)
        elif self.generation == 1:
            if value is None or not isinstance(value, float | int):
                raise EncodeError(f"generation 1 has no form for {value!r}")
            self.parts.append(_LEGACY.pack(REAL, float(value), 0))
        else:
            self._tagged(value)

    def _nested(self, value: Mapping[Value, Value] | Structure) -> None:
        """Write a structure as its string; a plain mapping as a map of this generation."""
        if self.nesting >= MAXIMUM_NESTING:
            raise EncodeError(f"strings in strings more than {MAXIMUM_NESTING} deep")
        nested = as_structure(value)
        plain = not isinstance(value, Structure)
        data = _encode(
            nested,
            self.generation if plain else None,
            self.encoding if plain else None,
            self.nesting + 1,
        )
        if len(data) > LARGEST_NESTED:
            raise EncodeError(f"a string in a string may have {2 * LARGEST_NESTED} digits")
        self._string(nested.lead + digits_of(nested, data) + nested.rest)

    def _raw(self, text: str | bytes) -> bytes:
        return text if isinstance(text, bytes) else text.encode(self.encoding)

    def _string(self, text: str | bytes) -> None:
        raw = self._raw(text)
        if self.generation == 1:
            self.parts += (_LEGACY.pack(STRING, 0.0, len(raw)), raw)
        else:
            self.parts += (_TAGGED_LENGTH.pack(STRING, len(raw)), raw)

    def _tagged(self, value: Value) -> None:
        add = self.parts.append
        if value is None:
            add(_U32.pack(UNDEFINED))
        elif isinstance(value, bool | Boolean):
            add(_TAGGED_REAL.pack(BOOLEAN, value))
        elif (scalar := _BY_TYPE.get(cast("type[int]", type(value)))) is not None:
            add(_U32.pack(scalar.tag) + scalar.layout.pack(value))
        elif isinstance(value, float):
            add(_TAGGED_REAL.pack(REAL, value))
        elif isinstance(value, int):
            # GameMaker's own numbers are reals; a number that a real can't hold exactly is an
            # int64.
            if abs(value) <= 1 << 53:
                add(_TAGGED_REAL.pack(REAL, value))
            else:
                add(struct.pack("<Iq", 10, value))
        elif isinstance(value, list | tuple):
            self._array(value)
        elif isinstance(value, Reference):
            add(struct.pack("<IQ" if value.size == 8 else "<II", REFERENCE, value.value))
        elif isinstance(value, Mark):
            tag = next((tag for tag, kind in MARKS.items() if kind == value.kind), None)
            if tag is None:
                raise EncodeError(f"expected the mark list or map, got {value.kind!r}")
            add(_U32.pack(tag) + (b"" if value.real is None else _F64.pack(value.real)))
        else:
            raise EncodeError(f"a ds string can't hold a {type(value).__name__}")

    def _array(self, value: list[Value] | tuple[Value, ...]) -> None:
        self.depth += 1
        if self.depth > MAXIMUM_DEPTH:
            raise EncodeError(f"arrays more than {MAXIMUM_DEPTH} deep")
        self.u32(ARRAY)
        if self.generation == 2:
            rows = value if isinstance(value, Rows) else [list(value)]
            self.u32(len(rows))
            for row in rows:
                self.u32(len(row))
                self.values(row)
        else:  # from generation 3 a row is an array among others
            self.u32(len(value))
            self.values(value)
        self.depth -= 1


def _inside(step: str, error: EncodeError) -> EncodeError:
    """Put a step before an error's path, where the path may begin with an index."""
    error.path = f"{step}{error.path}" if error.path.startswith("[") else f"{step}.{error.path}"
    error.path = error.path.rstrip(".")
    return error
