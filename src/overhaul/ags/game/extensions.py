"""The extension blocks of game data (3.6.0 and later), field by field.

Source: the engine's ``Common/game/main_game_file.cpp`` and the editor's ``DataFileWriter.cs``.
"""

from __future__ import annotations

from typing import Annotated

from overhaul.ags.fields import cstr, lstr, new, zeros
from overhaul.ags.game.gui import FRAME_ALIGNMENT
from overhaul.ags.properties import (
    Anchor,
    HandlerTable,
    PropertySet,
    SchemaAndTables,
    TextMap,
    ThingNames,
)
from overhaul.ags.shapes import NamedNumber
from overhaul.ags.words import Flags, Shown
from overhaul.schema import Inline, Record, Times, ToEnd, f32, i32


class FontOptions(Record):
    """The fields that 3.6.0 added to fonts."""

    outline_thickness: Annotated[i32, Shown("AutoOutlineThickness")] = 0
    outline_style: Annotated[
        i32,
        Shown("AutoOutlineStyle", NamedNumber({0: "Squared", 1: "Rounded"})),
        "0 squared, 1 rounded",
    ] = 0
    character_spacing: Annotated[i32, Shown("CharacterSpacing")] = 0
    custom_height: Annotated[i32, Shown("CustomHeightValue")] = 0
    reserved: Annotated[list[i32], Times(2)] = zeros(2)


class FontOptionsBlock(Record):
    """Block v360_fonts: one for each font."""

    fonts: Annotated[list[FontOptions], ToEnd()] = []


class CursorOptions(Record):
    """The fields that 3.6.0 added to cursors."""

    animation_delay: Annotated[i32, Shown("AnimationDelay")] = 0
    reserved: Annotated[list[i32], Times(3)] = zeros(3)


class CursorOptionsBlock(Record):
    """Block v360_cursors: one for each cursor."""

    cursors: Annotated[list[CursorOptions], ToEnd()] = []


class NamesBlock(Record):
    """Block v361_objnames: names without the length limits of the old fields."""

    game_name: lstr = ""
    save_folder: lstr = ""
    characters: Annotated[list[ThingNames], Inline()] = []
    inventory: Annotated[list[lstr], Inline()] = []
    cursors: Annotated[list[lstr], Inline()] = []
    clips: Annotated[list[ThingNames], Inline()] = []


class EventsBlock(Record):
    """Block v362_interevents."""

    characters: Annotated[list[HandlerTable], Inline()] = []
    inventory: Annotated[list[HandlerTable], Inline()] = []
    gui_script_modules: Annotated[list[lstr], Inline()] = []


class ScriptEventsBlock(Record):
    """Block v362_interevent2: the scripts' names, then the handlers of events."""

    global_script: lstr = ""
    dialog_script: lstr = ""
    modules: Annotated[list[lstr], Inline()] = []
    characters: Annotated[list[HandlerTable], Inline()] = []
    inventory: Annotated[list[HandlerTable], Inline()] = []
    gui_script_modules: Annotated[list[lstr], Inline()] = []


class ButtonPadding(Record):
    """The room between a button's edge and its text."""

    x: Annotated[i32, Shown("TextPaddingHorizontal")] = 0
    y: Annotated[i32, Shown("TextPaddingVertical")] = 0
    reserved: Annotated[list[i32], Times(2)] = zeros(2)


class ButtonPaddingBlock(Record):
    """Block v362_guictrls."""

    buttons: Annotated[list[ButtonPadding], Inline()] = []


class NewDialogOption(Record):
    """An option of a dialog."""

    text: Annotated[lstr, Shown("Text")] = ""
    flags: Annotated[i32, Flags({"Show": 1, "!Say": 4})] = 0
    reserved: Annotated[list[i32], Times(3)] = zeros(3)


