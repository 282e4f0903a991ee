"""What the verbs of translation give."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.Image import Image

_LONGEST = 40


@dataclass
class Translated:
    """A translated game: ``data`` are the bytes of its data.win, or of the translation (.tra) of a
    game of Adventure Game Studio.

    ``texts`` counts the texts that were put in; ``warnings`` lists what was not, and what the game
    can't draw; ``companions`` are the translated companion files, by their paths.
    """

    data: bytes
    texts: int = 0
    warnings: list[str] = field(default_factory=list)
    companions: dict[str, bytes] = field(default_factory=dict)


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
        return f"{place}: {quoted(self.text)}: {self.message}"


@dataclass
class Explanation:
    """What was decided about a text at one place, and why."""

    where: str
    line: int
    source: str
    shown: bool
    reason: str


@dataclass
class GameFile:
    """A file that a game's code reads.

    ``pattern`` is its name as the code has it, with ``*`` for what is not written there,
    ``function`` what reads it, ``where`` the code entry; ``path`` is that of a file next to the
    game, with ``/`` between folders, "" where there is none (``found`` is False).
    """

    path: str
    pattern: str
    function: str
    where: str
    found: bool


@dataclass
class Preview:
    """A text and its translation ("" for none) as the game draws them.

    ``font`` is the name of the font, ``evident`` whether the code shows that it is this one, and
    ``width`` the width of the box in pixels (0 for none).  ``missing`` are the letters of the
    translation that the font has not: red boxes in ``image``.  ``overflow`` is how many pixels it
    goes beyond the box.  ``original`` and ``image`` are pictures of the text and the translation.
    """

    text: str
    translation: str
    font: str
    evident: bool
    width: float
    missing: str
    overflow: float
    original: Image
    image: Image | None


def quoted(text: str) -> str:
    """A text in a message."""
    return repr(text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…")
