"""Pictures made so small that a list of them is quick to load."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PIL import Image as pillow
from PIL.Image import Image

from overhaul.media import png
from overhaul.viewer.answers import Media
from overhaul.viewer.opened import NotThere

if TYPE_CHECKING:
    from overhaul.viewer.answers import Answers, Asked

#: the names that lists ask for, and the longest side of the answer, in pixels
NAME = "thumbnail.png"
SIDE = 160


def small(image: Image) -> Image:
    """An image whose longer side is at most :data:`SIDE`; a smaller one is returned unchanged."""
    scale = SIDE / max(image.size)
    if scale >= 1:
        return image
    size = (max(1, round(image.width * scale)), max(1, round(image.height * scale)))
    return image.convert("RGBA").resize(size, pillow.Resampling.BOX, reducing_gap=4)


def nothing() -> bytes:
    """A picture that shows nothing, for what has none."""
    return png.encode(np.zeros((1, 1, 4), np.uint8))


def bounded(asked: Asked, part: Answers) -> Media:
    """The answer of a part as a thumbnail, made smaller if it is large; kept.

    Without a picture it is a transparent one: a list asks for all of them.
    """
    entry = asked.resource

    def make() -> bytes:
        try:
            answer = part(asked)
        except NotThere:
            return nothing()
        assert isinstance(answer, Media)
        if max(png.size(answer.data)) <= SIDE:
            return answer.data
        with asked.opened.aside():
            return png.encode(png.from_image(small(png.to_image(png.decode(answer.data)))))

    key = ("small", entry.slug, entry.key)
    return Media(asked.opened.remember(key, make, len), "image/png")
