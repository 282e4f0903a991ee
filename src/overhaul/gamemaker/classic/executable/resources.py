"""The resources inside an executable: like those of a project, without what only editors need.

Pictures are ready to draw and come with collision masks.
Facts: specs/gamemaker-projects.md, section 14.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar

from msgspec import field

from overhaul.errors import EncodeError
from overhaul.gamemaker.classic.fields import (
    BLOB,
    COUNT,
    STREAM,
    Colour,
    Deflated,
    Flag,
    Text,
    Versioned,
    VersionedRecord,
    given,
    only,
    since,
    sized,
    words,
)
from overhaul.gamemaker.classic.obfuscation import inverse, table_of_seed
from overhaul.gamemaker.classic.resources import PathPoint, Sound
from overhaul.gamemaker.classic.rooms import RoomBackground, View
from overhaul.gamemaker.classic.streams import ProjectReader, ProjectWriter
from overhaul.schema import Buffer, Reader, Record, VariableCodec, Writer, f64, i32

SCRIPT_SEED = 12345  # hides the scripts of executables before 8


class Stored(VariableCodec):
    """Bytes of a file or picture: a zlib stream before 800, plain since."""

    def __init__(self, plain: bool = False) -> None:
        self.plain = plain

    def type_name(self) -> str:
        return "zlib stream (since 800: blob)"

    def bind(self, version: Any) -> VariableCodec:
        return type(self)(version >= 800)

    def read(self, data: Buffer, position: int, reader: Reader, *needed: Any) -> tuple[Any, int]:
        return (BLOB if self.plain else STREAM).read(data, position, reader)

    def write(self, writer: Writer, value: Any, *needed: Any) -> None:
        (BLOB if self.plain else STREAM).write(writer, value)


# --------------------------------------------------------------------------------- pictures


class _Pixels(Stored):
    """Pixels; since 800 only if there are any."""

    needs = ("width", "height")

    def type_name(self) -> str:
        return "zlib stream (since 800: blob, if neither width nor height is 0)"

    def read(self, data: Buffer, position: int, reader: Reader, *needed: Any) -> tuple[Any, int]:
        if self.plain and 0 in needed:
            return None, position
        return super().read(data, position, reader)

    def write(self, writer: Writer, value: Any, *needed: Any) -> None:
        if value is not None:
            super().write(writer, value)


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

    def type_name(self) -> str:
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

    def type_name(self) -> str:
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
    frames: Annotated[list[Annotated[GamePicture, Versioned(GamePicture)]], COUNT] = []
    mask_shape: Annotated[i32, since(810)] = 0
    separate_masks: Annotated[Flag, since(800)] = 0
    masks: Annotated[list[Mask], _Masks(), since(800)] = []

    def media(self) -> Iterator[tuple[str, object]]:
        for index, frame in enumerate(self.frames):
            yield f"frames[{index}]", frame.pixels


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

    @property
    def picture(self) -> GamePicture | None:
        """The picture, however the version stores it."""
        return self.image if self.version >= 710 else self.old_image

    def media(self) -> Iterator[tuple[str, object]]:
        if self.picture is not None:
            yield "image", self.picture.pixels


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
    points: Annotated[list[PathPoint], COUNT] = []


class _HiddenCode(VariableCodec):
    """GML: plain since 800; before, a zlib stream whose content is substituted."""

    def __init__(self, plain: bool = False) -> None:
        self.plain = plain

    def type_name(self) -> str:
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
    alpha: Annotated[
        Deflated | bytes | None, Stored(), "the picture of all glyphs, one byte for every pixel"
    ] = None

    def media(self) -> Iterator[tuple[str, object]]:
        yield "alpha", self.alpha


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
    backgrounds: Annotated[list[RoomBackground], COUNT] = []
    enable_views: Flag = 0
    views: Annotated[list[View], COUNT] = []
    instances: Annotated[list[GameInstance], COUNT] = []
    tiles: Annotated[list[GameTile], COUNT] = []
