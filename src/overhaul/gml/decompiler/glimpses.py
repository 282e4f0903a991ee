"""The lines of an entry that may have a word, while nothing is known of the types of its game.

Types and habits of the author change numbers and other literals where they stand: a line without
any is in the source as it is in the first reading of the code.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable
from typing import Final, NamedTuple

from overhaul.gml.decompiler import FirstReading, FirstText
from overhaul.gml.decompiler.types.names import NOONE
from overhaul.gml.decompiler.types.provisional import (
    MARK,
    Asked,
    Contents,
    Literal,
    Place,
    Question,
)
from overhaul.gml.dialect import Dialect
from overhaul.gml.syntax.printer import to_source

_NOONE: Final = re.compile(r"\bnoone\b")


class Word(NamedTuple):
    """A word that is looked for: whether a text has it, and the numbers whose names may."""

    is_in: Callable[[str], bool]
    values: Container[float]


class Glimpse(NamedTuple):
    """Some lines of an entry: their numbers, from 1 on, and their text, with what it asks for."""

    numbers: list[int]
    text: FirstText


def glimpse(first: FirstReading, dialect: Dialect, word: Word) -> Glimpse | None:
    """The lines of a first reading, which is used up, that may have a word; None where other lines
    might have it once more is known."""
    places = None if first.is_open else first.asked.mark_all()
    if places is None:
        return None
    try:
        text = to_source(first.made.block, dialect)
    except Exception:  # noqa: BLE001 - reported when the entry is asked for
        return None
    for place in places:
        place.show(place.text)
    lines = text.split("\n")
    marks = [[int(mark) for mark in line.split(MARK)[1::2]] for line in lines]
    hidden = set(range(len(places))).difference(*marks)
    if not all(_is_noone(places[number]) for number in hidden):
        return None  # what does not show may be shown elsewhere
    made = _Lines(places, word)
    for number, line in enumerate(lines, 1):
        unseen = hidden if hidden and _NOONE.search(line) else ()
        made.take(number, line, marks[number - 1], unseen)
    asked = Asked(made.questions, made.contents(first.asked.contents), made.literals)
    return Glimpse(made.numbers, FirstText("\n".join(made.texts), first.made.problems, asked))


class _Lines:
    """The lines that may have a word, with what they ask for."""

    def __init__(self, places: list[Place], word: Word) -> None:
        self._places = places
        self._word = word
        self.numbers: list[int] = []
        self.texts: list[str] = []
        self.questions: list[Question] = []
        self.literals: list[Literal] = []

    def take(self, number: int, line: str, marks: list[int], unseen: Iterable[int]) -> None:
        """Take a line, if it may have the word.  ``unseen`` are other places that it may show."""
        places = self._places
        parts = line.split(MARK)
        parts[1::2] = [places[mark].text for mark in marks]
        named = (places[mark].value for mark in (*marks, *unseen) if places[mark].questions)
        has = self._word.is_in("".join(parts))
        if not has and not any(value in self._word.values for value in named):
            return
        for at, mark in enumerate(marks):
            if any(question.alone for question in places[mark].questions):
                parts[2 * at + 1] = f"{MARK}{len(self.questions)}{MARK}"
            self._ask(places[mark])
        for mark in unseen:
            self._ask(places[mark])
        self.numbers.append(number)
        self.texts.append("".join(parts))

    def _ask(self, place: Place) -> None:
        self.questions += place.questions
        self.literals += place.literals

    def contents(self, whole: Contents) -> Contents:
        """The contents of the lines, of the contents of the entry."""
        return whole._replace(
            fractions={each.value for each in self.literals if each.factor is None},
            factors={
                (each.factor, each.value) for each in self.literals if each.factor is not None
            },
        )


def _is_noone(place: Place) -> bool:
    """Whether a number that does not show is one that is shown as ``noone``."""
    return place.value == NOONE and not place.literals
