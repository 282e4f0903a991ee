"""The kinds of resources with one picture each: backgrounds or tile sets, fonts, and embedded
images."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from overhaul.errors import FormatError, PlainFileError
from overhaul.gamemaker.data.chunks.font import Font, Glyph, range_of
from overhaul.gamemaker.data.chunks.txtr import Background, EmbeddedImage, TexturePageItem
from overhaul.gamemaker.data.sprite_shape import (
    cell_of,
    follows_rule,
    same_tiles,
    set_tile_count,
    with_borders,
)
from overhaul.gamemaker.data.version import Version
from overhaul.gamemaker.data_folder import kind_folders
from overhaul.gamemaker.data_folder.names import ReferenceNames
from overhaul.gamemaker.data_folder.resource import (
    JsonObject,
    ResourceEdit,
    ResourceFiles,
    ShownItem,
    field_names,
)
from overhaul.gamemaker.data_folder.rooms import flat, rows


class BackgroundFiles(ResourceFiles[Background]):
    """Backgrounds; from GMS2 on tile sets, whose tiles are rows of the picture."""

    def defaults(self, version: Version) -> JsonObject:
        is_number = version.major >= 2 and not version.at_least(2023, 8)
        return {"exported_sprite": 0} if is_number else {}

    def pictures(self, record: Background) -> Iterable[ShownItem]:
        return [ShownItem("", "texture", record.texture)]

    def show(self, record: Background, names: ReferenceNames) -> JsonObject:
        plain = super().show(record, names)
        if plain.get("tile_ids"):
            plain["tile_ids"] = rows(list(record.tile_ids), record.columns)
        return plain

    def read(self, values: JsonObject, edit: ResourceEdit[Background]) -> Background:
        tiles = values.pop("tile_ids", [])
        if edit.edits.names.version.major >= 2:
            values["tile_ids"] = flat(tiles)
        record = super().read(values, edit)
        wanted = record.tile_count * record.frames_per_tile
        if edit.edits.names.version.major >= 2 and len(record.tile_ids) != wanted:
            raise FormatError(
                f"tile_count is {record.tile_count} and frames_per_tile {record.frames_per_tile}, "
                f"so {wanted} numbers are expected, not {len(record.tile_ids)}"
            ).within("tile_ids")
        return record

    def painted(
        self,
        edit: ResourceEdit[Background],
        pixels: NDArray[np.uint8],
        item: TexturePageItem | None,
    ) -> NDArray[np.uint8]:
        before, old = edit.edits.images.frame(item), edit.before
        if edit.edits.names.version.major < 2 or before is None or old.tile_width < 1:
            return pixels
        return with_borders(
            pixels, before, cell_of(old), (old.output_border_x, old.output_border_y)
        )

    def apply(self, edit: ResourceEdit[Background]) -> None:
        self.apply_picture(edit)
        record, path = edit.record, f"{edit.place}.png"
        size = _size_of_picture(edit, path, record)
        if edit.edits.names.version.major < 2 or size is None or record.tile_width < 1:
            return
        cell = cell_of(record)
        columns, rows_of_tiles = size[0] // cell[0], size[1] // cell[1]
        if edit.added:
            if not record.tile_count:  # the values that the JSON of a new tile set does not have
                record.columns = record.columns or max(1, columns)
                set_tile_count(record, record.columns * rows_of_tiles)
            return
        before = edit.before.texture
        if before is None or not follows_rule(edit.before, _canvas(before)):
            return
        resized = size != _canvas(before)
        if resized and (size[0] % cell[0] or size[1] % cell[1] or 0 in size):
            raise PlainFileError(
                f"{size[0]} x {size[1]} pixels are not a whole number of tiles of "
                f"{cell[0]} x {cell[1]} (a tile and its borders)",
                path,
            )
        if resized and same_tiles(record, edit.before):
            if columns != record.columns:
                edit.edits.findings.warn(
                    "changed-with-it",
                    f"{columns} tiles are in a row now, {record.columns} before: in the maps of "
                    "rooms, the same numbers are other tiles",
                    path,
                )
            record.columns = columns
            set_tile_count(record, columns * rows_of_tiles)
        elif not follows_rule(record, size):
            raise PlainFileError(
                f"the picture of {size[0]} x {size[1]} pixels has {columns} "
                f"columns and {rows_of_tiles} rows of tiles of {cell[0]} x {cell[1]} (tile_width, "
                "tile_height and twice output_border_x, output_border_y), which is not what "
                f"columns ({record.columns}) and tile_count ({record.tile_count}) say",
                edit.json_path,
            )


def _size_of_picture(
    edit: ResourceEdit[Any], path: str, record: Background | Font
) -> tuple[int, int] | None:
    """The width and height of the picture of a record, as its file is now."""
    if path in edit.changes:
        height, width = edit.edits.picture(path).shape[:2]
        return int(width), int(height)
    return None if record.texture is None else _canvas(record.texture)


def _canvas(item: TexturePageItem) -> tuple[int, int]:
    return item.bounding_width, item.bounding_height


class FontFiles(ResourceFiles[Font]):
    """Fonts, with the picture of their glyphs."""

    def pictures(self, record: Font) -> Iterable[ShownItem]:
        return [ShownItem("/font", "texture", record.texture)]

    def show(self, record: Font, names: ReferenceNames) -> JsonObject:
        plain = super().show(record, names)
        # The padding of these releases says nothing, but folders have the key.
        return plain | {"padding": None} if names.version.at_least(2024, 14) else plain

    def read(self, values: JsonObject, edit: ResourceEdit[Font]) -> Font:
        glyphs = values.get("glyphs")
        for index, given in enumerate(glyphs if isinstance(glyphs, list) else ()):
            if given is None or (isinstance(given, dict) and "character" not in given):
                error = FormatError("a glyph needs its character").within("character")
                raise error.within("glyphs", index)
        font = super().read(values, edit)
        font.glyphs.sort(key=lambda glyph: glyph.character)
        for one, two in pairwise(font.glyphs):
            if one.character == two.character:
                raise FormatError(f"the character {_show_character(one)} occurs twice").within(
                    "glyphs"
                )
        if edit.added:
            given_keys = edit.given
            font.range_start, font.range_end = (
                getattr(font, name) if name in given_keys else number
                for name, number in zip(_RANGE, range_of(font), strict=True)
            )
        elif _stored_range(edit.before) == range_of(edit.before):
            for name, number in zip(_RANGE, range_of(font), strict=True):
                if getattr(font, name) not in (number, getattr(edit.before, name)):
                    raise FormatError(f"it follows from the glyphs, and is {number}").within(name)
                setattr(font, name, number)
        return font

    def apply(self, edit: ResourceEdit[Font]) -> None:
        self.apply_picture(edit)
        size = _size_of_picture(edit, f"{edit.place}/font.png", edit.record)
        if size is None:
            return
        for index, glyph in enumerate(edit.record.glyphs):
            right, bottom = glyph.x + glyph.width, glyph.y + glyph.height
            if glyph.width and glyph.height and (right > size[0] or bottom > size[1]):
                raise PlainFileError(
                    f"glyphs[{index}]: {_show_character(glyph)} is at x "
                    f"{glyph.x}, y {glyph.y} with width {glyph.width} and height {glyph.height}, "
                    f"outside the picture of {size[0]} x {size[1]} pixels",
                    edit.json_path,
                )


_RANGE = ("range_start", "range_end")


def _stored_range(font: Font) -> tuple[int, int]:
    return font.range_start, font.range_end


def _show_character(glyph: Glyph) -> str:
    """A character in words."""
    text = chr(glyph.character)
    return f"{text!r} ({glyph.character})" if text.isprintable() else str(glyph.character)


class EmbeddedImageFiles(ResourceFiles[EmbeddedImage]):
    """Embedded images."""

    def pictures(self, record: EmbeddedImage) -> Iterable[ShownItem]:
        return [ShownItem("", "image", record.image)]

    def apply(self, edit: ResourceEdit[EmbeddedImage]) -> None:
        self.apply_picture(edit)


BACKGROUNDS = BackgroundFiles(
    kind_folders.BACKGROUNDS,
    Background,
    hidden=field_names("name texture"),
    details=field_names("transparent smooth preload tileset_version"),
    own_endings=(".png",),
)
FONTS = FontFiles(kind_folders.FONTS, Font, hidden=field_names("name texture"))
EMBEDDED_IMAGES = EmbeddedImageFiles(
    kind_folders.EMBEDDED_IMAGES,
    EmbeddedImage,
    hidden=field_names("name image"),
    own_endings=(".png",),
)
