"""The page of a sprite: its frames as they are played, with what collides."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from overhaul.media import frames, png
from overhaul.viewer.answers import Asked, Media, Page
from overhaul.viewer.opened import NotThere
from overhaul.viewer.pages import generic
from overhaul.viewer.pages.games import either_of
from overhaul.viewer.thumbnails import small

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from overhaul.gamemaker.classic.surface.pictures import Sprite as ProjectSprite
    from overhaul.gamemaker.data.resources.sprites import Sprite

#: a sprite is shown at least so large, in pixels, at a whole number of times its size
_SHOWN, _MOST = 320, 16


class SpritePage(generic.ResourcePage, frozen=True):
    """A sprite; places are in pixels from its top left.

    ``bbox`` is left, top, right, bottom, the last column and row included; ``masks`` one address,
    one for each frame, or none.
    """

    width: int
    height: int
    origin: tuple[int, int]
    bbox: tuple[int, int, int, int]
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
        masks=[opened.href(entry, "masks", f"{n}.png") for n in range(mask_count(sprite))],
        zoom=max(1, min(_MOST, _SHOWN // size)),
    )


def sprite_of(asked: Asked) -> Sprite | ProjectSprite:
    """The sprite of a request."""
    return either_of(asked, lambda game: game.sprites, lambda project: project.sprites)


def mask_count(sprite: Sprite | ProjectSprite) -> int:
    """How many masks it has, without unpacking them; projects have none."""
    return len(getattr(sprite.record, "masks", ()))


def pixels_of(sprite: Sprite | ProjectSprite) -> list[NDArray[np.uint8]]:
    """The frames that have a picture."""
    images = [frame.image for frame in sprite.frames]
    return [png.from_image(image) for image in images if image is not None]


def _kept(asked: Asked, make: Callable[[], bytes]) -> bytes:
    entry = asked.resource
    return asked.opened.remember(("sprite", entry.key, asked.rest), make, len)


def _numbered(asked: Asked, count: int) -> int:
    """The number in an address such as ``frames/3.png``."""
    name = asked.rest.partition("/")[2].removesuffix(".png")
    if not (name.isascii() and name.isdigit() and int(name[:9]) < count):
        raise NotThere(f"{asked.resource.name} has no {asked.rest}")
    return int(name)


def frame_part(asked: Asked) -> Media:
    """``frames/3.png``."""
    sprite = sprite_of(asked)
    number = _numbered(asked, len(sprite.frames))

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
    number = _numbered(asked, mask_count(sprite))
    mask = sprite.masks[number]
    red = np.zeros((*mask.shape, 4), np.uint8)
    red[mask] = (235, 30, 60, 140)
    return Media(png.encode(red), "image/png")


def thumbnail(asked: Asked) -> Media:
    """``thumbnail.png``: the first frame that has a picture."""

    def make() -> bytes:
        for frame in sprite_of(asked).frames:
            image = frame.image
            if image is not None:
                with asked.opened.aside():
                    return png.encode(png.from_image(small(image)))
        return png.encode(np.zeros((1, 1, 4), np.uint8))  # one that shows nothing

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
        fps = sprite.fps

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
        "thumbnail.png": thumbnail,
        "strip.png": _download("_strip{}.png", "image/png", lambda each, fps: frames.strip(each)),
        "animation.gif": _download(".gif", "image/gif", frames.gif),
        "animation.png": _download(".png", "image/png", frames.apng),
        "frames.zip": _download(".zip", "application/zip", _zipped),
    },
    thumbnails=True,
)
