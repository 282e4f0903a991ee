"""Searching an index: names, and lines of code, texts and fields.

An index is an SQLite file that :mod:`overhaul.viewer.indexing` makes.  A plain text is searched
here; a regular expression in a process of its own (:func:`find_within`), as it may never end.
"""

from __future__ import annotations

import csv
import io
import json
import re
import sqlite3
import subprocess
import sys
import time
from collections.abc import Container, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

from overhaul.programs import command_of, surroundings

How: TypeAlias = Literal["text", "word", "regex"]
#: The longest text one can search for, in characters.
LONGEST = 500
#: Seconds that a search may take.
PATIENCE = 3.0
#: Characters before and after what was found.
_BEFORE, _AFTER = 60, 140
#: A line longer than this is searched in its beginning only by a regular expression.
_LINE = 20_000


class Query(NamedTuple):
    """A search: a text, whole words, or a regular expression; case is disregarded."""

    text: str
    how: How = "text"

    def pattern(self) -> re.Pattern[str]:
        """The query as a regular expression.  Raises ValueError for one that is none."""
        text = self.text if self.how == "regex" else re.escape(self.text)
        if self.how == "word":
            text = rf"(?<!\w){text}(?!\w)"
        try:
            return re.compile(text, re.IGNORECASE)
        except (re.error, OverflowError, RecursionError) as error:
            raise ValueError(f"not a regular expression: {error}") from None

    def words(self) -> list[str]:
        """The words of a plain text of several ones, in lower case; they may be in any order."""
        words = self.text.casefold().split() if self.how == "text" else []
        return list(dict.fromkeys(words)) if len(words) > 1 else []


class Hit(NamedTuple):
    """A name, or a line: what was found in it, with what is before and after.

    ``group`` is the title of a kind for names, else ``Lines of code``, ``Texts`` or
    ``Fields``; ``href``
    has no prefix.
    """

    group: str
    href: str
    where: str
    before: str
    found: str
    after: str


class Hits(NamedTuple):
    """The matches: ``counts`` by group; ``hits`` has the first of each.

    ``whole``: whether all was searched.
    """

    hits: list[Hit]
    counts: dict[str, int]
    whole: bool


def parse(text: str, how: str = "") -> Query:
    """The query that people typed: ``/x+/`` is a regular expression, ``"x"`` whole words, else
    it is text."""
    text = text.strip()[:LONGEST]
    if how == "regex":
        return Query(text, "regex")
    if how == "word":
        return Query(text, "word")
    if len(text) > 2 and text[0] == text[-1] == "/":
        return Query(text[1:-1], "regex")
    if len(text) > 2 and text[0] == text[-1] == '"':
        return Query(text[1:-1], "word")
    return Query(text)


def find(path: Path, query: Query, limit: int, patience: float = PATIENCE) -> Hits:
    """Search an index; at most ``limit`` hits of each group are given.

    After ``patience`` seconds the rest is not searched.

    Raises ValueError for an invalid regular expression.
    """
    pattern = query.pattern()
    if query.how == "regex":
        return find_within(path, query, limit, patience)
    hits: list[Hit] = []
    counts: dict[str, int] = {}
    end = time.monotonic() + patience
    for hit in _hits(path, query, pattern):
        counts[hit.group] = counts.get(hit.group, 0) + 1
        if counts[hit.group] <= limit:
            hits.append(hit)
        elif time.monotonic() > end:
            return Hits(hits, counts, False)
    return Hits(hits, counts, True)


