"""JSON as people and git like it: short things on one line, long ones a line for each part."""

from __future__ import annotations

import json
from typing import Any

from overhaul.errors import WorkspaceError

#: the longest line that a nested object or list may make
WIDTH = 140

_encode = json.JSONEncoder(ensure_ascii=False, separators=(", ", ": ")).encode


def write_json(value: Any) -> bytes:
    """The text of a JSON file; lone surrogates (bytes that were not UTF-8) are escaped."""
    parts: list[str] = []
    _write(value, "", parts)
    parts.append("\n")
    return "".join(parts).encode("utf-8", "backslashreplace")


def read_json(data: bytes, path: str) -> Any:
    """What a JSON file holds.  Raises WorkspaceError with the line where it is no JSON."""
    try:
        return json.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise WorkspaceError(f"{path}: it is not text in UTF-8: {error}") from None
    except json.JSONDecodeError as error:
        raise WorkspaceError(
            f"{path}:{error.lineno}:{error.colno}: it is not valid JSON: {error.msg}"
        ) from None
    except (RecursionError, ValueError) as error:
        raise WorkspaceError(f"{path}: it is not valid JSON: {error}") from None


def _write(value: Any, indent: str, parts: list[str]) -> None:
    if isinstance(value, dict) and value:
        if indent:
            line = _encode(value) if len(value) < WIDTH // 4 else ""
            if line and len(line) + len(indent) <= WIDTH:
                parts.append(line)
                return
        inner = indent + "  "
        separator = "{\n"
        for key, item in value.items():
            parts.append(f"{separator}{inner}{_encode(key)}: ")
            _write(item, inner, parts)
            separator = ",\n"
        parts.append(f"\n{indent}}}")
        return
    if isinstance(value, list) and value:
        if not isinstance(value[0], (dict, list)):
            line = _encode(value) if isinstance(value[0], (int, float)) or len(value) < 40 else ""
            numbers = line and not isinstance(value[0], str) and len(indent) > 2
            if line and (numbers or len(line) + len(indent) <= WIDTH):
                parts.append(line)
                return
        inner = indent + "  "
        separator = "[\n"
        for item in value:
            parts.append(separator + inner)
            _write(item, inner, parts)
            separator = ",\n"
        parts.append(f"\n{indent}]")
        return
    parts.append(_encode(value))
