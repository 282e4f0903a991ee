"""The first page of a file; the list of files; errors."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from overhaul.document.protocol import Document
from overhaul.document.views import HasUnused
from overhaul.errors import OverhaulError
from overhaul.findings import Finding
from overhaul.viewer.answers import Asked, DataPage
from overhaul.viewer.pages import late, of_family, page_of
from overhaul.viewer.pages.lists import (
    PAGE,
    ROOM,
    KindLink,
    ResourceRow,
    own_kinds,
    rows_of,
    title_of,
)
from overhaul.viewer.pages.strings import has_texts_page

if TYPE_CHECKING:
    from overhaul.viewer.opened import ListedResource, Opened

_NUMBERED = re.compile(r"([^0-9]*)([0-9]{0,9})", re.ASCII)


class Front(msgspec.Struct, frozen=True):
    """The type of a file, with a picture of it."""

    name: str
    href: str
    picture: str


class Overview(msgspec.Struct, frozen=True):
    """The type of a file; ``files`` are the first of those in a package; ``finds_unused``: it is
    known which of its resources nothing uses; ``texts`` is the address of all its texts,
    ``variables`` that of its global variables; ``becomes``: a project of an editor can be made
    of it."""

    title: str
    kind: str
    version: str
    info: dict[str, object]
    kinds: list[KindLink]
    findings: Sequence[Finding]
    front: Front | None
    files: list[ResourceRow]
    finds_unused: bool
    texts: str
    variables: str = ""
    becomes: bool = False


class DocumentLink(msgspec.Struct, frozen=True):
    """A file that is open; ``diff``: where it is compared with the next one of its kind; ``name``
    and ``picture``: those of the game."""

    title: str
    kind: str
    href: str
    diff: str
    name: str = ""
    picture: str = ""


class Documents(msgspec.Struct, frozen=True):
    """The files that are open."""

    documents: list[DocumentLink]


class ErrorPage(msgspec.Struct, frozen=True):
    """The error of a request."""

    status: int
    error: str


def show_overview(asked: Asked) -> DataPage:
    """The first page of a file."""
    opened = asked.opened
    document = opened.document
    info = document.info()
    data = Overview(
        title_of(opened),
        document.kind,
        document.version,
        info,
        own_kinds(opened),
        document.findings,
        _front(opened),
        _files(opened),
        isinstance(document, HasUnused),
        f"{opened.prefix}/-/strings?only=1" if opened.writer and has_texts_page(opened) else "",
        f"{opened.prefix}/-/variables" if _has_variables(opened) else "",
        opened.parent is None and bool(projects_of(document)),
    )
    return DataPage("overview.html", data)


def projects_of(document: Document) -> tuple[str, ...]:
    """The kinds of projects that a document can become, its own first."""
    known = of_family("PROJECTS", document)
    return () if known is None else tuple(known(document))


def _has_variables(opened: Opened) -> bool:
    """Whether a game has global variables as a table; others need not load the page."""
    known = opened.document.kind == "ags-game"
    return known and bool(late("variables:has_variables")(opened))


def _front(opened: Opened) -> Front | None:
    if opened.inside.paths():
        return _front_of_room(opened)
    # rooms first: to look at a kind loads its page, and no other kind has such a picture yet
    for listing in sorted(opened.listings.values(), key=lambda listing: listing.slug != "rooms"):
        part = page_of(opened, listing).front
        for entry in listing.entries.values() if part else ():
            return Front(entry.name, opened.href(entry), opened.href(entry, part))
    return None


def _front_of_room(opened: Opened) -> Front | None:
    """The first room of a package that has a picture."""
    for row in _files(opened):
        if row.inside and row.name.casefold().endswith(ROOM):
            try:
                return _front(opened.inside.open(row.name))
            except OverhaulError:  # it is damaged
                return None
    return None


def _files(opened: Opened) -> list[ResourceRow]:
    listing = next(iter(opened.listings.values()), None)
    if listing is None or not opened.inside.paths():
        return []
    entries = sorted(listing.entries.values(), key=lambda entry: _order(opened, entry))
    return rows_of(opened, entries[:PAGE])


def _order(opened: Opened, entry: ListedResource) -> tuple[bool, bool, list[tuple[str, int]]]:
    """The game's data comes first, then files that can be opened, by their names, in which numbers
    count."""
    game = str(getattr(opened.document, "game_name", ""))
    words = _NUMBERED.findall(entry.name.casefold())
    name = [(text, int(number or 0)) for text, number in words]
    return entry.name != game, not opened.inside.can_open(entry.name), name


def show_documents(asked: Asked) -> DataPage:
    """The list of the files that are open."""
    documents = asked.site.documents
    links = []
    for number, document in enumerate(documents):
        later = range(number + 1, len(documents))
        other = next((n for n in later if documents[n].kind == document.kind), 0)
        diff = f"{document.prefix}/-/diff/{other + 1}" if other else ""
        with document.lock:
            front = _front(document)
            name = title_of(document)
        links.append(
            DocumentLink(
                document.title, document.kind_title, f"{document.prefix}/", diff,
                "" if name == document.title else name, "" if front is None else front.picture,
            )
        )  # fmt: skip
    return DataPage("documents.html", Documents(links), "Files")
