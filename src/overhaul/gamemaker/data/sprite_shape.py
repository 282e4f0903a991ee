"""The values that follow from pictures: a sprite's size, box, masks and sequence, and counts of
tile sets.

Such a value is recomputed only where the frames (or the fields it is made from) changed, it was
what the rule gives before, and no edit set it.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import product
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from overhaul.errors import FormatError, WorkspaceError
from overhaul.findings import Findings
from overhaul.gamemaker.data.chunks.seqn import (
    IntegerChannel,
    IntegerFrames,
    IntegerKeyframe,
    Track,
)
from overhaul.gamemaker.data.chunks.seqn import Sequence as SequenceRecord
from overhaul.gamemaker.data.chunks.sprt import (
    BboxMode,
    CollisionKind,
    Sprite,
    SpriteSequence,
    mask_size,
)
from overhaul.gamemaker.data.chunks.txtr import Background, TexturePageItem
from overhaul.gamemaker.data.model import GameModel
from overhaul.gamemaker.data.pictures import PageImages
from overhaul.gamemaker.data.version import Version
from overhaul.media import masks as bits
from overhaul.media.bounds import MAX_PIXELS, check_pixels

Frames: TypeAlias = Sequence[NDArray[np.uint8] | None]

_MARGINS = ("margin_left", "margin_right", "margin_top", "margin_bottom")
#: the fields that say what a sprite covers, in the order of :func:`mask_size`
SHAPE = ("width", "height", *_MARGINS)
#: sprites have a sequence of their frames from 2.3 to 2022.6 (specification, 5.7)
_SEQUENCES = ((2, 3), (2022, 8))
_FRAMES_TRACK = "GMSpriteFramesTrack"


class NewMasks(NamedTuple):
    """Masks set by hand: the numbers of all that are there, how to get those that were set (their
    bytes, by the width and height), and the numbers of those taken away."""

    numbers: frozenset[int] = frozenset()
    given: Mapping[int, Callable[[tuple[int, int]], bytes]] = {}
    removed: frozenset[int] = frozenset()


class SpriteShape:
    """The derived values of one sprite, before and after an edit.

    ``before`` is a copy of the record from before; None for a new sprite; ``given`` are its
    fields that were set by hand. ``images`` shows the frames as they are on their pages,
    ``place`` is what messages call the sprite; warnings gather in ``warnings``.
    """

    def __init__(
        self,
        game: GameModel,
        sprite: Sprite,
        before: Sprite | None,
        *,
        images: PageImages,
        place: str,
        given: Collection[str] = (),
    ) -> None:
        self.game = game
        self.sprite = sprite
        self.added: bool = before is None
        self.before: Sprite = sprite if before is None else before
        self.images = images
        self.place = place
        self.given: frozenset[str] = frozenset(given)
        self.findings: Findings = Findings()
        self.changed: bool = False
        self._new: dict[int, NDArray[np.uint8]] = {}
        #: the frames that have another size than before, or are new
        self._resized: set[int] = set()

    def frame(
        self,
        index: int,
        pixels: NDArray[np.uint8],
        changed: bool,
        before: tuple[int, int] | None,
    ) -> None:
        """A frame that was changed or added; ``before`` are its height and width before."""
        self._new[index] = pixels
        self.changed = self.changed or changed
        if pixels.shape[:2] != before:
            self._resized.add(index)

    def recompute(
        self,
        old: Sequence[TexturePageItem | None],
        masks: NewMasks | None = None,
        frames_before: Frames | None = None,
    ) -> None:
        """Recompute the derived fields; ``old`` are the items of the frames before.

        ``frames_before`` are their pictures, where ``images`` no longer shows them.  Raises
        WorkspaceError for frames of several sizes.
        """
        self.changed = self.changed or len(old) != len(self.sprite.textures)
        self._recompute_size(old)
        shaped = not self._is_as_before(*SHAPE, "collision_kind", "bbox_mode")
        if self.added or not (self.changed or shaped):
            frames_before = None
        elif frames_before is None:
            frames_before = [self.images.frame(item) for item in old]
        self._recompute_box(frames_before)
        self._recompute_masks(frames_before, masks or NewMasks())
        self.recompute_sequence(len(old))

    def _frames(self) -> Frames:
        """The frames as they are now."""
        return [
            self._new[index] if index in self._new else self.images.frame(item)
            for index, item in enumerate(self.sprite.textures)
        ]

    def _is_as_before(self, *names: str) -> bool:
        """Whether these fields have the values from before the edit."""
        return all(getattr(self.sprite, name) == getattr(self.before, name) for name in names)

    def _untouched(self, *names: str) -> bool:
        """Whether no edit sets these fields."""
        if self.added:
            return self.given.isdisjoint(names)
        return self._is_as_before(*names)

    # -- size and bounding box ----------------------------------------------------------------

    def _recompute_size(self, old: Sequence[TexturePageItem | None]) -> None:
        """Width and height; those of a sprite whose frames keep their sizes do not change."""
        sprite = self.sprite
        if not self._resized and not self.added:
            return
        sizes = {pixels.shape[:2] for pixels in self._new.values()}
        if not sizes:
            return
        sizes |= {
            size
            for index, item in enumerate(sprite.textures)
            if index not in self._new and (size := canvas_of(item)) is not None and self.changed
        }
        if not self._untouched("width", "height"):
            if sizes != {(sprite.height, sprite.width)}:
                self.findings.warn(
                    "mismatch",
                    f"it says {sprite.width} x {sprite.height} pixels, but there are frames of "
                    "another size",
                    self.place,
                )
            return
        if len(sizes) == 1:
            ((sprite.height, sprite.width),) = sizes
            return
        words = " and ".join(f"{width} x {height}" for height, width in sorted(sizes))
        if len({canvas_of(item) for item in old if item is not None}) < 2:
            raise WorkspaceError(
                f"{self.place}: the frames of a sprite are of one size, not of {words}"
            )
        self.findings.warn(
            "changed-with-it",
            f"the frames are of {words} pixels, as they were of several sizes before; the sprite "
            f"stays {sprite.width} x {sprite.height}",
            self.place,
        )

    def _recompute_box(self, frames_before: Frames | None) -> None:
        sprite, before = self.sprite, self.before
        if not self._untouched(*_MARGINS):
            return
        if not self.added:
            new_mode = not self._is_as_before("bbox_mode")
            if not self.changed and not new_mode:
                return
            was = tuple(getattr(before, name) for name in _MARGINS)
            rule = _box(sprite.bbox_mode, before.width, before.height, frames_before)
            resized = not self._is_as_before("width", "height")
            resized = resized and sprite.bbox_mode != BboxMode.MANUAL
            if rule != was and not resized and not new_mode:
                return
        box = _box(sprite.bbox_mode, sprite.width, sprite.height, self._frames())
        if box is not None:
            for name, value in zip(_MARGINS, box, strict=True):
                setattr(sprite, name, value)

    # -- masks --------------------------------------------------------------------------------

    def _recompute_masks(self, frames_before: Frames | None, masks: NewMasks) -> None:
        sprite = self.sprite
        size = size_of_masks(self.game, sprite)
        if self.added and not masks.numbers:
            made = () if "masks" in self.given else self._usual_masks(sprite, size, self._frames())
            sprite.masks = list(made)
            return
        by_hand = bool(masks.given or masks.removed)
        new_kind = not self._is_as_before("collision_kind")
        shaped = new_kind or not self._is_as_before(*SHAPE)
        if not self.added and not (by_hand or shaped or self.changed):
            return
        old = [] if self.added else list(sprite.masks)
        if new_kind and not self.added and not by_hand:
            before = size_of_masks(self.game, self.before)
            if old == self._usual_masks(self.before, before, frames_before or ()):
                sprite.masks = self._usual_masks(sprite, size, self._frames())
                return
        per_frame = len(old) > 1 and frames_before is not None and len(old) == len(frames_before)
        if per_frame and not by_hand and len(old) != len(sprite.textures):
            sprite.masks = [self._mask(size, [frame]) for frame in self._frames()]
            return
        new = []
        for number in sorted(masks.numbers | set(range(len(old))) - masks.removed):
            if number in masks.given:
                mask = masks.given[number](size)
                kept = old[number] if number < len(old) else None
                new.append(kept if kept is not None and _same_mask(kept, mask, size) else mask)
            elif number < len(old):
                frames = slice(None) if len(old) == 1 else slice(number, number + 1)
                new.append(self._carry(old[number], frames, frames_before, size))
        sprite.masks = new

    def _usual_masks(self, shape: Sprite, size: tuple[int, int], frames: Frames) -> list[bytes]:
        """The masks that the compiler makes for a new sprite: see the specification, 5.7."""
        precise = shape.collision_kind == CollisionKind.PRECISE
        if not frames or not _has_mask(self.game, precise, size):
            return []
        return [self._mask(size, frames, shape)]

    def recompute_missing_mask(self) -> None:
        """Give a sprite without a mask the one that the compiler makes for it, if any."""
        sprite = self.sprite
        if not sprite.masks:
            size = size_of_masks(self.game, sprite)
            sprite.masks = self._usual_masks(sprite, size, self._frames())

    def _mask(self, size: tuple[int, int], frames: Frames, shape: Sprite | None = None) -> bytes:
        """A mask by the rule: visible pixels of the frames, or the filled bounding box."""
        shape = self.sprite if shape is None else shape
        try:
            check_pixels(shape.width, shape.height, MAX_PIXELS)
        except FormatError as error:
            raise WorkspaceError(f"{self.place}: {error}") from None
        solid = np.zeros((shape.height, shape.width), np.bool_)
        left, top = max(0, shape.margin_left), max(0, shape.margin_top)
        box = (slice(top, shape.margin_bottom + 1), slice(left, shape.margin_right + 1))
        if shape.collision_kind == CollisionKind.PRECISE:
            for frame in frames:
                if frame is not None and frame.shape[:2] == solid.shape:
                    solid[box] |= frame[box][..., 3] > 0
        else:
            solid[box] = True
        width, height = size
        if solid.shape != (height, width):
            solid = solid[top : top + height, left : left + width]
            missing = (height - solid.shape[0], width - solid.shape[1])
            solid = np.pad(solid, ((0, max(0, missing[0])), (0, max(0, missing[1]))))
        return bits.pack(solid)

    def _carry(
        self, old: bytes, frames: slice, frames_before: Frames | None, size: tuple[int, int]
    ) -> bytes:
        """A mask whose file did not change; ``frames`` are those it is made from."""
        before = self.before
        if size == size_of_masks(self.game, before):
            made = frames_before or ()
            if self._mask(size, made[frames], before) != old:
                return old  # made by a rule of its own, or set by hand
        return self._mask(size, self._frames()[frames])

    # -- the sequence of frames ---------------------------------------------------------------

    def recompute_sequence(self, count_before: int) -> None:
        """Recompute the sequence of frames; ``count_before`` is their number before."""
        sprite = self.sprite
        if self.added:
            wanted = "sequence" not in self.given and expects_sequence(self.game, sprite)
            if wanted and sprite.sequence is None:
                sprite.sequence = self._sequence()
            return
        count = len(sprite.textures)
        if sprite.sequence is None or count == count_before:
            return
        for track in sprite.sequence.sequence.tracks:
            frames = getattr(track.keyframes, "frames", None)
            if track.model == _FRAMES_TRACK and frames and len(frames) == count_before:
                track.keyframes = _keyframes(count)
                sprite.sequence.sequence.length = float(count)

    def _sequence(self) -> SpriteSequence:
        sprite = self.sprite
        text = self.game.strings.add
        track = Track(
            model=text(_FRAMES_TRACK),
            name=text("frames"),
            keyframes=_keyframes(len(sprite.textures)),
        )
        return SpriteSequence(
            sequence=SequenceRecord(
                name=sprite.name,
                playback=1,
                speed=sprite.playback_speed,
                speed_type=sprite.playback_speed_type,
                length=float(len(sprite.textures)),
                origin_x=sprite.origin_x,
                origin_y=sprite.origin_y,
                tracks=[track],
            )
        )


def expects_sequence(game: GameModel, sprite: Sprite) -> bool:
    """Whether the compiler gives a sprite like this one a sequence of its frames."""
    in_release = _SEQUENCES[0] <= game.release.number < _SEQUENCES[1]
    return in_release and sprite.sub_version >= 2 and not sprite.sprite_type


def expects_mask(game: GameModel, sprite: Sprite) -> bool:
    """Whether the compiler gives a sprite like this one a collision mask."""
    precise = sprite.collision_kind == CollisionKind.PRECISE
    return bool(sprite.textures) and _has_mask(game, precise, size_of_masks(game, sprite))


def _has_mask(game: GameModel, precise: bool, size: tuple[int, int]) -> bool:
    """Whether the compiler makes a mask of this size, in pixels."""
    return 0 not in size and (precise or not game.release.at_least(2022, 8))


def sub_version_of(version: Version) -> int:
    """The sub-version that sprites of a release have; 0 where a sprite has none."""
    if version.major < 2:
        return 0
    return 1 + version.at_least(2, 3) + version.at_least(2, 3, 2)


def canvas_of(item: TexturePageItem | None) -> tuple[int, int] | None:
    """The height and width of the canvas that an item is shown on."""
    return None if item is None else (item.bounding_height, item.bounding_width)


def size_of_masks(game: GameModel, sprite: Sprite) -> tuple[int, int]:
    """The width and height of a sprite's collision masks, at least 0."""
    version = game.chunks["SPRT"].version or game.release
    width, height = mask_size(version, *(getattr(sprite, name) for name in SHAPE))
    return max(0, width), max(0, height)


