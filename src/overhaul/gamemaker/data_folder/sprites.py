"""Sprites: a JSON file, a picture for each frame, and a picture for each collision mask."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from io import BytesIO

from overhaul.document.plainfiles import PlainFile
from overhaul.gamemaker.data.chunks.sprt import Sprite
from overhaul.gamemaker.data.chunks.tpag import TexturePageItem
from overhaul.gamemaker.data.pictures import has_picture
from overhaul.gamemaker.data.version import Version
from overhaul.gamemaker.data_folder.names import Names
from overhaul.gamemaker.data_folder.plain import JsonObject
from overhaul.gamemaker.data_folder.resource import (
    Picture,
    ResourceEdit,
    ResourceFiles,
    field_names,
)
from overhaul.gamemaker.data_folder.sprite_shape import SHAPE, SpriteShape, canvas_of, size_of_masks
from overhaul.media import masks


class SpriteFiles(ResourceFiles[Sprite]):
    """Sprites, their frames and masks."""

    def defaults(self, version: Version) -> JsonObject:
        if version.major < 2:
            return {}
        return {"sub_version": 1 + version.at_least(2, 3) + version.at_least(2, 3, 2)}

    def usual(self, names: Names) -> JsonObject:
        return super().usual(names) | {"sprite_type": "bitmap", "sequence": None, "special": None}

    def pictures(self, record: Sprite) -> Iterable[Picture]:
        return [
            Picture(f"/{number}", f"textures[{number}]", item)
            for number, item in enumerate(record.textures)
        ]

    def parts(self, record: Sprite, place: str, origin: str, names: Names) -> Iterator[PlainFile]:
        size = size_of_masks(names.game, record)
        for number, mask in enumerate(record.masks if all(size) else ()):
            yield PlainFile(
                f"{place}/mask_{number}.png",
                partial(_mask_png, mask, *size),
                origin=f"{origin}.masks[{number}]",
            )

    def read(self, values: JsonObject, edit: ResourceEdit[Sprite]) -> Sprite:
        # A special sprite's fields are there for some sub-versions only.
        if values.get("sub_version") == 0:
            for key in ("sprite_type", "playback_speed", "playback_speed_type"):
                values.pop(key, None)
        if values.get("special", 0) is None:
            del values["special"]
        record = super().read(values, edit)
        if not edit.added:
            for name in SHAPE:  # without a word, they are as they were
                if name not in edit.given:
                    setattr(record, name, getattr(edit.record, name))
        return record

    def apply(self, edit: ResourceEdit[Sprite]) -> None:
        sprite, place, edits = edit.record, edit.place, edit.edits
        if sprite.sprite_type:
            return  # frames of SWF, Spine and vector sprites are in their own data
        shape = SpriteShape(edit)
        files = edits.numbered(place)
        old = [] if edit.added else list(sprite.textures)
        if edit.added:
            known = _known_items(place, edits.items)
            kept = {number for number, item in known.items() if not has_picture(item)}
        else:  # a folder may hold a part of the game's files alone
            known = dict(enumerate(old))
            kept = {n for n in known if edit.changes.get(f"{place}/{n}.png") != "removed"}
        numbers = sorted(files.keys() | kept)
        sprite.textures = [known.get(number) for number in numbers]
        for index, number in enumerate(numbers):
            path = files.get(number)
            if path is not None and path in edit.changes:
                place_item = partial(sprite.textures.__setitem__, index)
                item = sprite.textures[index]
                pixels, changed = edit.paint(path, item, place_item)
                shape.frame(index, pixels, changed, canvas_of(item))
        shape.settle(old, edits.numbered(place, "mask_"))


def _known_items(place: str, items: dict[str, TexturePageItem]) -> dict[int, TexturePageItem]:
    """The items of a sprite's frames, by number."""
    split = ((path.rpartition("/"), item) for path, item in items.items())
    return {
        int(number): item
        for (folder, _, number), item in split
        if folder == place and number.isdigit()
    }


def _mask_png(mask: bytes, width: int, height: int) -> bytes:
    """A collision mask as a PNG file of one bit per pixel."""
    out = BytesIO()
    masks.to_image(masks.unpack(mask, width, height)).save(out, "PNG", compress_level=4)
    return out.getvalue()


SPRITES = SpriteFiles(
    "SPRT",
    "sprites",
    Sprite,
    "sprite.json",
    hidden=field_names("name textures masks"),
    details=field_names("transparent smooth preload sub_version sprite_type sequence special"),
)
