"""Rooms of GameMaker Studio 2.0 to 2.2, which are printed otherwise than all other files.

Elements of a layer have one line each, without an indent.
"""

from __future__ import annotations

from typing import Final

from overhaul.gamemaker.ide.scalars import scalar, string
from overhaul.gamemaker.ide.styles import Style
from overhaul.gamemaker.ide.values import Json

#: Lists whose elements have one line each.
_LINES: Final = ("assets", "instances", "views")
_SETTINGS: Final = ("physicsSettings", "roomSettings", "viewSettings")
_COLOUR: Final = "colour"
_ROWS: Final = "TileSerialiseData"
_WIDTH: Final = "SerialiseWidth"
_STEP: Final = "    "


def print_room_value(
    value: Json, style: Style, depth: int = 0, *, key: str = "", owner: Json = None
) -> str:
    """The text of a value of a room inside of ``depth`` others."""
    outer = style.newline + _STEP * depth
    inner = outer + _STEP
    if isinstance(value, dict):
        if key == _COLOUR:
            return f"{{ {_inline_members(value, style)} }}"
        members = [_member(value, name, style, depth) for name in value]
        lead = _STEP if key in _SETTINGS else ""
        return f"{lead}{{{inner}{f',{inner}'.join(members)}{outer}}}"
    if not isinstance(value, list):
        return scalar(value, style)
    if not value:
        return f"[{style.newline}{outer}]"
    if key in _LINES:
        items = [_inline(item, style) for item in value]
        return f"[{style.newline}{f',{style.newline}'.join(items)}{outer}]"
    texts = [print_room_value(item, style, depth + 1) for item in value]
    if key == _ROWS and isinstance(owner, dict):
        wide = owner.get(_WIDTH)
        width = wide if isinstance(wide, int) and wide > 0 else len(texts)
        rows = [",".join(texts[at : at + width]) for at in range(0, len(texts), width)]
        return f"[{inner}{f',{inner}'.join(rows)}{outer}]"
    return f"[{inner}{f',{inner}'.join(texts)}{outer}]"


def _member(owner: dict[str, Json], name: str, style: Style, depth: int) -> str:
    text = print_room_value(owner[name], style, depth + 1, key=name, owner=owner)
    return f"{string(name, style)}: {text}"


def _inline(value: Json, style: Style) -> str:
    """The text of a value in a line."""
    if isinstance(value, dict):
        return f"{{{_inline_members(value, style)}}}"
    if isinstance(value, list):
        return f"[{','.join(_inline(item, style) for item in value)}]"
    return scalar(value, style)


def _inline_members(value: dict[str, Json], style: Style) -> str:
    return ",".join(
        f"{string(name, style)}: "
        + (f"{{ {_inline_members(item, style)} }}"
           if name == _COLOUR and isinstance(item, dict) else _inline(item, style))
        for name, item in value.items()
    )  # fmt: skip
