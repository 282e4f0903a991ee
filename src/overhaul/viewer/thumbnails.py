"""Pictures made so small that a list of them is quick to load."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PIL import Image as pillow

from overhaul.media import png
from overhaul.viewer.answers import Media

if TYPE_CHECKING:
    from PIL.Image import Image

    from overhaul.viewer.answers import Answers, Asked

#: what lists ask for, and the longest side of the answer, in pixels
NAME = "thumbnail.png"
SIDE = 224


def small(image: Image) -> Image:
    """An image whose longer side is at most :data:`SIDE`; a smaller one as it is."""
    scale = SIDE / max(image.size)
    if scale >= 1:
        return image
    size = (max(1, round(image.width * scale)), max(1, round(image.height * scale)))
    return image.convert("RGBA").resize(size, pillow.Resampling.BOX, reducing_gap=4)


def bounded(asked: Asked, part: Answers) -> Media:
    """What a part answers as a thumbnail, made smaller where it is large; kept."""
    entry = asked.resource

    def make() -> bytes:
        answer = part(asked)
        assert isinstance(answer, Media)
        if max(png.size(answer.data)) <= SIDE:
            return answer.data
        with asked.opened.aside():
            return png.encode(png.from_image(small(png.to_image(png.decode(answer.data)))))

    key = ("small", entry.slug, entry.key)
    return Media(asked.opened.remember(key, make, len), "image/png")
