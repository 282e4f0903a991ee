"""Notebooks: a resource, a list, a document or a difference as the viewer shows it.

The page is the viewer's own, made into a piece of HTML that needs no other file: pictures and
sounds are in it; links, forms and buttons are not.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from html import escape
from html.parser import HTMLParser
from itertools import count, islice
from typing import TypeAlias, cast
from urllib.parse import unquote

import msgspec

from overhaul.document.base import BaseDocument
from overhaul.document.protocol import Document
from overhaul.document.surface import ResourceList, ResourceSurface
from overhaul.errors import OverhaulError
from overhaul.mods.changes import Diff
from overhaul.viewer.answers import Asked, DataPage, Media
from overhaul.viewer.app import Application
from overhaul.viewer.notebook_style import needed
from overhaul.viewer.opened import ListedResource, NotThere, Opened, Site
from overhaul.viewer.pages.compare import difference_page
from overhaul.viewer.pages.lists import PAGE, ListPage
from overhaul.viewer.templates import Statics


def html_of(value: object) -> str | None:
    """The page of a value as a piece of HTML; None for what has no page.

    Parts that can't be read are reported in it.
    """
    if isinstance(value, Diff):
        app = Application(Site([]))
        template = app.templates.get_template("diff.html")
        return _piece(template.render(page=difference_page(value), bare=True), lambda address: None)
    document = _document_of(value)
    if document is None:
        return None
    notebook = _Notebook(document)
    try:
        segments = notebook.segments_of(value)
        return None if segments is None else notebook.html(segments)
    except NotThere:
        return None
    except OverhaulError as error:
        return _piece(f'<p class="warning">{escape(str(error))}</p>', lambda address: None)


def _document_of(value: object) -> Document | None:
    """The document that a resource or a list is of, or is."""
    if isinstance(value, ResourceSurface | ResourceList):
        return cast("Document | None", value.document)
    return value if isinstance(value, BaseDocument) else None


class _Notebook:
    """The pages of a document that is open elsewhere, and may have been changed since."""

    def __init__(self, document: Document) -> None:
        source = document.source or "document"
        self.opened = Opened(source, lambda: lambda: document)
        self.opened.writer = None
        site = Site([])
        site.documents.append(self.opened)
        self.site = site
        self.app = Application(site)
        #: the facts of lists about each resource besides its name
        self.summaries: list[str] = []

    def segments_of(self, value: object) -> list[str] | None:
        """The address of a value's page, in parts; None for what has no page."""
        opened = self.opened
        if isinstance(value, ResourceList):
            self.summaries = [resource.summary for resource in islice(value, PAGE)]
            return self._list(value.kind)
        sole = value.sole_resource() if isinstance(value, BaseDocument) else value
        if not isinstance(sole, ResourceSurface):
            return [""]
        if sole.place is not None:
            return self._numbered(sole.kind, sole.place)
        entry = opened.find(sole.name, sole.kind)
        return None if entry is None else [entry.slug, entry.key]

    def _list(self, kind: str) -> list[str] | None:
        return next(
            ([listing.slug] for listing in self.opened.listings.values() if listing.kind == kind),
            None,
        )

    def _numbered(self, kind: str, place: int) -> list[str] | None:
        """The address of the resource at a place among those of its kind."""
        entries: Sequence[ListedResource] = [
            entry
            for listing in self.opened.listings.values()
            if listing.kind == kind
            for entry in listing.entries.values()
        ]
        return [entries[place].slug, entries[place].key] if place < len(entries) else None

    def html(self, segments: list[str]) -> str:
        """The page at an address.  Raises NotThere, OverhaulError."""
        with self.opened.lock:
            answer, asked = self.app.route(self._asked(), segments)
            assert isinstance(answer, DataPage)
            template = "list-table.html" if answer.template == "rows.html" else answer.template
            data = answer.data
            if isinstance(data, ListPage):
                data = msgspec.structs.replace(data, summaries=self.summaries)
            shown = DataPage(template, data, answer.title)
            return _piece(self.app.text_of(asked, shown), self._fetch)

    def _asked(self) -> Asked:
        return Asked(self.site, self.opened, partial=True)

    def _fetch(self, address: str) -> tuple[str, bytes] | None:
        path = address.partition("?")[0]
        if not path.startswith("/"):
            return None
        try:
            answer, _ = self.app.route(
                self._asked(), [unquote(word) for word in path[1:].split("/")]
            )
        except (NotThere, OverhaulError):  # the page is shown without it
            return None
        return (answer.type, answer.data) if isinstance(answer, Media) else None


