"""The page of a sprite: its frames as they are played, with what collides."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from overhaul.document.views import SpriteView
from overhaul.errors import FormatError
from overhaul.media import frames, png
from overhaul.viewer.answers import Asked, Media, Page
from overhaul.viewer.opened import NotThere
from overhaul.viewer.pages import generic
from overhaul.viewer.pages.page_parts import numbered
from overhaul.viewer.thumbnails import nothing, small

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: a sprite is shown at least so large, in pixels, at a whole number of times its size
_SHOWN, _MOST = 320, 16


class SpritePage(generic.ResourcePage, frozen=True):
    """A sprite; places are in pixels from its top left.

    ``bbox`` is left, top, right, bottom, the last column and row included; ``masks`` one address,
    one for each frame, or none.  ``origin`` and ``bbox`` are null where the format has none.
    """

    width: int
    height: int
    origin: tuple[int, int] | None
    bbox: tuple[int, int, int, int] | None
    nine_slice: tuple[int, int, int, int] | None
    fps: float
    frames: list[str]
    masks: list[str]
    zoom: int


def show_sprite(asked: Asked) -> SpritePage:
    """The page of a sprite."""
    opened, entry, sprite = asked.opened, asked.resource, sprite_of(asked)
    cuts = sprite.nine_slice
    size = max(sprite.width, sprite.height, 1)
    return SpritePage(
        **msgspec.structs.asdict(generic.base(asked, "picture")),
        width=sprite.width,
        height=sprite.height,
        origin=sprite.origin,
        bbox=sprite.bbox,
        nine_slice=None if cuts is None else (cuts.left, cuts.top, cuts.right, cuts.bottom),
        fps=round(sprite.fps, 3),
        frames=[opened.href(entry, "frames", f"{n}.png") for n in range(len(sprite.frames))],
        masks=[opened.href(entry, "masks", f"{n}.png") for n in range(sprite.mask_count)],
        zoom=max(1, min(_MOST, _SHOWN // size)),
    )


def sprite_of(asked: Asked) -> SpriteView:
    """The sprite of a request.  Raises NotThere."""
    sprite = asked.view
    if not isinstance(sprite, SpriteView):
        raise asked.nothing()
    return sprite


def pixels_of(sprite: SpriteView) -> list[NDArray[np.uint8]]:
    """The frames that have a picture."""
    images = [frame.image for frame in sprite.frames]
    return [png.from_image(image) for image in images if image is not None]


def _kept(asked: Asked, make: Callable[[], bytes]) -> bytes:
    entry = asked.resource
    return asked.opened.remember(("sprite", entry.key, asked.rest), make, len)


def frame_part(asked: Asked) -> Media:
    """``frames/3.png``."""
    sprite = sprite_of(asked)
    return _frame(asked, sprite, numbered(asked, len(sprite.frames)))


def picture_part(asked: Asked) -> Media:
    """``picture.png``: the first frame."""
    sprite = sprite_of(asked)
    if not sprite.frames:
        raise NotThere(f"{sprite.name} has no picture")
    return _frame(asked, sprite, 0)


def _frame(asked: Asked, sprite: SpriteView, number: int) -> Media:
    def make() -> bytes:
        image = sprite.frames[number].image
        if image is None:
            raise NotThere(f"frame {number} has no picture")
        with asked.opened.aside():
            return png.encode(png.from_image(image))

    return Media(_kept(asked, make), "image/png")


def mask_part(asked: Asked) -> Media:
    """``masks/0.png``: red where it is solid."""
    sprite = sprite_of(asked)
    mask = sprite.masks[numbered(asked, sprite.mask_count)]
    red = np.zeros((*mask.shape, 4), np.uint8)
    red[mask] = (235, 30, 60, 140)
    return Media(png.encode(red), "image/png")


def thumbnail(asked: Asked) -> Media:
    """``thumbnail.png``: the first frame that has a picture."""

    def make() -> bytes:
        for frame in sprite_of(asked).frames:
            try:
                image = frame.image
            except FormatError:  # a damaged one is reported on its page
                image = None
            if image is not None:
                with asked.opened.aside():
                    return png.encode(png.from_image(small(image)))
        return nothing()

    return Media(_kept(asked, make), "image/png")


def _download(
    ending: str, type_: str, make: Callable[[Sequence[NDArray[np.uint8]], float], bytes]
) -> Callable[[Asked], Media]:
    """A part that is a file of all frames."""

    def part(asked: Asked) -> Media:
        sprite = sprite_of(asked)
        pictures = pixels_of(sprite)
        if not pictures:
            raise NotThere(f"{sprite.name} has no pictures")
        name = f"{asked.resource.key}{ending.format(len(pictures))}"
        fps = sprite.fps or 1.0

        def made() -> bytes:
            with asked.opened.aside():
                return make(pictures, fps)

        return Media(_kept(asked, made), type_, name)

    return part


def _zipped(pictures: Sequence[NDArray[np.uint8]], fps: float) -> bytes:
    """A zip of the frames as PNG files; the same frames give the same bytes."""
    del fps
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_STORED) as archive:
        for number, picture in enumerate(pictures):
            archive.writestr(zipfile.ZipInfo(f"{number}.png"), png.encode(picture))
    return whole.getvalue()


SPRITE = Page(
    show_sprite,
    "sprite.html",
    {
        "files": generic.file_part,
        "frames": frame_part,
        "masks": mask_part,
        "picture.png": picture_part,
        "thumbnail.png": thumbnail,
        "strip.png": _download("_strip{}.png", "image/png", lambda each, fps: frames.strip(each)),
        "animation.gif": _download(".gif", "image/gif", frames.gif),
        "animation.png": _download(".png", "image/png", frames.apng),
        "frames.zip": _download(".zip", "application/zip", _zipped),
    },
    thumbnails=True,
)
