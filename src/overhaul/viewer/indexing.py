"""Making the index of a game: a program of its own, so that pages stay quick meanwhile.

``python -m overhaul.programs overhaul.viewer.indexing SOURCE FILE`` writes the index and prints
lines of progress: how many texts are done, how many there are; or ``!`` and why it can't be made.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import sys
import time
from collections.abc import Callable, Container, Iterator
from functools import partial

from overhaul.errors import OverhaulError
from overhaul.folder.texts import TEXTS
from overhaul.viewer.matching import ROW, rows_of
from overhaul.viewer.opened import ListedResource, Opened, anchor_of, load_source
from overhaul.viewer.pages.generic import fields_of, is_fields

#: A longer text, and what is beyond so much of all, is not searched; the index says so.
LONGEST = 8 << 20
MOST = 512 << 20
_TABLES = """
    CREATE TABLE names (name TEXT, title TEXT, href TEXT, place TEXT);
    CREATE TABLE files (
        id INTEGER PRIMARY KEY, rank INTEGER, kind TEXT, href TEXT, anchor TEXT, path TEXT,
        text TEXT
    );
    CREATE TABLE left_out (path TEXT, reason TEXT);
"""
_GRAMS = "CREATE VIRTUAL TABLE grams USING fts5(text, content='files', content_rowid='id', \
tokenize='trigram', detail='none')"
#: texts that players see
_SHOWN = (".csv", ".trs", ".txt")
_LINES = "Lines of code"
_KINDS = {_LINES: 0, "Texts": 1, "Fields": 2}
_STEP = 0.2


def build(source: str, target: str, progress: Callable[[int, int], None]) -> None:
    """Write the index of a file or folder.  Raises what opening it raises."""
    opened = Opened(source, partial(load_source, source))
    with contextlib.closing(sqlite3.connect(target, isolation_level=None)) as index:
        index.executescript("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;" + _TABLES)
        grams = _has_grams(index)
        documents = list(_documents(opened))
        index.execute("BEGIN")
        for document in documents:
            place = document.title if document.parent else ""
            index.executemany(
                "INSERT INTO names VALUES (?, ?, ?, ?)",
                [
                    (_plain(entry.name), listing.title, document.href(entry), place)
                    for listing in document.listings.values()
                    for entry in listing.entries.values()
                ],
            )
        texts = [(document, *text) for document in documents for text in _texts(document)]
        size = 0
        for done, (document, path, entry) in enumerate(texts):
            progress(done, len(texts))
            try:
                text = _plain(_text(document, path, entry))
                size += len(text)
                if len(text) > LONGEST or size > MOST:
                    raise OverhaulError("it is too long")
            except OverhaulError as error:
                index.execute("INSERT INTO left_out VALUES (?, ?)", (path, str(error)))
                continue
            kind = _kind(path)
            row = (
                _KINDS[kind],
                kind,
                document.href(entry),
                _anchor(document, path, entry),
                path,
                text,
            )
            number = index.execute(
                "INSERT INTO files (rank, kind, href, anchor, path, text) VALUES (?,?,?,?,?,?)", row
            ).lastrowid
            if grams:
                index.execute("INSERT INTO grams (rowid, text) VALUES (?, ?)", (number, text))
        index.execute("COMMIT")
        progress(len(texts), len(texts))
    opened.close()


def _has_grams(index: sqlite3.Connection) -> bool:
    """Whether this SQLite can find parts of words by an index."""
    try:
        index.execute(_GRAMS)
    except sqlite3.OperationalError:
        return False
    return True


def _documents(opened: Opened) -> Iterator[Opened]:
    """A document, and those in it."""
    yield opened
    for path in opened.inside.paths():
        try:
            inside = opened.inside.open(path)
        except OverhaulError:
            continue  # not a file of a known format
        yield from _documents(inside)


def _texts(opened: Opened) -> Iterator[tuple[str, ListedResource]]:
    """The plain files to search, with the resource whose page shows each."""
    for path in opened.files:
        if not path.endswith(TEXTS):
            continue
        if path.endswith(".asm") and f"{path.removesuffix('.asm')}.gml" in opened.files:
            continue
        entry = opened.entry_at(path)
        if entry is None:
            continue
        if entry.path == path and opened.sharing(entry) > 1:
            listing = opened.listings[entry.slug]
            yield from ((path, entry) for entry in listing.entries.values() if entry.path == path)
        else:
            yield path, entry


def _text(opened: Opened, path: str, entry: ListedResource) -> str:
    """A text as the page of a resource shows it: its part of a file that lists many."""
    file = opened.files[path]
    if entry.path == path and path.endswith(".json") and opened.sharing(entry) > 1:
        return json.dumps(fields_of(opened, entry, [file]), indent=2, ensure_ascii=False)
    text = file.read().decode("utf-8", "replace").replace("\r\n", "\n")
    return _texts_alone(text, opened.by_name) if opened.lists_texts(path) else text


def _texts_alone(text: str, names: Container[str]) -> str:
    """The texts of a table of all strings that are not names, each at the line of its row."""
    return "\n".join(
        row[1].replace("\n", " ")
        if len(row) > 1 and not any(row[2:]) and row[1] not in names
        else ""
        for row in rows_of(text)[1]
    )


def _anchor(opened: Opened, path: str, entry: ListedResource) -> str:
    """The names of a text's lines on the page; empty for fields, which do not have lines."""
    if opened.lists_texts(path):
        return ROW
    return "" if is_fields(entry, opened.files[path]) else anchor_of(entry, path)


def _kind(path: str) -> str:
    if path.endswith(".json"):
        return "Fields"
    return "Texts" if path.endswith(_SHOWN) else _LINES


def _plain(text: str) -> str:
    """Text without what SQLite can't store."""
    return text.encode("utf-8", "replace").decode("utf-8")


def main(arguments: list[str]) -> int:
    """Write the index of a file; print its progress."""
    with contextlib.suppress(AttributeError, OSError):
        os.nice(10)
    last = 0.0

    def progress(done: int, total: int) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last > _STEP or done == total:
            last = now
            sys.stdout.write(f"{done} {total}\n")
            sys.stdout.flush()

    try:
        build(arguments[0], arguments[1], progress)
    except (OverhaulError, OSError) as error:
        sys.stdout.write("! " + " ".join(str(error).split()) + "\n")
        return 1
    return 0
