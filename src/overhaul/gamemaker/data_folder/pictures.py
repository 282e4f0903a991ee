"""The kinds of resources with one picture each: backgrounds or tile sets, fonts, and embedded
images."""

from __future__ import annotations

from array import array
from collections.abc import Iterable

from overhaul.gamemaker.data.chunks.bgnd import Background
from overhaul.gamemaker.data.chunks.embi import EmbeddedImage
from overhaul.gamemaker.data.chunks.font import Font
from overhaul.gamemaker.data.version import Version
from overhaul.gamemaker.data_folder.names import Names
from overhaul.gamemaker.data_folder.plain import JsonObject
from overhaul.gamemaker.data_folder.resource import (
    Picture,
    ResourceEdit,
    ResourceFiles,
    field_names,
)
from overhaul.gamemaker.data_folder.rooms import flat, rows


class BackgroundFiles(ResourceFiles[Background]):
    """Backgrounds; from GMS2 on tile sets, whose tiles are rows of the picture."""

    def defaults(self, version: Version) -> JsonObject:
        is_number = version.major >= 2 and not version.at_least(2023, 8)
        return {"exported_sprite": 0} if is_number else {}

    def pictures(self, record: Background) -> Iterable[Picture]:
        return [Picture("", "texture", record.texture)]

    def show(self, record: Background, names: Names) -> JsonObject:
        plain = super().show(record, names)
        if plain.get("tile_ids"):
            plain["tile_ids"] = rows(list(record.tile_ids), record.columns)
        return plain

    def read(self, values: JsonObject, edit: ResourceEdit[Background]) -> Background:
        tiles = values.pop("tile_ids", [])
        if edit.edits.names.version.major >= 2:
            values["tile_ids"] = flat(tiles)
        return super().read(values, edit)

    def apply(self, edit: ResourceEdit[Background]) -> None:
        self.apply_picture(edit)
        record, edits, path = edit.record, edit.edits, f"{edit.place}.png"
        if edits.names.version.major < 2 or not edit.added or record.tile_count:
            return
        if path not in edits.present:
            return
        # What a new tile set's record says of its picture, where the JSON does not.
        height, width = edits.picture(path).shape[:2]
        across = record.tile_width + 2 * record.output_border_x
        down = record.tile_height + 2 * record.output_border_y
        record.columns = record.columns or max(1, width // max(1, across))
        record.tile_count = record.columns * (height // max(1, down))
        frames = range(record.frames_per_tile)
        record.tile_ids = array("I", [tile for tile in range(record.tile_count) for _ in frames])


class FontFiles(ResourceFiles[Font]):
    """Fonts, with the picture of their glyphs."""

    def pictures(self, record: Font) -> Iterable[Picture]:
        return [Picture("/font", "texture", record.texture)]

    def show(self, record: Font, names: Names) -> JsonObject:
        plain = super().show(record, names)
        # The padding of these releases says nothing, but folders have the key.
        return plain | {"padding": None} if names.version.at_least(2024, 14) else plain

    def apply(self, edit: ResourceEdit[Font]) -> None:
        self.apply_picture(edit)


class EmbeddedImageFiles(ResourceFiles[EmbeddedImage]):
    """Embedded images."""

    def pictures(self, record: EmbeddedImage) -> Iterable[Picture]:
        return [Picture("", "image", record.image)]

    def apply(self, edit: ResourceEdit[EmbeddedImage]) -> None:
        self.apply_picture(edit)


BACKGROUNDS = BackgroundFiles(
    "BGND",
    "backgrounds",
    Background,
    hidden=field_names("name texture"),
    details=field_names("transparent smooth preload tileset_version"),
    beside=(".png",),
)
FONTS = FontFiles("FONT", "fonts", Font, "font.json", hidden=field_names("name texture"))
EMBEDDED_IMAGES = EmbeddedImageFiles(
    "EMBI", "embedded_images", EmbeddedImage, hidden=field_names("name image"), beside=(".png",)
)
