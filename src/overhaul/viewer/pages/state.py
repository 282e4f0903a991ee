"""Whether the file changed on the disk; showing it anew; the help."""

from __future__ import annotations

import msgspec

from overhaul.viewer.answers import Asked, Moved, Shown
from overhaul.viewer.opened import NotThere


class State(msgspec.Struct, frozen=True):
    """``changed``: the file on the disk is another than the one on show."""

    changed: bool
    edition: int


class Help(msgspec.Struct, frozen=True):
    """The keys of the viewer, and what each does."""

    keys: list[tuple[str, str]]


KEYS = [
    ("/", "search"),
    ("f", "filter the list on the left"),
    ("↑ ↓", "go through results and lists; Enter opens"),
    ("j k", "the next and the previous resource"),
    ("g h", "the first page of the game"),
    ("g s", "sprites"),
    ("g o", "objects"),
    ("g r", "rooms"),
    ("g c", "code"),
    ("g a", "sounds"),
    ("Esc", "leave a field, close this"),
    ("?", "this help"),
]


def show_state(asked: Asked) -> Shown:
    """``/-/state``: asked now and then by open pages."""
    data = State(asked.opened.changed(), asked.opened.edition)
    return Shown("state.html", data, whole=False)


def reload(asked: Asked) -> Moved:
    """``POST /-/reload``: show the file as it is now."""
    if asked.method != "POST":
        raise NotThere("this address only takes POST")
    asked.opened.reload()
    return Moved(f"{asked.opened.prefix}/")


def show_help(asked: Asked) -> Shown:
    """``/-/help``: the keys."""
    return Shown("help.html", Help(KEYS), "Keys")
