"""What follows from a sprite's or background's pictures: its size, and the sprite's bounding box.

JSON has such fields only where they differ from the rule, so that a picture can be replaced by
one of another size or shape.  The rules hold for every sprite of the corpus, 862 of them with an
automatic box.  None has no visible pixel at all; what Game Maker gives that is unknown.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy

from overhaul.errors import FormatError
from overhaul.gamemaker.classic.bitmaps import SIZE_BYTES, bmp_pixels, bmp_size
from overhaul.gamemaker.classic.resources import Background, OldPicture, OldSprite, Picture, Sprite

if TYPE_CHECKING:
    from numpy.typing import NDArray

AUTOMATIC, FULL = 0, 1  # the modes of bounding boxes that are not set by hand

Box = tuple[int, int, int, int]  # left, right, bottom, top: the first and last columns and rows


def outline(resource: OldSprite | Sprite | Background) -> dict[str, int]:
    """The fields that follow from the pictures, if these can be read."""
    if isinstance(resource, Background):
        size = size_of(resource.old_image) if resource.old_image is not None else None
        return {} if size is None else {"width": size[0], "height": size[1]}
    size = size_of(resource.frames[0]) if resource.frames else None
    if size is None:
        return {}
    width, height = size
    fields = {"width": width, "height": height} if isinstance(resource, OldSprite) else {}
    box: Box | None = None
    if resource.bbox_mode == FULL:
        box = 0, width - 1, height - 1, 0
    elif resource.bbox_mode == AUTOMATIC:
        box = _visible(resource)
    names = ("bbox_left", "bbox_right", "bbox_bottom", "bbox_top")
    return fields if box is None else fields | dict(zip(names, box, strict=True))


def size_of(picture: OldPicture | Picture) -> tuple[int, int] | None:
    """Width and height of a picture; None if it can't be read."""
    if isinstance(picture, Picture):
        return (picture.width, picture.height) if picture.pixels else None
    try:
        return None if picture.file is None else bmp_size(picture.file.beginning(SIZE_BYTES))
    except FormatError:
        return None


def without_outline(plain: dict[str, object], resource: OldSprite | Sprite | Background) -> None:
    """Remove from JSON what equals :func:`outline`."""
    for name, value in outline(resource).items():
        if plain.get(name) == value:
            del plain[name]


def add_outline(resource: OldSprite | Sprite | Background, given: Iterable[str]) -> None:
    """Set what JSON did not give."""
    for name, value in outline(resource).items():
        if name not in given:
            setattr(resource, name, value)


def _visible(sprite: OldSprite | Sprite) -> Box | None:
    """The box of all visible pixels of all subimages; None if some can't be read."""
    boxes: list[Box] = []
    for frame in sprite.frames:
        mask = _mask(sprite, frame)
        if mask is None:
            return None
        rows, columns = numpy.flatnonzero(mask.any(axis=1)), numpy.flatnonzero(mask.any(axis=0))
        if len(rows):
            boxes.append((int(columns[0]), int(columns[-1]), int(rows[-1]), int(rows[0])))
    if not boxes:
        return 0, 0, 0, 0
    lefts, rights, bottoms, tops = zip(*boxes, strict=True)
    return min(lefts), max(rights), max(bottoms), min(tops)


def _mask(sprite: OldSprite | Sprite, frame: OldPicture | Picture) -> NDArray[numpy.bool_] | None:
    """Which pixels of a subimage are visible; None if it can't be read."""
    if isinstance(frame, Picture):
        if not frame.pixels:
            return None
        pixels = numpy.frombuffer(frame.pixels, numpy.uint8)
        alpha = pixels.reshape(frame.height, frame.width, 4)[:, :, 3]
        tolerance = sprite.alpha_tolerance if isinstance(sprite, Sprite) else 0
        return numpy.greater(alpha, tolerance)
    found = None if frame.file is None else bmp_pixels(frame.file.data)
    if found is None:
        return None
    if isinstance(sprite, OldSprite) and not sprite.transparent:
        return numpy.ones(found.shape[:2], numpy.bool_)
    visible: NDArray[numpy.bool_] = (found[:, :, :3] != found[-1, 0, :3]).any(axis=2)
    return visible
