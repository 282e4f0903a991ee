"""The parts of a game inside an executable: like those of a project, with what a runner needs.

There are no dates and no resource tree; pictures are ready to draw and come with collision masks.
Facts: specs/gamemaker-projects.md, section 14.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from msgspec import field

from overhaul.binary import Buffer, Given, Reader, Record, VariableCodec, Writer, f64, i32
from overhaul.errors import EncodeError
from overhaul.gamemaker.project.actions import Object
from overhaul.gamemaker.project.fields import (
    BLOB,
    COUNT,
    STREAM,
    Blob,
    BlockSince,
    Colour,
    Deflated,
    Flag,
    Kept,
    Text,
    Versioned,
    VersionedRecord,
    before,
    given,
    only,
    since,
    sized,
    words,
)
from overhaul.gamemaker.project.obfuscation import inverse, table_of_seed
from overhaul.gamemaker.project.resources import PathPoint, Sound, Timeline
from overhaul.gamemaker.project.rooms import RoomBackground, View
from overhaul.gamemaker.project.settings import (
    Constant,
    LibraryCodes,
    RoomOrder,
    TriggerSlot,
)
from overhaul.gamemaker.project.streams import ProjectReader, ProjectWriter

SCRIPT_SEED = 12345  # hides the scripts of executables before 8


class _Picture(VariableCodec):
    """A picture file: a zlib stream before 800, plain since."""

    def __init__(self, plain: bool = False) -> None:
        self.plain = plain

    def words(self) -> str:
        return "zlib stream (since 800: blob)"

    def bind(self, version: Any) -> VariableCodec:
        return _Picture(version >= 800)

    def read(self, data: Buffer, position: int, reader: Reader, *needed: Any) -> tuple[Any, int]:
        return (BLOB if self.plain else STREAM).read(data, position, reader)

    def write(self, writer: Writer, value: Any, *needed: Any) -> None:
        (BLOB if self.plain else STREAM).write(writer, value)


class BarPicture(Record):
    """A picture of the loading bar, behind a flag."""

    present: Flag = 0
    file: Annotated[Deflated | bytes | None, _Picture(), given("present")] = None


HAS_BAR = Given("load_bar", bool, "if load_bar is not 0")


class GameSettings(VersionedRecord):
    """The settings a runner needs.  Since 800 in a zlib block."""

    versions: ClassVar = (600, 702, 800, 810)

    start_fullscreen: Flag = 0
    interpolate: Flag = 0
    dont_draw_border: Flag = 0
    display_cursor: Flag = 1
    scaling: i32 = -1
    allow_resize: Flag = 0
    always_on_top: Flag = 0
    colour_outside_room: Colour = 0
    set_resolution: Flag = 0
    colour_depth: i32 = 0
    resolution: i32 = 0
    frequency: i32 = 0
    dont_show_buttons: Flag = 0
    synchronise: i32 = 0
    disable_screensavers: Annotated[Flag, since(800)] = 1
    key_f4: Flag = 1
    key_f1: Flag = 1
    key_esc: Flag = 1
    key_f5_f6: Flag = 1
    key_f9: Annotated[Flag, since(702)] = 1
    close_as_esc: Annotated[Flag, since(702)] = 1
    priority: i32 = 0
    freeze_on_lose_focus: Flag = 0
    load_bar: i32 = 1
    load_bar_back: Annotated[BarPicture | None, HAS_BAR] = None
    load_bar_front: Annotated[BarPicture | None, HAS_BAR] = None
    own_load_image: Flag = 0
    load_image: Annotated[Deflated | bytes | None, _Picture(), given("own_load_image")] = None
    load_transparent: Flag = 0
    load_alpha: i32 = 255
    load_scale_bar: Flag = 1
    errors_display: Flag = 1
    errors_log: Flag = 0
    errors_abort: Flag = 0
    uninitialised: i32 = 0
    constants: Annotated[list[Constant], COUNT, before(800)] = field(default_factory=list)


# --------------------------------------------------------------------------------- pictures


class _Pixels(VariableCodec):
    """Pixels: a zlib stream before 800, plain (if there are any) since."""

    def __init__(self, needs: tuple[str, ...] = (), plain: bool = False) -> None:
        self.needs = needs
        self.plain = plain

    def words(self) -> str:
        return "zlib stream (since 800: blob, if neither width nor height is 0)"

    def bind(self, version: Any) -> VariableCodec:
        return _Pixels(("width", "height"), version >= 800)

    def read(self, data: Buffer, position: int, reader: Reader, *needed: Any) -> tuple[Any, int]:
        if self.plain and 0 in needed:
            return None, position
        return (BLOB if self.plain else STREAM).read(data, position, reader)

    def write(self, writer: Writer, value: Any, *needed: Any) -> None:
        if value is not None:
            (BLOB if self.plain else STREAM).write(writer, value)


class GamePicture(VersionedRecord):
    """A picture of a sprite or background: rows from the top, B G R A each."""

    versions: ClassVar = (540, 800)

    unknown: Annotated[i32, only(540), "1"] = 1
    width: i32 = 0
    height: i32 = 0
    pixels: Annotated[Deflated | bytes | None, _Pixels()] = None


class _MaskBits(VariableCodec):
    """A 32-bit word for every pixel: does it collide?"""

    needs = ("width", "height")

    def words(self) -> str:
        return "width × height × i32"

    def read(self, data: Buffer, position: int, reader: Reader, *needed: Any) -> tuple[Any, int]:
        width, height = needed
        size = width * height * 4
        if min(width, height) < 0 or size > len(data) - position:
            raise reader.fail(f"a mask of {width} by {height} can't be here", position)
        return bytes(data[position : position + size]), position + size

    def write(self, writer: Writer, value: Any, *needed: Any) -> None:
        if len(value) != needed[0] * needed[1] * 4:
            raise EncodeError("a mask has one word for every pixel")
        writer.out += value


class Mask(VersionedRecord):
    """A collision mask."""

    versions: ClassVar = (800,)

    width: i32 = 0
    height: i32 = 0
    left: i32 = 0
    right: i32 = 0
    bottom: i32 = 0
    top: i32 = 0
    bits: Annotated[bytes, _MaskBits()] = b""


class _Masks(VariableCodec):
    """One mask, or one for each subimage; none if there are no subimages."""

    needs = ("separate_masks", "frames")
    _mask = Versioned(Mask)

    def words(self) -> str:
        return "Mask, or one for each subimage"

    def read(self, data: Buffer, position: int, reader: Reader, *needed: Any) -> tuple[Any, int]:
        masks = []
        for _ in range(self.count(*needed)):
            mask, position = self._mask.read(data, position, reader)
            masks.append(mask)
        return masks, position

    def write(self, writer: Writer, value: Any, *needed: Any) -> None:
        if len(value) != self.count(*needed):
            raise EncodeError(f"{len(value)} masks, where {self.count(*needed)} are expected")
        for mask in value:
            self._mask.write(writer, mask)

    @staticmethod
    def count(separate: int, frames: list[Any]) -> int:
        """How many masks there are."""
        return len(frames) if separate else min(len(frames), 1)


class GameSprite(VersionedRecord):
    """A sprite."""

    versions: ClassVar = (542, 800, 810)

    width: Annotated[i32, only(542)] = 32
    height: Annotated[i32, only(542)] = 32
    bbox_left: Annotated[i32, only(542)] = 0
    bbox_right: Annotated[i32, only(542)] = 0
    bbox_bottom: Annotated[i32, only(542)] = 0
    bbox_top: Annotated[i32, only(542)] = 0
    transparent: Annotated[Flag, only(542)] = 1
    smooth_edges: Annotated[Flag, only(542)] = 0
    preload_texture: Annotated[Flag, only(542)] = 1
    bbox_mode: Annotated[i32, only(542)] = 0
    precise: Annotated[Flag, only(542)] = 1
    origin_x: i32 = 0
    origin_y: i32 = 0
    frames: Annotated[list[Annotated[GamePicture, Versioned(GamePicture)]], COUNT] = field(
        default_factory=list
    )
    mask_shape: Annotated[i32, since(810)] = 0
    separate_masks: Annotated[Flag, since(800)] = 0
    masks: Annotated[list[Mask], _Masks(), since(800)] = field(default_factory=list)


class GameBackground(VersionedRecord):
    """A background."""

    versions: ClassVar = (543, 710)

    width: Annotated[i32, only(543)] = 0
    height: Annotated[i32, only(543)] = 0
    transparent: Annotated[Flag, only(543)] = 0
    smooth_edges: Annotated[Flag, only(543)] = 0
    preload_texture: Annotated[Flag, only(543)] = 0
    has_image: Annotated[Flag, only(543)] = 0
    old_image: Annotated[
        GamePicture | None, only(543), Versioned(GamePicture), given("has_image")
    ] = None
    image: Annotated[GamePicture | None, since(710), Versioned(GamePicture)] = None


# ------------------------------------------------------------------------------ other kinds


class PlainSound(Sound):
    """A sound in executables of Game Maker 6, whose data is not compressed."""

    versions: ClassVar[tuple[int, ...]] = (600,)

    data: Annotated[Any, BLOB, given("has_data")] = None


class GamePath(VersionedRecord):
    """A path."""

    versions: ClassVar = (530,)

    connection: i32 = 0
    closed: Flag = 1
    precision: i32 = 4
    points: Annotated[list[PathPoint], COUNT] = field(default_factory=list)


class _HiddenCode(VariableCodec):
    """GML: plain since 800; before, a zlib stream whose content is substituted."""

    def __init__(self, plain: bool = False) -> None:
        self.plain = plain

    def words(self) -> str:
        return "string (before 800: in a zlib stream, its bytes substituted)"

    def bind(self, version: Any) -> VariableCodec:
        return _HiddenCode(version >= 800)

    def read(self, data: Buffer, position: int, reader: Reader, *needed: Any) -> tuple[Any, int]:
        assert isinstance(reader, ProjectReader)
        raw, end = sized(data, position, reader)
        if not self.plain:
            content, _ = reader.inflate(raw, position)
            raw, inner = sized(content.translate(inverse(table_of_seed(SCRIPT_SEED))), 0, reader)
            if inner != len(content):
                raise reader.fail("bytes behind a script", position)
        return reader.text(raw), end

    def write(self, writer: Writer, value: Any, *needed: Any) -> None:
        assert isinstance(writer, ProjectWriter)
        raw = writer.raw(value)
        if not self.plain:
            content = len(raw).to_bytes(4, "little") + raw
            raw = Deflated.of(content.translate(table_of_seed(SCRIPT_SEED))).stream
        BLOB.write(writer, raw)


class GameScript(VersionedRecord):
    """A script."""

    versions: ClassVar = (400, 800, 810)

    code: Annotated[str, _HiddenCode()] = ""


class _GlyphMap(_Picture):
    """The picture of a font's characters, one byte for every pixel."""


