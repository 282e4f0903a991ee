"""BGND: backgrounds (GMS1) and tile sets (GMS2 and later)."""

from array import array
from collections.abc import MutableSequence
from typing import TYPE_CHECKING, Annotated

import msgspec

from overhaul.gamemaker.data.fields import ItemRef, StringRef, reference
from overhaul.gamemaker.data.pictures import image_of_item, png_bytes
from overhaul.gamemaker.data.version import gms2, since
from overhaul.schema import Either, FixedCodec, Numbers, Pointers, Record, b32, i64, u32

if TYPE_CHECKING:
    from PIL.Image import Image


class Background(Record):
    """A background, or from GMS2 on a tile set."""

    name: StringRef = None
    transparent: b32 = False
    smooth: b32 = False
    preload: b32 = False
    texture: ItemRef = None
    tileset_version: Annotated[u32, gms2, "2"] = 2
    tile_width: Annotated[u32, gms2] = 16
    tile_height: Annotated[u32, gms2] = 16
    tile_separation_x: Annotated[u32, since(2024, 14, 1)] = 0
    tile_separation_y: Annotated[u32, since(2024, 14, 1)] = 0
    output_border_x: Annotated[u32, gms2] = 2
    output_border_y: Annotated[u32, gms2] = 2
    columns: Annotated[u32, gms2] = 0
    frames_per_tile: Annotated[u32, gms2] = 1
    tile_count: Annotated[u32, gms2] = 0
    exported_sprite: Annotated[
        object,
        Either(since(2023, 8), reference("SPRT", "sprite"), FixedCodec("i", "i32")),
        gms2,
        "0 before 2023.8",
    ] = None
    frame_length: Annotated[i64, gms2, "microseconds"] = 66666
    tile_ids: Annotated[
        MutableSequence[int], Numbers("I", "frames_per_tile", "tile_count"), gms2, "tile by tile"
    ] = msgspec.field(default_factory=lambda: array("I"))

    @property
    def image(self) -> "Image | None":
        """The picture, a Pillow image (RGBA); None where there is none."""
        return image_of_item(self.texture)

    def _repr_png_(self) -> bytes | None:
        return png_bytes(self.image)


class BackgroundList(Record):
    """All backgrounds or tile sets."""

    backgrounds: Annotated[
        list[Background], Pointers(align=lambda version: version.background_alignment)
    ] = []
