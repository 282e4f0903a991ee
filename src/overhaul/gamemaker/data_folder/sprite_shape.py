"""What a sprite's record says of its frames: size, bounding box, collision masks, sequence.

Such a value is made anew only where the frames (or the fields it is made from) changed, it was
what the rule gives before, and nobody set it by hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from overhaul.errors import FormatError, WorkspaceError
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
from overhaul.gamemaker.data.chunks.tpag import TexturePageItem
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data_folder.resource import ResourceEdit
from overhaul.media import masks as bits
from overhaul.media.bounds import MAX_PIXELS, PILLOW_ERRORS, check_pixels

Frames: TypeAlias = Sequence[NDArray[np.uint8] | None]

_MARGINS = ("margin_left", "margin_right", "margin_top", "margin_bottom")
#: the fields that say what a sprite covers, in the order of :func:`mask_size`
SHAPE = ("width", "height", *_MARGINS)
#: sprites have a sequence of their frames from 2.3 to 2022.6 (specification, 5.7)
_SEQUENCES = ((2, 3), (2022, 8))
_FRAMES_TRACK = "GMSpriteFramesTrack"


class SpriteShape:
    """The derived values of one sprite, before and after an edit."""

    def __init__(self, edit: ResourceEdit[Sprite]) -> None:
        self.edit = edit
        self.edits = edit.edits
        self.sprite = edit.record
        self.changed = False
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
        """A frame whose file was changed or added; ``before`` are its height and width before."""
        self._new[index] = pixels
        self.changed = self.changed or changed
        if pixels.shape[:2] != before:
            self._resized.add(index)

    def settle(self, old: list[TexturePageItem | None], mask_files: dict[int, str]) -> None:
        """Bring the record in line; ``old`` are the items of the frames before."""
        self.changed = self.changed or len(old) != len(self.sprite.textures)
        self._settle_size(old)
        frames_before: Frames | None = None
        if self.changed and not self.edit.added:
            frames_before = [self.edits.images.frame(item) for item in old]
        self._settle_box(frames_before)
        self._settle_masks(frames_before, mask_files)
        self._settle_sequence(len(old))

    def _frames(self) -> Frames:
        """The frames as they are now."""
        return [
            self._new[index] if index in self._new else self.edits.images.frame(item)
            for index, item in enumerate(self.sprite.textures)
        ]

    def _is_as_before(self, *names: str) -> bool:
        """Whether these fields have the values from before the edit."""
        return all(getattr(self.sprite, name) == getattr(self.edit.before, name) for name in names)

    def _untouched(self, *names: str) -> bool:
        """Whether nobody set these fields: in a new sprite they are not in the JSON."""
        if self.edit.added:
            return self.edit.given.isdisjoint(names)
        return self._is_as_before(*names)

    # -- size and bounding box ----------------------------------------------------------------

    def _settle_size(self, old: list[TexturePageItem | None]) -> None:
        """Width and height; those of a sprite whose frames keep their sizes stay as they are."""
        sprite = self.sprite
        if not self._resized and not self.edit.added:
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
                self.edits.warnings.append(
                    f"{self.edit.json_path} says {sprite.width} x {sprite.height} pixels, but "
                    "there are frames of another size"
                )
            return
        if len(sizes) == 1:
            ((sprite.height, sprite.width),) = sizes
            return
        words = " and ".join(f"{width} x {height}" for height, width in sorted(sizes))
        if len({canvas_of(item) for item in old if item is not None}) < 2:
            raise WorkspaceError(
                f"{self.edit.place}: the frames of a sprite are of one size, not of {words}"
            )
        self.edits.warnings.append(
            f"{self.edit.place}: the frames are of {words} pixels, as they were of several sizes "
            f"before; the sprite stays {sprite.width} x {sprite.height}"
        )

    def _settle_box(self, frames_before: Frames | None) -> None:
        sprite, before = self.sprite, self.edit.before
        if not self._untouched(*_MARGINS):
            return
        if not self.edit.added:
            if not self.changed:
                return
            was = tuple(getattr(before, name) for name in _MARGINS)
            rule = _box(sprite.bbox_mode, before.width, before.height, frames_before)
            resized = not self._is_as_before("width", "height")
            if rule != was and not (resized and sprite.bbox_mode != BboxMode.MANUAL):
                return
        box = _box(sprite.bbox_mode, sprite.width, sprite.height, self._frames())
        if box is not None:
            for name, value in zip(_MARGINS, box, strict=True):
                setattr(sprite, name, value)

    # -- masks --------------------------------------------------------------------------------

    def _settle_masks(self, frames_before: Frames | None, files: dict[int, str]) -> None:
        sprite, edit = self.sprite, self.edit
        size = size_of_masks(self.edits.game, sprite)
        if edit.added and not files:
            sprite.masks = self._usual_masks(size)
            return
        touched = {path for path in files.values() if path in edit.changes}
        gone = any(
            change == "removed" and "/mask_" in path for path, change in edit.changes.items()
        )
        shaped = not self._is_as_before(*SHAPE)
        if not edit.added and not (touched or gone or shaped or self.changed):
            return
        old = [] if edit.added else list(sprite.masks)
        per_frame = len(old) > 1 and frames_before is not None and len(old) == len(frames_before)
        if per_frame and not touched and not gone and len(old) != len(sprite.textures):
            sprite.masks = [self._mask(size, [frame]) for frame in self._frames()]
            return
        new = []
        place = f"{edit.place}/mask_"
        here = [n for n in range(len(old)) if edit.changes.get(f"{place}{n}.png") != "removed"]
        for number in sorted({*files, *here}):
            path = files.get(number, "")
            if path in touched:
                mask = self._read(path, size)
                kept = old[number] if number < len(old) else None
                new.append(kept if kept is not None and _same_mask(kept, mask, size) else mask)
            elif number < len(old):
                frames = slice(None) if len(old) == 1 else slice(number, number + 1)
                new.append(self._carry(old[number], frames, frames_before, size))
        sprite.masks = new

    def _usual_masks(self, size: tuple[int, int]) -> list[bytes]:
        """What the compiler makes for a new sprite: see the specification, 5.7."""
        precise = self.sprite.collision_kind == CollisionKind.PRECISE
        if not self.sprite.textures or 0 in size:
            return []
        if not precise and self.edits.names.version.at_least(2022, 8):
            return []
        return [self._mask(size, self._frames())]

    def _mask(self, size: tuple[int, int], frames: Frames, shape: Sprite | None = None) -> bytes:
        """A mask by the rule: visible pixels of the frames, or the filled bounding box."""
        shape = self.sprite if shape is None else shape
        try:
            check_pixels(shape.width, shape.height, MAX_PIXELS)
        except FormatError as error:
            raise WorkspaceError(f"{self.edit.place}: {error}") from None
        solid = np.zeros((shape.height, shape.width), np.bool_)
        left, top = max(0, shape.margin_left), max(0, shape.margin_top)
        box = (slice(top, shape.margin_bottom + 1), slice(left, shape.margin_right + 1))
        if self.sprite.collision_kind == CollisionKind.PRECISE:
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
        """A mask whose file nobody changed; ``frames`` are those it is made from."""
        before = self.edit.before
        if size == size_of_masks(self.edits.game, before):
            if frames_before is None:
                if self._is_as_before(*_MARGINS):
                    return old
            elif self._mask(size, frames_before[frames], before) != old:
                return old  # made by a rule of its own
        return self._mask(size, self._frames()[frames])

    def _read(self, path: str, size: tuple[int, int]) -> bytes:
        try:
            data = BytesIO(self.edits.bytes(path))
            with Image.open(data, formats=["PNG"]) as image:
                check_pixels(*image.size, MAX_PIXELS)
                solid = bits.from_image(image)
                grey = set(np.unique(np.asarray(image.convert("L"))).tolist()) - {0, 255}
        except (*PILLOW_ERRORS, Image.DecompressionBombError) as error:
            raise WorkspaceError(f"{path}: {error}") from None
        if grey:
            self.edits.warnings.append(
                f"{path}: some pixels are neither black nor white; each counts as the nearer one"
            )
        if solid.shape != (size[1], size[0]):
            raise WorkspaceError(
                f"{path}: the mask is {solid.shape[1]} x {solid.shape[0]} pixels, but those of "
                f"this sprite are {size[0]} x {size[1]}"
            )
        return bits.pack(solid)

    # -- the sequence of frames ---------------------------------------------------------------

    def _settle_sequence(self, count_before: int) -> None:
        sprite, edit = self.sprite, self.edit
        if edit.added:
            in_release = _SEQUENCES[0] <= self.edits.names.version.number < _SEQUENCES[1]
            wanted = in_release and sprite.sub_version >= 2 and "sequence" not in edit.given
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
        text = self.edits.game.strings.add
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


def canvas_of(item: TexturePageItem | None) -> tuple[int, int] | None:
    """The height and width of the canvas that an item is shown on."""
    return None if item is None else (item.bounding_height, item.bounding_width)


def size_of_masks(game: GameData, sprite: Sprite) -> tuple[int, int]:
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
    """Whether two masks show the same; bits after the width mean nothing."""
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
