"""The requests and answers of pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from overhaul.document.protocol import Document
from overhaul.document.views import ResourceView
from overhaul.viewer.opened import NotThere
from overhaul.viewer.tabs import Tab

if TYPE_CHECKING:
    from overhaul.viewer.opened import ListedResource, Opened, Site


@dataclass(frozen=True)
class Asked:
    """A request, as a page sees it.

    ``rest`` is what the address has behind the page's own (``frames/0.png``), ``partial`` whether
    htmx wants a piece of HTML to put into a page, ``json`` whether the answer will be JSON.
    ``tabs`` are the pages that the window keeps open.
    """

    site: Site
    opened: Opened
    entry: ListedResource | None = None
    rest: str = ""
    query: Mapping[str, str] = field(default_factory=dict)
    method: str = "GET"
    body: bytes = b""
    partial: bool = False
    json: bool = False
    tabs: Sequence[Tab] = ()

    @property
    def resource(self) -> ListedResource:
        """The resource the page is of.  Raises NotThere where it is of none."""
        if self.entry is None:
            raise NotThere("there is no resource here")
        return self.entry

    @property
    def view(self) -> ResourceView | None:
        """The resource the page is of, as it can be looked at; None where it can't."""
        return self.opened.resource(self.resource)

    @property
    def outcome(self) -> str:
        """The result of the edit that led here: ``made`` for a step, ``same`` where it changed
        nothing; "" where none did."""
        return self.query.get("saved", "")

    def nothing(self) -> NotThere:
        """The error for a resource that is not what its page shows."""
        return NotThere(f"there is no {self.resource.kind} {self.resource.name!r}")

    def number(self, name: str, default: int = 0, *, least: int = 0, most: int = 1 << 31) -> int:
        """A whole number of the query; ``default`` where it is missing or not such a number."""
        text = self.query.get(name, "")
        if not (text.isascii() and text.isdigit() and len(text) <= 10):
            return default
        return min(max(int(text), least), most)


class Crumb(msgspec.Struct, frozen=True, omit_defaults=True):
    """A part of the way to a page, or a link; ``here``: it opens in the page that has it, in the
    place of its source where it leads to the editor of that (``source``)."""

    text: str
    href: str
    here: bool = False
    source: bool = False


@dataclass(frozen=True)
class DataPage:
    """A page of HTML made of ``data``; the same data are its JSON.

    ``crumbs`` stand between the game and the page in its way, ``current`` at its end (left out:
    the title); ``whole``: in the frame of a page, where htmx did not ask for a piece; ``opened`` is
    the file that the page is of, where another one was asked.
    """

    template: str
    data: msgspec.Struct
    title: str = ""
    crumbs: tuple[Crumb, ...] = ()
    current: str = ""
    status: int = 200
    whole: bool = True
    opened: Opened | None = None


@dataclass(frozen=True)
class Media:
    """Bytes of a type; ``name`` makes it a download.

    ``keep``: browsers may keep it as long as the file does not change.
    """

    data: bytes
    type: str
    name: str = ""
    keep: bool = True


@dataclass(frozen=True)
class Moved:
    """The answer is at another address of the viewer."""

    href: str


@dataclass(frozen=True)
class Apart:
    """Something that takes long and needs no document, done while others use these.

    ``work`` does it, and returns what went wrong, or ""; ``done`` answers then.
    """

    work: Callable[[], str]
    done: Callable[[str], DataPage | Media | Moved]


Answer: TypeAlias = DataPage | Media | Moved | Apart
#: Makes what a page shows.
MakesPage: TypeAlias = Callable[[Asked], msgspec.Struct]
#: Answers what is under a page's address, or a feature.
Answers: TypeAlias = Callable[[Asked], Answer]


@dataclass(frozen=True)
class Page:
    """How one kind of resource is shown.

    ``parts``: what is under its address, by the first part (``frames``) or all of it
    (``strip.png``); ``thumbnails``: whether one of these is ``thumbnail.png``, for lists of a
    document that is ``pictured``;
    ``front``: the part that is a picture of the whole document, for its first page; ``way``
    gives the way to the page and what stands at its end, where that does not lead through the
    list of all of the kind; ``slow``: it may look through the whole game, and is made of
    :attr:`Opened.side`.
    """

    show: MakesPage
    template: str
    parts: Mapping[str, Answers] = field(default_factory=dict)
    thumbnails: bool = False
    pictured: Callable[[Document], bool] = lambda document: True
    front: str = ""
    way: Callable[[Asked], tuple[tuple[Crumb, ...], str]] | None = None
    slow: bool = False
