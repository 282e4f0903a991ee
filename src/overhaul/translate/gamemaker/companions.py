"""The companion files of a GameMaker game that its code reads."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from fnmatch import translate
from pathlib import Path
from typing import Final, NamedTuple

from overhaul.errors import FormatError
from overhaul.gamemaker.data.game import GameData
from overhaul.translate.results import GameFile
from overhaul.translate.rules import Rules

_MOST: Final = 10_000
_DEPTH: Final = 5


def read_files(game: GameData, named: Mapping[tuple[str, str], list[str]]) -> list[GameFile]:
    """The files that the game's code reads, those next to it first.  ``named`` are those of
    :attr:`ShownTexts.files`.

    A name that code puts together has ``*`` for what is not written.
    """
    companions = list(_companions(game))
    there: dict[str, GameFile] = {}
    absent: dict[str, GameFile] = {}
    for (pattern, function), entries in named.items():
        matches = _like(pattern)
        matched = [path for path in companions if matches(path.lower())]
        for path in matched:
            there.setdefault(path, GameFile(path, pattern, function, entries[0], True))
        if not matched:
            absent.setdefault(pattern, GameFile("", pattern, function, entries[0], False))
    return [*(there[path] for path in sorted(there)), *absent.values()]


def catalogues(game: GameData, files: Iterable[GameFile], rules: Rules | None) -> list[Catalogue]:
    """The texts of those files that the rules name.  Raises FormatError for one that can't be
    read."""
    if rules is None or not rules.include.files or game.source is None:
        return []
    folder = Path(game.source).parent
    return [
        Catalogue((folder / file.path).read_bytes(), file.path)
        for file in files
        if file.found and file.path.lower().endswith(READ) and rules.include.file(file.path)
    ]


def _companions(game: GameData) -> Iterator[str]:
    """The paths of the files in the folder of a game, with ``/``; links are not followed."""
    if game.source is None or not Path(game.source).is_file():
        return
    folder = os.fspath(Path(game.source).parent)
    count = 0
    for place, folders, names in os.walk(folder):
        inside = place[len(folder) :].strip(os.sep)
        folders.sort()
        if inside and inside.count(os.sep) + 1 >= _DEPTH:
            folders.clear()
        for name in sorted(names):
            count += 1
            if count > _MOST:
                return
            if os.path.isfile(os.path.join(place, name)):
                yield f"{inside.replace(os.sep, '/')}/{name}" if inside else name


def _like(pattern: str) -> Callable[[str], object]:
    """Whether a path in small letters may be what code names; games read files of folders that the
    code begins with (``working_directory + ...``)."""
    pattern = pattern.lower()
    inner = translate(pattern.removeprefix("*").lstrip("/"))
    return re.compile(f"{inner}|{translate(pattern)}").match


#: the kinds of files whose texts can be translated, by the ends of their names
# -- texts in companion files ----------------------------------------------------------------------

READ: Final = (".json", ".csv")
_LONGEST: Final = 16_000_000
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"(\s*:)?')
_CELL = re.compile(r'("(?:[^"]|"")*"|[^",\r\n][^,\r\n]*|)(,|\r\n|\n|\r|\Z)')
_NAME = re.compile(r"[\w.-]*")


class Span(NamedTuple):
    """A text in a file: from which letter to which, and its line."""

    text: str
    begin: int
    end: int
    line: int


class Catalogue:
    """A file's texts.  Raises FormatError for what is not JSON or CSV in UTF-8."""

    def __init__(self, data: bytes, name: str) -> None:
        self.name = name
        if len(data) > _LONGEST:
            raise FormatError(f"expected at most {_LONGEST} bytes, got {len(data)}", source=name)
        try:
            self._source = data.decode("utf-8")
        except UnicodeDecodeError as error:
            raise FormatError(f"not a text in UTF-8: {error}", source=name) from None
        self._is_json = name.lower().endswith(".json")
        self.texts: list[Span] = list(self._values() if self._is_json else self._cells())

    def replaced(self, new: Mapping[str, str]) -> bytes:
        """The file with other texts; the same bytes where none of them is in it."""
        parts, at = [], 0
        for text, begin, end, _ in self.texts:
            if text in new:
                written = self._written(new[text], self._source[begin:end])
                parts += [self._source[at:begin], written]
                at = end
        return "".join([*parts, self._source[at:]]).encode("utf-8")

    def _written(self, text: str, before: str) -> str:
        if self._is_json:
            return json.dumps(text, ensure_ascii="\\u" in before)
        if before.startswith('"') or any(letter in text for letter in ',"\r\n'):
            return '"' + text.replace('"', '""') + '"'
        return text

    def _values(self) -> Iterator[Span]:
        try:
            json.loads(self._source.removeprefix("\ufeff"))
        except (ValueError, RecursionError) as error:
            raise FormatError(f"not JSON: {error}", source=self.name) from None
        line, last = 1, 0
        for found in _STRING.finditer(self._source):
            line += self._source.count("\n", last, found.start())
            last = found.start()
            if found[1] is None:
                text = json.loads(found[0], strict=False)
                yield Span(text, found.start(), found.end(), line)

    def _cells(self) -> Iterator[Span]:
        rows: list[list[Span]] = [[]]
        at, line = int(self._source.startswith("\ufeff")), 1
        while at <= len(self._source):
            match = _CELL.match(self._source, at)
            if match is None:
                raise FormatError(
                    f"line {line}: expected cells with commas between them", source=self.name
                )
            text = match[1]
            if text.startswith('"'):
                text = text[1:-1].replace('""', '"')
            rows[-1].append(Span(text, match.start(1), match.end(1), line))
            line += match[1].count("\n")
            if match[2] != ",":
                rows.append([])
                line += 1
            if not match[2]:
                break
            at = match.end()
        if rows and len(rows) > 2 and all(_NAME.fullmatch(cell.text) for cell in rows[0]):
            del rows[0]  # the names of the columns
        yield from (cell for row in rows for cell in row)
