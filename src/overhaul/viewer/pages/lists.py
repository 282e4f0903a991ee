"""All resources of a kind, and the frame around every page: the kinds, the way here."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlencode

import msgspec

from overhaul.viewer.answers import Asked, Crumb, Shown
from overhaul.viewer.pages import page_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from overhaul.viewer.opened import Entry, Listing, Opened

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
    inside, rows = opened.inside, []
    for entry in entries:
        page = page_of(opened, opened.listings[entry.slug])
        shown = page.thumbnails and page.pictured(opened.document)
        picture = opened.href(entry, "thumbnail.png") if shown else ""
        into = f"{inside.prefix(entry.name)}/" if inside.can_open(entry.name) else ""
        rows.append(Row(entry.name, opened.href(entry), entry.size, picture, into))
    return rows


def show_list(asked: Asked, listing: Listing) -> Shown:
    """The resources of a kind whose names contain ``filter``; all of them as JSON."""
    opened = asked.opened
    wanted = asked.query.get("filter", "").casefold()
    entries = [e for e in listing.entries.values() if not wanted or wanted in e.name.casefold()]
    start = asked.number("from")
    following = len(entries) if asked.json else start + PAGE
    more = urlencode({"filter": asked.query.get("filter", ""), "from": following})
    data = ListPage(
        listing.kind,
        listing.slug,
        listing.title,
        len(listing.entries),
        len(entries),
        asked.query.get("filter", ""),
        rows_of(opened, entries[start:following]),
        f"{opened.prefix}/{listing.slug}?{more}" if following < len(entries) else "",
    )
    return Shown("rows.html" if asked.partial else "list.html", data, listing.title)


class KindLink(msgspec.Struct, frozen=True):
    """A kind of resource in the tree; ``noun`` is what one of them is called."""

    slug: str
    title: str
    noun: str
    count: int
    href: str
    here: bool


class Frame(msgspec.Struct, frozen=True):
    """The frame of a page."""

    title: str
    crumbs: list[Crumb]
    current: str
    kinds: list[KindLink]
    changed: bool


def frame_of(asked: Asked, shown: Shown) -> Frame:
    """The frame of a page."""
    opened = asked.opened
    slug = asked.entry.slug if asked.entry is not None else getattr(shown.data, "slug", "")
    titles = [shown.title, *way_title(opened)]
    return Frame(
        " – ".join(title for title in titles if title),
        [*way_to(asked.site.documents, opened), *shown.crumbs],
        shown.current or shown.title or ("" if asked.entry is None else "(no name)"),
        kind_links(opened, slug),
        opened.changed(),
    )


def kind_links(opened: Opened, slug: str = "") -> list[KindLink]:
    """The kinds of resources of a document."""
    return [
        KindLink(
            listing.slug, listing.title, listing.noun, len(listing.entries),
            f"{opened.prefix}/{listing.slug}", listing.slug == slug,
        )
        for listing in opened.listings.values()
    ]  # fmt: skip


def way_to(documents: list[Opened], opened: Opened) -> list[Crumb]:
    """The way to a document: the list of all, those it is in, itself."""
    way = [Crumb(opened.title, f"{opened.prefix}/")]
    while opened.parent is not None:
        opened = opened.parent
        way.insert(0, Crumb(opened.title, f"{opened.prefix}/"))
    if len(documents) > 1:
        way.insert(0, Crumb("Files", "/"))
    return way


def way_title(opened: Opened) -> list[str]:
    """What the title of the browser's window ends with."""
    return [opened.title, "Overhaul"]
