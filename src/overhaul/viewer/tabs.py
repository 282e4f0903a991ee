"""Pages that a window keeps open: the address of each page lists them, so that it restores them."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, unquote, urlsplit

import msgspec

#: the name of the list in addresses, and the number of its pages
TABS = "tabs"
MOST = 12
#: an address of this viewer, and of no other site
_OWN = re.compile(r"/(?![/\\])[^\\\x00-\x20\x7f]*")
#: the subject of the pages of a feature, in a word
_WORDS = {
    "bytes": "Bytes",
    "dialog": "Options",
    "edit": "Edit",
    "form": "Fields",
    "frames": "Frames",
    "moments": "Moments",
    "paint": "Paint",
    "room": "Canvas",
    "split": "Side by side",
    "table": "Table",
    "tiles": "Tiles",
    "uses": "Uses",
    "whole": "Rename",
}
#: the parameters that differ between addresses of one page
_PASSING = {TABS, "saved", "from", "frame"}


class Tab(msgspec.Struct, frozen=True):
    """A page that is kept open; ``here``: it is the one on show."""

    href: str
    title: str
    here: bool


def tabs_in(listed: str, here: str) -> list[Tab]:
    """The pages of an address, with ``here`` as its own page; addresses that are not pages of
    the viewer are left out."""
    pages = dict.fromkeys(href for href in listed.split(",")[: 2 * MOST] if is_own(href))
    now = _page(here)
    return [Tab(href, title_of(href), _page(href) == now) for href in [*pages][:MOST]]


def is_own(href: str) -> bool:
    """Whether an address is one of this viewer, and of no other site."""
    return _OWN.fullmatch(href) is not None


def _page(href: str) -> tuple[str, dict[str, list[str]]]:
    """The key that two addresses of one page share."""
    parts = urlsplit(href)
    query = parse_qs(parts.query)
    return unquote(parts.path), {key: query[key] for key in query if key not in _PASSING}


def title_of(href: str) -> str:
    """The title of a page's tab, as far as its address shows it."""
    parts = urlsplit(href)
    *_, last = [unquote(part) for part in parts.path.split("/")]
    _, is_feature, rest = parts.path.partition("/-/")
    if not is_feature:
        return last or "Game"
    word = _WORDS.get(rest.partition("/")[0], rest.partition("/")[0].capitalize())
    path = parse_qs(parts.query).get("path", [""])[0]
    folder, _, file = path.rpartition("/")
    name = folder.rpartition("/")[2] or file if path else last if "/" in rest else ""
    return f"{name}: {word}" if name else word
