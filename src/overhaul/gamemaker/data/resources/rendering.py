"""The pictures of rooms, sprites and backgrounds that a game has."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from overhaul.document.names import FileNames
from overhaul.document.rendering import Drawing, Made, Strips, View
from overhaul.gamemaker.data.pictures import has_picture, image_of_item, page_images

if TYPE_CHECKING:
    from PIL.Image import Image

    from overhaul.gamemaker.data.chunks.bgnd import Background
    from overhaul.gamemaker.data.chunks.sprt import Sprite
    from overhaul.gamemaker.data.code.model import CodeModel
    from overhaul.gamemaker.data.resources.rooms import Room


def drawings(
    game: CodeModel,
    rooms: Iterable[Room],
    sprites: Iterable[Sprite],
    backgrounds: Iterable[Background],
    how: View,
) -> Iterator[Drawing]:
    """The pictures of a game; what is not drawn, as it can't be read, are warnings of the game."""
    for name, path, draw in _pictures(rooms, sprites, backgrounds, how):
        yield Drawing(name, path, partial(_drawn, game, draw))


def _drawn(game: CodeModel, draw: Callable[[], Made | None]) -> Made | None:
    made = draw()
    if isinstance(made, Strips):
        return Strips(made.size, _noting_pages(game, made.strips))
    _note_pages(game)
    return made


def _noting_pages(game: CodeModel, strips: Iterable[Image]) -> Iterator[Image]:
    yield from strips
    _note_pages(game)


def _note_pages(game: CodeModel) -> None:
    """Warn of the texture pages that could not be read, so far."""
    for reason in page_images(game).broken.values():
        text = f"a texture page can't be read, and what is on it not drawn: {reason}"
        if text not in game.warnings:
            game.warnings.append(text)


def _draw(room: Room, how: View) -> Strips:
    """The picture of a room; what it leaves out are warnings of the game."""
    size, strips = room.strips(layers=how.layers, view=how.view, region=how.region, scale=how.scale)
    left_out = room.not_drawn(layers=how.layers)
    room.game.warnings += [f"rooms/{room.name}: not drawn: {what}" for what in left_out]
    return Strips(size, strips)


def _pictures(
    rooms: Iterable[Room],
    sprites: Iterable[Sprite],
    backgrounds: Iterable[Background],
    how: View,
) -> Iterator[tuple[str, str, Callable[[], Made | None]]]:
    """The name, the path, and what draws it, of each picture of a game."""
    stems = FileNames()
    for room in rooms:
        draw = partial(_draw, room, how)
        path = f"rooms/{stems(room.name)}.png"
        if room.width and room.height:
            yield f"rooms/{room.name}", path, draw
    stems = FileNames()
    for sprite in sprites:
        stem = stems(str(sprite.name))
        for index, item in enumerate(sprite.textures):
            if has_picture(item):
                path = f"sprites/{stem}/{index}.png"
                yield f"sprites/{sprite.name}", path, partial(image_of_item, item)
    stems = FileNames()
    for background in backgrounds:
        path, item = f"backgrounds/{stems(str(background.name))}.png", background.texture
        if has_picture(item):
            yield f"backgrounds/{background.name}", path, partial(image_of_item, item)
