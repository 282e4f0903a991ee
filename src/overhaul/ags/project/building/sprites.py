"""The sprites of a game, packed as the project asks."""

from __future__ import annotations

from typing import Final

from overhaul.ags.detect import SPRITE_SET as SIGNATURE
from overhaul.ags.project.building.reading import ElementError, choice
from overhaul.ags.project.building.releases import Release
from overhaul.ags.sprite_index import renewed
from overhaul.ags.sprites import DEFLATE, LZW, NONE, RLE, SpriteSet
from overhaul.ags.versions import SPRITES_CHOICE, SPRITES_STORAGE
from overhaul.document.xmltext import XmlNode

_TYPES: Final = {"None": NONE, "RLE": RLE, "LZW": LZW, "Deflate": DEFLATE}
_FLAGS: Final = {"False": NONE, "True": RLE}
#: Where the header of a set says how it is packed, and the first versions whose header does so,
#: and whose sprites may be packed in other ways than one.
_PACKING: Final = 2 + len(SIGNATURE)


def asked(game: XmlNode, release: Release) -> int:
    """How the project asks for sprites to be packed.  Raises ElementError."""
    since_types = release.since(3, 6)
    path = "Settings/CompressSpritesType" if since_types else "Settings/CompressSprites"
    choices = _TYPES if since_types else _FLAGS
    number = choice(game, path, choices, next(iter(choices)))
    if number not in choices.values():
        raise ElementError(f"no sprites are packed in way {number}", game.find(path) or game)
    return number


def packed(
    data: bytes, index: bytes | None, compression: int, source: str
) -> tuple[bytes, bytes | None]:
    """A sprite set and its index, packed as the project asks; as they are if they are so.

    Raises FormatError for sprites that can't be unpacked.
    """
    version = int.from_bytes(data[:2], "little", signed=True)
    can = version >= (SPRITES_CHOICE if compression in (NONE, RLE) else SPRITES_STORAGE)
    can = can and data[2:_PACKING] == SIGNATURE
    if not can or data[_PACKING : _PACKING + 1] == bytes((compression,)):
        return data, index
    old, new = SpriteSet.read(data, source=source), SpriteSet.read(data, source=source)
    new.header.compression = compression
    for slot, sprite in old.filled():
        new.replace(slot, old.pixels(sprite), compression=compression)
    return new.to_bytes(), None if index is None else renewed(index, old, new)


__all__ = ["asked", "packed"]
