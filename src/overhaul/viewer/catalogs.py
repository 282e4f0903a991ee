"""A catalogue of many games on show: its tables, pictures, the questions with names, each game.

/                      what is in it             /tables/files?from=100    a table
/questions/versions    a question with a name    /query?sql=SELECT ...     a question in SQL
/files/SHA256          a file                    /game/SHA256/...          its own viewer
/pictures/SHA256/...   a picture of a file
"""

from __future__ import annotations

import logging
import os
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import TypeVar
from urllib.parse import quote, unquote, urlencode

import anyio.to_thread
import msgspec
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from overhaul import catalog as catalogs
from overhaul import folder as folders
from overhaul.catalog.questions import QUESTIONS
from overhaul.catalog.tables import SHOWN
from overhaul.errors import OverhaulError
from overhaul.viewer.answers import Media
from overhaul.viewer.app import Application, as_json_text, media_response
from overhaul.viewer.opened import NotThere, Site
from overhaul.viewer.safety import BodyTooLarge
from overhaul.viewer.templates import Statics, environment

_LOG = logging.getLogger(__name__)
T = TypeVar("T")
#: The rows of a page.
ROWS = 100
#: The games that are open at a time.
OPEN = 4
#: Seconds after which the questions of a page are interrupted.
LONGEST_QUESTION = 10.0
#: Seconds between two interrupts: one that comes before the question has begun does nothing.
_AGAIN = 0.1
#: The longest text in a cell.
_LONGEST = 300
#: The columns that name a file by the SHA-256 of its bytes.
_FILES = ("sha256", "file")
#: The columns that compare equal by their first characters, and how many these are.
_HASHES = (*_FILES, "hash", "normal_hash")
_SHORT = 12


class Cell(msgspec.Struct, frozen=True):
    """A value of a row: its text, where it leads, and a picture of it."""

    text: str
    href: str = ""
    picture: str = ""


class TablePage(msgspec.Struct, frozen=True):
    """Rows of a table or of an answer; ``next`` leads to the rows behind them.

    ``takes`` are the names and values of what a question takes, ``sql`` is a query in SQL.
    """

    title: str
    about: str
    columns: list[str]
    rows: list[list[Cell]]
    first: int = 0
    next: str = ""
    takes: dict[str, str] = {}
    sql: str | None = None
    error: str = ""


class Count(msgspec.Struct, frozen=True):
    """How many of something there are, and where they are listed."""

    title: str
    about: str
    href: str
    count: int | None = None


class FrontPage(msgspec.Struct, frozen=True):
    """The contents of a catalogue."""

    title: str
    tables: list[Count]
    questions: list[Count]
    kinds: list[tuple[str, int]]


class FilePage(msgspec.Struct, frozen=True):
    """A file of a catalogue: what it is, where it is, and what is in it."""

    title: str
    sha256: str
    facts: dict[str, object]
    places: list[str]
    viewer: str
    counts: list[Count]
    errors: list[tuple[str, str]]


class FailurePage(msgspec.Struct, frozen=True):
    """The failures of a catalogue."""

    title: str
    error: str


class Asking:
    """The questions of one page, which :meth:`stop` ends from another thread."""

    def __init__(self, catalog: catalogs.Catalog) -> None:
        self.catalog = catalog
        self.why: str = ""

    def stop(self, why: str) -> None:
        """End the question that is asked, and refuse those after it."""
        self.why = why
        self.catalog.interrupt()

    def rows(
        self, sql: str, parameters: Mapping[str, object], most: int = 0, first: int = 0
    ) -> tuple[list[str], Sequence[Sequence[object]]]:
        """The names and rows of an answer; with ``most``, so many of them, from one on.

        Raises OverhaulError for what is refused, or stopped.
        """
        try:
            if self.why:
                raise OverhaulError("the question is refused")
            relation = self.catalog.sql(sql, parameters)
            return catalogs.rows_of(relation.limit(most, first) if most else relation)
        except OverhaulError:
            if self.why:
                raise OverhaulError(self.why) from None
            raise


