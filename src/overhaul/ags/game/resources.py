"""The records of game data: characters, views, items, cursors, dialogs, fonts, audio, plugins.

``version`` is the data version.  Sources: the engine's ``Common/ac/`` (``characterinfo.cpp``,
``view.cpp``, ``dialogtopic.cpp`` ...); see docs/formats/ags-game.md.  Fields that only a running
game uses are kept too, as older editors left values in them.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, TypeAlias

from overhaul.ags.fields import FixedText, blob, cstr, estr, new, zeros
from overhaul.ags.shapes import VIEW, NamedNumber, Sparse, Truth
from overhaul.ags.words import Flags, Shown
from overhaul.schema import (
    Bytes,
    Counted,
    Either,
    Inline,
    NotStored,
    Record,
    Times,
    before,
    count_of,
    i16,
    i32,
    since,
    u8,
    u16,
)

ShortName: TypeAlias = Annotated[str | None, NotStored()]
"""The text of the field of limited length in place of the beginning of a name, from 3.6.1.14 on."""


class Font(Record):
    """A font (from data version 50)."""

    flags: Annotated[
        i32,
        Flags(
            {
                "SizeIsMultiplier": 1,
                "LineSpacingFromHeight": 2,
                "NominalHeight": 4,
                "AscenderFixup": 8,
                "CustomHeight": 16,
            }
        ),
        "1 size multiplies, 2 line spacing from height, 4 nominal height, 8 ascender fix, "
        "16 custom height",
    ] = 0
    size: Annotated[i32, Shown("Size")] = 0
    outline: Annotated[
        i32,
        Shown("OutlineFont", NamedNumber({-1: "None", -10: "Automatic"})),
        "-1 none, -10 automatic, else a font",
    ] = -1
    y_offset: Annotated[i32, Shown("VerticalOffset")] = 0
    line_spacing: Annotated[i32, Shown("LineSpacing")] = 0


class FontSpacing(Record):
    """The position of a font's lines (data version 49)."""

    y_offset: i32 = 0
    line_spacing: i32 = 0


class InventoryItem(Record):
    """An inventory item; item 0 is never used."""

    name: Annotated[str, FixedText(25), Shown("Description")] = ""
    padding: Annotated[bytes, Bytes(3)] = bytes(3)
    picture: Annotated[i32, Shown("Image", to="sprites")] = 0
    cursor_picture: Annotated[i32, Shown("CursorImage", to="sprites")] = 0
    hot_x: Annotated[i32, Shown("HotspotX")] = 0
    hot_y: Annotated[i32, Shown("HotspotY")] = 0
    reserved: Annotated[list[i32], Times(5)] = zeros(5)
    flags: Annotated[u8, Flags({"PlayerStartsWithItem": 1}), "1 the player starts with it"] = 0
    end_padding: Annotated[bytes, Bytes(3)] = bytes(3)
    short_name: ShortName = None


class Cursor(Record):
    """A mouse cursor mode."""

    picture: Annotated[i32, Shown("Image", to="sprites")] = 0
    hot_x: Annotated[i16, Shown("HotspotX")] = 0
    hot_y: Annotated[i16, Shown("HotspotY")] = 0
    view: Annotated[i16, Shown("View", VIEW, to="views"), "-1 none"] = -1
    name: Annotated[str, FixedText(10), Shown("Name")] = ""
    flags: Annotated[
        u8,
        Flags(
            {
                "StandardMode": 4,
                "AnimateOnlyOnHotspots": 8,
                "AnimateOnlyWhenMoving": 1,
                "Disabled": 2,
            }
        ),
        "1 animates when moving, 2 disabled, 4 standard, 8 only over hotspots",
    ] = 0
    padding: Annotated[bytes, Bytes(3)] = bytes(3)
    short_name: ShortName = None


