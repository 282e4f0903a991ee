"""Small games with pictures: ``from drawn_games import drawn_game, picture_of``."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from overhaul.gamemaker.data.chunks.objt import GameObject
from overhaul.gamemaker.data.chunks.sprt import Sprite
from overhaul.gamemaker.data.chunks.txtr import Background, TexturePage, TexturePageItem
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.resources.rooms import Room
from overhaul.media import png
from small_games import blank

#: colours by letter, for pictures written as text
COLOURS = {
    ".": (0, 0, 0, 0),
    "K": (0, 0, 0, 255),
    "R": (255, 0, 0, 255),
    "G": (0, 255, 0, 255),
    "B": (0, 0, 255, 255),
    "W": (255, 255, 255, 255),
    "Y": (255, 255, 0, 255),
    "r": (255, 0, 0, 128),
}


def pixels(text: str) -> NDArray[np.uint8]:
    """The picture of lines of letters."""
    return np.array([[COLOURS[c] for c in line] for line in text.split()], np.uint8)


def text_of(room: Room, **how: object) -> str:
    """The picture of a room as lines of letters; ``?`` for a colour without one."""
    letters = {bytes(colour): letter for letter, colour in COLOURS.items()}
    image = np.asarray(room.image(**how))  # type: ignore[arg-type]
    rows = ["".join(letters.get(p.tobytes(), "?") for p in row) for row in image]
    return "\n".join(rows)


def art(text: str) -> str:
    """Lines as :func:`text_of` writes them."""
    return "\n".join(text.split())


def drawn_game(version: str) -> GameData:
    """A game with a room of 6×4 that is black, and no pictures yet."""
    game = GameData.from_bytes(blank(version))
    game.load_all()
    room = game.rooms.add("rm", width=6, height=4)
    room.background_colour = "#000000"
    room.draw_background_colour = True
    for name in [*room.layers.names()]:
        room.layers.remove(name)
    return game


def add_item(game: GameData, picture: NDArray[np.uint8], margin: int = 0) -> TexturePageItem:
    """A picture on a page of its own; ``margin`` pixels around it are cropped."""
    height, width = picture.shape[:2]
    kept = picture[margin : height - margin, margin : width - margin]
    page = game.textures.append(TexturePage(blob=png.encode(kept)))
    high, wide = kept.shape[:2]
    item = TexturePageItem(0, 0, wide, high, margin, margin, wide, high, width, height, page)
    game.texture_items.append(item)
    return item


def add_sprite(
    game: GameData, name: str, *frames: str, origin: tuple[int, int] = (0, 0), margin: int = 0
) -> Sprite:
    """A sprite of frames written as text."""
    pictures = [pixels(frame) for frame in frames]
    sprite = Sprite(
        game.strings.add(name),
        pictures[0].shape[1],
        pictures[0].shape[0],
        origin_x=origin[0],
        origin_y=origin[1],
        textures=[add_item(game, picture, margin) for picture in pictures],
    )
    game.records.sprites.append(sprite)
    return sprite


def add_object(game: GameData, name: str, sprite: Sprite | None, *, depth: int = 0) -> GameObject:
    """An object that shows a sprite."""
    shown = None if sprite is None else game.records.sprites.reference_to(sprite)
    events = 15 if game.release.major >= 2 else 12
    record = GameObject(
        game.strings.add(name), shown, depth=depth, events=[[] for _ in range(events)]
    )
    game.records.objects.append(record)
    return record


def add_background(game: GameData, name: str, picture: str) -> Background:
    """A background, or a tile set without its numbers."""
    background = Background(game.strings.add(name), texture=add_item(game, pixels(picture)))
    background.exported_sprite = None if game.release.at_least(2023, 8) else 0
    game.records.backgrounds.append(background)
    return background