class CatalogApplication:
    """Answers requests about a catalogue; a game in it is shown by an application of its own."""

    def __init__(self, source: str) -> None:
        self._catalog = catalogs.open(source)
        self._title = os.path.basename(source.rstrip("/")) or source
        #: guards what threads share; nothing is asked while it is held
        self._lock = threading.Lock()
        self._idle: list[catalogs.Catalog] = []
        self._games: OrderedDict[str, Application] = OrderedDict()
        self._statics = Statics()
        self._templates = environment(self._statics)
        self._pages: dict[str, MakesPage] = {
            "": self._front,
            "tables": self._table,
            "questions": self._question,
            "query": self._query,
            "files": self._file,
        }
        self.asgi: Starlette = Starlette(
            routes=[Route("/{path:path}", self.answer, methods=["GET", "HEAD"])]
        )

    async def answer(self, request: Request) -> Response:
        """The answer to a request that may be asked (see :mod:`overhaul.viewer.safety`)."""
        first, _, rest = request.path_params["path"].partition("/")
        if first == "-":
            return self._static(rest.split("/"))
        if first == "game":
            digest, _, inner = rest.partition("/")
            try:
                game = await self._asked(request, lambda asking: self._game(asking, digest))
            except (NotThere, OverhaulError, OSError) as error:
                return self._explain(error)
            request.path_params["path"] = inner
            return await game.answer(request)
        query = dict(request.query_params)
        return await self._asked(
            request, lambda asking: self._answer(asking, first, rest, query, request)
        )

    async def _asked(self, request: Request, task: Callable[[Asking], T]) -> T:
        """The result of a task that asks a catalogue of its own on a thread of its own.

        Its questions are stopped when they take too long, and when the browser leaves.
        """
        with self._lock:
            catalog = self._idle.pop() if self._idle else None
        if catalog is None:
            catalog = await anyio.to_thread.run_sync(self._catalog.twin)
        asking = Asking(catalog)
        made: list[T] = []
        failed: list[Exception] = []

        def run() -> None:
            try:
                made.append(task(asking))
            except Exception as error:  # noqa: BLE001 - raised below, out of the group
                failed.append(error)

        try:
            async with anyio.create_task_group() as group:
                group.start_soon(_watch, request, asking)
                await anyio.to_thread.run_sync(run)
                group.cancel_scope.cancel()
        finally:
            with self._lock:
                self._idle.append(asking.catalog)
        for error in failed:
            raise error
        return made[0]

    def close(self) -> None:
        """Release the files."""
        for game in self._games.values():
            game.site.close()
        self._games.clear()
        for catalog in (*self._idle, self._catalog):
            catalog.close()

    def _static(self, segments: Sequence[str]) -> Response:
        static = self._statics.files.get(segments[-1]) if len(segments) == 3 else None
        if static is None or segments[:2] != ["static", self._statics.version]:
            return Response("there is no such file\n", 404, media_type="text/plain")
        return Response(static[0], headers={"Content-Type": static[1]})

    def _answer(
        self, asking: Asking, first: str, rest: str, query: Mapping[str, str], request: Request
    ) -> Response:
        try:
            if first == "pictures":
                return media_response(self._picture(asking, rest), request.headers)
            as_json = request.url.path.endswith(".json")
            page = self._pages.get(first.removesuffix(".json"))
            if page is None:
                raise NotThere("page not found")
            template, data = page(asking, rest.removesuffix(".json").split("/"), query)
        except Exception as error:  # noqa: BLE001 - the outermost frame of a request
            return self._explain(error)
        if as_json:
            return Response(as_json_text(data), media_type="application/json")
        return self._html(template, data)

    def _html(self, template: str, data: msgspec.Struct, status: int = 200) -> Response:
        text = self._templates.get_template(template).render(page=data, catalog=self._title)
        return Response(
            text.encode("utf-8", "backslashreplace"),
            status,
            headers={"Content-Type": "text/html; charset=utf-8"},
        )

    def _explain(self, error: Exception) -> Response:
        """The answer that reports an error: 404, 422 for a broken file, 500 for a bug."""
        if isinstance(error, NotThere | FileNotFoundError):
            status = 404
        elif isinstance(error, OverhaulError | OSError):
            status = 422
        else:
            status = 500
            _LOG.error("%s", error, exc_info=error)
        return self._html("catalog-error.html", FailurePage("Error", str(error)), status)

    # -- games -----------------------------------------------------------------------------------

    def _place(self, asking: Asking, digest: str) -> str:
        """A place on the disk where a file is.  Raises NotThere."""
        sql = "SELECT place FROM files WHERE sha256 = $digest"
        _, rows = asking.rows(sql, {"digest": digest})
        for (place,) in rows:
            if os.path.isfile(str(place).partition("!")[0]):
                return str(place)
        raise NotThere("the file is not on this computer")

    def _game(self, asking: Asking, digest: str) -> Application:
        with self._lock:
            known = digest in self._games
        place = "" if known else self._place(asking, digest)
        with self._lock:
            if digest not in self._games:
                place = place or self._place(asking, digest)
                site = Site([place], prefix=f"/game/{digest}", edits=False)
                self._games[digest] = Application(site)
            self._games.move_to_end(digest)
            if len(self._games) > OPEN:
                _, oldest = self._games.popitem(last=False)
                oldest.site.close()
            return self._games[digest]

    def _picture(self, asking: Asking, rest: str) -> Media:
        digest, _, path = rest.partition("/")
        documents = self._game(asking, digest).site.documents
        with documents[0].lock:
            files = folders.find_files(documents[0].document, unquote(path))
            if len(files) != 1 or not files[0].path.endswith(".png"):
                raise NotThere("there is no such picture")
            return Media(files[0].read(), "image/png")

    # -- pages -----------------------------------------------------------------------------------

    def _front(self, asking: Asking, rest: Sequence[str], query: Mapping[str, str]) -> Page:
        del query
        if rest != [""]:
            raise NotThere("page not found")
        counts = {str(name): count for name, count in asking.rows(QUESTIONS["stats"].sql, {})[1]}
        _, kinds = asking.rows(
            "SELECT kind, count(*) FROM files WHERE kind IS NOT NULL GROUP BY kind ORDER BY kind",
            {},
        )
        return "catalog-front.html", FrontPage(
            self._title,
            [
                Count(name, table.about, f"/tables/{name}", _whole(counts[name]))
                for name, table in SHOWN.items()
            ],
            [
                Count(name, question.about, f"/questions/{name}")
                for name, question in QUESTIONS.items()
                if name != "stats"
            ],
            [(str(kind), _whole(count)) for kind, count in kinds],
        )

    def _table(self, asking: Asking, rest: Sequence[str], query: Mapping[str, str]) -> Page:
        name = rest[0]
        if name not in SHOWN or len(rest) > 1:
            raise NotThere("there is no such table")
        wanted = {key: query[key] for key in _filters(name) if query.get(key)}
        where = " AND ".join(f"{key} = ${key}" for key in wanted)
        sql = f"SELECT * FROM {name}" + (f" WHERE {where}" if where else "")
        return self._rows(
            asking,
            TablePage(name, SHOWN[name].about, [], []),
            sql,
            wanted,
            query,
            f"/tables/{name}",
        )

    def _question(self, asking: Asking, rest: Sequence[str], query: Mapping[str, str]) -> Page:
        name = rest[0]
        if name not in QUESTIONS or len(rest) > 1:
            raise NotThere("there is no such question")
        question = QUESTIONS[name]
        takes = {take: query.get(take, "") for take in question.takes}
        page = TablePage(name, question.about, [], [], takes=takes)
        return self._rows(asking, page, question.sql, takes, query, f"/questions/{name}")

    def _query(self, asking: Asking, rest: Sequence[str], query: Mapping[str, str]) -> Page:
        if rest != [""]:
            raise NotThere("page not found")
        sql = query.get("sql", "")
        about = "A SELECT over the tables, as DuckDB understands it."
        page = TablePage("Query", about, [], [], sql=sql)
        if not sql.strip():
            return "catalog-table.html", page
        try:
            return self._rows(asking, page, sql, {"sql": sql}, query, "/query")
        except OverhaulError as error:
            return "catalog-table.html", msgspec.structs.replace(page, error=str(error))

    def _rows(
        self,
        asking: Asking,
        page: TablePage,
        sql: str,
        takes: Mapping[str, str],
        query: Mapping[str, str],
        address: str,
    ) -> Page:
        """A page with the rows of an answer, from one on."""
        text = query.get("from", "")
        first = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0
        parameters: dict[str, object] = {} if page.sql is not None else dict(takes)
        names, rows = asking.rows(sql, parameters, ROWS + 1, first)
        more = urlencode({**takes, "from": first + ROWS})
        cells = [_cells(names, row) for row in rows[:ROWS]]
        made = msgspec.structs.replace(
            page,
            columns=names,
            rows=cells,
            first=first,
            next=f"{address}?{more}" if len(rows) > ROWS else "",
        )
        return "catalog-table.html", made

    def _file(self, asking: Asking, rest: Sequence[str], query: Mapping[str, str]) -> Page:
        del query
        digest = {"digest": rest[0]}
        names, rows = asking.rows("SELECT * FROM files WHERE sha256 = $digest", digest)
        if not rows or len(rest) > 1:
            raise NotThere("there is no such file")
        facts = dict(zip(names, rows[0], strict=True))
        sql = "SELECT stage, message FROM errors WHERE sha256 = $digest"
        _, errors = asking.rows(sql, digest)
        counts = []
        for name, table in SHOWN.items():
            if "file" in _filters(name):
                sql = f"SELECT count(*) FROM {name} WHERE file = $digest"
                count = _whole(asking.rows(sql, digest)[1][0][0])
                counts.append(Count(name, table.about, f"/tables/{name}?file={rest[0]}", count))
        place = names.index("place")
        title = str(facts["name"] or os.path.basename(str(facts["place"])))
        viewer = f"/game/{rest[0]}/" if facts["kind"] else ""
        hidden = ("place", "container", "sha256", "name")
        return "catalog-file.html", FilePage(
            title,
            rest[0],
            {key: value for key, value in facts.items() if key not in hidden and value is not None},
            [str(row[place]) for row in rows],
            viewer,
            counts,
            [(str(stage), str(message)) for stage, message in errors],
        )


