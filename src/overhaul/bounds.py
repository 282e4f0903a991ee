"""Bounds for the memory that reading a file may take, in proportion to the size of the file.

A small file can ask for a lot: an archive unpacks to a thousand times its size, a text makes an
object of every few bytes.  The reader of such a file makes a :class:`Budget` of its size, and takes
from it *before* the memory is used: the size that a member of an archive unpacks to, the rows of a
table, the elements of a tree.  The same budget goes through containers in containers.
"""

from __future__ import annotations

import os
import re
from typing import Final

from overhaul.errors import FormatError

TYPE_CHECKING = False

#: the bytes that any file may take, and in addition this many times its own size
LEAST: Final = 64 << 20
TIMES: Final = 16

#: the bytes that a game in an archive may unpack to, or this many times the size of the archive:
#: reading all of a game, and writing it, takes five times its size
GAME_LEAST: Final = 40 << 20
GAME_TIMES: Final = 8

#: the average memory of a message, an element of XML, and a line of a text
MESSAGE: Final = 1500
ELEMENT: Final = 400
LINE: Final = 150
#: the memory of a value of JSON, by the character that begins it
_JSON_COSTS: Final = {b"{": 300, b"[": 100, b",": 40, b'"': 30}
#: a text of JSON takes itself, and as characters once more, of up to four bytes
_JSON_TEXT: Final = 2
_WIDE: Final = 5
_BEYOND_UTF16: Final = re.compile(rb"[\xf0-\xff]")


#: the environment variable that raises what compressed parts of a file may expand to
EXPANSION: Final = "OVERHAUL_MAX_EXPANSION"
_SIZE: Final = re.compile(r"(\d{1,6}) *(|k|M|G)i?B?", re.IGNORECASE)
_UNITS: Final = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}


def size_of(text: str) -> int:
    """The bytes of a size in words: ``512MB``, ``2 GB``.  Raises ValueError."""
    found = _SIZE.fullmatch(text.strip())
    if found is None:
        raise ValueError(f"{text!r} is not a size: expected one like 512MB or 2GB")
    return int(found[1]) * _UNITS[found[2].lower()]


def expansion(usual: int) -> int:
    """The bytes that compressed parts may expand to: ``usual``, or what the person allows by
    ``OVERHAUL_MAX_EXPANSION``, if that is more.  Raises FormatError where that is not a size."""
    try:
        return max(usual, size_of(os.environ.get(EXPANSION, "0")))
    except ValueError as error:
        raise FormatError(f"{EXPANSION}: {error}") from None


class Budget:
    """The bytes that reading a file of ``size`` bytes may still take.

    ``source`` is the name of the file for errors.
    """

    __slots__ = ("left", "most", "size", "source")

    def __init__(
        self, size: int, source: str | None = None, *, least: int = LEAST, times: int = TIMES
    ) -> None:
        self.size: int = size
        self.source: str | None = source
        self.most: int = least + times * size
        self.left: int = self.most

    @classmethod
    def of_games(cls, size: int, source: str | None = None) -> Budget:
        """The budget of an archive of games, with archives in it."""
        return cls(size, source, least=max(0, GAME_LEAST - GAME_TIMES * size), times=GAME_TIMES)

    def take(self, count: int, what: str) -> None:
        """Take ``count`` bytes for ``what``.  Raises FormatError where these are not left."""
        if count > self.left:
            raise FormatError(
                f"{what}: {_size(count)} in memory, but a file of {_size(self.size)} may take "
                f"{_size(self.most)} at most, and {_size(self.left)} of these are left",
                source=self.source,
            )
        self.left -= count

    def take_json(self, data: bytes, what: str) -> None:
        """Take the memory of the values of a JSON text, which are counted without reading it."""
        text = _WIDE if _BEYOND_UTF16.search(data) else _JSON_TEXT
        cost = sum(data.count(mark) * each for mark, each in _JSON_COSTS.items())
        self.take(cost + text * len(data), what)

    def take_lines(self, data: bytes, what: str) -> None:
        """Take the memory of the lines of a text."""
        self.take(data.count(b"\n") * LINE + 2 * len(data), what)


def _size(count: int) -> str:
    if count < 1 << 20:
        return f"{count} bytes"
    return f"{count / (1 << 20):.0f} MB"
