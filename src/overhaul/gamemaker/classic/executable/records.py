"""A game inside an executable: its settings, the lists of its resources, what else a runner needs.

There are no dates and no resource tree.
Facts: specs/gamemaker-projects.md, section 14.
"""

from __future__ import annotations

from typing import Annotated, ClassVar

from msgspec import field

from overhaul.gamemaker.classic.actions import Object
from overhaul.gamemaker.classic.executable.resources import (
    GameBackground,
    GameFont,
    GamePath,
    GameRoom,
    GameScript,
    GameSprite,
    PlainSound,
)
from overhaul.gamemaker.classic.extensions import ExtensionConstant
from overhaul.gamemaker.classic.fields import (
    COUNT,
    STORED,
    Blob,
    Colour,
    Deflated,
    Flag,
    Kept,
    Text,
    Versioned,
    VersionedRecord,
    block_since,
)
from overhaul.gamemaker.classic.resources import Sound, Timeline
from overhaul.gamemaker.classic.sections import R, Section, Slot, section
from overhaul.gamemaker.classic.settings import (
    Constant,
    GameInformation,
    Include,
    LibraryCodes,
    RoomOrder,
    TriggerSlot,
)
from overhaul.schema import (
    IfPresent,
    Record,
    Times,
    When,
    before,
    given,
    i32,
    only,
    since,
)


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
    """What F1 shows to players."""

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


# -------------------------------------------------------------------------------- the lists


class GameSlot(Slot[R]):
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
    """The game behind all that hides it: the resources and the rest, by the product's version."""

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
