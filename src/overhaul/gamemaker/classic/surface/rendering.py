"""The pictures of rooms, sprites and backgrounds that a project or an executable has."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from overhaul.document.names import FileNames
from overhaul.document.rendering import Drawing, Strips, View
from overhaul.gamemaker.classic.surface.pictures import Background, Frame

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PIL.Image import Image

    from overhaul.gamemaker.classic.surface.pictures import Sprite
    from overhaul.gamemaker.classic.surface.rooms import Room


def drawings(
    rooms: Iterable[Room], sprites: Iterable[Sprite], backgrounds: Iterable[Background], how: View
) -> Iterator[Drawing]:
    """The pictures of a game, in the order of its resources."""
    stems = FileNames()
    for room in rooms:
        draw = partial(_strips, room, how)
        stem = stems(room.name)
        if room.width > 0 and room.height > 0:
            yield Drawing(f"rooms/{room.name}", f"rooms/{stem}.png", draw)
    stems = FileNames()
    for sprite in sprites:
        stem = stems(sprite.name)
        for frame in sprite.frames:
            path = f"sprites/{stem}/{frame.index}.png"
            yield Drawing(f"sprites/{sprite.name}", path, partial(_image, frame))
    stems = FileNames()
    for background in backgrounds:
        path = f"backgrounds/{stems(background.name)}.png"
        if background.width > 0 and background.height > 0:
            yield Drawing(f"backgrounds/{background.name}", path, partial(_image, background))


def _strips(room: Room, how: View) -> Strips:
    return Strips(
        *room.strips(layers=how.layers, view=how.view, region=how.region, scale=how.scale)
    )


def _image(picture: Frame | Background) -> Image | None:
    return picture.image
