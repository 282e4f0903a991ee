"""Different changes of the same part by two people."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final, Literal, TypeAlias

from overhaul.gamemaker.ide.values import Json

#: Which edition counts where both disagree.
Which: TypeAlias = Literal["ours", "theirs"]


class Nothing(Enum):
    """Stands for a value that an edition does not have."""

    NOTHING = "nothing"


NOTHING: Final = Nothing.NOTHING
Maybe: TypeAlias = "Json | Nothing"
#: So much of a value is shown.
_SHOWN: Final = 200


@dataclass(frozen=True)
class Conflict:
    """A place where two editions disagree: the file, the place in it (``layers[Instances].depth``),
    the line of the merged file from 1 (0: none), and what each has there."""

    path: str
    reason: str
    place: str = ""
    line: int = 0
    ours: Maybe = NOTHING
    theirs: Maybe = NOTHING

    def __str__(self) -> str:
        where = f"{self.path}:{self.line}" if self.line else self.path
        return f"{where}: {self.place}: {self.reason}" if self.place else f"{where}: {self.reason}"

    def sides(self) -> list[tuple[str, str]]:
        """Both sides, as texts for people: whose it is, and what."""
        if self.ours is NOTHING and self.theirs is NOTHING:
            return []
        return [("ours", _shown(self.ours)), ("theirs", _shown(self.theirs))]

    def to_json(self) -> dict[str, object]:
        """The conflict, as ``--json`` prints it; a side that has nothing is left out."""
        row: dict[str, object] = {"path": self.path, "reason": self.reason}
        if self.place:
            row["place"] = self.place
        if self.line:
            row["line"] = self.line
        row |= {key: value for key, value in (("ours", self.ours), ("theirs", self.theirs))
                if value is not NOTHING}  # fmt: skip
        return row

    def turned(self) -> Conflict:
        """The same with the sides the other way round."""
        words = {"ours": "theirs", "theirs": "ours"}
        reason = " ".join(words.get(word, word) for word in self.reason.split(" "))
        return replace(self, reason=reason, ours=self.theirs, theirs=self.ours)


def _shown(value: Maybe) -> str:
    if value is NOTHING:
        return "(nothing)"
    if isinstance(value, str) and "\n" in value:
        return value.rstrip("\n")
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"
