"""Texts of Adventure Game Studio as ``str``, without losing a byte.

Games before 3.6.0 have texts in an ANSI code page that their files do not name; later ones are
mostly UTF-8.  In the models a text is its bytes read as UTF-8, with a lone surrogate for every
byte that is not UTF-8 (Python's "surrogateescape"), so that encoding gives the bytes back.  In
quoted form, for assembly and other text files, such bytes are written ``\\xNN``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from overhaul.errors import CharacterError, EncodeError, SourceError

UTF_8: Final = "utf-8"
#: The encoding taken for texts that are not UTF-8, in files that name none.
ANSI: Final = "cp1252"
_SURROGATE = re.compile("[\ud800-\udfff]")
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


def is_foreign(text: str) -> bool:
    """Whether a text has bytes that are not UTF-8."""
    return not text.isascii() and _SURROGATE.search(text) is not None


def show(text: str, encoding: str) -> str:
    """The text with its bytes read in another encoding; undone by :func:`unshow`.

    Bytes without a letter there stay lone surrogates; so does all but ASCII in a text that does not
    survive the encoding (some have two codes for a letter).
    """
    if text.isascii():
        return text
    data = encode(text)
    shown = data.decode(encoding, "surrogateescape")
    try:
        if shown.encode(encoding, "surrogateescape") == data:
            return shown
    except UnicodeEncodeError:
        pass
    return data.decode("ascii", "surrogateescape")


def unshow(shown: str, encoding: str) -> str:
    """The text that :func:`show` showed.  Raises EncodeError for letters not in the encoding."""
    if shown.isascii():
        return shown
    try:
        return decode(shown.encode(encoding, "surrogateescape"))
    except UnicodeEncodeError as error:
        raise CharacterError(shown[error.start], f"the encoding {encoding}") from error


def recoded(value: object, encoding: str, change: Callable[[str, str], str]) -> object:
    """A value with its texts changed between UTF-8 and another encoding."""
    if encoding == UTF_8:
        return value
    if isinstance(value, str):
        return change(value, encoding)
    if isinstance(value, list):
        return [recoded(item, encoding, change) for item in value]
    if isinstance(value, dict):
        return {key: recoded(item, encoding, change) for key, item in value.items()}
    return value


def quote(text: str, encoding: str = UTF_8) -> str:
    """The text between double quotes, on one line, with unprintable characters escaped.

    Its bytes are shown in ``encoding``; those without a letter in it are escaped.
    """
    if encoding != UTF_8:
        text = show(text, encoding)
    return '"' + _SPECIAL.sub(lambda match: _escape(match.group(), encoding), text) + '"'


def _escape(letter: str, encoding: str) -> str:
    known = _ESCAPES.get(letter)
    if known is not None:
        return known
    if "\udc80" <= letter <= "\udcff":
        return f"\\x{ord(letter) - 0xDC00:02x}"
    return "".join(f"\\x{byte:02x}" for byte in letter.encode(encoding))


def unquote(quoted: str, encoding: str = UTF_8) -> str:
    """The text of a quoted form in ``encoding``.  Raises SourceError for other text."""
    if len(quoted) < 2 or quoted[0] != '"' or quoted[-1] != '"':
        raise SourceError(f"expected a text in double quotes, got {quoted}")
    data = bytearray()
    body = quoted[1:-1]
    position = 0
    for match in _ESCAPED.finditer(body):
        data += encode(_unshow_source(body[position : match.start()], encoding))
        position = match.end()
        code = match.group(1)
        if len(code) == 3:
            data.append(int(code[1:], 16))
        elif code in _UNESCAPES:
            data += _UNESCAPES[code].encode()
        else:
            raise SourceError(f"\\{code} is not a valid escape")
    data += encode(_unshow_source(body[position:], encoding))
    return decode(bytes(data))


def _unshow_source(text: str, encoding: str) -> str:
    try:
        return unshow(text, encoding)
    except EncodeError as error:
        raise SourceError(error.message) from error


TEXT_KEY: Final = b"Avis Durgan"
"""The key of texts: messages, dialogs, translations, dictionary words, script sources."""

NAME_KEY: Final = b"\x4d\x79\x01\xde\x04\x4a\x69\x62\x7a\x6c\x65"
"""The key of asset names in packages of library versions 11 to 20."""

_TABLE_ADDEND: Final = 9338638
_MULTIPLIER: Final = 214013
_INCREMENT: Final = 2531011


def add_key(data: bytes, key: bytes = TEXT_KEY) -> bytes:
    """Add ``key``, repeated from its first byte, to ``data`` (modulo 256)."""
    length = len(key)
    return bytes([(byte + key[i % length]) & 0xFF for i, byte in enumerate(data)])


def subtract_key(data: bytes, key: bytes = TEXT_KEY) -> bytes:
    """Subtract ``key``, repeated from its first byte, from ``data``: the inverse of add_key."""
    length = len(key)
    return bytes([(byte - key[i % length]) & 0xFF for i, byte in enumerate(data)])


class TableCipher:
    """The byte stream added to the whole table of a package of library version 21.

    The generator is a linear congruence on 32 bits, seeded from the package; it runs on from the
    first byte after the seed to the last byte of the table, so one object serves one pass.
    """

    __slots__ = ("_state",)

    def __init__(self, seed: int) -> None:
        self._state = (seed + _TABLE_ADDEND) & 0xFFFFFFFF

    def decrypt(self, data: bytes) -> bytes:
        """The plain bytes of the next ``len(data)`` stored bytes."""
        state = self._state
        plain = bytearray(len(data))
        for i, byte in enumerate(data):
            state = (state * _MULTIPLIER + _INCREMENT) & 0xFFFFFFFF
            plain[i] = (byte - (state >> 16)) & 0xFF
        self._state = state
        return bytes(plain)

    def encrypt(self, data: bytes) -> bytes:
        """The stored bytes of the next ``len(data)`` plain bytes."""
        state = self._state
        stored = bytearray(len(data))
        for i, byte in enumerate(data):
            state = (state * _MULTIPLIER + _INCREMENT) & 0xFFFFFFFF
            stored[i] = (byte + (state >> 16)) & 0xFF
        self._state = state
        return bytes(stored)
