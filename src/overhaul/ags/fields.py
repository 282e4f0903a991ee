"""Field codecs of Adventure Game Studio: fixed and obfuscated texts.

They extend the codecs of :mod:`overhaul.schema`; records of rooms, games, packages and scripts
are declared with both.  Texts are ``str`` as :mod:`overhaul.ags.text` explains.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any, Final, TypeVar

import msgspec

from overhaul.ags.text import add_key, decode, encode, subtract_key
from overhaul.errors import EncodeError, FormatError
from overhaul.schema import (
    Buffer,
    Counted,
    FixedCodec,
    NulText,
    Reader,
    Record,
    Scheme,
    SizedBytes,
    SizedText,
    TextCodec,
    When,
    Writer,
    codec_for,
)
from overhaul.schema.codec import text_from_json

T = TypeVar("T")


class _FixedTextTable(Mapping[Any, str]):
    """Resolves the bytes of a fixed text field to its text."""

    def __getitem__(self, key: bytes) -> str:
        return decode(key.rstrip(b"\0"))

    def __iter__(self) -> Iterator[bytes]:
        return iter(())

    def __len__(self) -> int:
        return 0


def _fit(size: int, text: str) -> bytes:
    data = encode(text)
    if len(data) > size and b"\0" in data[: size + 1]:
        return data[:size]
    if len(data) > size:
        raise EncodeError(f"the text takes {len(data)} bytes, and the field has {size}")
    return data


TABLES: Final[dict[str, Mapping[Any, str]]] = {}
ENCODERS: Final[dict[str, Callable[[Any], Any]]] = {}


class FixedText(FixedCodec):
    """Exactly ``size`` bytes of text, NUL-padded.

    A text ends at its first NUL; junk that old editors left behind it stays in the value, after
    that NUL, as far as the field has room.  Only the zeros at the very end are padding.
    """

    def __init__(self, size: int) -> None:
        kind = f"text{size}"
        super().__init__(f"{size}s", f"text in {size} bytes", kind=kind)
        TABLES[kind] = _FixedTextTable()
        ENCODERS[kind] = functools.partial(_fit, size)

    def resolved_from_json(self, value: object) -> str:
        return text_from_json(value)


def new_reader(version: int | None = None, source: str | None = None) -> Reader:
    """A reader that resolves fixed texts."""
    return Reader(version=version, tables=TABLES, source=source)


def new_writer(version: int | None = None) -> Writer:
    """A writer that stores fixed texts."""
    return Writer(version=version, encoders=ENCODERS)


def record_bytes(record: Record, version: int | None = None) -> bytes:
    """A record as stored.  Raises EncodeError."""
    writer = new_writer(version)
    codec_for(type(record), version).write(writer, record)
    return bytes(writer.out)


class Unterminated(str):
    """An obfuscated text whose stored form lacks the NUL."""

    __slots__ = ()


class EString(TextCodec):
    """An obfuscated text behind its length, which counts the NUL at its end.

    A stored text without that NUL is an :class:`Unterminated`.
    """

    minimum = 4

    def type_name(self) -> str:
        return "u32 length, obfuscated text"

    def read(self, data: Buffer, position: int, reader: Reader) -> tuple[str, int]:
        start, end = reader.sized(data, position)
        plain = subtract_key(bytes(data[start:end]))
        if plain.endswith(b"\0"):
            return decode(plain[:-1]), end
        return Unterminated(decode(plain)), end

    def write(self, writer: Writer, value: str) -> None:
        plain = encode(value)
        if not isinstance(value, Unterminated):
            plain += b"\0"
        writer.length(len(plain))
        writer.out += add_key(plain)

    def to_jsonable(self, value: str, scheme: Scheme) -> object:
        return {"unterminated": str(value)} if isinstance(value, Unterminated) else value

    def from_jsonable(self, value: object, scheme: Scheme) -> str:
        if isinstance(value, dict):
            if value.keys() != {"unterminated"}:
                raise FormatError("expected a text, or an object with only unterminated")
            return Unterminated(text_from_json(value["unterminated"]))
        return text_from_json(value)


def new(make: Callable[[], T]) -> T:
    """The default of a field that each record gets its own value of."""
    return msgspec.field(default_factory=make)


def zeros(count: int) -> list[int]:
    """The default of a list of reserved numbers."""
    return new(lambda: [0] * count)


def if_equal(field: str, value: int) -> When:
    """Present if an earlier field has this value."""
    return When(field, lambda actual: actual == value, f"{field} is {value}")


def of(field: str, attribute: str, *, less: int = 0) -> Counted:
    """Elements whose count is an attribute of an earlier record field (``less`` a constant)."""
    return Counted(field, count=lambda record: max(0, getattr(record, attribute) - less))


cstr = Annotated[str, NulText()]
lstr = Annotated[str, SizedText()]
estr = Annotated[str, EString()]
blob = Annotated[bytes, SizedBytes()]
