"""The generic fields of records: numbers, bytes, texts, padding, records inside records.

A format adds its own by subclassing :class:`~overhaul.schema.codec.VariableCodec`; everything
else follows from the declaration.
"""

from __future__ import annotations

import math
import sys
from array import array
from collections.abc import Callable, Hashable, Mapping
from enum import IntEnum, IntFlag
from typing import Annotated, Any, TypeVar

from overhaul.errors import EncodeError, FormatError
from overhaul.schema.codec import (
    Binder,
    BoundCodec,
    Codec,
    DeclaredCodec,
    Either,
    FieldCodec,
    FixedCodec,
    Scheme,
    VariableCodec,
    bytes_from_json,
    resolve,
    text_from_json,
)
from overhaul.schema.conditions import before
from overhaul.schema.record import Record
from overhaul.schema.streams import Buffer, Reader, Writer

R = TypeVar("R", bound=Record)

# --- numbers --------------------------------------------------------------------------------

#: a number of 8 bits without a sign; all numbers are little-endian
u8 = Annotated[int, FixedCodec("B", "u8")]
#: a number of 16 bits without a sign
u16 = Annotated[int, FixedCodec("H", "u16")]
#: a number of 32 bits without a sign
u32 = Annotated[int, FixedCodec("I", "u32")]
#: a number of 64 bits without a sign
u64 = Annotated[int, FixedCodec("Q", "u64")]
#: a number of 8 bits with a sign
i8 = Annotated[int, FixedCodec("b", "i8")]
#: a number of 16 bits with a sign
i16 = Annotated[int, FixedCodec("h", "i16")]
#: a number of 32 bits with a sign
i32 = Annotated[int, FixedCodec("i", "i32")]
#: a number of 64 bits with a sign
i64 = Annotated[int, FixedCodec("q", "i64")]
#: a floating-point number of 32 bits
f32 = Annotated[float, FixedCodec("f", "f32")]
#: a floating-point number of 64 bits
f64 = Annotated[float, FixedCodec("d", "f64")]
#: a boolean stored as u32; other values than 0 and 1 are kept
b32 = Annotated[bool, FixedCodec("I", "b32", boolean=True)]
#: a boolean stored as one byte; other values than 0 and 1 are kept
b8 = Annotated[bool, FixedCodec("B", "b8", boolean=True)]


def enum32(names: type[IntEnum] | type[IntFlag], format: str = "I") -> FixedCodec:
    """A 32-bit number with names for its values; values without a name are kept."""
    return FixedCodec(format, names.__name__, names=names)


class Constant(VariableCodec[None]):
    """Bytes (``data``) that are always the same, such as a magic number; ``what`` names them in
    errors.
    """

    def __init__(self, data: bytes, what: str) -> None:
        self.data = data
        self.what = what
        self.minimum = len(data)

    def type_name(self) -> str:
        return f"{self.what} ({self.data.hex(' ')})"

    def read(self, data: Buffer, position: int, reader: Reader) -> tuple[None, int]:
        end = position + len(self.data)
        if bytes(data[position:end]) != self.data:
            raise reader.fail(f"{self.what} is missing", position)
        return None, end

    def write(self, writer: Writer, value: None) -> None:
        writer.out += self.data


class OneOf(VariableCodec[int]):
    """A 32-bit number that has one of a few values; any other is a FormatError."""

    minimum = 4

    def __init__(self, *values: int) -> None:
        self.values = values

    def type_name(self) -> str:
        return "i32: " + " or ".join(map(str, self.values))

    def read(self, data: Buffer, position: int, reader: Reader) -> tuple[int, int]:
        end = reader.take(data, position, 4)
        value = int.from_bytes(data[position:end], "little", signed=True)
        if value not in self.values:
            words = " or ".join(map(str, self.values))
            raise reader.fail(f"expected {words}, got {value}", position)
        return value, end

    def write(self, writer: Writer, value: int) -> None:
        if value not in self.values:
            words = " or ".join(map(str, self.values))
            raise EncodeError(f"expected {words}, got {value}")
        writer.out += value.to_bytes(4, "little", signed=True)


