"""The events of objects as people read them, in games and projects of all releases.

Categories and sub-types have kept their numbers since Game Maker 5; later releases have more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

KEYS: Final = {
    0: "no_key", 1: "any_key", 8: "backspace", 9: "tab", 13: "enter", 16: "shift",
    17: "control", 18: "alt", 19: "pause", 27: "escape", 32: "space", 33: "page_up",
    34: "page_down", 35: "end", 36: "home", 37: "left", 38: "up", 39: "right", 40: "down",
    45: "insert", 46: "delete", 106: "numpad_multiply", 107: "numpad_add",
    109: "numpad_subtract", 110: "numpad_decimal", 111: "numpad_divide",
    **{code: chr(code) for code in (*range(48, 58), *range(65, 91))},
    **{96 + digit: f"numpad_{digit}" for digit in range(10)},
    **{111 + number: f"f{number}" for number in range(1, 13)},
}  # fmt: skip
MOUSE: Final = {
    0: "left", 1: "right", 2: "middle", 3: "no_button", 4: "left_pressed", 5: "right_pressed",
    6: "middle_pressed", 7: "left_released", 8: "right_released", 9: "middle_released",
    10: "enter", 11: "leave", 50: "global_left", 51: "global_right", 52: "global_middle",
    53: "global_left_pressed", 54: "global_right_pressed", 55: "global_middle_pressed",
    56: "global_left_released", 57: "global_right_released", 58: "global_middle_released",
    60: "wheel_up", 61: "wheel_down",
    **{
        first + offset: f"joystick{number}_{name}"
        for number, first in ((1, 16), (2, 31))
        for offset, name in enumerate(
            ("left", "right", "up", "down", None, *(f"button{b}" for b in range(1, 9)))
        )
        if name is not None
    },
}  # fmt: skip
#: those that Game Maker 5 to 8.1 have
OTHER: Final = {
    0: "outside_room", 1: "intersect_boundary", 2: "game_start", 3: "game_end",
    4: "room_start", 5: "room_end", 6: "no_more_lives", 7: "animation_end", 8: "end_of_path",
    9: "no_more_health", 30: "close_button",
    **{10 + number: f"user_{number}" for number in range(16)},
    **{40 + number: f"outside_view_{number}" for number in range(8)},
    **{50 + number: f"boundary_of_view_{number}" for number in range(8)},
}  # fmt: skip
_LATER_OTHER: Final = {
    58: "animation_update", 59: "animation_event", 60: "async: image loaded",
    61: "async: sound loaded", 62: "async: HTTP", 63: "async: dialog", 66: "async: in-app purchase",
    67: "async: cloud", 68: "async: networking", 69: "async: Steam", 70: "async: social",
    71: "async: push notification", 72: "async: save and load", 73: "async: audio recording",
    74: "async: audio playback", 75: "async: system", 76: "broadcast_message",
    80: "async: audio playback ended",
}  # fmt: skip
_DRAW: Final = {
    0: "Draw", 64: "Draw GUI", 65: "Window resize", 72: "Draw begin", 73: "Draw end",
    74: "Draw GUI begin", 75: "Draw GUI end", 76: "Pre-draw", 77: "Post-draw",
}  # fmt: skip
_GESTURES: Final = (
    *("tap", "double tap", "drag start", "dragging", "drag end", "flick", "pinch start"),
    *("pinch in", "pinch out", "pinch end", "rotate start", "rotating", "rotate end"),
)
COLLISION, OTHER_CATEGORY, TRIGGER = 4, 7, 11
_WHOLE: Final = {0: "Create", 1: "Destroy", 12: "Clean up", 14: "Variable definitions"}
_STEPS: Final = ("Step", "Begin step", "End step")
#: how the titles begin, by category, and the words of the sub-types
_WORDED: Final = {
    5: ("Keyboard", KEYS), 6: ("Mouse", MOUSE), 9: ("Key press", KEYS), 10: ("Key release", KEYS),
}  # fmt: skip


def usual_events(last: int, *, later: bool) -> Iterator[tuple[int, int]]:
    """The categories and sub-types of all events that have a title, up to a category, but for
    collisions and triggers; ``later``: those that Game Maker 8.1 does not have too."""
    others = OTHER | _LATER_OTHER if later else OTHER
    sub_types: dict[int, Iterable[int]] = {
        **dict.fromkeys((0, 1, 12), (0,)), 2: range(12), 3: range(len(_STEPS)),
        **{category: words for category, (_, words) in _WORDED.items()}, OTHER_CATEGORY: others,
        8: _DRAW if later else (0,),
        13: [*range(len(_GESTURES)), *range(64, 64 + len(_GESTURES))],
    }  # fmt: skip
    for category in range(last + 1):
        for sub_type in sub_types.get(category, ()):
            yield category, sub_type


def event_title(category: int, sub_type: int, name: str = "") -> str:
    """``Alarm 3``, ``Key press: enter``, ``Collision with obj_wall``; ``name`` is that of the
    object or trigger.

    Empty for what is not known.
    """
    if category == COLLISION:
        return f"Collision with {name or f'number {sub_type}'}"
    if category == TRIGGER:
        return f"Trigger: {name or f'number {sub_type}'}"
    if category in _WHOLE:
        return _WHOLE[category] if sub_type == 0 else ""
    if category == 2:
        return f"Alarm {sub_type}" if 0 <= sub_type < 12 else ""
    if category == 3:
        return _STEPS[sub_type] if 0 <= sub_type < len(_STEPS) else ""
    if category == 8:
        return _DRAW.get(sub_type, "")
    if category == 13:
        return _gesture(sub_type)
    if category == OTHER_CATEGORY:
        rest = (OTHER | _LATER_OTHER).get(sub_type, "").replace("_", " ")
        return (rest[:1].upper() + rest[1:]).replace("User ", "User event ")
    prefix, words = _WORDED.get(category, ("", {}))
    return f"{prefix}: {words[sub_type].replace('_', ' ')}" if sub_type in words else ""


def _gesture(sub_type: int) -> str:
    everywhere, number = divmod(sub_type, 64)
    if everywhere not in (0, 1) or number >= len(_GESTURES):
        return ""
    return f"Gesture: {'global ' if everywhere else ''}{_GESTURES[number]}"
