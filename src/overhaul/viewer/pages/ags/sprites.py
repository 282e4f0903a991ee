"""The page of a sprite of a set."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import numpy as np

from overhaul.ags.pictures import GREYS
from overhaul.ags.sprites import COMPRESSIONS, Sprite
from overhaul.errors import FormatError
from overhaul.media import png
from overhaul.viewer.answers import Asked, Media, Page
from overhaul.viewer.opened import NotThere
from overhaul.viewer.pages import generic
from overhaul.viewer.pages.ags.showing import Player, player

if TYPE_CHECKING:
    from overhaul.ags.documents.sprites import SpriteSetDocument


class SpritePage(generic.ResourcePage, frozen=True):
    """A sprite: ``bits`` of each pixel, ``colours`` of its own palette (0 without one).

    ``stored`` is how it is packed, ``in_greys``: its colours are those of a game that is not
    beside the set; ``problem`` says why it can't be shown.
    """

    slot: int
    width: int
    height: int
    bits: int
    colours: int
    stored: str
    alpha: bool
    in_greys: bool
    player: Player | None
    problem: str


def show_sprite(asked: Asked) -> SpritePage:
    """The page of a sprite."""
    opened, entry, document = asked.opened, asked.resource, _document(asked)
    slot, sprite = _sprite(asked)
    problem, alpha = "", False
    try:
        image = document.image(slot)
        alpha = min(image.getchannel("A").tobytes(), default=255) < 255
    except FormatError as error:
        problem = str(error)
    packing = document.sprites.compression_of(sprite)
    shown = player([opened.href(entry, "picture.png")], (sprite.width, sprite.height))
    return SpritePage(
        kind=entry.kind,
        name=entry.name,
        path=entry.path,
        size=entry.size,
        fields=None,
        files=[],
        more=0,
        inside="",
        record="",
        slot=slot,
        width=sprite.width,
        height=sprite.height,
        bits=sprite.depth * 8,
        colours=len(sprite.palette) // max(1, sprite.depth),
        stored=COMPRESSIONS.get(packing, str(packing)),
        alpha=alpha,
        in_greys=sprite.depth == 1 and document.palette() == GREYS,
        player=None if problem else shown,
        problem=problem,
    )


def _document(asked: Asked) -> SpriteSetDocument:
    return cast("SpriteSetDocument", asked.opened.document)


def _sprite(asked: Asked) -> tuple[int, Sprite]:
    for slot, sprite in _document(asked).sprites.filled():
        if str(slot) == asked.resource.name:
            return slot, sprite
    raise NotThere(f"there is no sprite {asked.resource.name}")


def picture_part(asked: Asked) -> Media:
    """``picture.png``: the sprite as the engine draws it."""
    return _picture(asked)


def thumbnail(asked: Asked) -> Media:
    """``thumbnail.png``: the sprite; a picture that shows nothing where it is broken."""
    try:
        return _picture(asked)
    except FormatError:
        return Media(png.encode(np.zeros((1, 1, 4), np.uint8)), "image/png")


def _picture(asked: Asked) -> Media:
    slot = int(asked.resource.name)

    def make() -> bytes:
        try:
            return png.encode(png.from_image(_document(asked).image(slot)))
        except IndexError as error:
            raise NotThere(str(error)) from None

    return Media(asked.opened.remember(("sprite", slot), make, len), "image/png")


SPRITE = Page(
    show_sprite,
    "ags-sprite.html",
    {"files": generic.file_part, "picture.png": picture_part, "thumbnail.png": thumbnail},
    thumbnails=True,
)
