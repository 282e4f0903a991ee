"""Plain files that are compared and merged by what they say: JSON, and translations by entry."""

from __future__ import annotations

from overhaul.errors import FormatError
from overhaul.folder.jsonkit import (
    at_key,
    expect_list,
    expect_object,
    expect_text,
    in_file,
    json_bytes,
    read_json,
)

_JSON, _TRANSLATION = ".json", ".trs"
#: what an entry of a translation has
_SOURCE, _TEXT = "name", "text"


def is_structured(path: str) -> bool:
    """Whether a file has a value that is more than its lines."""
    return path.endswith((_JSON, _TRANSLATION))


def read_value(path: str, data: bytes) -> object:
    """What a file says: a translation is a list of its entries.  Raises WorkspaceError."""
    if path.endswith(_JSON):
        return read_json(data, path)
    lines = data.decode("utf-8", "surrogateescape").split("\n")
    if lines.pop() or len(lines) % 2:
        with in_file(path):
            raise FormatError("expected a line with the translation behind each text")
    return [
        {_SOURCE: source, _TEXT: text} for source, text in zip(lines[::2], lines[1::2], strict=True)
    ]


def value_bytes(path: str, value: object) -> bytes:
    """The file that says a value.  Raises WorkspaceError."""
    if path.endswith(_JSON):
        return json_bytes(value)
    lines = []
    with in_file(path):
        for index, item in enumerate(expect_list(value)):
            with at_key("", index):
                entry = expect_object(item)
                for key in (_SOURCE, _TEXT):
                    with at_key(key):
                        line = expect_text(entry.get(key))
                        if "\n" in line or "\r" in line:
                            raise FormatError("expected one line")
                    lines.append(line + "\n")
    return "".join(lines).encode("utf-8", "surrogateescape")
