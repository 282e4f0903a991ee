"""Field codecs of Adventure Game Studio: its texts, sized bytes and repeated fields.

They extend the codecs of :mod:`overhaul.schema`; records of rooms, games, packages and scripts
are declared with both.  Texts are ``str`` as :mod:`overhaul.ags.text` explains.
"""

from __future__ import annotations

import functools
import struct
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Final

from overhaul.ags.obfuscation import add_key, subtract_key
from overhaul.ags.text import decode, encode
from overhaul.errors import EncodeError, FormatError
from overhaul.schema import (
    Buffer,
    Bytes,
    Counted,
    FixedCodec,
    ListCodec,
    Reader,
    VariableCodec,
    Writer,
)
from overhaul.schema.conditions import Condition
from overhaul.schema.lists import check_count

_U32: Final = struct.Struct("<I")


# --- versions -------------------------------------------------------------------------------


def since(version: int) -> Condition:
    """Present from this version on."""
    return Condition(lambda v: v >= version, f"from {version}")


def before(version: int) -> Condition:
    """Present below this version."""
    return Condition(lambda v: v < version, f"before {version}")


# --- texts ----------------------------------------------------------------------------------


class _FixedTextTable(Mapping[Any, str]):
    """Resolves the bytes of a fixed text field to its text."""

    def __getitem__(self, key: Any) -> str:
        return decode(key.rstrip(b"\0"))

    def __iter__(self) -> Any:
        return iter(())

    def __len__(self) -> int:
        return 0


def _fit(size: int, text: str) -> bytes:
    data = encode(text)
    if len(data) > size:
        raise EncodeError(f"the text takes {len(data)} bytes, and the field has {size}")
    return data


TABLES: Final[dict[str, Mapping[Any, str]]] = {}
ENCODERS: Final[dict[str, Callable[[Any], Any]]] = {}


class FixedText(FixedCodec):
    """Exactly ``size`` bytes of text, NUL-padded.

    A text ends at its first NUL; junk that old editors left behind it stays in the value, after
    that NUL, and only the zeros at the very end are padding.
    """

    def __init__(self, size: int) -> None:
        kind = f"text{size}"
        super().__init__(f"{size}s", f"text in {size} bytes", kind=kind)
        TABLES[kind] = _FixedTextTable()
        ENCODERS[kind] = functools.partial(_fit, size)


def new_reader(version: Any = None, source: str | None = None) -> Reader:
    """A reader that resolves fixed texts."""
    return Reader(version=version, tables=TABLES, source=source)


def new_writer(version: Any = None) -> Writer:
    """A writer that stores fixed texts."""
    return Writer(version=version, encoders=ENCODERS)


class CString(VariableCodec):
    """A text that a NUL ends."""

    def type_name(self) -> str:
        return "text to NUL"

    def minimum(self, version: Any) -> int:
        return 1

    def read(self, data: Buffer, position: int, reader: Reader, *needed: Any) -> tuple[Any, int]:
        end = _find_nul(data, position)
        if end < 0:
            raise reader.fail("a text has no NUL to end it", position)
        return str(data[position:end], "utf-8", "surrogateescape"), end + 1

    def write(self, writer: Writer, value: Any, *needed: Any) -> None:
        data = encode(value)
        if b"\0" in data:
            raise EncodeError("a text can't hold a NUL here")
        writer.out += data
        writer.out.append(0)

    def from_jsonable(self, value: Any, scheme: Any) -> Any:
        return plain_text(value)


def _find_nul(data: Buffer, position: int) -> int:
    if isinstance(data, bytes | bytearray):
        return data.find(b"\0", position)
    # A view has no find(): look in growing pieces, so that short texts cost little.
    size = 64
    while position < len(data):
        piece = bytes(data[position : position + size])
        found = piece.find(b"\0")
        if found >= 0:
            return position + found
        position += size
        size *= 4
    return -1


class LString(VariableCodec):
    """A text behind its length (u32); no NUL ends it."""

    def type_name(self) -> str:
        return "u32 length, text"

    def minimum(self, version: Any) -> int:
        return 4

    def read(self, data: Buffer, position: int, reader: Reader, *needed: Any) -> tuple[Any, int]:
        start, end = _sized(data, position, reader)
        return decode(bytes(data[start:end])), end

    def write(self, writer: Writer, value: Any, *needed: Any) -> None:
        data = encode(value)
        writer.out += _U32.pack(len(data))
        writer.out += data

    def from_jsonable(self, value: Any, scheme: Any) -> Any:
        return plain_text(value)


class Unterminated(str):
    """An obfuscated text whose stored form lacks the NUL."""

    __slots__ = ()


