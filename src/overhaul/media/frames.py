"""Files with the frames of a sprite, in and out: strips, GIF, APNG, and single pictures.

GameMaker takes a picture whose name ends in ``_stripN`` as *N* frames side by side. The content
of a file decides its type; only a strip is known by its name.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from io import BytesIO
from itertools import pairwise
from os import PathLike, fspath
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

import numpy as np

from overhaul.errors import FormatError
from overhaul.lazy import LazyModule
from overhaul.media import png
from overhaul.media.bounds import MAX_PIXELS, PILLOW_ERRORS, check_pixels

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PIL import Image
else:  # start-up: Pillow
    Image = LazyModule("PIL.Image")

EXTENSIONS: Final = (".png", ".apng", ".gif", ".jpg", ".jpeg", ".bmp", ".webp")
"""The endings of files that :func:`frames_of` reads."""

_STRIP: Final = re.compile(r"(.*)_strip([0-9]{1,6})\Z", re.IGNORECASE | re.DOTALL)
_ASEPRITE: Final = b"\xe0\xa5"
# The other formats than PNG, by their first bytes, and Pillow's names for them.
#: The shortest time of a frame that programs keep to, in milliseconds.
_SHORTEST: Final = 20
_FORMATS: Final = {b"GIF8": "GIF", b"\xff\xd8\xff": "JPEG", b"BM": "BMP", b"RIFF": "WEBP"}


def strip_of(path: str | PathLike[str]) -> tuple[str, int | None]:
    """The name of the sprite that a file is for, and of how many frames it is a strip.

    ``hero_strip4.png`` is ``("hero", 4)``; the number is None for a name without one.
    """
    stem = PurePath(fspath(path)).stem
    match = _STRIP.match(stem)
    return (match[1], int(match[2])) if match else (stem, None)


def frames_of(
    path: str | PathLike[str], data: bytes | None = None, *, max_pixels: int = MAX_PIXELS
) -> list[NDArray[np.uint8]]:
    """The frames in a file, each (height, width, 4); at least one, all of one size.

    ``data`` is the file's content where it was read already.  GIF and APNG give one frame for
    each picture, however long it is shown.  Raises FormatError with the path for a broken file,
    one of more than ``max_pixels`` in all frames, a strip that its number does not divide, and
    Aseprite's own files (export them as PNG or GIF); OSError for a file that can't be read.
    """
    name = fspath(path)
    if data is None:
        with open(name, "rb") as stream:
            data = stream.read()
    try:
        frames = _decode(data, max_pixels)
        count = strip_of(name)[1]
        if count is not None:
            frames = [part for frame in frames for part in _split(frame, count)]
        if 0 in frames[0].shape:
            raise FormatError("the picture has no pixels")
    except FormatError as error:
        raise FormatError(error.message, source=name, offset=error.offset) from None
    return frames


def _decode(data: bytes, max_pixels: int) -> list[NDArray[np.uint8]]:
    if data[4:6] == _ASEPRITE:
        raise FormatError("Aseprite files can't be read; export it as PNG strip, APNG or GIF")
    if data.startswith(png.SIGNATURE):
        if not _is_animated(data):
            return [png.decode(data, max_pixels=max_pixels)]
        kind = "PNG"
    else:
        kind = next((name for magic, name in _FORMATS.items() if data.startswith(magic)), "")
        if not kind:
            raise FormatError("not a picture: expected PNG, GIF, JPEG, BMP or WebP", offset=0)
    return _decode_animation(data, kind, max_pixels)


def _is_animated(data: bytes) -> bool:
    """Whether a PNG file has the chunk of animations before its pixels."""
    pixels = data.find(b"IDAT")
    return data.find(b"acTL", 8, pixels if pixels >= 0 else None) >= 0


def _decode_animation(data: bytes, kind: str, max_pixels: int) -> list[NDArray[np.uint8]]:
    frames: list[NDArray[np.uint8]] = []
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of size: there is a limit of our own
            image = Image.open(BytesIO(data), formats=[kind])
        with image:
            check_pixels(*image.size, max_pixels)
            first = int(bool(image.info.get("default_image")))
            number = first
            while _seek(image, number):
                frames.append(png.from_image(image))
                number += 1
                check_pixels(image.width, image.height * len(frames), max_pixels)
    except FormatError:
        raise
    except (*PILLOW_ERRORS, Image.DecompressionBombError) as error:
        raise FormatError(f"the {kind} file can't be decoded: {error}", offset=0) from error
    if not frames:
        raise FormatError(f"the {kind} file has no frames", offset=0)
    for frame, following in pairwise(frames):
        if frame.shape != following.shape:
            raise FormatError(f"the frames of the {kind} file are of several sizes")
    return frames


def _seek(image: Image.Image, number: int) -> bool:
    """Go to a frame; whether there is one."""
    if number >= getattr(image, "n_frames", 1):
        return False
    image.seek(number)
    return True


def _split(strip: NDArray[np.uint8], count: int) -> list[NDArray[np.uint8]]:
    width = strip.shape[1]
    if not count or width % count:
        raise FormatError(
            f"a strip of {count} frames is a multiple of {count} pixels wide, got {width}"
            if count
            else "a strip has at least one frame, got _strip0"
        )
    return [part.copy() for part in np.split(strip, count, axis=1)]


def strip(frames: Sequence[NDArray[np.uint8]]) -> bytes:
    """A PNG file of frames (height, width, 4) side by side."""
    return png.encode(np.concatenate(frames, axis=1))


def apng(frames: Sequence[NDArray[np.uint8]], fps: float) -> bytes:
    """An animated PNG file of frames (height, width, 4), all pixels exact; it repeats forever."""
    # Frames that differ in what is done after them are never merged, even where they are equal.
    disposals = [number % 2 for number in range(len(frames))]
    return _animation(frames, "PNG", round(1000 / fps, 3), disposal=disposals, blend=0)


def gif(frames: Sequence[NDArray[np.uint8]], fps: float) -> bytes:
    """A GIF file of frames (height, width, 4), which repeats forever.

    A frame has up to 255 colours, and its pixels are visible (alpha of 128 and more) or not.  Of
    equal frames in a row one is stored, which is shown longer.
    """
    duration = max(_SHORTEST, round(1000 / fps))
    return _animation(_visible_or_not(frames), "GIF", duration, disposal=2)


def timed_gif(frames: Sequence[NDArray[np.uint8]], seconds: Sequence[float]) -> bytes:
    """As :func:`gif`, with a time for each frame."""
    durations = [max(_SHORTEST, round(1000 * second)) for second in seconds]
    return _animation(_visible_or_not(frames), "GIF", durations, disposal=2)


def _visible_or_not(frames: Sequence[NDArray[np.uint8]]) -> list[NDArray[np.uint8]]:
    shown = []
    for frame in frames:
        part = frame.copy()
        part[..., 3] = np.where(frame[..., 3] < 128, 0, 255)
        part[part[..., 3] == 0] = 0
        shown.append(part)
    return shown


def _animation(
    frames: Sequence[NDArray[np.uint8]],
    kind: str,
    duration: float | list[int],
    **options: object,
) -> bytes:
    first, *others = [png.to_image(frame) for frame in frames]
    out = BytesIO()
    first.save(out, kind, save_all=True, append_images=others, duration=duration, loop=0, **options)
    return out.getvalue()
