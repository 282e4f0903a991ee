"""A text replaced in code: each line is shown before and after, to be chosen or not."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple
from urllib.parse import urlencode

import msgspec

from overhaul.document.registry import folder_format_of
from overhaul.errors import OverhaulError
from overhaul.folder.needed_words import needed_word
from overhaul.viewer.answers import Answer, Asked, DataPage, Moved
from overhaul.viewer.languages import LANGUAGES
from overhaul.viewer.opened import Opened
from overhaul.viewer.pages.edit import code_bytes, form_of, text_of_code
from overhaul.viewer.pages.roomfields import code_of
from overhaul.viewer.writing import must_write
from overhaul.workbench.bench import NothingChanged, StaleEdit
from overhaul.workbench.journal import digest_of
from overhaul.workbench.texts import Search

#: lines that a page lists; those after them are there when these are replaced
MOST: Final = 1000
#: a longer line is shown in its beginning
_LONG: Final = 300
_ROW: Final = re.compile(r"row:(\d{1,9}):(.+)", re.DOTALL)


class Row(msgspec.Struct, frozen=True):
    """A line that replacing changes: its file, its number from 1, and where it is edited."""

    path: str
    line: int
    before: str
    after: str
    href: str
    chosen: bool


class CodePage(msgspec.Struct, frozen=True):
    """The lines of code that change if ``q`` becomes ``by``, at most :data:`MOST`; ``more`` are
    left out.  ``case`` and whole ``words`` were asked for; ``files``: in so many files."""

    q: str
    by: str
    case: bool
    words: bool
    rows: list[Row]
    more: int
    files: int
    before: str
    problem: str
    why: str


class _Source(NamedTuple):
    """A file of code in which something is found: its bytes, and its text as it is edited."""

    path: str
    data: bytes
    text: str


def show_replacing(asked: Asked) -> Answer:
    """``/-/replace-code?q=TEXT&by=TEXT``; a POST with the rows that are chosen is a step."""
    opened = asked.opened
    if asked.method != "POST":
        return _shown(opened, asked.query)
    given = form_of(asked.body)
    pattern, sources = _pattern(given), _sources(opened, given)
    if given.get("before", "") != _digest(sources):
        raise StaleEdit(sources[0].path if sources else "code")
    chosen: dict[str, set[int]] = {}
    for key in given:
        if match := _ROW.fullmatch(key):
            chosen.setdefault(match[2], set()).add(int(match[1]))
    by, q = given.get("by", ""), given.get("q", "")
    changes = {
        source.path: code_bytes(
            _replaced(source.text, pattern, by, chosen[source.path]), source.data
        )
        for source in sources
        if source.path in chosen
    }
    try:
        if not changes:
            raise NothingChanged("no line is chosen")
        must_write(opened.writer).step(changes, f"Replace {q!r} by {by!r} in code")
    except StaleEdit:
        raise
    except OverhaulError as error:
        return _shown(opened, given, str(error), chosen)
    return Moved(f"{opened.prefix}/-/search?{urlencode({'q': by or q, 'saved': 'made'})}")


def replacing_href(opened: Opened, q: str) -> str:
    """Where a text is replaced in code; "" where no code is edited."""
    writer = opened.writer
    if writer is None or writer.why or not any(map(_is_code, opened.files)):
        return ""
    return f"{opened.prefix}/-/replace-code?{urlencode({'q': q})}"


def _is_code(path: str) -> bool:
    return path.endswith(LANGUAGES)


def _pattern(given: Mapping[str, str]) -> re.Pattern[str]:
    text = given.get("q", "")[:1000]
    return Search(text, bool(given.get("case")), bool(given.get("words"))).pattern()


def _sources(opened: Opened, given: Mapping[str, str]) -> list[_Source]:
    """The files of code in which something is found, as far as they can be edited."""
    if not given.get("q") or opened.writer is None:
        return []
    pattern = _pattern(given)
    return [source for source in _read(opened, pattern) if pattern.search(source.text)]


def _read(opened: Opened, pattern: re.Pattern[str]) -> Iterator[_Source]:
    """The files that may have a pattern: others are not decompiled."""
    writer, document = opened.writer, opened.document
    assert writer is not None
    word = needed_word(pattern)
    known = folder_format_of(document.kind)
    there = word and known.search.sources_with(document, word.text, any_case=word.any_case)
    for path in opened.files:
        if not _is_code(path):
            continue
        written = writer.written(path)
        if written is None and there is not None and path.endswith(".gml") and path not in there:
            continue
        data = writer.read(path)
        yield _Source(path, data, text_of_code(data) if written is None else written.rstrip("\n"))


def _digest(sources: list[_Source]) -> str:
    return digest_of("".join(f"{each.path}\0{digest_of(each.data)}\0" for each in sources).encode())


def _replaced(text: str, pattern: re.Pattern[str], by: str, lines: set[int]) -> str:
    """The text with what is found in some of its lines replaced."""
    return "\n".join(
        pattern.sub(lambda match: by, line) if number in lines else line
        for number, line in enumerate(text.split("\n"), 1)
    )


def _shown(
    opened: Opened,
    given: Mapping[str, str],
    problem: str = "",
    chosen: Mapping[str, set[int]] | None = None,
) -> DataPage:
    pattern, sources, by = _pattern(given), _sources(opened, given), given.get("by", "")
    rows = [
        Row(
            source.path,
            number,
            line[:_LONG],
            pattern.sub(lambda match: by, line)[:_LONG],
            code_of(opened, "", source.path),
            "by" in given if chosen is None else number in chosen.get(source.path, ()),
        )
        for source in sources
        for number, line in enumerate(source.text.split("\n"), 1)
        if pattern.search(line)
    ]
    page = CodePage(
        given.get("q", "")[:1000],
        by,
        bool(given.get("case")),
        bool(given.get("words")),
        rows[:MOST],
        max(0, len(rows) - MOST),
        len(sources),
        given.get("before", "") if problem else _digest(sources),
        problem,
        "" if opened.writer is None else opened.writer.why,
    )
    status = 422 if problem else 200
    return DataPage("replacing-code.html", page, "Replace in code", status=status)
