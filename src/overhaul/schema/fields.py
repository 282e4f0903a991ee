"""Field codecs: how one field of a record is stored.

A codec is either *fixed* (it has a struct format, and neighbours are merged into one ``struct``
call) or *variable* (it reads and writes itself).  A format adds its own by subclassing
:class:`VariableCodec`; everything else follows from the declaration.
"""

from __future__ import annotations

import math
import struct
import sys
import typing
from array import array
from collections.abc import Mapping
from typing import Annotated, Any

from overhaul.errors import EncodeError, FormatError
from overhaul.schema.conditions import Condition
from overhaul.schema.record import Record
from overhaul.schema.streams import Buffer, Reader, Writer


class FieldCodec:
    """The base of both kinds of codec."""

    #: names of earlier fields of the record whose values ``read`` and ``write`` want
    needs: tuple[str, ...] = ()

    def type_name(self) -> str:
        """The type, as documentation shows it."""
        return type(self).__name__


class FixedCodec(FieldCodec):
    """A field of fixed size: one value of a struct format.

    ``kind`` names a table of the reader (and an encoder of the writer) through which the stored
    number is resolved; ``patched`` says that the number is a pointer or an index which the
    writer settles at the end.
    """

    def __init__(
        self,
        format: str,
        name: str,
        *,
        kind: str | None = None,
        patched: bool = False,
        boolean: bool = False,
        names: type[Any] | None = None,
    ) -> None:
        self.format = format
        self.name = name
        self.kind = kind
        self.patched = patched
        self.boolean = boolean
        self.names = names
        self.size = struct.calcsize("<" + format)

    def type_name(self) -> str:
        return self.name


class VariableCodec(FieldCodec):
    """A field that reads and writes itself.

    ``read(data, position, reader, *needed)`` returns the value and the position after it;
    ``write(writer, value, *needed)`` appends it.  ``needed`` are the values of the fields named
    in ``needs``.  ``bind(version)`` may return another codec that is right for one version.
    """

    def bind(self, version: Any) -> VariableCodec:
        return self

    def signature(self, version: Any) -> Any:
        """What makes this codec differ between versions: equal signatures, one generated codec.

        A codec that looks at ``reader.version`` or ``writer.version`` itself differs in nothing.
        """
        return None if type(self).bind is VariableCodec.bind else version

    def minimum(self, version: Any) -> int:
        """The fewest bytes the field can take (0 where nothing can be said)."""
        return 0

    def read(self, data: Buffer, position: int, reader: Reader, *needed: Any) -> tuple[Any, int]:
        raise TypeError(f"{type(self).__name__} does not read")

    def write(self, writer: Writer, value: Any, *needed: Any) -> None:
        raise TypeError(f"{type(self).__name__} does not write")

    def to_jsonable(self, value: Any, scheme: Any) -> Any:
        """The field as JSON-able data (see :mod:`.plain`)."""
        return value

    def from_jsonable(self, value: Any, scheme: Any) -> Any:
        """The field from JSON-able data."""
        return value


class Bytes(FixedCodec):
    """``size`` raw bytes."""

    def __init__(self, size: int) -> None:
        super().__init__(f"{size}s", f"{size} bytes")


class Deferred(FieldCodec):
    """A pointer in the record's fixed part; what it points to follows the record's last field.

    Deferred fields are laid out in their order of declaration.  A zero pointer is None (an
    absent structure).  ``align`` is applied before the target.
    """

    def __init__(self, inner: VariableCodec, *, align: int = 1) -> None:
        self.inner = inner
        self.align = align

    def type_name(self) -> str:
        return f"pointer to {self.inner.type_name()}"


class Either(FieldCodec):
    """A field stored in one of two ways, by the version."""

    def __init__(self, condition: Condition, then: FieldCodec, otherwise: FieldCodec) -> None:
        self.condition = condition
        self.then = then
        self.otherwise = otherwise

    def type_name(self) -> str:
        return f"{self.condition.words}: {self.then.type_name()}; else {self.otherwise.type_name()}"

    def choose(self, version: Any) -> FieldCodec:
        """The codec that is right for a version."""
        return self.then if self.condition.holds(version) else self.otherwise


class Padding(VariableCodec):
    """Zero bytes until the absolute position is a multiple of ``alignment``; holds no value."""

    def __init__(self, alignment: int) -> None:
        self.alignment = alignment

    def type_name(self) -> str:
        return f"padding to {self.alignment}"

    def read(self, data: Buffer, position: int, reader: Reader, *needed: Any) -> tuple[Any, int]:
        return None, reader.skip_padding(data, position, self.alignment)

    def write(self, writer: Writer, value: Any, *needed: Any) -> None:
        writer.align(self.alignment)