class Numbers(VariableCodec["array[int]"]):
    """Many numbers of one kind, as an ``array``; their count is the product of earlier fields.

    ``typecode`` is that of the array, ``size`` the bytes of a number.
    """

    def __init__(self, typecode: str, *counts: str) -> None:
        self.typecode = typecode
        self.size: int = array(typecode).itemsize
        self.needs = counts

    def type_name(self) -> str:
        sign = "u" if self.typecode.isupper() else "i"
        return f"{sign}{self.size * 8} × " + " × ".join(self.needs)

    def read(
        self, data: Buffer, position: int, reader: Reader, *needed: int
    ) -> tuple[array[int], int]:
        end = reader.take(data, position, math.prod(needed) * self.size)
        values = array(self.typecode)
        values.frombytes(data[position:end])
        if sys.byteorder == "big":
            values.byteswap()
        return values, end

    def write(self, writer: Writer, value: array[int], *needed: int) -> None:
        if len(value) != math.prod(needed):
            raise EncodeError(f"expected {math.prod(needed)} numbers, got {len(value)}")
        try:
            values = array(self.typecode, value)
        except (OverflowError, TypeError) as error:
            raise EncodeError(f"a number does not fit: {error}") from None
        if sys.byteorder == "big":
            values.byteswap()
        writer.out += values.tobytes()

    def to_jsonable(self, value: array[int], scheme: Scheme) -> object:
        return list(value)

    def from_jsonable(self, value: Any, scheme: Scheme) -> array[int]:
        try:
            return array(self.typecode, value)
        except (OverflowError, TypeError, ValueError) as error:
            raise FormatError(f"expected a list of numbers: {error}") from None


# --- bytes ----------------------------------------------------------------------------------


class Bytes(FixedCodec):
    """``size`` raw bytes."""

    def __init__(self, size: int) -> None:
        super().__init__(f"{size}s", f"{size} bytes")


class RawBytes(VariableCodec[bytes]):
    """The base of fields of raw bytes: hexadecimal in JSON.

    ``media`` says that they are of a format of their own, for the coverage that verify reports.
    """

    media = False

    def read(self, data: Buffer, position: int, reader: Reader, *needed: Any) -> tuple[bytes, int]:
        """All that is left."""
        return bytes(data[position:]), len(data)

    def write(self, writer: Writer, value: bytes, *needed: Any) -> None:
        writer.out += value
        if self.media:
            writer.media += len(value)

    def to_jsonable(self, value: bytes, scheme: Scheme) -> object:
        return bytes(value).hex()

    def from_jsonable(self, value: object, scheme: Scheme) -> bytes:
        return bytes_from_json(value)


class Rest(RawBytes):
    """The rest of the structure."""

    def type_name(self) -> str:
        return "bytes to the end"


class SizedBytes(RawBytes):
    """Raw bytes behind their length, a number of the struct format ``size``."""

    def __init__(self, size: str = "I", *, media: bool = False) -> None:
        self.size: FixedCodec = FixedCodec(size, _NUMBERS[size])
        self.media = media
        self.minimum = self.size.size

    def type_name(self) -> str:
        return f"{self.size.name} length, bytes"

    def read(self, data: Buffer, position: int, reader: Reader) -> tuple[bytes, int]:
        start, end = reader.sized(data, position, self.size.format)
        return bytes(data[start:end]), end

    def write(self, writer: Writer, value: bytes) -> None:
        writer.length(len(value), self.size.format)
        super().write(writer, value)


class CountedBytes(RawBytes):
    """Raw bytes whose number follows from earlier fields; ``unit`` bytes for each counted.

    ``count`` is computed from the fields where it is not simply the first.
    """

    def __init__(
        self,
        *fields: str,
        unit: int = 1,
        count: Callable[..., int] | None = None,
        media: bool = False,
    ) -> None:
        self.needs = fields
        self.unit = unit
        self.count = count
        self.media = media

    def type_name(self) -> str:
        if not self.needs:
            return f"{self.size(())} bytes"
        return f"bytes × {self.needs[0]}" + (f" × {self.unit}" if self.unit > 1 else "")

    def is_length(self, version: object) -> bool:
        """Whether the earlier field is the number of bytes itself, in a version."""
        return self.count is None and len(self.needs) == 1

    def size(self, needed: tuple[Any, ...]) -> int:
        """How many bytes there are, by the values of the fields."""
        return int(self.count(*needed) if self.count else needed[0]) * self.unit

    def read(self, data: Buffer, position: int, reader: Reader, *needed: Any) -> tuple[bytes, int]:
        end = reader.take(data, position, self.size(needed))
        return bytes(data[position:end]), end

    def write(self, writer: Writer, value: bytes, *needed: Any) -> None:
        size = self.size(needed)
        if len(value) != size:
            raise EncodeError(f"expected {size} bytes, got {len(value)}")
        super().write(writer, value)


