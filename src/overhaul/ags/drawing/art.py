"""The sprites and colours of a game, from the files next to one of its files; frames of views.

These are the other files of a package, or of the folder.
"""

from __future__ import annotations

from functools import cached_property
from typing import Final
from weakref import WeakValueDictionary

import numpy as np
from PIL import Image, ImageOps

from overhaul.ags import pictures
from overhaul.ags.game.game import (
    GAME_FILES,
    Game,
    read_colours,
    read_palette,
    read_sprite_flags,
)
from overhaul.ags.game.resources import Frame, Loop
from overhaul.ags.images import to_image
from overhaul.ags.pictures import Pixels
from overhaul.ags.sprites import Sprite, SpriteSet
from overhaul.ags.versions import GAME_AGS4
from overhaul.document.protocol import Siblings
from overhaul.errors import FormatError
from overhaul.media.bounds import MAX_PIXELS, check_pixels

SPRITE_FILE: Final = "acsprset.spr"
#: The use of a colour that rooms have one of their own for.
_ROOM_COLOUR: Final = 2
#: A flag of sprites that were drawn for 640 by 400 pixels.
_HIGH_RESOLUTION: Final = 1
#: The colour that is drawn nowhere, in pictures without alpha.
_KEY: Final = (255, 0, 255)


class Art:
    """The sprites and colours next to a file; each is read when it is first asked for."""

    def __init__(self, siblings: Siblings | None) -> None:
        self._siblings = siblings

    def read(self, *names: str) -> bytes | None:
        """The first file next to of one of these names, without regard to case; None without
        one."""
        if self._siblings is None:
            return None
        wanted = {name.casefold() for name in names}
        for name in self._siblings.names():
            if name.casefold() in wanted:
                return self._siblings.read(name)
        return None

    def font_file(self, number: int) -> bytes | None:
        """The file of a font; None where it is not next to."""
        return self.read(*(f"agsfnt{number}.{ending}" for ending in ("ttf", "wfn", "otf")))

    @cached_property
    def _sprites(self) -> tuple[SpriteSet | None, str]:
        data = self.read(SPRITE_FILE)
        if data is None:
            return None, f"there is no {SPRITE_FILE} next to the file"
        try:
            return SpriteSet.read(data, source=SPRITE_FILE), ""
        except FormatError as error:
            return None, str(error)

    @property
    def sprites(self) -> SpriteSet | None:
        """The game's sprites, or None; :attr:`problem` says why."""
        return self._sprites[0]

    @property
    def problem(self) -> str:
        """The reason why the sprites are missing; empty if they are there."""
        return self._sprites[1]

    @cached_property
    def palette(self) -> bytes:
        """The colours of 8-bit pictures as 256 triples of 8-bit r, g, b."""
        return game_palette(self._siblings, self.sprites)

    def palette_in(self, room: bytes) -> bytes:
        """The colours of 8-bit pictures in a room of 8 bits, whose palette is ``room``.

        The game says which colours are the room's; without it, all of them are.
        """
        data = self.read(*GAME_FILES)
        found = None if data is None else read_colours(data)
        if found is None:
            return room
        palette, uses = found
        return b"".join(
            (room if use == _ROOM_COLOUR else palette)[3 * number : 3 * number + 3]
            for number, use in enumerate(uses)
        )

    @cached_property
    def _sprite_flags(self) -> bytes:
        data = self.read(*GAME_FILES)
        return b"" if data is None else read_sprite_flags(data)

    def is_low_resolution(self, slot: int) -> bool:
        """Whether the game says of a sprite that it was not drawn for a high resolution."""
        flags = self._sprite_flags
        return 0 <= slot < len(flags) and not flags[slot] & _HIGH_RESOLUTION

    def sprite(self, slot: int, palette: bytes | None = None) -> Image.Image | None:
        """A sprite as it is drawn, in mode RGBA; None where there is none, or it is broken.

        ``palette`` has the colours of 8-bit pictures, if not those of the game.
        """
        stored = self._stored(slot)
        if stored is None or self.sprites is None:
            return None
        try:
            return sprite_image(self.sprites.pixels(stored), palette or self.palette)
        except FormatError:
            return None

    def size(self, slot: int) -> tuple[int, int] | None:
        """The width and height of a sprite; None where there is none."""
        stored = self._stored(slot)
        return None if stored is None else (stored.width, stored.height)

    def _stored(self, slot: int) -> Sprite | None:
        sprites = self.sprites
        if sprites is None or not 0 <= slot < len(sprites.slots):
            return None
        sprite = sprites.slots[slot]
        return sprite if isinstance(sprite, Sprite) else None


