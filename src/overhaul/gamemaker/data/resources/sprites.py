"""Sprites."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Sequence
from enum import IntEnum
from functools import partial
from os import PathLike
from pathlib import PurePath
from typing import TYPE_CHECKING, TypeAlias, TypeVar

import numpy as np

from overhaul.document.files import write_file
from overhaul.document.surface import SpriteDefaults
from overhaul.errors import FormatError
from overhaul.gamemaker.data.chunks.seqn import SpeedType
from overhaul.gamemaker.data.chunks.sprt import BboxMode, CollisionKind, SpriteType, TileMode
from overhaul.gamemaker.data.chunks.sprt import NineSlice as NineSliceRecord
from overhaul.gamemaker.data.chunks.sprt import Sprite as SpriteRecord
from overhaul.gamemaker.data.painting import group_of
from overhaul.gamemaker.data.resources.base import Resource, Resources
from overhaul.gamemaker.data.resources.fields import Choice, Flag, Held, Number, Real
from overhaul.gamemaker.data.resources.frames import Frame, Frames
from overhaul.gamemaker.data.resources.names import check_new_name
from overhaul.gamemaker.data.resources.parts import Part
from overhaul.gamemaker.data.resources.pixels import (
    all_pixels,
    check_names,
    pictures_in,
    read_pictures,
)
from overhaul.gamemaker.data.sprite_shape import (
    NewMasks,
    SpriteShape,
    size_of_masks,
    sub_version_of,
)
from overhaul.media import masks as bits
from overhaul.media.frames import apng, gif, strip, strip_of

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PIL.Image import Image

    from overhaul.gamemaker.data.resources.pixels import Origin, Picture, Pixels, Progress

    #: solid pixels of a sprite, (height, width)
    Mask: TypeAlias = NDArray[np.bool_]

E = TypeVar("E", bound=IntEnum)

_SIDES = ("margin_left", "margin_top", "margin_right", "margin_bottom")


class NineSlice(Part[SpriteRecord, NineSliceRecord]):
    """The cuts of a nine-slice sprite: its corners keep their size when it is stretched."""

    __slots__ = ()

    left: Number = Number("the width of the left column, in pixels")
    top: Number = Number("the height of the top row, in pixels")
    right: Number = Number("the width of the right column, in pixels")
    bottom: Number = Number("the height of the bottom row, in pixels")
    enabled: Flag = Flag("whether the sprite is drawn in nine parts")
    left_mode: Choice[TileMode] = Choice(TileMode, "how the left edge fills its place")
    top_mode: Choice[TileMode] = Choice(TileMode, "how the top edge fills its place")
    right_mode: Choice[TileMode] = Choice(TileMode, "how the right edge fills its place")
    bottom_mode: Choice[TileMode] = Choice(TileMode, "how the bottom edge fills its place")
    centre_mode: Choice[TileMode] = Choice(TileMode, "how the centre fills its place")

    def _about(self) -> str:
        return f"{self.left}, {self.top}, {self.right}, {self.bottom} of {self.owner.name}"


class _Shaping(Number):
    """A number that the collision masks follow."""

    def _assign(self, holder: Held, value: object) -> None:
        _reshape(holder, lambda: super(_Shaping, self)._assign(holder, value))


class _ShapingChoice(Choice[E]):
    """A choice that the bounding box or the masks follow."""

    def _assign(self, holder: Held, value: object) -> None:
        _reshape(holder, lambda: super(_ShapingChoice, self)._assign(holder, value))


def _reshape(holder: Held, change: Callable[[], None], masks: NewMasks | None = None) -> None:
    """Change a sprite's record, and what follows from it."""
    record: SpriteRecord = holder.record
    before = copy.copy(record)
    change()
    images = holder.game.painting.images
    shape = SpriteShape(holder.game, record, before, images=images, place=str(record.name))
    shape.recompute(record.textures, masks)