class Padding(VariableCodec[None]):
    """Zero bytes until the absolute position is a multiple of ``alignment``; holds no value."""

    def __init__(self, alignment: int) -> None:
        self.alignment = alignment

    def type_name(self) -> str:
        return f"padding to {self.alignment}"

    def read(self, data: Buffer, position: int, reader: Reader) -> tuple[None, int]:
        return None, reader.skip_padding(data, position, self.alignment)

    def write(self, writer: Writer, value: None) -> None:
        writer.align(self.alignment)


# --- texts ----------------------------------------------------------------------------------


class TextCodec(VariableCodec[str]):
    """The base of texts; reader and writer know the encoding."""

    def from_jsonable(self, value: object, scheme: Scheme) -> str:
        return text_from_json(value)


class SizedText(TextCodec):
    """A text behind its length in bytes, a number of the struct format ``size``."""

    def __init__(self, size: str = "I") -> None:
        self.size: FixedCodec = FixedCodec(size, _NUMBERS[size])
        self.minimum = self.size.size

    def type_name(self) -> str:
        return f"{self.size.name} length, text"

    def read(self, data: Buffer, position: int, reader: Reader) -> tuple[str, int]:
        start, end = reader.sized(data, position, self.size.format)
        return reader.text(bytes(data[start:end])), end

    def write(self, writer: Writer, value: str) -> None:
        raw = writer.raw(value)
        writer.length(len(raw), self.size.format)
        writer.out += raw


class NulText(TextCodec):
    """A text that a NUL ends."""

    minimum = 1

    def type_name(self) -> str:
        return "text to NUL"

    def read(self, data: Buffer, position: int, reader: Reader) -> tuple[str, int]:
        end = _find_nul(data, position)
        if end < 0:
            raise reader.fail("a text has no NUL to end it", position)
        return reader.text(bytes(data[position:end])), end + 1

    def write(self, writer: Writer, value: str) -> None:
        raw = writer.raw(value)
        if b"\0" in raw:
            raise EncodeError("a text can't hold a NUL here")
        writer.out += raw
        writer.out.append(0)

    def write_many(self, writer: Writer, values: list[str]) -> bool:
        """Append many texts at once, if they are plain."""
        text = "\0".join(values)
        if not text.isascii() or text.count("\0") >= max(len(values), 1):
            return False
        writer.out += writer.raw(text)
        writer.out.append(0)
        return True


def _find_nul(data: Buffer, position: int) -> int:
    if isinstance(data, bytes | bytearray):
        return data.find(b"\0", position)
    # A view has no find(): look in growing pieces, so that short texts cost little.
    size = 64
    while position < len(data):
        index = bytes(data[position : position + size]).find(b"\0")
        if index >= 0:
            return position + index
        position += size
        size *= 4
    return -1


# --- records --------------------------------------------------------------------------------


class Embedded(DeclaredCodec[R]):
    """Another record, in place."""

    def __init__(self, record: type[R]) -> None:
        self.record = record

    def type_name(self) -> str:
        return self.record.__name__

    def bind(self, binder: Binder) -> BoundRecord[R]:
        return BoundRecord(binder.codec(self.record))

    def signature(self, binder: Binder) -> Hashable:
        return binder.signature(self.record)


class BoundRecord(BoundCodec[R]):
    """A record in place, in one version.  Inside of itself its codec is not finished yet."""

    def __init__(self, codec: Codec[R]) -> None:
        self.codec = codec

    @property
    def minimum(self) -> int:  # type: ignore[override]  # known when the codec is finished
        return self.codec.minimum

    def read(self, data: Buffer, position: int, reader: Reader) -> tuple[R, int]:
        return self.codec.read(data, position, reader)

    def write(self, writer: Writer, value: R) -> None:
        self.codec.write(writer, value)


