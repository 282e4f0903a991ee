"""Two pages side by side, each in a frame of its own."""

from __future__ import annotations

import msgspec

from overhaul.viewer.answers import Asked, DataPage
from overhaul.viewer.tabs import is_own, title_of


class Pane(msgspec.Struct, frozen=True):
    """A page in a frame: ``side`` is what its address is called in that of the whole."""

    side: str
    href: str
    title: str


class Split(msgspec.Struct, frozen=True):
    """Two pages side by side."""

    panes: list[Pane]


def show_split(asked: Asked) -> DataPage:
    """``/-/split?left=/rooms/rm_first&right=/objects/obj_wall``; the front page stands
    for an address outside of this viewer."""
    panes = []
    for side in ("left", "right"):
        href = asked.query.get(side, "")
        if not is_own(href) or is_split(href):
            href = f"{asked.opened.prefix}/"
        panes.append(Pane(side, href, title_of(href)))
    return DataPage("split.html", Split(panes), "Side by side")


def is_split(href: str) -> bool:
    """Whether an address is that of two pages: no page is in itself."""
    path = href.partition("?")[0]
    return path.endswith(("/-/split", "/-/split.json"))