class Sprite(SpriteDefaults, Resource[SpriteRecord]):
    """A sprite."""

    __slots__ = ()
    chunk = "SPRT"

    origin_x: Number = Number("pixels from the left")
    origin_y: Number = Number("pixels from the top")
    bbox_left: _Shaping = _Shaping("the bounding box: its leftmost column", "margin_left")
    bbox_right: _Shaping = _Shaping("the bounding box: its rightmost column", "margin_right")
    bbox_top: _Shaping = _Shaping("the bounding box: its first row", "margin_top")
    bbox_bottom: _Shaping = _Shaping("the bounding box: its last row", "margin_bottom")
    bbox_mode: _ShapingChoice[BboxMode] = _ShapingChoice(BboxMode, "how the bounding box is made")
    collision_kind: _ShapingChoice[CollisionKind] = _ShapingChoice(
        CollisionKind, "the shape collisions are tested with"
    )
    type: Choice[SpriteType] = Choice(
        SpriteType, "the type of the sprite's pictures", "sprite_type"
    )
    speed: Real = Real("frames per second or per step of the game", "playback_speed")
    speed_type: Choice[SpeedType] = Choice(
        SpeedType, "the unit of the speed", "playback_speed_type"
    )
    smooth: Flag = Flag("whether the edges of the collision mask are smoothed")
    preload: Flag = Flag("whether the texture is loaded at the start")

    @property
    def width(self) -> int:
        """Pixels; :meth:`resize` changes it."""
        return self.record.width

    @property
    def height(self) -> int:
        """Pixels; :meth:`resize` changes it."""
        return self.record.height

    @property
    def frames(self) -> Frames:
        """The frames, as a list; see :class:`.frames.Frames` for what can be put into it.

        Setting it replaces all frames, by pictures or by those of a file (a strip, GIF, APNG).
        """
        return Frames(self.game, self.record)

    @frames.setter
    def frames(self, frames: Iterable[Picture | Frame] | str | PathLike[str]) -> None:
        if isinstance(frames, (str, PathLike)):
            frames = all_pixels(frames, self.game.release)
        self.frames[:] = list(frames)

    @property
    def origin(self) -> tuple[int, int]:
        """The point of the sprite that is drawn at (x, y), in pixels from its top left."""
        return self.origin_x, self.origin_y

    @origin.setter
    def origin(self, value: tuple[int, int]) -> None:
        self.origin_x, self.origin_y = value

    @property
    def bbox(self) -> tuple[int, int, int, int]:
        """The bounding box: left, top, right, bottom, the last column and row included.

        Setting it makes it one that was set by hand (``BboxMode.MANUAL``).
        """
        left, top, right, bottom = (getattr(self.record, side) for side in _SIDES)
        return left, top, right, bottom

    @bbox.setter
    def bbox(self, value: tuple[int, int, int, int]) -> None:
        numbers = [
            Number(name=side).stored(each, self) for side, each in zip(_SIDES, value, strict=True)
        ]

        def change() -> None:
            self.record.bbox_mode = BboxMode.MANUAL
            for side, number in zip(_SIDES, numbers, strict=True):
                setattr(self.record, side, number)

        _reshape(self, change)

    def resize(self, width: int, height: int, offset: tuple[int, int] = (0, 0)) -> None:
        """Give all frames another canvas; the pictures on it keep their sizes.

        ``offset``: where the top left of the old canvas goes on the new one, in pixels; what is
        outside is cut away.  The origin moves with it.  Raises ValueError for an empty canvas.
        """
        if width < 1 or height < 1:
            raise ValueError(f"expected a canvas of at least 1 x 1 pixels, got {width} x {height}")
        x, y = offset
        images = self.game.painting.images
        frames = []
        for item in self.record.textures:
            old = images.frame(item)
            if old is None:
                raise ValueError(f"the picture of a frame of {self.name} can't be read")
            canvas = np.zeros((height, width, 4), np.uint8)
            part = old[max(0, -y) :, max(0, -x) :]
            place = canvas[max(0, y) :, max(0, x) :]
            rows, columns = np.minimum(part.shape[:2], place.shape[:2])
            place[:rows, :columns] = part[:rows, :columns]
            frames.append(canvas)
        self.frames[:] = frames
        self.origin = self.origin_x + x, self.origin_y + y

    # -- collision masks ----------------------------------------------------------------------

    @property
    def masks(self) -> list[Mask]:
        """The collision masks, (height, width), True where solid: none, one for the sprite, or one
        for each frame.

        Setting them keeps them as they are when the frames change later.  Raises ValueError for
        masks of another size or number, or (since 2024.6) solid outside of the bounding box.
        """
        record = self.record
        width, height = size_of_masks(self.game, record)
        masks = []
        for data in record.masks:
            mask = bits.unpack(data, width, height)
            if mask.shape != (self.height, self.width):
                whole = np.zeros((self.height, self.width), np.bool_)
                part = whole[self._mask_part(width, height)]
                part[...] = mask[: part.shape[0], : part.shape[1]]
                mask = whole
            masks.append(mask)
        return masks

    @masks.setter
    def masks(self, masks: Sequence[Mask]) -> None:
        if len(masks) not in (0, 1, len(self.frames)):
            raise ValueError(
                f"{self.name} has no mask, one, or {len(self.frames)} (one for each frame), "
                f"got {len(masks)}"
            )
        self.record.masks = [self._packed(np.asarray(mask)) for mask in masks]

    @property
    def mask_count(self) -> int:
        """How many :attr:`masks` there are, without unpacking them."""
        return len(self.record.masks)

    def _mask_part(self, width: int, height: int) -> tuple[slice, slice]:
        """The part of the canvas that masks of this size cover."""
        if (width, height) == (self.width, self.height):
            return slice(None), slice(None)
        left, top = max(0, self.record.margin_left), max(0, self.record.margin_top)
        return slice(top, top + height), slice(left, left + width)

    def _packed(self, mask: Mask) -> bytes:
        if mask.shape != (self.height, self.width) or mask.dtype != np.bool_:
            raise ValueError(
                f"expected masks of bool, ({self.height}, {self.width}), got {mask.dtype}, "
                f"{mask.shape}"
            )
        width, height = size_of_masks(self.game, self.record)
        part = self._mask_part(width, height)
        if mask.sum() != mask[part].sum():
            raise ValueError(f"a mask of {self.name} is solid outside of its bounding box")
        inside = mask[part]
        whole = np.zeros((height, width), np.bool_)
        whole[: inside.shape[0], : inside.shape[1]] = inside
        return bits.pack(whole)

    @property
    def mask(self) -> Mask | None:
        """The first of the :attr:`masks`; None where there is none.

        Setting it gives all frames this one mask, or none.
        """
        masks = self.masks
        return masks[0] if masks else None

    @mask.setter
    def mask(self, mask: Mask | None) -> None:
        self.masks = [] if mask is None else [mask]

    # -- nine slices --------------------------------------------------------------------------

    @property
    def nine_slice(self) -> NineSlice | None:
        """The cuts of a nine-slice sprite; None for others.

        Setting it to (left, top, right, bottom), in pixels, makes them; None takes them away.
        Raises ValueError before GameMaker 2.3.2.
        """
        record = self.record.nine_slice
        return None if record is None else NineSlice(self.game, self.record, record)

    @nine_slice.setter
    def nine_slice(self, cuts: tuple[int, int, int, int] | None) -> None:
        if cuts is None:
            self.record.nine_slice = None
            return
        if self.record.sub_version < 3:
            raise ValueError(f"nine_slice: sprites of {self.game.release} do not have it")
        names = ("left", "top", "right", "bottom")
        part = NineSlice(
            self.game, self.record, copy.copy(self.record.nine_slice or NineSliceRecord())
        )
        for name, value in zip(names, cuts, strict=True):
            setattr(part, name, value)
        self.record.nine_slice = part.record

    # -- files --------------------------------------------------------------------------------

    @property
    def image(self) -> Image:
        """The first frame as a Pillow image.  Raises ValueError for a sprite without pictures."""
        first = self.frames[0].image if self.frames else None
        if first is None:
            raise ValueError(f"{self.name} has no picture")
        return first

    def save(self, path: str | PathLike[str], *, force: bool = False) -> str:
        """Save the frames as the ending of the path says; return its path.

        ``.png``: the frame, or a strip of several; ``.apng`` and ``.gif``: moving.  Errors as of
        :meth:`save_strip`, ValueError for another ending.
        """
        ending = PurePath(path).suffix.lower()
        if ending == ".png" and len(self.frames) == 1:
            write_file(path, self.strip(), force=force)
            return str(path)
        saves = {".png": self.save_strip, ".apng": self.save_apng, ".gif": self.save_gif}
        if ending not in saves:
            raise ValueError(f"{path}: expected a name that ends with {', '.join(saves)}")
        return saves[ending](path, force=force)

    def save_strip(self, path: str | PathLike[str], *, force: bool = False) -> str:
        """Save the frames side by side as a PNG file; return its path.

        Its name ends in ``_stripN``, as GameMaker's strips do; a name that does not gets it.
        Raises ValueError where a frame has no picture, FileExistsError for a file that is there,
        without ``force``.
        """
        frames = self._pixels()
        whole = PurePath(path)
        if strip_of(whole)[1] != len(frames):
            whole = whole.with_name(f"{strip_of(whole)[0]}_strip{len(frames)}.png")
        write_file(whole, strip(frames), force=force)
        return str(whole)

    def strip(self) -> bytes:
        """The frames side by side as a PNG file.  Errors as of :meth:`save_strip`."""
        return strip(self._pixels())

    def shows(self, pixels: Sequence[Pixels]) -> bool:
        """Whether these are its frames, pixel for pixel."""
        images = self.game.painting.images
        items = self.record.textures
        return len(items) == len(pixels) and all(
            (old := images.frame(item)) is not None and np.array_equal(old, new)
            for item, new in zip(items, pixels, strict=True)
        )

    def has_pictures(self) -> bool:
        """Whether it has frames, and each of them a picture."""
        items = self.record.textures
        return bool(items) and all(item is not None for item in items)

    def save_apng(
        self, path: str | PathLike[str], *, fps: float | None = None, force: bool = False
    ) -> str:
        """Save the frames as an animated PNG file, with every pixel as it is; return its path.

        ``fps``: frames per second, by default those of the sprite.  Errors as of
        :meth:`save_strip`.
        """
        write_file(path, apng(self._pixels(), self._rate(fps)), force=force)
        return str(path)

    def save_gif(
        self, path: str | PathLike[str], *, fps: float | None = None, force: bool = False
    ) -> str:
        """Save the frames as a GIF file; return its path.

        Each has up to 255 colours, and its pixels are either visible or not.

        ``fps`` and errors as of :meth:`save_apng`.
        """
        write_file(path, gif(self._pixels(), self._rate(fps)), force=force)
        return str(path)

    def _pixels(self) -> list[Pixels]:
        images = self.game.painting.images
        frames = [images.frame(item) for item in self.record.textures]
        pixels = [frame for frame in frames if frame is not None]
        if not pixels or len(pixels) != len(frames):
            raise FormatError(f"{self.name} has a frame without a picture, or no frames")
        return pixels

    @property
    def fps(self) -> float:
        """The frames per second it is played with, where no code sets another speed: at the game's
        own speed, and 30 for a sprite that stands still."""
        per_step = self.speed_type == SpeedType.FRAMES_PER_GAME_FRAME
        return self.speed * (self.game.general.game_speed if per_step else 1) or 30.0

    def _rate(self, fps: float | None) -> float:
        """Frames per second."""
        fps = self.fps if fps is None else fps
        if not 0 < fps <= 1000:
            raise ValueError(f"fps: expected more than 0 and up to 1000, got {fps}")
        return fps

    def _about(self) -> str:
        count = len(self.record.textures)
        return f"{self.width}×{self.height}, {count} frame{'' if count == 1 else 's'}"

    def _repr_png_(self) -> bytes | None:
        return self.record._repr_png_()


