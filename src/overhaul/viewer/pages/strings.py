"""All texts of a game: filtered, and edited in place.

A game that lists its texts has them in one table; of others they are those of its plain files.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import msgspec

from overhaul.document.registry import folder_format_of
from overhaul.errors import OverhaulError, WorkspaceError
from overhaul.viewer.answers import Answer, Asked, DataPage, Moved
from overhaul.viewer.opened import Cache, NotThere, Opened, anchor_of
from overhaul.viewer.pages import late
from overhaul.viewer.pages.edit import form_of
from overhaul.viewer.pages.files import read
from overhaul.viewer.writing import must_write
from overhaul.workbench import FolderBench
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
from overhaul.workbench.texts import Search, Text, Texts, TextTable
from overhaul.workbench.typed import as_typed

if TYPE_CHECKING:
    from overhaul.viewer.opened import ListedResource

#: texts on a page; a longer one than this is edited in the file
PAGE = 100
LONG = 20_000


class TextRow(msgspec.Struct, frozen=True):
    """A text; ``kind``: why it can't be edited; ``name``: what it is the name of, which is renamed
    on its page, at ``rename``; ``new``: what replacing makes of it; ``uses``: a search for where it
    is used, or the place where it stands, which is called ``where``."""

    row: int
    index: str
    text: str
    kind: str
    name: str
    new: str | None
    uses: str
    where: str = ""
    rename: str = ""


class StringsPage(msgspec.Struct, frozen=True):
    """Texts of a game: those that contain ``q``, from ``first`` on, of ``found``; ``count`` are
    all.  ``only``: only texts that can be edited.
    """

    path: str
    q: str
    case: bool
    word: bool
    only: bool
    count: int
    found: int
    first: int
    rows: list[TextRow]
    previous: str
    next: str
    before: str
    problem: str
    why: str
    outcome: str


def show_strings(asked: Asked) -> Answer:
    """``/-/strings?q=TEXT``; a POST is a step."""
    opened = asked.opened
    table = texts_of(opened)
    if asked.method != "POST":
        return _shown(_page(asked, table, table.digest))
    given = form_of(asked.body)
    if given.get("before", "") != table.digest:
        raise StaleEdit(table.path)
    outcome = "made"
    try:
        new = _typed(opened, table, given)
        if not new:
            raise NothingChanged("nothing was changed")
        must_write(opened.writer).step(table.changes(new), "Edit texts")
    except StaleEdit:
        raise
    except NothingChanged:
        outcome = "same"
    except OverhaulError as error:
        page = _page(asked, table, given.get("before", ""), str(error))
        typed = {int(k[2:]): v for k, v in given.items() if _is_row(k)}
        rows = [
            msgspec.structs.replace(row, text=typed.get(row.row, row.text)) for row in page.rows
        ]
        return _shown(msgspec.structs.replace(page, rows=rows), 422)
    query = {key: value for key, value in asked.query.items() if value}
    return Moved(f"{opened.prefix}/-/strings?{urlencode(query | {'saved': outcome})}")


def texts_of(opened: Opened) -> Texts:
    """All texts of a game.  Raises NotThere where they are not known, or can't be edited."""
    path = next((path for path in opened.files if opened.lists_texts(path)), "")
    if path:
        data = _table_of(opened, path)
        return TextTable(data, path, digest_of(data))
    writer = opened.writer
    if writer is None or not has_texts_page(opened):
        raise NotThere("the texts of such a file are not known")
    return opened.remember(
        "file texts",
        lambda: FileTexts(_files(opened), writer.read),
        lambda found: 500 + sum(300 + len(text.text) for _, text in found.places),
    )


def _table_of(opened: Opened, path: str) -> bytes:
    """The table of texts, also of what is shown aside while the bench makes steps."""
    writer = opened.writer
    if writer is None or isinstance(writer.bench, FolderBench):
        return read(opened, path)
    return opened.files[path].read()