class EString(VariableCodec):
    """An obfuscated text behind its length, which counts the NUL at its end.

    A stored text without that NUL is an :class:`Unterminated`.
    """

    def type_name(self) -> str:
        return "u32 length, obfuscated text"

    def minimum(self, version: Any) -> int:
        return 4

    def read(self, data: Buffer, position: int, reader: Reader, *needed: Any) -> tuple[Any, int]:
        start, end = _sized(data, position, reader)
        plain = subtract_key(bytes(data[start:end]))
        if plain.endswith(b"\0"):
            return decode(plain[:-1]), end
        return Unterminated(decode(plain)), end

    def write(self, writer: Writer, value: Any, *needed: Any) -> None:
        plain = encode(value)
        if not isinstance(value, Unterminated):
            plain += b"\0"
        writer.out += _U32.pack(len(plain))
        writer.out += add_key(plain)

    def to_jsonable(self, value: Any, scheme: Any) -> Any:
        return {"unterminated": str(value)} if isinstance(value, Unterminated) else value

    def from_jsonable(self, value: Any, scheme: Any) -> Any:
        if isinstance(value, dict):
            return Unterminated(plain_text(value.get("unterminated")))
        return plain_text(value)


def _sized(data: Buffer, position: int, reader: Reader) -> tuple[int, int]:
    """(start, end) of the bytes behind a u32 length."""
    if position + 4 > len(data):
        raise reader.truncated(data, position)
    (size,) = _U32.unpack_from(data, position)
    end = position + 4 + size
    if end > len(data):
        raise reader.fail(
            f"a length of {size} does not fit the {len(data) - position - 4} bytes left", position
        )
    return position + 4, end


class PaddedText(VariableCodec):
    """As :class:`FixedText`, where another version stores the text otherwise."""

    def __init__(self, size: int) -> None:
        self.size = size

    def type_name(self) -> str:
        return f"text in {self.size} bytes"

    def minimum(self, version: Any) -> int:
        return self.size

    def read(self, data: Buffer, position: int, reader: Reader, *needed: Any) -> tuple[Any, int]:
        end = position + self.size
        if end > len(data):
            raise reader.truncated(data, position)
        return decode(bytes(data[position:end]).rstrip(b"\0")), end

    def write(self, writer: Writer, value: Any, *needed: Any) -> None:
        writer.out += _fit(self.size, value).ljust(self.size, b"\0")

    def from_jsonable(self, value: Any, scheme: Any) -> Any:
        return plain_text(value)


class ByVersion(VariableCodec):
    """A field stored in several ways: ``(first version without it, codec)`` ..., last codec."""

    def __init__(self, *steps: tuple[int, VariableCodec], last: VariableCodec) -> None:
        self.steps = steps
        self.last = last

    def type_name(self) -> str:
        parts = [f"before {version}: {codec.type_name()}" for version, codec in self.steps]
        return "; ".join([*parts, f"then {self.last.type_name()}"])

    def bind(self, version: Any) -> VariableCodec:
        for limit, codec in self.steps:
            if version < limit:
                return codec.bind(version)
        return self.last.bind(version)

    def to_jsonable(self, value: Any, scheme: Any) -> Any:
        return self.bind(scheme.version).to_jsonable(value, scheme)

    def from_jsonable(self, value: Any, scheme: Any) -> Any:
        return self.bind(scheme.version).from_jsonable(value, scheme)


def plain_text(value: Any) -> str:
    """A text from JSON; FormatError for anything else."""
    if not isinstance(value, str):
        raise FormatError(f"expected a text, not {value!r}")
    return value


def plain_bytes(value: Any) -> bytes:
    """Bytes from their hexadecimal form in JSON; FormatError for anything else."""
    try:
        return bytes.fromhex(value)
    except (TypeError, ValueError):
        raise FormatError(f"expected hexadecimal bytes, not {value!r}") from None


class OneOf(VariableCodec):
    """A 32-bit number that has one of a few values; any other is a FormatError."""

    def __init__(self, *values: int) -> None:
        self.values = values

    def type_name(self) -> str:
        return "i32: " + " or ".join(map(str, self.values))

    def minimum(self, version: Any) -> int:
        return 4

    def read(self, data: Buffer, position: int, reader: Reader, *needed: Any) -> tuple[Any, int]:
        value = int.from_bytes(data[position : position + 4], "little", signed=True)
        if position + 4 > len(data):
            raise reader.truncated(data, position)
        if value not in self.values:
            words = " or ".join(map(str, self.values))
            raise reader.fail(f"{value} is found where {words} belongs", position)
        return value, position + 4

    def write(self, writer: Writer, value: Any, *needed: Any) -> None:
        if value not in self.values:
            raise EncodeError(f"{value} can't stand here, only {self.values}")
        writer.out += value.to_bytes(4, "little", signed=True)


# --- bytes ----------------------------------------------------------------------------------


class SizedBytes(VariableCodec):
    """Raw bytes behind their length (u32)."""

    def type_name(self) -> str:
        return "u32 length, bytes"

    def minimum(self, version: Any) -> int:
        return 4

    def read(self, data: Buffer, position: int, reader: Reader, *needed: Any) -> tuple[Any, int]:
        start, end = _sized(data, position, reader)
        return bytes(data[start:end]), end

    def write(self, writer: Writer, value: Any, *needed: Any) -> None:
        writer.out += _U32.pack(len(value))
        writer.out += value

    def to_jsonable(self, value: Any, scheme: Any) -> Any:
        return value.hex()

    def from_jsonable(self, value: Any, scheme: Any) -> Any:
        return plain_bytes(value)


