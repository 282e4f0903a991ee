"""The records of resources: sounds, sprites, backgrounds, paths, fonts, rooms and the others."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar, cast

from msgspec import field

from overhaul.errors import EncodeError
from overhaul.gamemaker.classic.actions import ActionList
from overhaul.gamemaker.classic.fields import (
    COUNT,
    STORED,
    STREAM,
    Colour,
    Deflated,
    Flag,
    Stream,
    Text,
    Versioned,
    VersionedRecord,
    section,
)
from overhaul.gamemaker.classic.streams import ProjectWriter
from overhaul.schema import (
    Buffer,
    IfPresent,
    Reader,
    Record,
    Times,
    VariableCodec,
    When,
    Writer,
    before,
    by_version,
    f64,
    given,
    i32,
    only,
    since,
)

# ------------------------------------------------------------------------------- pictures


class OldPicture(Record):
    """A picture before 800: a whole BMP file as a zlib stream."""

    present: Annotated[i32, "10, or -1 if there is none"] = 10
    file: Annotated[Stream, When("present", lambda value: value != -1, "if not -1")] = None


class _Pixels(VariableCodec[Buffer]):
    """The pixels of a picture of a known size: rows from the top, B G R A each.

    Those of a large picture are a view of the content of its block.
    """

    needs = ("width", "height")

    def type_name(self) -> str:
        return "blob, if neither width nor height is 0"

    def read(
        self, data: Buffer, position: int, reader: Reader, width: int, height: int
    ) -> tuple[Buffer, int]:
        if width == 0 or height == 0:
            return b"", position
        start, end = reader.sized(data, position, "i")
        pixels = data[start:end]
        if min(width, height) < 0 or len(pixels) != width * height * 4:
            raise reader.fail(
                f"{len(pixels)} bytes of pixels in a picture of {width} by {height}", position
            )
        return pixels if len(pixels) >= _LARGE else bytes(pixels), end

    def write(self, writer: Writer, value: Buffer, width: int, height: int) -> None:
        if len(value) != max(0, width * height * 4):
            raise EncodeError(f"{len(value)} bytes of pixels in a picture of {width} by {height}")
        if value:
            writer.length(len(value), "i")
            cast(ProjectWriter, writer).blob(value)


#: pixels that are not copied when they are read
_LARGE = 1 << 20


class Picture(VersionedRecord):
    """A picture since 800.  It is not compressed on its own: its whole resource is."""

    versions: ClassVar[tuple[int, ...]] = (800, 810)

    width: i32 = 0
    height: i32 = 0
    pixels: Annotated[Buffer, _Pixels(), "B, G, R, A of every pixel, straight alpha"] = b""


# ------------------------------------------------------------------------------- resources


_SOUND_DATA = by_version(
    (600, IfPresent(STREAM, "kind", present=lambda kind: kind != -1)),
    last=IfPresent(STORED, "has_data"),
)


class Sound(VersionedRecord):
    """A sound; ``data`` is a whole sound file."""

    versions: ClassVar[tuple[int, ...]] = (440, 600, 800)

    kind: Annotated[
        i32,
        "before 600: -1 none, 0 wave, 1 MIDI, 2 MP3, 10 unknown; "
        "since: 0 normal, 1 background music, 2 3D, 3 multimedia player",
    ] = 0
    file_type: Annotated[Text, "its extension, with the dot"] = ""
    file_name: Annotated[Text, since(600)] = ""
    has_data: Annotated[Flag, since(600)] = 0
    data: Annotated[Deflated | bytes | None, _SOUND_DATA] = None
    allow_effects: Annotated[Flag, before(600)] = 0
    buffers: Annotated[i32, before(600)] = 1
    load_only_on_use: Annotated[Flag, before(600)] = 0
    effects: Annotated[
        i32, since(600), "sum of 1 chorus, 2 echo, 4 flanger, 8 gargle, 16 reverb"
    ] = 0
    volume: Annotated[f64, since(600)] = 1.0
    pan: Annotated[f64, since(600), "-1 left to 1 right"] = 0.0
    preload: Annotated[Flag, since(600)] = 1

    def media(self) -> Iterator[tuple[str, object]]:
        yield "data", self.data


SOUNDS = section("Sounds", (400, 800), Sound)


class OldSprite(VersionedRecord):
    """A sprite and its subimages, before 800."""

    versions: ClassVar[tuple[int, ...]] = (400, 542)

    width: i32 = 32
    height: i32 = 32
    bbox_left: i32 = 0
    bbox_right: i32 = 0
    bbox_bottom: i32 = 0
    bbox_top: i32 = 0
    transparent: Annotated[Flag, "the colour of the bottom left pixel"] = 1
    smooth_edges: Annotated[Flag, only(542)] = 0
    preload_texture: Annotated[Flag, only(542)] = 1
    bbox_mode: Annotated[i32, "0 automatic, 1 full image, 2 manual"] = 0
    precise: Annotated[Flag, "collision checking"] = 1
    use_video_memory: Annotated[Flag, only(400)] = 1
    load_only_on_use: Annotated[Flag, only(400)] = 0
    origin_x: i32 = 0
    origin_y: i32 = 0
    frames: Annotated[list[OldPicture], COUNT] = []

    def media(self) -> Iterator[tuple[str, object]]:
        for index, picture in enumerate(self.frames):
            yield f"frames[{index}]", picture.file


class Sprite(VersionedRecord):
    """A sprite and its subimages."""

    versions: ClassVar[tuple[int, ...]] = (800, 810)

    origin_x: i32 = 0
    origin_y: i32 = 0
    frames: Annotated[list[Annotated[Picture, Versioned(Picture)]], COUNT] = []
    mask_shape: Annotated[i32, "0 precise, 1 rectangle, 2 disk, 3 diamond"] = 0
    alpha_tolerance: Annotated[i32, "a more opaque pixel collides"] = 0
    separate_masks: Annotated[Flag, "one for each subimage"] = 0
    bbox_mode: Annotated[i32, "0 automatic, 1 full image, 2 manual"] = 0
    bbox_left: i32 = 0
    bbox_right: i32 = 0
    bbox_bottom: i32 = 0
    bbox_top: i32 = 0

    def media(self) -> Iterator[tuple[str, object]]:
        for index, picture in enumerate(self.frames):
            yield f"frames[{index}]", picture.pixels


SPRITES = section("Sprites", (400, 800, 810), OldSprite, Sprite)


class Background(VersionedRecord):
    """A background, or a set of tiles."""

    versions: ClassVar[tuple[int, ...]] = (400, 543, 710)

    width: Annotated[i32, before(710)] = 0
    height: Annotated[i32, before(710)] = 0
    transparent: Annotated[Flag, before(710), "the colour of the bottom left pixel"] = 0
    use_video_memory: Annotated[Flag, only(400)] = 1
    load_only_on_use: Annotated[Flag, only(400)] = 1
    smooth_edges: Annotated[Flag, only(543)] = 0
    preload_texture: Annotated[Flag, only(543)] = 0
    use_as_tileset: Annotated[Flag, since(543)] = 0
    tile_width: Annotated[i32, since(543)] = 16
    tile_height: Annotated[i32, since(543)] = 16
    tile_h_offset: Annotated[i32, since(543)] = 0
    tile_v_offset: Annotated[i32, since(543)] = 0
    tile_h_sep: Annotated[i32, since(543)] = 0
    tile_v_sep: Annotated[i32, since(543)] = 0
    has_image: Annotated[Flag, before(710)] = 0
    old_image: Annotated[OldPicture | None, before(710), given("has_image")] = None
    image: Annotated[Picture | None, Versioned(Picture), since(710)] = None

    def media(self) -> Iterator[tuple[str, object]]:
        if self.image is not None:
            yield "image", self.image.pixels
        if self.old_image is not None:
            yield "old_image", self.old_image.file


BACKGROUNDS = section("Backgrounds", (400, 800), Background)


class PathPoint(Record):
    """A point of a path."""

    x: f64 = 0.0
    y: f64 = 0.0
    speed: Annotated[f64, "per cent"] = 100.0


class Path(VersionedRecord):
    """A path."""

    versions: ClassVar[tuple[int, ...]] = (530,)

    connection: Annotated[i32, "0 straight lines, 1 smooth curve"] = 0
    closed: Flag = 1
    precision: i32 = 4
    background_room: Annotated[i32, "shown behind the path in its editor"] = -1
    snap_x: i32 = 16
    snap_y: i32 = 16
    points: Annotated[list[PathPoint], COUNT] = []


PATHS = section("Paths", (420, 800), Path)


class Script(VersionedRecord):
    """A script."""

    versions: ClassVar[tuple[int, ...]] = (400, 800, 810)

    code: Annotated[Text, "GML"] = ""


SCRIPTS = section("Scripts", (400, 800, 810), Script)


class DataFile(VersionedRecord):
    """A file in a Game Maker 5 project."""

    versions: ClassVar[tuple[int, ...]] = (440,)

    file_name: Text = ""
    has_data: Flag = 0
    data: Annotated[Stream, given("has_data")] = None
    export: Annotated[i32, "0 don't, 1 temporary folder, 2 working folder, 3 as a font"] = 2
    overwrite: Flag = 0
    free_memory: Annotated[Flag, "after the export"] = 1
    remove_at_end: Flag = 1

    def media(self) -> Iterator[tuple[str, object]]:
        yield "data", self.data


DATA_FILES = section("DataFiles", (440,), DataFile)


class Font(VersionedRecord):
    """A font of the author's system."""

    versions: ClassVar[tuple[int, ...]] = (540, 800)

    font_name: Text = "Arial"
    size: Annotated[i32, "points"] = 12
    bold: Flag = 0
    italic: Flag = 0
    range_start: Annotated[
        i32, "the first character; 8.1 adds bits 16-23 character set, 24-31 smoothing"
    ] = 32
    range_end: Annotated[i32, "the last character"] = 127


