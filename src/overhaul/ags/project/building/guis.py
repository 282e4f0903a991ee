"""The GUIs of a project as records of its game: windows, and a list of controls of each type."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from overhaul.ags.folder import forms
from overhaul.ags.game import gui
from overhaul.ags.game.extensions import (
    ButtonLook,
    ButtonPadding,
    ControlColours,
    ControlLooksBlock,
    InventoryLook,
    LabelLook,
    SliderLook,
    TextBoxLook,
)
from overhaul.ags.game.gui import Control, Gui, GuiSection
from overhaul.ags.project.building.reading import (
    ElementError,
    number,
    record,
    record_with,
    take_number,
    text_of,
    unescaped,
    values_of,
    with_numbers,
)
from overhaul.ags.project.building.releases import Release
from overhaul.ags.project.building.resources import stored_transparency
from overhaul.ags.project.guis import ACROSS, CLASSES, EDGE, OLD_ACROSS
from overhaul.ags.shapes import Json
from overhaul.ags.versions import GUI_COUNTED_CONTROLS, GUI_TRANSLATED
from overhaul.document.xmltext import XmlNode
from overhaul.schema import Record

_RECORDS: Final[dict[str, type[Control]]] = {
    "Button": gui.Button,
    "Label": gui.Label,
    "InventoryWindow": gui.InventoryWindow,
    "Slider": gui.Slider,
    "TextBox": gui.TextBox,
    "ListBox": gui.ListBox,
}
_LOOKS: Final[dict[str, type[ControlColours]]] = {
    "Button": ButtonLook,
    "Label": LabelLook,
    "InventoryWindow": InventoryLook,
    "Slider": SliderLook,
    "TextBox": TextBoxLook,
    "ListBox": LabelLook,
}
_KINDS: Final = {tag: kind for kind, tag in CLASSES.items()}
#: Since GUIs of this version flags are stored as they are meant, and alignments as bits.
_NEW: Final = 119
#: Translated of lists only, before all controls have it.
_ALL_TRANSLATED_SINCE: Final = (3, 6, 1, 2)
_PLAIN_LABELS_SINCE: Final = (3, 4, 1)
#: Since GUIs of this version a flag says that a window frames texts.
_IN_FLAGS: Final = 118
#: The values of a window that frames texts, in the place of values that the project lacks.
_WINDOW_SIZE: Final = (200, 100)
_MODAL, _TEXT_WINDOW_TAG = 2, b"\x05\0\0\0"


@dataclass(slots=True)
class Windows:
    """The GUIs of a game, and what blocks store more of their controls."""

    section: GuiSection = field(default_factory=GuiSection)
    padding: list[ButtonPadding] = field(default_factory=list)
    looks: ControlLooksBlock = field(default_factory=ControlLooksBlock)
    modules: list[str] = field(default_factory=list)


def windows(nodes: list[XmlNode], release: Release) -> Windows:
    """The GUIs with their controls, in the order of their numbers."""
    made = Windows()
    for node in nodes:
        window = node.find("NormalGUI") or node.find("TextWindowGUI")
        if window is None:
            raise ElementError("expected a NormalGUI or a TextWindowGUI", node)
        frames = window.tag == "TextWindowGUI"
        record_made = _text_window(window, release) if frames else _normal(window, release)
        made.modules.append(text_of(window, "ScriptModule"))
        controls = node.find("Controls")
        for control in () if controls is None else controls.children:
            kind = "Button" if control.tag == EDGE else _KINDS.get(control.tag, "")
            if not kind:
                raise ElementError(f"a control of the unknown class {control.tag}", control)
            listed, type_number, _ = forms.controls(release.gui)[kind]
            listing = getattr(made.section, listed)
            record_made.control_references.append(type_number << 16 | len(listing))
            listing.append(_control(control, kind, release, made))
        record_made.control_count = len(record_made.control_references)
        if (
            release.gui < GUI_COUNTED_CONTROLS
        ):  # room for 30, before the pointers that are no longer there
            record_made.control_references += [0] * (30 - len(record_made.control_references))
        made.section.guis.append(record_made)
    return made


def _values(node: XmlNode, release: Release) -> Json:
    """The elements of a window or a control that the game has."""
    values = values_of(node, release)
    for name in ("ID", "Locked", "ScriptModule"):
        values.pop(name, None)
    with_numbers(values, ("TextAlignment", "ClickAction", "PopupStyle", "Visibility", "ColorStyle"))
    return values


def _normal(node: XmlNode, release: Release) -> Gui:
    """A window that shows controls."""
    values = _values(node, release)
    transparency = take_number(values, "Transparency")
    clickable = bool(values["Clickable"])
    if "Visibility" in values and release.gui < _NEW:
        values["PopupStyle"] = values.pop("Visibility")
    values.pop("Visibility", None)
    made = record(Gui, forms.gui_window(release.gui), values, node, release.gui)
    made.transparency = stored_transparency(transparency)
    made.padding = 3 if release.gui >= _IN_FLAGS else 0
    if release.gui < _NEW:
        made.flags = 0 if clickable else 1
        _as_before(made)
    return made


def _as_before(made: Gui) -> None:
    """The fields that only a running game uses, as editors before 3.5 leave them."""
    made.visibility = 1
    made.mouse_over_control = made.mouse_x = made.mouse_y = -1
    made.mouse_down_control = made.highlight_control = -1


def _text_window(node: XmlNode, release: Release) -> Gui:
    """A window that frames texts."""
    wide, high = _WINDOW_SIZE
    made = Gui(
        name=text_of(node, "Name"),
        width=wide,
        height=high,
        popup_style=_MODAL,
        popup_y=-1,
        background_colour=number(node, "BackgroundColor"),
        background_picture=number(node, "BackgroundImage"),
        foreground_colour=number(node, "TextColor"),
        flags=2 if release.gui >= _IN_FLAGS else 0,
        z_order=-1,
        padding=number(node, "Padding", 3) if release.gui >= _IN_FLAGS else 0,
    )
    if release.gui < _NEW:
        made.tag = _TEXT_WINDOW_TAG
        _as_before(made)
    return made


# -- controls ----------------------------------------------------------------------------------

_WITH_TEXT: Final = ("Button", "Label", "TextBox")
_EVENTS: Final = {"Button": "OnClick", "Slider": "OnChange", "TextBox": "OnActivate",
                  "ListBox": "OnSelectionChanged"}  # fmt: skip
#: What a button has that is the edge of a text window.
_EDGE_VALUES: Final[Json] = {
    "MouseoverImage": -1, "PushedImage": -1, "Font": 0, "TextColor": 0, "Text": "",
    "ClickAction": "RunScript", "NewModeNumber": 0, "OnClick": "", "ClipImage": False,
}  # fmt: skip


def _control(node: XmlNode, kind: str, release: Release, made: Windows) -> Control:
    """A control of a kind; what blocks store of it goes to their lists."""
    values = _values(node, release)
    if node.tag == EDGE:
        values |= _EDGE_VALUES
        values["TextAlignment"] = "TopCenter" if release.gui >= _NEW else "TopMiddle"
    if kind in _WITH_TEXT:
        values["Text"] = unescaped(str(values.get("Text", "")), release)
    if kind in ("Label", "ListBox"):
        values["TextAlignment"] = _aligned(values["TextAlignment"], release)
    _before_all(values, kind, release)
    listed, _, words = forms.controls(release.gui)[kind]
    inner: dict[str, type[Record]] = {"look": _LOOKS[kind], "padding": ButtonPadding}
    control, parts = record_with(_RECORDS[kind], words, values, node, release.gui, inner)
    if kind in _EVENTS and not control.events:
        control.events = [""]
    if isinstance(control, gui.Button) and release.gui < _NEW:
        control.current_picture = control.picture
    if isinstance(control, gui.Label) and not release.since(*_PLAIN_LABELS_SINCE):
        control.text += "\0"  # its length counts the end
    padding = parts["padding"]
    if kind == "Button" and isinstance(padding, ButtonPadding):
        made.padding.append(padding)
    getattr(made.looks, listed).append(parts["look"])
    return control


def _before_all(values: Json, kind: str, release: Release) -> None:
    """Leave out what controls of older releases do not have."""
    if release.gui < _NEW:
        for name in ("Enabled", "Visible", "Clickable"):
            values.pop(name, None)
    if not release.since(*_ALL_TRANSLATED_SINCE) and kind != "ListBox":
        values.pop("Translated", None)
    if release.gui < GUI_TRANSLATED:
        values.pop("Translated", None)
    if kind == "Button" and not release.since(3, 6, 2, 2):
        values.pop("WrapText", None)


def _aligned(word: object, release: Release) -> object:
    """How a text is aligned, in the words of game data."""
    if not isinstance(word, str):
        return word
    if release.gui >= _NEW:
        return {"Left": "TopLeft", "Center": "TopCenter", "Right": "TopRight"}.get(word, word)
    plain = {old: new for new, old in OLD_ACROSS.items()}.get(word, word)
    numbers = {across: int(key) for key, across in ACROSS.items() if key.isdecimal()}
    return numbers.get(plain, 0)