class CountedBytes(VariableCodec):
    """Raw bytes whose number follows from earlier fields; ``unit`` bytes for each counted."""

    def __init__(
        self, *fields: str, unit: int = 1, count: Callable[..., int] | None = None
    ) -> None:
        self.needs = fields
        self.unit = unit
        self.count = count

    def type_name(self) -> str:
        if not self.needs:
            return f"{self._size(())} bytes"
        return f"bytes × {self.needs[0]}" + (f" × {self.unit}" if self.unit > 1 else "")

    def _size(self, needed: tuple[Any, ...]) -> int:
        return int(self.count(*needed) if self.count else needed[0]) * self.unit

    def read(self, data: Buffer, position: int, reader: Reader, *needed: Any) -> tuple[Any, int]:
        size = self._size(needed)
        if size < 0 or size > len(data) - position:
            raise reader.fail(
                f"{size} bytes do not fit the {len(data) - position} that are left", position
            )
        return bytes(data[position : position + size]), position + size

    def write(self, writer: Writer, value: Any, *needed: Any) -> None:
        size = self._size(needed)
        if len(value) != size:
            raise EncodeError(f"{size} bytes are needed here, not {len(value)}")
        writer.out += value

    def to_jsonable(self, value: Any, scheme: Any) -> Any:
        return value.hex()

    def from_jsonable(self, value: Any, scheme: Any) -> Any:
        return plain_bytes(value)


# --- repetition -----------------------------------------------------------------------------


class Times(ListCodec):
    """A fixed number of elements."""

    def __init__(self, count: int) -> None:
        self.count = count

    def type_name(self) -> str:
        return f"{self.element.type_name() if self.element else '?'} × {self.count}"

    def read(self, data: Buffer, position: int, reader: Reader, *needed: Any) -> tuple[Any, int]:
        elements: Any = self._elements  # type: ignore[attr-defined]
        check_count(reader, data, self.count, elements.minimum, position, position)
        items, end = elements.read_many(data, position, self.count, reader)
        return items, int(end)

    def write(self, writer: Writer, value: Any, *needed: Any) -> None:
        if len(value) != self.count:
            raise EncodeError(f"there are {self.count} of them, not {len(value)}")
        self._elements.write_many(writer, value)  # type: ignore[attr-defined]


class CountedBy(Counted):
    """Elements whose count is computed from earlier fields: ``count(*values of fields)``."""

    def __init__(self, *fields: str, count: Callable[..., int]) -> None:
        super().__init__(fields[0])
        self.needs = fields
        self.count = count

    def read(self, data: Buffer, position: int, reader: Reader, *needed: Any) -> tuple[Any, int]:
        return super().read(data, position, reader, self.count(*needed))

    def write(self, writer: Writer, value: Any, *needed: Any) -> None:
        super().write(writer, value, self.count(*needed))


class ToEnd(ListCodec):
    """Elements up to the end of the structure they stand in; no count is stored."""

    def type_name(self) -> str:
        return f"{self.element.type_name() if self.element else '?'} to the end"

    def read(self, data: Buffer, position: int, reader: Reader, *needed: Any) -> tuple[Any, int]:
        elements: Any = self._elements  # type: ignore[attr-defined]
        items: list[Any] = []
        while position < len(data):
            try:
                found, end = elements.read_many(data, position, 1, reader)
            except FormatError as error:
                # The element says [0] of its list of one.
                error.path = error.path.removeprefix("[0]").removeprefix(".")
                raise error.within("", len(items)) from None
            if end <= position:
                raise reader.fail("an element takes no bytes", position)
            items += found
            position = end
        return items, position

    def write(self, writer: Writer, value: Any, *needed: Any) -> None:
        self._elements.write_many(writer, value)  # type: ignore[attr-defined]


def of(field: str, attribute: str, *, less: int = 0) -> CountedBy:
    """Elements whose count is an attribute of an earlier record field (``less`` a constant)."""
    return CountedBy(field, count=lambda record: max(0, getattr(record, attribute) - less))


cstr = Annotated[str, CString()]
lstr = Annotated[str, LString()]
estr = Annotated[str, EString()]
blob = Annotated[bytes, SizedBytes()]


__all__ = [
    "ByVersion",
    "Bytes",
    "CString",
    "CountedBy",
    "CountedBytes",
    "EString",
    "FixedText",
    "LString",
    "OneOf",
    "PaddedText",
    "SizedBytes",
    "Times",
    "ToEnd",
    "Unterminated",
    "before",
    "blob",
    "cstr",
    "estr",
    "lstr",
    "new_reader",
    "new_writer",
    "of",
    "since",
]
