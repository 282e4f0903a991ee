"""All resources of a kind."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlencode

import msgspec

from overhaul.viewer.answers import Asked, Shown
from overhaul.viewer.pages import page_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from overhaul.viewer.opened import Entry, Opened, Shelf

#: resources on one page of a list
PAGE = 200


class Row(msgspec.Struct, frozen=True):
    """A resource in a list; ``inside`` is the address of what is in it, for a file of a package."""

    name: str
    href: str
    size: int | None
    thumbnail: str
    inside: str


class ListPage(msgspec.Struct, frozen=True):
    """Resources of a kind, ``PAGE`` at a time; ``next`` is the address of those that follow."""

    kind: str
    slug: str
    title: str
    count: int
    found: int
    filter: str
    rows: list[Row]
    next: str


def rows_of(opened: Opened, entries: Iterable[Entry]) -> list[Row]:
    """Resources as rows of a list."""
    inside, found = opened.inside, []
    for entry in entries:
        page = page_of(opened, opened.shelves[entry.slug])
        shown = page.thumbnails and page.pictured(opened.document)
        picture = opened.href(entry, "thumbnail.png") if shown else ""
        into = f"{inside.prefix(entry.name)}/" if inside.can_open(entry.name) else ""
        found.append(Row(entry.name, opened.href(entry), entry.size, picture, into))
    return found


def show_list(asked: Asked, shelf: Shelf) -> Shown:
    """The resources of a kind whose names contain ``filter``; all of them as JSON."""
    opened = asked.opened
    wanted = asked.query.get("filter", "").casefold()
    entries = [e for e in shelf.entries.values() if not wanted or wanted in e.name.casefold()]
    start = asked.number("from")
    following = len(entries) if asked.json else start + PAGE
    more = urlencode({"filter": asked.query.get("filter", ""), "from": following})
    data = ListPage(
        shelf.kind,
        shelf.slug,
        shelf.title,
        len(shelf.entries),
        len(entries),
        asked.query.get("filter", ""),
        rows_of(opened, entries[start:following]),
        f"{opened.prefix}/{shelf.slug}?{more}" if following < len(entries) else "",
    )
    return Shown("rows.html" if asked.partial else "list.html", data, shelf.title)
