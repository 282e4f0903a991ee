"""Texts of Adventure Game Studio as ``str``, without losing a byte.

Games before 3.6.0 hold texts in an ANSI code page their files do not name; later ones are mostly
UTF-8.  In the models a text is its bytes read as UTF-8, every byte that is not UTF-8 standing for
itself as a lone surrogate (Python's "surrogateescape"), so that encoding gives the bytes back.
In quoted form, for assembly and other text files, such bytes are written ``\\xNN``.
"""

from __future__ import annotations

import re

from overhaul.errors import EncodeError, SourceError

_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_UNESCAPES = {"\\": "\\", '"': '"', "n": "\n", "r": "\r", "t": "\t"}
_SPECIAL = re.compile('[\\\\"\x00-\x1f\x7f\udc80-\udcff\u2028\u2029\x85]')
_ESCAPED = re.compile(r"\\(x[0-9A-Fa-f]{2}|.|\Z)", re.DOTALL)


def decode(data: bytes | memoryview) -> str:
    """The text of ``data``; undone by :func:`encode`."""
    return str(data, "utf-8", "surrogateescape")


def encode(text: str) -> bytes:
    """The bytes of a text."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as error:
        raise EncodeError(f"the text {text!r} can't be written as bytes") from error


def quote(text: str) -> str:
    """The text between double quotes, on one line, with what is not printable escaped."""
    return '"' + _SPECIAL.sub(_escape, text) + '"'


def _escape(match: re.Match[str]) -> str:
    letter = match.group()
    known = _ESCAPES.get(letter)
    if known is not None:
        return known
    if "\udc80" <= letter <= "\udcff":
        return f"\\x{ord(letter) - 0xDC00:02x}"
    return "".join(f"\\x{byte:02x}" for byte in letter.encode("utf-8"))


def unquote(quoted: str) -> str:
    """The text of a quoted form; raises SourceError where it is none."""
    if len(quoted) < 2 or quoted[0] != '"' or quoted[-1] != '"':
        raise SourceError(f"a text in double quotes is needed, not {quoted}")
    data = bytearray()
    body = quoted[1:-1]
    position = 0
    for match in _ESCAPED.finditer(body):
        data += encode(body[position : match.start()])
        position = match.end()
        code = match.group(1)
        if len(code) == 3:
            data.append(int(code[1:], 16))
        elif code in _UNESCAPES:
            data += _UNESCAPES[code].encode()
        else:
            raise SourceError(f"\\{code} is no escape this text form knows")
    data += encode(body[position:])
    return decode(bytes(data))
