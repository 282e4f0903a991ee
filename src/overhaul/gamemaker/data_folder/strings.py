"""strings.csv: all texts of a game, in order; an edited row changes that text."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping

from overhaul.errors import WorkspaceError
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.strings import String, StringTable
from overhaul.gamemaker.data_folder.edits import GameEdits
from overhaul.gamemaker.data_folder.tables import AUDIO_GROUPS, FEATURE_FLAGS, GENERAL, OPTIONS
from overhaul.schema import Record

STRINGS = "strings.csv"
HEADER = ["index", "text"]
_LONGEST_FIELD = 1 << 30
_PLAIN = re.compile(r'[^",\r\n\0]*').fullmatch


def write_strings(table: StringTable) -> bytes:
    """The rows ``index,text``; a text that is not UTF-8 has its bytes in a third column."""
    rows = [",".join(HEADER)]
    rows += [_row(index, string) for index, string in enumerate(table)]
    return ("\n".join(rows) + "\n").encode("utf-8")


def _row(index: int, string: String) -> str:
    text = str(string)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return f"{index},{_cell(string.raw.decode('utf-8', 'replace'))},{string.raw.hex()}"
    return f"{index},{_cell(text)}"


def _cell(text: str) -> str:
    """A text as CSV; quoted wherever some program might read it otherwise."""
    if _PLAIN(text) and text.strip() == text:
        return text
    return '"' + text.replace('"', '""') + '"'


def read_strings(data: bytes, path: str) -> list[str]:
    """The texts, in order of their index.  Raises WorkspaceError naming the row."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise WorkspaceError(f"{path}: not text in UTF-8: {error}") from None
    limit = csv.field_size_limit(_LONGEST_FIELD)
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    except csv.Error as error:
        raise WorkspaceError(f"{path}: not valid CSV: {error}") from None
    finally:
        csv.field_size_limit(limit)
    if rows and rows[0][:1] == HEADER[:1]:
        rows = rows[1:]
    found: dict[int, str] = {}
    following = 0
    for number, row in enumerate(rows, 2):
        if not row:
            continue
        where = f"{path}: row {number}"
        if len(row) < 2:
            raise WorkspaceError(f"{where}: expected an index and a text")
        mark = row[0].strip()
        if mark and not (mark.isascii() and mark.isdigit()):
            raise WorkspaceError(f"{where}: {mark!r} is not an index")
        index = int(mark) if mark else following
        if index in found:
            raise WorkspaceError(f"{where}: the index {index} occurs twice")
        found[index] = _text(row, where)
        following = max(following, index + 1)
    if found and max(found) >= len(found):
        missing = next(i for i in range(len(found) + 1) if i not in found)
        raise WorkspaceError(
            f"{path}: the string {missing} is missing (strings keep their numbers: empty the text "
            "instead of removing its row)"
        )
    return [found[index] for index in range(len(found))]


def _text(row: list[str], where: str) -> str:
    if len(row) > 2 and row[2]:
        try:
            raw = bytes.fromhex(row[2])
        except ValueError:
            raise WorkspaceError(f"{where}: the third column is not hexadecimal") from None
        if raw.decode("utf-8", "replace") == row[1]:
            return raw.decode("utf-8", "surrogateescape")
    return row[1]


# ---------------------------------------------------------------------------- edits of a game's


class StringEdits:
    """The texts of strings.csv: new rows become strings at once, edited ones at the very end, so
    that a file without edits never undoes the edit of a string that it shows."""

    def __init__(self, edits: GameEdits) -> None:
        self.edits = edits
        self.game = edits.game
        self._texts: list[str] = []

    def add(self) -> None:
        """Add the new rows; in a new game, make the whole table."""
        edits = self.edits
        if not edits.edited(STRINGS):
            return
        texts = read_strings(edits.bytes(STRINGS), STRINGS)
        table = self.game.strings
        if edits.fresh:  # the file is the whole table
            table.clear()
            table.forget()
        elif len(texts) < len(table):
            raise WorkspaceError(
                f"{STRINGS}: there are {len(table)} strings, but {len(texts)} rows (strings keep "
                "their numbers: empty the text instead of removing its row)"
            )
        for text in texts[len(table) :]:
            table.add_new(text)
        if edits.fresh:
            _adopt_strings(self.game)
        else:
            self._texts = texts

    def change(self) -> None:
        """Change the strings whose rows were edited."""
        strings = self.game.strings
        for number, (string, text) in enumerate(zip(strings, self._texts, strict=False)):
            if string != text:
                strings[number] = text
        strings.forget()


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
