"""Names instead of numbers: file names of resources, words for events and keys."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Protocol

from overhaul.document.names import FileNames
from overhaul.errors import FormatError
from overhaul.gamemaker.classic.kinds import Kind, kinds_of, slots_of
from overhaul.gamemaker.classic.records import Project

# ------------------------------------------------------------------------------- resources

#: the kinds of arguments of actions that are ids of resources
ARGUMENT_RESOURCES = {
    5: "sprites",
    6: "sounds",
    7: "backgrounds",
    8: "paths",
    9: "scripts",
    10: "objects",
    11: "rooms",
    12: "fonts",
    14: "timelines",
}


class NamedSlot(Protocol):
    """A place in a list of resources."""

    @property
    def exists(self) -> int: ...

    @property
    def name(self) -> str: ...


class Names:
    """The file names of the resources of every kind, by id.

    ``stems[kind]`` has one entry for each slot, None for a deleted one.
    """

    def __init__(self, version: int) -> None:
        self.version = version
        self.stems: dict[str, list[str | None]] = {}
        self.ids: dict[str, dict[str, int]] = {}

    @classmethod
    def of(cls, project: Project) -> Names:
        """The names of a project's resources, in the order of their slots."""
        return cls.of_slots(project.version, slots_of(project))

    @classmethod
    def of_slots(cls, version: int, slots: Mapping[str, Sequence[NamedSlot]]) -> Names:
        """The names of the resources in slots, by kind."""
        names = cls(version)
        for kind, found in slots.items():
            file_name = FileNames()
            stems = [file_name(slot.name) if slot.exists else None for slot in found]
            names.put(kind, stems)
        return names

    def put(self, kind: str, stems: list[str | None]) -> None:
        """Set the file names of a kind, by slot."""
        self.stems[kind] = stems
        self.ids[kind] = {stem: index for index, stem in enumerate(stems) if stem is not None}

    def stem(self, kind: str, index: int) -> str | None:
        """The file name of a resource; None for a deleted or missing one."""
        stems = self.stems.get(kind, [])
        return stems[index] if 0 <= index < len(stems) else None

    def show(self, kind: str, index: int, none: int = -1) -> str | int | None:
        """A reference for JSON: a name, null for none, a number for what doesn't exist."""
        if index == none:
            return None
        stem = self.stem(kind, index)
        return index if stem is None else stem

    def read(self, kind: str, value: object, none: int = -1) -> int:
        """The id of what :meth:`show` showed.  FormatError: no resource has the name."""
        if value is None:
            return none
        if isinstance(value, str):
            index = self.ids.get(kind, {}).get(value)
            if index is None:
                raise FormatError(f"there is no {value!r} among the {kind.replace('_', ' ')}")
            return index
        if isinstance(value, int) and not isinstance(value, bool) and -(1 << 31) <= value < 1 << 31:
            return value
        raise FormatError(f"expected the name of a resource or null, got {value!r:.40}")


def kind_of_grouping(version: int, grouping: int) -> Kind | None:
    """The kind of resources of a number of the resource tree."""
    return next((kind for kind in kinds_of(version) if kind.grouping == grouping), None)


# ---------------------------------------------------------------------------------- events

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

COLLISION, TRIGGER = 4, 11
#: by category: the word that begins the name, and the sub-types' words
_EVENTS: tuple[tuple[str, dict[int, str]], ...] = (
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
_REFERENCES = {COLLISION: "objects", TRIGGER: "triggers"}


def _word(prefix: str, rest: str) -> str:
    return f"{prefix}_{rest}" if rest else prefix


_WORDS = {
    _word(prefix, rest): (category, sub_type)
    for category, (prefix, sub_types) in enumerate(_EVENTS)
    for sub_type, rest in sub_types.items()
}


def event_word(category: int, sub_type: int, names: Names) -> str:
    """The file name of an event: ``create``, ``alarm_3``, ``collision_obj_wall``, ``mouse_@12``."""
    if category < len(_EVENTS):
        prefix, known = _EVENTS[category]
        if category in _REFERENCES:
            stem = names.stem(_REFERENCES[category], sub_type)
            if stem is not None:
                return f"{prefix}_{stem}"
        elif sub_type in known:
            return _word(prefix, known[sub_type])
    else:
        prefix = f"category{category}"
    return f"{prefix}_@{sub_type}"


def event_of_word(word: str, names: Names) -> tuple[int, int]:
    """The category and sub-type of an event's file name.  FormatError: there is no such event."""
    known = _WORDS.get(word)
    if known is not None:
        return known
    numbered = re.fullmatch(r"(.+)_@(-?\d{1,10})", word)
    if numbered:
        number = int(numbered[2])
        prefixes = [prefix for prefix, _ in _EVENTS]
        if numbered[1] in prefixes:
            return prefixes.index(numbered[1]), number
        extra = re.fullmatch(r"category(\d{1,4})", numbered[1])
        if extra:
            return int(extra[1]), number
    for category, kind in _REFERENCES.items():
        prefix = _EVENTS[category][0] + "_"
        if word.startswith(prefix):
            return category, names.read(kind, word[len(prefix) :])
    raise FormatError(f"there is no event called {word!r}")
