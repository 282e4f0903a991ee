"""The field codecs of Game Maker's project family: strings, blobs, zlib blocks, versioned records.

A condition of a record always looks at the version number of the innermost block that the record
stands in: the record's own where it has one (:class:`Versioned`), otherwise its container's.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, cast

from overhaul.errors import EncodeError, FormatError, UnsupportedVersion
from overhaul.gamemaker.classic.streams import (
    ProjectReader,
    ProjectWriter,
    beginning,
    deflate,
    deflate_like,
    inflate,
)
from overhaul.schema import (
    Buffer,
    Condition,
    Embedded,
    FixedCodec,
    Inline,
    Reader,
    Record,
    VariableCodec,
    When,
    Writer,
    codec_for,
)
from overhaul.schema.codec import Codec

I32 = struct.Struct("<i")

# ------------------------------------------------------------------------------ conditions


def since(version: int) -> Condition:
    """Present from this version on."""
    return Condition(lambda actual: actual >= version, f"since {version}")


def before(version: int) -> Condition:
    """Present in versions before this one."""
    return Condition(lambda actual: actual < version, f"before {version}")


def only(*versions: int) -> Condition:
    """Present in just these versions."""
    return Condition(lambda actual: actual in versions, "only " + ", ".join(map(str, versions)))


def given(field: str) -> When:
    """Present if an earlier field is not zero."""
    return When(field, bool, f"if {field}")


# ----------------------------------------------------------------------- strings and blobs


def sized(data: Buffer, position: int, reader: Reader) -> tuple[bytes, int]:
    """A length and as many bytes."""
    start = position + 4
    if start > len(data):
        raise reader.truncated(data, position)
    (length,) = I32.unpack_from(data, position)
    if not 0 <= length <= len(data) - start:
        raise reader.fail(
            f"a length of {length}, where {len(data) - start} bytes are left", position
        )
    return bytes(data[start : start + length]), start + length


class _Text(VariableCodec):
    """A length in bytes, then the text in the project's encoding, without an end mark."""

    def type_name(self) -> str:
        return "string"

    def minimum(self, version: Any) -> int:
        return 4

    def read(self, data: Buffer, position: int, reader: Reader, *needed: Any) -> tuple[str, int]:
        raw, end = sized(data, position, reader)
        return cast(ProjectReader, reader).text(raw), end

    def write(self, writer: Writer, value: Any, *needed: Any) -> None:
        raw = cast(ProjectWriter, writer).raw(value)
        writer.out += I32.pack(len(raw))
        writer.out += raw

    def from_jsonable(self, value: Any, scheme: Any) -> str:
        if not isinstance(value, str):
            raise FormatError(f"expected text, not {value!r:.40}")
        return value


class _Blob(VariableCodec):
    """A length, then raw bytes."""

    def type_name(self) -> str:
        return "blob"

    def minimum(self, version: Any) -> int:
        return 4

    def read(self, data: Buffer, position: int, reader: Reader, *needed: Any) -> tuple[Any, int]:
        return sized(data, position, reader)

    def write(self, writer: Writer, value: Any, *needed: Any) -> None:
        writer.out += I32.pack(len(value))
        writer.out += value


class Deflated:
    """Bytes that stand in the file as a zlib stream of their own, inflated when looked at."""

    __slots__ = ("stream",)

    def __init__(self, stream: bytes) -> None:
        self.stream = stream

    @classmethod
    def of(cls, data: bytes) -> Deflated:
        """A new stream of some bytes, as Game Maker would write it."""
        return cls(deflate(data))

    @property
    def data(self) -> bytes:
        """The bytes.  FormatError: the stream is damaged."""
        return inflate(self.stream)[0]

    def beginning(self, length: int) -> bytes:
        """The first bytes, at most ``length``.  FormatError: the stream is damaged."""
        return beginning(self.stream, length)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Deflated) and other.stream == self.stream

    def __hash__(self) -> int:
        return hash(self.stream)

    def __repr__(self) -> str:
        return f"Deflated({len(self.stream)} bytes)"


class _Stream(_Blob):
    """A length, then a zlib stream of that length."""

    def type_name(self) -> str:
        return "zlib stream"

    def read(self, data: Buffer, position: int, reader: Reader, *needed: Any) -> tuple[Any, int]:
        stream, end = sized(data, position, reader)
        return Deflated(stream), end

    def write(self, writer: Writer, value: Any, *needed: Any) -> None:
        super().write(writer, value.stream)


