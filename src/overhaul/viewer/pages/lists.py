"""All resources of a kind, and the frame around every page: the kinds, the way here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import msgspec

from overhaul.document.protocol import HoldsGame
from overhaul.document.views import SoundView
from overhaul.errors import OverhaulError
from overhaul.viewer.answers import Asked, Crumb, DataPage
from overhaul.viewer.opened import listings_in
from overhaul.viewer.pages import late, page_of
from overhaul.viewer.pages.archives import wanted_of
from overhaul.viewer.pages.columns import (
    MISSING,
    Column,
    Value,
    by_value,
    columns_of,
    values_of,
)

if TYPE_CHECKING:
    from overhaul.viewer.answers import Page
    from overhaul.viewer.opened import ListedResource, Listing, Opened

#: resources on one page of a list
PAGE = 200
#: the endings of the names of rooms in a package
ROOM = ".crm"


class ResourceRow(msgspec.Struct, frozen=True):
    """A resource in a list; ``inside`` is the address of what is in it, for a file of a package.

    ``values`` are those of the list's columns, where it is a table; ``key`` is the last part of its
    address, ``play`` the address of what it sounds like.
    """

    name: str
    href: str
    size: int | None
    thumbnail: str
    inside: str
    values: list[Value] = []
    key: str = ""
    play: str = ""


class ColumnShown(msgspec.Struct, frozen=True):
    """A column of a list: ``href`` sorts by it, ``order`` is how it is sorted: ``up``, ``down`` or
    empty."""

    title: str
    href: str
    order: str


class ListPage(msgspec.Struct, frozen=True):
    """Resources of a kind, ``PAGE`` at a time; ``next`` is the address of those that follow.

    ``style`` is ``pictures`` or ``table``, ``other`` the address of the other one, if there is
    one; ``counts`` that of how many things use each, for the last column of a table.
    """

    kind: str
    slug: str
    title: str
    count: int
    found: int
    filter: str
    rows: list[ResourceRow]
    next: str
    style: str = ""
    other: str = ""
    columns: list[ColumnShown] = []
    kept: dict[str, str] = {}
    counts: str = ""
    #: the facts of a notebook about each row besides its name
    summaries: list[str] = []


def rows_of(
    opened: Opened, entries: Iterable[ListedResource], columns: Sequence[Column] = ()
) -> list[ResourceRow]:
    """Resources as rows of a list."""
    inside, rows = opened.inside, []
    for entry in entries:
        page = page_of(opened, opened.listings[entry.slug])
        shown = page.thumbnails and page.pictured(opened.document)
        picture = opened.href(entry, "thumbnail.png") if shown else ""
        into = f"{inside.prefix(entry.name)}/" if inside.can_open(entry.name) else ""
        values = values_of(opened, entry, columns)
        play = opened.href(entry, "play") if _is_heard(opened, entry, page) else ""
        rows.append(
            ResourceRow(
                entry.name, opened.href(entry), entry.size, picture, into, values, entry.key, play
            )
        )
    return rows


def _is_heard(opened: Opened, entry: ListedResource, page: Page) -> bool:
    """Whether a resource is a sound that lacks nothing."""
    if "play" not in page.parts or entry.size == 0:
        return False
    it = opened.resource(entry)
    try:
        return isinstance(it, SoundView) and not it.notes
    except (OverhaulError, OSError):  # the file that has it is damaged
        return False


def show_list(asked: Asked, listing: Listing) -> DataPage:
    """The resources of a kind whose names contain ``filter``; all of them as JSON.

    ``as=table`` shows columns, ``sort=COLUMN`` sorts by one, ``down=1`` the largest first.
    """
    opened = asked.opened
    entries = wanted_of(listing, asked.query.get("filter", ""))
    first = next(iter(listing.entries.values()), None)
    columns = columns_of(None if first is None else opened.resource(first))
    gallery = first is not None and bool(rows_of(opened, [first])[0].thumbnail)
    table = bool(columns) and (not gallery or asked.query.get("as") == "table" or asked.json)
    columns = _filled(opened, listing, columns) if table and not asked.json else columns
    order = _order(asked, columns) if table else ""
    if order:
        entries = _sorted(opened, entries, columns, order, down=asked.query.get("down") == "1")
    start = asked.number("from")
    following = len(entries) if asked.json else start + PAGE
    kept = {name: asked.query[name] for name in _KEPT if asked.query.get(name)}
    address = f"{opened.prefix}/{listing.slug}"
    more = urlencode({**kept, "from": following})
    data = ListPage(
        listing.kind,
        listing.slug,
        listing.title,
        len(listing.entries),
        len(entries),
        asked.query.get("filter", ""),
        rows_of(opened, entries[start:following], columns if table else ()),
        f"{address}?{more}" if following < len(entries) else "",
        "table" if table else "pictures" if gallery else "",
        _other(address, kept, table) if gallery and columns else "",
        _headings(address, kept, columns, order) if table else [],
        {name: value for name, value in kept.items() if name != "filter"},
        f"{opened.prefix}/-/counts/{listing.slug}"
        if table and late("counts:are_counted")(opened, listing)
        else "",
    )
    return DataPage("rows.html" if asked.partial else "list.html", data, listing.title)


def _filled(opened: Opened, listing: Listing, columns: Sequence[Column]) -> tuple[Column, ...]:
    """The columns that show something of any resource; of a long list all of them."""
    if len(listing.entries) > PAGE:
        return tuple(columns)
    entries = [*listing.entries.values()]

    def find() -> tuple[Column, ...]:
        rows = [values_of(opened, entry, columns) for entry in entries]
        return tuple(
            column
            for number, column in enumerate(columns)
            if any(row[number] not in (None, "") for row in rows)
        )

    return opened.remember(("columns", listing.slug), find, lambda found: 100)


#: The parameters that the addresses of a list keep.
_KEPT = ("filter", "as", "sort", "down")
#: The column of names, which every list has.
_NAME = "name"


def _order(asked: Asked, columns: Sequence[Column]) -> str:
    """The title of the column that is sorted by; empty for the order of the file."""
    order = asked.query.get("sort", "")
    return order if order in {_NAME, *(column.title for column in columns)} else ""


def _sorted(
    opened: Opened,
    entries: list[ListedResource],
    columns: Sequence[Column],
    order: str,
    *,
    down: bool,
) -> list[ListedResource]:
    if order == _NAME:
        return sorted(entries, key=lambda entry: entry.name.casefold(), reverse=down)
    (column,) = (column for column in columns if column.title == order)
    keys = {entry.key: by_value(values_of(opened, entry, [column])[0]) for entry in entries}
    found = sorted(entries, key=lambda entry: keys[entry.key], reverse=down)
    # rows without a value stand last, however they are sorted
    return sorted(found, key=lambda entry: keys[entry.key][0] == MISSING)


def _other(address: str, kept: dict[str, str], table: bool) -> str:
    rest = {name: value for name, value in kept.items() if name == "filter"}
    return f"{address}?{urlencode(rest if table else {**rest, 'as': 'table'})}"


def _headings(
    address: str, kept: dict[str, str], columns: Sequence[Column], order: str
) -> list[ColumnShown]:
    shown = []
    for title in (_NAME, *(column.title for column in columns)):
        up = title == order and "down" not in kept
        rest = {name: value for name, value in kept.items() if name not in ("sort", "down")}
        query = {**rest, "sort": title, **({"down": "1"} if up else {})}
        state = "" if title != order else "up" if up else "down"
        shown.append(ColumnShown(title, f"{address}?{urlencode(query)}", state))
    return shown


class KindLink(msgspec.Struct, frozen=True):
    """A kind of resource in the tree; ``noun`` is what one of them is called, ``tree`` the address
    of the names; ``of`` is the file that it is of, where kinds of others stand next to it."""

    slug: str
    title: str
    noun: str
    count: int
    href: str
    here: bool
    tree: str
    of: str = ""


class Frame(msgspec.Struct, frozen=True):
    """The frame of a page."""

    title: str
    crumbs: list[Crumb]
    current: str
    kinds: list[KindLink]
    changed: bool


def frame_of(asked: Asked, shown: DataPage) -> Frame:
    """The frame of a page."""
    opened = asked.opened
    slug = asked.entry.slug if asked.entry is not None else getattr(shown.data, "slug", "")
    titles = [shown.title, *way_title(opened)]
    way = [*way_to(asked.site.documents, opened), *shown.crumbs]
    if shown.template == "documents.html":  # no file is before the list of all
        way = []
    return Frame(
        " – ".join(title for title in titles if title),
        way,
        shown.current or shown.title or ("" if asked.entry is None else "(no name)"),
        kind_links(opened, slug),
        opened.changed(),
    )


def kind_links(opened: Opened, slug: str = "") -> list[KindLink]:
    """The kinds of resources of a document; in a package those of the game come first, and of
    another member its own."""
    package = opened.parent or opened
    game = _game_in(package)
    own = _links(opened.prefix, opened.listings.values(), slug)
    if not game:
        return own
    prefix = package.inside.prefix(_game_name(package))
    of_game = own if opened.prefix == prefix else _links(prefix, game)
    of_package = own if opened is package else _links(package.prefix, package.listings.values())
    whole = [*_rooms(package), *of_game, *of_package]
    if own is of_game or own is of_package:
        return whole
    with package.lock:
        title = title_of(package)
    return [
        *(msgspec.structs.replace(each, of=opened.title) for each in own),
        *(msgspec.structs.replace(each, of=title) for each in whole),
    ]


def own_kinds(opened: Opened) -> list[KindLink]:
    """The kinds of resources that the first page of a document counts: without those of others."""
    is_part = opened.parent is not None
    return _links(opened.prefix, opened.listings.values()) if is_part else kind_links(opened)


def title_of(opened: Opened) -> str:
    """The name of a game; that of the file where it has none."""
    info = opened.document.info()
    return str(info.get("display_name") or info.get("name") or info.get("game") or opened.title)


def listings_next_to(opened: Opened) -> Iterator[tuple[str, Listing]]:
    """The kinds of resources that stand next to a page, each with what its addresses begin with:
    in a package those of the game first."""
    package = opened.parent or opened
    game = _game_in(package)
    prefix = package.inside.prefix(_game_name(package)) if game else ""
    if opened.prefix != prefix:
        yield from ((prefix, listing) for listing in game)
    yield from ((opened.prefix, listing) for listing in opened.listings.values())


def _links(prefix: str, listings: Iterable[Listing], slug: str = "") -> list[KindLink]:
    return [
        KindLink(
            each.slug, each.title, each.noun, len(each.entries), f"{prefix}/{each.slug}",
            each.slug == slug, f"{prefix}/-/tree/{each.slug}",
        )
        for each in listings
    ]  # fmt: skip


def _rooms(package: Opened) -> Iterator[KindLink]:
    """The files of a package that are rooms, as a kind."""
    for listing in package.listings.values():
        count = sum(is_room(entry) for entry in listing.entries.values())
        if count:
            query = urlencode({"filter": ROOM})
            address = f"{package.prefix}/{listing.slug}?{query}"
            tree = f"{package.prefix}/-/tree/{listing.slug}?{query}"
            yield KindLink("rooms", "Rooms", "Room", count, address, False, tree)


def is_room(entry: ListedResource) -> bool:
    """Whether a file of a package is a room."""
    return entry.name.casefold().endswith(ROOM)


def _game_name(package: Opened) -> str:
    document = package.document
    return document.game_name if isinstance(document, HoldsGame) else ""


def _game_in(package: Opened) -> list[Listing]:
    """The resources of the game in a package by kind; none in what has no game."""

    def make() -> list[Listing]:
        with package.lock:
            document = package.document
            name = _game_name(package)
            if not isinstance(document, HoldsGame) or not name:
                return []
            try:
                return list(listings_in(document.game).values())
            except OverhaulError:  # the game is damaged: its file is there as any other
                return []

    return package.remember("kinds of the game", make, _cost)


def _cost(listings: list[Listing]) -> int:
    return 200 * sum(len(listing.entries) for listing in listings) + 100


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
    """The end of the title of the browser's window."""
    return [opened.title, "Overhaul"]
