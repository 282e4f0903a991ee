"""A game inside an executable: its settings, its lists of resources, and these.

Dates and a resource tree are absent. Facts: specs/gamemaker-projects.md, section 14.

Pictures are ready to draw and come with collision masks.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar

from msgspec import field

from overhaul.errors import EncodeError
from overhaul.gamemaker.classic.actions import Object
from overhaul.gamemaker.classic.extensions import ExtensionConstant
from overhaul.gamemaker.classic.fields import (
    BLOB,
    COUNT,
    STORED,
    STREAM,
    Blob,
    Colour,
    Deflated,
    Flag,
    Kept,
    Section,
    Slot,
    Text,
    V,
    Versioned,
    VersionedRecord,
    block_since,
    section,
    sized,
)
from overhaul.gamemaker.classic.obfuscation import inverse, table_of_seed
from overhaul.gamemaker.classic.resources import (
    Font,
    Instance,
    Path,
    RoomBackground,
    Sound,
    Tile,
    Timeline,
    View,
)
from overhaul.gamemaker.classic.settings import (
    Constant,
    GameInformation,
    Include,
    LibraryCodes,
    RoomOrder,
    TriggerSlot,
)
from overhaul.gamemaker.classic.streams import ProjectReader
from overhaul.schema import (
    Buffer,
    Counted,
    Either,
    IfPresent,
    Reader,
    Record,
    SizedText,
    TextCodec,
    Times,
    VariableCodec,
    When,
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
    """A 32-bit word for each pixel; other than 0 where it is solid."""

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
        raw, inner = sized(bytes(content).translate(inverse(table_of_seed(SCRIPT_SEED))), 0, reader)
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


class BarPicture(Record):
    """A picture of the loading bar, behind a flag."""

    present: Flag = 0
    file: Annotated[Deflated | bytes | None, STORED, given("present")] = None


HAS_BAR = When("load_bar", bool, "if load_bar is not 0")


class GameSettings(VersionedRecord):
    """The settings a runner needs.  Since 800 in a zlib block."""

    versions: ClassVar[tuple[int, ...]] = (600, 702, 800, 810)

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
    load_image: Annotated[Deflated | bytes | None, STORED, given("own_load_image")] = None
    load_transparent: Flag = 0
    load_alpha: i32 = 255
    load_scale_bar: Flag = 1
    errors_display: Flag = 1
    errors_log: Flag = 0
    errors_abort: Flag = 0
    uninitialised: i32 = 0
    constants: Annotated[list[Constant], COUNT, before(800)] = []


class GameInclude(Include):
    """An included file."""

    data: Annotated[bytes | None, IfPresent(STORED, "original_chosen", "store")] = None


class GameInformationText(GameInformation):
    """The game information, which F1 shows to players."""

    versions: ClassVar[tuple[int, ...]] = (600, 620, 800, 810)

    changed: float = 0.0  # not stored
    text: Annotated[bytes, STORED] = b""


# -------------------------------------------------------------------- extension packages


class PackedFunction(VersionedRecord):
    """A function of an extension."""

    versions: ClassVar[tuple[int, ...]] = (700,)

    name: Text = ""
    external_name: Text = ""
    convention: i32 = 12
    id: i32 = 0
    argument_count: i32 = 0
    argument_types: Annotated[list[i32], Times(17)] = field(default_factory=lambda: [1] * 17)
    result_type: i32 = 2


class PackedConstant(ExtensionConstant):
    """A constant of an extension."""

    hidden: int = 0  # not stored


class PackedFile(VersionedRecord):
    """A file of an extension."""

    versions: ClassVar[tuple[int, ...]] = (700,)

    name: Text = ""
    kind: Annotated[i32, "1 DLL, 2 GML, 3 action library, 4 other"] = 1
    initialisation: Text = ""
    finalisation: Text = ""
    functions: Annotated[list[Annotated[PackedFunction, Versioned(PackedFunction)]], COUNT] = []
    constants: Annotated[list[Annotated[PackedConstant, Versioned(PackedConstant)]], COUNT] = []


class PackedExtension(VersionedRecord):
    """An extension package; its files stand in ``content``, hidden by a seed."""

    versions: ClassVar[tuple[int, ...]] = (700,)

    name: Text = ""
    folder: Text = ""
    files: Annotated[list[Annotated[PackedFile, Versioned(PackedFile)]], COUNT] = []
    content: Annotated[Blob, "seed, a plain byte, substituted bytes: a zlib stream per file"] = b""


def packed_streams(package: PackedExtension) -> Iterator[Deflated]:
    """The zlib streams of an extension's files, behind a seed and a substitution."""
    content = package.content
    if len(content) < 5:
        return
    seed = int.from_bytes(content[:4], "little", signed=True)
    plain = content[4:5] + content[5:].translate(inverse(table_of_seed(seed)))
    position = 0
    while position < len(plain):
        stream, position = sized(plain, position, ProjectReader())
        yield Deflated(stream)