def _box(
    mode: int, width: int, height: int, frames: Frames | None
) -> tuple[int, int, int, int] | None:
    """Left, right, top, bottom by the rule of a mode; None where there is none."""
    whole = (0, max(0, width - 1), 0, max(0, height - 1))
    if mode == BboxMode.FULL_IMAGE:
        return whole
    if mode != BboxMode.AUTOMATIC or frames is None:
        return None
    visible = [frame[..., 3] > 0 for frame in frames if frame is not None]
    if not visible or len({part.shape for part in visible}) > 1:
        return None
    solid = np.any(visible, axis=0)
    if not solid.any():
        return whole
    rows, columns = np.flatnonzero(solid.any(1)), np.flatnonzero(solid.any(0))
    return int(columns[0]), int(columns[-1]), int(rows[0]), int(rows[-1])


def _same_mask(old: bytes, new: bytes, size: tuple[int, int]) -> bool:
    """Whether two masks have the same pixels; bits after the width are ignored."""
    if len(old) != len(new):
        return False
    return bool((bits.unpack(old, *size) == bits.unpack(new, *size)).all())


def _keyframes(count: int) -> IntegerFrames:
    return IntegerFrames(
        frames=[
            IntegerKeyframe(key=float(index), length=1.0, channels=[IntegerChannel(value=index)])
            for index in range(count)
        ]
    )


