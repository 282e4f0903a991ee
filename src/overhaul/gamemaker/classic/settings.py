"""The global game settings, triggers, constants, and the small parts behind the resources."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar

from msgspec import field

from overhaul.gamemaker.classic.fields import (
    COUNT,
    INCLUDED_DATA,
    Blob,
    Colour,
    Date,
    Flag,
    Kept,
    Stream,
    Text,
    Versioned,
    VersionedRecord,
    block_since,
)
from overhaul.schema import Record, Times, When, before, given, i32, only, since

FIRST = 542  # the first version of what became Game Maker 6


class Constant(Record):
    """A constant: a name and an expression in text form."""

    name: Text = ""
    value: Text = ""


class IncludedPath(Record):
    """The path of a file that Game Maker 6 adds to the executable."""

    path: Text = ""


class OptionalPicture(Record):
    """A picture file (a BMP), or none."""

    present: Annotated[i32, "before 800: 10 or -1; since: 1 or 0"] = 0
    file: Annotated[Stream, When("present", lambda value: value not in (0, -1), "if present")] = (
        None
    )


SETTINGS_PICTURES = ("load_bar_back", "load_bar_front", "load_image")
OWN_BAR = When("load_bar", lambda value: value == 2, "if load_bar is 2")


class Settings(VersionedRecord):
    """The global game settings.  Since 800 all of them are one zlib block.

    Game Maker 8.2 writes version 820 with the fields of 810.
    """

    versions: ClassVar[tuple[int, ...]] = (500, 510, 530, 542, 600, 702, 800, 810, 820)

    start_fullscreen: Flag = 0
    interpolate: Annotated[Flag, since(600), "colours between pixels"] = 0
    dont_draw_border: Annotated[Flag, "in windowed mode"] = 0
    display_cursor: Flag = 1
    scaling: Annotated[
        i32, "before 542 a percentage; since: -1 keep aspect ratio, 0 full scale, else per cent"
    ] = -1
    scaling_fullscreen: Annotated[i32, before(FIRST), "per cent; 0: as large as possible"] = 100
    scale_only_with_hardware: Annotated[Flag, before(FIRST)] = 1
    allow_resize: Annotated[Flag, since(FIRST)] = 0
    always_on_top: Annotated[Flag, since(FIRST)] = 0
    colour_outside_room: Annotated[Colour, since(FIRST)] = 0
    set_resolution: Flag = 0
    colour_depth: Annotated[i32, "since 542: 0 no change, 1 16 bit, 2 32 bit"] = 0
    exclusive_graphics: Annotated[Flag, before(FIRST)] = 0
    resolution: i32 = 0
    frequency: i32 = 0
    wait_vertical_blank: Annotated[Flag, before(FIRST)] = 0
    caption_in_fullscreen: Annotated[Flag, before(FIRST)] = 1
    dont_show_buttons: Annotated[Flag, "in the caption"] = 0
    synchronise: Annotated[
        i32, since(FIRST), "bit 0: to avoid tearing; bit 31: software vertex processing"
    ] = 0
    disable_screensavers: Annotated[Flag, since(800)] = 1
    key_f4: Annotated[Flag, "switches screen modes"] = 1
    key_f1: Annotated[Flag, "shows the game information"] = 1
    key_esc: Annotated[Flag, "ends the game"] = 1
    key_f5_f6: Annotated[Flag, "save and load"] = 1
    key_f9: Annotated[Flag, since(702), "takes a screenshot"] = 1
    close_as_esc: Annotated[Flag, since(702)] = 1
    priority: Annotated[i32, since(530), "0 normal, 1 high, 2 highest"] = 0
    reserved: Annotated[list[i32], before(FIRST), Times(2)] = field(default_factory=lambda: [1, 1])
    freeze_on_lose_focus: Flag = 0
    load_bar: Annotated[i32, "0 none, 1 default, 2 own"] = 1
    load_bar_back: Annotated[OptionalPicture | None, OWN_BAR] = None
    load_bar_front: Annotated[OptionalPicture | None, OWN_BAR] = None
    own_load_image: Flag = 0
    load_image: Annotated[OptionalPicture | None, given("own_load_image")] = None
    load_transparent: Annotated[Flag, since(510)] = 0
    load_alpha: Annotated[i32, since(510)] = 255
    load_scale_bar: Annotated[Flag, since(510)] = 1
    icon: Annotated[Blob, "a Windows icon file"] = b""
    errors_display: Flag = 1
    errors_log: Flag = 0
    errors_abort: Flag = 0
    uninitialised: Annotated[
        i32, "bit 0: variables are 0; bit 1: missing arguments are an error"
    ] = 0
    author: Text = ""
    game_version: Annotated[i32, before(702)] = 100
    game_version_text: Annotated[Text, since(702)] = "100"
    last_changed: Date = 0.0
    information: Text = ""
    constants: Annotated[list[Constant], COUNT, since(530) & before(800)] = []
    major: Annotated[i32, since(702)] = 1
    minor: Annotated[i32, since(702)] = 0
    release: Annotated[i32, since(702)] = 0
    build: Annotated[i32, since(702)] = 0
    company: Annotated[Text, since(702)] = ""
    product: Annotated[Text, since(702)] = ""
    copyright: Annotated[Text, since(702)] = ""
    description: Annotated[Text, since(702)] = ""
    include_files: Annotated[list[IncludedPath], COUNT, only(FIRST, 600)] = []
    include_folder: Annotated[i32, only(FIRST, 600), "0 main, 1 temporary"] = 0
    include_overwrite: Annotated[Flag, only(FIRST, 600)] = 0
    include_remove: Annotated[Flag, only(FIRST, 600)] = 0
    settings_changed: Annotated[Date, since(800)] = 0.0

    def pictures(self) -> Iterator[tuple[str, OptionalPicture]]:
        """The pictures of the loading bar and of loading, by their field."""
        for name in SETTINGS_PICTURES:
            picture: OptionalPicture | None = getattr(self, name)
            if picture is not None:
                yield name, picture


class Trigger(VersionedRecord):
    """A condition that a game checks in every step, for trigger events."""

    versions: ClassVar[tuple[int, ...]] = (800,)

    name: Text = ""
    condition: Annotated[Text, "GML"] = ""
    moment: Annotated[i32, "0 step, 1 begin step, 2 end step"] = 0
    constant_name: Text = ""


class TriggerSlot(Kept):
    """A place in the list of triggers; its number is the sub-type of trigger events."""

    exists: Flag = 0
    resource: Annotated[Trigger | None, Versioned(Trigger), given("exists")] = None

    def __post_init__(self) -> None:
        if self.resource is not None and not self.exists:
            self.exists = 1

    @property
    def name(self) -> str:
        """The name of the trigger."""
        return "" if self.resource is None else self.resource.name


class Triggers(VersionedRecord):
    """The triggers."""

    versions: ClassVar[tuple[int, ...]] = (800,)

    slots: Annotated[list[Annotated[TriggerSlot, block_since(TriggerSlot)]], COUNT] = []
    changed: Date = 0.0


class Constants(VersionedRecord):
    """The constants; before 800 they are in the settings."""

    versions: ClassVar[tuple[int, ...]] = (800,)

    constants: Annotated[list[Constant], COUNT] = []
    changed: Date = 0.0


class Include(VersionedRecord):
    """A file that is added to the executable."""

    versions: ClassVar[tuple[int, ...]] = (620, 800, 810)

    file_name: Text = ""
    file_path: Annotated[Text, "on the author's machine"] = ""
    original_chosen: Flag = 0
    original_size: i32 = 0
    store: Annotated[Flag, "in the project"] = 0
    data: Annotated[bytes | None, INCLUDED_DATA] = None
    export: Annotated[
        i32, "0 don't, 1 temporary folder, 2 working folder, 3 the folder named next"
    ] = 2
    export_folder: Text = ""
    overwrite: Flag = 0
    free_memory: Annotated[Flag, "after the export"] = 1
    remove_at_end: Flag = 1


class IncludeSlot(Kept):
    """A place in the list of included files; none is ever empty."""

    changed: Annotated[Date, since(800)] = 0.0
    include: Annotated[Include | None, Versioned(Include)] = None


class Includes(VersionedRecord):
    """The included files."""

    versions: ClassVar[tuple[int, ...]] = (620, 800)

    slots: Annotated[list[Annotated[IncludeSlot, block_since(IncludeSlot)]], COUNT] = []


class PackageName(Record):
    """The name of an extension package the project uses."""

    name: Text = ""


class Packages(VersionedRecord):
    """The extension packages; the packages themselves are on the author's machine."""

    versions: ClassVar[tuple[int, ...]] = (700,)

    names: Annotated[list[PackageName], COUNT] = []