def _piece(text: str, fetch: Callable[[str], tuple[str, bytes] | None]) -> str:
    inliner = Inliner(fetch)
    inliner.feed(text)
    inliner.close()
    rules = needed(_style(), inliner.html).replace(":root", "&").replace("</", "<\\/")
    return (
        f'<div class="overhaul"><style>.overhaul {{ {rules}\n{_OWN} }}</style>{inliner.html}</div>'
    )


@lru_cache(maxsize=1)
def _style() -> str:
    """The viewer's own styles."""
    statics = Statics()
    return "\n".join(statics.files[name][0].decode("utf-8") for name in statics.styles)


_OWN = """
background: var(--back); color: var(--text); padding: 1rem; border-radius: 8px;
font: 14px/1.5 system-ui, sans-serif; max-height: 46rem; overflow: auto;
.room-view { height: auto; } .world img { width: 100%; } .world svg { pointer-events: none; }
.stage-box { max-height: none; } .code { display: block; }
"""


#: gives the type and the bytes at an address; None unless that is a picture or sound
Fetch: TypeAlias = Callable[[str], "tuple[str, bytes] | None"]

#: bytes of pictures and sounds that one piece holds
LARGEST = 12 << 20
#: elements that are left out, with what is in them
_TOOLS = frozenset(("button", "form", "input", "select", "textarea", "script", "noscript", "label"))
#: the same by their classes, and by what they are labelled by
_GONE = frozenset((
    *("assembly", "code-tools", "player-tools", "room-tools", "room-layers", "downloads"),
    *("record", "replace", "plain-file", "plain-files", "frames", "event-list"),
    *("search-uses", "viewer-only"),
))  # fmt: skip
_GONE_LABELS = frozenset(("used-by", "replace", "glyphs"))
_VOID = frozenset(("area", "br", "col", "embed", "hr", "img", "link", "meta", "source", "wbr"))
#: attributes that are kept; all others do something, or lead somewhere
_KEPT = frozenset((
    *("alt", "class", "colspan", "controls", "cx", "cy", "d", "fill", "font-family", "font-size"),
    *("font-style", "font-weight", "height", "open", "points", "preload", "r", "role"),
    *("preserveaspectratio", "rowspan", "scope", "start", "title", "transform", "viewbox", "width"),
    *("x", "x1", "x2", "y", "y1", "y2", "aria-label", "aria-hidden"),
))  # fmt: skip
#: attributes whose case means something in SVG, which the parser lowers
_CASED = {"viewbox": "viewBox", "preserveaspectratio": "preserveAspectRatio"}
_NUMBERS = count(1)

_Attributes: TypeAlias = "list[tuple[str, str | None]]"


