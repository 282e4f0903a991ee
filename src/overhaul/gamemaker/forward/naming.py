"""The names of an old project's resources in a later one.

Game Maker 5 to 8.1 takes any name for anything: two resources may have one, and a name may have
spaces or be a word of the language.  Later editors do not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from overhaul.gamemaker.classic.kinds import BY_PLURAL, kinds_of
from overhaul.gamemaker.forward.texts import Names, cleaned
from overhaul.gml.builtins import load_constants, load_functions, load_variables
from overhaul.gml.syntax.lexer import keywords

if TYPE_CHECKING:
    from overhaul.findings import Findings
    from overhaul.gamemaker.classic.records import Project

_LEGAL: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_ODD: Final = re.compile(r"[^A-Za-z0-9_]")
#: The kinds in the order in which code looks for a name, and what the new name of one whose name
#: is taken begins with.
PREFIXES: Final = {
    "objects": "obj_", "sprites": "spr_", "sounds": "snd_", "backgrounds": "bg_",
    "paths": "path_", "fonts": "fnt_", "timelines": "tl_", "scripts": "scr_", "rooms": "rm_",
}  # fmt: skip
_WORDS: Final = ("self", "other", "all", "noone", "global", "local", "true", "false", "undefined")


def is_legal(name: str) -> bool:
    """Whether later editors take a name."""
    return _LEGAL.match(name) is not None


def reserved(generation: str) -> frozenset[str]:
    """The names that the language itself has, without those of other generations."""
    other = "gms2" if generation == "gms1" else "gms1"
    functions = (name for name, known in load_functions().items() if known.generation != other)
    constants = (name for name, known in load_constants().items() if known.generation != other)
    words = keywords(generation == "gms2")
    return frozenset((*functions, *constants, *load_variables(), *words, *_WORDS))


class Naming:
    """The names of the resources of an old project in a later one, and what code calls them.

    ``names`` are the other names that code has to follow.
    """

    def __init__(self, project: Project, findings: Findings) -> None:
        self.names = Names()
        self._project = project
        self._findings = findings
        self._made: dict[tuple[str, int], str] = {}
        self._taken: set[str | tuple[str, str]] = set()
        self._reserved = reserved("gms1")
        old = list(self._resources())
        for plural, index, name in old:  # those that keep their names are the first to have them
            if self._is_free(plural, name):
                self._take(plural, index, name)
        for plural, index, name in old:
            if (plural, index) not in self._made:
                self._rename(plural, index, name)

    def _resources(self) -> Iterator[tuple[str, int, str]]:
        known = {kind.plural: kind for kind in kinds_of(self._project.version)}
        for plural in PREFIXES:
            for index, slot in enumerate(known[plural].section(self._project).slots):
                if slot.exists and slot.resource is not None:
                    yield plural, index, slot.name

    def _is_free(self, plural: str, name: str) -> bool:
        if not is_legal(name) or name in self._reserved or name in self._taken:
            return False
        return (plural, name.casefold()) not in self._taken

    def _take(self, plural: str, index: int, name: str) -> None:
        self._taken |= {name, (plural, name.casefold())}
        self._made[plural, index] = name

    def _rename(self, plural: str, index: int, name: str) -> None:
        prefix = PREFIXES[plural]
        stem = _ODD.sub("_", cleaned(name))
        clashes = is_legal(name)
        if clashes or not is_legal(stem) or not stem.strip("_"):
            stem = stem if stem.startswith(prefix) else f"{prefix}{stem.strip('_') or index}"
        made, number = stem, 2
        while not self._is_free(plural, made):
            made, number = f"{stem}_{number}", number + 1
        self._take(plural, index, made)
        kind = BY_PLURAL[plural].singular
        self._findings.warn("renamed", self._why(plural, name, made), f"{kind} {made}")

    def _why(self, plural: str, name: str, made: str) -> str:
        """What a person should know about a new name; code follows it where it can."""
        if not is_legal(name):
            return f"later editors do not take the name {name!r}: it is called {made}"
        if name in load_variables() or name in keywords(False) or name in _WORDS:
            return f"the language has the name {name}: it is called {made}, code is as it was"
        if plural == "scripts":
            self.names.calls[name] = made
        if name in self._taken:
            follows = "calls follow" if plural == "scripts" else "code means the other"
            return f"another resource has the name {name}: it is called {made}, {follows}"
        self.names.plain.setdefault(name, made)
        if name in self._reserved:
            return f"the language has the name {name}: it is called {made}, and code follows"
        return f"{name} differs from another name in case alone: it is called {made}"

    def name(self, plural: str, index: int) -> str | None:
        """The name of a resource by its number; None where there is none."""
        return self._made.get((plural, index))
