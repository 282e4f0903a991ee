"""What a resource of a project and one of a game have in common, as values of JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, cast

import numpy as np

from overhaul.media import png

if TYPE_CHECKING:
    from PIL.Image import Image

#: Digits that single precision keeps.
_DIGITS: Final = 6
#: The names of the classes of layers in projects, as games call them.
LAYERS: Final = {
    "GMRInstanceLayer": "instances", "GMRBackgroundLayer": "background",
    "GMRTileLayer": "tiles", "GMRAssetLayer": "assets", "GMREffectLayer": "effect",
}  # fmt: skip


def number(value: object) -> object:
    """A number as both can have it: a whole one, or one of single precision."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    short = float(f"{value:.{_DIGITS}g}")
    return int(short) if short == int(short) else short


def as_json(value: Mapping[str, object]) -> bytes:
    """The bytes of a file of fields."""
    return json.dumps(value, indent=1, ensure_ascii=False, default=str).encode("utf-8")


def picture(image: Image | None) -> bytes:
    """The bytes of a picture; what is transparent has no colour."""
    if image is None:
        return b""
    pixels = png.from_image(image.convert("RGBA")).copy()
    pixels[pixels[..., 3] == 0] = 0
    return png.encode(pixels)


def name_of(resource: object) -> str | None:
    """The name of a resource; None for none."""
    return None if resource is None else str(getattr(resource, "name", ""))


def tiles_of(words: object) -> list[object]:
    """The rows of a map that have tiles, by their numbers."""
    if words is None:
        return []
    cells = np.asarray(cast("object", words)).astype(np.uint32)
    cells = np.where(cells & 0x7FFFF, cells, 0)
    rows = [[index, row.tolist()] for index, row in enumerate(cells) if row.any()]
    return [list(cells.shape), *rows] if rows else []


def colour_of(value: object) -> object:
    """A colour as a number (ABGR), of its number or its parts."""
    if isinstance(value, tuple):
        red, green, blue, alpha = (int(part) for part in value)
        return red | green << 8 | blue << 16 | alpha << 24
    return value