class GameInformation(VersionedRecord):
    """The game information, which F1 shows to players. Since 800 it is a zlib block."""

    versions: ClassVar[tuple[int, ...]] = (430, 600, 620, 800, 810)

    background_colour: Colour = -16777192
    window_flag: Annotated[Flag, "in a window of its own"] = 1
    caption: Annotated[Text, since(600)] = "Game Information"
    left: Annotated[i32, since(600)] = -1
    top: Annotated[i32, since(600)] = -1
    width: Annotated[i32, since(600)] = 600
    height: Annotated[i32, since(600)] = 400
    show_border: Annotated[Flag, since(600)] = 1
    allow_resize: Annotated[Flag, since(600)] = 1
    always_on_top: Annotated[Flag, since(600)] = 0
    pause_game: Annotated[Flag, since(600)] = 1
    changed: Annotated[Date, since(800)] = 0.0
    text: Annotated[Blob, "Rich Text Format, normally with a NUL at its end"] = b""


class CreationCode(Record):
    """The creation code of an action library on the author's machine."""

    code: Text = ""


class LibraryCodes(VersionedRecord):
    """The creation codes of the installed action libraries, by the libraries' file names."""

    versions: ClassVar[tuple[int, ...]] = (500,)

    codes: Annotated[list[CreationCode], COUNT] = []


class RoomOrder(VersionedRecord):
    """The order in which a game goes through its rooms."""

    versions: ClassVar[tuple[int, ...]] = (500, 540, 700)

    rooms: Annotated[list[i32], COUNT, "ids"] = []
