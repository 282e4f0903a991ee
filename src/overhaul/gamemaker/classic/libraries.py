"""Action libraries: Game Maker's ``.lib`` and LateralGM's ``.lgl``."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from msgspec import field

from overhaul.errors import EncodeError, FormatError
from overhaul.gamemaker.classic.fields import (
    COUNT,
    Blob,
    Date,
    Flag,
    Stream,
    Text,
    Versioned,
    VersionedRecord,
)
from overhaul.gamemaker.classic.streams import ProjectReader, ProjectWriter
from overhaul.media import png
from overhaul.schema import (
    Binder,
    BoundCodec,
    Buffer,
    Counted,
    DeclaredCodec,
    Embedded,
    FixedCodec,
    Inline,
    Reader,
    Record,
    Scheme,
    SizedText,
    VariableCodec,
    Writer,
    before,
    codec_for,
    i16,
    i32,
    since,
    u8,
)
from overhaul.schema.codec import list_of_json, object_of_json
from overhaul.schema.jsonable import from_jsonable, to_jsonable

LGL_MAGIC = b"LGL"


class LibraryArgument(Record):
    """An argument of a library's action, as its form asks for it."""

    caption: Text = ""
    kind: i32 = 0
    default: Text = ""
    menu: Annotated[Text, "items with | between them"] = ""


class LibraryAction(VersionedRecord):
    """An action of a library; also a label, a separator or a free place between actions."""

    versions: ClassVar[tuple[int, ...]] = (500, 520)

    name: Text = ""
    id: i32 = 0
    image: Annotated[Blob, "a BMP, whose top left 24 by 24 pixels are the icon"] = b""
    hidden: Flag = 0
    advanced: Flag = 0
    registered_only: Annotated[Flag, since(520)] = 0
    description: Text = ""
    list_text: Text = ""
    hint_text: Text = ""
    kind: i32 = 0
    interface_kind: Annotated[i32, "0 normal, 1 none, 2 arrows, 5 code, 6 text"] = 0
    is_question: Flag = 0
    can_apply_to: Flag = 0
    can_be_relative: Flag = 0
    argument_count: i32 = 0
    arguments: Annotated[list[LibraryArgument], COUNT] = []
    exec_type: Annotated[i32, "0 nothing, 1 function, 2 code"] = 0
    function_name: Text = ""
    code: Text = ""


class Library(VersionedRecord):
    """An action library (.lib)."""

    versions: ClassVar[tuple[int, ...]] = (500, 520)

    tab_caption: Text = ""
    library_id: i32 = 0
    author: Text = ""
    library_version: i32 = 0
    last_changed: Date = 0.0
    information: Text = ""
    initialization_code: Text = ""
    advanced: Flag = 0
    last_action_id: i32 = 0
    actions: Annotated[list[Annotated[LibraryAction, Versioned(LibraryAction)]], COUNT] = []


# ------------------------------------------------------------------------- LateralGM's form


class _Number24(VariableCodec[int]):
    """An integer of three bytes."""

    minimum = 3

    def type_name(self) -> str:
        return "u24"

    def read(self, data: Buffer, position: int, reader: Reader) -> tuple[int, int]:
        reader.take(data, position, 3)
        return int.from_bytes(data[position : position + 3], "little"), position + 3

    def write(self, writer: Writer, value: int) -> None:
        if not 0 <= value < 1 << 24:
            raise EncodeError(f"{value} does not fit three bytes")
        writer.out += value.to_bytes(3, "little")


