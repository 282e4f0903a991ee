"""The parameters of functions that the engine calls, by the names that it calls.

Source: the editor's manual, "Event types" and "Text parser"; the engine's ``script.cpp``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

#: The types of the parameters, by the name of the function.
_GLOBAL: Final[dict[str, tuple[str, ...]]] = {
    "on_key_press": ("eKeyCode", "int"),
    "on_text_input": ("int",),
    "on_mouse_click": ("MouseButton", "int", "int"),
    "on_event": ("EventType", "int", "int", "int", "int"),
    "dialog_request": ("int",),
    "dialog_options_get_dimensions": ("DialogOptionsRenderingInfo*",),
    "dialog_options_render": ("DialogOptionsRenderingInfo*",),
    "dialog_options_repexec": ("DialogOptionsRenderingInfo*",),
    "dialog_options_get_active": ("DialogOptionsRenderingInfo*",),
    "dialog_options_key_press": ("DialogOptionsRenderingInfo*", "eKeyCode", "int"),
    "dialog_options_mouse_click": ("DialogOptionsRenderingInfo*", "MouseButton", "int", "int"),
    "dialog_options_close": ("DialogOptionsRenderingInfo*",),
    "unhandled_event": ("int", "int"),
}
_THINGS: Final = {
    "c": ("Character*", "CursorMode"),
    "h": ("Hotspot*", "CursorMode"),
    "o": ("Object*", "CursorMode"),
    "i": ("InventoryItem*", "CursorMode"),
    "region": ("Region*",),
}
#: The functions that the editor makes of dialogs.
_DIALOG: Final = re.compile(r"_run_dialog\d+")
_ON_THINGS: Final = frozenset(
    (
        "Look", "Interact", "UseInv", "Talk", "PickUp", "Mode8", "Mode9", "AnyClick", "WalkOn",
        "WalksOnto", "WalksOff", "Stands", "MouseMove", "OtherClick",
    )
)  # fmt: skip
_CONTROLS: Final = {
    "OnClick": (("GUI*", "MouseButton"), ("GUIControl*", "MouseButton")),
    "Click": (("GUI*", "MouseButton"), ("GUIControl*", "MouseButton")),
    "OnActivate": (("GUIControl*",), ("GUIControl*",)),
    "Activate": (("GUIControl*",), ("GUIControl*",)),
    "OnSelectionChanged": (("GUIControl*",), ("GUIControl*",)),
    "SelectionChanged": (("GUIControl*",), ("GUIControl*",)),
    "OnChange": (("GUIControl*",), ("GUIControl*",)),
    "Change": (("GUIControl*",), ("GUIControl*",)),
}


#: The longest names that editors gave such functions.
_LONGEST: Final = 30
Handlers = Mapping[str, tuple[str, ...]]
"""Functions that the data of a game, or a room, names for events: the types of their parameters."""


def event_types(name: str, count: int, handlers: Handlers) -> tuple[str, ...]:
    """The types of the parameters of a function that handles an event; empty for others."""
    if count == 0:
        return ()
    if name in handlers:
        return handlers[name][:count]
    if _DIALOG.fullmatch(name):
        return ("int",)[:count]
    if name in _GLOBAL:
        return _GLOBAL[name][:count]
    thing, _, event = name.rpartition("_")
    if not thing:
        return ()
    if len(name) == _LONGEST:
        event = next((one for one in _CONTROLS if event and one.startswith(event)), event)
    if event in _CONTROLS:
        whole, control = _CONTROLS[event]
        return (whole if thing.startswith("g") and thing[1:2].isupper() else control)[:count]
    if event in _ON_THINGS:
        if thing.startswith("region"):
            return _THINGS["region"][:count]
        if thing[1:2].isupper() and thing[0] in _THINGS:
            return _THINGS[thing[0]][:count]
    return ()


#: The enums whose members a parameter has together, by the function and the parameter's place.
_SUMS: Final = {"on_key_press": {1: "eKeyMod"}, "dialog_options_key_press": {2: "eKeyMod"}}


def event_sums(name: str) -> Mapping[int, str]:
    """The enums whose members are together in parameters of a function, by their places."""
    return _SUMS.get(name, {})


_NAMES: Final[dict[str, tuple[str, ...]]] = {
    "on_key_press": ("keycode", "mod"),
    "on_text_input": ("ch",),
    "on_mouse_click": ("button", "mx", "my"),
    "on_event": ("event", "data"),
    "dialog_request": ("param",),
    "_run_dialog_request": ("param",),
    "unhandled_event": ("what", "type"),
}
_TYPE_NAMES: Final = {
    "GUI*": "theGui", "GUIControl*": "control", "MouseButton": "button", "Character*":
    "theCharacter", "Hotspot*": "theHotspot", "Object*": "theObject", "InventoryItem*": "theItem",
    "Region*": "theRegion", "CursorMode": "mode", "DialogOptionsRenderingInfo*": "info",
}  # fmt: skip


def event_names(name: str, count: int, handlers: Handlers) -> tuple[str, ...]:
    """The names that authors give the parameters of a function that handles an event."""
    if name in _NAMES:
        return _NAMES[name][:count]
    if _DIALOG.fullmatch(name):
        return ("entryPoint",)[:count]
    types = event_types(name, count, handlers)
    return tuple(_TYPE_NAMES[type] for type in types if type in _TYPE_NAMES)
