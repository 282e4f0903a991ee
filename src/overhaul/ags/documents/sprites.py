"""A sprite set (acsprset.spr) and its index (sprindex.dat) as documents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, cast

from overhaul.ags import drawing
from overhaul.ags.documents.base import AgsDocument, Tally
from overhaul.ags.sprite_index import SpriteIndex, index_of, read_index, renewed, write_index
from overhaul.ags.sprites import COMPRESSIONS, SpriteSet
from overhaul.document.protocol import Buffer, Siblings
from overhaul.document.registry import load
from overhaul.errors import FormatError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from PIL import Image

    from overhaul.ags.surface.sprites import Sprites
    from overhaul.document.views import ResourceView

INDEX_FILE: Final = "sprindex.dat"


class SpriteSetDocument(AgsDocument):
    """A sprite set (acsprset.spr)."""

    kind = "ags-sprites"

    def __init__(self, source: str | None = None) -> None:
        super().__init__(source)
        self.sprites: SpriteSet = SpriteSet()
        self._index: tuple[str, int] | None = None
        self._palette: bytes | None = None

    def load(self, data: Buffer, siblings: Siblings | None) -> None:
        """Read the sprites, without unpacking them."""
        self.sprites = SpriteSet.read(data, source=self.source)
        self.version: str = str(self.sprites.version)
        if siblings is not None:
            self._take_index(siblings)

    def _take_index(self, siblings: Siblings) -> None:
        """Remember the index next to the file, if it is this set's."""
        for name in siblings.names():
            if name.casefold() == INDEX_FILE:
                index = siblings.read(name)
                if renewed(index, self.sprites, self.sprites) is not None:
                    self._index = (name, read_index(index)[0])

    def companions(self) -> Mapping[str, bytes]:
        """The index, which follows the sprites."""
        if self._index is None:
            return {}
        name, version = self._index
        self.sprites.to_bytes()
        return {name: write_index(version, index_of(self.sprites, version))}

    def to_bytes(self) -> bytes:
        """The sprite set, rebuilt from the model."""
        return self.sprites.to_bytes()

    def info(self) -> dict[str, object]:
        """The version, compression and number of the sprites."""
        sprites = self.sprites
        depths: dict[str, int] = {}
        for _, sprite in sprites.filled():
            key = f"{sprite.depth * 8} bits"
            depths[key] = depths.get(key, 0) + 1
        return {
            "kind": self.kind,
            "sprite_set_version": sprites.version,
            "compression": COMPRESSIONS.get(sprites.compression, str(sprites.compression)),
            "file_id": sprites.header.file_id,
            "slots": len(sprites.slots),
            "sprites": sum(depths.values()),
            "depths": depths,
        }

    def tally(self, tally: Tally) -> None:
        """Sprites are media, except for those that can't be unpacked."""
        for slot, sprite in self.sprites.filled():
            try:
                self.sprites.pixels(sprite)
                tally.media += len(sprite.data)
            except FormatError as error:
                reason = f"broken: {error.message}"
                tally.add_opaque(sprite.offset, f"slots[{slot}]", len(sprite.data), reason)
        tally.add_tail("trailing", self.sprites.trailing, "bytes after the last slot")

    def locate(self, offset: int) -> str:
        """The slot that an offset lies in."""
        place = ""
        for index, slot in enumerate(self.sprites.slots):
            if slot.offset > offset:
                break
            place = f"slots[{index}]"
        return place

    def image(self, slot: int) -> Image.Image:
        """A sprite as the engine draws it, in mode RGBA.

        Raises IndexError for a slot that is empty or missing, FormatError for broken data.
        """
        return self.surface[slot].image

    #: the kinds of pictures
    drawn_kinds: Sequence[str] = ("sprite",)

    @property
    def surface(self) -> Sprites:
        """The sprites as people look at them, by number."""
        make = load("overhaul.ags.surface.sprites:Sprites")
        return cast("Sprites", make(self.sprites, self.palette, self))

    def resources(self, kind: str) -> Iterable[ResourceView]:
        """The sprites, by their numbers."""
        return self.surface if kind == "sprite" else ()

    def resource_at(self, kind: str, position: int, name: str) -> ResourceView | None:
        """The sprite of a number."""
        return self.surface.get(name) if kind == "sprite" else None

    def palette(self) -> bytes:
        """The colours of 8-bit sprites as 8-bit r, g, b: those of the game next to the set, its
        own, or greys."""
        if self._palette is None:
            self._palette = drawing.game_palette(self._siblings, self.sprites)
        return self._palette


class SpriteIndexDocument(AgsDocument):
    """The index of a sprite set (sprindex.dat)."""

    kind = "ags-sprite-index"

    def __init__(self, source: str | None = None) -> None:
        super().__init__(source)
        self.index_version: int = 11
        self.index: SpriteIndex = SpriteIndex()

    def load(self, data: Buffer, siblings: Siblings | None) -> None:
        """Read the index."""
        version, index = read_index(bytes(data), source=self.source)
        self.index_version = version
        self.index = index
        self.version: str = str(self.index_version)

    def to_bytes(self) -> bytes:
        """The index, rebuilt from the model."""
        return write_index(self.index_version, self.index)

    def info(self) -> dict[str, object]:
        """The version, the sprite set's id and the number of slots."""
        return {
            "kind": self.kind,
            "index_version": self.index_version,
            "file_id": self.index.file_id,
            "slots": self.index.count,
            "sprites": sum(1 for width in self.index.widths if width),
        }
