"""The viewer's application: from an address to the page, its JSON, or bytes.

    /                         the game               /sprites                 a kind of resource
    /sprites/spr_player       a resource             /sprites/spr_player.json the same as JSON
    /sprites/spr_player/...   what is under it       /in/room1.crm/...        a file of a package
    /-/search?q=...           a feature              /-/static/VERSION/app.js

Where several files are open, those of the first begin with ``/1``, of the second with ``/2``.
"""

from __future__ import annotations

import json
import logging
import math
import re
import zlib
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, cast

import anyio.from_thread
import anyio.to_thread
import msgspec
from jinja2 import Environment
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from overhaul.errors import OverhaulError
from overhaul.findings import Finding
from overhaul.viewer import thumbnails
from overhaul.viewer.answers import Answer, Apart, Asked, Crumb, DataPage, Media, Moved
from overhaul.viewer.opened import NotThere
from overhaul.viewer.pages import FEATURES, SLOW, feature, late, page_of
from overhaul.viewer.pages.lists import frame_of, show_list
from overhaul.viewer.pages.overview import ErrorPage, show_documents, show_overview
from overhaul.viewer.safety import BodyTooLarge
from overhaul.viewer.tabs import TABS, Tab, tabs_in
from overhaul.viewer.templates import Statics, environment
from overhaul.workbench.bench import StaleEdit

if TYPE_CHECKING:
    from overhaul.viewer.answers import Media
    from overhaul.viewer.opened import Opened, Site

_LOG = logging.getLogger(__name__)
_FOREVER = "private, max-age=31536000, immutable"
#: Where a POST changes nothing: an editor asks about a text that is typed.
_ASKING = ["-", "language"]
#: The answer that no browser reads any more.
_NOBODY = Response(status_code=499)


