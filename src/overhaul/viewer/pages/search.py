"""One search over everything in a game."""

from __future__ import annotations

import msgspec

from overhaul.viewer.answers import Asked, Shown
from overhaul.viewer.pages.names import FILTERED

#: results of a group on the page
RESULTS = 50


class Found(msgspec.Struct, frozen=True):
    """A result: where it is, and the text it is in."""

    text: str
    href: str
    where: str = ""


class Group(msgspec.Struct, frozen=True):
    """Results of one kind; ``count`` is how many there are."""

    title: str
    count: int
    results: list[Found]


class SearchPage(msgspec.Struct, frozen=True):
    """What a search found."""

    q: str
    groups: list[Group]


def show_search(asked: Asked) -> Shown:
    """``/-/search?q=``."""
    q = asked.query.get("q", "").strip()
    groups = by_name(asked, q) if q else []
    data = SearchPage(q, groups)
    return Shown("results.html" if asked.partial else "search.html", data, "Search")


def by_name(asked: Asked, q: str) -> list[Group]:
    """The resources whose names contain a text."""
    wanted = q.casefold()
    groups = []
    for shelf in asked.opened.shelves.values():
        found = [e for e in shelf.entries.values() if wanted in e.name.casefold()]
        found.sort(key=lambda entry: not entry.name.casefold().startswith(wanted))
        if found:
            results = [Found(e.name, asked.opened.href(e)) for e in found[:FILTERED]]
            groups.append(Group(shelf.title, len(found), results[:RESULTS]))
    return groups