class GameFont(VersionedRecord):
    """A font, with the picture of its characters."""

    versions: ClassVar = (540, 800)

    font_name: Text = ""
    size: i32 = 12
    bold: Flag = 0
    italic: Flag = 0
    range_start: i32 = 32
    range_end: i32 = 127
    glyphs: Annotated[list[int], words(256 * 6), "x, y, width, height, advance, offset"] = field(
        default_factory=lambda: [0] * 1536
    )
    map_width: i32 = 0
    map_height: i32 = 0
    alpha: Annotated[Deflated | bytes | None, _GlyphMap()] = None


class GameInstance(Record):
    """An object placed in a room."""

    x: i32 = 0
    y: i32 = 0
    object: i32 = -1
    id: i32 = 0
    creation_code: Text = ""
    scale_x: Annotated[f64, since(810)] = 1.0
    scale_y: Annotated[f64, since(810)] = 1.0
    blend: Annotated[i32, since(810)] = -1
    rotation: Annotated[f64, since(811)] = 0.0


class GameTile(Record):
    """A rectangle of a background, placed in a room."""

    x: i32 = 0
    y: i32 = 0
    background: i32 = -1
    tile_x: i32 = 0
    tile_y: i32 = 0
    width: i32 = 16
    height: i32 = 16
    depth: i32 = 1000000
    id: i32 = 0
    scale_x: Annotated[f64, since(810)] = 1.0
    scale_y: Annotated[f64, since(810)] = 1.0
    blend: Annotated[i32, since(810)] = -1