#: By the identity of what stands next to, which lives as long as its art does.
_KNOWN: Final[WeakValueDictionary[int, Art]] = WeakValueDictionary()


def art_of(siblings: Siblings | None) -> Art:
    """The art next to a file; documents with the same files next to them share it."""
    if siblings is None:
        return Art(None)
    known = _KNOWN.get(id(siblings))
    if known is None:
        known = _KNOWN[id(siblings)] = Art(siblings)
    return known


def game_palette(siblings: Siblings | None, sprites: SpriteSet | None) -> bytes:
    """The colours of 8-bit pictures as 8-bit r, g, b: those of the game next to a file, those of
    the sprite set, or greys."""
    data = Art(siblings).read(*GAME_FILES)
    palette = None if data is None else read_palette(data)
    if palette is None and sprites is not None:
        # Editors from 2.7 on left other things of their memory there.
        own = sprites.header.palette
        if any(own) and max(own) < 64:
            palette = pictures.expand_palette(own)
    return palette or pictures.GREYS


def sprite_image(pixels: Pixels, palette: bytes) -> Image.Image:
    """Pixels as the engine draws them, in mode RGBA.

    Transparent are colour 0 of 8-bit pictures, magenta in those without alpha, and what a
    picture's own alpha says.
    """
    image = to_image(pixels, palette)
    if image.mode == "RGBA":
        return image
    shown = np.asarray(image.convert("RGBA")).copy()
    if image.mode == "P":
        hidden = np.asarray(image) == 0
    else:
        hidden = (shown[..., :3] == _KEY).all(axis=2)
    shown[hidden] = 0
    return Image.fromarray(shown)


def put(image: Image.Image, sprite: Image.Image, left: int, top: int) -> None:
    """Draw a sprite over an image, both in mode RGBA, as far as it lies in it."""
    box = (
        max(0, -left),
        max(0, -top),
        min(sprite.width, image.width - left),
        min(sprite.height, image.height - top),
    )
    if box[0] < box[2] and box[1] < box[3]:
        image.alpha_composite(sprite.crop(box), (max(0, left), max(0, top)))


#: Colours 0 to 31 of games of more than 8 bits: those of the standard palette.
STANDARD: Final = (
    0x000000, 0x0000A0, 0x00A000, 0x00A0A0, 0xA00000, 0xA000A0, 0xA05000, 0xA0A0A0,
    0x505050, 0x5050FF, 0x50FF50, 0x50FFFF, 0xFF5050, 0xFF50FF, 0xFFFF50, 0xFFFFFF,
    *(grey * 0x101010 for grey in range(16)),
)  # fmt: skip


def colour_of(game: Game, number: int, palette: bytes) -> tuple[int, int, int]:
    """The r, g, b of a colour of a game; ``palette`` are triples for games of 8 bits.

    In AGS 4 a number is alpha, red, green, blue; before, from 32 on, red, green and blue of 5, 6
    and 5 bits.
    """
    if game.version >= GAME_AGS4:
        return number >> 16 & 255, number >> 8 & 255, number & 255
    if _depth(game) == 1:
        at = 3 * (number & 255)
        return palette[at], palette[at + 1], palette[at + 2]
    if 0 <= number < len(STANDARD):
        colour = STANDARD[number]
        return colour >> 16, colour >> 8 & 255, colour & 255
    red, green, blue = number >> 11 & 31, number >> 5 & 63, number & 31
    return red << 3 | red >> 2, green << 2 | green >> 4, blue << 3 | blue >> 2


def _depth(game: Game) -> int:
    """Bytes per pixel of the game."""
    if game.old is not None:
        return game.old.colour_depth or 1
    return 0 if game.content is None else game.content.settings.colour_depth


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
