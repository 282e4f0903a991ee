"""The standard part of game data, in file order.  ``version`` is the data version.

Source: the engine's ``Common/game/main_game_file.cpp`` and ``Common/ac/gamesetupstruct.cpp``.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

from overhaul.ags.fields import EString, FixedText, cstr, if_equal, lstr, new, of, zeros
from overhaul.ags.game import gui, options, resources
from overhaul.ags.game.dialogs import GUI_MAGIC, DialogData, SpeechLines
from overhaul.ags.properties import (
    EventList,
    Interaction,
    InteractionVariable,
    PropertySchema,
    PropertySet,
)
from overhaul.ags.script.model import Script, ScriptCodec, script
from overhaul.ags.shapes import NamedNumber, Sparse
from overhaul.ags.versions import GAME_AGS3, GAME_AGS4, GAME_BLOCK_LIST
from overhaul.ags.words import Shown
from overhaul.schema import (
    Bytes,
    Constant,
    Counted,
    CountedBytes,
    IfPresent,
    Inline,
    NulText,
    OneOf,
    Record,
    SizedBytes,
    Times,
    When,
    before,
    by_version,
    i8,
    i16,
    i32,
    since,
    u8,
    u16,
    u32,
)


class GameHeader(Record):
    """The fields after the signature and the data version."""

    compiled_with: Annotated[lstr, since(12)] = ""
    capabilities: Annotated[list[lstr], Inline("i"), since(48)] = []


class GameSettings(Record):
    """The base structure: options, palette, and how many there are of everything."""

    name: Annotated[str, FixedText(50), Shown("GameName")] = ""
    padding: Annotated[bytes, Bytes(2)] = bytes(2)
    options: Annotated[list[i32], Times(options.COUNT), Shown("Options", options.SHAPE)] = zeros(
        options.COUNT
    )
    palette_uses: Annotated[
        bytes, Bytes(256), "0 for the whole game, 1 locked, 2 for the background"
    ] = bytes(256)
    palette: Annotated[bytes, Bytes(1024), "r, g, b, filler of each colour"] = bytes(1024)
    view_count: i32 = 0
    character_count: i32 = 0
    player_character: Annotated[i32, Shown("PlayerCharacter", to="characters")] = 0
    total_score: Annotated[i32, Shown("MaximumScore")] = 0
    inventory_count: Annotated[i16, "the unused item 0 is counted"] = 0
    padding_2: Annotated[bytes, Bytes(2)] = bytes(2)
    dialog_count: Annotated[i32, "0 from 3.6.3 on: see v363_dialogsnew"] = 0
    dialog_message_count: i32 = 0
    font_count: i32 = 0
    colour_depth: Annotated[
        i32,
        Shown("ColorDepth", NamedNumber({1: "Palette", 2: "HighColor", 4: "TrueColor"})),
        "bytes per pixel",
    ] = 0
    target_win: i32 = 0
    dialog_bullet: Annotated[i32, Shown("DialogOptionsBullet")] = 0
    hot_dot_colour_16: Annotated[u16, Shown("InventoryHotspotMarkerDotColor")] = 0
    hot_cross_colour_16: Annotated[u16, Shown("InventoryHotspotMarkerCrosshairColor")] = 0
    unique_id: Annotated[i32, Shown("UniqueID")] = 0
    gui_count: i32 = 0
    cursor_count: i32 = 0
    resolution: Annotated[
        i32,
        Shown("Resolution"),
        "0 and 1: 320 x 200, 2: 320 x 240, 3: 640 x 400, 4: 640 x 480, 5: 800 x 600, "
        "6: 1024 x 768, 7: 1280 x 720, 8: width and height follow",
    ] = 0
    width: Annotated[i32, since(43), if_equal("resolution", 8), Shown("Width")] = 0
    height: Annotated[i32, since(43), if_equal("resolution", 8), Shown("Height")] = 0
    default_lip_sync_frame: i32 = 0
    inventory_hot_sprite: Annotated[i32, Shown("InventoryHotspotMarkerSprite", to="sprites")] = 0
    hot_dot_colour: Annotated[i32, since(GAME_AGS4)] = 0
    hot_cross_colour: Annotated[i32, since(GAME_AGS4)] = 0
    reserved: Annotated[list[i32], Times(14)] = zeros(14)
    reserved_2: Annotated[list[i32], Times(2), before(GAME_AGS4)] = zeros(2)
    extension_offset: Annotated[u32, "where the block list starts; 0 before 3.6.1.14"] = 0
    has_message: Annotated[list[i32], Times(500), Shown("GlobalMessages", Sparse(500))] = zeros(500)
    has_dictionary: i32 = 0
    global_script_pointer: i32 = 0
    characters_pointer: i32 = 0
    has_script: i32 = 0
    short_name: resources.ShortName = None


def _old_sprite_count() -> int:
    """Before data version 24 there are the flags of 6000 sprites, without a count."""
    return 6000


def _messages(settings: GameSettings) -> int:
    return sum(1 for present in settings.has_message if present)


def _has_script(settings: GameSettings) -> bool:
    return settings.has_script != 0


def _has_dictionary(settings: GameSettings) -> bool:
    return settings.has_dictionary != 0


def _per(attribute: str, *, less: int = 0) -> Counted:
    return of("settings", attribute, less=less)


#: there in debug builds, and always from 4.0.0.13 on
_ROOM_NAMES = by_version(
    (4000013, IfPresent(Inline("i"), "settings", present=lambda s: s.options[0], empty=list)),
    last=Inline("i"),
)
Message: TypeAlias = Annotated[str, by_version((26, NulText()), last=EString())]
_three = since(GAME_AGS3)
_old = before(GAME_AGS3)
_pre_fonts = before(50)


class GameContent(Record):
    """Everything between the header and the block list."""

    settings: GameSettings = new(GameSettings)
    save: Annotated[resources.SaveInformation, _three] = new(resources.SaveInformation)
    font_flags: Annotated[list[u8], _per("font_count"), _pre_fonts] = []
    font_outlines: Annotated[list[i8], _per("font_count"), _pre_fonts] = []
    font_offsets: Annotated[list[i32], _per("font_count"), since(48) & before(49)] = []
    font_spacings: Annotated[
        list[resources.FontSpacing], _per("font_count"), since(49) & before(50)
    ] = []
    fonts: Annotated[list[resources.Font], _per("font_count"), since(50)] = []
    sprite_flags: Annotated[
        bytes,
        by_version((24, CountedBytes(count=_old_sprite_count)), last=SizedBytes()),
        "of each sprite: 1 high resolution, 16 alpha, 32 variable resolution",
    ] = b""
    inventory: Annotated[list[resources.InventoryItem], _per("inventory_count")] = []
    cursors: Annotated[list[resources.Cursor], _per("cursor_count")] = []
    character_interactions: Annotated[list[Interaction], _per("character_count"), _old] = []
    inventory_interactions: Annotated[list[Interaction], _per("inventory_count"), _old] = []
    variables: Annotated[list[InteractionVariable], Inline("i"), _old] = []
    character_events: Annotated[list[EventList], _per("character_count"), _three] = []
    inventory_events: Annotated[
        list[EventList], _per("inventory_count", less=1), _three, "from item 1 on"
    ] = []
    dictionary: Annotated[
        list[resources.Word], Inline("i"), When("settings", _has_dictionary, "has_dictionary")
    ] = []
    global_script: Annotated[
        Script | None, ScriptCodec(), When("settings", _has_script, "has_script")
    ] = None
    dialog_script: Annotated[
        Script | None, ScriptCodec(), since(38), When("settings", _has_script, "has_script")
    ] = None
    script_modules: Annotated[
        list[script], Inline("i"), since(31), When("settings", _has_script, "has_script")
    ] = []
    views: Annotated[list[resources.View], _per("view_count"), _three] = []
    old_views: Annotated[list[resources.OldView], _per("view_count"), _old] = []
    sprite_folders: Annotated[list[resources.SpriteFolder], Inline("i"), before(20)] = []
    characters: Annotated[list[resources.Character], _per("character_count")] = []
    lip_sync: Annotated[list[Annotated[str, FixedText(50)]], Times(20), since(21)] = []
    messages: Annotated[list[Message], Counted("settings", count=_messages)] = []
    dialogs: Annotated[list[resources.Dialog], _per("dialog_count")] = []
    dialog_data: Annotated[list[tuple[bytes, bytes]], DialogData(), before(38)] = []
    speech_lines: Annotated[list[bytes], SpeechLines(), before(38)] = []
    gui_magic: Annotated[None, Constant(GUI_MAGIC, "the magic number of the GUIs")] = None
    gui_version: i32 = 119
    gui: Annotated[gui.GuiSection, gui.GuiCodec()] = new(gui.GuiSection)
    plugin_format: Annotated[int, OneOf(1), since(22)] = 1
    plugins: Annotated[list[resources.Plugin], Inline("i"), since(22)] = []
    property_schema: Annotated[PropertySchema, since(24)] = new(PropertySchema)
    character_properties: Annotated[list[PropertySet], _per("character_count"), since(24)] = []
    inventory_properties: Annotated[list[PropertySet], _per("inventory_count"), since(24)] = []
    view_names: Annotated[list[cstr], _per("view_count"), since(24)] = []
    inventory_script_names: Annotated[list[cstr], _per("inventory_count"), since(31)] = []
    dialog_script_names: Annotated[list[cstr], _per("dialog_count"), since(32)] = []
    audio_types: Annotated[list[resources.AudioType], Inline("i"), since(41)] = []
    audio_clips: Annotated[list[resources.AudioClip], Inline("i"), since(41)] = []
    score_clip: Annotated[i32, since(41)] = 0
    room_names: Annotated[list[resources.RoomName], _ROOM_NAMES, since(36)] = []


def has_block_list(version: int) -> bool:
    """Whether a block list follows the standard part."""
    return version >= GAME_BLOCK_LIST
