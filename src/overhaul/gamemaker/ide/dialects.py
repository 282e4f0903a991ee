"""The language of a project's code, by the release of the editor that wrote it."""

from __future__ import annotations

import re
from typing import Final

from overhaul.gml.dialect import Dialect

_NUMBERS: Final = re.compile(r"\d+")
#: The bytecode numbers of releases: what compiles a project is at least that new.
_STUDIO: Final = 16
_LATER: Final = 17
#: The last releases of Studio 1, and of 2.2.
_LAST: Final[dict[str, tuple[int, ...]]] = {"1.x": (1, 4, 9999, 9999), "2.0-2.2": (2, 2, 5, 378)}


def dialect_of(release: str) -> Dialect:
    """The dialect of a release, as the editor calls it (``2024.14.2.213``)."""
    numbers = [int(part) for part in _NUMBERS.findall(release)[:4]] or [2023, 8]
    known = _LAST.get(release, (*numbers, 0, 0, 0)[:4])
    return Dialect.for_version(_STUDIO if known[0] < 2 else _LATER, known)
