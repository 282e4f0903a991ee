"""A mod that is made of differences: first what it has and what it leaves out, then its file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

import msgspec

from overhaul.findings import Findings
from overhaul.viewer.answers import Answer, Asked, DataPage, Media

if TYPE_CHECKING:
    from overhaul.mods.modfile import Conflict, Mod
    from overhaul.viewer.answers import Crumb

#: the parts that a mod leaves out and its page lists, and lines of a side of it
_LISTED: Final = 200
_LINES: Final = 12


class LeftOut(msgspec.Struct, frozen=True):
    """A change that a mod can't hold: where, why, and the sides of it, by their owners."""

    where: str
    reason: str
    sides: list[tuple[str, str]]


class ModPage(msgspec.Struct, frozen=True):
    """A mod before it is downloaded from ``href``: how many files it changes, adds and so on;
    ``more`` of what it leaves out is not listed.  ``findings`` are about a choice of changes, which
    ``is_part`` says."""

    name: str
    counts: dict[str, int]
    left_out: list[LeftOut]
    more: int
    href: str
    findings: Findings
    is_part: bool = False


def mod_or_report(
    asked: Asked,
    made: Mod,
    file: str,
    crumbs: tuple[Crumb, ...] = (),
    *,
    is_part: bool = False,
) -> Answer:
    """The contents of a mod, and the parts that it leaves out; with ``download=1`` the mod, as a
    file of a name."""
    if asked.query.get("download"):
        return Media(made.to_bytes(), "application/zip", file, keep=False)
    counts = {
        "changed": len(made.patches),
        "added": len({*made.added, *made.copied}),
        "removed": len(made.removed),
        "renamed": len(made.renamed),
        "texts": len(made.texts),
    }
    page = ModPage(
        made.name,
        {name: count for name, count in counts.items() if count},
        [_left_out(conflict) for conflict in made.left_out[:_LISTED]],
        max(0, len(made.left_out) - _LISTED),
        f"?{urlencode({**asked.query, 'download': '1'})}",
        made.findings,
        is_part,
    )
    return DataPage("mod.html", page, f"A mod: {made.name}", crumbs)


def _left_out(conflict: Conflict) -> LeftOut:
    where = f"{conflict.path}:{conflict.line}" if conflict.line else conflict.path
    sides = [(of, "\n".join(text.split("\n")[:_LINES])) for of, text in conflict.sides()]
    return LeftOut(": ".join(filter(None, (where, conflict.place))), conflict.reason, sides)