class NewDialog(Record):
    """A dialog, from 3.6.3 on."""

    script_name: Annotated[lstr, Shown("Name")] = ""
    flags: Annotated[i32, Flags({"ShowTextParser": 1}), "1 shows the parser"] = 0
    reserved: Annotated[list[i32], Times(3)] = zeros(3)
    options: Annotated[list[NewDialogOption], Inline()] = []


class DialogsBlock(Record):
    """Block v363_dialogsnew: takes the place of the standard dialog section."""

    dialogs: Annotated[list[NewDialog], Inline()] = []


class ControlColours(Record):
    """The look that all controls have from 3.6.3 on."""

    background_colour: Annotated[i32, Shown("BackgroundColor")] = 0
    border_colour: Annotated[i32, Shown("BorderColor")] = 0
    border_width: Annotated[i32, Shown("BorderWidth")] = 0
    padding_x: Annotated[i32, Shown("PaddingX")] = 0
    padding_y: Annotated[i32, Shown("PaddingY")] = 0
    reserved: Annotated[list[i32], Times(4)] = zeros(4)


class ButtonLook(ControlColours):
    """The look of a button."""

    flags: Annotated[
        i32, Shown("ColorStyle", NamedNumber({0: "Default", 1: "Dynamic", 2: "DynamicFlat"}))
    ] = 0
    border_shade: Annotated[i32, Shown("BorderShadeColor")] = 0
    mouse_over_background: Annotated[i32, Shown("MouseOverBackgroundColor")] = 0
    pushed_background: Annotated[i32, Shown("PushedBackgroundColor")] = 0
    mouse_over_border: Annotated[i32, Shown("MouseOverBorderColor")] = 0
    pushed_border: Annotated[i32, Shown("PushedBorderColor")] = 0
    mouse_over_text: Annotated[i32, Shown("MouseOverTextColor")] = 0
    pushed_text: Annotated[i32, Shown("PushedTextColor")] = 0
    text_outline: Annotated[i32, Shown("TextOutlineColor")] = 0
    more_reserved: Annotated[list[i32], Times(3)] = zeros(3)


class LabelLook(ControlColours):
    """The look of a label or a list box."""

    text_outline: Annotated[i32, Shown("TextOutlineColor")] = 0
    more_reserved: Annotated[list[i32], Times(3)] = zeros(3)


class InventoryLook(ControlColours):
    """The look of an inventory window."""

    more_reserved: Annotated[list[i32], Times(4)] = zeros(4)


class SliderLook(ControlColours):
    """The look of a slider."""

    handle_colour: Annotated[i32, Shown("HandleColor")] = 0
    border_shade: Annotated[i32, Shown("BorderShadeColor")] = 0
    more_reserved: Annotated[list[i32], Times(4)] = zeros(4)


class TextBoxLook(ControlColours):
    """The look of a text box."""

    text_alignment: Annotated[i32, Shown("TextAlignment", FRAME_ALIGNMENT)] = 0
    text_outline: Annotated[i32, Shown("TextOutlineColor")] = 0
    more_reserved: Annotated[list[i32], Times(2)] = zeros(2)


class ControlLooksBlock(Record):
    """Block v363_guictrls2."""

    buttons: Annotated[list[ButtonLook], Inline()] = []
    labels: Annotated[list[LabelLook], Inline()] = []
    inventory_windows: Annotated[list[InventoryLook], Inline()] = []
    sliders: Annotated[list[SliderLook], Inline()] = []
    text_boxes: Annotated[list[TextBoxLook], Inline()] = []
    list_boxes: Annotated[list[LabelLook], Inline()] = []


class Blending(Record):
    """How a thing is drawn over others (AGS 4)."""

    mode: i32 = 0
    reserved: Annotated[list[i32], Times(14)] = zeros(14)


class BlendingBlock(Record):
    """Block ext_ags399: one for each character, then one for each GUI."""

    things: Annotated[list[Blending], ToEnd()] = []


class GameOptionsBlock(Record):
    """Block v400_gameopts."""

    face_direction_ratio: f32 = 0.0
    reserved: Annotated[list[i32], Times(9)] = zeros(9)