class _Words(VariableCodec):
    """A number of integers that stands elsewhere or is always the same."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.layout = struct.Struct(f"<{count}i")

    def type_name(self) -> str:
        return f"{self.count} × i32"

    def minimum(self, version: Any) -> int:
        return self.layout.size

    def read(self, data: Buffer, position: int, reader: Reader, *needed: Any) -> tuple[Any, int]:
        end = position + self.layout.size
        if end > len(data):
            raise reader.truncated(data, position)
        return list(self.layout.unpack_from(data, position)), end

    def write(self, writer: Writer, value: Any, *needed: Any) -> None:
        try:
            writer.out += self.layout.pack(*value)
        except (struct.error, TypeError):
            raise EncodeError(f"{self.count} integers of 32 bits are expected") from None


class _Remaining(VariableCodec):
    """Whatever is left of the file."""

    def type_name(self) -> str:
        return "rest of the file"

    def read(self, data: Buffer, position: int, reader: Reader, *needed: Any) -> tuple[Any, int]:
        return bytes(data[position:]), len(data)

    def write(self, writer: Writer, value: Any, *needed: Any) -> None:
        writer.out += value


def words(count: int) -> _Words:
    """``count`` integers."""
    return _Words(count)


Text = Annotated[str, _Text()]
Blob = Annotated[bytes, _Blob()]
Stream = Annotated[Deflated | None, _Stream()]
Remaining = Annotated[bytes, _Remaining()]
TEXT, BLOB, STREAM = _Text(), _Blob(), _Stream()

#: a yes or no of 32 bits; other values than 0 and 1 are kept as they are
Flag = Annotated[int, FixedCodec("I", "flag", boolean=True)]
#: days since 30 December 1899, in the author's local time
Date = Annotated[float, FixedCodec("d", "date")]
#: bytes red, green, blue and a fourth that is 0, or tells a colour of the Windows system
Colour = Annotated[int, FixedCodec("i", "colour")]


# -------------------------------------------------------------------------------- blocks


class Block(VariableCodec):
    """A record inside a zlib stream: a length, then the stream.

    The record's attribute ``kept`` holds the stream, used again while the content is the same,
    and ``rest`` what stands in the content behind the record.
    """

    def __init__(self, record: type[Record], codec: Codec | None = None) -> None:
        self.record = record
        self.codec = codec

    def type_name(self) -> str:
        return f"zlib block of {self.record.__name__}"

    def bind(self, version: Any) -> VariableCodec:
        return Block(self.record, codec_for(self.record, version))

    def minimum(self, version: Any) -> int:
        return 4

    def read(self, data: Buffer, position: int, reader: Reader, *needed: Any) -> tuple[Any, int]:
        stream, end = sized(data, position, reader)
        value = read_block(cast(Codec, self.codec), stream, position + 4, reader)
        return value, end

    def write(self, writer: Writer, value: Any, *needed: Any) -> None:
        stream = write_block(cast(Codec, self.codec), value, writer)
        writer.out += I32.pack(len(stream))
        writer.out += stream


def read_block(codec: Codec, stream: bytes, position: int, reader: Reader) -> Any:
    """Read a record from a zlib stream at ``position`` of the file."""
    content, _ = cast(ProjectReader, reader).inflate(stream, position)
    try:
        value, end = codec.read(content, 0, reader)
    except FormatError as error:
        inside = "" if error.offset is None else f", {error.offset:#x} bytes into the zlib stream"
        error.message += inside
        error.args = (error.message,)
        error.offset = position
        raise
    value.kept = stream
    value.rest = content[end:]
    value.content_size = len(content)
    return value


def write_block(codec: Codec, value: Any, writer: Writer) -> bytes:
    """The zlib stream of a record: the one it was read from, while it says the same."""
    outer, content = writer.out, bytearray()
    writer.out = content
    try:
        codec.write(writer, value)
    finally:
        writer.out = outer
    content += value.rest
    value.kept = deflate_like(content, value.kept)
    value.content_size = len(content)
    return cast(bytes, value.kept)


class Kept(Record):
    """A record that may stand in a zlib block of its own.

    ``kept`` is the stream as read, with whatever follows its end inside the block; ``rest`` are
    bytes of the content that no field accounts for; ``content_size`` is the content's.
    """

    kept: bytes = b""
    rest: bytes = b""
    content_size: int = 0


class BlockSince(VariableCodec):
    """A record in place, or from a version of its container on in a zlib block."""

    def __init__(self, record: type[Record], version: int = 800) -> None:
        self.record = record
        self.version = version

    def type_name(self) -> str:
        return f"{self.record.__name__} (since {self.version} in a zlib block)"

    def bind(self, version: Any) -> VariableCodec:
        packed = version >= self.version
        return (Block(self.record) if packed else Embedded(self.record)).bind(version)


class Versioned(VariableCodec):
    """A version number, then a record of that version.

    The record's class is the first of ``records`` that has the number among its ``versions``; the
    number becomes its attribute ``version``.  From version ``packed`` on, what follows the number
    stands in a zlib block.
    """

    def __init__(self, *records: type[VersionedRecord], packed: int | None = None) -> None:
        self.by_version = {
            version: record for record in reversed(records) for version in record.versions
        }
        self.records = records
        self.packed = packed

    def type_name(self) -> str:
        return " or ".join(
            f"{record.__name__} (version {', '.join(map(str, record.versions))})"
            for record in self.records
        )

    def minimum(self, version: Any) -> int:
        return 4

    def read(self, data: Buffer, position: int, reader: Reader, *needed: Any) -> tuple[Any, int]:
        start = position + 4
        if start > len(data):
            raise reader.truncated(data, position)
        (version,) = I32.unpack_from(data, position)
        record = self.by_version.get(version)
        if record is None:
            raise UnsupportedVersion(
                f"version {version} of {self.records[0].__name__} is not known; "
                f"there are {', '.join(map(str, sorted(self.by_version)))}",
                source=reader.source,
                offset=position,
            )
        codec = codec_for(record, version)
        if self.packed is not None and version >= self.packed:
            stream, end = sized(data, start, reader)
            value = read_block(codec, stream, start + 4, reader)
        else:
            value, end = codec.read(data, start, reader)
        value.version = version
        return value, end

    def write(self, writer: Writer, value: Any, *needed: Any) -> None:
        version = value.version
        if self.by_version.get(version) is not type(value):
            raise EncodeError(f"there is no version {version} of {type(value).__name__} here")
        writer.out += I32.pack(version)
        codec = codec_for(type(value), version)
        if self.packed is not None and version >= self.packed:
            stream = write_block(codec, value, writer)
            writer.out += I32.pack(len(stream))
            writer.out += stream
        else:
            codec.write(writer, value)


class VersionedRecord(Kept):
    """A record with a version number of its own."""

    versions: ClassVar[tuple[int, ...]] = ()
    version: int = 0

    def media(self) -> Iterator[tuple[str, object]]:
        """The pictures and sounds it stores (bytes, a Deflated or None), by their path."""
        return iter(())


class IncludedData(VariableCodec):
    """The bytes of an included file.

    They are there if the file is stored in the project; whether an original must have been chosen
    too is in doubt, and where the two differ, the reading that ends with the block is right.
    """

    needs = ("store", "original_chosen")

    def __init__(self, in_block: bool = False) -> None:
        self.in_block = in_block

    def type_name(self) -> str:
        return "blob"

    def bind(self, version: Any) -> VariableCodec:
        return IncludedData(version >= 800)

    def read(self, data: Buffer, position: int, reader: Reader, *needed: Any) -> tuple[Any, int]:
        store, original_chosen = needed
        if not store or (self.in_block and not original_chosen and not _fits(data, position)):
            return None, position
        return sized(data, position, reader)

    def write(self, writer: Writer, value: Any, *needed: Any) -> None:
        if value is not None:
            BLOB.write(writer, value)


def _fits(data: Buffer, position: int) -> bool:
    """Would a blob here, and the fields behind it, end exactly with the data?"""
    for more in (4, 12):  # the blob, then a number; a text, then three more
        if position + 4 > len(data):
            return False
        (length,) = I32.unpack_from(data, position)
        if length < 0:
            return False
        position += 4 + length + more
    return position == len(data)


COUNT = Inline("i")
