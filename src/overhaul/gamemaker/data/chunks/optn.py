"""OPTN: options and constants."""

import enum
from typing import Annotated

from overhaul.gamemaker.data.fields import ItemRef, StringRef
from overhaul.schema import Condition, FixedCodec, Inline, Record, b32, i32, u32

old: Condition = Condition(lambda version: version.old_options, "old form")
new: Condition = Condition(lambda version: not version.old_options, "new form")


class OptionFlags(enum.IntFlag):
    """Bits of the option flags of the new form."""

    FULLSCREEN = 1 << 0
    INTERPOLATE = 1 << 1
    NEW_AUDIO = 1 << 2
    NO_BORDER = 1 << 3
    SHOW_CURSOR = 1 << 4
    SIZEABLE = 1 << 5
    STAY_ON_TOP = 1 << 6
    CHANGE_RESOLUTION = 1 << 7
    NO_BUTTONS = 1 << 8
    SCREEN_KEY = 1 << 9
    HELP_KEY = 1 << 10
    QUIT_KEY = 1 << 11
    SAVE_KEY = 1 << 12
    SCREENSHOT_KEY = 1 << 13
    CLOSE_SECONDARY = 1 << 14
    FREEZE = 1 << 15
    SHOW_PROGRESS = 1 << 16
    LOAD_TRANSPARENT = 1 << 17
    SCALE_PROGRESS = 1 << 18
    DISPLAY_ERRORS = 1 << 19
    WRITE_ERRORS = 1 << 20
    ABORT_ERRORS = 1 << 21
    VARIABLE_ERRORS = 1 << 22
    CREATION_EVENT_ORDER = 1 << 23
    FRONT_TOUCH = 1 << 24
    REAR_TOUCH = 1 << 25
    FAST_COLLISION = 1 << 26
    FAST_COLLISION_COMPATIBILITY = 1 << 27
    DISABLE_SANDBOX = 1 << 28
    COPY_ON_WRITE = 1 << 29
    LEGACY_JSON = 1 << 30
    LEGACY_NUMBER_CONVERSION = 1 << 31
    LEGACY_OTHER_BEHAVIOUR = 1 << 32
    AUDIO_ERROR_BEHAVIOUR = 1 << 33
    ALLOW_INSTANCE_CHANGE = 1 << 34
    LEGACY_PRIMITIVE_DRAWING = 1 << 35


class Constant(Record):
    """A name and a value."""

    name: StringRef = None
    value: StringRef = None


class Options(Record):
    """Options of the game. Builds before 1380 have the old form, one word for each option."""

    marker: Annotated[u32, new, "0x80000000"] = 0x80000000
    version: Annotated[u32, new, "2"] = 2
    flags: Annotated[int, FixedCodec("Q", "OptionFlags", names=OptionFlags), new] = 0
    fullscreen: Annotated[b32, old] = False
    interpolate: Annotated[b32, old] = False
    new_audio: Annotated[b32, old] = False
    no_border: Annotated[b32, old] = False
    show_cursor: Annotated[b32, old] = True
    scale: i32 = -1
    sizeable: Annotated[b32, old] = False
    stay_on_top: Annotated[b32, old] = False
    window_colour: u32 = 0
    change_resolution: Annotated[b32, old] = False
    colour_depth: u32 = 0
    resolution: u32 = 0
    frequency: u32 = 0
    no_buttons: Annotated[b32, old] = False
    vertex_sync: u32 = 0
    screen_key: Annotated[b32, old] = True
    help_key: Annotated[b32, old] = True
    quit_key: Annotated[b32, old] = True
    save_key: Annotated[b32, old] = True
    screenshot_key: Annotated[b32, old] = True
    close_secondary: Annotated[b32, old] = True
    priority: u32 = 0
    freeze: Annotated[b32, old] = False
    show_progress: Annotated[b32, old] = True
    back_image: Annotated[ItemRef, "loading screen"] = None
    front_image: ItemRef = None
    load_image: ItemRef = None
    load_transparent: Annotated[b32, old] = False
    load_alpha: u32 = 255
    scale_progress: Annotated[b32, old] = True
    display_errors: Annotated[b32, old] = True
    write_errors: Annotated[b32, old] = False
    abort_errors: Annotated[b32, old] = False
    variable_errors: Annotated[b32, old] = True
    creation_event_order: Annotated[b32, old] = False
    constants: Annotated[list[Constant], Inline()] = []
