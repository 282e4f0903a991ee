"""The functions, attributes and types that scripts of Adventure Game Studio can use: declarations
of editors 3.2.0 to 3.6.3.

``builtin.tsv`` lists them in the order of the editors' own header, which gives them their places in
the import table of every compiled script.  A row says which releases of the editor have the
declaration (``since`` to ``until``), and under which macros (``condition``).

Source: the headers (``agsdefns.sh``) of the published editors, and compiled scripts, whose import
tables show the order.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

Version = tuple[int, ...]
#: Stands for the parts that a short version ("3.4.1") lacks: the last build of that release.
_LAST = 1 << 30
_VERSION: Final = re.compile(r"(?<![0-9])[0-9]{1,7}(?:\.[0-9]{1,7}){1,3}(?![0-9])")


class Declaration(NamedTuple):
    """A line of the built-in header."""

    #: constant, enum, enum_member, struct, forward, method, attribute, function or variable.
    kind: str
    #: The struct or the enum that it belongs to; "" for others.
    owner: str
    name: str
    #: Its type as written; the words before ``struct``; "alias" or "int" of a constant.
    type: str
    #: Letters: s static, r readonly, a array.
    flags: str
    #: The parameters of a function as written, with their default values.
    parameters: str
    since: str
    until: str
    #: Macros, joined by " & "; "!" before one that must not be defined.
    condition: str
    #: The value of a constant or a member; the length of an array; the struct that is extended.
    value: str

    @property
    def macros(self) -> list[str]:
        """The macros of the condition, each with its "!"."""
        if not self.condition:
            return []
        return [part.strip() for part in self.condition.split("&") if part.strip()]


def version_in(text: str) -> str:
    """The first version in a text: two to four numbers of at most seven digits; or ""."""
    found = _VERSION.search(text)
    return "" if found is None else found[0]


def parse_version(text: str) -> Version:
    """Four numbers of a version such as ``3.5.0.27``; a short one is its release's last build.

    Raises ValueError for a text that does not name a version.
    """
    parts = [int(part) for part in text.strip().split(".")[:4]]
    if len(parts) < 2:
        raise ValueError(f"expected a version such as 3.5.0.27, got {text!r}")
    return (*parts, *[_LAST] * (4 - len(parts)))


@cache
def all_declarations() -> tuple[Declaration, ...]:
    """The declarations of all editors, in the order of their headers."""
    text = files(__package__).joinpath("builtin.tsv").read_text("utf-8")
    return tuple(Declaration(*line.split("\t")) for line in text.splitlines()[1:])


@cache
def _builds() -> list[Version]:
    """The builds in which a declaration came or went, sorted."""
    named = {row.since for row in all_declarations()} | {row.until for row in all_declarations()}
    return sorted(map(_exact, named))


@cache
def _exact(text: str) -> Version:
    return (*(int(part) for part in text.split(".")), 0, 0)[:4]


@cache
def _spans() -> list[tuple[Version, Version, Declaration]]:
    """All declarations with the first and the last build that has them."""
    return [(_exact(row.since), _exact(row.until), row) for row in all_declarations()]


@cache
def declarations(version: str) -> tuple[Declaration, ...]:
    """The declarations in the header of an editor, in its order.

    ``version`` is that of the editor; one before the first known header has that one.
    """
    builds = _builds()
    build = builds[max(bisect_right(builds, parse_version(version)) - 1, 0)]
    return tuple([row for since, until, row in _spans() if since <= build <= until])
