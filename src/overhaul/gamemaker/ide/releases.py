"""Releases of GameMaker, and what each of them writes: since when, and until when.

``releases.tsv`` has the fields of classes that not all releases have, with the value that one has
where it is new; ``release_marks.tsv`` the versions of classes, and their tags since 2024.2.
Source: the files of some 260 projects, counted by release.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from typing import Final, NamedTuple, TypeAlias

from overhaul.gamemaker.ide.styles import Letter
from overhaul.gamemaker.ide.tables import table
from overhaul.gamemaker.ide.values import Json

#: A year or a 2, and the numbers behind it, as releases follow each other.
Order: TypeAlias = "tuple[int, ...]"

#: The releases that projects were seen of.
RELEASES: Final = (
    "2.3.0.529", "2.3.1.542", "2.3.2.560", "2.3.3.574", "2.3.5.589", "2.3.6.595", "2.3.7.606",
    "2022.0.3.85", "2022.2.1.618", "2022.3.0.625", "2022.9.1.51", "2022.11.1.56", "2023.1.1.62",
    "2023.6.0.92", "2023.8.2.108", "2023.11.1.129", "2024.2.0.132", "2024.4.1.152",
    "2024.6.2.162", "2024.11.0.179", "2024.13.1.193", "2024.14.4.222", "2025.0.1.98",
    "2026.0.0.16",
)  # fmt: skip
_FULL: Final = re.compile(r"(?:2|20\d\d)(?:\.\d+){3}")
#: Betas are numbered by hundreds: 2024.1400 is that of 2024.14.
_BETA: Final = 100
#: The betas of 2.3, and the first release whose files are of a family.
_FIRST_BETA: Final = "23."
_FAMILIES: Final[tuple[tuple[Order, Letter], ...]] = (
    ((2024, 2), "D"), ((2022, 8), "C"), ((2, 3), "B"), ((0,), "A"),
)  # fmt: skip
#: The first long-term release has the number 2022.0, and the files of 2022.9.
_LONG_TERM: Final[Order] = (2022, 0)
_AS_LONG_TERM: Final[Order] = (2022, 9)
#: Since 2024.2, a class has a tag in the place of a version.
TAGGED: Final[Order] = (2024, 2)
_PLAIN_VERSION: Final = "1.0"
_NO_LIMIT: Final = "-"


class Release(NamedTuple):
    """A release: what it calls itself, and its place among the others."""

    text: str
    order: Order

    @property
    def letter(self) -> Letter:
        """The family of its files."""
        return next(letter for since, letter in _FAMILIES if self.order >= since)


def family_of(text: str) -> Letter:
    """The family of the files of the release that a full number names."""
    return Release(text, order_of(text)).letter


def release_of(text: str) -> Release | None:
    """The release that ``2024.13`` or ``2024.13.1.193`` names; None for none that is known."""
    if _FULL.fullmatch(text):
        return Release(text, order_of(text))
    known = [each for each in RELEASES if f"{each}.".startswith(f"{text}.")]
    return Release(known[-1], order_of(known[-1])) if "." in text and known else None


def order_of(text: str) -> Order:
    """The place of a release among the others, of its text."""
    if text.startswith(_FIRST_BETA):
        return (2, 3, 0)
    numbers = tuple(int(part) for part in re.findall(r"\d+", text))
    if numbers[:2] == _LONG_TERM:
        return _AS_LONG_TERM
    if numbers[:1] == (2,):
        return numbers[:3]
    year, number = (*numbers, 0, 0)[:2]
    return year, number // _BETA if number >= _BETA else number


class Span(NamedTuple):
    """The releases that have a field, up to one that has not.

    ``default`` is the value where the field is new, and ``adds`` whether there is one.
    ``is_made``: the editor makes the value itself, of others.  ``is_free``: other releases have the
    field where it is not the default.
    """

    since: Order
    until: Order
    default: Json
    adds: bool
    is_made: bool
    is_free: bool

    def has(self, order: Order) -> bool:
        """Whether a release has it."""
        return self.since <= order < self.until


@cache
def _spans() -> Mapping[str, Mapping[str, Span]]:
    found: dict[str, dict[str, Span]] = {}
    for kind, name, since, until, given in table("releases.tsv"):
        sign, text = (given[:1], given[1:]) if given[:1] in ("=", "?") else ("", given)
        found.setdefault(kind, {})[name] = Span(
            () if since == _NO_LIMIT else order_of(since),
            (9999,) if until == _NO_LIMIT else order_of(until),
            json.loads(text) if text else None,
            bool(text),
            sign == "=",
            sign == "?",
        )
    return found


def spans_of(kind: str) -> Mapping[str, Span]:
    """The fields of a class that not all releases have, by name; that of ``""`` is the class."""
    return _spans().get(kind, {})


@cache
def _marks() -> Mapping[str, tuple[tuple[Order, str], ...]]:
    return {
        kind: tuple(
            (order_of(since), mark)
            for since, _, mark in (part.partition("=") for part in text.split(" "))
        )
        for kind, text in table("release_marks.tsv")
    }


def mark_of(kind: str, order: Order) -> str:
    """The version of a class that a release writes, or its tag since 2024.2."""
    known = [mark for since, mark in _marks().get(kind, ()) if since <= order]
    if known:
        return known[-1]
    return "" if order >= TAGGED else _PLAIN_VERSION
