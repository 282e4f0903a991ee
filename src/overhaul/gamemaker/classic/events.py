"""The events of objects: their categories and sub-types, as words and as people read them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

#: the name of a resource of a kind (``objects``) by its id; None for one that is not there
NameOf: TypeAlias = Callable[[str, int], str | None]

_KEYS = {
    0: "no_key", 1: "any_key", 8: "backspace", 9: "tab", 13: "enter", 16: "shift",
    17: "control", 18: "alt", 19: "pause", 27: "escape", 32: "space", 33: "page_up",
    34: "page_down", 35: "end", 36: "home", 37: "left", 38: "up", 39: "right", 40: "down",
    45: "insert", 46: "delete", 106: "numpad_multiply", 107: "numpad_add",
    109: "numpad_subtract", 110: "numpad_decimal", 111: "numpad_divide",
    **{code: chr(code) for code in (*range(48, 58), *range(65, 91))},
    **{96 + digit: f"numpad_{digit}" for digit in range(10)},
    **{111 + number: f"f{number}" for number in range(1, 13)},
}  # fmt: skip
_MOUSE = {
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
_OTHER = {
    0: "outside_room", 1: "intersect_boundary", 2: "game_start", 3: "game_end",
    4: "room_start", 5: "room_end", 6: "no_more_lives", 7: "animation_end", 8: "end_of_path",
    9: "no_more_health", 30: "close_button",
    **{10 + number: f"user_{number}" for number in range(16)},
    **{40 + number: f"outside_view_{number}" for number in range(8)},
    **{50 + number: f"boundary_of_view_{number}" for number in range(8)},
}  # fmt: skip

COLLISION, OTHER, TRIGGER = 4, 7, 11
#: by category: the word that begins the name, and the sub-types' words
EVENTS: tuple[tuple[str, dict[int, str]], ...] = (
    ("create", {0: ""}),
    ("destroy", {0: ""}),
    ("alarm", {number: str(number) for number in range(12)}),
    ("step", {0: "", 1: "begin", 2: "end"}),
    ("collision", {}),
    ("keyboard", _KEYS),
    ("mouse", _MOUSE),
    ("other", _OTHER),
    ("draw", {0: ""}),
    ("key_press", _KEYS),
    ("key_release", _KEYS),
    ("trigger", {}),
)
#: the categories whose sub-types are ids, and of what kind of resource
REFERENCES = {COLLISION: "objects", TRIGGER: "triggers"}


def word(prefix: str, rest: str) -> str:
    """The word of an event."""
    return f"{prefix}_{rest}" if rest else prefix


#: category and sub-type by word
WORDS = {
    word(prefix, rest): (category, sub_type)
    for category, (prefix, sub_types) in enumerate(EVENTS)
    for sub_type, rest in sub_types.items()
}

#: how the titles of events begin, by category; {} is the sub-type
_TITLES = (
    "Create", "Destroy", "Alarm {}", "Step", "Collision with {}", "Keyboard: {}", "Mouse: {}",
    "{}", "Draw", "Key press: {}", "Key release: {}", "Trigger: {}",
)  # fmt: skip
_SPECIAL = {(3, 1): "Begin step", (3, 2): "End step"}


def event_title(category: int, sub_type: int, name_of: NameOf) -> str:
    """An event as people read it: ``Alarm 3``, ``Collision with obj_wall``, ``Key press: enter``.

    What no release has is told by its numbers.
    """
    if (category, sub_type) in _SPECIAL:
        return _SPECIAL[category, sub_type]
    if category in REFERENCES:
        name = name_of(REFERENCES[category], sub_type)
        rest = f"number {sub_type}" if name is None else name
        return _TITLES[category].format(rest)
    known = EVENTS[category][1] if 0 <= category < len(EVENTS) else {}
    if sub_type not in known:
        return f"Event {category}, {sub_type}"
    rest = known[sub_type].replace("_", " ")
    if category == OTHER:
        rest = rest.replace("user ", "user event ").capitalize()
    return _TITLES[category].format(rest)
