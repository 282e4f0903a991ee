"""The table of all texts of a game (``strings.csv``): read, edited, searched and replaced."""

from __future__ import annotations

import csv
import io
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Final, NamedTuple

from overhaul.errors import WorkspaceError

_LONGEST: Final = 1 << 30
#: A text that is replaced may not become longer.
_LONGEST_TEXT: Final = 1 << 20


class Text(NamedTuple):
    """A text: its ``row`` among all rows, from 0, its ``number``, and its ``kind``: what code makes
    of it; one with a kind can't be edited."""

    row: int
    number: str
    text: str
    kind: str


class Search(NamedTuple):
    """A search in texts: for a part of them, or whole words."""

    text: str
    case: bool = False
    word: bool = False

    def pattern(self) -> re.Pattern[str]:
        """As a regular expression, which takes time in proportion to a text."""
        text = re.escape(self.text)
        if self.word:
            text = rf"(?<!\w){text}(?!\w)"
        return re.compile(text, 0 if self.case else re.IGNORECASE)


class Texts(ABC):
    """All texts of a game; ``digest`` changes when they do; ``path`` is their plain file, or
    their place."""

    digest: str
    path: str

    @abstractmethod
    def texts(self) -> list[Text]:
        """All texts, in their order."""

    @abstractmethod
    def changes(self, new: Mapping[int, str]) -> dict[str, bytes]:
        """The plain files with other texts, by row, as they are then."""

    def found(self, search: Search) -> list[Text]:
        """The texts in which something is found."""
        pattern = search.pattern()
        return [text for text in self.texts() if pattern.search(text.text)]

    def replaced(self, search: Search, by: str) -> dict[int, str]:
        """The texts, by row, that replacing changes: those that can be edited.

        Raises WorkspaceError where a text would be too long.
        """
        pattern = search.pattern()
        made: dict[int, str] = {}
        for text in self.texts() if search.text else ():
            if text.kind:
                continue
            count = len(pattern.findall(text.text))
            if count * len(by) > _LONGEST_TEXT:
                raise WorkspaceError(f"the text {text.number} would be too long")
            new = pattern.sub(lambda found: by, text.text)
            if new != text.text:
                made[text.row] = new
        return made


class TextTable(Texts):
    """A table of texts: the plain file at ``path``. Raises WorkspaceError for a table that is
    not CSV with a column ``text``."""

    def __init__(self, data: bytes, path: str = "", digest: str = "") -> None:
        self.path = path
        self.digest = digest
        limit = csv.field_size_limit(_LONGEST)
        try:
            text = data.decode("utf-8-sig")
            self._rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
        except (csv.Error, UnicodeDecodeError) as error:
            raise WorkspaceError(f"the table of texts can't be read: {error}") from error
        finally:
            csv.field_size_limit(limit)
        self._head: list[str] = self._rows[0] if self._rows else []
        if "text" not in self._head:
            raise WorkspaceError("the table of texts has no column 'text'")
        self._at = self._head.index("text")
        self._lines = "\r\n" if b"\r\n" in data.partition(b"\n")[0] + b"\n" else "\n"

    def texts(self) -> list[Text]:
        """All texts, in their order."""
        return [
            Text(
                number,
                self._cell(row, "index"),
                row[self._at],
                self._cell(row, "kind") or ("bytes" if self._cell(row, "bytes") else ""),
            )
            for number, row in enumerate(self._rows[1:])
            if len(row) > self._at
        ]

    def _cell(self, row: list[str], name: str) -> str:
        at = self._head.index(name) if name in self._head else len(row)
        return row[at] if at < len(row) else ""

    def changes(self, new: Mapping[int, str]) -> dict[str, bytes]:
        """The table with other texts."""
        return {self.path: self.with_texts(new)}

    def with_texts(self, new: Mapping[int, str]) -> bytes:
        """The table with other texts, by row.  Raises WorkspaceError for an unknown row, and one
        that can't be edited."""
        rows = [list(row) for row in self._rows]
        fixed = {text.row: text.kind for text in self.texts()}
        for row, text in new.items():
            if row not in fixed:
                raise WorkspaceError(f"there is no row {row}")
            if fixed[row]:
                raise WorkspaceError(f"row {row} can't be edited: it is {fixed[row]}")
            rows[row + 1][self._at] = text
        out = io.StringIO(newline="")
        csv.writer(out, lineterminator=self._lines).writerows(rows)
        return out.getvalue().encode("utf-8", "surrogateescape")
