"""Files of a resource as a game of another release has them."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO

from PIL import Image

from overhaul.document.protocol import Document
from overhaul.folder.jsonkit import json_bytes, read_object, wide
from overhaul.gamemaker.data.chunks.sprt import Sprite
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.resources.converting import mask_of_other_size
from overhaul.gamemaker.data.sprite_shape import SHAPE, expects_sequence, size_of_masks
from overhaul.gamemaker.data_folder.sprites import SPRITES, mask_png
from overhaul.media import masks

#: the details of a sprite that the release decides
_OF_RELEASE = ("sub_version", "sequence")


def as_in(source: Document, target: Document) -> tuple[Document, list[str]]:
    """A game for copying from: itself, as files are adapted one by one."""
    return source, []


def adapted(path: str, read: Callable[[str], bytes], source: Document, target: Document) -> bytes:
    """A file of a resource of one game as another game has it: collision masks of the bounding box
    (2024.6 and later) or of the whole sprite, and sprites with a sequence of their frames or not.
    """
    data = read(path)
    stem = SPRITES.stem_of(path)
    if not stem or not isinstance(source, GameData) or not isinstance(target, GameData):
        return data
    place = SPRITES.json_path(stem)
    if path == place and source.release != target.release:
        return _sprite_json(data, path, target)
    if not path.startswith(f"{SPRITES.folder}/{stem}/mask_"):
        return data
    values = read_object(read(place), place)
    shape = Sprite()
    for name in SHAPE:
        setattr(shape, name, _number(values.get(name)))
    before, after = size_of_masks(source, shape), size_of_masks(target, shape)
    if before == after or not all(before) or not all(after):
        return data
    with Image.open(BytesIO(data), formats=["PNG"]) as image:
        packed = masks.pack(masks.from_image(image))
    return mask_png(mask_of_other_size(packed, shape, before, after), *after)


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0


def _sprite_json(data: bytes, path: str, target: GameData) -> bytes:
    values = read_object(data, path)
    details = values.get("details")
    if not isinstance(details, dict):
        return data
    keeps = expects_sequence(target, Sprite(sub_version=3))
    left = {key: value for key, value in details.items() if key not in _OF_RELEASE or keeps}
    if left == details:
        return data
    values = {key: value for key, value in values.items() if key != "details"}
    return json_bytes(values | ({"details": left} if left else {}), wide)
