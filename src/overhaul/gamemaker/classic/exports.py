"""Resources that Game Maker 8 exported: ``.gmspr``, ``.gmbck`` and ``.gmres``."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Generic, TypeAlias, cast

from msgspec import defstruct, field

from overhaul.errors import FormatError
from overhaul.gamemaker.classic.actions import Object
from overhaul.gamemaker.classic.fields import (
    I32,
    Date,
    Flag,
    Kept,
    R,
    Text,
    Versioned,
    VersionedRecord,
)
from overhaul.gamemaker.classic.resources import (
    Background,
    Font,
    Path,
    Room,
    Script,
    Sound,
    Sprite,
    Timeline,
)
from overhaul.schema import (
    Buffer,
    Embedded,
    Reader,
    Record,
    VariableCodec,
    Writer,
    codec_for,
    fields_of,
    i32,
)
from overhaul.schema.lists import check_count

UNDEFINED = "<undefined>"  # the name of a deleted resource


class ExportedSprite(Kept):
    """A sprite on its own (.gmspr)."""

    kind: ClassVar[str] = "sprites"
    resource: Annotated[Sprite | None, Versioned(Sprite)] = None


class ExportedBackground(Kept):
    """A background on its own (.gmbck)."""

    kind: ClassVar[str] = "backgrounds"
    resource: Annotated[Background | None, Versioned(Background)] = None


class ExportedSlot(Record, Generic[R]):
    """A place in a list of exported resources; ``resource`` where it was exported."""

    exists: Flag = 0
    name: Text = UNDEFINED
    changed: Date = 0.0

    resource: R | None = None


AnySlot: TypeAlias = ExportedSlot[VersionedRecord]


class _ExportedSlots(VariableCodec[list[AnySlot]]):
    """A count, then slots, each with its resource if the list comes with data."""

    needs = ("with_data",)

    def __init__(self, record: type[VersionedRecord]) -> None:
        self.resource = Versioned(record)

    def type_name(self) -> str:
        return "list of ExportedSlot, with resources if with_data"

    def read(
        self, data: Buffer, position: int, reader: Reader, with_data: int
    ) -> tuple[list[AnySlot], int]:
        start = reader.take(data, position, 4)
        (count,) = I32.unpack_from(data, position)
        check_count(reader, data, count, 16, start, position)
        position = start
        read = codec_for(ExportedSlot).read
        slots: list[AnySlot] = []
        for index in range(count):
            try:
                slot, position = read(data, position, reader)
                if with_data and slot.exists:
                    slot.resource, position = self.resource.read(data, position, reader)
            except FormatError as error:
                raise error.within("", index) from None
            slots.append(slot)
        return slots, position

    def write(self, writer: Writer, value: list[AnySlot], with_data: int) -> None:
        writer.out += I32.pack(len(value))
        for slot in value:
            codec_for(ExportedSlot).write(writer, slot)
            if with_data and slot.exists and slot.resource is not None:
                self.resource.write(writer, slot.resource)


class TreePath(Record):
    """The place of a resource in the resource tree: ``/group/name``."""

    path: Text = ""
    id: i32 = -1


class _TreePaths(VariableCodec[list[TreePath]]):
    """Paths up to an empty one of id -1."""

    def type_name(self) -> str:
        return "list of TreePath, ended by an empty path of id -1"

    def read(self, data: Buffer, position: int, reader: Reader) -> tuple[list[TreePath], int]:
        read = codec_for(TreePath).read
        paths: list[TreePath] = []
        while True:
            try:
                path, position = read(data, position, reader)
            except FormatError as error:
                raise error.within("", len(paths)) from None
            if path.id == -1 and not path.path:
                return paths, position
            paths.append(path)

    def write(self, writer: Writer, value: list[TreePath]) -> None:
        for path in [*value, TreePath()]:
            codec_for(TreePath).write(writer, path)


class ExportedSection(Record, Generic[R]):
    """The resources of one kind; without ``with_data`` only their names."""

    with_data: Flag = 0
    slots: list[ExportedSlot[R]] = []
    paths: Annotated[list[TreePath], _TreePaths()] = []


def _exported(resource: type[VersionedRecord]) -> Embedded[Record]:
    """The codec of the exported resources of a kind."""
    slots = Annotated[list[AnySlot], _ExportedSlots(resource)]
    section = defstruct(
        f"Exported{resource.__name__}s",
        [("slots", slots, [])],
        bases=(ExportedSection,),
    )
    return Embedded(cast("type[Record]", section))


_EMPTY: ExportedSection[Any] = field(default_factory=ExportedSection)


class Resources(VersionedRecord):
    """Resources of all kinds (.gmres).

    ``rest``, the 68 bytes after them in the block, is the same kind of data in every file seen:
    zeros and the dates of other parts of the project, not decoded.
    """

    versions: ClassVar[tuple[int, ...]] = (800,)

    sprites: Annotated[ExportedSection[Sprite], _exported(Sprite)] = _EMPTY
    sounds: Annotated[ExportedSection[Sound], _exported(Sound)] = _EMPTY
    backgrounds: Annotated[ExportedSection[Background], _exported(Background)] = _EMPTY
    paths: Annotated[ExportedSection[Path], _exported(Path)] = _EMPTY
    scripts: Annotated[ExportedSection[Script], _exported(Script)] = _EMPTY
    fonts: Annotated[ExportedSection[Font], _exported(Font)] = _EMPTY
    timelines: Annotated[ExportedSection[Timeline], _exported(Timeline)] = _EMPTY
    objects: Annotated[ExportedSection[Object], _exported(Object)] = _EMPTY
    rooms: Annotated[ExportedSection[Room], _exported(Room)] = _EMPTY


class ExportedResources(Kept):
    """The content of a .gmres file."""

    resources: Annotated[Resources | None, Versioned(Resources)] = None

    def sections(self) -> dict[str, ExportedSection[VersionedRecord]]:
        """The sections by kind, in the order of the file."""
        return {field.name: getattr(self.resources, field.name) for field in fields_of(Resources)}


Content: TypeAlias = ExportedSprite | ExportedBackground | ExportedResources