def find_within(path: Path, query: Query, limit: int, patience: float = PATIENCE) -> Hits:
    """As :func:`find`, in a process that is ended after ``patience`` seconds."""
    process = subprocess.Popen(
        command_of("overhaul.viewer.matching", str(path), str(limit)),
        env=surroundings(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    try:
        said, _ = process.communicate(json.dumps(query).encode(), timeout=patience)
    except subprocess.TimeoutExpired:
        process.kill()
        said, _ = process.communicate()
    hits: list[Hit] = []
    counts: dict[str, int] = {}
    for line in said.splitlines():
        try:
            kind, value = json.loads(line)
        except ValueError:  # the last line, cut off
            break
        if kind == "hit":
            hits.append(Hit(*value))
            counts[value[0]] = counts.get(value[0], 0) + 1
        else:
            return Hits(hits, value, True)
    return Hits(hits, counts, False)


def _hits(path: Path, query: Query, pattern: re.Pattern[str]) -> Iterator[Hit]:
    """All hits: names from the nearest on, then lines in the order of the index."""
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as index:
        rows = index.execute("SELECT name, title, href, place FROM names").fetchall()
        matches = [(row, match) for row in rows if (match := pattern.search(row[0]))]
        matches.sort(key=lambda each: distance(each[1], query))
        for (name, title, href, where), match in matches:
            yield Hit(title, href, where, *_around(name, match))
        if not matches:
            near = ((span, row) for row in rows if (span := span_of(row[0], query)))
            for (start, end), (name, title, href, where) in sorted(
                near, key=lambda each: each[0][1] - each[0][0]
            ):
                yield Hit(title, href, where, name[:start], name[start:end], name[end:])
        yield from _scattered_names(rows, query.words(), {row for row, _ in matches})
        statement, values = _statement(index, query)
        for group, href, anchor, where, text in index.execute(statement, values):
            for line, match, content in _lines(text, pattern, query.how):
                place, named = f"{href}#{anchor}{line}", f"{where}:{line}"
                if anchor == ROW:  # rows count from 0
                    place, named = f"{href}{place_of(line - 1)}", f"string {line - 1}"
                elif not anchor:
                    place = f"{href}#fields"
                yield Hit(group, place, named, *_around(content, match))
        yield from _scattered_lines(index, query.words(), pattern)


def _scattered_names(
    rows: Sequence[tuple[str, str, str, str]], words: Sequence[str], known: Container[object]
) -> Iterator[Hit]:
    """The names that have all words, perhaps some in the titles of their kinds, shortest first."""
    found = [
        row for row in rows if words and row not in known and has_all(f"{row[0]} {row[1]}", words)
    ]
    for name, title, href, where in sorted(found, key=lambda row: len(row[0])):
        start, end = span_of_words(name, words)
        yield Hit(title, href, where, name[:start], name[start:end], name[end:])


def has_all(text: str, words: Sequence[str]) -> bool:
    """Whether a text has all words, which are in lower case."""
    folded = text.casefold()
    return all(word in folded for word in words)


def span_of_words(name: str, words: Sequence[str]) -> tuple[int, int]:
    """Where the first of the words is that a name has; nowhere at its beginning for none."""
    folded = name.lower()
    start, word = next(((at, w) for w in words if (at := folded.find(w)) >= 0), (0, ""))
    return start, start + len(word)


def _scattered_lines(
    index: sqlite3.Connection, words: Sequence[str], pattern: re.Pattern[str]
) -> Iterator[Hit]:
    """The lines that have all words which the paths of their files lack; of a file whose lines have
    them one by one, the first line with one of them."""
    if not words:
        return
    for group, href, anchor, where, text in index.execute(*_statement_of_words(index, words)):
        left = [word for word in words if word not in where.casefold()]
        if not left or anchor == ROW or not anchor or not has_all(text, left):
            continue
        first = re.compile(re.escape(max(left, key=len)), re.IGNORECASE)
        found = [each for each in _lines(text, first, "text") if not pattern.search(each[2])]
        whole = [each for each in found if has_all(each[2], left)]
        for line, match, content in whole or found[:1]:
            yield Hit(group, f"{href}#{anchor}{line}", f"{where}:{line}", *_around(content, match))


def _statement_of_words(
    index: sqlite3.Connection, words: Sequence[str]
) -> tuple[str, tuple[str, ...]]:
    """The files that have all words, in their paths or in their texts."""
    indexed = index.execute("SELECT 1 FROM sqlite_master WHERE name = 'grams'").fetchone()
    conditions: list[str] = []
    values: list[str] = []
    for word in words:
        if not word.isascii() or re.search(r"[\\%_]", word):
            continue  # case beyond ASCII, and these signs to LIKE, are compared by Python
        conditions.append("(path LIKE ? OR text LIKE ?)")
        if indexed and len(word) > 2:
            conditions[-1] = "(path LIKE ? OR id IN (SELECT rowid FROM grams WHERE text LIKE ?))"
        values += [f"%{word}%"] * 2
    narrowed = f" WHERE {' AND '.join(conditions)}" if conditions else ""
    return f"SELECT kind, href, anchor, path, text FROM files{narrowed} ORDER BY rank", (*values,)


def distance(match: re.Match[str], query: Query) -> int:
    """How far a name is from what is searched: 0 for the name itself, 1 where case differs,
    2 where it begins so, 3 for others."""
    if match.start():
        return 3
    if match.end() < len(match.string):
        return 2
    return 0 if query.how == "regex" or match.string == query.text else 1


def span_of(name: str, query: Query) -> tuple[int, int] | None:
    """The shortest part of a name that has the letters of a plain text in their order, though not
    next to each other; None where there is none, or the text is a single letter."""
    wanted, name = query.text.casefold(), name.lower()
    if query.how != "text" or len(wanted) < 2:
        return None
    best: tuple[int, int] | None = None
    start = name.find(wanted[0])
    while start >= 0:
        end = start
        for letter in wanted:
            end = name.find(letter, end) + 1
            if not end:
                return best
        if best is None or end - start < best[1] - best[0]:
            best = start, end
        start = name.find(wanted[0], start + 1)
    return best


def _statement(index: sqlite3.Connection, query: Query) -> tuple[str, tuple[str, ...]]:
    """The files in which something may be found."""
    columns = "SELECT kind, href, anchor, path, text FROM files"
    indexed = index.execute("SELECT 1 FROM sqlite_master WHERE name = 'grams'").fetchone()
    # Case beyond ASCII is compared by Python.
    if query.how == "regex" or not query.text.isascii() or len(query.text) < 3 or not indexed:
        return f"{columns} ORDER BY rank", ()
    escaped = re.sub(r"([\\%_])", r"\\\1", query.text)
    narrowed = "id IN (SELECT rowid FROM grams WHERE text LIKE ?)"
    if escaped != query.text:  # LIKE with ESCAPE does not use the index
        pieces = [word for word in re.split(r"[%_\\]", query.text) if len(word) > 2]
        if not pieces:
            return f"{columns} ORDER BY rank", ()
        return f"{columns} WHERE {narrowed} ORDER BY rank", (f"%{max(pieces, key=len)}%",)
    return f"{columns} WHERE {narrowed} ORDER BY rank", (f"%{query.text}%",)


def _lines(
    text: str, pattern: re.Pattern[str], how: str
) -> Iterator[tuple[int, re.Match[str], str]]:
    """The first match of each line, with the number of the line and its text."""
    if how == "regex":
        for number, line in enumerate(text.split("\n"), 1):
            match = pattern.search(line[:_LINE])
            if match is not None:
                yield number, match, line
        return
    number, counted, position = 1, 0, 0
    while match := pattern.search(text, position):
        number += text.count("\n", counted, match.start())
        counted = match.start()
        start = text.rfind("\n", 0, match.start()) + 1
        end = text.find("\n", match.end())
        end = len(text) if end < 0 else end
        line = text[start:end]
        inside = pattern.search(line)
        if inside is not None:
            yield number, inside, line
        position = end


def _around(line: str, match: re.Match[str]) -> tuple[str, str, str]:
    """The text before, in and after a match; long lines are cut."""
    start, end = match.span()
    end = min(end, start + _AFTER)
    before = line[max(0, start - _BEFORE) : start].lstrip()
    if start > _BEFORE:
        before = f"…{before}"
    after = line[end : end + _AFTER].rstrip()
    return before, line[start:end], after + ("…" if len(line) > end + _AFTER else "")


# -- rows of tables ------------------------------------------------------------------------------

#: the text before the number of a row in its anchor; indexes have it for texts that are rows
ROW = "row"
# A string may be as long as its file; the limit is one of the whole program.
csv.field_size_limit(min(sys.maxsize, (1 << 31) - 1))


def rows_of(text: str) -> tuple[list[str], list[list[str]]]:
    """The names of the columns, and the rows, of CSV."""
    cells = [row for row in csv.reader(io.StringIO(text, newline="")) if row]
    if not cells:
        return [], []
    wide = len(cells[0])
    return cells[0], [row + [""] * (wide - len(row)) for row in cells[1:]]


def place_of(number: int) -> str:
    """The end of the address of a table that shows a row."""
    return f"?row={number}#{ROW}{number}"


# -- the program ---------------------------------------------------------------------------------


def main(arguments: list[str]) -> None:
    """The program that :func:`find_within` runs: JSON of a query in, JSON of hits and counts
    out."""
    path, limit = Path(arguments[0]), int(arguments[1])
    query = Query(*json.loads(sys.stdin.read()))
    counts: dict[str, int] = {}
    for hit in _hits(path, query, query.pattern()):
        counts[hit.group] = counts.get(hit.group, 0) + 1
        if counts[hit.group] <= limit:
            sys.stdout.write(json.dumps(["hit", hit]) + "\n")
            sys.stdout.flush()
    sys.stdout.write(json.dumps(["counts", counts]) + "\n")
