"""strings.csv: all texts of a game, in order; an edited row changes that text.

The columns are ``index``, ``text``, ``kind`` (what code makes of the text) and, for texts that are
not UTF-8, ``bytes``.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from overhaul.errors import PlainFileError
from overhaul.gamemaker.data.chunks.seqn import FRAMES_BY_MODEL
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.strings import String
from overhaul.gamemaker.data_folder.edits import GameEdits
from overhaul.gamemaker.data_folder.tables import AUDIO_GROUPS, FEATURE_FLAGS, GENERAL, OPTIONS
from overhaul.schema import Record

COLUMNS = ("index", "text", "kind", "bytes")
_LONGEST_FIELD = 1 << 30
_PLAIN = re.compile(r'[^",\r\n\0]*').fullmatch
_BREAK = re.compile(r"\r\n|\r|\n")
_LONE_RETURN = re.compile(r"\r(?!\n)")
_LONE_FEED = re.compile(r"(?<!\r)\n")
#: the first of the characters that stand for a lone CR while rows are split
_PRIVATE = 0xE000


class StringRow(NamedTuple):
    """A row: ``number`` is None for a new text; ``at`` is its file, and what errors call it."""

    at: tuple[str, str]
    number: int | None
    text: str
    kind: str


class Rows(NamedTuple):
    """The rows of a file, by kind.

    ``converted``: whether the program that wrote it made all line breaks in texts the same.
    ``ignored``: the unknown columns, in words.
    """

    rows: list[StringRow]
    converted: bool
    ignored: str


# -------------------------------------------------------------------------------------- writing


def write_rows(table: Iterable[String], kinds: Mapping[int, str]) -> bytes:
    """All texts; one that is not UTF-8 has its bytes too."""
    rows = [_row(index, string, kinds.get(index, "")) for index, string in enumerate(table)]
    width = max([3, *(len(row) for row in rows)])
    lines = [",".join(COLUMNS[:width]), *(",".join(row) for row in rows)]
    return ("\n".join(lines) + "\n").encode("utf-8")


def _row(index: int, string: String, kind: str) -> list[str]:
    try:
        string.encode("utf-8")
    except UnicodeEncodeError:
        raw = string.raw
        return [str(index), _cell(raw.decode("utf-8", "replace")), kind, raw.hex()]
    return [str(index), _cell(string), *([kind] if kind else [])]


def _cell(text: str) -> str:
    """A text as CSV, quoted where a program might misread it."""
    if _PLAIN(text) and text.strip() == text:
        return text
    return '"' + text.replace('"', '""') + '"'


# -------------------------------------------------------------------------------------- reading


def read_rows(data: bytes, path: str) -> Rows:
    """The rows of a file.  Raises WorkspaceError naming the row."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise PlainFileError(f"not text in UTF-8: {error}", path) from None
    try:
        cells = _split(text)
    except csv.Error as error:
        raise PlainFileError(f"not valid CSV: {error}", path) from None
    names: Sequence[str] = COLUMNS
    has_names = bool(cells) and (cells[0][:1] == ["index"] or {"index", "text"} <= {*cells[0]})
    if has_names:
        names = cells[0] if len(cells[0]) > 2 else [*cells[0], "bytes"]  # as it was once
    column = {name: place for place, name in reversed(list(enumerate(names)))}
    if "text" not in column:
        raise PlainFileError(f"expected a column 'text', got {', '.join(names)}", path, "row 1")
    numbers: dict[int, tuple[str, str]] = {}
    rows = []
    longest = 0
    for number, row in enumerate(cells[has_names:], 1 + has_names):
        if not row:
            continue
        longest = max(longest, len(row))
        read = _read_row(row, column, (path, f"row {number}"))
        if read.number is not None and numbers.setdefault(read.number, read.at) != read.at:
            raise PlainFileError(f"the index {read.number} occurs twice", *read.at)
        rows.append(read)
    strange = [repr(name) for name in names if name not in COLUMNS]
    if longest > len(names):
        strange.append(f"those after the column {len(names)}")
    converted = not _LONE_FEED.search(text) or not any("\r" in row.text for row in rows)
    return Rows(rows, converted, ", ".join(strange))