class Numbers(VariableCodec):
    """Many numbers of one kind, as an ``array``; their count is the product of earlier fields."""

    def __init__(self, typecode: str, *counts: str) -> None:
        self.typecode = typecode
        self.size = array(typecode).itemsize
        self.needs = counts

    def type_name(self) -> str:
        return f"{'u' if self.typecode.isupper() else 'i'}{self.size * 8} × " + " × ".join(
            self.needs
        )

    def read(self, data: Buffer, position: int, reader: Reader, *needed: Any) -> tuple[Any, int]:
        count = math.prod(needed)
        end = position + count * self.size
        if count < 0 or end > len(data):
            raise reader.fail(f"{count} numbers do not fit the bytes left", position)
        values = array(self.typecode)
        values.frombytes(data[position:end])
        if sys.byteorder == "big":
            values.byteswap()
        return values, end

    def write(self, writer: Writer, value: Any, *needed: Any) -> None:
        if len(value) != math.prod(needed):
            raise EncodeError(f"{len(value)} numbers, but {math.prod(needed)} are called for")
        try:
            values = array(self.typecode, value)
        except (OverflowError, TypeError) as error:
            raise EncodeError(f"a number does not fit: {error}") from None
        if sys.byteorder == "big":
            values.byteswap()
        writer.out += values.tobytes()

    def to_jsonable(self, value: Any, scheme: Any) -> Any:
        return list(value)

    def from_jsonable(self, value: Any, scheme: Any) -> Any:
        try:
            return array(self.typecode, value)
        except (OverflowError, TypeError, ValueError) as error:
            raise FormatError(f"expected a list of numbers: {error}") from None


# --- the names people write in declarations -------------------------------------------------

u8 = Annotated[int, FixedCodec("B", "u8")]
u16 = Annotated[int, FixedCodec("H", "u16")]
u32 = Annotated[int, FixedCodec("I", "u32")]
u64 = Annotated[int, FixedCodec("Q", "u64")]
i8 = Annotated[int, FixedCodec("b", "i8")]
i16 = Annotated[int, FixedCodec("h", "i16")]
i32 = Annotated[int, FixedCodec("i", "i32")]
i64 = Annotated[int, FixedCodec("q", "i64")]
f32 = Annotated[float, FixedCodec("f", "f32")]
f64 = Annotated[float, FixedCodec("d", "f64")]
#: a boolean stored as u32; other values than 0 and 1 are kept as they are
b32 = Annotated[bool, FixedCodec("I", "b32", boolean=True)]
#: a boolean stored as one byte; other values than 0 and 1 are kept as they are
b8 = Annotated[bool, FixedCodec("B", "b8", boolean=True)]


def enum32(names: type[Any], format: str = "I") -> FixedCodec:
    """A 32-bit number with names for its values; values without a name are kept."""
    return FixedCodec(format, names.__name__, names=names)


class Embedded(VariableCodec):
    """Another record, in place."""

    def __init__(self, record: type[Record]) -> None:
        self.record = record

    def type_name(self) -> str:
        return self.record.__name__

    def bind(self, version: Any) -> VariableCodec:
        from overhaul.schema.codec import codec_for

        return _BoundEmbedded(self.record, codec_for(self.record, version))

    def signature(self, version: Any) -> Any:
        from overhaul.schema.codec import signature_of

        return signature_of(self.record, version)

    def to_jsonable(self, value: Any, scheme: Any) -> Any:
        from overhaul.schema.jsonable import to_jsonable

        return to_jsonable(value, scheme)

    def from_jsonable(self, value: Any, scheme: Any) -> Any:
        from overhaul.schema.jsonable import from_jsonable

        return from_jsonable(self.record, value, scheme)


class _BoundEmbedded(Embedded):
    def __init__(self, record: type[Record], codec: Any) -> None:
        super().__init__(record)
        self.codec = codec

    def bind(self, version: Any) -> VariableCodec:
        return self

    def minimum(self, version: Any) -> int:
        return int(self.codec.minimum)

    def read(self, data: Buffer, position: int, reader: Reader, *needed: Any) -> tuple[Any, int]:
        return typing.cast("tuple[Any, int]", self.codec.read(data, position, reader))

    def write(self, writer: Writer, value: Any, *needed: Any) -> None:
        self.codec.write(writer, value)


