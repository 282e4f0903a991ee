"""A text replaced in all texts of a game: each is shown before and after, to be chosen or not.

Only texts that players see are replaced unless others are asked for.  The names of resources never
are: code calls them by name, and renaming them on their pages changes what refers to them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final
from urllib.parse import urlencode

import msgspec

from overhaul import translate
from overhaul.errors import FormatError, OverhaulError, WorkspaceError
from overhaul.translate.families import has_texts
from overhaul.viewer.answers import Answer, Asked, Crumb, DataPage, Moved
from overhaul.viewer.opened import Opened
from overhaul.viewer.pages.edit import form_of
from overhaul.viewer.pages.strings import (
    LONG,
    TextRow,
    name_of,
    rename_href,
    row_of,
    texts_of,
)
from overhaul.viewer.writing import must_write
from overhaul.workbench.bench import NothingChanged, StaleEdit
from overhaul.workbench.texts import Search, Text, Texts

#: texts that a page lists; those after them are there when these are replaced
MOST: Final = 1000
#: the characters of a name in code: of it only whole words are found, unless parts are asked for
_NAME: Final = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_WARNING: Final = "WARNING: "


class Replacement(msgspec.Struct, frozen=True):
    """A text that replacing changes; ``note``: what else it is, for which it is not chosen."""

    row: TextRow
    note: str
    chosen: bool


class ReplacingPage(msgspec.Struct, frozen=True):
    """The texts that change if ``q`` becomes ``by``, at most :data:`MOST`, ``more`` are left out.

    ``case`` (it matters), ``parts`` (of words) and ``unseen`` (texts that no player sees) were
    asked for;
    ``hidden`` is how many of the last there are.  ``names`` are resources that have ``q`` in
    their name, which are renamed on their pages.  ``known``: whether it is known what players see.
    """

    q: str
    by: str
    case: bool
    parts: bool
    unseen: bool
    rows: list[Replacement]
    more: int
    hidden: int
    names: list[Crumb]
    known: bool
    before: str
    problem: str
    why: str


def show_replacing(asked: Asked) -> Answer:
    """``/-/replacing?q=TEXT&by=TEXT``; a POST with the rows that are chosen is a step."""
    opened = asked.opened
    table = texts_of(opened)
    if asked.method != "POST":
        return _shown(_page(asked.query, opened, table, table.digest))
    given = form_of(asked.body)
    if given.get("before", "") != table.digest:
        raise StaleEdit(table.path)
    q, by = given.get("q", ""), given.get("by", "")
    chosen = {int(key[4:]) for key in given if re.fullmatch(r"row:\d{1,9}", key, re.ASCII)}
    try:
        new = _chosen(opened, table, table.replaced(_search(given), by), chosen)
        must_write(opened.writer).step(table.changes(new), f"Replace {q!r} by {by!r}")
    except StaleEdit:
        raise
    except OverhaulError as error:
        page = _page(given, opened, table, given["before"], str(error), chosen)
        return _shown(page, 422)
    return Moved(f"{opened.prefix}/-/strings?{urlencode({'q': by, 'saved': '1'})}")


def _chosen(
    opened: Opened, table: Texts, made: Mapping[int, str], chosen: set[int]
) -> dict[int, str]:
    """The new texts of the rows that are chosen.  Raises WorkspaceError for the name of a resource,
    NothingChanged where none is chosen."""
    new = {row: text for row, text in made.items() if row in chosen}
    if not new:
        raise NothingChanged("no text is chosen")
    for text in table.texts():
        if text.row in new and (name := name_of(opened, table, text)):
            raise WorkspaceError(
                f"text {text.number}, {text.text!r}, is the {name}: rename it on its page"
            )
    return new


def _search(given: Mapping[str, str]) -> Search:
    text = given.get("q", "")[:1000]
    whole = bool(_NAME.fullmatch(text)) and not given.get("parts")
    return Search(text, bool(given.get("case")), whole)


def _shown(page: ReplacingPage, status: int = 200) -> DataPage:
    return DataPage("replacing.html", page, "Replace in texts", status=status)


def _page(
    given: Mapping[str, str],
    opened: Opened,
    table: Texts,
    before: str,
    problem: str = "",
    chosen: set[int] | None = None,
) -> ReplacingPage:
    search, by = _search(given), given.get("by", "")
    made = table.replaced(search, by)
    notes = seen_by_players(opened) if made else {}
    texts = [text for text in table.texts() if text.row in made]
    named = [text for text in texts if name_of(opened, table, text)]
    taken = {text.row for text in named}
    rows, hidden = [], 0
    for text in texts:
        if text.row in taken:
            continue
        note = "" if notes is None else notes.get(text.text)
        if note is None:
            hidden += 1
            if not given.get("unseen"):
                continue
        said = note if note is not None else "not shown, as far as the code says"
        is_chosen = not said if chosen is None else text.row in chosen
        rows.append((text, said, is_chosen))
    return ReplacingPage(
        search.text, by, bool(given.get("case")), bool(given.get("parts")),
        bool(given.get("unseen")),
        [
            Replacement(row_of(opened, table, text, made[text.row][:LONG]), said, is_chosen)
            for text, said, is_chosen in rows[:MOST]
        ],
        max(0, len(rows) - MOST), hidden, _names(opened, named), notes is not None, before, problem,
        "" if opened.writer is None else opened.writer.why,
    )  # fmt: skip


def _names(opened: Opened, texts: list[Text]) -> list[Crumb]:
    """Where the resources are renamed that have texts as their names."""
    entries = [entry for text in texts if (entry := opened.find(text.text)) is not None]
    return [Crumb(entry.name, rename_href(opened, entry)) for entry in entries]


def seen_by_players(opened: Opened) -> dict[str, str] | None:
    """The texts that players see, each with what else it is; None where that is not known."""
    document = opened.document
    if not has_texts(document) or getattr(document, "is_native", False):
        return None

    def find() -> dict[str, str] | None:
        try:
            messages = translate.extract(document)
        except FormatError:
            return None
        return {
            entry.msgid: next(
                (
                    line.removeprefix(_WARNING)
                    for line in entry.comment.split("\n")
                    if line.startswith(_WARNING)
                ),
                "",
            )
            for entry in messages
        }

    return opened.remember("seen by players", find, lambda made: 200 * len(made or ()) + 100)
