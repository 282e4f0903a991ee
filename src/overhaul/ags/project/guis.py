"""The GUIs of a game as objects of its project."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from overhaul.ags.project.elements import Value, group, node
from overhaul.ags.project.resources import Json, authored, number, objects, percent, values_of
from overhaul.document.xmltext import XmlNode

CLASSES: Final = {
    "Button": "GUIButton",
    "InventoryWindow": "GUIInventory",
    "Label": "GUILabel",
    "ListBox": "GUIListBox",
    "Slider": "GUISlider",
    "TextBox": "GUITextBox",
}
EDGE: Final = "GUITextWindowEdge"
#: The names that editors before 3.5 have for the ways of showing a GUI.
_SHOWN_AT_FIRST: Final = ("Normal", "MouseYPos", "PopupModal", "Persistent")
#: How texts of labels and lists are aligned, by the words and numbers in game data.
ACROSS: Final = {
    "TopLeft": "Left", "TopCenter": "Center", "TopRight": "Right",
    "0": "Left", "1": "Right", "2": "Center",
}  # fmt: skip
#: What editors before 3.5 call it.
OLD_ACROSS: Final = {"Left": "TopLeft", "Center": "TopMiddle", "Right": "TopRight"}
_PLAIN_SINCE: Final = (3, 5)
#: Labels have nine ways since this release; lists still three.
_FRAME_SINCE: Final = (3, 6, 2)
_LABEL, _LIST = "GUILabel", "GUIListBox"


def guis(shown: Iterable[Json], version: str, release: tuple[int, ...]) -> list[XmlNode]:
    """The GUIs with their controls."""
    made = []
    for thing in shown:
        window = is_text_window(thing)
        controls = [
            _control(control, index, version, release, edge=window)
            for index, control in enumerate(objects(thing.get("Controls")))
        ]
        values = values_of(thing)
        values["Visibility"] = _visibility(values)
        values["Transparency"] = percent(number(thing.get("transparency")))
        if window:
            values["TextColor"] = values.get("BorderColor")
        gui = node("TextWindowGUI" if window else "NormalGUI", values, version)
        made.append(group("GUIMain", [gui, group("Controls", controls)]))
    return made


def is_text_window(shown: Json) -> bool:
    """Whether a GUI frames texts; before 3.5 the first byte of its ``tag`` says so."""
    return bool(shown.get("TextWindow")) or str(shown.get("tag", "")).startswith("05")


def _visibility(values: Mapping[str, Value]) -> str:
    """How a GUI is shown, in the words before 3.5."""
    style = str(values.get("PopupStyle", "Normal"))
    if style == "Normal" and values.get("Visible") is False:
        return "NormalButInitiallyOff"
    return style


def _control(
    shown: Json, index: int, version: str, release: tuple[int, ...], *, edge: bool
) -> XmlNode:
    """A control; those of a text window are its edges."""
    values = {**authored(values_of(shown), ("Text",), version), "ID": index}
    owner = EDGE if edge else CLASSES.get(str(shown.get("Type")), "GUIButton")
    aligned = str(values.get("TextAlignment", ""))
    if owner == _LIST or (owner == _LABEL and release < _FRAME_SINCE):
        across = ACROSS.get(aligned, aligned)
        old = owner == _LABEL and release < _PLAIN_SINCE
        values["TextAlignment"] = OLD_ACROSS.get(across, across) if old else across
    if not edge:
        for name, none in (("Image", 0), ("MouseoverImage", 0), ("PushedImage", 0)):
            if values.get(name) == -1:
                values[name] = none
    return node(owner, values, version)
