"""The words of the editor for GUIs and their controls: see :mod:`overhaul.ags.folder.words`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from overhaul.ags.folder.words import PROPERTIES, defaults
from overhaul.ags.game import extensions, gui
from overhaul.ags.game.kinds import GUIS
from overhaul.ags.marks import words
from overhaul.ags.shapes import Hints, Inside, Json, Object, Word
from overhaul.document.hints import Hint
from overhaul.schema import Record

#: The records whose fields :data:`_LOOK` names; each type of control has one of them.
_LOOKS: Final = (
    extensions.ButtonLook,
    extensions.LabelLook,
    extensions.InventoryLook,
    extensions.SliderLook,
    extensions.TextBoxLook,
)
_LOOK: Final = (
    "background_colour border_colour border_width padding_x padding_y border_shade "
    "mouse_over_background pushed_background mouse_over_border pushed_border mouse_over_text "
    "pushed_text text_outline handle_colour"
)
_QUIET_LOOK: Final = {"reserved": [0] * 4}


def gui_window(version: int) -> Object:
    """A GUI, without its controls; ``version`` is that of the GUIs."""
    names = (
        "name x y width height flags popup_style popup_y z_order background_colour "
        "background_picture foreground_colour padding on_click"
    )
    return Object(
        [*words(version, names, gui.Gui), *words(version, "script_module", GUIS.marks), PROPERTIES],
        defaults(gui.Gui, version),
    )


def _control(
    version: int,
    record: type[gui.Control],
    look: type[Record],
    names: str,
    event: str = "",
    looks: str = "",
    more: Sequence[Word] = (),
) -> Object:
    """A control: the ``names`` of its own fields, its ``event``, and those of its look."""
    shared = words(version, "name x y width height z_order flags", record)
    in_look = [*words(version, _LOOK, *_LOOKS), *words(version, looks, look)]
    return Object(
        [
            *shared,
            *words(version, names, record),
            *more,
            *([_Handler(event)] if event else []),
            Inside("look", in_look, {**defaults(look), **_QUIET_LOOK}),
            PROPERTIES,
        ],
        defaults(record, version),
    )


class _Handler(Word):
    """The one event of a control."""

    def __init__(self, name: str) -> None:
        self._name = name

    def hints(self) -> Hints:
        return {self._name: (Hint("text"), None)}

    def show(self, given: Json, shown: Json) -> None:
        value = given.get("events")
        if isinstance(value, list) and len(value) == 1:
            del given["events"]
            shown[self._name] = value[0]

    def read(self, given: Json, stored: Json) -> None:
        if self._name in given:
            stored["events"] = [given.pop(self._name)]


def controls(version: int) -> dict[str, tuple[str, int, Object]]:
    """The controls by what people call them: the list that has them, the number of their type, and
    how one is shown; ``version`` is that of the GUIs."""
    padding = Inside(
        "padding",
        words(version, "x y", extensions.ButtonPadding),
        defaults(extensions.ButtonPadding),
    )
    kinds = {
        "Button": _control(
            version, gui.Button, extensions.ButtonLook,
            "picture mouse_over_picture pushed_picture text font text_colour alignment left_action "
            "left_data", "OnClick", "flags", [padding]),
        "Label": _control(
            version, gui.Label, extensions.LabelLook, "text font text_colour alignment"),
        "InventoryWindow": _control(
            version, gui.InventoryWindow, extensions.InventoryLook,
            "character item_width item_height"),
        "Slider": _control(
            version, gui.Slider, extensions.SliderLook,
            "minimum maximum value handle_picture handle_offset background_picture", "OnChange"),
        "TextBox": _control(
            version, gui.TextBox, extensions.TextBoxLook, "text font text_colour box_flags",
            "OnActivate", "text_alignment"),
        "ListBox": _control(
            version, gui.ListBox, extensions.LabelLook,
            "font text_colour box_flags selected_text_colour selected_background_colour alignment",
            "OnSelectionChanged"),
    }  # fmt: skip
    lists = ("buttons", "labels", "inventory_windows", "sliders", "text_boxes", "list_boxes")
    return {
        name: (listed, number, kinds[name])
        for number, (name, listed) in enumerate(zip(kinds, lists, strict=True), 1)
    }