def has_texts_page(opened: Opened) -> bool:
    """Whether the texts of what is on show are a page."""
    return (
        bool(folder_format_of(opened.document.kind).meaning.texts_file)
        or any(opened.lists_texts(path) for path in opened.files)
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


#: The texts of the documents in packages, which most steps do not change.
_KNOWN = Cache()


def _of_member(opened: Opened, entry: ListedResource, place: str) -> list[TextFile]:
    below = f"{place}{entry.path}/"
    key = (entry.name, below, opened.inside.digest(entry.name))
    return _KNOWN.get(
        key,
        lambda: [*_files(opened.inside.open(entry.name), below)],
        lambda found: sum(200 + 300 * len(file.texts) for file in found),
    )


def _is_row(key: str) -> bool:
    return key.startswith("r:") and key[2:].isascii() and key[2:].isdigit() and len(key) < 12


def _typed(opened: Opened, table: Texts, given: dict[str, str]) -> dict[int, str]:
    """The texts that were typed, by row, where they are others.

    Raises WorkspaceError for a name of a resource.
    """
    texts = {text.row: text for text in table.texts()}
    new = {}
    for key, typed in given.items():
        if _is_row(key) and int(key[2:]) in texts:
            text = texts[int(key[2:])]
            made = as_typed(typed, text.text)
            if made != text.text:
                if name := name_of(opened, table, text):
                    raise WorkspaceError(
                        f"text {text.number}, {text.text!r}, is the {name}: rename it on its page"
                    )
                new[text.row] = made
    return new


def _search(given: dict[str, str]) -> Search:
    return Search(given.get("q", "")[:1000], bool(given.get("case")), bool(given.get("word")))


def _shown(page: StringsPage, status: int = 200) -> DataPage:
    return DataPage("strings.html", page, "Texts", status=status)


def _page(asked: Asked, table: Texts, before: str, problem: str = "") -> StringsPage:
    opened, query = asked.opened, dict(asked.query)
    search, only = _search(query), bool(query.get("only"))
    texts = table.texts()
    found = table.found(search) if search.text else texts
    if only:
        found = [text for text in found if not text.kind and not name_of(opened, table, text)]
    first = min(asked.number("from"), max(len(found) - 1, 0))
    shown = found[first : first + PAGE]

    def at(start: int) -> str:
        kept = {key: value for key, value in query.items() if value and key not in ("saved",)}
        return f"{opened.prefix}/-/strings?{urlencode(kept | {'from': str(start)})}"

    return StringsPage(
        table.path if isinstance(table, TextTable) else "",
        search.text, search.case, search.word, only,
        len(texts), len(found), first,
        [row_of(opened, table, text) for text in shown],
        at(max(0, first - PAGE)) if first else "",
        at(first + PAGE) if first + PAGE < len(found) else "",
        before, problem, "" if opened.writer is None else opened.writer.why,
        asked.outcome,
    )  # fmt: skip


#: kinds of what is listed under a name that no text of the game is
_UNNAMED = frozenset(("table", "texture page"))


def name_of(opened: Opened, table: Texts, text: Text) -> str:
    """The use of a text of a table of all texts as a name, in words; "" for other texts."""
    if isinstance(table, FileTexts):  # names are not texts of plain files
        return ""
    entry = opened.find(text.text)
    if entry is None or entry.kind in _UNNAMED:
        return ""
    return f"name of the {opened.called(entry.kind)}"


def rename_href(opened: Opened, entry: ListedResource) -> str:
    """Where a resource is renamed; its page, where that is not possible by itself."""
    if "/" not in entry.path or opened.sharing(entry) > 1:
        return opened.href(entry)
    href: str = late("whole:whole_href")(opened, entry)
    return href


def row_of(opened: Opened, table: Texts, text: Text, new: str | None = None) -> TextRow:
    """A text as pages show it; ``new`` is what it becomes."""
    kind = text.kind or ("too long to be edited here" if len(text.text) > LONG else "")
    shown = text.text[:LONG]
    if isinstance(table, FileTexts):
        _, place = table.places[text.row]
        href, where = _place_of(opened, place)
        return TextRow(text.row, text.number, shown, kind, "", new, href, where)
    query = urlencode({"q": f'"{text.text[:100]}"'})
    uses = f"{opened.prefix}/-/search?{query}" if text.text.strip() else ""
    name, entry = name_of(opened, table, text), opened.find(text.text)
    rename = "" if not name or entry is None else rename_href(opened, entry)
    return TextRow(text.row, text.number, shown, kind or name, name, new, uses, "", rename)


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
