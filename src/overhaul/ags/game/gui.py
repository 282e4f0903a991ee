"""GUIs and their controls.  ``version`` is the GUI version stored in the section itself.

Source: the engine's ``Common/gui/``; see docs/formats/ags-game.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar, TypeAlias

from overhaul.ags.fields import FixedText, cstr, zeros
from overhaul.ags.shapes import SAME, NamedNumber, Shape
from overhaul.ags.versions import GUI_TRANSLATED, is_known_gui
from overhaul.ags.words import Flags, Shown
from overhaul.schema import (
    Buffer,
    Bytes,
    Condition,
    Counted,
    Either,
    Inline,
    Reader,
    Record,
    Scheme,
    SizedText,
    Times,
    VariableCodec,
    When,
    Writer,
    before,
    by_version,
    codec_for,
    count_of,
    i16,
    i32,
    since,
)

if TYPE_CHECKING:
    from overhaul.schema.spans import Walk, Way

MAGIC = 0xCAFEBEEF
_OLD = before(119)
_NEW = since(119)


def _between(first: int, last: int) -> Condition:
    return since(first) & before(last + 1)


ShortText: TypeAlias = Annotated[str, by_version((118, FixedText(16)), last=SizedText())]
ClickText: TypeAlias = Annotated[str, by_version((118, FixedText(20)), last=SizedText())]
ButtonText: TypeAlias = Annotated[str, by_version((119, FixedText(50)), last=SizedText())]
LabelText: TypeAlias = Annotated[str, by_version((113, FixedText(200)), last=SizedText())]
BoxText: TypeAlias = Annotated[str, by_version((119, FixedText(200)), last=SizedText())]


FRAME_ALIGNMENT = NamedNumber(
    {
        1: "TopLeft", 2: "TopCenter", 4: "TopRight", 8: "MiddleLeft", 16: "MiddleCenter",
        32: "MiddleRight", 64: "BottomLeft", 128: "BottomCenter", 256: "BottomRight",
    }
)  # fmt: skip
"""Where something is in its frame."""
_OLD_BUTTON = NamedNumber(
    dict(
        enumerate(
            ("TopMiddle", "TopLeft", "TopRight", "MiddleLeft", "Centred", "MiddleRight",
             "BottomLeft", "BottomMiddle", "BottomRight")
        )
    )
)  # fmt: skip
_OLD_ACROSS = NamedNumber({0: "Left", 1: "Right", 2: "Center"})
_POPUP = NamedNumber(
    {0: "Normal", 1: "MouseYPos", 2: "PopupModal", 3: "Persistent", 4: "NormalButInitiallyOff"}
)
_ACTION = NamedNumber({0: "NoAction", 1: "SetCursorMode", 2: "RunScript"})
#: GUIs since this version have flags for a border and a background of all controls.
_BORDERS = 3060304
_STORED_INVERTED = "before 119, the flags 4, 16 and 64 are stored inverted"


def _aligned(old: Shape) -> Shown:
    return Shown("TextAlignment", FRAME_ALIGNMENT, old=old, until=119)


def _flags(*, border: bool = True, **more: int) -> Flags:
    """The flags of a control; text boxes and lists have one of their own for a border."""
    names = {"Enabled": 4, "Visible": 16, "Clickable": 64, **more, "SolidBackground": 1024}
    names |= {"ShowBorder": 512} if border else {}
    since = {"SolidBackground": _BORDERS, "ShowBorder": _BORDERS, "Translated": GUI_TRANSLATED}
    return Flags({**names, "Translated": 128}, inverted=4 | 16 | 64, until=119, since=since)


def _box_flags(**names: int) -> Flags:
    return Flags(names, inverted=sum(names.values()), until=119)


class Gui(Record):
    """A GUI window; its controls are in the lists by type."""

    tag: Annotated[bytes, Bytes(4), before(119), "first byte 5: a text window"] = bytes(4)
    name: Annotated[ShortText, Shown("Name")] = ""
    on_click: Annotated[ClickText, Shown("OnClick")] = ""
    x: Annotated[i32, Shown("Left")] = 0
    y: Annotated[i32, Shown("Top")] = 0
    width: Annotated[i32, Shown("Width")] = 0
    height: Annotated[i32, Shown("Height")] = 0
    focus_control: Annotated[i32, _OLD] = 0
    control_count: i32 = 0
    popup_style: Annotated[i32, Shown("PopupStyle", _POPUP)] = 0
    popup_y: Annotated[i32, Shown("PopupYPos")] = 0
    background_colour: Annotated[i32, Shown("BackgroundColor")] = 0
    background_picture: Annotated[i32, Shown("BackgroundImage", to="sprites")] = 0
    foreground_colour: Annotated[i32, Shown("BorderColor")] = 0
    mouse_over_control: Annotated[i32, _OLD] = 0
    mouse_x: Annotated[i32, _OLD] = 0
    mouse_y: Annotated[i32, _OLD] = 0
    mouse_down_control: Annotated[i32, _OLD] = 0
    highlight_control: Annotated[i32, _OLD] = 0
    flags: Annotated[
        i32,
        Flags(
            {"Clickable": 1, "TextWindow": 2, "Visible": 4},
            inverted=1,
            until=119,
            since={"TextWindow": 119, "Visible": 119},
        ),
        "before 119, the flag 1 (clickable) is stored inverted",
    ] = 0
    transparency: i32 = 0
    z_order: Annotated[i32, Shown("ZOrder")] = 0
    id: i32 = 0
    padding: Annotated[i32, Shown("Padding")] = 0
    reserved: Annotated[list[i32], Times(5), _OLD] = zeros(5)
    visibility: Annotated[i32, _OLD] = 0
    pointers: Annotated[list[i32], Times(30), before(118)] = zeros(30)
    control_references: Annotated[
        list[i32],
        Either(before(118), Times(30), Counted("control_count")),
        "type << 16 | index; 1 button, 2 label, 3 inventory, 4 slider, 5 text box, 6 list box",
    ] = []


class Control(Record):
    """The fields that all controls have."""

    flags: Annotated[i32, _flags(), _STORED_INVERTED] = 0
    x: Annotated[i32, Shown("Left")] = 0
    y: Annotated[i32, Shown("Top")] = 0
    width: Annotated[i32, Shown("Width")] = 0
    height: Annotated[i32, Shown("Height")] = 0
    z_order: Annotated[i32, Shown("ZOrder")] = 0
    activated: Annotated[i32, _OLD] = 0
    name: Annotated[cstr, since(106), Shown("Name")] = ""
    events: Annotated[list[cstr], Inline(), since(108)] = []


class Button(Control):
    """A button."""

    flags: Annotated[i32, _flags(ClipImage=32, WrapText=256), _STORED_INVERTED] = 0
    picture: Annotated[i32, Shown("Image", to="sprites")] = 0
    mouse_over_picture: Annotated[i32, Shown("MouseoverImage", to="sprites")] = 0
    pushed_picture: Annotated[i32, Shown("PushedImage", to="sprites")] = 0
    current_picture: Annotated[i32, _OLD] = 0
    is_pushed: Annotated[i32, _OLD] = 0
    is_mouse_over: Annotated[i32, _OLD] = 0
    font: Annotated[i32, Shown("Font")] = 0
    text_colour: Annotated[i32, Shown("TextColor")] = 0
    left_action: Annotated[i32, Shown("ClickAction", _ACTION)] = 0
    right_action: i32 = 0
    left_data: Annotated[i32, Shown("NewModeNumber", to="cursors")] = 0
    right_data: i32 = 0
    text: Annotated[ButtonText, Shown("Text")] = ""
    alignment: Annotated[i32, since(111), _aligned(_OLD_BUTTON)] = 0
    reserved: Annotated[i32, _between(111, 118)] = 0


class Label(Control):
    """A text."""

    text: Annotated[LabelText, Shown("Text")] = ""
    font: Annotated[i32, Shown("Font")] = 0
    text_colour: Annotated[i32, Shown("TextColor")] = 0
    alignment: Annotated[i32, _aligned(_OLD_ACROSS)] = 0


class InventoryWindow(Control):
    """A window of inventory items."""

    character: Annotated[i32, since(109), Shown("CharacterID", to="characters")] = 0
    item_width: Annotated[i32, since(109), Shown("ItemWidth")] = 0
    item_height: Annotated[i32, since(109), Shown("ItemHeight")] = 0
    top_item: Annotated[i32, _between(109, 118)] = 0


class Slider(Control):
    """A slider."""

    minimum: Annotated[i32, Shown("MinValue")] = 0
    maximum: Annotated[i32, Shown("MaxValue")] = 0
    value: Annotated[i32, Shown("Value")] = 0
    is_pressed: Annotated[i32, _OLD] = 0
    handle_picture: Annotated[i32, since(104), Shown("HandleImage", to="sprites")] = 0
    handle_offset: Annotated[i32, since(104), Shown("HandleOffset")] = 0
    background_picture: Annotated[i32, since(104), Shown("BackgroundImage", to="sprites")] = 0


class TextBox(Control):
    """A box to write in."""

    flags: Annotated[i32, _flags(border=False), _STORED_INVERTED] = 0
    text: Annotated[BoxText, Shown("Text")] = ""
    font: Annotated[i32, Shown("Font")] = 0
    text_colour: Annotated[i32, Shown("TextColor")] = 0
    box_flags: Annotated[i32, _box_flags(ShowBorder=1)] = 0


def _has_save_slots(flags: int) -> bool:
    return bool(flags & 4)


class ListBox(Control):
    """A list of texts."""

    flags: Annotated[i32, _flags(border=False), _STORED_INVERTED] = 0
    item_count: ClassVar[i32] = count_of("items")
    selected: Annotated[i32, _OLD] = 0
    top_item: Annotated[i32, _OLD] = 0
    mouse_x: Annotated[i32, _OLD] = 0
    mouse_y: Annotated[i32, _OLD] = 0
    row_height: Annotated[i32, _OLD] = 0
    visible_rows: Annotated[i32, _OLD] = 0
    font: Annotated[i32, Shown("Font")] = 0
    text_colour: Annotated[i32, Shown("TextColor")] = 0
    selected_text_colour: Annotated[i32, Shown("SelectedTextColor")] = 0
    box_flags: Annotated[i32, _box_flags(ShowBorder=1, ShowScrollArrows=2)] = 0
    alignment: Annotated[i32, since(112), _aligned(SAME)] = 0
    reserved: Annotated[i32, _between(112, 118)] = 0
    selected_background_colour: Annotated[i32, since(107), Shown("SelectedBackgroundColor")] = 0
    items: Annotated[list[cstr], Counted("item_count")] = []
    save_slots: Annotated[
        list[i16],
        Counted("item_count"),
        _between(114, 118),
        When("box_flags", _has_save_slots, "box_flags & 4"),
    ] = []


class GuiSection(Record):
    """All GUIs, then all controls by type."""

    guis: Annotated[list[Gui], Inline("i")] = []
    buttons: Annotated[list[Button], Inline()] = []
    labels: Annotated[list[Label], Inline()] = []
    inventory_windows: Annotated[list[InventoryWindow], Inline()] = []
    sliders: Annotated[list[Slider], Inline(), since(100)] = []
    text_boxes: Annotated[list[TextBox], Inline(), since(101)] = []
    list_boxes: Annotated[list[ListBox], Inline(), since(102)] = []


class GuiCodec(VariableCodec[GuiSection]):
    """The GUI section, in the version that an earlier field gives."""

    minimum = 16

    needs: tuple[str, ...] = ("gui_version",)

    def type_name(self) -> str:
        return "GuiSection of gui_version"

    def walk(self, walk: Walk, position: int, way: Way, version: int) -> None:
        """Walk through the GUIs and controls (see :mod:`overhaul.schema.spans`)."""
        with walk.at(version):
            walk.record(GuiSection, position, way)

    def read(
        self, data: Buffer, position: int, reader: Reader, version: int
    ) -> tuple[GuiSection, int]:
        if not is_known_gui(version):
            raise reader.fail(f"unknown GUI version {version}", position)
        item, end = codec_for(GuiSection, version).read(data, position, reader)
        return item, end

    def write(self, writer: Writer, value: GuiSection, version: int) -> None:
        codec_for(GuiSection, version).write(writer, value)

    def to_jsonable(self, value: GuiSection, scheme: Scheme) -> object:
        raise TypeError("GUIs are shown with their own version")
