"""Pictures as people hand them over: Pillow images, arrays, files."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

import numpy as np
from PIL import Image

from overhaul.errors import EncodeError, FormatError
from overhaul.gamemaker.data.painting import new_picture
from overhaul.gamemaker.data.resources.names import check_new_name
from overhaul.media import png
from overhaul.media.frames import EXTENSIONS, frames_of, strip_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from overhaul.gamemaker.data.version import Version

    Pixels: TypeAlias = NDArray[np.uint8]
    #: a Pillow image of any mode, or an array (height, width, 4) of red, green, blue, alpha
    Picture: TypeAlias = Image.Image | NDArray[np.uint8]


def pixels_of(picture: Picture, release: Version) -> Pixels:
    """The pixels of a picture, (height, width, 4), which a page of the release can hold.

    Raises TypeError for a value that is not a picture, ValueError for one without pixels or too
    large.
    """
    if isinstance(picture, Image.Image):
        pixels = png.from_image(picture)
    elif isinstance(picture, np.ndarray) and picture.ndim == 3 and picture.shape[2] == 4:
        if picture.dtype != np.uint8:
            raise TypeError(f"expected an array of uint8, got {picture.dtype}")
        pixels = picture.copy()
    else:
        got = f"an array of {picture.shape}" if isinstance(picture, np.ndarray) else repr(picture)
        raise TypeError(
            f"expected a Pillow image or an array of (height, width, 4), got {got[:100]}"
        )
    try:
        new_picture(pixels, release)
    except EncodeError as error:
        raise ValueError(error.message) from None
    return pixels


def all_pixels(
    pictures: Sequence[Picture] | Picture | str | PathLike[str], release: Version
) -> list[Pixels]:
    """The pixels of several pictures, of one picture, or of those in a file.

    See :func:`overhaul.media.frames.frames_of` for files.  Raises ValueError where there is none,
    or they are of several sizes.
    """
    if isinstance(pictures, (str, PathLike)):
        pictures = frames_of(pictures)
    elif isinstance(pictures, Image.Image) or (
        isinstance(pictures, np.ndarray) and pictures.ndim == 3
    ):
        pictures = [pictures]
    found = [pixels_of(picture, release) for picture in pictures]
    if not found:
        raise ValueError("expected at least one picture")
    sizes = sorted({(pixels.shape[1], pixels.shape[0]) for pixels in found})
    if len(sizes) > 1:
        words = " and ".join(f"{width} x {height}" for width, height in sizes)
        raise ValueError(f"the frames of a sprite are of one size, not of {words}")
    return found


if TYPE_CHECKING:
    from overhaul.gamemaker.data.code.model import CodeModel
    from overhaul.gamemaker.data.resources.pixels import Pixels
    from overhaul.gamemaker.data.version import Version

    Progress: TypeAlias = Callable[[int, int, str], None]
    #: pixels from the top left, or the middle of each sprite
    Origin: TypeAlias = tuple[int, int] | Literal["centre"]


class PictureFiles(NamedTuple):
    """The files of one sprite: a picture, strip or animation, or a picture for each frame."""

    name: str
    files: list[str]


def pictures_in(folder: str | os.PathLike[str]) -> list[PictureFiles]:
    """The sprites in a folder, by name: each picture is one, and each folder in it with pictures.

    ``hero_strip4.png`` is the sprite ``hero`` of four frames; the pictures in a folder are the
    frames of one sprite, in the order of the numbers in their names.  Other files are left out.
    Raises OSError for a folder that can't be read, ValueError for two of one name and for a folder
    without any.
    """
    found: dict[str, PictureFiles] = {}
    for entry in sorted(Path(folder).iterdir()):
        if entry.is_dir():
            files = sorted(filter(_is_picture, entry.iterdir()), key=_in_order)
            name = entry.name
        else:
            files = [entry] if _is_picture(entry) else []
            name = strip_of(entry)[0]
        if files and name in found:
            raise ValueError(f"{entry} and {found[name].files[0]} are both for the sprite {name!r}")
        if files:
            found[name] = PictureFiles(name, [os.fspath(path) for path in files])
    if not found:
        raise ValueError(f"{os.fspath(folder)}: there are no pictures ({', '.join(EXTENSIONS)})")
    return list(found.values())


def _is_picture(path: Path) -> bool:
    return path.suffix.lower() in EXTENSIONS and not path.name.startswith(".") and path.is_file()


def _in_order(path: Path) -> tuple[object, ...]:
    """``hero_2.png`` before ``hero_10.png``."""
    digits = "".join(c if c.isdigit() and c.isascii() else " " for c in path.stem).split()
    return [int(number) for number in digits[-1:]] or [-1], path.name


def read_pictures(sprite: PictureFiles, release: Version) -> list[Pixels]:
    """The frames in the files of a sprite.  Raises FormatError with the file."""
    frames: list[Pixels] = []
    for path in sprite.files:
        try:
            frames += all_pixels(frames_of(path), release)
        except ValueError as error:
            if isinstance(error, FormatError):
                raise
            raise FormatError(str(error), source=path) from None
        if frames[-1].shape != frames[0].shape:
            height, width = frames[-1].shape[:2]
            raise FormatError(
                f"the frames of a sprite are of one size, got {width} x {height} after "
                f"{frames[0].shape[1]} x {frames[0].shape[0]}",
                source=path,
            )
    return frames


def check_names(
    game: CodeModel, sprites: Iterable[PictureFiles], *, replace: bool
) -> list[PictureFiles]:
    """The sprites that are new.  Raises ValueError with the file for a name that can't be given.

    With ``replace`` sprites of the game may have the names.
    """
    known = game.named("SPRT")
    new = []
    for sprite in sprites:
        if replace and sprite.name in known:
            continue
        try:
            check_new_name(game, "SPRT", sprite.name)
        except ValueError as error:
            raise ValueError(f"{sprite.files[0]}: {error}") from None
        new.append(sprite)
    return new
