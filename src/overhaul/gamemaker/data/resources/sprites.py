"""Sprites."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, overload

from overhaul.gamemaker.data.chunks.seqn import SpeedType
from overhaul.gamemaker.data.chunks.sprt import BboxMode, CollisionKind, SpriteType
from overhaul.gamemaker.data.chunks.sprt import Sprite as SpriteRecord
from overhaul.gamemaker.data.pictures import image_of_item
from overhaul.gamemaker.data.resources.base import Resource, Resources
from overhaul.gamemaker.data.resources.fields import Choice, Flag, Number, Real

if TYPE_CHECKING:
    from PIL.Image import Image


class Frame:
    """One frame of a sprite."""

    __slots__ = ("index", "sprite")

    def __init__(self, sprite: Sprite, index: int) -> None:
        self.sprite = sprite
        self.index = index

    @property
    def image(self) -> Image | None:
        """A copy of the picture on the sprite's full canvas (RGBA); None where the frame has
        none."""
        return image_of_item(self.sprite.record.textures[self.index])

    def _repr_png_(self) -> bytes | None:
        image = self.image
        return None if image is None else image._repr_png_()

    def __repr__(self) -> str:
        return f"<Frame {self.index} of {self.sprite.name}>"


class Frames(Sequence[Frame]):
    """The frames of a sprite."""

    __slots__ = ("sprite",)

    def __init__(self, sprite: Sprite) -> None:
        self.sprite = sprite

    def __len__(self) -> int:
        return len(self.sprite.record.textures)

    @overload
    def __getitem__(self, key: int) -> Frame: ...
    @overload
    def __getitem__(self, key: slice) -> list[Frame]: ...
    def __getitem__(self, key: int | slice) -> Frame | list[Frame]:
        found = range(len(self))[key]
        if isinstance(found, int):
            return Frame(self.sprite, found)
        return [Frame(self.sprite, index) for index in found]

    def __iter__(self) -> Iterator[Frame]:
        return (Frame(self.sprite, index) for index in range(len(self)))

    def __repr__(self) -> str:
        return f"<{len(self)} frames of {self.sprite.name}>"


class Sprite(Resource[SpriteRecord]):
    """A sprite."""

    __slots__ = ()
    chunk = "SPRT"

    width = Number("pixels")
    height = Number("pixels")
    origin_x = Number("pixels from the left")
    origin_y = Number("pixels from the top")
    bbox_left = Number("the bounding box: its leftmost column", "margin_left")
    bbox_right = Number("the bounding box: its rightmost column", "margin_right")
    bbox_top = Number("the bounding box: its first row", "margin_top")
    bbox_bottom = Number("the bounding box: its last row", "margin_bottom")
    bbox_mode = Choice(BboxMode, "how the bounding box was made")
    collision_kind = Choice(CollisionKind, "the shape collisions are tested with")
    type = Choice(SpriteType, "what the sprite is made of", "sprite_type")
    speed = Real("frames per second or per step of the game", "playback_speed")
    speed_type = Choice(SpeedType, "what the speed counts", "playback_speed_type")
    smooth = Flag("whether the edges of the collision mask are smoothed")
    preload = Flag("whether the texture is loaded at the start")

    @property
    def frames(self) -> Frames:
        """The frames, as a list."""
        return Frames(self)

    def _about(self) -> str:
        count = len(self.record.textures)
        return f"{self.width}×{self.height}, {count} frame{'' if count == 1 else 's'}"

    def _repr_png_(self) -> bytes | None:
        return self.record._repr_png_()


class Sprites(Resources[Sprite]):
    """The sprites of a game."""

    resource = Sprite