class GameRoom(VersionedRecord):
    """A room."""

    versions: ClassVar = (541, 810, 811)

    caption: Text = ""
    width: i32 = 640
    height: i32 = 480
    speed: i32 = 30
    persistent: Flag = 0
    background_colour: Colour = 12632256
    draw_background_colour: i32 = 1
    creation_code: Text = ""
    backgrounds: Annotated[list[RoomBackground], COUNT] = field(default_factory=list)
    enable_views: Flag = 0
    views: Annotated[list[View], COUNT] = field(default_factory=list)
    instances: Annotated[list[GameInstance], COUNT] = field(default_factory=list)
    tiles: Annotated[list[GameTile], COUNT] = field(default_factory=list)


class _IncludedBytes(VariableCodec):
    """The bytes of an included file: there if it is stored and was chosen."""

    def __init__(self, plain: bool = False) -> None:
        self.plain = plain

    needs = ("original_chosen", "store")

    def words(self) -> str:
        return "zlib stream (since 800: blob), if store and original_chosen"

    def bind(self, version: Any) -> VariableCodec:
        return _IncludedBytes(version >= 800)

    def read(self, data: Buffer, position: int, reader: Reader, *needed: Any) -> tuple[Any, int]:
        if not all(needed):
            return None, position
        return (BLOB if self.plain else STREAM).read(data, position, reader)

    def write(self, writer: Writer, value: Any, *needed: Any) -> None:
        if value is not None:
            (BLOB if self.plain else STREAM).write(writer, value)


