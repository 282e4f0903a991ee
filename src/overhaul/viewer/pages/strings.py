"""All texts of a game: filtered, edited in place, replaced everywhere after a look.

A game that lists its texts has them in one table; of others they are those of its plain files.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlencode

import msgspec

from overhaul.errors import OverhaulError
from overhaul.viewer.answers import Answer, Asked, Moved, Shown
from overhaul.viewer.opened import Cache, NotThere, Opened, anchor_of
from overhaul.viewer.pages.edit import form_of
from overhaul.viewer.pages.files import read
from overhaul.viewer.writing import must_write
from overhaul.workbench.bench import NothingChanged, StaleEdit
from overhaul.workbench.filetexts import (
    FORMS,
    FileText,
    FileTexts,
    TextFile,
    has_texts,
    texts_in,
)
from overhaul.workbench.journal import digest_of
from overhaul.workbench.texts import Search, Table, Text, Texts, as_typed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from overhaul.viewer.opened import Entry

#: texts on a page; a longer one than this is edited in the file
PAGE = 100
LONG = 20_000


class TextRow(msgspec.Struct, frozen=True):
    """A text; ``kind``: why it can't be edited; ``name``: the resource that has it as its name;
    ``new``: what replacing makes of it; ``uses``: a search for where it is used, or the place where
    it stands, which is called ``where``."""

    row: int
    index: str
    text: str
    kind: str
    name: str
    new: str | None
    uses: str
    where: str = ""


class StringsPage(msgspec.Struct, frozen=True):
    """Texts of a game: those that contain ``q``, from ``first`` on, of ``found``; ``count`` are
    all.

    With ``replacing``, those that change if ``q`` becomes ``by``.  ``only``: only texts that can be
    edited.
    """

    path: str
    q: str
    by: str
    case: bool
    word: bool
    only: bool
    replacing: bool
    count: int
    found: int
    first: int
    rows: list[TextRow]
    previous: str
    next: str
    before: str
    problem: str
    why: str
    saved: bool


def show_strings(asked: Asked) -> Answer:
    """``/-/strings?q=TEXT``; ``by=TEXT&replace=1`` shows what replacing changes; a POST is a
    step."""
    opened = asked.opened
    table = texts_of(opened)
    if asked.method != "POST":
        return _shown(_page(asked, table, table.digest))
    given = form_of(asked.body)
    if given.get("before", "") != table.digest:
        raise StaleEdit(table.path)
    try:
        if given.get("do") == "replace":
            new = table.replaced(_search(given), given.get("by", ""))
            label = f"Replace {given.get('q', '')!r} by {given.get('by', '')!r}"
        else:
            new, label = _typed(table, given), "Edit texts"
        if not new:
            raise NothingChanged("nothing was changed")
        must_write(opened.writer).step(table.changes(new), label)
    except StaleEdit:
        raise
    except NothingChanged:
        pass
    except OverhaulError as error:
        page = _page(asked, table, given.get("before", ""), str(error))
        typed = {int(k[2:]): v for k, v in given.items() if _is_row(k)}
        rows = [
            msgspec.structs.replace(row, text=typed.get(row.row, row.text)) for row in page.rows
        ]
        return _shown(msgspec.structs.replace(page, rows=rows), 422)
    query = {} if given.get("do") == "replace" else dict(asked.query)
    query = {key: value for key, value in query.items() if value and key != "replace"}
    return Moved(f"{opened.prefix}/-/strings?{urlencode(query | {'saved': '1'})}")


def texts_of(opened: Opened) -> Texts:
    """All texts of a game.  Raises NotThere where they are not known, or can't be edited."""
    path = next((path for path in opened.files if opened.lists_texts(path)), "")
    if path:
        data = read(opened, path)
        return Table(data, path, digest_of(data))
    writer = opened.writer
    if writer is None or not has_texts_page(opened):
        raise NotThere("the texts of such a file are not known")
    return opened.remember(
        "file texts",
        lambda: FileTexts(_files(opened), writer.read),
        lambda found: 500 + sum(300 + len(text.text) for _, text in found.places),
    )


def has_texts_page(opened: Opened) -> bool:
    """Whether the texts of what is on show are a page."""
    return (
        any(opened.lists_texts(path) for path in opened.files)
        or opened.document.kind in FORMS
        or any(opened.inside.can_open(path) for path in opened.inside.paths())
    )


