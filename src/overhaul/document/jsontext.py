"""JSON text: the layouts of the JSON files that Overhaul writes, and a strict reader.

:func:`json_text` and :func:`json_bytes` write a value; which lists and objects are on one line
is the *layout*, one of :func:`wide`, :func:`fitted`, :func:`rows` and :func:`indented`.  Lone
surrogates, which stand for bytes that are not UTF-8, are written as escapes such as ``\\udc81``.
:func:`parse_json` reads the text back.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from json.encoder import encode_basestring

from overhaul.errors import FormatError
from overhaul.findings import Finding, Findings

#: A layout: the text of a value that fits on one line, or None to give each part its own line.
#: It gets the value, its indentation and the characters that its key and the comma take.
Layout = Callable[[object, str, int], str | None]

#: The widest line of the layout :func:`wide`, without the key.
WIDE = 140
#: The widest line of the layout :func:`fitted`.
FITTED = 100

#: Values of more than one line; a tuple, as isinstance is quicker with it than with a union.
_CONTAINERS = (dict, list)

_quote = encode_basestring
_encode = json.JSONEncoder(ensure_ascii=False, separators=(", ", ": ")).encode


class JsonError(FormatError):
    """Text that is not JSON, for a ``reason``; ``line`` and ``column`` count from 1, 0 where they
    are unknown."""

    def __init__(self, message: str, line: int = 0, column: int = 0, *, path: str = "") -> None:
        super().__init__(f"not valid JSON: {message}", path=path)
        self.reason = message
        self.line = line
        self.column = column

    @property
    def findings(self) -> Findings:
        """The one that it says, with its line and column."""
        place = self.source or "", self.path, self.line, self.column
        return Findings([Finding("error", self.code, self.message, *place)])

    def __str__(self) -> str:
        place = f"{self.line}:{self.column}" if self.line else ""
        if self.source:
            place = f"{self.source}:{place}" if place else self.source
        return ": ".join(filter(None, (place, self.path, self.message)))


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
    if type(value) is str:
        put(_quote(value))
        return
    if type(value) is int:
        put(repr(value))
        return
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
            head = f"{_quote(key if isinstance(key, str) else str(key))}: "
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

    Raises JsonError for text that is not JSON, is nested too deeply, or has a key twice in one
    object.
    """
    try:
        return json.loads(text, object_pairs_hook=_unique)
    except json.JSONDecodeError as error:
        raise JsonError(error.msg, error.lineno, error.colno) from None
    except RecursionError:
        raise JsonError("nested too deeply") from None
    except _TwiceError:
        raise _duplicate(text) from None
    except ValueError as error:  # an integer of thousands of digits
        raise JsonError(str(error)) from None


class _TwiceError(Exception):
    """An object has a key twice."""


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise _TwiceError
    return members


# --------------------------------------------------------------------------------------- places


def _duplicate(text: str) -> JsonError:
    """The error for the first key that an object has for the second time."""
    seen: set[str] = set()
    try:
        for path, key, position in _places(text):
            if key is not None and path in seen:
                return JsonError(f"duplicate key {key!r}", *line_and_column(text, position))
            seen.add(path)
    except ValueError:
        pass  # nested too deeply to look for it
    return JsonError("duplicate key")


def place_of(text: str, path: str) -> tuple[int, int]:
    """The line and column, from 1, of what a path of keys (``instances[3].x``) leads to.

    Of a path that goes on beyond what the text has, the last part that is there; (0, 0) for none.
    """
    best, place = 0, -1
    try:
        for known, _, position in _places(text):
            if len(known) > best and (path == known or path.startswith((known + ".", known + "["))):
                best, place = len(known), position
    except (ValueError, IndexError):
        pass  # not JSON: matches before that count
    return line_and_column(text, place) if place >= 0 else (0, 0)


def has_path(text: str, path: str) -> bool:
    """Whether a path of keys leads to something in the text of a JSON file."""
    try:
        return any(known == path for known, _, _ in _places(text))
    except (ValueError, IndexError):
        return False


def line_and_column(text: str, position: int) -> tuple[int, int]:
    """The line and column, from 1, of a position in a text."""
    return text.count("\n", 0, position) + 1, position - text.rfind("\n", 0, position)


#: no file that people edit nests so deeply
_DEEPEST = 500
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{},]|[^\s\[\]{},:"]+')


def _places(text: str) -> Iterator[tuple[str, str | None, int]]:
    """The path, the key (None in a list) and the position of each key and element of JSON.

    Raises ValueError or IndexError for some of what is not JSON, and ValueError for what is nested
    so deeply that the paths would fill the memory.
    """
    # of each object or list around: its path, and the index of the next element, -1 in an object
    around: list[tuple[str, int]] = []
    path = ""  # of the value that comes next
    key_expected = False
    for token in _TOKEN.finditer(text):
        mark = token.group()
        if mark in "]}":
            around.pop()
            continue
        if mark == ",":
            key_expected = around[-1][1] < 0
            continue
        if key_expected:
            if not mark.startswith('"'):
                raise ValueError(mark)
            key = str(json.loads(mark))
            outer = around[-1][0]
            path = f"{outer}.{key}" if outer else key
            yield path, key, token.start()
            key_expected = False
            continue
        if around and around[-1][1] >= 0:
            outer, index = around.pop()
            path = f"{outer}[{index}]"
            around.append((outer, index + 1))
            yield path, None, token.start()
        if mark in "[{":
            if len(around) >= _DEEPEST:
                raise ValueError(len(around))
            around.append((path, 0 if mark == "[" else -1))
            key_expected = mark == "{"
