"""Resources that Game Maker 8 exported: ``.gmspr``, ``.gmbck`` and ``.gmres``."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from msgspec import field

from overhaul.errors import FormatError
from overhaul.gamemaker.classic.actions import Object
from overhaul.gamemaker.classic.fields import (
    I32,
    Date,
    Flag,
    Kept,
    Text,
    Versioned,
    VersionedRecord,
)
from overhaul.gamemaker.classic.resources import (
    Background,
    Font,
    Path,
    Script,
    Sound,
    Sprite,
    Timeline,
)
from overhaul.gamemaker.classic.rooms import Room
from overhaul.schema import Buffer, Inline, Reader, Record, VariableCodec, Writer, codec_for, i32
from overhaul.schema.lists import check_count

UNDEFINED = "<undefined>"  # the name of a deleted resource


class ExportedSprite(Kept):
    """A sprite on its own (.gmspr)."""

    resource: Annotated[Sprite | None, Versioned(Sprite)] = None


class ExportedBackground(Kept):
    """A background on its own (.gmbck)."""

    resource: Annotated[Background | None, Versioned(Background)] = None


class ExportedSlot(Record):
    """A place in a list of exported resources; ``resource`` where it was exported."""

    exists: Flag = 0
    name: Text = UNDEFINED
    changed: Date = 0.0

    resource: Any = None


class _ExportedSlots(Inline):
    """A count, then slots, each with its resource if the list comes with data."""

    needs = ("with_data",)

    def __init__(self, record: type[VersionedRecord]) -> None:
        super().__init__("i")
        self.resource = Versioned(record)

    def type_name(self) -> str:
        return "list of ExportedSlot, with resources if with_data"

    def bind(self, version: Any) -> VariableCodec:
        return self

    def read(self, data: Buffer, position: int, reader: Reader, *needed: Any) -> tuple[Any, int]:
        if position + 4 > len(data):
            raise reader.truncated(data, position)
        (count,) = I32.unpack_from(data, position)
        check_count(reader, data, count, 16, position + 4, position)
        position += 4
        read = codec_for(ExportedSlot).read
        slots: list[ExportedSlot] = []
        for index in range(count):
            try:
                slot, position = read(data, position, reader)
                if needed[0] and slot.exists:
                    slot.resource, position = self.resource.read(data, position, reader)
            except FormatError as error:
                raise error.within("", index) from None
            slots.append(slot)
        return slots, position

    def write(self, writer: Writer, value: Any, *needed: Any) -> None:
        writer.out += I32.pack(len(value))
        for slot in value:
            codec_for(ExportedSlot).write(writer, slot)
            if needed[0] and slot.exists:
                self.resource.write(writer, slot.resource)


class TreePath(Record):
    """Where a resource stands in the resource tree: ``/group/name``."""

    path: Text = ""
    id: i32 = -1


class _TreePaths(VariableCodec):
    """Paths up to an empty one of id -1."""

    def type_name(self) -> str:
        return "list of TreePath, ended by an empty path of id -1"

    def read(self, data: Buffer, position: int, reader: Reader, *needed: Any) -> tuple[Any, int]:
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

    def write(self, writer: Writer, value: Any, *needed: Any) -> None:
        for path in [*value, TreePath()]:
            codec_for(TreePath).write(writer, path)


PATHS = _TreePaths()


class ExportedSprites(Record):
    """The sprites of an export."""

    with_data: Flag = 0
    slots: Annotated[list[ExportedSlot], _ExportedSlots(Sprite)] = field(default_factory=list)
    paths: Annotated[list[TreePath], PATHS] = field(default_factory=list)


class ExportedSounds(Record):
    """The sounds of an export."""

    with_data: Flag = 0
    slots: Annotated[list[ExportedSlot], _ExportedSlots(Sound)] = field(default_factory=list)
    paths: Annotated[list[TreePath], PATHS] = field(default_factory=list)


class ExportedBackgrounds(Record):
    """The backgrounds of an export."""

    with_data: Flag = 0
    slots: Annotated[list[ExportedSlot], _ExportedSlots(Background)] = field(default_factory=list)
    paths: Annotated[list[TreePath], PATHS] = field(default_factory=list)


class ExportedPaths(Record):
    """The paths of an export."""

    with_data: Flag = 0
    slots: Annotated[list[ExportedSlot], _ExportedSlots(Path)] = field(default_factory=list)
    paths: Annotated[list[TreePath], PATHS] = field(default_factory=list)


class ExportedScripts(Record):
    """The scripts of an export."""

    with_data: Flag = 0
    slots: Annotated[list[ExportedSlot], _ExportedSlots(Script)] = field(default_factory=list)
    paths: Annotated[list[TreePath], PATHS] = field(default_factory=list)


class ExportedFonts(Record):
    """The fonts of an export."""

    with_data: Flag = 0
    slots: Annotated[list[ExportedSlot], _ExportedSlots(Font)] = field(default_factory=list)
    paths: Annotated[list[TreePath], PATHS] = field(default_factory=list)


class ExportedTimelines(Record):
    """The timelines of an export."""

    with_data: Flag = 0
    slots: Annotated[list[ExportedSlot], _ExportedSlots(Timeline)] = field(default_factory=list)
    paths: Annotated[list[TreePath], PATHS] = field(default_factory=list)


class ExportedObjects(Record):
    """The objects of an export."""

    with_data: Flag = 0
    slots: Annotated[list[ExportedSlot], _ExportedSlots(Object)] = field(default_factory=list)
    paths: Annotated[list[TreePath], PATHS] = field(default_factory=list)


class ExportedRooms(Record):
    """The rooms of an export."""

    with_data: Flag = 0
    slots: Annotated[list[ExportedSlot], _ExportedSlots(Room)] = field(default_factory=list)
    paths: Annotated[list[TreePath], PATHS] = field(default_factory=list)


class Resources(VersionedRecord):
    """Resources of all kinds (.gmres).

    What follows them in the block, ``rest``, is 68 bytes in every file seen: zeros and the dates
    of other parts of the project, not worked out.
    """

    versions: ClassVar = (800,)

    sprites: ExportedSprites = field(default_factory=ExportedSprites)
    sounds: ExportedSounds = field(default_factory=ExportedSounds)
    backgrounds: ExportedBackgrounds = field(default_factory=ExportedBackgrounds)
    paths: ExportedPaths = field(default_factory=ExportedPaths)
    scripts: ExportedScripts = field(default_factory=ExportedScripts)
    fonts: ExportedFonts = field(default_factory=ExportedFonts)
    timelines: ExportedTimelines = field(default_factory=ExportedTimelines)
    objects: ExportedObjects = field(default_factory=ExportedObjects)
    rooms: ExportedRooms = field(default_factory=ExportedRooms)


class ExportedResources(Kept):
    """The content of a .gmres file."""

    resources: Annotated[Resources | None, Versioned(Resources)] = None