class Application:
    """Answers requests from what a site shows."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.statics: Statics = Statics()
        self.templates: Environment = environment(self.statics)
        self.templates.globals.update(
            edits=late("edits:edits_of"),
            add_href=late("whole:add_href"),
            draws_letters=late("media_edit:draws_letters"),
            bytes_href=late("stored:bytes_href"),
            import_href=late("importing:import_href"),
            assembly_href=late("files:assembly_href"),
            pictured=late("picking:picture_of_name"),
        )
        self.asgi: Starlette = Starlette(
            routes=[Route("/{path:path}", self.answer, methods=["GET", "HEAD", "POST"])],
        )

    async def answer(self, request: Request) -> Response:
        """The answer to a request that may be asked (see :mod:`overhaul.viewer.safety`)."""
        segments = request.path_params["path"].split("/")
        if segments[:2] == ["-", "static"]:
            return self._static(request, segments[2:])
        try:
            body = await request.body() if request.method == "POST" else b""
        except BodyTooLarge:
            return Response("too much was sent\n", 413, media_type="text/plain")
        return await anyio.to_thread.run_sync(self._answer, request, segments, body)

    def _static(self, request: Request, segments: Sequence[str]) -> Response:
        static = self.statics.files.get(segments[-1]) if len(segments) == 2 else None
        if static is None or segments[0] != self.statics.version:
            return Response("there is no such file\n", 404, media_type="text/plain")
        headers = {"Content-Type": static[1], "Cache-Control": _FOREVER, "Vary": "Accept-Encoding"}
        if "gzip" in request.headers.get("accept-encoding", ""):
            packed = self.statics.packed(segments[1])
            if packed is not None:
                return Response(packed, headers={**headers, "Content-Encoding": "gzip"})
        return Response(static[0], headers=headers)

    # -- on a worker thread ------------------------------------------------------------------

    def _answer(self, request: Request, segments: list[str], body: bytes) -> Response:
        opened = None
        try:
            opened, segments = self._document(segments)
            query = dict(request.query_params)
            asked = Asked(
                self.site,
                opened or self.site.documents[0],
                query=query,
                tabs=_tabs(request, query.pop(TABS, "")),
                method=request.method,
                body=body,
                partial=request.headers.get("hx-request") == "true"
                and request.headers.get("hx-boosted") != "true",
            )
            if opened is None:
                asked = replace(asked, json=segments == [".json"])
                return self._respond(request, asked, show_documents(asked))
            if request.method == "POST":
                return self._change(request, asked)
            while (answer := self._look(request, asked, segments)) is None:
                # a step opened the document in the package once more
                opened, segments = self._document(request.path_params["path"].split("/"))
                assert opened is not None
                asked = replace(asked, opened=opened)
            return answer
        except Exception as error:  # noqa: BLE001 - the outermost frame of a request
            return self._explain(request, opened, error)

    def _look(self, request: Request, asked: Asked, segments: list[str]) -> Response | None:
        """The answer to what changes nothing; None where the document is no longer on show."""
        opened = asked.opened
        with opened.lock:
            if not opened.is_shown():
                return None
            slow = self._is_slow(opened, segments)
        with opened.borrowed_side() if slow else nullcontext(opened) as shown, shown.lock:
            if _is_left(request):
                return _NOBODY
            if not opened.is_shown():
                return None
            answer, asked = self.route(replace(asked, opened=shown), segments)
            return self._respond(request, asked, answer)

    def _change(self, request: Request, asked: Asked) -> Response:
        """The answer to what may change the game: no other page is made meanwhile.

        The locks of documents in others are taken after those of these.
        """
        root = asked.opened.root
        with root.lock:
            # a step may have opened the documents in it once more
            opened, segments = self._document(request.path_params["path"].split("/"))
            assert opened is not None
            with opened.lock:
                if segments[:2] == _ASKING and _is_left(request):
                    return _NOBODY
                try:
                    answer, asked = self.route(replace(asked, opened=opened), segments)
                except StaleEdit as error:
                    as_json = request.url.path.endswith(".json")
                    asked = replace(asked, opened=opened, json=as_json)
                    answer = late("conflicts:conflict_page")(asked, error)
                if not isinstance(answer, Apart):
                    return self._respond(request, asked, answer)
        problem = answer.work()
        with root.lock, opened.lock:
            return self._respond(request, asked, answer.done(problem))

    def _document(self, segments: list[str]) -> tuple[Opened | None, list[str]]:
        """The document an address is of, and the rest of it; None for the list of documents."""
        documents = self.site.documents
        opened = documents[0]
        if len(documents) > 1:
            first = segments[0]
            if first in ("", ".json"):
                return None, segments
            if not (first.isascii() and first.isdigit() and 0 < int(first[:6]) <= len(documents)):
                raise NotThere("there is no such file open")
            opened, segments = documents[int(first[:6]) - 1], segments[1:]
        while segments[:1] == ["in"] and len(segments) > 1:
            opened, segments = opened.inside.open(segments[1]), segments[2:]
        return opened, segments or [""]

    def _is_slow(self, opened: Opened, segments: list[str]) -> bool:
        """Whether an answer may look through the whole game."""
        if segments[0] == "-" and len(segments) > 1:
            return segments[1].removesuffix(".json") in SLOW
        listing = opened.listings.get(segments[0]) if len(segments) > 1 else None
        return listing is not None and page_of(opened, listing).slow

    def route(self, asked: Asked, segments: list[str]) -> tuple[Answer, Asked]:
        """The answer of a page, and what it was asked."""
        opened, first, rest = asked.opened, segments[0], segments[1:]
        if not rest and first in ("", ".json"):
            return show_overview(asked), replace(asked, json=first == ".json")
        if first == "-":
            where, as_json = _without_json("/".join(rest), FEATURES)
            name, _, behind = where.partition("/")
            if name not in FEATURES:
                raise NotThere("page not found")
            asked = replace(asked, rest=behind, json=as_json)
            return feature(name)(asked), asked
        if not rest or rest == [""]:
            slug, as_json = _without_json(first, opened.listings)
            asked = replace(asked, json=as_json)
            return show_list(asked, opened.listing(slug)), asked
        listing = opened.listing(first)
        key, as_json = (
            (rest[0], False) if len(rest) > 1 else _without_json(rest[0], listing.entries)
        )
        entry = opened.entry(first, key)
        asked = replace(asked, entry=entry, rest="/".join(rest[1:]), json=as_json)
        page = page_of(opened, listing)
        if asked.rest:
            part = page.parts.get(asked.rest) or page.parts.get(rest[1])
            if part is None:
                raise NotThere(f"{entry.name} has no such part")
            if asked.rest == thumbnails.NAME:
                return thumbnails.bounded(asked, part), asked
            return part(asked), asked
        crumbs: tuple[Crumb, ...] = (Crumb(listing.title, f"{opened.prefix}/{listing.slug}"),)
        current = ""
        if page.way is not None and not asked.json:
            crumbs, current = page.way(asked)
        shown = page.show(asked)
        return DataPage(page.template, shown, entry.name, crumbs, current), asked

    def _respond(self, request: Request, asked: Asked, answer: Answer) -> Response:
        if isinstance(answer, Apart):
            answer = answer.done(answer.work())
        if isinstance(answer, Moved):
            return RedirectResponse(answer.href, 303)
        if isinstance(answer, Media):
            return media_response(answer, request.headers)
        if asked.json:
            return Response(as_json_text(answer.data), answer.status, media_type="application/json")
        return self._html(asked, answer)

    def text_of(self, asked: Asked, shown: DataPage) -> str:
        """A page as HTML; a piece of it where htmx asked for that."""
        template = self.templates.get_template(shown.template)
        bare = asked.partial or not shown.whole
        return template.render(
            page=shown.data,
            asked=asked,
            here=asked.opened,
            site=asked.site,
            href=asked.opened.href,
            bare=bare,
            frame=None if bare else frame_of(asked, shown),
        )

    def _html(self, asked: Asked, shown: DataPage) -> Response:
        if shown.opened is not None:  # it comes after the one that is locked
            with shown.opened.lock:
                asked = replace(asked, opened=shown.opened)
                return self._html(asked, replace(shown, opened=None))
        # Names of a game may hold text that is not Unicode.
        return Response(
            self.text_of(asked, shown).encode("utf-8", "backslashreplace"),
            shown.status,
            headers={"Content-Type": "text/html; charset=utf-8", "Vary": "HX-Request"},
        )

    def _explain(self, request: Request, opened: Opened | None, error: Exception) -> Response:
        """The answer that reports an error: 404, 422 for a broken file, 500 for a bug."""
        status = 500
        if isinstance(error, NotThere):
            status, said = 404, str(error.args[0]) if error.args else "page not found"
        elif isinstance(error, OverhaulError):
            status, said = 422, str(error)
        elif isinstance(error, RecursionError):
            status, said = 422, "it is nested too deeply"
        else:
            _LOG.error("%s: %s", request.url.path, error, exc_info=error)
            said = f"{type(error).__name__}: {error}. This is a bug in Overhaul; please report it."
        data = ErrorPage(status, said)
        if request.url.path.endswith(".json"):
            return Response(as_json_text(data), status, media_type="application/json")
        tabs = _tabs(request, request.query_params.get(TABS, ""))
        asked = Asked(self.site, opened or self.site.documents[0], tabs=tabs)
        try:
            with asked.opened.lock:
                return self._html(asked, DataPage("error.html", data, "Error", status=status))
        except OverhaulError:  # the file is too broken to be listed in the frame
            return Response(
                f"{said}\n".encode("utf-8", "backslashreplace"),
                status,
                media_type="text/plain; charset=utf-8",
            )


def _tabs(request: Request, listed: str) -> list[Tab]:
    """The pages that the window of a request keeps open."""
    return tabs_in(listed, f"{request.url.path}?{request.url.query}") if listed else []


def _is_left(request: Request) -> bool:
    """Whether the browser no longer waits for an answer, which others do: it has been a while until
    the document was free."""

    async def look() -> bool:
        # the first message may be the empty body of a GET, which nothing else reads
        return await request.is_disconnected() or await request.is_disconnected()

    return anyio.from_thread.run(look)


def _without_json(name: str, known: object) -> tuple[str, bool]:
    """A name without ``.json``, and whether it had that."""
    if name.endswith(".json") and name not in cast("dict[str, object]", known):
        return name.removesuffix(".json"), True
    return name, False


def as_json_text(data: object) -> bytes:
    """JSON of a page: ASCII, as names may hold text that is not Unicode."""
    plain = msgspec.to_builtins(data, builtin_types=(bytes,), str_keys=True, enc_hook=_plain)
    return json.dumps(_finite(plain), ensure_ascii=True, default=str).encode("ascii") + b"\n"


def _plain(value: object) -> object:
    """A value that msgspec does not know, in values that it knows."""
    if isinstance(value, Finding):
        return value.to_json()
    raise NotImplementedError(type(value).__name__)


def _finite(value: object) -> object:
    """A value with the floats that JSON has no word for as text."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict):
        return {key: _finite(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return value


_RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})")


