"""A sprite set as a document: sprites.json, and a PNG for each sprite."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from overhaul.ags import pictures
from overhaul.ags.fields import plain_bytes
from overhaul.ags.game.game import read_palette
from overhaul.ags.pictures import Pixels
from overhaul.ags.sprite_index import SpriteIndex, index_of, read_index, renewed, write_index
from overhaul.ags.sprites import (
    COMPRESSIONS,
    VERSIONS,
    EmptySlot,
    Sprite,
    SpriteHeader,
    SpriteSet,
    SpriteSetHeader,
)
from overhaul.ags_folder import plainfiles
from overhaul.ags_folder.base import AgsDocument, Tally
from overhaul.document.protocol import (
    Beside,
    Buffer,
    Change,
    Coverage,
    Folder,
    PlainFile,
    Resource,
    UnpackOptions,
)
from overhaul.errors import FormatError, WorkspaceError

SPRITES_JSON: Final = "sprites.json"
INDEX_JSON: Final = "index.json"
INDEX_FILE: Final = "sprindex.dat"
GAME_FILES: Final = ("game28.dta", "ac2game.dta")
GREYS: Final = bytes(value for value in range(256) for _ in range(3))


def sprite_path(slot: int, *, raw: bool = False) -> str:
    """The file of a slot's sprite."""
    return f"sprites/{slot:05}.{'bin' if raw else 'png'}"


