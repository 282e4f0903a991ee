"""Adventure Game Studio's characters, views, inventory items and cursors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from overhaul.ags.surface.people import (
    Character,
    Cursor,
    InventoryItem,
    Loop,
    Pointed,
    View,
    ViewFrame,
)
from overhaul.document.protocol import Document
from overhaul.document.refs import Ref
from overhaul.errors import FormatError
from overhaul.media import png
from overhaul.viewer.answers import Asked, Crumb, Media, Page
from overhaul.viewer.opened import ListedResource, NotThere, Opened
from overhaul.viewer.pages import generic
from overhaul.viewer.pages.ags.areas import picture_of
from overhaul.viewer.pages.page_parts import entry_of, file_href, link, numbered, view_of
from overhaul.viewer.thumbnails import nothing

#: a picture is shown at least so large, in pixels, at a whole number of times its size
_SHOWN, _MOST = 160, 8
#: loops and characters' loops that a page shows, and the delay of an animation that has none
_LOOPS, _FEW, _DELAY = 64, 8, 5


class NumberedPage(generic.ResourcePage, frozen=True):
    """A resource of a game: its ``number``; ``no_sprites`` says why pictures are missing."""

    number: int
    no_sprites: str


class Shot(msgspec.Struct, frozen=True):
    """A frame: the address of its picture, how long it is seen, and what else is known of it."""

    href: str
    milliseconds: int
    about: str = ""


class Player(msgspec.Struct, frozen=True):
    """Frames of one size, in pixels, shown ``zoom`` times as large."""

    frames: list[Shot]
    width: int
    height: int
    zoom: int


class LoopShown(msgspec.Struct, frozen=True):
    """A loop of a view; ``goes_on``: the next loop follows it."""

    number: int
    frames: int
    goes_on: bool
    player: Player | None


class ViewShown(msgspec.Struct, frozen=True):
    """A view of a character: what it is for, and its loops."""

    use: str
    link: Crumb | None
    loops: list[LoopShown]


class ViewPage(NumberedPage, frozen=True):
    """A view, and the characters that have it."""

    loops: list[LoopShown]
    users: list[Crumb]


class CharacterPage(NumberedPage, frozen=True):
    """A character: where it is at first, what it has, and its views; colours are as in CSS."""

    full_name: str
    room: Crumb | None
    place: tuple[int, int]
    is_player: bool
    colour: str
    items: list[Crumb]
    views: list[ViewShown]


class PointedShown(msgspec.Struct, frozen=True):
    """A picture with the place that points, in its pixels; -1 where none does."""

    title: str
    sprite: int
    href: str
    page: str
    width: int
    height: int
    zoom: int
    x: int
    y: int


class PicturePage(NumberedPage, frozen=True):
    """An inventory item or a cursor."""

    pictures: list[PointedShown]
    view: Crumb | None


def base(asked: Asked, it: Character | Cursor | InventoryItem | View) -> NumberedPage:
    """The values that the pages of all of them have."""
    shown = msgspec.structs.asdict(generic.base(asked))
    return NumberedPage(**shown, number=it.number, no_sprites=it.no_sprites)


def links(opened: Opened, refs: Sequence[Ref[object]]) -> list[Crumb]:
    """Links to what references lead to, without those that lead to nothing."""
    return [crumb for ref in refs if (crumb := link(opened, ref)) is not None]


# -- views ---------------------------------------------------------------------------------------


def show_view(asked: Asked) -> ViewPage:
    """The page of a view."""
    view = view_of(asked, View)
    loops = _loops(asked.opened, view, asked.resource, _DELAY, _LOOPS)
    return ViewPage(
        **msgspec.structs.asdict(base(asked, view)),
        loops=loops,
        users=links(asked.opened, view.characters),
    )


def _loops(
    opened: Opened, view: View | None, entry: ListedResource | None, delay: int, most: int
) -> list[LoopShown]:
    """The loops of a view; ``delay`` is that of their animation."""
    if view is None or entry is None:
        return []
    return [_loop(opened, loop, entry, delay) for loop in view.loops[:most]]


def _loop(opened: Opened, loop: Loop, entry: ListedResource, delay: int) -> LoopShown:
    frames = loop.frames
    shots = [
        Shot(
            opened.href(entry, "frames", str(loop.number), f"{frame.number}.png"),
            round(1000 * frame.seconds(delay)),
            _about(frame),
        )
        for frame in frames
        if frame.has_picture
    ]
    player = None
    if shots:
        width, height = loop.canvas
        zoom = max(1, min(_MOST, _SHOWN // max(width, height, 1)))
        player = Player(shots, max(1, width), max(1, height), zoom)
    return LoopShown(loop.number, len(frames), loop.goes_on, player)


def _about(frame: ViewFrame) -> str:
    words = [f"sprite {frame.record.picture}", f"speed {frame.record.speed}"]
    if frame.flipped:
        words.append("flipped")
    if frame.record.sound > 0:
        words.append(f"sound {frame.record.sound}")
    return ", ".join(words)


def frame_part(asked: Asked) -> Media:
    """``frames/LOOP/FRAME.png``."""
    parts = asked.rest.removesuffix(".png").split("/")[1:]
    if len(parts) == 2 and all(p.isascii() and p.isdigit() and len(p) < 6 for p in parts):
        number, place = map(int, parts)
        loops = view_of(asked, View).loops
        if number < len(loops) and place < len(loops[number].frames):
            return _frame(asked, loops[number].frames[place])
    raise NotThere(f"{asked.resource.name} has no {asked.rest}")


def _frame(asked: Asked, frame: ViewFrame) -> Media:
    def make() -> bytes:
        image = frame.image
        if image is None:
            raise NotThere(f"there is no sprite {frame.record.picture}")
        return png.encode(png.from_image(image))

    key = ("frame", asked.resource.slug, asked.resource.key, frame.loop.number, frame.number)
    return Media(asked.opened.remember(key, make, len), "image/png")


def _first_frame(asked: Asked, view: View | None) -> Media:
    """The first frame whose sprite is known; a picture that shows nothing without one."""
    for loop in () if view is None else view.loops:
        for frame in loop.frames:
            if frame.has_picture:
                try:
                    return _frame(asked, frame)
                except (NotThere, FormatError):  # a sprite that is broken
                    continue
    return Media(nothing(), "image/png")


def view_thumbnail(asked: Asked) -> Media:
    """``thumbnail.png``: the first frame whose sprite is known."""
    return _first_frame(asked, view_of(asked, View))


def pictured(document: Document) -> bool:
    """Whether the sprites of a game stand next to it."""
    return not getattr(getattr(document, "art", None), "problem", "it has no sprites")


# -- characters ----------------------------------------------------------------------------------


def show_character(asked: Asked) -> CharacterPage:
    """The page of a character."""
    opened, person = asked.opened, view_of(asked, Character)
    views = []
    for use, ref in person.views:
        entry, walks = entry_of(opened, ref), use == "walks"
        if walks or entry is not None:
            delay = person.animation_delay if walks else _DELAY
            loops = _loops(opened, ref.get(), entry, delay, _FEW)
            views.append(ViewShown(use, link(opened, ref), loops))
    return CharacterPage(
        **msgspec.structs.asdict(base(asked, person)),
        full_name=person.full_name,
        room=None if person.room is None else link(opened, person.room),
        place=person.position,
        is_player=person.is_player,
        colour=person.colour,
        items=links(opened, person.items),
        views=views,
    )


def character_thumbnail(asked: Asked) -> Media:
    """``thumbnail.png``: the first frame of the view that it walks with."""
    walks = [ref.get() for use, ref in view_of(asked, Character).views if use == "walks"]
    return _first_frame(asked, walks[0] if walks else None)


# -- items, cursors ------------------------------------------------------------------------------


def show_pictures(asked: Asked) -> PicturePage:
    """The page of an inventory item or a cursor."""
    it = _pointing(asked)
    pictures = [_pointed(asked, picture) for picture in it.pictures]
    return PicturePage(
        **msgspec.structs.asdict(base(asked, it)),
        pictures=[picture for picture in pictures if picture.href],
        view=None if it.view is None else link(asked.opened, it.view),
    )


def _pointing(asked: Asked) -> InventoryItem | Cursor:
    view = asked.view
    if not isinstance(view, InventoryItem | Cursor):
        raise asked.nothing()
    return view


def _pointed(asked: Asked, picture: Pointed) -> PointedShown:
    opened, sprite = asked.opened, picture.sprite.get()
    number = picture.sprite.id
    width, height = (1, 1) if sprite is None else (sprite.width, sprite.height)
    return PointedShown(
        picture.title,
        number,
        "" if sprite is None else opened.href(asked.resource, "sprites", f"{number}.png"),
        file_href(opened, picture.sprite),
        width,
        height,
        max(1, min(_MOST, _SHOWN // max(width, height, 1))),
        *(picture.place or (-1, -1)),
    )


def sprite_part(asked: Asked) -> Media:
    """``sprites/12.png``: a sprite of the game."""
    number, it = numbered(asked), _pointing(asked)
    return picture_of(asked.opened, number, lambda: it.sprite_image(number))


def picture_thumbnail(asked: Asked) -> Media:
    """``thumbnail.png``: the first picture."""
    it = _pointing(asked)
    number = it.pictures[0].sprite.id
    if it.sprite_image(number) is None:
        return Media(nothing(), "image/png")
    return picture_of(asked.opened, number, lambda: it.sprite_image(number))


VIEW: Final = Page(
    show_view,
    "ags-view.html",
    {"files": generic.file_part, "frames": frame_part, "thumbnail.png": view_thumbnail},
    thumbnails=True,
    pictured=pictured,
)
CHARACTER: Final = Page(
    show_character,
    "ags-character.html",
    {"files": generic.file_part, "thumbnail.png": character_thumbnail},
    thumbnails=True,
    pictured=pictured,
)
PICTURES: Final = Page(
    show_pictures,
    "ags-picture.html",
    {"files": generic.file_part, "sprites": sprite_part, "thumbnail.png": picture_thumbnail},
    thumbnails=True,
    pictured=pictured,
)
