"""How many things use each resource of a list: asked for when the list is shown."""

from __future__ import annotations

import json
from collections.abc import Mapping

from overhaul.document.views import CountsUsers
from overhaul.viewer.answers import Asked, Media
from overhaul.viewer.opened import ListedResource, Listing, NotThere, Opened
from overhaul.viewer.pages import fileuses, of_family

#: kinds of resources that nothing uses by their name
_USED_BY_NOTHING = frozenset({"table", "string"})


def are_counted(opened: Opened, listing: Listing) -> bool:
    """Whether it is counted what uses the resources of a list."""
    document: object = opened.document
    own = of_family("COUNTED", document)
    if own is not None:
        return bool(own(opened, listing))
    if isinstance(document, CountsUsers):
        return listing.kind not in _USED_BY_NOTHING and document.counts_users(listing.kind)
    return fileuses.are_counted(opened, listing)


def show_counts(asked: Asked) -> Media:
    """``/-/counts/sprites``: how many things use each, by the last part of its address."""
    opened = asked.opened
    listing = opened.listing(asked.rest)
    if not are_counted(opened, listing):
        raise NotThere(f"it is not counted what uses {listing.title}")
    counts = opened.remember(
        ("counts", listing.slug),
        lambda: _counted(opened, listing),
        lambda found: 100 + 120 * len(found),
    )
    data = json.dumps(counts, ensure_ascii=True).encode("ascii", "backslashreplace")
    return Media(data, "application/json", keep=False)


def _counted(opened: Opened, listing: Listing) -> dict[str, int]:
    document: object = opened.document
    if isinstance(document, CountsUsers):
        known = document.user_counts(listing.kind)
        return {
            entry.key: known[number]
            for entry in listing.entries.values()
            if (number := _number(opened, entry, known)) is not None
        }
    own = of_family("COUNTS", document)
    if own is not None:
        counts: dict[str, int] = own(opened, listing)
        return counts
    users = fileuses.users_of(opened, [*listing.entries.values()])
    return {key: len(each) for key, each in users.items()}


def _number(opened: Opened, entry: ListedResource, known: Mapping[int, int]) -> int | None:
    """The number of a resource: its position, where none before it was removed as unused."""
    index = getattr(opened.resource(entry), "index", None)
    return index if index in known else None
