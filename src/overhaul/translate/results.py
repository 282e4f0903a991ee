"""What the verbs of translation give."""

from __future__ import annotations

from dataclasses import dataclass, field

_LONGEST = 40


@dataclass
class Translated:
    """A translated game: ``data`` are the bytes of its data.win, or of the translation (.tra) of a
    game of Adventure Game Studio.

    ``texts`` counts the texts that were put in; ``warnings`` tells what was not, and what the game
    can't draw.
    """

    data: bytes
    texts: int = 0
    warnings: list[str] = field(default_factory=list)


@dataclass
class Problem:
    """Something wrong with a translation; ``line`` is its line in the PO file, or its row in a
    spreadsheet, whose ``cell`` is named then."""

    text: str
    line: int
    message: str
    cell: str = ""

    def __str__(self) -> str:
        place = f"cell {self.cell}" if self.cell else f"line {self.line}"
        return f"{place}: {told(self.text)}: {self.message}"


@dataclass
class Explanation:
    """What was decided about a text at one place, and why."""

    where: str
    line: int
    source: str
    shown: bool
    reason: str


def told(text: str) -> str:
    """A text in a message."""
    return repr(text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…")
