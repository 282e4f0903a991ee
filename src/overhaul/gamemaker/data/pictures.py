"""Pictures of the model, as people look at them: Pillow images, also in notebooks.

Records find their game through the references they hold, so ``game.sprites["spr_player"].frames``
works without naming the game again.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from overhaul.gamemaker.data.references import Reference

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PIL.Image import Image

    from overhaul.gamemaker.data.game import GameData

#: the widest strip of frames a notebook shows, in pixels
WIDEST_STRIP = 1600


def image_of_item(item: Any) -> Image | None:
    """The picture of a texture page item on its full canvas, as RGBA; None where it has none."""
    from overhaul.media import png

    if item is None or not isinstance(item.page, Reference):
        return None
    game: GameData = item.page.owner.game
    pixels = game.pictures.frame(item)
    return None if pixels is None else png.to_image(pixels)


def image_of_page(page: Any) -> Image | None:
    """A whole texture page as RGBA; None where its bytes are elsewhere.  Raises FormatError."""
    from overhaul.media import png, textures

    return None if page.blob is None else png.to_image(textures.decode(page.blob))


def strip(images: Iterable[Image | None]) -> Image | None:
    """Images side by side, as many as fit."""
    from PIL import Image as pillow

    shown: list[Image] = []
    width = 0
    for image in images:
        if image is None or (shown and width + image.width > WIDEST_STRIP):
            continue
        shown.append(image)
        width += image.width
    if not shown:
        return None
    sheet = pillow.new("RGBA", (width, max(image.height for image in shown)))
    at = 0
    for image in shown:
        sheet.paste(image, (at, 0))
        at += image.width
    return sheet


def png_bytes(image: Image | None) -> bytes | None:
    """An image as PNG, for notebooks."""
    if image is None:
        return None
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return buffer.getvalue()
