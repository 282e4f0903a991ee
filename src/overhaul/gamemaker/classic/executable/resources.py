"""The resources inside an executable: like those of a project, without what only editors need.

Pictures are ready to draw and come with collision masks.
Facts: specs/gamemaker-projects.md, section 14.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar

from msgspec import field

from overhaul.errors import EncodeError
from overhaul.gamemaker.classic.fields import (
    BLOB,
    COUNT,
    STORED,
    STREAM,
    Colour,
    Deflated,
    Flag,
    Text,
    Versioned,
    VersionedRecord,
    sized,
)
from overhaul.gamemaker.classic.obfuscation import inverse, table_of_seed
from overhaul.gamemaker.classic.resources import Font, Path, Sound
from overhaul.gamemaker.classic.rooms import Instance, RoomBackground, Tile, View
from overhaul.gamemaker.classic.streams import ProjectReader
from overhaul.schema import (
    Buffer,
    Counted,
    Either,
    IfPresent,
    Reader,
    SizedText,
    TextCodec,
    Times,
    VariableCodec,
    Writer,
    before,
    given,
    i32,
    only,
    since,
)

SCRIPT_SEED = 12345  # hides the scripts of executables before 8


# --------------------------------------------------------------------------------- pictures


class GamePicture(VersionedRecord):
    """A picture of a sprite or background: rows from the top, B G R A each."""

    versions: ClassVar[tuple[int, ...]] = (540, 800)

    unknown: Annotated[i32, only(540), "1"] = 1
    width: i32 = 0
    height: i32 = 0
    pixels: Annotated[
        Deflated | bytes | None, Either(before(800), STREAM, IfPresent(BLOB, "width", "height"))
    ] = None


class _MaskBits(VariableCodec[bytes]):
    """A 32-bit word for every pixel: does it collide?"""

    needs = ("width", "height")

    def type_name(self) -> str:
        return "width × height × i32"

    def read(
        self, data: Buffer, position: int, reader: Reader, width: int, height: int
    ) -> tuple[bytes, int]:
        size = width * height * 4
        if min(width, height) < 0 or size > len(data) - position:
            raise reader.fail(f"a mask of {width} by {height} can't be here", position)
        return bytes(data[position : position + size]), position + size

    def write(self, writer: Writer, value: bytes, width: int, height: int) -> None:
        if len(value) != width * height * 4:
            raise EncodeError("a mask has one word for every pixel")
        writer.out += value


class Mask(VersionedRecord):
    """A collision mask."""

    versions: ClassVar[tuple[int, ...]] = (800,)

    width: i32 = 0
    height: i32 = 0
    left: i32 = 0
    right: i32 = 0
    bottom: i32 = 0
    top: i32 = 0
    bits: Annotated[bytes, _MaskBits()] = b""


def _masks(separate: int, frames: list[GamePicture]) -> int:
    """How many masks a sprite has: one, or one for each subimage; none without subimages."""
    return len(frames) if separate else min(len(frames), 1)


class GameSprite(VersionedRecord):
    """A sprite."""

    versions: ClassVar[tuple[int, ...]] = (542, 800, 810)

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
    masks: Annotated[
        list[Annotated[Mask, Versioned(Mask)]],
        Counted("separate_masks", "frames", count=_masks),
        since(800),
    ] = []

    def media(self) -> Iterator[tuple[str, object]]:
        for index, frame in enumerate(self.frames):
            yield f"frames[{index}]", frame.pixels


class GameBackground(VersionedRecord):
    """A background."""

    versions: ClassVar[tuple[int, ...]] = (543, 710)

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

    data: Annotated[Deflated | bytes | None, BLOB, given("has_data")] = None


class GamePath(Path):
    """A path."""

    background_room: int = -1  # not stored, as are the next two
    snap_x: int = 16
    snap_y: int = 16


class _HiddenCode(TextCodec):
    """GML in a zlib stream whose content is substituted."""

    def type_name(self) -> str:
        return "string in a zlib stream, its bytes substituted"

    def read(self, data: Buffer, position: int, reader: Reader) -> tuple[str, int]:
        assert isinstance(reader, ProjectReader)
        stream, end = sized(data, position, reader)
        content, _ = reader.inflate(stream, position)
        raw, inner = sized(content.translate(inverse(table_of_seed(SCRIPT_SEED))), 0, reader)
        if inner != len(content):
            raise reader.fail("bytes behind a script", position)
        return reader.text(raw), end

    def write(self, writer: Writer, value: str) -> None:
        raw = writer.raw(value)
        content = len(raw).to_bytes(4, "little") + raw
        BLOB.write(writer, Deflated.of(content.translate(table_of_seed(SCRIPT_SEED))).stream)


class GameScript(VersionedRecord):
    """A script."""

    versions: ClassVar[tuple[int, ...]] = (400, 800, 810)

    code: Annotated[str, Either(before(800), _HiddenCode(), SizedText("i"))] = ""


class GameFont(Font):
    """A font, with the picture of its characters."""

    glyphs: Annotated[list[i32], Times(256 * 6), "x, y, width, height, advance, offset"] = field(
        default_factory=lambda: [0] * 1536
    )
    map_width: i32 = 0
    map_height: i32 = 0
    alpha: Annotated[
        Deflated | bytes | None, STORED, "the picture of all glyphs, one byte for every pixel"
    ] = None

    def media(self) -> Iterator[tuple[str, object]]:
        yield "alpha", self.alpha


class GameInstance(Instance):
    """An object placed in a room."""

    locked: int = 0  # not stored


class GameTile(Tile):
    """A rectangle of a background, placed in a room."""

    locked: int = 0  # not stored


class GameRoom(VersionedRecord):
    """A room."""

    versions: ClassVar[tuple[int, ...]] = (541, 810, 811)

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
