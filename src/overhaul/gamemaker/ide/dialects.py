"""The language of a project's code: its dialect, and the resources that code names."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from overhaul.gamemaker.ide.listing import ListedEntry
from overhaul.gml.context import ASSET_KINDS, Context
from overhaul.gml.dialect import Dialect
from overhaul.gml.syntax.errors import ProblemList
from overhaul.gml.syntax.lexer import OPEN_COMMENT, tokenize

_NUMBERS: Final = re.compile(r"\d+")
#: The bytecode numbers of releases: the compiler of a project is at least that new.
_STUDIO: Final = 16
_LATER: Final = 17
#: The last releases of Studio 1, and of 2.2.
_LAST: Final[dict[str, tuple[int, ...]]] = {"1.x": (1, 4, 9999, 9999), "2.0-2.2": (2, 2, 5, 378)}


def dialect_of(release: str) -> Dialect:
    """The dialect of a release, as the editor calls it (``2024.14.2.213``)."""
    numbers = [int(part) for part in _NUMBERS.findall(release)[:4]] or [2023, 8]
    known = _LAST.get(release, (*numbers, 0, 0, 0)[:4])
    return Dialect.for_version(_STUDIO if known[0] < 2 else _LATER, known)


def context_of(release: str, entries: Iterable[ListedEntry]) -> Context:
    """The language tools' knowledge of a project: its dialect, its resources by name."""
    context = Context(dialect_of(release))
    counts: dict[str, int] = {}
    for entry in entries:
        kind = "background" if entry.kind == "tile set" else entry.kind.replace(" ", "_")
        if kind in ASSET_KINDS:
            number = counts.get(kind, 0)
            counts[kind] = number + 1
            context.add_asset(kind, number, entry.name)
    return context


def closed(text: str, dialect: Dialect) -> str:
    """A source whose last comment ends: GameMaker closes one at the end of an action."""
    problems = ProblemList(text)
    tokenize(text, problems, gms2=dialect.gms2_or_later, v2=dialect.gml_v2)
    is_open = any(each.message == OPEN_COMMENT for each in problems.problems())
    return f"{text}*/" if is_open else text