def _split(text: str) -> list[list[str]]:
    """The cells of CSV, where a lone CR need not be quoted."""
    mark = ""
    if "\n" in text and _LONE_RETURN.search(text):
        mark = next(c for c in map(chr, range(_PRIVATE, 0x10000)) if c not in text)
        text = _LONE_RETURN.sub(mark, text)
    limit = csv.field_size_limit(_LONGEST_FIELD)
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    finally:
        csv.field_size_limit(limit)
    return [[cell.replace(mark, "\r") for cell in row] for row in rows] if mark else rows


def _read_row(row: list[str], column: Mapping[str, int], at: tuple[str, str]) -> StringRow:
    def cell(name: str) -> str:
        at = column.get(name, len(row))
        return row[at] if at < len(row) else ""

    if column["text"] >= len(row):
        raise PlainFileError("expected an index and a text", *at)
    mark = cell("index").strip()
    if mark and not (mark.isascii() and mark.isdigit() and len(mark) < 10):
        raise PlainFileError(f"{mark!r} is not an index", *at)
    text = cell("text")
    if cell("bytes"):
        try:
            raw = bytes.fromhex(cell("bytes"))
        except ValueError:
            raise PlainFileError("the column bytes is not hexadecimal", *at) from None
        if raw.decode("utf-8", "replace") == text:
            text = raw.decode("utf-8", "surrogateescape")
    return StringRow(at, int(mark) if mark else None, text, cell("kind").strip())


# ---------------------------------------------------------------------------------- line breaks


def same_but_breaks(one: str, two: str) -> bool:
    """Whether two texts are the same, or differ in how their lines end."""
    return one == two or _BREAK.sub("\n", one) == _BREAK.sub("\n", two)


def with_breaks_of(text: str, before: str) -> str:
    """A text whose lines end as those of the text before; LF where that has several ways."""
    kinds = set(_BREAK.findall(before))
    return _BREAK.sub(kinds.pop() if len(kinds) == 1 else "\n", text)


STRINGS = "strings.csv"
#: the kinds of texts that code finds by their name, so that they are not edited here
BUILT_IN = "built-in"
CODE = "code"
_WHAT = {BUILT_IN: "the name of something built-in", CODE: "a name in code"}


def show_strings(game: GameData) -> bytes:
    """The file of a game."""
    return write_rows(game.strings, kinds_of_strings(game))


def kinds_of_strings(game: GameData) -> dict[int, str]:
    """The texts that are names in code, by number: of built-in functions and variables, or of
    the game's own functions, variables and code entries; and the names of kinds of tracks."""
    kinds = {s.number: BUILT_IN for s in game.strings if s in FRAMES_BY_MODEL}
    if game.is_native or "CODE" not in game.chunks:
        return kinds
    context = game.language.context
    functions, variables = context.builtin_functions, context.builtin_variables
    for names, known in (
        ((entry.name for entry in game.records.code.present()), ()),
        ((variable.name for variable in game.variables.present()), variables),
        ((function.name for function in game.functions.present()), functions),
    ):
        for name in names:
            if isinstance(name, String):
                is_known = name in known or name.startswith("@@")
                kinds[name.number] = BUILT_IN if is_known else kinds.get(name.number, CODE)
    return kinds


# ---------------------------------------------------------------------------- edits of a game's