def media_response(media: Media, asked: Headers) -> Response:
    """The bytes, or the part of them that was asked for; nothing where the browser has them.

    Players of sounds ask for parts, to begin in the middle.
    """
    data = media.data
    tag = f'"{len(data):x}-{zlib.crc32(data):08x}"'
    headers = {
        "Content-Type": media.type,
        "Accept-Ranges": "bytes",
        "ETag": tag,
        "Cache-Control": "private, no-cache" if media.keep else "no-store",
    }
    if media.name:
        headers["Content-Disposition"] = f'attachment; filename="{_safe(media.name)}"'
    if asked.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    wanted = _RANGE.fullmatch(asked.get("range", "").replace(" ", ""))
    if wanted is None or wanted[1] == wanted[2] == "" or asked.get("if-range", tag) != tag:
        return Response(data, headers=headers)
    size = len(data)
    if wanted[1]:
        start, end = int(wanted[1]), min(int(wanted[2] or size), size - 1) + 1
    else:  # so many of the last bytes
        start, end = max(0, size - int(wanted[2])), size
    if start >= end:
        return Response(status_code=416, headers=headers | {"Content-Range": f"bytes */{size}"})
    headers["Content-Range"] = f"bytes {start}-{end - 1}/{size}"
    return Response(data[start:end], 206, headers=headers)


def _safe(name: str) -> str:
    """A file name as every browser and system takes it."""
    return "".join(c if c.isascii() and (c.isalnum() or c in "-_.") else "_" for c in name)
