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
    before,
    since,
)
from overhaul.gamemaker.classic.streams import ProjectReader, ProjectWriter
from overhaul.schema import (
    Buffer,
    FixedCodec,
    Reader,
    Record,
    VariableCodec,
    Writer,
    codec_for,
    i16,
    i32,
    u8,
)
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

    versions: ClassVar = (500, 520)

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

    versions: ClassVar = (500, 520)

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


class _ShortText(VariableCodec):
    """A length of one byte, then text."""

    def type_name(self) -> str:
        return "short string"

    def minimum(self, version: Any) -> int:
        return 1

    def read(self, data: Buffer, position: int, reader: Reader, *needed: Any) -> tuple[Any, int]:
        start = position + 1
        if start > len(data) or start + data[position] > len(data):
            raise reader.truncated(data, position)
        end = start + data[position]
        assert isinstance(reader, ProjectReader)
        return reader.text(bytes(data[start:end])), end

    def write(self, writer: Writer, value: Any, *needed: Any) -> None:
        assert isinstance(writer, ProjectWriter)
        raw = writer.raw(value)
        if len(raw) > 255:
            raise EncodeError(f"a text of {len(raw)} bytes, where 255 are the most")
        writer.out.append(len(raw))
        writer.out += raw


class _Number24(VariableCodec):
    """An integer of three bytes."""

    def type_name(self) -> str:
        return "u24"

    def minimum(self, version: Any) -> int:
        return 3

    def read(self, data: Buffer, position: int, reader: Reader, *needed: Any) -> tuple[Any, int]:
        if position + 3 > len(data):
            raise reader.truncated(data, position)
        return int.from_bytes(data[position : position + 3], "little"), position + 3

    def write(self, writer: Writer, value: Any, *needed: Any) -> None:
        if not 0 <= value < 1 << 24:
            raise EncodeError(f"{value} does not fit three bytes")
        writer.out += value.to_bytes(3, "little")


class _ByteCounted(VariableCodec):
    """A list whose count is one byte, or the low bits of one."""

    def __init__(self, record: type[Record], flag: int = 0) -> None:
        self.record = record
        self.flag = flag

    def type_name(self) -> str:
        return f"list of {self.record.__name__} (count of one byte)"

    def bind(self, version: Any) -> VariableCodec:
        bound = _ByteCounted(self.record, self.flag)
        bound._codec = codec_for(self.record, version)  # type: ignore[attr-defined]
        return bound

    def read(self, data: Buffer, position: int, reader: Reader, *needed: Any) -> tuple[Any, int]:
        if position >= len(data):
            raise reader.truncated(data, position)
        count, position = data[position], position + 1
        items: list[Any] = []
        for index in range(count & ~self.flag):
            try:
                item, position = self._codec.read(data, position, reader)  # type: ignore[attr-defined]
            except FormatError as error:
                raise error.within("", index) from None
            items.append(item)
        return (items if not self.flag else (bool(count & self.flag), items)), position

    def to_jsonable(self, value: Any, scheme: Any) -> Any:
        items = value[1] if self.flag else value
        plain = [to_jsonable(item, scheme) for item in items]
        return {"advanced": value[0], "list": plain} if self.flag else plain

    def from_jsonable(self, value: Any, scheme: Any) -> Any:
        items = value.get("list") if self.flag and isinstance(value, dict) else value
        if not isinstance(items, list):
            raise FormatError("a list is expected")
        made = [from_jsonable(self.record, item, scheme) for item in items]
        return (bool(value.get("advanced")), made) if self.flag else made

    def write(self, writer: Writer, value: Any, *needed: Any) -> None:
        advanced, items = value if self.flag else (False, value)
        if len(items) > (0xFF & ~self.flag):
            raise EncodeError(f"{len(items)} elements are more than the count can hold")
        writer.out.append(len(items) | (self.flag if advanced else 0))
        for item in items:
            self._codec.write(writer, item)  # type: ignore[attr-defined]


ShortText = Annotated[str, _ShortText()]
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
    arguments: Annotated[list[LglArgument], _ByteCounted(LglArgument)] = []


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
    actions: Annotated[
        tuple[bool, list[LglAction]], _ByteCounted(LglAction, 128), "advanced, and the actions"
    ] = field(default_factory=lambda: (False, []))
    form: int = NEWER
    icons: bytes = b""


def read_lgl(data: bytes, reader: ProjectReader) -> LglLibrary:
    """Read LateralGM's form: the newer one, which ends with a PNG of all icons, or the older."""
    from overhaul.media import png

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