class Sprites(Resources[Sprite]):
    """The sprites of a game."""

    resource = Sprite

    def add(
        self,
        name: str,
        frames: Sequence[Picture] | Picture | str | PathLike[str],
        *,
        origin: tuple[int, int] = (0, 0),
        collision_kind: CollisionKind = CollisionKind.RECTANGLE,
        bbox: tuple[int, int, int, int] | None = None,
        masks: Sequence[Mask] | None = None,
        speed: float | None = None,
    ) -> Sprite:
        """Add a sprite of pictures of one size: Pillow images, arrays (height, width, 4), or the
        path of a file with them (PNG, a strip ``NAME_stripN.png``, GIF, APNG).

        ``bbox`` is left, top, right, bottom (by default that of the visible pixels), ``masks``
        are as in :attr:`Sprite.masks`, ``speed`` in frames per second.  The pictures go to texture
        pages when the game is saved, many to a page.  Raises ValueError for a name that is taken
        or none, for frames of several sizes, and for what no texture page can hold; FormatError
        and OSError for files.
        """
        self._check_kind()
        check_new_name(self.game, "SPRT", name)
        pixels = all_pixels(frames, self.game.release)
        record = SpriteRecord(sub_version=sub_version_of(self.game.release))
        sprite = self._over(record)
        sprite.origin = origin
        record.collision_kind = CollisionKind(collision_kind)
        if speed is not None:
            sprite.speed = speed
        painting = self.game.painting
        shape = SpriteShape(
            self.game,
            record,
            None,
            images=painting.images,
            place=name,
            given=() if bbox is None else _SIDES,
        )
        if bbox is not None:
            record.bbox_mode = BboxMode.MANUAL
            for side, number in zip(_SIDES, bbox, strict=True):
                setattr(record, side, number)
        record.textures = [None] * len(pixels)
        for index, frame in enumerate(pixels):
            shape.frame(index, frame, True, None)
        shape.recompute([])
        if masks is not None:
            sprite.masks = masks
        self._add(record, name)
        group = group_of(self.game, "SPRT", record)
        for index, frame in enumerate(pixels):
            put = partial(record.textures.__setitem__, index)
            painting.put(frame, None, put, group=lambda: group, path=f"{name}[{index}]")
        if record.sequence is not None:
            record.sequence.sequence.name = record.name
        return sprite

    def add_folder(
        self,
        folder: str | PathLike[str],
        *,
        origin: Origin = (0, 0),
        replace: bool = False,
        progress: Progress = lambda done, total, name: None,
    ) -> list[Sprite]:
        """Add the pictures in a folder as sprites; return these.

        Each picture is a sprite of its name (``hero_strip4.png``: ``hero``, of four frames), and
        each folder in it one whose frames are the pictures there.  With ``replace``, sprites that
        the game has get the pictures as their frames and keep everything else; those that show
        them already stay as they are, and are not returned.  ``progress`` is
        called with sprites done, all, and a name.  Names are checked before anything changes; a
        file that can't be used later leaves the sprites before it (``with game.edit():`` takes
        them back).

        Raises FormatError or ValueError with the file, OSError for a folder that can't be read.
        """
        self._check_kind()
        found = pictures_in(folder)
        new = {sprite.name for sprite in check_names(self.game, found, replace=replace)}
        made = []
        for number, files in enumerate(found):
            progress(number, len(found), files.name)
            pixels = read_pictures(files, self.game.release)
            height, width = pixels[0].shape[:2]
            point = (width // 2, height // 2) if origin == "centre" else origin
            if files.name in new:
                made.append(self.add(files.name, pixels, origin=point))
                continue
            sprite = self[files.name]
            if not sprite.shows(pixels):
                sprite.frames = pixels
                made.append(sprite)
        progress(len(found), len(found), "")
        return made