FONTS = section("Fonts", (540, 800), Font)


class Moment(Record):
    """The actions of one step of a timeline."""

    position: i32 = 0
    actions: Annotated[ActionList, Versioned(ActionList)] = field(default_factory=ActionList)


class Timeline(VersionedRecord):
    """A timeline."""

    versions: ClassVar[tuple[int, ...]] = (500,)

    moments: Annotated[list[Moment], COUNT] = []


TIMELINES = section("Timelines", (500, 800), Timeline)


class RoomBackground(Record):
    """One of a room's background layers."""

    visible: Flag = 0
    foreground: Flag = 0
    background: Annotated[i32, "-1: none"] = -1
    x: i32 = 0
    y: i32 = 0
    tile_horizontally: Flag = 1
    tile_vertically: Flag = 1
    h_speed: i32 = 0
    v_speed: i32 = 0
    stretch: Annotated[Flag, since(520)] = 0


class View(Record):
    """A view: a part of the room, and where it appears on the screen."""

    visible: Flag = 0
    view_x: i32 = 0
    view_y: i32 = 0
    view_width: i32 = 640
    view_height: i32 = 480
    port_x: i32 = 0
    port_y: i32 = 0
    port_width: Annotated[i32, since(541)] = 640
    port_height: Annotated[i32, since(541)] = 480
    h_border: i32 = 32
    v_border: i32 = 32
    h_speed: Annotated[i32, "-1: at once"] = -1
    v_speed: Annotated[i32, "-1: at once"] = -1
    follow_object: Annotated[i32, "-1: none"] = -1