class SpriteSetDocument(AgsDocument):
    """A sprite set (acsprset.spr)."""

    kind = "ags-sprites"

    def __init__(self, source: str | None = None) -> None:
        super().__init__(source)
        self.sprites = SpriteSet()
        self._index: tuple[str, int] | None = None
        self._beside: Beside | None = None
        self._colours: bytes | None = None

    def load(self, data: Buffer, beside: Beside | None) -> None:
        """Read the sprites, packed as they are."""
        self.sprites = SpriteSet.read(data, source=self.source)
        self.version = str(self.sprites.version)
        self._beside = beside
        if beside is not None:
            self._take_index(beside)

    def _take_index(self, beside: Beside) -> None:
        """Remember the index beside the file, if it is this set's."""
        for name in beside.names():
            if name.casefold() == INDEX_FILE:
                index = beside.read(name)
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

    def settings(self) -> dict[str, object]:
        """None: there are no texts."""
        return {}

    # -- looking -----------------------------------------------------------------------------

    def info(self) -> dict[str, object]:
        """The version, compression and number of the sprites."""
        sprites = self.sprites
        depths: dict[str, int] = {}
        for _, sprite in self._sprites():
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

    def _sprites(self) -> Iterator[tuple[int, Sprite]]:
        for slot, sprite in enumerate(self.sprites.slots):
            if isinstance(sprite, Sprite):
                yield slot, sprite

    def tree(self) -> Iterable[Resource]:
        """The sprites."""
        for slot, sprite in self._sprites():
            yield Resource("sprite", str(slot), sprite_path(slot), len(sprite.data))

    def coverage(self) -> Coverage:
        """Sprites are media where they unpack."""
        tally = Tally()
        total = self.size or len(self.to_bytes())
        for slot, sprite in self._sprites():
            try:
                self.sprites.pixels(sprite)
                tally.media += len(sprite.data)
            except FormatError as error:
                tally.add_opaque(
                    sprite.offset, f"slots[{slot}]", len(sprite.data), f"broken: {error.message}"
                )
        trailing = len(self.sprites.trailing)
        tally.add_opaque(total - trailing, "trailing", trailing, "bytes after the last slot")
        return tally.coverage(total)

    def locate(self, offset: int) -> str:
        """The slot that an offset lies in."""
        place = ""
        for index, slot in enumerate(self.sprites.slots):
            if slot.offset > offset:
                break
            place = f"slots[{index}]"
        return place

    # -- unpacking ---------------------------------------------------------------------------

    def plain_files(self, options: UnpackOptions) -> Iterator[PlainFile]:
        """The files of the unpacked sprite set."""
        yield PlainFile(SPRITES_JSON, lambda: self.json(self._show()), origin="header")
        for slot, sprite in self._sprites():
            origin = f"slots[{slot}]"
            pixels = self._pixels(sprite)
            if pixels is None:
                yield PlainFile(
                    sprite_path(slot, raw=True),
                    lambda sprite=sprite: sprite.palette + sprite.data,  # type: ignore[misc]
                    origin=origin,
                    note="its pixels can't be unpacked",
                )
            else:
                yield PlainFile(
                    sprite_path(slot),
                    lambda sprite=sprite: self._png(sprite),  # type: ignore[misc]
                    origin=origin,
                )

    def _pixels(self, sprite: Sprite) -> Pixels | None:
        try:
            return self.sprites.pixels(sprite)
        except FormatError:
            return None

    def _png(self, sprite: Sprite) -> bytes:
        return plainfiles.png_bytes(pictures.to_image(self.sprites.pixels(sprite), self._palette()))

    def _palette(self) -> bytes:
        """The colours of 8-bit sprites: the set's own, those of the game beside it, or greys."""
        if self._colours is None:
            own = pictures.expand_palette(self.sprites.header.palette)
            self._colours = own if any(own) else self._game_palette() or GREYS
        return self._colours

    def _game_palette(self) -> bytes | None:
        if self._beside is None:
            return None
        for name in self._beside.names():
            if name.casefold() in GAME_FILES:
                return read_palette(self._beside.read(name))
        return None

    def _show(self) -> dict[str, Any]:
        sprites = self.sprites
        shown: dict[str, Any] = {"version": sprites.version}
        shown |= plainfiles.show(sprites.header, sprites.version)
        shown.pop("last_slot")
        shown["slot_count"] = len(sprites.slots)
        shown["sprites"] = [self._show_sprite(slot, sprite) for slot, sprite in self._sprites()]
        empty = {
            str(index): slot.storage
            for index, slot in enumerate(sprites.slots)
            if isinstance(slot, EmptySlot) and slot.storage
        }
        if empty:
            shown["empty_slots"] = empty
        if sprites.trailing:
            shown["trailing"] = sprites.trailing.hex()
        return shown

    def _show_sprite(self, slot: int, sprite: Sprite) -> dict[str, Any]:
        shown: dict[str, Any] = {"slot": slot, "bytes_per_pixel": sprite.depth}
        pixels = self._pixels(sprite)
        if pixels is None:
            header = plainfiles.show(sprite.header, self.sprites.version)
            return shown | {"raw": header | {"palette_size": len(sprite.palette)}}
        if pixels.uniform_alpha is not None:
            shown["alpha"] = pixels.uniform_alpha
        return shown

    # -- packing -----------------------------------------------------------------------------

    def apply(self, folder: Folder, changes: Mapping[str, Change]) -> list[str]:
        """Change the sprites as their files were changed."""
        rows = self._take_header(folder, SPRITES_JSON in changes)
        sprites = self.sprites
        for slot, row in rows.items():
            path = sprite_path(slot)
            sprite = sprites.slots[slot]
            if "raw" in row:
                if isinstance(sprite, EmptySlot) or sprite_path(slot, raw=True) in changes:
                    sprites.slots[slot] = _raw_sprite(row["raw"], folder, slot, sprites.version)
            elif isinstance(sprite, EmptySlot) or changes.get(path) in ("changed", "added"):
                image = plainfiles.read_png(folder.read(path), path)
                depth = row.get("bytes_per_pixel")
                if depth not in (1, 2, 3, 4):
                    raise WorkspaceError(f"{SPRITES_JSON}: slot {slot}: bytes_per_pixel: {depth!r}")
                alpha = row.get("alpha", 255)
                pixels = pictures.from_image(
                    image, depth, alpha=alpha & 255 if isinstance(alpha, int) else 255
                )
                sprites.replace(slot, pixels)
        for slot, _ in list(self._sprites()):
            if slot not in rows or changes.get(sprite_path(slot)) == "removed":
                sprites.slots[slot] = EmptySlot()
        self.size = 0
        return []

    def _take_header(self, folder: Folder, changed: bool) -> dict[int, dict[str, Any]]:
        """Take sprites.json; return its rows by slot."""
        shown = self.read_json(folder, SPRITES_JSON)
        sprites = self.sprites
        rows = shown.pop("sprites", [])
        count = shown.pop("slot_count", len(sprites.slots))
        empty = shown.pop("empty_slots", {})
        version = shown.pop("version", sprites.version)
        trailing = shown.pop("trailing", "")
        try:
            found = {int(row["slot"]): dict(row) for row in rows}
            if version not in VERSIONS or not 0 <= int(count) <= 1 << 24:
                raise WorkspaceError(f"{SPRITES_JSON}: version or slot_count make no sense")
            if any(not 0 <= slot < count for slot in found):
                raise WorkspaceError(f"{SPRITES_JSON}: a slot lies beyond slot_count")
            if not changed:
                return found
            sprites.version = version
            self.version = str(version)
            sprites.trailing = plain_bytes(trailing)
            sprites.header = plainfiles.read(
                SpriteSetHeader, shown, version, SPRITES_JSON, base=sprites.header
            )
            del sprites.slots[count:]
            sprites.slots += [EmptySlot() for _ in range(count - len(sprites.slots))]
            for key, storage in empty.items():
                slot = sprites.slots[int(key)]
                if isinstance(slot, EmptySlot):
                    slot.storage = int(storage) & 255
        except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
            raise WorkspaceError(f"{SPRITES_JSON} can't be read: {error}") from None
        sprites.header.last_slot = len(sprites.slots) - 1
        return found