class _ActionList(DeclaredCodec["tuple[bool, list[LglAction]]"]):
    """A list whose count is the low bits of a byte; the highest says that it is advanced."""

    def type_name(self) -> str:
        return "list of LglAction (count of one byte)"

    def bind(self, binder: Binder) -> BoundCodec[tuple[bool, list[LglAction]]]:
        return _BoundActionList(Counted("count").with_element(Embedded(LglAction)).bind(binder))

    def to_jsonable(self, value: tuple[bool, list[LglAction]], scheme: Scheme) -> object:
        advanced, items = value
        return {"advanced": advanced, "list": [to_jsonable(item, scheme) for item in items]}

    def from_jsonable(self, value: object, scheme: Scheme) -> tuple[bool, list[LglAction]]:
        plain = object_of_json(value)
        items = list_of_json(plain.get("list"))
        made = [from_jsonable(LglAction, item, scheme) for item in items]
        return bool(plain.get("advanced")), made


class _BoundActionList(BoundCodec["tuple[bool, list[LglAction]]"]):
    minimum = 1

    def __init__(self, items: BoundCodec[list[Any]]) -> None:
        self.items = items

    def read(
        self, data: Buffer, position: int, reader: Reader
    ) -> tuple[tuple[bool, list[LglAction]], int]:
        start = reader.take(data, position, 1)
        advanced, count = divmod(data[position], 128)
        items, end = self.items.read(data, start, reader, count)
        return (bool(advanced), items), end

    def write(self, writer: Writer, value: tuple[bool, list[LglAction]]) -> None:
        advanced, items = value
        if len(items) > 127:
            raise EncodeError(f"{len(items)} elements are more than the count can hold")
        writer.out.append(len(items) | advanced << 7)
        self.items.write(writer, items, len(items))


ShortText = Annotated[str, SizedText("B")]
OLDER, NEWER = 0, 1  # two forms that share one number


class LglArgument(Record):
    """An argument of an action."""

    caption: ShortText = ""
    kind: u8 = 0
    default: ShortText = ""
    menu: ShortText = ""


class LglAction(Record):
    """An action of LateralGM's form of a library."""

    number: Annotated[i16, "160"] = 160
    id: i16 = 0
    name: ShortText = ""
    image: Annotated[Stream, before(NEWER), "a BMP"] = None
    description: ShortText = ""
    list_text: ShortText = ""
    hint_text: ShortText = ""
    flags: Annotated[
        u8,
        "128 hidden, 64 advanced, 32 registered, 16 question, 8 applies to, 4 relative, "
        "0-3 execution type",
    ] = 0
    executed: Annotated[Text, "the function's name, or code"] = ""
    kinds: Annotated[u8, "kind × 16 + interface kind"] = 0
    arguments: Annotated[list[LglArgument], Inline("B")] = []


class LglLibrary(Record):
    """LateralGM's form of an action library (.lgl)."""

    number: Annotated[i16, "160"] = 160
    library_id: Annotated[int, _Number24()] = 0
    tab_caption: ShortText = ""
    author: ShortText = ""
    library_version: i32 = 0
    last_changed: Annotated[float, FixedCodec("d", "date")] = 0.0
    information: Text = ""
    initialization_code: Text = ""
    actions: Annotated[tuple[bool, list[LglAction]], _ActionList(), "advanced, and the actions"] = (
        field(default_factory=lambda: (False, []))
    )
    form: int = NEWER
    icons: bytes = b""


def read_lgl(data: bytes, reader: ProjectReader) -> LglLibrary:
    """Read LateralGM's form: the newer one, which ends with a PNG of all icons, or the older."""
    failure: FormatError | None = None
    for form in NEWER, OLDER:
        try:
            library, end = codec_for(LglLibrary, form).read(data, 3, reader)
            tail = data[end:]
            if (tail != b"") != (form == NEWER) or (tail and png.length(tail) != len(tail)):
                raise reader.fail("neither the end nor a PNG follows the actions", end)
        except FormatError as error:
            failure = failure or error
            continue
        assert isinstance(library, LglLibrary)
        library.form, library.icons = form, tail
        return library
    assert failure is not None
    raise failure


def write_lgl(library: LglLibrary, writer: ProjectWriter) -> bytes:
    """Write what :func:`read_lgl` read."""
    writer.out += LGL_MAGIC
    codec_for(LglLibrary, library.form).write(writer, library)
    return bytes(writer.out) + library.icons
