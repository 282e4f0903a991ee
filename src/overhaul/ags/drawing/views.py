"""Views as pictures: the frames of a loop on one canvas, as they follow each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PIL import Image, ImageOps

from overhaul.media.bounds import MAX_PIXELS, check_pixels

if TYPE_CHECKING:
    from overhaul.ags.drawing.art import Art
    from overhaul.ags.game.things import Frame, Loop

_FLIPPED: Final = 1
#: The canvas of frames whose sprites are not known.
_NOTHING: Final = (1, 1)


def canvas_of(loop: Loop, art: Art) -> tuple[int, int]:
    """The width and height that all frames of a loop fit into."""
    sizes = [art.size(frame.picture) or _NOTHING for frame in loop.frames] or [_NOTHING]
    return max(width for width, _ in sizes), max(height for _, height in sizes)


def frame_image(frame: Frame, canvas: tuple[int, int], art: Art) -> Image.Image | None:
    """A frame as it is drawn, in mode RGBA: in the middle of the canvas, on its lowest row.

    None where its sprite is not known.  Raises FormatError for a canvas of too many pixels.
    """
    check_pixels(*canvas, MAX_PIXELS)
    sprite = art.sprite(frame.picture)
    if sprite is None:
        return None
    if frame.flags & _FLIPPED:
        sprite = ImageOps.mirror(sprite)
    shown = Image.new("RGBA", canvas)
    shown.paste(sprite, ((canvas[0] - sprite.width) // 2, canvas[1] - sprite.height))
    return shown
