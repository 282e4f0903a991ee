"""Names instead of numbers: file names of resources, words for events and keys."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Protocol

from overhaul.document.names import FileNames
from overhaul.errors import FormatError
from overhaul.gamemaker.classic.actions import EVENTS, REFERENCES, WORDS, word
from overhaul.gamemaker.classic.kinds import Kind, kinds_of, slots_of
from overhaul.gamemaker.classic.records import Project

# ------------------------------------------------------------------------------- resources


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
        for kind, kind_slots in slots.items():
            file_name = FileNames()
            stems = [file_name(slot.name) if slot.exists else None for slot in kind_slots]
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


def event_word(category: int, sub_type: int, names: Names) -> str:
    """The file name of an event: ``create``, ``alarm_3``, ``collision_obj_wall``, ``mouse_@12``."""
    if category < len(EVENTS):
        prefix, known = EVENTS[category]
        if category in REFERENCES:
            stem = names.stem(REFERENCES[category], sub_type)
            if stem is not None:
                return f"{prefix}_{stem}"
        elif sub_type in known:
            return word(prefix, known[sub_type])
    else:
        prefix = f"category{category}"
    return f"{prefix}_@{sub_type}"


def event_of_word(word: str, names: Names) -> tuple[int, int]:
    """The category and sub-type of an event's file name.  FormatError: there is no such event."""
    known = WORDS.get(word)
    if known is not None:
        return known
    numbered = re.fullmatch(r"(.+)_@(-?\d{1,10})", word)
    if numbered:
        number = int(numbered[2])
        prefixes = [prefix for prefix, _ in EVENTS]
        if numbered[1] in prefixes:
            return prefixes.index(numbered[1]), number
        extra = re.fullmatch(r"category(\d{1,4})", numbered[1])
        if extra:
            return int(extra[1]), number
    for category, kind in REFERENCES.items():
        prefix = EVENTS[category][0] + "_"
        if word.startswith(prefix):
            return category, names.read(kind, word[len(prefix) :])
    raise FormatError(f"there is no event called {word!r}")
