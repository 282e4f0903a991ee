"""The words of Rich Text, without what they look like."""

from __future__ import annotations

import re
from typing import Final

_TOKEN: Final = re.compile(
    rb"\\'([0-9A-Fa-f]{2})|\\([A-Za-z]+)(-?\d+)? ?|\\([^A-Za-z])|([{}])|([^\\{}\r\n]+)|[\r\n]+",
)
_PAGE: Final = re.compile(rb"\\ansicpg(\d{3,5})")
#: Groups whose texts are not shown.
_HIDDEN: Final = frozenset(
    (b"fonttbl", b"colortbl", b"stylesheet", b"info", b"pict", b"generator", b"themedata")
)
_SIGNS: Final = {
    b"par": "\n", b"line": "\n", b"tab": "\t", b"emdash": "\u2014", b"endash": "\u2013",
    b"lquote": "\u2018", b"rquote": "\u2019", b"ldblquote": "\u201c", b"rdblquote": "\u201d",
    b"bullet": "\u2022",
}  # fmt: skip


def plain_text(data: bytes) -> str:
    """The words of a text in Rich Text, a paragraph in each line."""
    page = _PAGE.search(data)
    encoding = f"cp{page[1].decode()}" if page is not None else "cp1252"
    parts: list[str] = []
    hidden = [False]
    pending = bytearray()

    def flush() -> None:
        if pending:
            parts.append(_decoded(bytes(pending), encoding))
            pending.clear()

    for found in _TOKEN.finditer(data.rstrip(b"\0")):
        code, word, number, sign, brace, text = found.groups()
        if brace == b"{":
            hidden.append(hidden[-1])
        elif brace == b"}":
            if len(hidden) > 1:
                hidden.pop()
        elif word in _HIDDEN or sign == b"*":
            hidden[-1] = True
        elif hidden[-1]:
            continue
        elif code is not None:
            pending.append(int(code, 16))
        elif word == b"u" and number is not None:
            flush()
            parts.append(chr(int(number) % 0x10000))
        elif word in _SIGNS:
            flush()
            parts.append(_SIGNS[word])
        elif sign in (b"\\", b"{", b"}"):
            pending += sign
        elif sign == b"~":
            pending += b" "
        elif text is not None:
            pending += text
    flush()
    made = "".join(c for c in "".join(parts) if not 0xD800 <= ord(c) < 0xE000 and c != "\0")
    return made.strip("\n") + "\n" if made.strip() else ""


def _decoded(data: bytes, encoding: str) -> str:
    try:
        return data.decode(encoding, "replace")
    except LookupError:
        return data.decode("cp1252", "replace")
