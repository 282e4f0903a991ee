"""Pictures of resources: the frames of sprites put in order, added and replaced; masks painted."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from typing import Final

import numpy as np
from PIL import Image

from overhaul.errors import WorkspaceError
from overhaul.media import png
from overhaul.media.bounds import PILLOW_ERRORS, check_pixels
from overhaul.media.frames import frames_of
from overhaul.mods.view import FileView

_FRAME: Final = re.compile(r"(mask_)?(\d{1,6})\.png")
#: All frames of a sprite together have so many pixels at most, and so many frames.
MOST: Final = 1 << 25
FRAMES: Final = 4096


def frames_in(view: FileView, unit: str, *, masks: bool = False) -> list[str]:
    """The files of a sprite's frames (of its masks), in order."""
    found: dict[int, str] = {}
    for path in view.files:
        head, _, name = path.rpartition("/")
        match = _FRAME.fullmatch(name)
        if head == unit and match is not None and bool(match[1]) == masks:
            found[int(match[2])] = path
    return [found[number] for number in sorted(found)]


def order_of(text: str, count: int) -> list[int]:
    """Numbers of frames (``2 0 1``), some perhaps left out or twice.  Raises WorkspaceError."""
    words = text.replace(",", " ").split()
    if not words or len(words) > FRAMES:
        raise WorkspaceError(f"expected from 1 to {FRAMES} numbers of frames")
    for word in words:
        if not (word.isascii() and word.isdigit() and len(word) < 7 and int(word) < count):
            raise WorkspaceError(f"there is no frame {word[:20]}")
    return [int(word) for word in words]


def arranged(view: FileView, unit: str, order: Sequence[int]) -> dict[str, bytes | None]:
    """The edit that puts the frames of a sprite into an order; those not in it are removed.

    Masks, where each frame has one, go with their frames.
    """
    frames, masks = frames_in(view, unit), frames_in(view, unit, masks=True)
    changes = _written(view, frames, [view.read(frames[number]) for number in order], unit, "")
    if len(masks) == len(frames) > 1:
        kept = [view.read(masks[number]) for number in order]
        changes |= _written(view, masks, kept, unit, "mask_")
    return changes


def _written(
    view: FileView, old: Sequence[str], new: Sequence[bytes], unit: str, prefix: str
) -> dict[str, bytes | None]:
    """The changes that give a sprite files with these contents."""
    paths = [f"{unit}/{prefix}{number}.png" for number in range(len(new))]
    changes: dict[str, bytes | None] = {
        path: data
        for path, data in zip(paths, new, strict=True)
        if path not in view or view.read(path) != data
    }
    changes |= {path: None for path in old if path not in paths}
    return changes


def dropped(
    view: FileView, unit: str, name: str, data: bytes, *, replace: bool
) -> dict[str, bytes | None]:
    """The edit that adds a picture, a GIF, an APNG or a strip (``NAME_stripN.png``) to a sprite's
    frames, or puts it in their place.

    Raises FormatError for a file that can't be read, and WorkspaceError for too many frames.
    """
    given = frames_of(name, data, max_pixels=MOST)
    frames = frames_in(view, unit)
    made = [png.encode(frame) for frame in given]
    if len(made) + (0 if replace else len(frames)) > FRAMES:
        raise WorkspaceError(f"a sprite has at most {FRAMES} frames here")
    if replace:
        changes = _written(view, frames, made, unit, "")
        masks = frames_in(view, unit, masks=True)
        if len(masks) > 1:  # the remaining files belong to remaining frames
            changes |= dict.fromkeys(masks[len(made) :])
        return changes
    first = len(frames)
    return {f"{unit}/{first + number}.png": each for number, each in enumerate(made)}


def painted(old: bytes, new: bytes) -> bytes:
    """A painted PNG file with the colours, the mode and the palette of the file before.

    Raises WorkspaceError for a picture of another size, and for a colour that the palette lacks.
    """
    was, now = _opened(old), _opened(new)
    if was.size != now.size:
        raise WorkspaceError(
            f"the picture has {now.width} × {now.height} pixels; it has to have "
            f"{was.width} × {was.height}"
        )
    if was.mode != "P":
        return _png(_in_mode(now.convert("RGBA"), was.mode))
    palette = np.array(was.getpalette("RGB"), np.uint32).reshape(-1, 3)
    keys = palette @ np.array([1 << 16, 1 << 8, 1], np.uint32)
    shown = np.asarray(now.convert("RGBA").convert("RGB"), np.uint32)
    pixels = shown @ np.array([1 << 16, 1 << 8, 1], np.uint32)
    order = np.argsort(keys, kind="stable")
    at = np.searchsorted(keys[order], pixels)
    numbers = order[np.minimum(at, len(order) - 1)]
    before = np.asarray(was)
    same = keys[np.minimum(before, len(keys) - 1)] == pixels  # a colour may be there twice
    numbers = np.where(same, before, numbers)
    if not (keys[numbers] == pixels).all():
        raise WorkspaceError("a colour of the picture is not one of its palette")
    image = Image.frombytes("P", was.size, numbers.astype(np.uint8).tobytes())
    image.putpalette(was.getpalette("RGB") or [], "RGB")
    return _png(image)


def _in_mode(image: Image.Image, mode: str) -> Image.Image:
    """An RGBA image in another mode, if that has all its colours and its transparency."""
    if mode not in ("RGB", "L"):
        return image
    made = image.convert(mode)
    return made if made.convert("RGBA").tobytes() == image.tobytes() else image


def palette_of(data: bytes, most: int = 256) -> list[str]:
    """The colours of a picture's palette, as ``#rrggbb``; of another, those that it has, if they
    are at most so many."""
    image = _opened(data)
    if image.mode == "P":
        values = image.getpalette("RGB") or []
    else:
        colours = image.convert("RGBA").convert("RGB").getcolors(most) or []
        values = [part for _, colour in colours if isinstance(colour, tuple) for part in colour]
    return [
        "#{:02x}{:02x}{:02x}".format(*values[at : at + 3]) for at in range(0, len(values) - 2, 3)
    ][:most]


def _opened(data: bytes) -> Image.Image:
    try:
        check_pixels(*png.size(data), MOST)
        image = Image.open(io.BytesIO(data), formats=["PNG"])
        image.load()
    except PILLOW_ERRORS as error:
        raise WorkspaceError(f"the picture can't be read: {error}") from error
    return image


def _png(image: Image.Image) -> bytes:
    data = io.BytesIO()
    image.save(data, "PNG")
    return data.getvalue()