class GameInclude(VersionedRecord):
    """An included file."""

    versions: ClassVar = (620, 800, 810)

    file_name: Text = ""
    file_path: Text = ""
    original_chosen: Flag = 0
    original_size: i32 = 0
    store: Flag = 0
    data: Annotated[Deflated | bytes | None, _IncludedBytes()] = None
    export: i32 = 2
    export_folder: Text = ""
    overwrite: Flag = 0
    free_memory: Flag = 1
    remove_at_end: Flag = 1


class GameInformationText(VersionedRecord):
    """What F1 shows to players."""

    versions: ClassVar = (600, 620, 800, 810)

    background_colour: Colour = 0
    window_flag: Flag = 0
    caption: Text = ""
    left: i32 = -1
    top: i32 = -1
    width: i32 = 600
    height: i32 = 400
    show_border: Flag = 1
    allow_resize: Flag = 1
    always_on_top: Flag = 0
    pause_game: Flag = 1
    text: Annotated[Deflated | bytes | None, _Picture()] = b""


# -------------------------------------------------------------------- extension packages


class PackedFunction(VersionedRecord):
    """A function of an extension."""

    versions: ClassVar = (700,)

    name: Text = ""
    external_name: Text = ""
    convention: i32 = 12
    id: i32 = 0
    argument_count: i32 = 0
    argument_types: Annotated[list[int], words(17)] = field(default_factory=lambda: [1] * 17)
    result_type: i32 = 2


class PackedConstant(VersionedRecord):
    """A constant of an extension."""

    versions: ClassVar = (700,)

    name: Text = ""
    value: Text = ""


class PackedFile(VersionedRecord):
    """A file of an extension."""

    versions: ClassVar = (700,)

    name: Text = ""
    kind: Annotated[i32, "1 DLL, 2 GML, 3 action library, 4 other"] = 1
    initialisation: Text = ""
    finalisation: Text = ""
    functions: Annotated[list[Annotated[PackedFunction, Versioned(PackedFunction)]], COUNT] = field(
        default_factory=list
    )
    constants: Annotated[list[Annotated[PackedConstant, Versioned(PackedConstant)]], COUNT] = field(
        default_factory=list
    )


