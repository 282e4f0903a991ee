"""The field codecs of Game Maker's project family: blobs, zlib blocks, versions, lists of slots.

A condition of a record always refers to the version number of the innermost block: the record's own
if it has one (:class:`Versioned`), otherwise its container's.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Generic, TypeVar, cast

import msgspec

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
    Binder,
    BoundCodec,
    Buffer,
    Codec,
    DeclaredCodec,
    Either,
    Embedded,
    FixedCodec,
    Inline,
    Reader,
    Record,
    Scheme,
    SizedBytes,
    SizedText,
    VariableCodec,
    Writer,
    before,
    codec_for,
    given,
    since,
)
from overhaul.schema.fields import BoundRecord
from overhaul.schema.streams import LENGTHS

if TYPE_CHECKING:
    from overhaul.schema.spans import Walk, Way

I32 = LENGTHS["i"]
R = TypeVar("R", bound="Kept")
V = TypeVar("V", bound="VersionedRecord")

# ----------------------------------------------------------------------- strings and blobs


def sized(data: Buffer, position: int, reader: Reader) -> tuple[bytes, int]:
    """A length and as many bytes."""
    start, end = reader.sized(data, position, "i")
    return bytes(data[start:end]), end


class _Blob(SizedBytes):
    """A length, then raw bytes, which the folder makes files of."""

    def to_jsonable(self, value: bytes, scheme: Scheme) -> object:
        return value

    def from_jsonable(self, value: object, scheme: Scheme) -> bytes:
        return cast("bytes", value)


class Deflated:
    """Bytes that are a zlib stream of their own in the file, inflated when they are read."""

    __slots__ = ("stream",)

    def __init__(self, stream: bytes) -> None:
        self.stream: bytes = stream

    @classmethod
    def of(cls, data: bytes) -> Deflated:
        """A new stream of some bytes, as Game Maker would write it."""
        return cls(deflate(data))

    @property
    def data(self) -> bytes:
        """The bytes.  Raises FormatError for a damaged stream."""
        return bytes(inflate(self.stream)[0])

    def beginning(self, length: int) -> bytes:
        """The first bytes, at most ``length``.  Raises FormatError for a damaged stream."""
        return beginning(self.stream, length)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Deflated) and other.stream == self.stream

    def __hash__(self) -> int:
        return hash(self.stream)

    def __repr__(self) -> str:
        return f"Deflated({len(self.stream)} bytes)"


class _Stream(VariableCodec[Deflated]):
    """A length, then a zlib stream of that length."""

    minimum = 4

    def type_name(self) -> str:
        return "zlib stream"

    def read(self, data: Buffer, position: int, reader: Reader) -> tuple[Deflated, int]:
        stream, end = sized(data, position, reader)
        return Deflated(stream), end

    def write(self, writer: Writer, value: Deflated) -> None:
        BLOB.write(writer, value.stream)


BLOB, STREAM = _Blob("i"), _Stream()
Text = Annotated[str, SizedText("i")]
Blob = Annotated[bytes, BLOB]
Stream = Annotated[Deflated | None, STREAM]
#: bytes of a file or picture: a zlib stream before 800, plain since
STORED = Either(before(800), STREAM, BLOB)

#: a yes or no of 32 bits; other values than 0 and 1 are kept
Flag = Annotated[int, FixedCodec("I", "flag", boolean=True)]
#: days since 30 December 1899, in the author's local time
Date = Annotated[float, FixedCodec("d", "date")]
#: bytes red, green, blue and a fourth that is 0, or says that it is a colour of the Windows system
Colour = Annotated[int, FixedCodec("i", "colour")]


# -------------------------------------------------------------------------------- blocks


class Block(DeclaredCodec[R]):
    """A record inside a zlib stream: a length, then the stream.

    The record's attribute ``kept`` holds the stream, used again while the content is the same,
    and ``rest`` what follows the record in the content.
    """

    def __init__(self, record: type[R]) -> None:
        self.record = record

    def type_name(self) -> str:
        return f"zlib block of {self.record.__name__}"

    def bind(self, binder: Binder) -> BoundCodec[R]:
        return _BoundBlock(binder.codec(self.record))


class _BoundBlock(BoundCodec[R]):
    minimum = 4

    def __init__(self, codec: Codec[R]) -> None:
        self.codec = codec

    def read(self, data: Buffer, position: int, reader: Reader) -> tuple[R, int]:
        stream, end = sized(data, position, reader)
        return read_block(self.codec, stream, position + 4, reader), end

    def write(self, writer: Writer, value: R) -> None:
        BLOB.write(writer, write_block(self.codec, value, writer))


def read_block(codec: Codec[R], stream: bytes, position: int, reader: Reader) -> R:
    """Read a record from a zlib stream at ``position`` of the file."""
    content, _ = cast("ProjectReader", reader).inflate(stream, position)
    try:
        value, end = codec.read(content, 0, reader)
    except FormatError as error:
        inside = "" if error.offset is None else f", {error.offset:#x} bytes into the zlib stream"
        error.message += inside
        error.args = (error.message,)
        error.offset = position
        raise
    value.kept = stream
    value.rest = bytes(content[end:])
    value.content_size = len(content)
    return value


def write_block(codec: Codec[R], value: R, writer: Writer) -> bytes:
    """The zlib stream of a record: the stream as read while the content is the same."""
    content = cast("ProjectWriter", writer).block(lambda: codec.write(writer, value))
    content += value.rest
    value.kept = deflate_like(content, value.kept)
    value.content_size = len(content)
    return value.kept


class Kept(Record):
    """A record that may stand in a zlib block of its own.

    ``kept`` is the stream as read, with whatever follows its end inside the block; ``rest`` are
    bytes of the content that belong to no field; ``content_size`` is the content's.
    """

    kept: bytes = b""
    rest: bytes = b""
    content_size: int = 0


def block_since(record: type[Kept], version: int = 800) -> Either:
    """A record in place, or from a version of its container on in a zlib block."""
    return Either(before(version), Embedded(record), Block(record))


class Versioned(VariableCodec[V]):
    """A version number, then a record of that version.

    The record's class is the first of ``records`` that has the number among its ``versions``; the
    number becomes its attribute ``version``.  From version ``packed`` on, what follows the number
    is a zlib block.
    """

    minimum = 4

    def __init__(self, *records: type[V], packed: int | None = None) -> None:
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

    def _bound(self, record: type[V], version: int) -> BoundCodec[V]:
        codec = codec_for(record, version)
        packed = self.packed is not None and version >= self.packed
        return _BoundBlock(codec) if packed else BoundRecord(codec)

    def walk(self, walk: Walk, position: int, way: Way) -> None:
        """Walk through the version and the record; one in a zlib block is one value."""
        (version,) = I32.unpack_from(walk.data, position)
        walk.add((*way, "version"), "i32", position, position + 4, version)
        record = self.by_version[version]
        with walk.at(version):
            if self.packed is not None and version >= self.packed:
                walk.value(Block(record), position + 4, (*way, "block"))
            else:
                walk.record(record, position + 4, way)

    def read(self, data: Buffer, position: int, reader: Reader) -> tuple[V, int]:
        start = reader.take(data, position, 4)
        (version,) = I32.unpack_from(data, position)
        record = self.by_version.get(version)
        if record is None:
            raise UnsupportedVersion(
                f"version {version} of {self.records[0].__name__} is not known; "
                f"there are {', '.join(map(str, sorted(self.by_version)))}",
                source=reader.source,
                offset=position,
            )
        value, end = self._bound(record, version).read(data, start, reader)
        value.version = version
        return value, end

    def write(self, writer: Writer, value: V) -> None:
        version = value.version
        if self.by_version.get(version) is not type(value):
            raise EncodeError(f"there is no version {version} of {type(value).__name__} here")
        writer.out += I32.pack(version)
        self._bound(type(value), version).write(writer, value)


class VersionedRecord(Kept):
    """A record with a version number of its own."""

    versions: ClassVar[tuple[int, ...]] = ()
    version: int = 0

    def media(self) -> Iterator[tuple[str, object]]:
        """The pictures and sounds it stores (bytes, a Deflated or None), by their path."""
        return iter(())


class IncludedData(VariableCodec["bytes | None"]):
    """The bytes of an included file.

    They are there if the file is stored in the project; whether an original must have been chosen
    too is in doubt, and where the two differ, the reading that ends with the block is right.
    """

    needs: tuple[str, ...] = ("store", "original_chosen")

    def __init__(self, *, in_block: bool) -> None:
        self.in_block = in_block

    def type_name(self) -> str:
        return "blob"

    def read(
        self, data: Buffer, position: int, reader: Reader, store: int, original_chosen: int
    ) -> tuple[bytes | None, int]:
        if not store or (self.in_block and not original_chosen and not _fits(data, position)):
            return None, position
        return sized(data, position, reader)

    def write(self, writer: Writer, value: bytes | None, store: int, original_chosen: int) -> None:
        if value is not None:
            BLOB.write(writer, value)


def _fits(data: Buffer, position: int) -> bool:
    """Whether a blob here, and the fields after it, end exactly with the data."""
    for more in (4, 12):  # the blob, then a number; a text, then three more
        if position + 4 > len(data):
            return False
        (length,) = I32.unpack_from(data, position)
        if length < 0:
            return False
        position += 4 + length + more
    return position == len(data)


INCLUDED_DATA = Either(before(800), IncludedData(in_block=False), IncludedData(in_block=True))
COUNT = Inline("i")


class Slot(Kept, Generic[V]):
    """A place in a list of resources; its number is the resource's id.

    A deleted resource leaves ``exists`` 0 and nothing else; a slot made with a resource exists.
    ``name`` is the resource's, ``changed`` when it was edited last (days since 1899-12-30).
    """

    exists: Flag = 0
    name: Annotated[Text, given("exists")] = ""
    changed: Annotated[Date, given("exists"), since(800)] = 0.0

    resource: V | None = None  # stored by the section's own kind of slot, see section()

    def __post_init__(self) -> None:
        if self.resource is not None and not self.exists:
            self.exists = 1


class Section(VersionedRecord, Generic[V]):
    """The resources of one kind.  Since 800 every slot is a zlib block of its own.

    ``slots`` are their places, in order; a deleted resource leaves its slot.
    """

    slots: list[Slot[V]] = msgspec.field(default_factory=list)


class SectionCodec(Versioned[Section[Any]]):
    """The version number and the slots of a section."""

    resources: tuple[type[VersionedRecord], ...] = ()

    def type_name(self) -> str:
        names = " or ".join(resource.__name__ for resource in self.resources)
        return f"section of {names} (version {', '.join(map(str, self.records[0].versions))})"

    def new(self) -> Section[Any]:
        """An empty section."""
        return self.records[0]()


def section(
    name: str, versions: tuple[int, ...], *resources: type[VersionedRecord], slot: type[Kept] = Slot
) -> SectionCodec:
    """The codec of a section whose slots hold one of ``resources``.

    ``versions`` are those of the section; ``slot`` declares what comes before the resource.
    """
    resource = Annotated[Any, Versioned(*resources), given("exists")]
    slot_type = msgspec.defstruct(f"{name}Slot", [("resource", resource, None)], bases=(slot,))
    slots = Annotated[list[Annotated[slot_type, block_since(slot_type)]], COUNT]  # type: ignore[valid-type]
    many = msgspec.defstruct(
        name,
        [("slots", slots, msgspec.field(default_factory=list))],
        bases=(Section,),
        namespace={"versions": versions},
    )
    codec = SectionCodec(cast("type[Section[Any]]", many))
    codec.resources = resources
    return codec
