"""Extension packages: the maker's ``.ged`` and the installable ``.gex``."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from msgspec import field

from overhaul.errors import EncodeError, FormatError
from overhaul.gamemaker.classic.fields import (
    COUNT,
    STREAM,
    Deflated,
    Flag,
    Text,
    Versioned,
    VersionedRecord,
)
from overhaul.gamemaker.classic.obfuscation import inverse, table_of_seed
from overhaul.gamemaker.classic.streams import ProjectReader, ProjectWriter
from overhaul.schema import Buffer, Reader, Record, Times, VariableCodec, Writer, i32

MAGIC = 1234321
INSTALLABLE = 701
FILE_KINDS = {1: "DLL", 2: "GML", 3: "action library", 4: "other"}


class UsedPackage(Record):
    """The name of another package that is needed."""

    name: Text = ""


class ExtensionFunction(VersionedRecord):
    """A function that a file of the package offers to games."""

    versions: ClassVar[tuple[int, ...]] = (700,)

    name: Text = ""
    external_name: Text = ""
    convention: Annotated[i32, "2 GML, 11 stdcall, 12 cdecl"] = 12
    help_line: Text = ""
    hidden: Flag = 0
    argument_count: Annotated[i32, "-1: any number"] = 0
    argument_types: Annotated[list[i32], Times(17), "1 string, 2 real"] = field(
        default_factory=lambda: [1] * 17
    )
    result_type: i32 = 2


class ExtensionConstant(VersionedRecord):
    """A constant that a file of the package offers to games."""

    versions: ClassVar[tuple[int, ...]] = (700,)

    name: Text = ""
    value: Text = ""
    hidden: Flag = 0


class ExtensionFile(VersionedRecord):
    """A file of the package."""

    versions: ClassVar[tuple[int, ...]] = (700,)

    name: Text = ""
    origin: Annotated[Text, "on the maker's machine"] = ""
    kind: Annotated[i32, "1 DLL, 2 GML, 3 action library, 4 other"] = 1
    initialisation: Text = ""
    finalisation: Text = ""
    functions: Annotated[
        list[Annotated[ExtensionFunction, Versioned(ExtensionFunction)]], COUNT
    ] = []
    constants: Annotated[
        list[Annotated[ExtensionConstant, Versioned(ExtensionConstant)]], COUNT
    ] = []


class _Streams(VariableCodec[list[Deflated]]):
    """The packed files: the help file if there is one, then each file; nothing in most .ged."""

    needs = ("help_file", "files")

    def type_name(self) -> str:
        return "zlib streams: the help file, then every file; or nothing"

    def read(
        self, data: Buffer, position: int, reader: Reader, help_file: str, files: list[Any]
    ) -> tuple[list[Deflated], int]:
        streams: list[Deflated] = []
        if position < len(data):
            for index in range(bool(help_file) + len(files)):
                try:
                    stream, position = STREAM.read(data, position, reader)
                except FormatError as error:
                    raise error.within("", index) from None
                streams.append(stream)
        return streams, position

    def write(
        self, writer: Writer, value: list[Deflated], help_file: str, files: list[Any]
    ) -> None:
        if value and len(value) != bool(help_file) + len(files):
            raise EncodeError(f"{len(value)} packed files for {len(files)} files")
        for stream in value:
            STREAM.write(writer, stream)


class Package(VersionedRecord):
    """An extension package."""

    versions: ClassVar[tuple[int, ...]] = (700, 743)

    editable: Annotated[Flag, "1 in .ged files"] = 1
    name: Text = ""
    folder: Annotated[Text, "where it is put while a game runs"] = ""
    package_version: Text = ""
    author: Text = ""
    date: Text = ""
    licence: Text = ""
    description: Text = ""
    help_file: Annotated[Text, "on the maker's machine"] = ""
    unknown: Annotated[i32, "0 in every file seen"] = 0
    uses: Annotated[list[UsedPackage], COUNT] = []
    files: Annotated[list[Annotated[ExtensionFile, Versioned(ExtensionFile)]], COUNT] = []
    packed: Annotated[list[Deflated], _Streams()] = []

    # of an installable package: the seed that hides it; None in a maker's file
    seed: int | None = None


PACKAGE = Versioned(Package)


def read_package(data: Buffer, reader: ProjectReader) -> tuple[Package, bytes]:
    """Read a package of either form, and the bytes behind it."""
    seed: int | None = None
    start = 0
    raw = bytes(data)
    if int.from_bytes(raw[:4], "little") == MAGIC:
        if int.from_bytes(raw[4:8], "little") != INSTALLABLE or len(raw) < 16:
            raise reader.fail("not an extension package of a known version", 4)
        seed = int.from_bytes(raw[8:12], "little", signed=True)
        start = 12
        try:
            revealed = raw[13:].translate(inverse(table_of_seed(seed)))
        except FormatError as error:
            error.offset = 8
            raise
        raw = raw[:13] + revealed
    package, end = PACKAGE.read(raw, start, reader)
    assert isinstance(package, Package)
    package.seed = seed
    return package, raw[end:]


def write_package(package: Package, writer: ProjectWriter, behind: bytes = b"") -> bytes:
    """Write what :func:`read_package` read."""
    PACKAGE.write(writer, package)
    raw = bytes(writer.out) + behind
    if package.seed is None:
        return raw
    head = b"".join(
        value.to_bytes(4, "little", signed=True) for value in (MAGIC, INSTALLABLE, package.seed)
    )
    return head + raw[:1] + raw[1:].translate(table_of_seed(package.seed))