class PackedExtension(VersionedRecord):
    """An extension package; its files stand in ``content``, hidden by a seed."""

    versions: ClassVar = (700,)

    name: Text = ""
    folder: Text = ""
    files: Annotated[list[Annotated[PackedFile, Versioned(PackedFile)]], COUNT] = field(
        default_factory=list
    )
    content: Annotated[Blob, "seed, a plain byte, substituted bytes: a zlib stream per file"] = b""


# -------------------------------------------------------------------------------- the lists


class GameSlot(Kept):
    """A place in a list of resources."""

    exists: Flag = 0
    name: Annotated[Text, given("exists")] = ""


class GameSoundSlot(GameSlot):
    """A sound."""

    resource: Annotated[Sound | None, Versioned(Sound), given("exists")] = None


class PlainSoundSlot(GameSlot):
    """A sound in executables of Game Maker 6."""

    resource: Annotated[PlainSound | None, Versioned(PlainSound), given("exists")] = None


class GameSpriteSlot(GameSlot):
    """A sprite."""

    resource: Annotated[GameSprite | None, Versioned(GameSprite), given("exists")] = None


class GameBackgroundSlot(GameSlot):
    """A background."""

    resource: Annotated[GameBackground | None, Versioned(GameBackground), given("exists")] = None


class GamePathSlot(GameSlot):
    """A path."""

    resource: Annotated[GamePath | None, Versioned(GamePath), given("exists")] = None


class GameScriptSlot(GameSlot):
    """A script."""

    resource: Annotated[GameScript | None, Versioned(GameScript), given("exists")] = None


class GameFontSlot(GameSlot):
    """A font."""

    resource: Annotated[GameFont | None, Versioned(GameFont), given("exists")] = None


class GameTimelineSlot(GameSlot):
    """A timeline."""

    resource: Annotated[Timeline | None, Versioned(Timeline), given("exists")] = None


class GameObjectSlot(GameSlot):
    """An object."""

    resource: Annotated[Object | None, Versioned(Object), given("exists")] = None


class GameRoomSlot(GameSlot):
    """A room."""

    resource: Annotated[GameRoom | None, Versioned(GameRoom), given("exists")] = None


class GameSounds(VersionedRecord):
    """The sounds."""

    versions: ClassVar = (400, 800)
    slots: Annotated[list[Annotated[GameSoundSlot, BlockSince(GameSoundSlot)]], COUNT] = field(
        default_factory=list
    )


class PlainSounds(VersionedRecord):
    """The sounds of Game Maker 6."""

    versions: ClassVar = (400,)
    slots: Annotated[list[Annotated[PlainSoundSlot, BlockSince(PlainSoundSlot)]], COUNT] = field(
        default_factory=list
    )


class GameSprites(VersionedRecord):
    """The sprites."""

    versions: ClassVar = (400, 800, 810)
    slots: Annotated[list[Annotated[GameSpriteSlot, BlockSince(GameSpriteSlot)]], COUNT] = field(
        default_factory=list
    )


class GameBackgrounds(VersionedRecord):
    """The backgrounds."""

    versions: ClassVar = (400, 800)
    slots: Annotated[list[Annotated[GameBackgroundSlot, BlockSince(GameBackgroundSlot)]], COUNT] = (
        field(default_factory=list)
    )


class GamePaths(VersionedRecord):
    """The paths."""

    versions: ClassVar = (420, 800)
    slots: Annotated[list[Annotated[GamePathSlot, BlockSince(GamePathSlot)]], COUNT] = field(
        default_factory=list
    )


class GameScripts(VersionedRecord):
    """The scripts."""

    versions: ClassVar = (400, 800, 810)
    slots: Annotated[list[Annotated[GameScriptSlot, BlockSince(GameScriptSlot)]], COUNT] = field(
        default_factory=list
    )


