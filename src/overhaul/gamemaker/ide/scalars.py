"""The values that have no parts, as GameMaker prints them."""

from __future__ import annotations

from typing import Final

from overhaul.errors import EncodeError
from overhaul.gamemaker.ide.styles import Style, real_text
from overhaul.gamemaker.ide.values import Json

_ESCAPES: Final = str.maketrans(
    {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}
)


def scalar(value: Json, style: Style) -> str:
    """The text of a value that has no parts.  Raises EncodeError for what no text can hold."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return string(value, style)
    if isinstance(value, int):
        return str(value)
    if not isinstance(value, float) or value - value != 0:
        raise EncodeError(f"no project can hold the number {value}")
    return real_text(value, style.letter)


def string(text: str, style: Style) -> str:
    """A text in quotes."""
    made = text.translate(_ESCAPES)
    if not made.isprintable():
        made = "".join(c if c >= " " and not _is_half(c) else f"\\u{ord(c):04x}" for c in made)
    return f'"{made.replace("/", chr(92) + "/") if style.letter == "A" else made}"'


def _is_half(character: str) -> bool:
    return "\ud800" <= character <= "\udfff"
