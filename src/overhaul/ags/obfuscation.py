"""The ciphers of Adventure Game Studio: keyed addition, and a generator for package tables.

None of them protects anything; each is undone here so that names and texts are readable, and
redone when writing.  Sources: the engine's ``Common/util/string_utils.cpp`` (texts) and
``Common/util/multifilelib.h`` (packages), as described in docs/formats/ags.md.
"""

from __future__ import annotations

from typing import Final

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
