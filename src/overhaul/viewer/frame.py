"""What stands around every page: the files that are open, the kinds of resources, the way here."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from overhaul.viewer.answers import Asked, Crumb, Shown

if TYPE_CHECKING:
    from overhaul.viewer.opened import Opened


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
            each.slug, each.title, each.noun, len(each.entries),
            f"{opened.prefix}/{each.slug}", each.slug == slug,
        )
        for each in opened.shelves.values()
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
