"""Notebooks: a resource, a list, a document or a difference as the viewer shows it.

The page is the viewer's own, made into a piece of HTML that needs no other file: pictures and
sounds are in it; links, forms and buttons are not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from html import escape
from typing import cast
from urllib.parse import unquote

from overhaul.document.base import BaseDocument
from overhaul.document.protocol import Document
from overhaul.document.surface import ResourceList, ResourceSurface
from overhaul.errors import OverhaulError
from overhaul.mods.comparing import Diff
from overhaul.viewer.answers import Asked, Media, Shown
from overhaul.viewer.app import Application
from overhaul.viewer.inline import Inliner
from overhaul.viewer.opened import Entry, NotThere, Opened, Site
from overhaul.viewer.pages.compare import alone
from overhaul.viewer.templates import Statics


def html_of(thing: object) -> str | None:
    """The page of a thing as a piece of HTML; None for what has none.

    What can't be read is reported in it.
    """
    if isinstance(thing, Diff):
        app = Application(Site([]))
        template = app.templates.get_template("diff.html")
        return _piece(template.render(page=alone(thing), bare=True), lambda address: None)
    document = _document_of(thing)
    if document is None:
        return None
    notebook = _Notebook(document)
    try:
        segments = notebook.segments_of(thing)
        return None if segments is None else notebook.html(segments)
    except NotThere:
        return None
    except OverhaulError as error:
        return _piece(f'<p class="warning">{escape(str(error))}</p>', lambda address: None)


def _document_of(thing: object) -> Document | None:
    """The document that a resource or a list is of, or is."""
    if isinstance(thing, ResourceSurface | ResourceList):
        return cast("Document | None", thing.document)
    return thing if isinstance(thing, BaseDocument) else None


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

    def segments_of(self, thing: object) -> list[str] | None:
        """The address of a thing, in parts; None for what has no page."""
        opened = self.opened
        if isinstance(thing, ResourceList):
            return self._list(thing.kind)
        sole = thing.sole_resource() if isinstance(thing, BaseDocument) else thing
        if not isinstance(sole, ResourceSurface):
            return [""]
        if sole.place is not None:
            return self._numbered(sole.kind, sole.place)
        entry = opened.find(sole.name, sole.kind)
        return None if entry is None else [entry.slug, entry.key]

    def _list(self, kind: str) -> list[str] | None:
        return next(
            ([each.slug] for each in self.opened.shelves.values() if each.kind == kind), None
        )

    def _numbered(self, kind: str, place: int) -> list[str] | None:
        """The address of the resource at a place among those of its kind."""
        entries: Sequence[Entry] = [
            entry
            for shelf in self.opened.shelves.values()
            if shelf.kind == kind
            for entry in shelf.entries.values()
        ]
        return [entries[place].slug, entries[place].key] if place < len(entries) else None

    def html(self, segments: list[str]) -> str:
        """The page at an address.  Raises NotThere, OverhaulError."""
        with self.opened.lock:
            answer, asked = self.app.route(self._asked(), segments)
            assert isinstance(answer, Shown)
            template = "list-table.html" if answer.template == "rows.html" else answer.template
            shown = Shown(template, answer.data, answer.title)
            return _piece(self.app.text_of(asked, shown), self._fetch)

    def _asked(self) -> Asked:
        return Asked(self.site, self.opened, partial=True)

    def _fetch(self, address: str) -> tuple[str, bytes] | None:
        path = address.partition("?")[0]
        if not path.startswith("/"):
            return None
        try:
            answer, _ = self.app.route(
                self._asked(), [unquote(each) for each in path[1:].split("/")]
            )
        except (NotThere, OverhaulError):  # the page tells what it is without it
            return None
        return (answer.type, answer.data) if isinstance(answer, Media) else None


def _piece(text: str, fetch: Callable[[str], tuple[str, bytes] | None]) -> str:
    inliner = Inliner(fetch)
    inliner.feed(text)
    inliner.close()
    return f'<div class="overhaul">{_style()}{inliner.html}</div>'


@lru_cache(maxsize=1)
def _style() -> str:
    """The viewer's own styles, for what is in the piece alone."""
    statics = Statics()
    sheets = [statics.files[name][0].decode("utf-8") for name in statics.styles]
    rules = "\n".join(sheets).replace(":root", "&").replace("</", "<\\/")
    return f"<style>.overhaul {{ {rules}\n{_OWN} }}</style>"


_OWN = """
background: var(--back); color: var(--text); padding: 1rem; border-radius: 8px;
font: 14px/1.5 system-ui, sans-serif; max-height: 46rem; overflow: auto;
.room-view { height: auto; } .world img { width: 100%; } .world svg { pointer-events: none; }
.stage-box { max-height: none; } .code { display: block; }
"""
