"""Values as GameMaker prints them: a text of a release, made of nothing but its values.

The rules are those of ``docs/formats/yyp.md``.
"""

from __future__ import annotations

from typing import Final

from overhaul.gamemaker.ide.old_rooms import print_room_value
from overhaul.gamemaker.ide.scalars import scalar, string
from overhaul.gamemaker.ide.styles import Style, is_number
from overhaul.gamemaker.ide.values import Json

#: Objects whose keys are names that people gave, or numbers: each entry has a line.
DICTIONARIES: Final = ("Channels", "ConfigValues", "glyphs")
#: Tiles, whose lines are rows of the map in B and C.
TILES: Final = ("TileCompressedData", "TileSerialiseData")
#: Choices, which have a line each in D; other numbers share one.
CHOICES: Final = "tileMode"
#: D writes so many numbers on the line of their key.
_SHORT: Final = 24
#: From so many characters on, D begins another line.
_WIDE: Final = 100


def print_text(value: Json, style: Style) -> str:
    """The whole text of a file.  Raises EncodeError for what no text can hold."""
    if style.room:
        return style.newline + print_room_value(value, style) + style.ending
    return print_value(value, style) + style.ending


def print_value(
    value: Json,
    style: Style,
    depth: int = 0,
    *,
    listed: bool = False,
    key: str = "",
    owner: Json = None,
) -> str:
    """The text of a value inside of ``depth`` others; ``listed``: one of these is a list.

    ``key`` is its key in the object ``owner``, if it is in one.  Raises EncodeError for what no
    text can hold.
    """
    if not isinstance(value, dict | list):
        return scalar(value, style)
    if style.room:
        return print_room_value(value, style, depth, key=key, owner=owner)
    if style.letter == "A":
        return _old(value, style, depth)
    if isinstance(value, dict):
        return _object(value, style, depth, listed=listed, key=key)
    if (value and all(map(is_number, value))) or key in TILES:
        return _numbers(value, style, depth, key=key, owner=owner if listed else None)
    if not value:
        return "[]"
    inner = style.newline + "  " * (depth + 1)
    items = [print_value(item, style, depth + 1, listed=True) for item in value]
    return f"[{inner}{f',{inner}'.join(items)},{style.newline}{'  ' * depth}]"


def _object(value: dict[str, Json], style: Style, depth: int, *, listed: bool, key: str) -> str:
    if not value:
        return "{}"
    dictionary = key in DICTIONARIES and style.letter == "D"
    spread = dictionary and not style.flat
    if not spread and (listed or (style.letter != "D" and depth > 1)):
        members = [
            f"{string(name, style)}:{_member(value, name, style, depth, listed=True)},"
            for name in value
        ]
        return f"{{{''.join(members)}}}"
    colon = ":" if listed else style.colon
    inner = style.newline + "  " * (depth + 1)
    within = listed or dictionary
    members = [
        f"{inner}{string(name, style)}{colon}{_member(value, name, style, depth, listed=within)},"
        for name in value
    ]
    return f"{{{''.join(members)}{style.newline}{'  ' * depth}}}"


def _member(value: dict[str, Json], name: str, style: Style, depth: int, *, listed: bool) -> str:
    return print_value(value[name], style, depth + 1, listed=listed, key=name, owner=value)


def _numbers(value: list[Json], style: Style, depth: int, *, key: str, owner: Json) -> str:
    texts = [scalar(item, style) for item in value]
    inner = style.newline + "  " * (depth + 1)
    outer = style.newline + "  " * depth
    if style.letter != "D" and key in TILES and (texts or owner is not None):
        return _rows(texts, style, owner)
    if not texts:
        return "[]"
    if style.letter != "D" or (key == CHOICES and not style.flat):
        return f"[{inner}{f',{inner}'.join(texts)},{outer}]"
    if len(texts) <= _SHORT:
        return f"[{','.join(texts)},]"
    lines, line = [], ""
    for text in texts:
        line += text + ","
        if len(line) >= _WIDE:
            lines.append(line)
            line = ""
    return f"[{inner}{inner.join([*lines, line] if line else lines)}{outer}]"


def _rows(texts: list[str], style: Style, owner: Json) -> str:
    """Tiles of B and C: a line for each row, and none of the list's own."""
    wide = owner.get("SerialiseWidth") if isinstance(owner, dict) else None
    width = wide if isinstance(wide, int) and wide > 0 else len(texts) or 1
    rows = [texts[start : start + width] for start in range(0, len(texts), width)]
    made = "".join(
        ",".join(row) + "," + (style.newline if len(row) == width else "") for row in rows
    )
    return f"[{style.newline}{made}]"


def _old(value: dict[str, Json] | list[Json], style: Style, depth: int) -> str:
    """An object or a list of A: each part on a line of its own."""
    outer = style.newline + "    " * depth
    inner = outer + "    "
    if isinstance(value, list):
        items = [print_value(item, style, depth + 1) for item in value]
        return f"[{inner}{f',{inner}'.join(items)}{outer}]"
    if not value:
        return f"{{{inner}{outer}}}"
    members = [
        f"{string(name, style)}: {print_value(item, style, depth + 1)}"
        for name, item in value.items()
    ]
    return f"{{{inner}{f',{inner}'.join(members)}{outer}}}"