class GamePropertiesBlock(Record):
    """Block v400_customprops."""

    clips: Annotated[list[PropertySet], Inline()] = []
    dialogs: Annotated[list[PropertySet], Inline()] = []
    guis: Annotated[list[PropertySet], Inline()] = []
    buttons: Annotated[list[PropertySet], Inline()] = []
    labels: Annotated[list[PropertySet], Inline()] = []
    inventory_windows: Annotated[list[PropertySet], Inline()] = []
    sliders: Annotated[list[PropertySet], Inline()] = []
    text_boxes: Annotated[list[PropertySet], Inline()] = []
    list_boxes: Annotated[list[PropertySet], Inline()] = []


class FontFilesBlock(Record):
    """Block v400_fontfiles."""

    files: Annotated[list[lstr], Inline()] = []


class ControlBlending(Record):
    """How a control is drawn (AGS 4)."""

    transparency: i32 = 0
    blend_mode: i32 = 0
    reserved: Annotated[list[i32], Times(14)] = zeros(14)


class ControlBlendingBlock(Record):
    """Block v400_guictrlgfx."""

    buttons: Annotated[list[ControlBlending], Inline()] = []
    labels: Annotated[list[ControlBlending], Inline()] = []
    inventory_windows: Annotated[list[ControlBlending], Inline()] = []
    sliders: Annotated[list[ControlBlending], Inline()] = []
    text_boxes: Annotated[list[ControlBlending], Inline()] = []
    list_boxes: Annotated[list[ControlBlending], Inline()] = []


class CursorRole(Record):
    """The purpose of a cursor mode (AGS 4)."""

    role: i32 = 0
    reserved: Annotated[list[i32], Times(3)] = zeros(3)


class EventTablesBlock(Record):
    """Block v400_eventtables."""

    characters: SchemaAndTables = new(SchemaAndTables)
    inventory: SchemaAndTables = new(SchemaAndTables)
    guis: SchemaAndTables = new(SchemaAndTables)
    buttons: SchemaAndTables = new(SchemaAndTables)
    labels: SchemaAndTables = new(SchemaAndTables)
    inventory_windows: SchemaAndTables = new(SchemaAndTables)
    sliders: SchemaAndTables = new(SchemaAndTables)
    text_boxes: SchemaAndTables = new(SchemaAndTables)
    list_boxes: SchemaAndTables = new(SchemaAndTables)
    cursors: Annotated[list[CursorRole], Inline()] = []


class LoopEvents(Record):
    """The events of a loop's frames."""

    frames: Annotated[list[cstr], Inline()] = []


class ViewEvents(Record):
    """The events of a view's loops."""

    loops: Annotated[list[LoopEvents], Inline()] = []


class ViewEventsBlock(Record):
    """Block v400_viewevents."""

    views: Annotated[list[ViewEvents], Inline()] = []


class CharacterAnchorsBlock(Record):
    """Block v400_charopts2."""

    characters: Annotated[list[Anchor], Inline()] = []


BLOCKS: dict[int | str, type[Record]] = {
    "v360_fonts": FontOptionsBlock,
    "v360_cursors": CursorOptionsBlock,
    "v361_objnames": NamesBlock,
    "v362_interevents": EventsBlock,
    "v362_interevent2": ScriptEventsBlock,
    "v362_guictrls": ButtonPaddingBlock,
    "v363_gameinfo": TextMap,
    "v363_dialogsnew": DialogsBlock,
    "v363_guictrls2": ControlLooksBlock,
    "ext_ags399": BlendingBlock,
    "v400_gameopts": GameOptionsBlock,
    "v400_customprops": GamePropertiesBlock,
    "v400_fontfiles": FontFilesBlock,
    "v400_guictrlgfx": ControlBlendingBlock,
    "v400_eventtables": EventTablesBlock,
    "v400_viewevents": ViewEventsBlock,
    "v400_charopts2": CharacterAnchorsBlock,
}
"""The record of each block."""