class Switch(VariableCodec):
    """A record whose class is chosen by an earlier field; ``cases`` maps its value to the class.

    A value without a case means that nothing is stored (None).
    """

    def __init__(self, field: str, cases: Mapping[Any, type[Record]]) -> None:
        self.needs = (field,)
        self.cases = dict(cases)

    def type_name(self) -> str:
        names = dict.fromkeys(case.__name__ for case in self.cases.values())
        return f"by {self.needs[0]}: " + ", ".join(names)

    def bind(self, version: Any) -> VariableCodec:
        from overhaul.schema.codec import codec_for

        bound = Switch(self.needs[0], self.cases)
        bound._codecs = {  # type: ignore[attr-defined]
            key: codec_for(case, version) for key, case in self.cases.items()
        }
        return bound

    def signature(self, version: Any) -> Any:
        from overhaul.schema.codec import signature_of

        return tuple(signature_of(case, version) for case in self.cases.values())

    def read(self, data: Buffer, position: int, reader: Reader, *needed: Any) -> tuple[Any, int]:
        codec = self._codecs.get(needed[0])  # type: ignore[attr-defined]
        if codec is None:
            return None, position
        return typing.cast("tuple[Any, int]", codec.read(data, position, reader))

    def write(self, writer: Writer, value: Any, *needed: Any) -> None:
        codec = self._codecs.get(needed[0])  # type: ignore[attr-defined]
        if codec is not None:
            codec.write(writer, value)

    def to_jsonable(self, value: Any, scheme: Any) -> Any:
        from overhaul.schema.jsonable import to_jsonable

        return None if value is None else to_jsonable(value, scheme)

    def from_plain_case(self, value: Any, scheme: Any, selector: Any) -> Any:
        """The record of the case that ``selector`` (the earlier field's value) names."""
        from overhaul.schema.jsonable import from_jsonable

        case = self.cases.get(selector)
        return None if case is None else from_jsonable(case, value, scheme)


def codec_of_annotation(annotation: Any) -> FieldCodec | None:
    """The codec an annotation names; None for a field that is not stored."""
    from overhaul.schema.lists import ListCodec  # lists are built on this module

    metadata = getattr(annotation, "__metadata__", ())
    for item in metadata:
        if isinstance(item, (ListCodec, Deferred)):
            return _with_element(item, annotation.__origin__)
        if isinstance(item, Either):
            return Either(
                item.condition,
                _with_element(item.then, annotation.__origin__),
                _with_element(item.otherwise, annotation.__origin__),
            )
        if isinstance(item, FieldCodec):
            return item
    plain = _strip_optional(annotation.__origin__ if metadata else annotation)
    if isinstance(plain, type) and issubclass(plain, Record):
        return Embedded(plain)
    if plain is not annotation and hasattr(plain, "__metadata__"):
        return codec_of_annotation(plain)
    return None


def _with_element(codec: FieldCodec, annotation: Any) -> FieldCodec:
    from overhaul.schema.lists import ListCodec

    if isinstance(codec, Deferred):
        inner = _with_element(codec.inner, annotation)
        return Deferred(typing.cast(VariableCodec, inner), align=codec.align)
    if isinstance(codec, ListCodec) and codec.element is None:
        return codec.with_element(_element_codec(_strip_optional(annotation)))
    return codec


def _strip_optional(annotation: Any) -> Any:
    arguments = [a for a in typing.get_args(annotation) if a is not type(None)]
    if type(None) in typing.get_args(annotation) and len(arguments) == 1:
        return arguments[0]
    return annotation


def _element_codec(annotation: Any) -> FieldCodec:
    arguments = typing.get_args(annotation)
    if not arguments:
        raise TypeError(f"a list field needs an element type, not {annotation!r}")
    codec = codec_of_annotation(_strip_optional(arguments[0]))
    if codec is None:
        raise TypeError(f"no codec for the list element {arguments[0]!r}")
    return codec


__all__ = [
    "Bytes",
    "Deferred",
    "Either",
    "Embedded",
    "FieldCodec",
    "FixedCodec",
    "Numbers",
    "Padding",
    "Switch",
    "VariableCodec",
    "b8",
    "b32",
    "enum32",
    "f32",
    "f64",
    "i8",
    "i16",
    "i32",
    "i64",
    "u8",
    "u16",
    "u32",
    "u64",
]
