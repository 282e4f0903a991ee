"""EXTN: extensions, their files and functions."""

import enum
from typing import TYPE_CHECKING, Annotated

from overhaul.errors import FormatError
from overhaul.gamemaker.data.fields import StringRef
from overhaul.gamemaker.data.version import since
from overhaul.schema import (
    Buffer,
    Condition,
    Deferred,
    Either,
    Inline,
    Pointers,
    Reader,
    Record,
    Scheme,
    VariableCodec,
    Writer,
    enum32,
    u32,
)
from overhaul.schema.codec import bytes_from_json, list_of_json

if TYPE_CHECKING:
    from overhaul.schema.outline import Outline
    from overhaul.schema.outlining import Outliner, SlotOf

classes: Condition = Condition(lambda version: version.extension_classes, "not in the first builds")


class ExtensionKind(enum.IntEnum):
    """The type of an extension file."""

    DLL = 1
    GML = 2
    ACTION_LIBRARY = 3
    GENERIC = 4
    JAVASCRIPT = 5


class OptionKind(enum.IntEnum):
    """The type of an extension option."""

    BOOL = 0
    NUMBER = 1
    STRING = 2


class ReturnType(enum.IntEnum):
    """The type of an argument or result of an extension function."""

    STRING = 1
    DOUBLE = 2


class ExtensionFunction(Record):
    """A function of an extension file."""

    name: StringRef = None
    id: Annotated[u32, "unique over all extensions, from 1"] = 0
    kind: Annotated[u32, "calling convention"] = 11
    return_type: Annotated[int, enum32(ReturnType)] = 2
    external_name: StringRef = None
    arguments: Annotated[list[u32], Inline(), "types as in return_type"] = []


class ExtensionFile(Record):
    """A file of an extension."""

    file_name: StringRef = None
    cleanup_function: Annotated[StringRef, "external name"] = None
    init_function: Annotated[StringRef, "external name"] = None
    kind: Annotated[int, enum32(ExtensionKind)] = 4
    functions: Annotated[list[ExtensionFunction], Pointers()] = []


class ExtensionOption(Record):
    """An option of an extension."""

    name: StringRef = None
    value: StringRef = None
    kind: Annotated[int, enum32(OptionKind)] = 2


class Extension(Record):
    """An extension."""

    folder_name: StringRef = None
    name: StringRef = None
    version: Annotated[StringRef, since(2023, 4)] = None
    class_name: Annotated[StringRef, classes] = None
    files: Annotated[
        list[ExtensionFile], Either(since(2022, 6), Deferred(Pointers()), Pointers())
    ] = []
    options: Annotated[list[ExtensionOption], Deferred(Pointers()), since(2022, 6)] = []


class ProductIds(VariableCodec[list[bytes]]):
    """One 16-byte id for each extension; old files have none (the bytes left decide)."""

    needs: tuple[str, ...] = ("extensions",)

    def type_name(self) -> str:
        return "16 bytes × extensions, if there are as many bytes"

    def outline(self, outliner: "Outliner", slot_of: "SlotOf") -> "Outline":
        return ("own", "product ids", (), -1)

    def read(
        self, data: Buffer, position: int, reader: Reader, extensions: list[Extension]
    ) -> tuple[list[bytes], int]:
        count = len(extensions)
        end = position + 16 * count
        if end > len(data):
            return [], position
        return [bytes(data[at : at + 16]) for at in range(position, end, 16)], end

    def write(self, writer: Writer, value: list[bytes], extensions: list[Extension]) -> None:
        writer.out += b"".join(value)

    def to_jsonable(self, value: list[bytes], scheme: Scheme) -> object:
        return [product_id.hex() for product_id in value]

    def from_jsonable(self, value: object, scheme: Scheme) -> list[bytes]:
        ids = [bytes_from_json(text) for text in list_of_json(value)]
        if any(len(product_id) != 16 for product_id in ids):
            raise FormatError("a product id has 16 bytes")
        return ids


#: the value that the compiler writes for an extension without a product id
NO_PRODUCT_ID = bytes([0, *range(0x81, 0x90)])


class ExtensionList(Record):
    """All extensions, then their product ids."""

    extensions: Annotated[list[Extension], Pointers()] = []
    product_ids: Annotated[list[bytes], ProductIds()] = []