class StringEdits:
    """The texts of strings.csv: new rows become strings at once, edited ones at the very end, so
    that a file without edits never undoes the edit of a string that it shows."""

    def __init__(self, edits: GameEdits) -> None:
        self.edits = edits
        self.game: GameData = edits.game
        #: the edited texts, by number
        self._texts: dict[int, str] = {}

    def add(self) -> None:
        """Add the new rows; in a new game, make the whole table."""
        edits, table = self.edits, self.game.strings
        if not edits.edited(STRINGS):
            return
        rows = read_rows(edits.bytes(STRINGS), STRINGS)
        if rows.ignored:
            edits.findings.warn("no-effect", f"these columns are ignored: {rows.ignored}", STRINGS)
        if edits.fresh:  # the file is the whole table
            table.clear()
            table.forget()
            if rows.converted and any("\r\n" in row.text for row in rows.rows):
                edits.findings.warn(
                    "changed-with-it",
                    "all lines end in CR LF, and so do the lines of its texts now",
                    STRINGS,
                )
        else:
            self._find_edits(rows)
        stored = len(table)
        new = {row.number: row.text for row in rows.rows if row.number is not None}
        for number in range(stored, max(new, default=-1) + 1):
            if number not in new:
                raise PlainFileError(
                    f"the string {number} is missing, and later ones are there", STRINGS
                )
            table.add_new(new[number])
        for row in rows.rows:
            if row.number is None:
                table.add_new(row.text)
        if edits.fresh:
            _adopt_strings(self.game)

    def _find_edits(self, rows: Rows) -> None:
        """Find the edited rows of existing strings; rows may be left out."""
        table = self.game.strings
        kinds: dict[int, str] | None = None
        here = sum(row.number is not None and row.number < len(table) for row in rows.rows)
        if here < len(table):
            self.edits.findings.warn(
                "no-effect",
                f"{len(table) - here} strings have no row, and stay as they are",
                STRINGS,
            )
        for row in rows.rows:
            if row.number is None or row.number >= len(table):
                continue
            before = str(table[row.number])
            text = self._text_of(row, before, converted=rows.converted)
            if text == before and not row.kind:
                continue
            if kinds is None:
                kinds = kinds_of_strings(self.game)
            kind = kinds.get(row.number, "")
            if row.kind not in ("", kind):
                raise PlainFileError(
                    f"kind: {row.kind!r} has no effect: code decides which texts are names",
                    *row.at,
                )
            if text == before:
                continue
            if kind:
                raise PlainFileError(
                    f"{before!r:.60} is {_WHAT[kind]}, which another text would break: edit the "
                    "code that shows it instead",
                    *row.at,
                )
            self._texts[row.number] = text
            if before.isidentifier() and not text.isidentifier() and self._is_asset(before):
                self.edits.findings.warn(
                    "renamed",
                    f"{before!r} is the name of a resource, which code can't call {text!r:.60}: "
                    "it shows the number instead",
                    *row.at,
                )

    def _is_asset(self, name: str) -> bool:
        """Whether code knows a resource by this name."""
        game = self.game
        has_code = not game.is_native and "CODE" in game.chunks
        return has_code and game.language.context.asset_id(name) is not None

    def _text_of(self, row: StringRow, before: str, *, converted: bool) -> str:
        """The text that a row means, where the program that wrote it may have changed more than
        somebody asked for: line breaks, and bytes that are not UTF-8."""
        shown = before.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
        if row.text == shown or (converted and same_but_breaks(row.text, shown)):
            return before
        text = with_breaks_of(row.text, before) if converted else row.text
        if before == row.text + "\r":  # not quoted, it looks like the end of the row
            text = before
        if text != row.text:
            self.edits.findings.warn(
                "no-effect",
                f"the lines of the text end as they did before ({_ends(before)})",
                *row.at,
            )
        return text

    def change(self) -> None:
        """Change the strings whose rows were edited."""
        strings = self.game.strings
        for number, text in self._texts.items():
            strings[number] = text
        strings.forget()


def _ends(text: str) -> str:
    """The words for how the lines of a text end."""
    return "CR LF" if "\r\n" in text else "CR" if "\r" in text else "LF"


def _adopt_strings(game: GameData) -> None:
    """Point the fields of a new game at the strings of strings.csv; others keep theirs."""
    by_text = {string: string for string in reversed(game.strings)}
    for table in (GENERAL, OPTIONS, AUDIO_GROUPS, FEATURE_FLAGS):
        record = game.record(table.chunk)
        if record is not None:
            _adopt(record, by_text)


def _adopt(record: Record, by_text: Mapping[String, String]) -> None:
    for name in type(record).__struct_fields__:
        value = getattr(record, name)
        if isinstance(value, String):
            setattr(record, name, by_text.get(value, value))
        elif isinstance(value, list):
            for index, item in enumerate(value):
                if isinstance(item, String):
                    value[index] = by_text.get(item, item)
                elif isinstance(item, Record):
                    _adopt(item, by_text)