class GameFonts(VersionedRecord):
    """The fonts."""

    versions: ClassVar = (540, 800)
    slots: Annotated[list[Annotated[GameFontSlot, BlockSince(GameFontSlot)]], COUNT] = field(
        default_factory=list
    )


class GameTimelines(VersionedRecord):
    """The timelines."""

    versions: ClassVar = (500, 800)
    slots: Annotated[list[Annotated[GameTimelineSlot, BlockSince(GameTimelineSlot)]], COUNT] = (
        field(default_factory=list)
    )


class GameObjects(VersionedRecord):
    """The objects."""

    versions: ClassVar = (400, 800)
    slots: Annotated[list[Annotated[GameObjectSlot, BlockSince(GameObjectSlot)]], COUNT] = field(
        default_factory=list
    )


class GameRooms(VersionedRecord):
    """The rooms."""

    versions: ClassVar = (420, 800)
    slots: Annotated[list[Annotated[GameRoomSlot, BlockSince(GameRoomSlot)]], COUNT] = field(
        default_factory=list
    )


class GameTriggers(VersionedRecord):
    """The triggers."""

    versions: ClassVar = (800,)
    slots: Annotated[list[Annotated[TriggerSlot, BlockSince(TriggerSlot)]], COUNT] = field(
        default_factory=list
    )


class GameConstants(VersionedRecord):
    """The constants."""

    versions: ClassVar = (800,)
    constants: Annotated[list[Constant], COUNT] = field(default_factory=list)


class GameIncludeSlot(Kept):
    """A place in the list of included files."""

    include: Annotated[GameInclude | None, Versioned(GameInclude)] = None


class GameIncludes(VersionedRecord):
    """The included files."""

    versions: ClassVar = (620, 800)
    slots: Annotated[list[Annotated[GameIncludeSlot, BlockSince(GameIncludeSlot)]], COUNT] = field(
        default_factory=list
    )


class Extensions(VersionedRecord):
    """The extension packages, complete."""

    versions: ClassVar = (700,)
    packages: Annotated[list[Annotated[PackedExtension, Versioned(PackedExtension)]], COUNT] = (
        field(default_factory=list)
    )


class Game(Record):
    """The game behind all that hides it: the resources and the rest, by the product's version."""

    game_id: i32 = 0
    guid: Annotated[list[int], words(4)] = field(default_factory=lambda: [0] * 4)
    settings: Annotated[GameSettings | None, only(600), Versioned(GameSettings)] = None
    extensions: Annotated[Extensions | None, since(700), Versioned(Extensions)] = None
    triggers: Annotated[GameTriggers | None, since(800), Versioned(GameTriggers)] = None
    constants: Annotated[GameConstants | None, since(800), Versioned(GameConstants)] = None
    plain_sounds: Annotated[PlainSounds | None, only(600), Versioned(PlainSounds)] = None
    sounds: Annotated[GameSounds | None, since(700), Versioned(GameSounds)] = None
    sprites: Annotated[GameSprites | None, Versioned(GameSprites)] = None
    backgrounds: Annotated[GameBackgrounds | None, Versioned(GameBackgrounds)] = None
    paths: Annotated[GamePaths | None, Versioned(GamePaths)] = None
    scripts: Annotated[GameScripts | None, Versioned(GameScripts)] = None
    fonts: Annotated[GameFonts | None, Versioned(GameFonts)] = None
    timelines: Annotated[GameTimelines | None, Versioned(GameTimelines)] = None
    objects: Annotated[GameObjects | None, Versioned(GameObjects)] = None
    rooms: Annotated[GameRooms | None, Versioned(GameRooms)] = None
    last_instance_id: i32 = 100000
    last_tile_id: i32 = 10000000
    includes: Annotated[GameIncludes | None, since(700), Versioned(GameIncludes)] = None
    information: Annotated[
        GameInformationText | None, Versioned(GameInformationText, packed=800)
    ] = None
    library_codes: Annotated[LibraryCodes | None, Versioned(LibraryCodes)] = None
    room_order: Annotated[RoomOrder | None, Versioned(RoomOrder)] = None