class Switch(DeclaredCodec["Record | None"]):
    """A record whose class is chosen by an earlier field; ``cases`` maps its value to the class.

    ``key`` makes the key of ``cases`` from the field's value.  A value without a case means that
    nothing is stored (None); with ``unknown``, the beginning of the message, it is an error.
    ``needs`` names that field.
    """

    def __init__(
        self,
        field: str,
        cases: Mapping[Any, type[Record]],
        *,
        key: Callable[[Any], Hashable] | None = None,
        unknown: str = "",
    ) -> None:
        self.needs = (field,)
        self.cases: dict[Any, type[Record]] = dict(cases)
        self.key = key
        self.unknown = unknown

    def type_name(self) -> str:
        names = dict.fromkeys(case.__name__ for case in self.cases.values())
        return f"by {self.needs[0]}: " + ", ".join(names)

    def case(self, selector: object) -> type[Record] | None:
        """The class that a value of the earlier field stands for."""
        return self.cases.get(selector if self.key is None else self.key(selector))

    def bind(self, binder: Binder) -> BoundCodec[Record | None]:
        return _BoundSwitch(self, {case: binder.codec(case) for case in self.cases.values()})

    def signature(self, binder: Binder) -> Hashable:
        return tuple(binder.signature(case) for case in self.cases.values())


class _BoundSwitch(BoundCodec["Record | None"]):
    def __init__(self, declared: Switch, codecs: Mapping[type[Record], Codec[Record]]) -> None:
        self.needs = declared.needs
        self.declared = declared
        self.codecs = codecs

    def read(
        self, data: Buffer, position: int, reader: Reader, selector: object
    ) -> tuple[Record | None, int]:
        case = self.declared.case(selector)
        if case is None:
            if self.declared.unknown:
                raise reader.fail(f"{self.declared.unknown} {selector!s:.40}", position)
            return None, position
        return self.codecs[case].read(data, position, reader)

    def write(self, writer: Writer, value: Record | None, selector: object) -> None:
        case = self.declared.case(selector)
        if case is not None and value is not None:
            self.codecs[case].write(writer, value)
        elif self.declared.unknown:
            raise EncodeError(f"{self.declared.unknown} {selector!s:.40}")


class IfPresent(DeclaredCodec[Any]):
    """A field that is stored if ``present`` holds for the values of earlier fields.

    Where it is not stored, the value is what ``empty`` makes.  For a test of just one field there
    is :class:`~overhaul.schema.conditions.When`.  ``inner`` is the field, ``needs`` names the
    earlier ones.
    """

    def __init__(
        self,
        inner: FieldCodec,
        *fields: str,
        present: Callable[..., object] = lambda *values: all(values),
        empty: Callable[[], object] = lambda: None,
    ) -> None:
        self.inner = inner
        self.needs = fields
        self.present = present
        self.empty = empty

    def type_name(self) -> str:
        return f"{self.inner.type_name()}, depending on {' and '.join(self.needs)}"

    def bind(self, binder: Binder) -> BoundCodec[Any]:
        inner = resolve(self.inner, binder.version)
        if not isinstance(inner, DeclaredCodec):
            raise TypeError(f"{inner!r} is declared with When")
        return _BoundIfPresent(self, inner.bind(binder))

    def signature(self, binder: Binder) -> Hashable:
        return self.inner.signature(binder)


class _BoundIfPresent(BoundCodec[Any]):
    def __init__(self, declared: IfPresent, inner: BoundCodec[Any]) -> None:
        self.declared = declared
        self.needs = declared.needs
        self.inner = inner

    def read(self, data: Buffer, position: int, reader: Reader, *needed: object) -> tuple[Any, int]:
        if self.declared.present(*needed):
            return self.inner.read(data, position, reader)
        return self.declared.empty(), position

    def write(self, writer: Writer, value: Any, *needed: object) -> None:
        if self.declared.present(*needed) and value is not None:
            self.inner.write(writer, value)
        elif value != self.declared.empty() or self.declared.present(*needed):
            raise EncodeError(f"the data does not agree with {' and '.join(self.declared.needs)}")


def by_version(*steps: tuple[int, FieldCodec], last: FieldCodec) -> FieldCodec:
    """A field stored in several ways: ``(first version without it, codec)`` ..., the last codec."""
    for limit, codec in reversed(steps):
        last = Either(before(limit), codec, last)
    return last


_NUMBERS = {"B": "u8", "H": "u16", "I": "u32", "b": "i8", "h": "i16", "i": "i32"}