def _raw_sprite(row: Any, folder: Folder, slot: int, version: int) -> Sprite:
    path = sprite_path(slot, raw=True)
    data = folder.read(path)
    shown = dict(row) if isinstance(row, dict) else {}
    size = shown.pop("palette_size", 0)
    header = plainfiles.read(SpriteHeader, shown, version, f"{SPRITES_JSON}: slot {slot}")
    return Sprite(header, data[: int(size)], data[int(size) :])


class SpriteIndexDocument(AgsDocument):
    """The index of a sprite set (sprindex.dat)."""

    kind = "ags-sprite-index"

    def __init__(self, source: str | None = None) -> None:
        super().__init__(source)
        self.index_version = 11
        self.index = SpriteIndex()

    def load(self, data: Buffer, beside: Beside | None) -> None:
        """Read the index."""
        self.index_version, self.index = read_index(bytes(data), source=self.source)
        self.version = str(self.index_version)

    def to_bytes(self) -> bytes:
        """The index, rebuilt from the model."""
        return write_index(self.index_version, self.index)

    def settings(self) -> dict[str, object]:
        """None: there are no texts."""
        return {}

    def info(self) -> dict[str, object]:
        """The version, the sprite set's id and the number of slots."""
        return {
            "kind": self.kind,
            "index_version": self.index_version,
            "file_id": self.index.file_id,
            "slots": self.index.count,
            "sprites": sum(1 for width in self.index.widths if width),
        }

    def tree(self) -> Iterable[Resource]:
        """The index alone."""
        yield Resource("index", self.version, INDEX_JSON, self.size or None)

    def coverage(self) -> Coverage:
        """All of it is decoded."""
        return Tally().coverage(self.size or len(self.to_bytes()))

    def plain_files(self, options: UnpackOptions) -> Iterator[PlainFile]:
        """The index as JSON."""
        yield PlainFile(
            INDEX_JSON,
            lambda: self.json(
                {"version": self.index_version} | plainfiles.show(self.index, self.index_version)
            ),
            origin="index",
        )

    def apply(self, folder: Folder, changes: Mapping[str, Change]) -> list[str]:
        """Take the index from its JSON file."""
        if INDEX_JSON in changes:
            shown = self.read_json(folder, INDEX_JSON)
            version = shown.pop("version", self.index_version)
            self.index = plainfiles.read(SpriteIndex, shown, version, INDEX_JSON, base=self.index)
            self.index_version = version
            self.version = str(version)
            self.size = 0
        return []
