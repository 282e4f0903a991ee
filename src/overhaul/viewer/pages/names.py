"""The tree of the resources, by kind, and as it is filtered."""

from __future__ import annotations

import msgspec

from overhaul.viewer.answers import Asked, Crumb, Shown

#: names of a kind that the tree shows
LISTED = 1000
#: and where it is filtered
FILTERED = 100


class NamesOfKind(msgspec.Struct, frozen=True):
    """Names of a kind; ``count`` is how many there are."""

    slug: str
    title: str
    href: str
    count: int
    names: list[Crumb]


class Names(msgspec.Struct, frozen=True):
    """Names by kind."""

    filter: str
    kinds: list[NamesOfKind]


def show_tree(asked: Asked) -> Shown:
    """``/-/tree/sprites``: the names of a kind."""
    opened = asked.opened
    shelf = opened.shelf(asked.rest)
    names = [Crumb(entry.name, opened.href(entry)) for entry in shelf.entries.values()]
    data = NamesOfKind(
        shelf.slug, shelf.title, f"{opened.prefix}/{shelf.slug}", len(names), names[:LISTED]
    )
    return Shown("tree.html", data, whole=False)


def show_names(asked: Asked) -> Shown:
    """``/-/names?q=``: the resources whose names contain a text, the nearest first."""
    opened = asked.opened
    wanted = asked.query.get("q", "").strip().casefold()
    kinds = []
    for shelf in opened.shelves.values():
        found = [e for e in shelf.entries.values() if wanted in e.name.casefold()]
        found.sort(key=lambda entry: _distance(entry.name.casefold(), wanted))
        names = [Crumb(entry.name, opened.href(entry)) for entry in found[:FILTERED]]
        href = f"{opened.prefix}/{shelf.slug}"
        if names or not wanted:
            shown = names if wanted else []
            kinds.append(NamesOfKind(shelf.slug, shelf.title, href, len(found), shown))
    return Shown("names.html", Names(asked.query.get("q", ""), kinds), whole=False)


def _distance(name: str, wanted: str) -> int:
    """0 for the name itself, 1 where it begins so, 2 for others."""
    return 0 if name == wanted else 1 if name.startswith(wanted) else 2
