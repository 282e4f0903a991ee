"""How releases of GameMaker write their JSON: which wrote a text, and how it writes numbers.

The letters are those of the releases: A is 2.0 to 2.2, B 2.3 to 2022.6, C 2022.8 to 2023.11 (and
the LTS of 2022), D 2024.2 and later.  Source: the files themselves (``docs/formats/yyp.md``).
"""

from __future__ import annotations

import math
import re
import struct
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from overhaul.gamemaker.ide.values import Json

Letter: TypeAlias = Literal["A", "B", "C", "D"]

_FIRST_KEY: Final = re.compile(r'\s*\{\s*"((?:[^"\\]|\\.)*)":( ?)')
_INLINE_CHANNELS: Final = re.compile(r'"Channels":\{"')
_LINE: Final = re.compile(r"\r?\n")
#: Keys in the text of A, within the first lines.
_OLD_KEYS: Final = ('"mvc":', '"modelName":', '"__type":')
#: These lines have them.
_HEAD: Final = 4000


@dataclass(frozen=True, slots=True)
class Style:
    """How a text is written.

    ``letter`` is the release.  ``room``: the form of rooms in A, whose text begins with an empty
    line.  ``flat``: the form of some texts in D, with the channels of keyframes on one line.
    """

    letter: Letter
    newline: str = "\n"
    room: bool = False
    flat: bool = False
    ending: str = ""

    @property
    def colon(self) -> str:
        """The characters between a key and its value on a line of its own."""
        return ":" if self.letter == "D" else ": "


def style_of(text: str) -> Style:
    """How a text is written."""
    line = _LINE.search(text)
    newline = line[0] if line else "\n"
    ending = text[len(text.rstrip()) :]
    first = _FIRST_KEY.match(text)
    if any(key in text[:_HEAD] for key in _OLD_KEYS):
        return Style("A", newline, room=text[:1] in "\r\n", ending=ending)
    if first is None:
        return Style("D", newline, ending=ending)
    key, blank = first.groups()
    if not blank:
        return Style("D", newline, flat=bool(_INLINE_CHANNELS.search(text)), ending=ending)
    return Style("C" if key == "resourceType" else "B", newline, ending=ending)


# --- numbers ----------------------------------------------------------------------------------

_SINGLE: Final = struct.Struct("<f")
#: So many digits distinguish any two singles.
_SINGLE_DIGITS: Final = 9
#: A number of so few digits is the shortest text of its single.
_SURE_DIGITS: Final = 6


def single(value: float) -> float:
    """The number that GameMaker stores for another: the shortest text of the nearest single."""
    return float(_shortest(value))


@lru_cache(maxsize=4096)
def real_text(value: float, letter: Letter) -> str:
    """A real as a release prints it."""
    if letter == "A":
        return _printed(repr(value), point=False)
    short = _shortest(value)
    return _printed(short if float(short) == value else repr(value), point=True)


def _shortest(value: float) -> str:
    """The shortest text that reads back as the same single."""
    text = repr(value)
    if len(text.partition("e")[0].replace(".", "").strip("-0")) <= _SURE_DIGITS:
        return text
    if not math.isfinite(value) or abs(value) > 3.4e38:
        return text
    stored = _SINGLE.pack(value)
    (value,) = _SINGLE.unpack(stored)
    return next(
        short
        for digits in range(_SURE_DIGITS, _SINGLE_DIGITS + 1)
        if _SINGLE.pack(float(short := f"{value:.{digits}g}")) == stored
    )


def _printed(text: str, *, point: bool) -> str:
    """A number as .NET writes it: ``1.5E-05``, and with a point, or without one if it is whole."""
    digits, _, exponent = text.partition("e")
    power = int(exponent or 0)
    if power > 0:
        digits, power = f"{float(text):.12f}".rstrip("0"), 0
        digits += "0" if digits.endswith(".") else ""
    if "." not in digits and not power:
        digits += ".0"
    if digits.endswith(".0") and (power or not point):
        digits = digits[:-2]
    return f"{digits}E{'-' if power < 0 else '+'}{abs(power):02}" if power else digits


def is_number(value: Json) -> bool:
    """Whether a value is a number."""
    return isinstance(value, int | float) and not isinstance(value, bool)
