"""Pictures of rooms, sprites and backgrounds, written to a folder."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from overhaul.document.files import write_into
from overhaul.document.names import FileNames
from overhaul.errors import EncodeError
from overhaul.gamemaker.data.pictures import has_picture, image_of_item, page_images
from overhaul.media import png

if TYPE_CHECKING:
    from PIL.Image import Image

    from overhaul.gamemaker.data.game import GameData
    from overhaul.gamemaker.data.resources.rooms import Room

#: called with how many pictures are done, how many there are, and the next one's path
Progress: TypeAlias = Callable[[int, int, str], None]


class Rendered(NamedTuple):
    """A picture that was written: its path in the folder, and its size in pixels."""

    path: str
    width: int
    height: int


class Strips(NamedTuple):
    """A picture that is made from top to bottom, in little memory."""

    size: tuple[int, int]
    strips: Iterator[Image]


class View(NamedTuple):
    """How rooms are drawn; see :meth:`.resources.rooms.Room.image`."""

    layers: tuple[str, ...] | None = None
    view: int | None = None
    region: tuple[int, int, int, int] | None = None
    scale: float = 1.0


def render(
    game: GameData,
    patterns: Sequence[str],
    folder: str,
    *,
    how: View | None = None,
    force: bool = False,
    progress: Progress | None = None,
) -> list[Rendered]:
    """Write pictures of what matches the patterns to a folder, as PNG; all or none.

    A pattern is a glob of ``rooms/NAME``, ``sprites/NAME`` or ``backgrounds/NAME``.  A sprite
    becomes a folder of its frames.  What is not drawn of a room is a warning of the game.  Returns
    what was written, in the order of the game; nothing where nothing matches.

    Raises FileExistsError for a file that is there already, without ``force``; EncodeError for a
    layer or view that a room does not have, and for a picture that can't be drawn.
    """
    found = {
        path: draw for name, path, draw in pictures(game, how or View()) if _matches(name, patterns)
    }
    done: list[Rendered] = []

    def png_of(path: str) -> bytes:
        if progress is not None:
            progress(len(done), len(found), path)
        try:
            image = found[path]()
        except (KeyError, IndexError, ValueError) as error:
            raise EncodeError(f"{path}: {error.args[0]}") from None
        if image is None or 0 in image.size:
            raise EncodeError(f"{path}: there is no picture: its texture can't be read")
        if isinstance(image, Strips):
            data = png.encode_strips(*image.size, map(png.from_image, image.strips))
        else:
            stream = io.BytesIO()
            image.save(stream, "PNG", compress_level=4)
            data = stream.getvalue()
        done.append(Rendered(path, *image.size))
        return data

    if found:
        write_into(folder, {path: partial(png_of, path) for path in found}, force=force)
    for reason in dict.fromkeys(page_images(game).broken.values()):
        game.warnings.append(f"a texture page can't be read, and what is on it not drawn: {reason}")
    if progress is not None:
        progress(len(done), len(found), "")
    return done


def _matches(name: str, patterns: Iterable[str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def _draw(room: Room, how: View) -> Strips:
    """The picture of a room; what it leaves out are warnings of the game."""
    size, strips = room.strips(layers=how.layers, view=how.view, region=how.region, scale=how.scale)
    left_out = room.not_drawn(layers=how.layers)
    room.game.warnings += [f"rooms/{room.name}: not drawn: {what}" for what in left_out]
    return Strips(size, strips)


def picture_names(game: GameData) -> list[str]:
    """What there is to draw: ``rooms/rm_first``, ``sprites/spr_player``, ..."""
    return list(dict.fromkeys(name for name, _, _ in pictures(game, View())))


def pictures(
    game: GameData, how: View
) -> Iterator[tuple[str, str, Callable[[], Image | Strips | None]]]:
    """The name, the path, and what draws it, of each picture of a game."""
    stems = FileNames()
    for room in game.rooms:
        draw = partial(_draw, room, how)
        path = f"rooms/{stems(room.name)}.png"
        if room.width and room.height:
            yield f"rooms/{room.name}", path, draw
    stems = FileNames()
    for sprite in game.records.sprites.present():
        stem = stems(str(sprite.name))
        for index, item in enumerate(sprite.textures):
            if has_picture(item):
                path = f"sprites/{stem}/{index}.png"
                yield f"sprites/{sprite.name}", path, partial(image_of_item, item)
    stems = FileNames()
    for background in game.records.backgrounds.present():
        path, item = f"backgrounds/{stems(str(background.name))}.png", background.texture
        if has_picture(item):
            yield f"backgrounds/{background.name}", path, partial(image_of_item, item)
