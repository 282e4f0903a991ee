"""The words of the editor for GUIs and their controls: see :mod:`overhaul.ags.folder.words`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from overhaul.ags.folder.shapes import (
    SAME,
    Bits,
    Inside,
    Json,
    Named,
    NamedNumber,
    Object,
    Word,
)
from overhaul.ags.folder.words import PROPERTIES, defaults
from overhaul.ags.game import extensions, gui
from overhaul.ags.versions import GUI_TRANSLATED
from overhaul.schema import Record

_NEW_GUI: Final = 119
_POPUP: Final = NamedNumber(
    {0: "Normal", 1: "MouseYPos", 2: "PopupModal", 3: "Persistent", 4: "NormalButInitiallyOff"}
)
_FRAME: Final = NamedNumber(
    {
        1: "TopLeft", 2: "TopCenter", 4: "TopRight", 8: "MiddleLeft", 16: "MiddleCenter",
        32: "MiddleRight", 64: "BottomLeft", 128: "BottomCenter", 256: "BottomRight",
    }
)  # fmt: skip
_OLD_BUTTON: Final = NamedNumber(
    dict(
        enumerate(
            ("TopMiddle", "TopLeft", "TopRight", "MiddleLeft", "Centred", "MiddleRight",
             "BottomLeft", "BottomMiddle", "BottomRight")
        )
    )
)  # fmt: skip
_OLD_ACROSS: Final = NamedNumber({0: "Left", 1: "Right", 2: "Center"})
_ACTION: Final = NamedNumber({0: "NoAction", 1: "SetCursorMode", 2: "RunScript"})
_LOOK: Final = (
    Named("BackgroundColor", "background_colour"),
    Named("BorderColor", "border_colour"),
    Named("BorderWidth", "border_width"),
    Named("PaddingX", "padding_x"),
    Named("PaddingY", "padding_y"),
    Named("BorderShadeColor", "border_shade"),
    Named("MouseOverBackgroundColor", "mouse_over_background"),
    Named("PushedBackgroundColor", "pushed_background"),
    Named("MouseOverBorderColor", "mouse_over_border"),
    Named("PushedBorderColor", "pushed_border"),
    Named("MouseOverTextColor", "mouse_over_text"),
    Named("PushedTextColor", "pushed_text"),
    Named("TextOutlineColor", "text_outline"),
    Named("HandleColor", "handle_colour"),
)
_COLOUR_STYLE: Final = Named("ColorStyle", "flags", NamedNumber({0: "Default", 1: "Dynamic",
                                                          2: "DynamicFlat"}))  # fmt: skip
#: GUIs since this version have flags for a border and a background of all controls.
_BORDERS: Final = 3060304
_QUIET_LOOK: Final = {"reserved": [0] * 4}


def gui_window(version: int) -> Object:
    """A GUI, without its controls; ``version`` is that of the GUIs."""
    inverted = 0 if version >= _NEW_GUI else 1
    flags = {"Clickable": 1} if inverted else {"Clickable": 1, "TextWindow": 2, "Visible": 4}
    words: list[Word] = [
        Named("Name", "name"),
        Named("Left", "x"),
        Named("Top", "y"),
        Named("Width", "width"),
        Named("Height", "height"),
        Bits("flags", flags, inverted=inverted),
        Named("PopupStyle", "popup_style", _POPUP),
        Named("PopupYPos", "popup_y"),
        Named("ZOrder", "z_order"),
        Named("BackgroundColor", "background_colour"),
        Named("BackgroundImage", "background_picture"),
        Named("BorderColor", "foreground_colour"),
        Named("Padding", "padding"),
        Named("OnClick", "on_click"),
        Named("ScriptModule", "script_module"),
        PROPERTIES,
    ]
    return Object(words, defaults(gui.Gui, version))


def _control(
    version: int,
    record: type[Record],
    look: type[Record],
    words: Sequence[Word],
    event: str = "",
    flags: Mapping[str, int] | None = None,
    looks: Sequence[Word] = (),
) -> Object:
    inverted = 0 if version >= _NEW_GUI else 4 | 16 | 64
    bits = {"Enabled": 4, "Visible": 16, "Clickable": 64, **(flags or {})}
    if version >= _BORDERS:
        bits["SolidBackground"] = 1024
        if record not in (gui.TextBox, gui.ListBox):  # these have a flag of their own
            bits["ShowBorder"] = 512
    if version >= GUI_TRANSLATED:
        bits["Translated"] = 128
    shared: list[Word] = [
        Named("Name", "name"),
        Named("Left", "x"),
        Named("Top", "y"),
        Named("Width", "width"),
        Named("Height", "height"),
        Named("ZOrder", "z_order"),
        Bits("flags", bits, inverted=inverted),
        *words,
        *([_Handler(event)] if event else []),
        Inside("look", (*_LOOK, *looks), {**defaults(look), **_QUIET_LOOK}),
        PROPERTIES,
    ]
    return Object(shared, defaults(record, version))


class _Handler(Word):
    """The one event of a control."""

    def __init__(self, name: str) -> None:
        self._name = name

    def show(self, given: Json, shown: Json) -> None:
        value = given.get("events")
        if isinstance(value, list) and len(value) == 1:
            del given["events"]
            shown[self._name] = value[0]

    def read(self, given: Json, stored: Json) -> None:
        if self._name in given:
            stored["events"] = [given.pop(self._name)]


#: The words of inventory windows and of sliders, whatever the version.
_WINDOW: Final[list[Word]] = [
    Named("CharacterID", "character"),
    Named("ItemWidth", "item_width"),
    Named("ItemHeight", "item_height"),
]
_SLIDER: Final[list[Word]] = [
    Named("MinValue", "minimum"),
    Named("MaxValue", "maximum"),
    Named("Value", "value"),
    Named("HandleImage", "handle_picture"),
    Named("HandleOffset", "handle_offset"),
    Named("BackgroundImage", "background_picture"),
]


def controls(version: int) -> dict[str, tuple[str, int, Object]]:
    """The controls by what people call them: the list that has them, the number of their type, and
    how one is shown; ``version`` is that of the GUIs."""
    is_new = version >= _NEW_GUI
    text: list[Word] = [
        Named("Text", "text"),
        Named("Font", "font"),
        Named("TextColor", "text_colour"),
    ]
    aligned = Named("TextAlignment", "alignment", _FRAME if is_new else _OLD_ACROSS)
    button = [
        Named("Image", "picture"),
        Named("MouseoverImage", "mouse_over_picture"),
        Named("PushedImage", "pushed_picture"),
        *text,
        Named("TextAlignment", "alignment", _FRAME if is_new else _OLD_BUTTON),
        Named("ClickAction", "left_action", _ACTION),
        Named("NewModeNumber", "left_data"),
        Inside(
            "padding",
            [Named("TextPaddingHorizontal", "x"), Named("TextPaddingVertical", "y")],
            defaults(extensions.ButtonPadding),
        ),
    ]
    border = Bits("box_flags", {"ShowBorder": 1}, inverted=0 if is_new else 1)
    arrows = Bits(
        "box_flags", {"ShowBorder": 1, "ShowScrollArrows": 2}, inverted=0 if is_new else 3
    )
    selected = [
        Named("SelectedTextColor", "selected_text_colour"),
        Named("SelectedBackgroundColor", "selected_background_colour"),
    ]
    across = Named("TextAlignment", "alignment", _FRAME if is_new else SAME)
    kinds = {
        "Button": _control(version, gui.Button, extensions.ButtonLook, button, "OnClick",
                           {"ClipImage": 32, "WrapText": 256}, [_COLOUR_STYLE]),
        "Label": _control(version, gui.Label, extensions.LabelLook, [*text, aligned]),
        "InventoryWindow": _control(
            version, gui.InventoryWindow, extensions.InventoryLook, _WINDOW),
        "Slider": _control(version, gui.Slider, extensions.SliderLook, _SLIDER, "OnChange"),
        "TextBox": _control(
            version, gui.TextBox, extensions.TextBoxLook, [*text, border], "OnActivate",
            looks=[Named("TextAlignment", "text_alignment", _FRAME)]),
        "ListBox": _control(
            version, gui.ListBox, extensions.LabelLook, [*text[1:], arrows, *selected, across],
            "OnSelectionChanged"),
    }  # fmt: skip
    lists = ("buttons", "labels", "inventory_windows", "sliders", "text_boxes", "list_boxes")
    return {
        name: (listed, number, kinds[name])
        for number, (name, listed) in enumerate(zip(kinds, lists, strict=True), 1)
    }
