"""The flags of sprites in game data: those that have some, by the number of the sprite."""

from __future__ import annotations

from typing import Final

from overhaul.errors import FormatError
from overhaul.folder.json_fields import at_key, expect_integer, expect_object, in_file

#: The fields of game data that have a byte for each sprite.
FIELDS: Final = ("sprite_flags", "more_sprite_flags")
COUNT: Final = "sprite_count"
_MOST: Final = 1 << 24


def by_sprite(shown: dict[str, object]) -> dict[str, object]:
    """The fields of game data with ``{"sprite_count": 2, "1": 16}`` in the place of bytes."""
    for name in FIELDS:
        flags = shown.get(name)
        if isinstance(flags, str):
            stored = bytes.fromhex(flags)
            numbered = {str(number): flag for number, flag in enumerate(stored) if flag}
            shown[name] = {COUNT: len(stored), **numbered}
    return shown


def as_bytes(shown: dict[str, object], path: str) -> dict[str, object]:
    """The reverse of :func:`by_sprite`; bytes stay as they are, as older folders have them.

    Raises WorkspaceError with ``path`` and the key.
    """
    with in_file(path):
        for name in FIELDS:
            if isinstance(shown.get(name), dict):
                with at_key(name):
                    shown[name] = _stored(dict(expect_object(shown[name]))).hex()
    return shown


def _stored(flags: dict[str, object]) -> bytes:
    with at_key(COUNT):
        if COUNT not in flags:
            raise FormatError("it is missing")
        stored = bytearray(expect_integer(flags.pop(COUNT), 0, _MOST))
    for key, flag in flags.items():
        with at_key(key):
            if not key.isdecimal() or not key.isascii() or int(key) >= len(stored):
                raise FormatError(f"expected the number of a sprite below {len(stored)}")
            stored[int(key)] = expect_integer(flag, 0, 255)
    return bytes(stored)