def _files(opened: Opened, place: str = "") -> Iterator[TextFile]:
    """The files of a document that have texts, and those of the documents in it."""
    kind = opened.document.kind
    for path, file in opened.files.items():
        if has_texts(kind, path):
            yield TextFile(place + path, kind, texts_in(kind, place + path, file.read()))
    inside = opened.inside
    for entry in opened.entries() if inside.paths() else ():
        if entry.name in inside.paths() and inside.can_open(entry.name):
            yield from _of_member(opened, entry, place)


#: The texts of the documents in packages, which most steps leave as they are.
_KNOWN = Cache()


def _of_member(opened: Opened, entry: Entry, place: str) -> list[TextFile]:
    below = f"{place}{entry.path}/"
    key = (entry.name, below, opened.inside.digest(entry.name))
    return _KNOWN.get(
        key,
        lambda: [*_files(opened.inside.open(entry.name), below)],
        lambda found: sum(200 + 300 * len(file.texts) for file in found),
    )


def _is_row(key: str) -> bool:
    return key.startswith("r:") and key[2:].isascii() and key[2:].isdigit() and len(key) < 12


def _typed(table: Texts, given: dict[str, str]) -> dict[int, str]:
    """The texts that were typed, by row, where they are others."""
    texts = {text.row: text for text in table.texts()}
    new = {}
    for key, typed in given.items():
        if _is_row(key) and int(key[2:]) in texts:
            text = texts[int(key[2:])]
            made = as_typed(typed, text.text)
            if made != text.text and typed.replace("\r\n", "\n") != _in_browser(text.text):
                new[text.row] = made
    return new


def _in_browser(text: str) -> str:
    """A text as a browser sends it back, with one kind of line ends."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _search(given: dict[str, str]) -> Search:
    return Search(given.get("q", "")[:1000], bool(given.get("case")), bool(given.get("word")))


def _shown(page: StringsPage, status: int = 200) -> Shown:
    return Shown("strings.html", page, "Texts", status=status)


def _page(asked: Asked, table: Texts, before: str, problem: str = "") -> StringsPage:
    opened, query = asked.opened, dict(asked.query)
    search, by = _search(query), query.get("by", "")
    replacing = bool(query.get("replace")) and bool(search.text)
    only = bool(query.get("only"))
    new = table.replaced(search, by) if replacing else {}
    texts = table.texts()
    found = table.found(search) if search.text else texts
    if replacing:
        found = [text for text in found if text.row in new]
    elif only:
        found = [text for text in found if not text.kind]
    first = min(asked.number("from"), max(len(found) - 1, 0))
    shown = found[first : first + PAGE]

    def at(start: int) -> str:
        kept = {key: value for key, value in query.items() if value and key not in ("saved",)}
        return f"{opened.prefix}/-/strings?{urlencode(kept | {'from': str(start)})}"

    return StringsPage(
        table.path if isinstance(table, Table) else "",
        search.text, by, search.case, search.word, only, replacing,
        len(texts), len(found), first,
        [_row(opened, table, text, new.get(text.row)) for text in shown],
        at(max(0, first - PAGE)) if first else "",
        at(first + PAGE) if first + PAGE < len(found) else "",
        before, problem, "" if opened.writer is None else opened.writer.why,
        "saved" in query,
    )  # fmt: skip


def _row(opened: Opened, table: Texts, text: Text, new: str | None) -> TextRow:
    kind = text.kind or ("too long to be edited here" if len(text.text) > LONG else "")
    shown = text.text[:LONG]
    if isinstance(table, FileTexts):
        _, place = table.places[text.row]
        href, where = _place_of(opened, place)
        made = None if new is None else new[:LONG]
        return TextRow(text.row, text.number, shown, kind, "", made, href, where)
    query = urlencode({"q": f'"{text.text[:100]}"'})
    uses = f"{opened.prefix}/-/search?{query}" if text.text.strip() else ""
    entry = opened.find(text.text)
    name = "" if entry is None else f"name of a {opened.called(entry.kind)}"
    made = None if new is None else new[:LONG]
    return TextRow(text.row, text.number, shown, kind, name, made, uses)


def _place_of(opened: Opened, place: FileText) -> tuple[str, str]:
    """The address of a text's place in a plain file, and what it is called."""
    path = place.path
    for entry in opened.entries() if opened.inside.paths() else ():
        if path.startswith(f"{entry.path}/") and opened.inside.can_open(entry.name):
            below = place._replace(path=path.removeprefix(f"{entry.path}/"))
            href, where = _place_of(opened.inside.open(entry.name), below)
            return href, f"{entry.name}: {where}"
    found = opened.entry_at(path)
    if found is None:
        return "", f"{path}, line {place.line}"
    line = "" if path.endswith(".json") else f"#{anchor_of(found, path)}{place.line}"
    return f"{opened.href(found)}{line}", found.name or path
