"""The names of an old project's resources in a later one.

Game Maker 5 to 8.1 takes any name for anything: two resources may have one, and a name may have
spaces or be a word of the language.  Later editors do not.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from overhaul.findings import Findings
from overhaul.gamemaker.forward.dropped import ACTIONS, NEW_VARIABLES, helpers
from overhaul.gamemaker.forward.texts import NewNames, cleaned
from overhaul.gml.builtins import load_constants, load_functions, load_variables
from overhaul.gml.syntax.lexer import keywords

_LEGAL: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_ODD: Final = re.compile(r"[^A-Za-z0-9_]")
#: The kinds in the order in which code looks for a name, and what the new name of one whose name
#: is taken begins with.
PREFIXES: Final = {
    "objects": "obj_", "sprites": "spr_", "sounds": "snd_", "backgrounds": "bg_",
    "paths": "path_", "fonts": "fnt_", "timelines": "tl_", "scripts": "scr_", "shaders": "shd_",
    "rooms": "rm_",
}  # fmt: skip
#: What resources are made of, and is counted.
PARTS: Final = ("actions", "points", "instances", "tiles")
_ORDER: Final = tuple(PREFIXES)
_WORDS: Final = ("self", "other", "all", "noone", "global", "local", "true", "false", "undefined")


def is_legal(name: str) -> bool:
    """Whether later editors take a name."""
    return _LEGAL.match(name) is not None


def reserved(generation: str) -> frozenset[str]:
    """The names that the language has, without those of other generations, and the names of the
    functions that stand for what it lacks."""
    added = (name for name in helpers() if generation != "gms1" or name.startswith(ACTIONS))
    other = "gms2" if generation == "gms1" else "gms1"
    functions = (name for name, known in load_functions().items() if known.generation != other)
    constants = (name for name, known in load_constants().items() if known.generation != other)
    words = keywords(generation == "gms2")
    return frozenset((*functions, *constants, *added, *load_variables(), *words, *_WORDS))


class Naming:
    """The names of the resources of a project in a later one, and what code calls them.

    ``old`` has the kind, the number and the name of each; ``names`` are the other names that code
    has to follow.  Names of one kind differ in more than case, as they are names of files:
    ``folders`` has the kinds whose files stand in the folder of another one.
    """

    def __init__(
        self,
        old: Sequence[tuple[str, int, str]],
        generation: str,
        findings: Findings,
        folders: Mapping[str, str] = {},
    ) -> None:
        self.names = NewNames()
        self._findings = findings
        self._folders = folders
        self._made: dict[tuple[str, int], str] = {}
        self._by_name: dict[tuple[str, str], str] = {}
        self._taken: set[str | tuple[str, str]] = set()
        self._reserved = reserved(generation)
        ordered = sorted(old, key=lambda each: _ORDER.index(each[0]))
        for plural, index, name in ordered:  # unchanged names are given first
            if self._is_free(plural, name):
                self._take(plural, index, name, name)
        for plural, index, name in ordered:
            if (plural, index) not in self._made:
                self._rename(plural, index, name)

    @property
    def taken(self) -> set[str]:
        """All names."""
        return {name for name in self._taken if isinstance(name, str)}

    def name(self, plural: str, index: int) -> str | None:
        """The name of a resource by its number; None where there is none."""
        return self._made.get((plural, index))

    def called(self, plural: str, name: str) -> str | None:
        """The name of the first resource that had a name; None where there is none."""
        return self._by_name.get((plural, name))

    def _is_free(self, plural: str, name: str) -> bool:
        if not is_legal(name) or name in self._reserved or name in self._taken:
            return False
        return (self._folder(plural), name.casefold()) not in self._taken

    def _folder(self, plural: str) -> str:
        return self._folders.get(plural, plural)

    def _take(self, plural: str, index: int, made: str, name: str) -> None:
        self._taken |= {made, (self._folder(plural), made.casefold())}
        self._made[plural, index] = made
        self._by_name.setdefault((plural, name), made)

    def _rename(self, plural: str, index: int, name: str) -> None:
        prefix = PREFIXES[plural]
        stem = _ODD.sub("_", cleaned(name))
        if is_legal(name) or not is_legal(stem) or not stem.strip("_"):
            stem = stem if stem.startswith(prefix) else f"{prefix}{stem.strip('_') or index}"
        made, number = stem, 2
        while not self._is_free(plural, made):
            made, number = f"{stem}_{number}", number + 1
        message = self._why(plural, name, made)
        self._take(plural, index, made, name)
        self._findings.warn("renamed", message, f"{plural}/{made}")

    def _why(self, plural: str, name: str, made: str) -> str:
        """The reason for a new name, for people; code follows it where it can."""
        if not is_legal(name):
            return f"later editors do not take the name {cleaned(name)!r}: it is called {made}"
        is_word = name in keywords(False) or name in _WORDS
        if is_word or (name in load_variables() and name not in NEW_VARIABLES):
            return f"the language has the name {name}: it is called {made}, code is as it was"
        if plural == "scripts":
            self.names.calls[name] = made
        if name in self._taken:
            follows = "calls follow" if plural == "scripts" else "code means the other"
            return f"another resource has the name {name}: it is called {made}, {follows}"
        self.names.plain.setdefault(name, made)
        if name in self._reserved:
            owner = "a function that is added" if name in helpers() else "the language"
            return f"{owner} has the name {name}: it is called {made}, and code follows"
        return f"{name} differs from another name in case alone: it is called {made}"