class Instance(Record):
    """An object placed in a room."""

    x: i32 = 0
    y: i32 = 0
    object: i32 = -1
    id: i32 = 0
    creation_code: Annotated[Text, "GML"] = ""
    scale_x: Annotated[f64, since(810)] = 1.0
    scale_y: Annotated[f64, since(810)] = 1.0
    blend: Annotated[i32, since(810)] = -1
    rotation: Annotated[f64, since(811)] = 0.0
    locked: Flag = 0


class Tile(Record):
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
    locked: Flag = 0


class RoomEditor(Record):
    """The state of the room editor."""

    remember: Flag = 0
    width: i32 = 0
    height: i32 = 0
    flags: Annotated[
        list[i32], only(500), Times(10), "those below and two more, in an unknown order"
    ] = field(default_factory=lambda: [0] * 10)
    show_grid: Annotated[Flag, since(520)] = 0
    show_objects: Annotated[Flag, since(520)] = 0
    show_tiles: Annotated[Flag, since(520)] = 0
    show_backgrounds: Annotated[Flag, since(520)] = 0
    show_foregrounds: Annotated[Flag, since(520)] = 0
    show_views: Annotated[Flag, since(520)] = 0
    delete_underlying_objects: Annotated[Flag, since(520)] = 0
    delete_underlying_tiles: Annotated[Flag, since(520)] = 0
    tile_width: Annotated[i32, before(541)] = 0
    tile_height: Annotated[i32, before(541)] = 0
    tile_h_sep: Annotated[i32, before(541)] = 0
    tile_v_sep: Annotated[i32, before(541)] = 0
    tile_h_offset: Annotated[i32, only(520)] = 0
    tile_v_offset: Annotated[i32, only(520)] = 0
    tab: Annotated[i32, "0 objects, 1 settings, 2 tiles, 3 backgrounds, 4 views"] = 0
    scroll_x: i32 = 0
    scroll_y: i32 = 0


class Room(VersionedRecord):
    """A room."""

    versions: ClassVar[tuple[int, ...]] = (500, 520, 541, 810, 811)

    caption: Text = ""
    width: i32 = 640
    height: i32 = 480
    snap_y: i32 = 16
    snap_x: i32 = 16
    isometric: Annotated[Flag, since(520)] = 0
    speed: Annotated[i32, "steps per second"] = 30
    persistent: Flag = 0
    background_colour: Colour = 12632256
    draw_background_colour: Annotated[
        i32, "bit 0; bit 1: the view's background is not cleared (8.1)"
    ] = 1
    creation_code: Annotated[Text, "GML"] = ""
    backgrounds: Annotated[list[RoomBackground], COUNT] = []
    enable_views: Flag = 0
    views: Annotated[list[View], COUNT] = []
    instances: Annotated[list[Instance], COUNT] = []
    tiles: Annotated[list[Tile], COUNT] = []
    editor: RoomEditor = field(default_factory=RoomEditor)


ROOMS = section("Rooms", (420, 800), Room)