class Frame(Record):
    """A frame of a view's loop."""

    picture: Annotated[i32, Shown("Image", to="sprites")] = 0
    x_offset: i16 = 0
    y_offset: i16 = 0
    speed: Annotated[i16, Shown("Delay")] = 0
    padding: i16 = 0
    flags: Annotated[i32, Flags({"Flipped": 1}), "1 flipped"] = 0
    sound: Annotated[i32, Shown("Sound", quiet=-1, to="audio_clips"), "-1 none"] = -1
    reserved_1: i32 = 0
    reserved_2: i32 = 0


class Loop(Record):
    """A loop of a view."""

    frame_count: ClassVar[u16] = count_of("frames")
    flags: Annotated[i32, Flags({"RunNextLoop": 1}), "1 run the next loop after this one"] = 0
    frames: Annotated[list[Frame], Counted("frame_count")] = []


class View(Record):
    """A view: up to some loops of frames."""

    loops: Annotated[list[Loop], Inline("H")] = []


class OldView(Record):
    """A view before 3.0: always 16 loops of 20 frames, the unused ones with old content."""

    loop_count: i16 = 0
    frame_counts: Annotated[list[i16], Times(16)] = zeros(16)
    padding: i16 = 0
    loop_flags: Annotated[list[i32], Times(16)] = zeros(16)
    frames: Annotated[list[Frame], Times(320)] = []


class AnyCharacter(Record):
    """The first fields of characters of all versions."""

    normal_view: Annotated[i32, Shown("NormalView", VIEW, to="views")] = 0
    talk_view: Annotated[i32, Shown("SpeechView", VIEW, to="views")] = -1
    view: i32 = 0
    room: Annotated[i32, Shown("StartingRoom", to="rooms")] = 0
    previous_room: i32 = 0
    x: Annotated[i32, Shown("StartX")] = 0
    y: Annotated[i32, Shown("StartY")] = 0
    wait: i32 = 0
    flags: Annotated[
        i32,
        Flags(
            {
                "!Solid": 0x200,
                "!Clickable": 4,
                "!UseRoomAreaScaling": 1,
                "!UseRoomAreaLighting": 0x20,
                "!TurnBeforeWalking": 0x40,
                "!DiagonalLoops": 8,
                "AdjustSpeedWithScaling": 0x400,
                "AdjustVolumeWithScaling": 0x1000,
                "MovementLinkedToAnimation": 0x20000,
                "TurnWhenFacing": 0x80000,
            }
        ),
    ] = 0
    following: i16 = 0
    follow_info: i16 = 0
    idle_view: Annotated[i32, Shown("IdleView", VIEW, to="views")] = -1
    idle_delay: Annotated[i16, Shown("IdleDelay")] = 0
    idle_left: i16 = 0
    transparency: i16 = 0
    baseline: i16 = 0
    active_inventory: i32 = 0


class Character(AnyCharacter):
    """A character as the game starts."""

    talk_colour: Annotated[i32, Shown("SpeechColor")] = 0
    think_view: Annotated[i32, Shown("ThinkingView", VIEW, to="views")] = -1
    blink_view: Annotated[i16, Shown("BlinkingView", VIEW, to="views")] = -1
    blink_interval: i16 = 0
    blink_timer: i16 = 0
    blink_frame: i16 = 0
    walk_speed_y: i16 = 0
    picture_y_offset: i16 = 0
    z: i32 = 0
    walk_wait: i32 = 0
    speech_animation_delay: Annotated[i16, Shown("SpeechAnimationDelay")] = 0
    idle_animation_delay: Annotated[i16, Shown("IdleAnimationDelay")] = 0
    blocking_width: i16 = 0
    blocking_height: i16 = 0
    index_id: i32 = 0
    blocking_x: Annotated[i16, "from 3.6.3; before, the picture's x offset"] = 0
    blocking_y: Annotated[i16, "from 3.6.3; before, a counter"] = 0
    loop: i16 = 0
    frame: i16 = 0
    walking: i16 = 0
    animating: i16 = 0
    walk_speed: i16 = 0
    animation_delay: Annotated[i16, Shown("AnimationDelay")] = 0
    inventory: Annotated[list[i16], Times(301), Shown("Inventory", Sparse(301))] = zeros(301)
    actual_x: i16 = 0
    actual_y: i16 = 0
    name: Annotated[str, FixedText(40), Shown("RealName")] = ""
    script_name: Annotated[str, FixedText(20), Shown("ScriptName")] = ""
    on: u8 = 0
    padding: u8 = 0
    short_name: ShortName = None
    short_script_name: ShortName = None