class Inliner(HTMLParser):
    """Reads the HTML of a page; :attr:`html` is what is kept of it.

    Pictures and sounds come from ``fetch``, a picture that is drawn several times once.
    """

    def __init__(self, fetch: Fetch) -> None:
        super().__init__(convert_charrefs=False)
        self._fetch = fetch
        self._out: list[str] = []
        self._left = LARGEST
        #: the end of each open element, None for one that is left out
        self._open: list[tuple[str, str | None]] = []
        self._gone = 0
        self._drawn: dict[tuple[str, str, str], str] = {}

    @property
    def html(self) -> str:
        """The part that was kept so far."""
        return "".join(self._out)

    def handle_starttag(self, tag: str, attrs: _Attributes) -> None:
        """An element begins."""
        given = {name: value or "" for name, value in attrs}
        if tag in _VOID:
            if not self._gone and tag == "img":
                self._picture(given)
            elif not self._gone and tag in ("br", "hr"):
                self._out.append(f"<{tag}>")
            return
        gone = bool(self._gone) or tag in _TOOLS or self._is_gone(given)
        if gone:
            self._gone += 1
            self._open.append((tag, None))
            return
        shown = tag
        if tag == "a":  # a link leads out of the notebook
            shown = "g" if any(each == "svg" for each, _ in self._open) else "span"
        self._open.append((tag, f"</{shown}>"))
        if tag == "audio":
            self._audio(given)
        elif tag == "image":
            self._image(given)
        else:
            useless = _useless(tag, given)
            kept = {name: text for name, text in given.items() if name != useless}
            self._out.append(f"<{shown}{_written(kept)}>")

    def handle_startendtag(self, tag: str, attrs: _Attributes) -> None:
        """An element of SVG without content."""
        self.handle_starttag(tag, attrs)
        if tag not in _VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        """An element ends, and those in it that did not."""
        if tag not in [each for each, _ in self._open]:
            return
        while True:
            name, end = self._open.pop()
            if end is None:
                self._gone -= 1
            else:
                self._out.append(end)
            if name == tag:
                return

    def handle_data(self, data: str) -> None:
        """Text, as it stands."""
        if not self._gone:
            self._out.append(data)

    def handle_entityref(self, name: str) -> None:
        """``&lt;``, as it stands."""
        self.handle_data(f"&{name};")

    def handle_charref(self, name: str) -> None:
        """``&#39;``, as it stands."""
        self.handle_data(f"&#{name};")

    def _is_gone(self, given: Mapping[str, str]) -> bool:
        if given.get("aria-labelledby") in _GONE_LABELS:
            return True
        if "download" in given:
            return True
        if "hidden" in given:  # shown by a button
            return True
        return not _GONE.isdisjoint(given.get("class", "").split())

    def _picture(self, given: Mapping[str, str]) -> None:
        address = given.get("src", "")
        if "now" in given.get("class", "").split():  # of several frames: all of them, moving
            frames, _, first = address.rpartition("/frames/")
            moving = self._data(f"{frames}/animation.png") if frames and first else None
            address = f"{frames}/animation.png" if moving else address
        data = self._data(address)
        if data is None:
            self._out.append(f'<span class="none">{escape(given.get("alt", ""))}</span>')
        else:
            self._out.append(f'<img{_written(given)} src="{data}">')

    def _image(self, given: Mapping[str, str]) -> None:
        """A picture in a drawing; the second time it refers to the first."""
        key = (given.get("href", ""), given.get("width", ""), given.get("height", ""))
        if key in self._drawn:
            self._out.append(f'<g{_written(given)}><use href="#{self._drawn[key]}"/>')
            self._open[-1] = ("image", "</g>")
            return
        data = self._data(key[0])
        name = self._drawn[key] = f"overhaul-{next(_NUMBERS)}"
        self._out.append(f'<image id="{name}"{_written(given)} href="{data or ""}">')

    def _audio(self, given: Mapping[str, str]) -> None:
        data = self._data(given.get("src", ""))
        if data is None:
            self._out.append('<span class="none">too large to be played here')
            self._open[-1] = ("audio", "</span>")
        else:
            self._out.append(f'<audio{_written(given)} src="{data}">')

    def _data(self, address: str) -> str | None:
        """A picture or sound as an address that holds it; None where it is none or too large."""
        data = self._fetch(address)
        if data is None or len(data[1]) > self._left:
            return None
        self._left -= len(data[1])
        return f"data:{data[0]};base64,{b64encode(data[1]).decode('ascii')}"


def _useless(tag: str, given: Mapping[str, str]) -> str:
    """The attribute that says what only a viewer does: its element is kept without it."""
    if tag == "details":
        return "open"
    return "title" if tag == "a" and "/-/" in given.get("href", "") else ""


def _written(given: Mapping[str, str]) -> str:
    """The attributes that are kept, escaped."""
    kept = [(_CASED.get(name, name), text) for name, text in given.items() if name in _KEPT]
    return "".join(f' {name}="{escape(text)}"' for name, text in kept)
