"""A project that is made of a game, or of another project: its files so far, names and ids."""

from __future__ import annotations

import hashlib
import math
import re
import uuid
from collections.abc import Callable, Iterable, Iterator
from typing import Final, Protocol, TypeVar

from overhaul.findings import Findings
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.recovered import Tally

#: A name that the editor takes.
_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_ODD: Final = re.compile(r"[^A-Za-z0-9_]")
#: The beginnings of the names of resources that the compiler adds.
_ADDED: Final = ("__yy_", "_effect_", "_filter_")
_SPACE: Final = uuid.UUID("6f9619ff-8b86-d011-b42d-00c04fc964ff")


def is_added(name: str) -> bool:
    """Whether the compiler adds the resource of a name, for effects."""
    return name.startswith(_ADDED)


class _Recorded(Protocol):
    @property
    def record(self) -> object: ...


P = TypeVar("P", bound=_Recorded)


def there(parts: Iterable[P]) -> Iterator[P]:
    """The parts of a resource that are there: a list of a damaged file may have places for none."""
    return (part for part in parts if part.record is not None)


def finite(value: float) -> float:
    """A number as a project can have it: no file of one holds what is not a number."""
    plain = float(value)
    return plain if math.isfinite(plain) else 0.0


class _Named(Protocol):
    @property
    def name(self) -> str: ...


N = TypeVar("N", bound=_Named)


class ProjectDraft:
    """A project that is made of something else: its files so far, and what a person should know.

    ``files`` has what gives the bytes of each; ``listed`` the resources in the order of their
    numbers in the game, each with the path of its file.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.files: dict[str, Callable[[], bytes]] = {}
        self.listed: list[tuple[str, str, str]] = []
        self.tallies: dict[str, Tally] = {}
        self.findings: Findings = Findings()
        #: the folders that resources are in, below that of their kind: by kind and new name
        self.folders: dict[tuple[str, str], tuple[str, ...]] = {}
        #: the members of enumerations that the decompiler had to name, by their enumeration
        self.enums: dict[str, dict[str, int]] = {}
        self._last: tuple[Callable[[], bytes], bytes] = bytes, b""
        self._names: dict[tuple[str, str], str] = {}
        #: all names; those of each kind without case, as files have them
        self._taken: set[str | tuple[str, str]] = set()

    # -- names and references ----------------------------------------------------------------------

    def name_for(self, kind: str, name: str) -> str:
        """The name of a resource in the project: its own one, or one that the editor takes."""
        known = self._names.get((kind, name))
        if known is not None:
            return known
        made = self._take(kind, name if _NAME.match(name) else "_" + _ODD.sub("_", name))
        if made != name:
            message = f"the editor does not take the name {name!r}: it is called {made}"
            self.findings.warn("renamed", message, f"{kind} {made}")
        self._names[kind, name] = made
        return made

    def new_name(self, kind: str, stem: str) -> str:
        """The name of a resource that only the project has: ``stem``, or with a number behind it
        where another resource has that name."""
        made = self._take(kind, stem)
        self._names[kind, made] = made
        return made

    def _take(self, kind: str, stem: str) -> str:
        """A name that no other resource has, and which is taken then."""
        made, number = stem, 2
        while made in self._taken or (kind, made.casefold()) in self._taken:
            made, number = f"{stem}_{number}", number + 1
        self._taken |= {made, (kind, made.casefold())}
        return made

    def id(self, *parts: object) -> str:
        """An id as the editor makes them, which is the same for the same game."""
        return str(uuid.uuid5(_SPACE, "\0".join([self.name, *map(str, parts)])))

    def short_id(self, *parts: object) -> str:
        """Eight hexadecimal digits, for the names of instances and graphics."""
        text = "\0".join([self.name, *map(str, parts)])
        return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=4).hexdigest().upper()

    def own(self, resources: Iterable[N]) -> Iterator[N]:
        """The resources that an author made: not those that the compiler adds for effects."""
        return (each for each in resources if not is_added(str(each.name)))

    # -- files -------------------------------------------------------------------------------------

    def source(self, text: str) -> Callable[[], bytes]:
        """The function that gives the bytes of a source."""
        return text.replace("\r\n", "\n").encode("utf-8", "surrogateescape").__bytes__

    def once(self, read: Callable[[], bytes]) -> Callable[[], bytes]:
        """The function that reads bytes and keeps them until others are read so."""

        def reading() -> bytes:
            if self._last[0] is not read:
                self._last = read, read()
            return self._last[1]

        return reading

    def count(self, kind: str, total: int, lossy: int = 0, lost: int = 0) -> None:
        """Note how many resources of a kind there are."""
        self.tallies[kind] = Tally(total, lossy, lost)

    def count_more(self, kind: str, total: int, lossy: int = 0, lost: int = 0) -> None:
        """Note that there are so many more parts of a kind."""
        before = self.tallies.get(kind, Tally(0))
        self.count(kind, before.total + total, before.lossy + lossy, before.lost + lost)

    def lost(self, what: str, path: str = "") -> None:
        """Report what compiling threw away."""
        self.findings.warn("lost-in-compiling", f"{what} got lost in compiling", path)


class Draft(ProjectDraft):
    """A project that is made of a compiled game."""

    game: GameData
