"""One search over everything in a game: names, code, texts and fields."""

from __future__ import annotations

import re
from urllib.parse import quote, urlencode

import msgspec

from overhaul.viewer.answers import Asked, Crumb, DataPage
from overhaul.viewer.matching import (
    Hit,
    Hits,
    Query,
    distance,
    has_all,
    parse,
    span_of,
    span_of_words,
)
from overhaul.viewer.pages import late
from overhaul.viewer.pages.archives import wanted_of
from overhaul.viewer.pages.columns import label_of
from overhaul.viewer.pages.lists import ROOM, listings_next_to

#: results of a group next to the field of the header, and on the page
BRIEF = 8
WHOLE = 200


class SearchResult(msgspec.Struct, frozen=True):
    """A result: what was found, with what is before and after it in its line."""

    href: str
    where: str
    before: str
    found: str
    after: str


class Group(msgspec.Struct, frozen=True):
    """Results of one kind; ``count`` is how many there are."""

    title: str
    count: int
    results: list[SearchResult]


class SearchPage(msgspec.Struct, frozen=True):
    """The result of a search.

    ``state`` of the index: ``ready``; ``building``, when only names are searched; or ``failed``,
    for ``reason``.
    ``whole`` is false where a regular expression took too long; ``error`` describes a bad one.
    ``replace`` is where what is searched is replaced in code.
    """

    q: str
    how: str
    groups: list[Group]
    state: str
    done: int
    total: int
    whole: bool
    error: str
    reason: str
    more: str
    replace: str = ""


def show_search(asked: Asked) -> DataPage:
    """``/-/search?q=``, with ``how=word`` or ``how=regex``; ``brief=1`` for a few results."""
    root = asked.opened.root
    index = root.index
    index.start()
    query = parse(asked.query.get("q", ""), asked.query.get("how", ""))
    brief = asked.query.get("brief") == "1"
    limit = BRIEF if brief else WHOLE
    hits, error = Hits([], {}, True), ""
    if query.text:
        try:
            hits = index.search(query, limit) or _names(asked, query, limit)
        except ValueError as problem:
            error = str(problem)
    more = f"{asked.opened.prefix}/-/search?{urlencode({'q': query.text, 'how': query.how})}"
    data = SearchPage(
        query.text, query.how, _groups(root.prefix, hits), index.state, index.done, index.total,
        hits.whole, error, index.reason, more if brief else "",
        "" if brief else late("replacing_code:replacing_href")(asked.opened, query.text),
    )  # fmt: skip
    return DataPage("results.html" if asked.partial else "search.html", data, "Search")


def _groups(prefix: str, hits: Hits) -> list[Group]:
    groups = {title: Group(title, count, []) for title, count in hits.counts.items()}
    for hit in hits.hits:
        hit_here = SearchResult(prefix + hit.href, hit.where, hit.before, hit.found, hit.after)
        groups[hit.group].results.append(hit_here)
    return list(groups.values())


def _names(asked: Asked, query: Query, limit: int) -> Hits:
    """The resources whose names contain a text, from the nearest on, while there is no index;
    without a match, those that have its letters in their order."""
    pattern = re.compile(re.escape(query.text), re.IGNORECASE)
    opened = asked.opened
    all_ = [
        (listing.title, entry)
        for listing in opened.listings.values()
        for entry in listing.entries.values()
    ]
    matches = [
        (distance(match, query), title, entry, match.span())
        for title, entry in all_
        if (match := pattern.search(entry.name))
    ]
    words = query.words()
    if words:
        known = {id(entry) for _, _, entry, _ in matches}
        matches += [
            (3 + len(entry.name), title, entry, span_of_words(entry.name, words))
            for title, entry in all_
            if id(entry) not in known and has_all(f"{entry.name} {title}", words)
        ]
    if not matches:
        matches = [
            (span[1] - span[0], title, entry, span)
            for title, entry in all_
            if (span := span_of(entry.name, query))
        ]
    matches.sort(key=lambda each: each[0])
    hits: list[Hit] = []
    counts: dict[str, int] = {}
    for _, title, entry, (start, end) in matches:
        counts[title] = counts.get(title, 0) + 1
        if counts[title] <= limit:
            name = entry.name
            href = opened.href(entry).removeprefix(opened.root.prefix)
            hits.append(Hit(title, href, "", name[:start], name[start:end], name[end:]))
    return Hits(hits, counts, True)


# -- the tree ------------------------------------------------------------------------------------

#: names of a kind that the tree shows
LISTED = 1000
#: and where it is filtered
FILTERED = 100


class NamesOfKind(msgspec.Struct, frozen=True):
    """Names of a kind; ``count`` is how many there are, ``tree`` the address of all."""

    slug: str
    title: str
    href: str
    count: int
    names: list[Crumb]
    tree: str = ""


class NamesByKind(msgspec.Struct, frozen=True):
    """Names by kind."""

    filter: str
    kinds: list[NamesOfKind]


def show_tree(asked: Asked) -> DataPage:
    """``/-/tree/sprites``: the names of a kind."""
    opened = asked.opened
    listing = opened.listing(asked.rest)
    wanted = asked.query.get("filter", "")
    names = [
        Crumb(
            label_of(opened, entry) if number < LISTED else entry.name,
            f"{opened.inside.prefix(entry.name)}/" if wanted == ROOM else opened.href(entry),
        )
        for number, entry in enumerate(wanted_of(listing, wanted))
    ]
    address = f"{opened.prefix}/{listing.slug}"
    if wanted:
        address = f"{address}?{urlencode({'filter': wanted})}"
    data = NamesOfKind(listing.slug, listing.title, address, len(names), names[:LISTED])
    return DataPage("tree.html", data, whole=False)


def show_names(asked: Asked) -> DataPage:
    """``/-/names?q=``: the resources whose names contain a text, the nearest first."""
    opened = asked.opened
    wanted = asked.query.get("q", "").strip().casefold()
    kinds = []
    for prefix, listing in listings_next_to(opened):
        entries = wanted_of(listing, wanted)
        entries.sort(key=lambda entry: _distance(entry.name.casefold(), wanted))
        href = f"{prefix}/{listing.slug}"
        names = [Crumb(e.name, f"{href}/{quote(e.key, safe='')}") for e in entries[:FILTERED]]
        if names or not wanted:
            shown = names if wanted else []
            tree = f"{prefix}/-/tree/{listing.slug}"
            kinds.append(NamesOfKind(listing.slug, listing.title, href, len(entries), shown, tree))
    return DataPage("names.html", NamesByKind(asked.query.get("q", ""), kinds), whole=False)


def _distance(name: str, wanted: str) -> int:
    """0 for the name itself, 1 where it begins so, 2 for others."""
    return 0 if name == wanted else 1 if name.startswith(wanted) else 2
