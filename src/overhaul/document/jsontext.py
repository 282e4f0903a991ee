"""JSON text: the layouts of the JSON files that Overhaul writes, and a strict reader.

:func:`json_text` and :func:`json_bytes` write a value; which lists and objects are on one line
is the *layout*, one of :func:`wide`, :func:`fitted`, :func:`rows` and :func:`indented`.  Lone
surrogates, which stand for bytes that are not UTF-8, are written as escapes such as ``\\udc81``.
:func:`parse_json` reads the text back.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable

from overhaul.errors import FormatError

#: A layout: the text of a value that fits on one line, or None to give each part its own line.
#: It gets the value, its indentation and the characters that its key and the comma take.
Layout = Callable[[object, str, int], str | None]

#: The widest line of the layout :func:`wide`, without the key.
WIDE = 140
#: The widest line of the layout :func:`fitted`.
FITTED = 100

#: What takes more than one line; a tuple, as isinstance is quicker with it than with a union.
_CONTAINERS = (dict, list)

_encode = json.JSONEncoder(ensure_ascii=False, separators=(", ", ": ")).encode


class JsonError(FormatError):
    """Text that is not JSON; ``line`` and ``column`` count from 1, 0 where they are unknown."""

    def __init__(self, message: str, offset: int | None = None, line: int = 0, column: int = 0):
        super().__init__(f"not valid JSON: {message}", offset=offset)
        self.line = line
        self.column = column


# -------------------------------------------------------------------------------------- layouts


def wide(value: object, indent: str, used: int) -> str | None:
    """Lists of numbers on one line, short objects and lists too, others a line for each part.

    The layout of GameMaker data and its debug information.  The outermost object is never on one
    line.
    """
    if isinstance(value, dict):
        if not indent or len(value) >= WIDE // 4:
            return None
        line = _encode(value)
        return line if len(line) + len(indent) <= WIDE else None
    if isinstance(value, list):
        first = value[0]
        if isinstance(first, _CONTAINERS):
            return None
        number = isinstance(first, (int, float))
        if not number and len(value) >= 40:
            return None
        line = _encode(value)
        numbers = not isinstance(first, str) and len(indent) > 2
        return line if numbers or len(line) + len(indent) <= WIDE else None
    return None


def fitted(value: object, indent: str, used: int) -> str | None:
    """On one line whatever fits a line of 100.  The layout of Game Maker projects and ds values."""
    room = FITTED - len(indent) - used
    if isinstance(value, _CONTAINERS) and len(value) * 3 <= room:
        line = _encode(value)
        return line if len(line) <= room else None
    return None


def rows(value: object, indent: str, used: int) -> str | None:
    """Each element of the outermost list or object on one line, however long."""
    return _encode(value) if indent else None


def indented(value: object, indent: str, used: int) -> str | None:
    """A line for each part; only lists of whole numbers on one.  The layout of AGS."""
    if indent and isinstance(value, list) and all(type(item) is int for item in value):
        return _encode(value)
    return None


# ----------------------------------------------------------------------------- writing, reading


def json_text(value: object, layout: Layout = fitted) -> str:
    """The JSON text of a value, in a layout.  Ends with a line end.

    ``value``: None, bool, int, float, str, and lists and dicts of these.  Raises TypeError for
    other values.
    """
    parts: list[str] = []
    _write(value, "", 0, layout, parts.append)
    parts.append("\n")
    return "".join(parts)


def json_bytes(value: object, layout: Layout = fitted) -> bytes:
    """The JSON file of a value: :func:`json_text` in UTF-8."""
    return json_text(value, layout).encode("utf-8", "backslashreplace")


def _write(
    value: object, indent: str, used: int, layout: Layout, put: Callable[[str], object]
) -> None:
    if not isinstance(value, _CONTAINERS) or not value:
        put(_encode(value))
        return
    line = layout(value, indent, used)
    if line is not None:
        put(line)
        return
    inner = indent + "  "
    separator = "\n" + inner
    if isinstance(value, dict):
        put("{")
        for key, item in value.items():
            head = f"{_encode(key if isinstance(key, str) else str(key))}: "
            put(separator + head)
            _write(item, inner, len(head) + 1, layout, put)
            separator = ",\n" + inner
        put(f"\n{indent}}}")
    else:
        put("[")
        for item in value:
            put(separator)
            _write(item, inner, 1, layout, put)
            separator = ",\n" + inner
        put(f"\n{indent}]")


def parse_json(text: str) -> object:
    """The value of a JSON text.

    Raises JsonError (a FormatError whose offset counts characters) for text that is not JSON, is
    nested too deeply, or has a key twice in one object.
    """
    try:
        return json.loads(text, object_pairs_hook=_unique)
    except json.JSONDecodeError as error:
        raise JsonError(error.msg, error.pos, error.lineno, error.colno) from None
    except RecursionError:
        raise JsonError("nested too deeply") from None
    except JsonError:
        raise
    except ValueError as error:  # an integer of thousands of digits
        raise JsonError(str(error)) from None


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        ((twice, _),) = Counter(key for key, _ in pairs).most_common(1)
        raise JsonError(f"duplicate key {twice!r}")
    return found
