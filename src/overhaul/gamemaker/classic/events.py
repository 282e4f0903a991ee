"""The events of objects: their categories and sub-types, as words and as people read them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from overhaul.gamemaker import events as words
from overhaul.gamemaker.events import COLLISION as COLLISION
from overhaul.gamemaker.events import TRIGGER as TRIGGER

#: the name of a resource of a kind (``objects``) by its id; None for one that is not there
NameOf: TypeAlias = Callable[[str, int], str | None]

#: by category: the word that begins the name, and the sub-types' words
EVENTS: tuple[tuple[str, dict[int, str]], ...] = (
    ("create", {0: ""}),
    ("destroy", {0: ""}),
    ("alarm", {number: str(number) for number in range(12)}),
    ("step", {0: "", 1: "begin", 2: "end"}),
    ("collision", {}),
    ("keyboard", words.KEYS),
    ("mouse", words.MOUSE),
    ("other", words.OTHER),
    ("draw", {0: ""}),
    ("key_press", words.KEYS),
    ("key_release", words.KEYS),
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


def event_title(category: int, sub_type: int, name_of: NameOf) -> str:
    """An event as people read it: ``Alarm 3``, ``Collision with obj_wall``, ``Key press: enter``.

    What no release has is told by its numbers.
    """
    name = name_of(REFERENCES[category], sub_type) if category in REFERENCES else None
    return words.event_title(category, sub_type, name or "") or f"Event {category}, {sub_type}"