# -------------------------------------------------------------------------------- the lists


class GameSlot(Slot[V]):
    """A place in a list of resources; executables store no dates."""

    changed: float = 0.0  # not stored


SOUNDS = section("GameSounds", (400, 800), Sound, slot=GameSlot)
PLAIN_SOUNDS = section("PlainSounds", (400,), PlainSound, slot=GameSlot)
SPRITES = section("GameSprites", (400, 800, 810), GameSprite, slot=GameSlot)
BACKGROUNDS = section("GameBackgrounds", (400, 800), GameBackground, slot=GameSlot)
PATHS = section("GamePaths", (420, 800), GamePath, slot=GameSlot)
SCRIPTS = section("GameScripts", (400, 800, 810), GameScript, slot=GameSlot)
FONTS = section("GameFonts", (540, 800), GameFont, slot=GameSlot)
TIMELINES = section("GameTimelines", (500, 800), Timeline, slot=GameSlot)
OBJECTS = section("GameObjects", (400, 800), Object, slot=GameSlot)
ROOMS = section("GameRooms", (420, 800), GameRoom, slot=GameSlot)


class GameTriggers(VersionedRecord):
    """The triggers."""

    versions: ClassVar[tuple[int, ...]] = (800,)
    slots: Annotated[list[Annotated[TriggerSlot, block_since(TriggerSlot)]], COUNT] = []


class GameConstants(VersionedRecord):
    """The constants."""

    versions: ClassVar[tuple[int, ...]] = (800,)
    constants: Annotated[list[Constant], COUNT] = []


class GameIncludeSlot(Kept):
    """A place in the list of included files."""

    include: Annotated[GameInclude | None, Versioned(GameInclude)] = None


class GameIncludes(VersionedRecord):
    """The included files."""

    versions: ClassVar[tuple[int, ...]] = (620, 800)
    slots: Annotated[list[Annotated[GameIncludeSlot, block_since(GameIncludeSlot)]], COUNT] = []


class Extensions(VersionedRecord):
    """The extension packages, complete."""

    versions: ClassVar[tuple[int, ...]] = (700,)
    packages: Annotated[list[Annotated[PackedExtension, Versioned(PackedExtension)]], COUNT] = []


class Game(Record):
    """The game without its layers: the resources and the rest, by the product's version."""

    game_id: i32 = 0
    guid: Annotated[list[i32], Times(4)] = field(default_factory=lambda: [0] * 4)
    settings: Annotated[GameSettings | None, only(600), Versioned(GameSettings)] = None
    extensions: Annotated[Extensions | None, since(700), Versioned(Extensions)] = None
    triggers: Annotated[GameTriggers | None, since(800), Versioned(GameTriggers)] = None
    constants: Annotated[GameConstants | None, since(800), Versioned(GameConstants)] = None
    plain_sounds: Annotated[Section[PlainSound] | None, only(600), PLAIN_SOUNDS] = None
    sounds: Annotated[Section[Sound] | None, since(700), SOUNDS] = None
    sprites: Annotated[Section[GameSprite] | None, SPRITES] = None
    backgrounds: Annotated[Section[GameBackground] | None, BACKGROUNDS] = None
    paths: Annotated[Section[GamePath] | None, PATHS] = None
    scripts: Annotated[Section[GameScript] | None, SCRIPTS] = None
    fonts: Annotated[Section[GameFont] | None, FONTS] = None
    timelines: Annotated[Section[Timeline] | None, TIMELINES] = None
    objects: Annotated[Section[Object] | None, OBJECTS] = None
    rooms: Annotated[Section[GameRoom] | None, ROOMS] = None
    last_instance_id: i32 = 100000
    last_tile_id: i32 = 10000000
    includes: Annotated[GameIncludes | None, since(700), Versioned(GameIncludes)] = None
    information: Annotated[
        GameInformationText | None, Versioned(GameInformationText, packed=800)
    ] = None
    library_codes: Annotated[LibraryCodes | None, Versioned(LibraryCodes)] = None
    room_order: Annotated[RoomOrder | None, Versioned(RoomOrder)] = None