def cell_of(record: Background) -> tuple[int, int]:
    """The width and height that a tile takes in the picture: each has borders around it."""
    return (
        record.tile_width + 2 * record.output_border_x,
        record.tile_height + 2 * record.output_border_y,
    )


def with_borders(
    pixels: NDArray[np.uint8],
    before: NDArray[np.uint8],
    cell: tuple[int, int],
    border: tuple[int, int],
) -> NDArray[np.uint8]:
    """A picture of tiles where the borders of repainted tiles repeat the pixels at their edges.

    Painted borders stay, as do borders of another kind.
    """
    (width, height), (x, y) = cell, border
    inside = np.s_[y : height - y, x : width - x]

    def extended(tile: NDArray[np.uint8]) -> NDArray[np.uint8]:
        return np.pad(tile[inside], ((y, y), (x, x), (0, 0)), "edge")

    result = pixels.copy()
    high, wide = (min(pixels.shape[axis], before.shape[axis]) for axis in (0, 1))
    tops, lefts = range(0, high - height + 1, height), range(0, wide - width + 1, width)
    for top, left in product(tops, lefts):
        place = np.s_[top : top + height, left : left + width]
        new, old = pixels[place], before[place]
        if np.array_equal(new, old):
            continue
        repainted = old.copy()
        repainted[inside] = new[inside]
        if np.array_equal(new, repainted) and np.array_equal(old, extended(old)):
            result[place] = extended(new)
    return result


def follows_rule(record: Background, size: tuple[int, int]) -> bool:
    """Whether the numbers of a tile set are those that the compiler makes of its picture: whole
    rows; the last may be incomplete."""
    cell = cell_of(record)
    if size[0] % cell[0] or size[1] % cell[1] or not record.columns:
        return False
    return (size[0] // cell[0], size[1] // cell[1]) == (
        record.columns,
        -(-record.tile_count // record.columns),
    )


def same_tiles(record: Background, before: Background) -> bool:
    """Whether no edit sets what follows from the picture's size."""
    names = ("columns", "tile_count", "tile_ids")
    return all(getattr(record, name) == getattr(before, name) for name in names)


def set_tile_count(record: Background, count: int) -> None:
    """Give a tile set more or fewer tiles; those that stay keep their frames."""
    frames = record.frames_per_tile
    new = [tile for tile in range(record.tile_count, count) for _ in range(frames)]
    record.tile_ids = array("I", [*record.tile_ids[: count * frames], *new])
    record.tile_count = count
