"""What a sprite's record says of its frames: size, bounding box, collision masks, sequence.

Such a value is made anew only where the frames (or the fields it is made from) changed, it was
what the rule gives before, and nobody set it by hand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from overhaul.errors import FormatError, WorkspaceError
from overhaul.gamemaker.data.chunks.seqn import (
    IntegerChannel,
    IntegerFrames,
    IntegerKeyframe,
    Sequence,
    Track,
)
from overhaul.gamemaker.data.chunks.sprt import BboxMode, CollisionKind, SpriteSequence, mask_size
from overhaul.media import masks as bits
from overhaul.media.bounds import MAX_PIXELS, check_pixels

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from overhaul.gamemaker.data_folder.applying import Touched
    from overhaul.gamemaker.data_folder.parts import PartEdits

_MARGINS = ("margin_left", "margin_right", "margin_top", "margin_bottom")
_SHAPE = ("width", "height", *_MARGINS)
#: sprites have a sequence of their frames from 2.3 to 2022.6 (specification, 5.7)
_SEQUENCES = ((2, 3), (2022, 8))
_FRAMES_TRACK = "GMSpriteFramesTrack"


class SpriteShape:
    """The derived values of one sprite, before and after an edit."""

    def __init__(self, parts: PartEdits, resource: Touched) -> None:
        self.parts = parts
        self.resource = resource
        self.sprite = resource.record
        self.new: dict[int, NDArray[np.uint8]] = {}
        self.changed = False

    def frame(self, index: int, pixels: NDArray[np.uint8], changed: bool) -> None:
        """A frame whose file was changed or added."""
        self.new[index] = pixels
        self.changed = self.changed or changed

    def settle(self, old: list[Any], mask_files: dict[int, str]) -> None:
        """Bring the record in line; ``old`` are the items of the frames before."""
        sprite, resource = self.sprite, self.resource
        self.changed = self.changed or len(old) != len(sprite.textures)
        before = resource.before
        self._settle_size(before)
        frames_before: list[Any] | None = None
        if self.changed and not resource.added:
            images = self.parts.images.images
            frames_before = [images.frame(item) for item in old]
        self._settle_box(before, frames_before)
        self._settle_masks(before, frames_before, mask_files)
        self._settle_sequence(len(old))

    # -- size and bounding box ----------------------------------------------------------------

    def _untouched(self, before: dict[str, Any], *names: str) -> bool:
        """Whether nobody set these fields: in a new sprite they are not in the JSON."""
        if self.resource.added:
            return not any(name in self.resource.given for name in names)
        return all(getattr(self.sprite, name) == before[name] for name in names)

    def _settle_size(self, before: dict[str, Any]) -> None:
        sprite = self.sprite
        sizes = {pixels.shape[:2] for pixels in self.new.values()}
        if not sizes:
            return
        for index, item in enumerate(sprite.textures):
            if index not in self.new and item is not None and self.changed:
                sizes.add((item.bounding_height, item.bounding_width))
        if not self.changed and not self.resource.added:
            return
        if not self._untouched(before, "width", "height"):
            if sizes != {(sprite.height, sprite.width)}:
                self.parts.applier.warnings.append(
                    f"{self.resource.json_path} says {sprite.width} x {sprite.height} pixels, but "
                    "there are frames of another size"
                )
            return
        if len(sizes) > 1:
            words = " and ".join(f"{width} x {height}" for height, width in sorted(sizes))
            raise WorkspaceError(
                f"{self.resource.place}: the frames of a sprite are of one size, not of {words}"
            )
        ((sprite.height, sprite.width),) = sizes

    def _settle_box(self, before: dict[str, Any], frames_before: list[Any] | None) -> None:
        sprite = self.sprite
        if not self._untouched(before, *_MARGINS):
            return
        if not self.resource.added:
            if not self.changed:
                return
            was = tuple(before[name] for name in _MARGINS)
            resized = (sprite.width, sprite.height) != (before["width"], before["height"])
            rule = self._box(sprite.bbox_mode, before["width"], before["height"], frames_before)
            if rule != was and not (resized and sprite.bbox_mode != BboxMode.MANUAL):
                return
        box = self._box(sprite.bbox_mode, sprite.width, sprite.height, self._frames())
        if box is not None:
            for name, value in zip(_MARGINS, box, strict=True):
                setattr(sprite, name, value)

    def _frames(self) -> list[Any]:
        """The frames as they are now."""
        images = self.parts.images
        return [
            self.new[index] if index in self.new else images.images.frame(item)
            for index, item in enumerate(self.sprite.textures)
        ]

    @staticmethod
    def _box(
        mode: int, width: int, height: int, frames: list[Any] | None
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

    # -- masks --------------------------------------------------------------------------------

    def _settle_masks(
        self, before: dict[str, Any], frames_before: list[Any] | None, files: dict[int, str]
    ) -> None:
        sprite, resource = self.sprite, self.resource
        size = self._mask_size({name: getattr(sprite, name) for name in _SHAPE})
        if resource.added and not files:
            sprite.masks = self._usual_masks(size)
            return
        touched = {path for path in files.values() if path in resource.changes}
        gone = any(
            change == "removed" and "/mask_" in path for path, change in resource.changes.items()
        )
        shaped = any(getattr(sprite, name) != before[name] for name in _SHAPE)
        if not resource.added and not (touched or gone or shaped or self.changed):
            return
        old = [] if resource.added else list(sprite.masks)
        per_frame = len(old) > 1 and frames_before is not None and len(old) == len(frames_before)
        if per_frame and not touched and not gone and len(old) != len(sprite.textures):
            sprite.masks = [self._mask(size, [frame]) for frame in self._frames()]
            return
        new = []
        place = f"{resource.place}/mask_"
        here = [n for n in range(len(old)) if resource.changes.get(f"{place}{n}.png") != "removed"]
        for number in sorted({*files, *here}):
            path = files.get(number, "")
            if path in touched:
                mask = self._read(path, size)
                kept = old[number] if number < len(old) else None
                new.append(kept if kept is not None and _same_mask(kept, mask, size) else mask)
            elif number < len(old):
                new.append(self._carry(old[number], number, before, frames_before, size, len(old)))
        sprite.masks = new

    def _mask_size(self, shape: dict[str, Any]) -> tuple[int, int]:
        game = self.parts.game
        version = game.slots["SPRT"].version or game.layout
        width, height = mask_size(
            version,
            shape["width"],
            shape["height"],
            shape["margin_left"],
            shape["margin_right"],
            shape["margin_top"],
            shape["margin_bottom"],
        )
        return max(0, width), max(0, height)

    def _usual_masks(self, size: tuple[int, int]) -> list[bytes]:
        """What the compiler makes for a new sprite: see the specification, 5.7."""
        precise = self.sprite.collision_kind == CollisionKind.PRECISE
        if not self.sprite.textures or 0 in size:
            return []
        if not precise and self.parts.game.layout.at_least(2022, 8):
            return []
        return [self._mask(size, self._frames())]

    def _mask(
        self, size: tuple[int, int], frames: list[Any], shape: dict[str, Any] | None = None
    ) -> bytes:
        """A mask by the rule: visible pixels of the frames, or the filled bounding box."""
        sprite = self.sprite
        values = shape or {name: getattr(sprite, name) for name in _SHAPE}
        try:
            check_pixels(values["width"], values["height"], MAX_PIXELS)
        except FormatError as error:
            raise WorkspaceError(f"{self.resource.place}: {error}") from None
        solid = np.zeros((values["height"], values["width"]), np.bool_)
        left, top = max(0, values["margin_left"]), max(0, values["margin_top"])
        box = (slice(top, values["margin_bottom"] + 1), slice(left, values["margin_right"] + 1))
        if sprite.collision_kind == CollisionKind.PRECISE:
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
        self,
        old: bytes,
        number: int,
        before: dict[str, Any],
        frames_before: list[Any] | None,
        size: tuple[int, int],
        count: int,
    ) -> bytes:
        """A mask whose file nobody changed."""
        size_before = self._mask_size(before)
        frames = self._frames()
        chosen = frames if count == 1 else frames[number : number + 1]
        if frames_before is not None and size == size_before:
            was = frames_before if count == 1 else frames_before[number : number + 1]
            if self._mask(size, was, before) != old:
                return old  # made by a rule of its own
        elif size == size_before and all(
            getattr(self.sprite, name) == before[name] for name in _MARGINS
        ):
            return old
        return self._mask(size, chosen)

    def _read(self, path: str, size: tuple[int, int]) -> bytes:
        from io import BytesIO

        from PIL import Image

        from overhaul.media.png import PILLOW_ERRORS

        try:
            data = BytesIO(self.parts.applier.folder.read(path))
            with Image.open(data, formats=["PNG"]) as image:
                check_pixels(*image.size, MAX_PIXELS)
                solid = bits.from_image(image)
        except (*PILLOW_ERRORS, Image.DecompressionBombError) as error:
            raise WorkspaceError(f"{path}: {error}") from None
        if solid.shape != (size[1], size[0]):
            raise WorkspaceError(
                f"{path}: the mask is {solid.shape[1]} x {solid.shape[0]} pixels, but those of "
                f"this sprite are {size[0]} x {size[1]}"
            )
        return bits.pack(solid)

    # -- the sequence of frames ---------------------------------------------------------------

    def _settle_sequence(self, count_before: int) -> None:
        sprite, resource = self.sprite, self.resource
        layout = self.parts.game.layout
        if resource.added:
            wanted = _SEQUENCES[0] <= layout.number < _SEQUENCES[1] and sprite.sub_version >= 2
            if wanted and sprite.sequence is None and "sequence" not in resource.given:
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
        text = self.parts.game.strings.add
        track = Track(
            model=text(_FRAMES_TRACK),
            name=text("frames"),
            keyframes=_keyframes(len(sprite.textures)),
        )
        return SpriteSequence(
            sequence=Sequence(
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


def shape_of(sprite: Any) -> dict[str, Any]:
    """The fields that say what a sprite covers."""
    return {name: getattr(sprite, name) for name in _SHAPE}
