"""GUIs and their controls.  ``version`` is the GUI version stored in the section itself.

Source: the engine's ``Common/gui/``; see docs/formats/ags-game.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar, TypeAlias

from overhaul.ags.fields import FixedText, cstr, zeros
from overhaul.ags.versions import is_known_gui
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


class Gui(Record):
    """A GUI window; its controls are in the lists by type."""

    tag: Annotated[bytes, Bytes(4), before(119), "first byte 5: a text window"] = bytes(4)
    name: ShortText = ""
    on_click: ClickText = ""
    x: i32 = 0
    y: i32 = 0
    width: i32 = 0
    height: i32 = 0
    focus_control: Annotated[i32, _OLD] = 0
    control_count: i32 = 0
    popup_style: i32 = 0
    popup_y: i32 = 0
    background_colour: i32 = 0
    background_picture: i32 = 0
    foreground_colour: i32 = 0
    mouse_over_control: Annotated[i32, _OLD] = 0
    mouse_x: Annotated[i32, _OLD] = 0
    mouse_y: Annotated[i32, _OLD] = 0
    mouse_down_control: Annotated[i32, _OLD] = 0
    highlight_control: Annotated[i32, _OLD] = 0
    flags: Annotated[i32, "before 119, the flag 1 (clickable) is stored inverted"] = 0
    transparency: i32 = 0
    z_order: i32 = 0
    id: i32 = 0
    padding: i32 = 0
    reserved: Annotated[list[i32], Times(5), _OLD] = zeros(5)
    visibility: Annotated[i32, _OLD] = 0
    pointers: Annotated[list[i32], Times(30), before(118)] = zeros(30)
    control_references: Annotated[
        list[i32],
        Either(before(118), Times(30), Counted("control_count")),
        "type << 16 | index; 1 button, 2 label, 3 inventory, 4 slider, 5 text box, 6 list box",
    ] = []


class Control(Record):
    """What all controls have."""

    flags: Annotated[i32, "before 119, the flags 4, 16 and 64 are stored inverted"] = 0
    x: i32 = 0
    y: i32 = 0
    width: i32 = 0
    height: i32 = 0
    z_order: i32 = 0
    activated: Annotated[i32, _OLD] = 0
    name: Annotated[cstr, since(106)] = ""
    events: Annotated[list[cstr], Inline(), since(108)] = []


class Button(Control):
    """A button."""

    picture: i32 = 0
    mouse_over_picture: i32 = 0
    pushed_picture: i32 = 0
    current_picture: Annotated[i32, _OLD] = 0
    is_pushed: Annotated[i32, _OLD] = 0
    is_mouse_over: Annotated[i32, _OLD] = 0
    font: i32 = 0
    text_colour: i32 = 0
    left_action: i32 = 0
    right_action: i32 = 0
    left_data: i32 = 0
    right_data: i32 = 0
    text: ButtonText = ""
    alignment: Annotated[i32, since(111)] = 0
    reserved: Annotated[i32, _between(111, 118)] = 0


class Label(Control):
    """A text."""

    text: LabelText = ""
    font: i32 = 0
    text_colour: i32 = 0
    alignment: i32 = 0


class InventoryWindow(Control):
    """A window of inventory items."""

    character: Annotated[i32, since(109)] = 0
    item_width: Annotated[i32, since(109)] = 0
    item_height: Annotated[i32, since(109)] = 0
    top_item: Annotated[i32, _between(109, 118)] = 0


class Slider(Control):
    """A slider."""

    minimum: i32 = 0
    maximum: i32 = 0
    value: i32 = 0
    is_pressed: Annotated[i32, _OLD] = 0
    handle_picture: Annotated[i32, since(104)] = 0
    handle_offset: Annotated[i32, since(104)] = 0
    background_picture: Annotated[i32, since(104)] = 0


class TextBox(Control):
    """A box to write in."""

    text: BoxText = ""
    font: i32 = 0
    text_colour: i32 = 0
    box_flags: i32 = 0


def _has_save_slots(flags: int) -> bool:
    return bool(flags & 4)


class ListBox(Control):
    """A list of texts."""

    item_count: ClassVar[i32] = count_of("items")
    selected: Annotated[i32, _OLD] = 0
    top_item: Annotated[i32, _OLD] = 0
    mouse_x: Annotated[i32, _OLD] = 0
    mouse_y: Annotated[i32, _OLD] = 0
    row_height: Annotated[i32, _OLD] = 0
    visible_rows: Annotated[i32, _OLD] = 0
    font: i32 = 0
    text_colour: i32 = 0
    selected_text_colour: i32 = 0
    box_flags: i32 = 0
    alignment: Annotated[i32, since(112)] = 0
    reserved: Annotated[i32, _between(112, 118)] = 0
    selected_background_colour: Annotated[i32, since(107)] = 0
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