#: A page: its template, and what it shows.
Page = tuple[str, msgspec.Struct]
MakesPage = Callable[[Asking, Sequence[str], Mapping[str, str]], Page]


async def _watch(request: Request, asking: Asking) -> None:
    """Stop a query when it takes too long, or nobody waits for it."""
    why = f"it took more than {LONGEST_QUESTION:g} seconds, and was stopped"
    with anyio.move_on_after(LONGEST_QUESTION), suppress(BodyTooLarge):
        while (await request.receive())["type"] != "http.disconnect":
            pass
        why = "the browser left"
    while True:
        asking.stop(why)
        await anyio.sleep(_AGAIN)


def _filters(table: str) -> list[str]:
    """The columns of a table that an address may ask for."""
    names = [column.name for column in SHOWN[table].columns]
    return [name for name in ("file", "sha256", "kind") if name in names]


def _whole(value: object) -> int:
    return value if isinstance(value, int) else 0


def _in_words(value: object) -> str:
    """A value of a table: nothing for None, a flag as yes or no, the counts that are not 0."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ", ".join(f"{key} {_in_words(each)}" for key, each in value.items() if each)
    if isinstance(value, list | tuple):
        return "; ".join(map(_in_words, value))
    return "" if value is None else str(value)


def _cells(names: Sequence[str], row: Sequence[object]) -> list[Cell]:
    """The cells of a row; that of a picture shows it."""
    values = dict(zip(names, row, strict=True))
    picture = ""
    if {"file", "path", "perceptual"} <= values.keys():
        picture = f"/pictures/{values['file']}/{quote(str(values['path']), safe='')}"
    cells = []
    for name, value in values.items():
        text = _in_words(value)
        href = f"/files/{text}" if name in _FILES and text else ""
        if name == "callee" and text:
            href = f"/questions/who-uses?{urlencode({'name': text})}"
        shown = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
        if name in _HASHES:
            shown = text[:_SHORT]
        cells.append(Cell(shown, href, picture * (name == "path")))
    return cells
