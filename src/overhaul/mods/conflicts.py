"""Why mods can't be put on a game together: values for people and for mod managers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from overhaul.mods.values import NOTHING

#: What the other side is called where a mod disagrees with what is there.
GAME = "the game"


@dataclass(frozen=True)
class Conflict:
    """A change that can't be put in, or two that disagree.

    ``path`` is the plain file ("" for the game as a whole), ``place`` the key in it, ``line`` the
    line (from 1; 0: none).  ``mods`` are the names of the mods concerned, the game at hand is the
    other side where there is one.  ``ours`` and ``theirs`` are the two sides (a text, or a value of
    JSON; NOTHING where a side has none).
    """

    path: str
    reason: str
    mods: list[str] = field(default_factory=list)
    place: str = ""
    line: int = 0
    ours: object = NOTHING
    theirs: object = NOTHING
    owners: tuple[int, ...] = ()

    def named(self, names: Sequence[str]) -> Conflict:
        """With the names of the mods whose indices are its owners."""
        return replace(self, mods=[names[owner] for owner in self.owners])

    def to_json(self) -> dict[str, object]:
        """The conflict as values of JSON."""
        shown: dict[str, object] = {"path": self.path, "reason": self.reason, "mods": self.mods}
        shown |= {"place": self.place} if self.place else {}
        shown |= {"line": self.line} if self.line else {}
        sides = [{"of": of, "value": value} for of, value in self._both()]
        return shown | ({"sides": sides} if sides else {})

    def sides(self) -> list[tuple[str, str]]:
        """Both sides in words, as far as there are two: whose it is (a mod's name, or "the game"),
        and what it says."""
        return [(of, str(value)) for of, value in self._both()]

    def _both(self) -> list[tuple[str, object]]:
        names = self.mods if len(self.mods) > 1 else [GAME, *self.mods, ""]
        both = zip(names, (self.ours, self.theirs), strict=False)
        return [(of, value) for of, value in both if value is not NOTHING]

    def __str__(self) -> str:
        where = f"{self.path}:{self.line}" if self.line else self.path
        by = " and ".join(self.mods)
        return ": ".join(filter(None, (where, self.place, self.reason))) + (
            f" ({by})" if by else ""
        )
