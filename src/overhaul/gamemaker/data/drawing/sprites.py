"""Frames of sprites, and what the parts of a drawing share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeAlias

from overhaul.gamemaker.data.chunks.sprt import SpriteType
from overhaul.gamemaker.data.drawing.elements import Picture
from overhaul.gamemaker.data.references import Reference

if TYPE_CHECKING:
    from overhaul.gamemaker.data.chunks.sprt import Sprite
    from overhaul.gamemaker.data.pictures import Item
    from overhaul.media.canvas import RGBA, Affine, Transform

#: takes what is not drawn, in words
Told: TypeAlias = Callable[[str], None]

#: the sprites that are not made of pictures
_OTHERS = {
    SpriteType.SWF: "an SWF sprite",
    SpriteType.SPINE: "a Spine sprite",
    SpriteType.VECTOR: "a vector sprite",
}


def sprite_at(
    sprite: Sprite, frame: float, at: Transform | Affine, colour: RGBA, told: Told
) -> Iterator[Picture]:
    """A frame of a sprite, drawn as an instance of it is."""
    if sprite.sprite_type in _OTHERS:
        told(f"{_OTHERS[SpriteType(sprite.sprite_type)]} ({sprite.name})")
    item = frame_of(sprite, frame)
    if item is not None:
        cuts = sprite.nine_slice
        yield Picture(item, at, colour, cuts=cuts if cuts and cuts.enabled else None)


def frame_of(sprite: Sprite, frame: float) -> Item | None:
    """The texture page item of a frame, counted on from the first again after the last; None for
    a sprite without, and for sprites of vectors or skeletons."""
    if sprite.sprite_type != SpriteType.BITMAP or not sprite.textures or frame != frame:
        return None
    number = int(min(max(frame, -1e9), 1e9))
    item: Item | None = sprite.textures[number % len(sprite.textures)]
    return item


def rgba(colour: int) -> RGBA:
    """The parts of a stored colour, whose lowest byte is red and whose highest byte is alpha."""
    return colour & 255, colour >> 8 & 255, colour >> 16 & 255, colour >> 24 & 255


def target_of(reference: object) -> Any:
    """What a field refers to; None where that is nothing."""
    return reference.target if isinstance(reference, Reference) else None
