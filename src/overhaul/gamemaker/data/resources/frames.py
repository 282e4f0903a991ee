"""The frames of a sprite, as a list people edit."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator, MutableSequence
from contextlib import nullcontext
from functools import partial
from typing import TYPE_CHECKING, TypeAlias, overload

import numpy as np

from overhaul.gamemaker.data.chunks.sprt import Sprite, SpriteType
from overhaul.gamemaker.data.chunks.txtr import TexturePageItem
from overhaul.gamemaker.data.painting import group_of
from overhaul.gamemaker.data.pictures import has_picture, image_of_item, png_bytes
from overhaul.gamemaker.data.resources.pixels import pixels_of
from overhaul.gamemaker.data.sprite_shape import SpriteShape, canvas_of

if TYPE_CHECKING:
    from PIL.Image import Image

    from overhaul.gamemaker.data.code.model import CodeModel
    from overhaul.gamemaker.data.resources.pixels import Picture, Pixels

    #: the values a frame can be set to: a picture, or a frame, whose picture is shared
    Shown: TypeAlias = "Picture | Frame"
    #: a picture to put on a page, or an item that has one
    Wanted: TypeAlias = Pixels | TexturePageItem | None


class Frame:
    """One frame of a sprite."""

    __slots__ = ("game", "index", "record")

    def __init__(self, game: CodeModel, record: Sprite, index: int) -> None:
        self.game: CodeModel = game
        self.record: Sprite = record
        self.index: int = index

    @property
    def item(self) -> TexturePageItem | None:
        """Where its picture is on a texture page; None where it has none."""
        found: TexturePageItem | None = self.record.textures[self.index]
        return found

    @property
    def image(self) -> Image | None:
        """A copy of the picture on the sprite's full canvas (RGBA); None where the frame has
        none.

        Setting it takes a Pillow image, or an array (height, width, 4), of the sprite's size
        (:meth:`Sprite.resize` changes that).  Raises ValueError for another size.
        """
        return image_of_item(self.item)

    @image.setter
    def image(self, picture: Picture) -> None:
        Frames(self.game, self.record)[self.index] = picture

    @property
    def has_picture(self) -> bool:
        """Whether it has a picture, as far as the game says; its page may be damaged."""
        return has_picture(self.item)

    def _repr_png_(self) -> bytes | None:
        return png_bytes(self.image)

    def __repr__(self) -> str:
        return f"<Frame {self.index} of {self.record.name}>"


class Frames(MutableSequence[Frame]):
    """The frames of a sprite: pictures of one size, as a list.

    Frames are set, inserted and appended as Pillow images, arrays (height, width, 4), or frames
    of sprites of the same game, which then share a picture.  Where all frames are replaced at
    once (``frames[:] = pictures``), they may be of another size than before.  Bounding box and
    masks follow, where they were what GameMaker makes of the frames.
    """

    __slots__ = ("game", "record")

    def __init__(self, game: CodeModel, record: Sprite) -> None:
        self.game: CodeModel = game
        self.record: Sprite = record

    def __len__(self) -> int:
        return len(self.record.textures)

    @overload
    def __getitem__(self, key: int) -> Frame: ...
    @overload
    def __getitem__(self, key: slice) -> list[Frame]: ...
    def __getitem__(self, key: int | slice) -> Frame | list[Frame]:
        found = self._numbers(key)
        if isinstance(found, int):
            return Frame(self.game, self.record, found)
        return [Frame(self.game, self.record, index) for index in found]

    @overload
    def _numbers(self, key: int) -> int: ...
    @overload
    def _numbers(self, key: slice) -> range: ...
    @overload
    def _numbers(self, key: int | slice) -> int | range: ...
    def _numbers(self, key: int | slice) -> int | range:
        count = len(self)
        if isinstance(key, int) and not -count <= key < count:
            frames = "frame" if count == 1 else "frames"
            raise IndexError(f"{self.record.name} has {count} {frames}, no frame {key}")
        return range(count)[key]

    def __iter__(self) -> Iterator[Frame]:
        return (Frame(self.game, self.record, index) for index in range(len(self)))

    # The list's own methods take what a frame can be set to, which is more than it gives.
    @overload
    def __setitem__(self, key: int, value: Shown) -> None: ...
    @overload
    def __setitem__(self, key: slice, value: Iterable[Shown]) -> None: ...
    def __setitem__(self, key: int | slice, value: Shown | Iterable[Shown]) -> None:
        frames: list[Wanted] = list(self.record.textures)
        if isinstance(key, int):
            frames[self._numbers(key)] = self._wanted(value)
            _check_sizes(self.record, frames, resize=False)
        elif isinstance(value, Iterable):
            frames[key] = [self._wanted(item) for item in value]
        else:
            raise TypeError(f"expected several frames, got {value!r:.100}")
        self._show(frames)

    def __delitem__(self, key: int | slice) -> None:
        frames: list[Wanted] = list(self.record.textures)
        self._numbers(key)
        del frames[key]
        self._show(frames)

    def insert(self, index: int, value: Shown) -> None:
        """Add a frame before the one at ``index``."""
        self[index:index] = [value]

    def append(self, value: Shown) -> None:
        """Add a frame behind the others."""
        self[len(self) :] = [value]

    def extend(self, values: Iterable[Shown]) -> None:
        """Add frames behind the others."""
        self[len(self) :] = list(values)

    def reverse(self) -> None:
        """Put the frames into the opposite order."""
        self[:] = self[::-1]

    def _wanted(self, value: object) -> Wanted:
        if isinstance(value, Frame):
            if value.game is self.game:
                return value.item
            image = value.image
            if image is None:
                raise ValueError(f"{value!r} has no picture")
            value = image
        picture: Picture = value  # type: ignore[assignment]  # pixels_of checks
        return pixels_of(picture, self.game.release)

    def _show(self, frames: list[Wanted]) -> None:
        show_frames(self.game, self.record, frames)

    def __repr__(self) -> str:
        return f"<{len(self)} frames of {self.record.name}>"


def show_frames(game: CodeModel, sprite: Sprite, frames: list[Wanted]) -> None:
    """Give a sprite these frames; what follows from them follows.

    Raises ValueError where they are of several sizes, or the sprite is of another kind.
    """
    if sprite.sprite_type != SpriteType.BITMAP:
        kind = SpriteType(sprite.sprite_type).name
        raise ValueError(f"{sprite.name} is a {kind} sprite: its frames are in its own data")
    old: list[TexturePageItem | None] = list(sprite.textures)
    _check_sizes(sprite, frames, resize=True)
    painting = game.painting
    before = copy.copy(sprite)
    shape = SpriteShape(
        game, sprite, before, images=painting.images, place=str(sprite.name or "a new sprite")
    )
    frames_before = [painting.images.frame(item) for item in old]
    kept = {id(frame) for frame in frames}
    sprite.textures = [
        frame if not isinstance(frame, np.ndarray) else _replaced(old, index, kept)
        for index, frame in enumerate(frames)
    ]
    with painting.counting() if len(frames) > 1 else nullcontext():
        for index, frame in enumerate(frames):
            size = canvas_of(old[index]) if index < len(old) else None
            if isinstance(frame, np.ndarray):
                changed = painting.put(
                    frame,
                    sprite.textures[index],
                    partial(sprite.textures.__setitem__, index),
                    group=partial(group_of, game, "SPRT", sprite),
                    path=f"{sprite.name}[{index}]",
                )
                shape.frame(index, frame, changed, size)
            elif index >= len(old) or frame is not old[index]:
                pixels = painting.images.frame(frame)
                if pixels is not None:
                    shape.frame(index, pixels, True, size)
    shape.recompute(old, frames_before=frames_before)
    game.findings += shape.findings


def _replaced(
    old: list[TexturePageItem | None], index: int, kept: set[int]
) -> TexturePageItem | None:
    """The item that a new picture at ``index`` may be painted over."""
    item = old[index] if index < len(old) else None
    return None if id(item) in kept else item


def _check_sizes(sprite: Sprite, frames: list[Wanted], *, resize: bool) -> None:
    """Raise ValueError if new frames are of another size than the sprite.

    With ``resize`` they may be, if all are of one.
    """
    old: list[TexturePageItem | None] = sprite.textures
    sizes = {
        frame.shape[:2] if isinstance(frame, np.ndarray) else canvas_of(frame) for frame in frames
    } - {None}
    before = {id(item) for item in old}
    new = {
        size
        for index, frame in enumerate(frames)
        if isinstance(frame, np.ndarray) or id(frame) not in before
        if (size := frame.shape[:2] if isinstance(frame, np.ndarray) else canvas_of(frame))
        != (canvas_of(old[index]) if index < len(old) else None)
    }
    if new <= {(sprite.height, sprite.width), None} or (resize and len(sizes) == 1):
        return
    words = " and ".join(f"{size[1]} x {size[0]}" for size in sorted(filter(None, sizes)))
    raise ValueError(
        f"the frames of {sprite.name} are of {sprite.width} x {sprite.height} pixels, got {words} "
        "(resize() changes all frames)"
    )
