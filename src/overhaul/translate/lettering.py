"""Sprites that may have lettering, and the words in names that speak for it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

#: words in names of sprites, and of objects that show them, that speak for lettering
WORDS: Final = frozenset(
    [
        "banner",
        "botao",
        "botaos",
        "boton",
        "btn",
        "btns",
        "button",
        "buttons",
        "caption",
        "continue",
        "controls",
        "credits",
        "dialog",
        "dialogue",
        "easy",
        "exit",
        "font",
        "gameover",
        "go",
        "hard",
        "help",
        "howto",
        "instruction",
        "instructions",
        "intro",
        "label",
        "letter",
        "letters",
        "loading",
        "logo",
        "lose",
        "lost",
        "menu",
        "message",
        "msg",
        "no",
        "normal",
        "ok",
        "options",
        "over",
        "panel",
        "pause",
        "paused",
        "play",
        "press",
        "ready",
        "replay",
        "restart",
        "resume",
        "retry",
        "save",
        "score",
        "settings",
        "sign",
        "skip",
        "start",
        "story",
        "text",
        "texto",
        "texts",
        "title",
        "titulo",
        "txt",
        "tutorial",
        "tutorials",
        "victory",
        "warning",
        "win",
        "won",
        "word",
        "words",
        "yes",
    ]
)
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


@dataclass
class Lettering:
    """A sprite that may have lettering: ``frames``, ``width`` and ``height`` in pixels, and why.

    ``file`` is what its picture is called, ``picture`` gives the bytes of that (PNG).
    """

    name: str
    frames: int
    width: int
    height: int
    reasons: list[str]
    file: str = ""
    picture: Callable[[], bytes] = field(default=bytes, repr=False, compare=False)


def words_in(name: str) -> list[str]:
    """The words in a name that speak for lettering."""
    parts = (part.lower() for part in _PART.findall(name))
    return list(dict.fromkeys(repr(part) for part in parts if part in WORDS))