class Dialog(Record):
    """A dialog's options."""

    options: Annotated[list[Annotated[str, FixedText(150)]], Times(30)] = new(lambda: [""] * 30)
    option_flags: Annotated[
        list[i32], Times(30), "1 on, 2 off for good, 4 do not say, 8 was chosen"
    ] = zeros(30)
    pointer: i32 = 0
    entry_points: Annotated[list[i16], Times(30)] = zeros(30)
    start_entry: i16 = 0
    code_size: u16 = 0
    option_count: i32 = 0
    flags: Annotated[i32, Flags({"ShowTextParser": 1})] = 0


class Word(Record):
    """A word of the parser's dictionary."""

    text: estr = ""
    group: i16 = 0


class SpriteFolder(Record):
    """A folder of the editor's sprite list."""

    count: i32 = 0
    sprites: Annotated[list[i16], Either(since(11), Times(240), Times(120))] = []
    parent: i16 = 0
    name: Annotated[str, Either(since(11), FixedText(30), FixedText(20))] = ""
    padding: Annotated[bytes, Bytes(2), before(11)] = bytes(2)


class Plugin(Record):
    """A plugin the game uses, and its data."""

    name: Annotated[cstr, Shown("FileName")] = ""
    data: Annotated[blob, Shown("Data")] = b""


class AudioType(Record):
    """A kind of sound."""

    id: i32 = 0
    reserved_channels: i32 = 0
    volume_cut_by_speech: i32 = 0
    crossfade: i32 = 0
    reserved: i32 = 0


_FILE_TYPES = NamedNumber({1: "OGG", 2: "MP3", 3: "WAV", 4: "VOC", 5: "MIDI", 6: "MOD"})
_PRIORITIES = NamedNumber({1: "VeryLow", 25: "Low", 50: "Normal", 75: "High", 100: "VeryHigh"})


class AudioClip(Record):
    """A sound or piece of music."""

    id: Annotated[i32, Shown("Index")] = 0
    script_name: Annotated[str, FixedText(30), Shown("ScriptName")] = ""
    file_name: Annotated[str, FixedText(15), Shown("FileName")] = ""
    bundling: Annotated[
        u8,
        Shown("BundlingType", NamedNumber({1: "InGameEXE", 2: "InSeparateVOX"})),
        "1 in the game package, 2 in a vox",
    ] = 0
    type: Annotated[u8, Shown("Type")] = 0
    file_type: Annotated[
        u8, Shown("FileType", _FILE_TYPES), "1 ogg, 2 mp3, 3 wav, 4 voc, 5 midi, 6 mod"
    ] = 0
    repeat: Annotated[u8, Shown("DefaultRepeat", Truth())] = 0
    padding_1: u8 = 0
    priority: Annotated[i16, Shown("DefaultPriority", _PRIORITIES)] = 0
    volume: Annotated[i16, Shown("DefaultVolume")] = 0
    padding_2: Annotated[bytes, Bytes(2)] = bytes(2)
    reserved: i32 = 0
    short_script_name: ShortName = None
    short_file_name: ShortName = None


class RoomName(Record):
    """A room's number and name, in debug builds."""

    number: i32 = 0
    name: cstr = ""


class SaveInformation(Record):
    """How the game's saves are known."""

    guid: Annotated[str, FixedText(40), Shown("GUID")] = ""
    extension: Annotated[str, FixedText(20), Shown("SaveGameFileExtension")] = ""
    folder: Annotated[str, FixedText(50), Shown("SaveGameFolderName")] = ""
    short_folder: ShortName = None
