"""The pages of what is in game data: characters, views, items, cursors, audio clips, fonts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar, cast

import msgspec
import numpy as np

from overhaul.ags import drawing
from overhaul.ags.documents.game import GameDocument
from overhaul.ags.game import uniform
from overhaul.document.protocol import Resource
from overhaul.media import png
from overhaul.viewer.answers import Asked, Crumb, Media, Page
from overhaul.viewer.opened import NotThere
from overhaul.viewer.pages import generic
from overhaul.viewer.pages.ags import things
from overhaul.viewer.pages.ags.rooms import numbered, sprite_picture
from overhaul.viewer.pages.ags.showing import Player, player
from overhaul.viewer.pages.sounds import waveform_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from overhaul.ags.game.things import Frame, Loop
    from overhaul.document.protocol import Document
    from overhaul.viewer.opened import Opened

P = TypeVar("P", bound=msgspec.Struct)
#: The views of a character: the field, and what it is for.
_VIEWS: Final = {
    "normal_view": "walks",
    "talk_view": "talks",
    "idle_view": "stands about",
    "think_view": "thinks",
    "blink_view": "blinks",
}
_SAMPLE: Final = "The quick brown fox jumps over the lazy dog. 0123456789"
_LONGEST: Final = 400
_SOUNDS: Final = {".ogg": "audio/ogg", ".mp3": "audio/mpeg", ".wav": "audio/wav"}


class Thing(generic.ResourcePage, frozen=True):
    """A thing of a game: its ``number``, the functions that its events run, its other fields.

    ``no_sprites`` says why pictures are missing.
    """

    number: int
    script_name: str
    functions: list[Crumb]
    no_sprites: str


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


class ViewPage(Thing, frozen=True):
    """A view, and the characters that have it."""

    loops: list[LoopShown]
    users: list[Crumb]


class CharacterPage(Thing, frozen=True):
    """A character: where it is at first, what it has, and how it looks; colours are as in CSS."""

    full_name: str
    room: Crumb | None
    place: tuple[int, int]
    is_player: bool
    colour: str
    items: list[Crumb]
    views: list[ViewShown]


class Pointed(msgspec.Struct, frozen=True):
    """A picture with the place that points, in its pixels."""

    title: str
    sprite: int
    href: str
    page: str
    width: int
    height: int
    zoom: int
    x: int
    y: int


class PicturePage(Thing, frozen=True):
    """An inventory item or a cursor."""

    pictures: list[Pointed]
    view: Crumb | None


class ClipPage(Thing, frozen=True):
    """An audio clip; ``audio`` is the address of its bytes, empty where they are not beside it."""

    file_name: str
    where: str
    audio: str
    waveform: str


class FontPage(Thing, frozen=True):
    """A font of a size with a text set in it; ``own``: in the game's letters."""

    pixels: int
    text: str
    picture: str
    own: bool


def document_of(asked: Asked) -> GameDocument:
    """The game data of a request."""
    return cast("GameDocument", asked.opened.document)


def thing(asked: Asked, page: type[P], path: str, kind: str, number: int, **more: object) -> P:
    """The page of a thing: what all of them have, and more."""
    opened, entry = asked.opened, asked.resource
    row = things.row_at(opened, path, kind, number)
    return page(
        kind=entry.kind,
        name=entry.name,
        path=entry.path,
        size=entry.size,
        fields=things.details(row),
        files=[],
        more=0,
        inside="",
        record="",
        number=number,
        script_name=things.text_at(row, "script_name"),
        functions=things.handlers(opened, row),
        no_sprites=document_of(asked).art.problem,
        **more,
    )


# ------------------------------------------------------------------------------------------ views


def show_view(asked: Asked) -> ViewPage:
    """The page of a view."""
    opened, number = asked.opened, asked.resource.position
    people = uniform.characters(document_of(asked).game)
    users = [
        link
        for at, each in enumerate(people)
        if number in [getattr(each, name, -1) for name in _VIEWS]
        for link in (things.nth_link(opened, "character", at),)
        if link is not None
    ]
    loops = _loops(asked, number)
    return thing(asked, ViewPage, "views.json", "views", -1, loops=loops, users=users)


def _loops(asked: Asked, number: int, delay: int = 5, most: int = 64) -> list[LoopShown]:
    """The loops of a view; ``delay`` is that of their animation."""
    document, opened = document_of(asked), asked.opened
    every, entry = uniform.views(document.game), things.nth(opened, "view", number)
    if entry is None or not 0 <= number < len(every):
        return []
    found = []
    for at, loop in enumerate(every[number].loops[:most]):
        known = [n for n, frame in enumerate(loop.frames) if document.art.size(frame.picture)]
        shown = None
        if known:
            shown = player(
                [opened.href(entry, "frames", str(at), f"{n}.png") for n in known],
                drawing.canvas_of(loop, document.art),
                [round(1000 * uniform.seconds(loop.frames[n], delay)) for n in known],
                [_about(loop.frames[n]) for n in known],
                shown=160,
            )
        found.append(LoopShown(at, len(loop.frames), bool(loop.flags & 1), shown))
    return found


def _about(frame: Frame) -> str:
    words = [f"sprite {frame.picture}", f"speed {frame.speed}"]
    if frame.flags & 1:
        words.append("flipped")
    if frame.sound > 0:
        words.append(f"sound {frame.sound}")
    return ", ".join(words)


def frame_part(asked: Asked) -> Media:
    """``frames/LOOP/FRAME.png``."""
    parts = asked.rest.removesuffix(".png").split("/")[1:]
    if len(parts) != 2 or not all(p.isascii() and p.isdigit() and len(p) < 6 for p in parts):
        raise NotThere(f"{asked.resource.name} has no {asked.rest}")
    loop, frame = map(int, parts)
    loops = _view(asked)
    if loop >= len(loops) or frame >= len(loops[loop].frames):
        raise NotThere(f"{asked.resource.name} has no {asked.rest}")
    return _frame(asked, loops[loop], frame, (asked.resource.position, loop, frame))


def _view(asked: Asked) -> list[Loop]:
    every = uniform.views(document_of(asked).game)
    number = asked.resource.position
    return every[number].loops if number < len(every) else []


def _frame(asked: Asked, loop: Loop, number: int, key: tuple[int, int, int]) -> Media:
    art = document_of(asked).art

    def make() -> bytes:
        image = drawing.frame_image(loop.frames[number], drawing.canvas_of(loop, art), art)
        if image is None:
            raise NotThere(f"there is no sprite {loop.frames[number].picture}")
        return png.encode(png.from_image(image))

    return Media(asked.opened.remember(("frame", key), make, len), "image/png")


def view_thumbnail(asked: Asked) -> Media:
    """``thumbnail.png``: the first frame whose sprite is known."""
    for at, loop in enumerate(_view(asked)):
        for number, frame in enumerate(loop.frames):
            if document_of(asked).art.size(frame.picture):
                try:
                    return _frame(asked, loop, number, (asked.resource.position, at, number))
                except NotThere:  # a sprite that is broken
                    return _nothing()
    return _nothing()


def pictured(document: Document) -> bool:
    """Whether the sprites of a game stand beside it."""
    return isinstance(document, GameDocument) and document.art.sprites is not None


def _nothing() -> Media:
    return Media(png.encode(np.zeros((1, 1, 4), np.uint8)), "image/png")


# ------------------------------------------------------------------------------------- characters


def show_character(asked: Asked) -> CharacterPage:
    """The page of a character."""
    opened, number, document = asked.opened, asked.resource.position, document_of(asked)
    people = uniform.characters(document.game)
    if number >= len(people):
        raise NotThere(f"there is no character {number}")
    person = people[number]
    colour = getattr(person, "talk_colour", None)
    rgb = None if colour is None else drawing.colour_of(document.game, colour, document.art.palette)
    # How many of each item it has at first, by the item's number.
    items = [at - 1 for at, count in enumerate(person.inventory) if count and at]
    delay = person.animation_delay
    views = [
        ViewShown(
            use,
            things.nth_link(opened, "view", view),
            _loops(asked, view, delay if name == "normal_view" else 5, 8),
        )
        for name, use in _VIEWS.items()
        for view in (getattr(person, name, -1),)
        if view >= 0 and (name == "normal_view" or things.nth(opened, "view", view) is not None)
    ]
    return thing(
        asked,
        CharacterPage,
        "characters.json",
        "characters",
        number,
        full_name=document.shown(person.name),
        room=_room(opened, person.room),
        place=(person.x, person.y),
        is_player=_player(document) == number,
        colour="" if rgb is None else "#{:02x}{:02x}{:02x}".format(*rgb),
        items=[each for at in items if (each := things.nth_link(opened, "inventory", at))],
        views=views,
    )


def _player(document: GameDocument) -> int:
    game = document.game
    if game.old is not None:
        return game.old.player_character
    return -1 if game.settings is None else game.settings.player_character


def _room(opened: Opened, number: int) -> Crumb | None:
    if number < 0:
        return None
    href = things.beside_href(opened, f"room{number}.crm", "rooms", "room")
    return Crumb(f"room {number}", href)


def character_thumbnail(asked: Asked) -> Media:
    """``thumbnail.png``: the first frame of the view that it walks with."""
    document = document_of(asked)
    people, every = uniform.characters(document.game), uniform.views(document.game)
    number = asked.resource.position
    view = people[number].normal_view if number < len(people) else -1
    for loop in every[view].loops if 0 <= view < len(every) else ():
        for at, frame in enumerate(loop.frames):
            if document.art.size(frame.picture) and document.art.sprite(frame.picture) is not None:
                return _frame(asked, loop, at, (view, -1, at))
    return _nothing()


# -------------------------------------------------------------------------------- items, cursors


def show_item(asked: Asked) -> PicturePage:
    """The page of an inventory item; item 0 is never used, so the first is item 1."""
    number = asked.resource.position + 1
    items = uniform.inventory(document_of(asked).game)
    pictures = []
    if number < len(items):
        item = items[number]
        pictures = [_pointed(asked, "In the inventory", item.picture, None)]
        if item.cursor_picture != item.picture or item.hot_x or item.hot_y:
            hot = (item.hot_x, item.hot_y)
            pictures.append(_pointed(asked, "As the cursor", item.cursor_picture, hot))
    known = [each for each in pictures if each.href]
    return thing(
        asked, PicturePage, "inventory.json", "inventory", number, pictures=known, view=None
    )


def show_cursor(asked: Asked) -> PicturePage:
    """The page of a cursor."""
    number = asked.resource.position
    every = uniform.cursors(document_of(asked).game)
    pictures, view = [], None
    if number < len(every):
        each = every[number]
        pictures = [_pointed(asked, "Cursor", each.picture, (each.hot_x, each.hot_y))]
        view = things.nth_link(asked.opened, "view", each.view)
    known = [each for each in pictures if each.href]
    return thing(asked, PicturePage, "cursors.json", "cursors", number, pictures=known, view=view)


def _pointed(asked: Asked, title: str, sprite: int, hot: tuple[int, int] | None) -> Pointed:
    opened = asked.opened
    size = document_of(asked).art.size(sprite)
    width, height = size or (1, 1)
    return Pointed(
        title,
        sprite,
        opened.href(asked.resource, "sprites", f"{sprite}.png") if size else "",
        things.beside_href(opened, "acsprset.spr", "sprites", str(sprite)),
        width,
        height,
        max(1, min(8, 160 // max(width, height, 1))),
        *(hot or (-1, -1)),
    )


def sprite_part(asked: Asked) -> Media:
    """``sprites/12.png``: a sprite of the game."""
    return sprite_picture(asked.opened, document_of(asked).art, numbered(asked))


def item_thumbnail(asked: Asked) -> Media:
    """``thumbnail.png`` of an inventory item."""
    items, at = uniform.inventory(document_of(asked).game), asked.resource.position + 1
    return _sprite_or_nothing(asked, [each.picture for each in items[at : at + 1]])


def cursor_thumbnail(asked: Asked) -> Media:
    """``thumbnail.png`` of a cursor."""
    every, at = uniform.cursors(document_of(asked).game), asked.resource.position
    return _sprite_or_nothing(asked, [each.picture for each in every[at : at + 1]])


def _sprite_or_nothing(asked: Asked, sprites: Sequence[int]) -> Media:
    art = document_of(asked).art
    if not sprites or art.size(sprites[0]) is None or art.sprite(sprites[0]) is None:
        return _nothing()
    return sprite_picture(asked.opened, art, sprites[0])


# ----------------------------------------------------------------------------------- audio clips


def show_clip(asked: Asked) -> ClipPage:
    """The page of an audio clip."""
    opened, entry, number = asked.opened, asked.resource, asked.resource.position
    name, bundling = _clip(asked)
    data = document_of(asked).art.read(name) if name else None
    ending = name[name.rfind(".") :].lower()
    return thing(
        asked,
        ClipPage,
        "audio.json",
        "audio_clips",
        number,
        file_name=name,
        where="the package of the game" if bundling == 1 else "audio.vox",
        audio="" if data is None or ending not in _SOUNDS else opened.href(entry, f"sound{ending}"),
        waveform="" if data is None else waveform_of(opened, entry, data),
    )


def _clip(asked: Asked) -> tuple[str, int]:
    """The file of a clip, and where it is."""
    content = document_of(asked).game.content
    number = asked.resource.position
    if content is None or number >= len(content.audio_clips):
        return "", 0
    clip = content.audio_clips[number]
    return document_of(asked).shown(clip.file_name), clip.bundling


def sound_part(asked: Asked) -> Media:
    """``sound.ogg``: the bytes of the clip's file."""
    name, _ = _clip(asked)
    data = document_of(asked).art.read(name) if name else None
    ending = name[name.rfind(".") :].lower()
    if data is None or asked.rest != f"sound{ending}":
        raise NotThere(f"{asked.resource.name} has no {asked.rest}")
    return Media(data, _SOUNDS[ending])


# ------------------------------------------------------------------------------------------ fonts


def more_of_game(document: Document) -> Iterable[Resource]:
    """The fonts of a game, and what stands in files of their own."""
    if not isinstance(document, GameDocument) or document.game.content is None:
        return
    content = document.game.content
    for number in range(max(len(content.fonts), len(content.font_flags))):
        yield Resource("font", str(number), "game.json")
    if content.property_schema.definitions or content.property_schema.old_definitions:
        yield Resource("custom properties", "properties", "properties.json")
    if content.messages or content.dictionary:
        yield Resource("texts", "messages", "texts.json")


def show_font(asked: Asked) -> FontPage:
    """The page of a font."""
    document, number = document_of(asked), asked.resource.position
    text = asked.query.get("text", "")[:_LONGEST] or _SAMPLE
    size = drawing.font_size(document.game, number)
    font = drawing.game_font(document.game, number, document.art, document.encoding)
    return thing(
        asked,
        FontPage,
        "game.json",
        "fonts",
        number,
        pixels=size,
        text=text,
        picture=asked.opened.href(asked.resource, "text.png"),
        own=font.own,
    )


def text_part(asked: Asked) -> Media:
    """``text.png?text=…``: a text in the font."""
    document, number = document_of(asked), asked.resource.position
    text = asked.query.get("text", "")[:_LONGEST] or _SAMPLE

    def make() -> bytes:
        font = drawing.game_font(document.game, number, document.art, document.encoding)
        return png.encode(png.from_image(drawing.text_image(font, text)))

    return Media(asked.opened.remember(("font", number, text), make, len), "image/png")


VIEW = Page(
    show_view,
    "ags-view.html",
    {"files": generic.file_part, "frames": frame_part, "thumbnail.png": view_thumbnail},
    thumbnails=True,
    pictured=pictured,
)
CHARACTER = Page(
    show_character,
    "ags-character.html",
    {"files": generic.file_part, "thumbnail.png": character_thumbnail},
    thumbnails=True,
    pictured=pictured,
)
ITEM = Page(
    show_item,
    "ags-picture.html",
    {"files": generic.file_part, "sprites": sprite_part, "thumbnail.png": item_thumbnail},
    thumbnails=True,
    pictured=pictured,
)
CURSOR = Page(
    show_cursor,
    "ags-picture.html",
    {"files": generic.file_part, "sprites": sprite_part, "thumbnail.png": cursor_thumbnail},
    thumbnails=True,
    pictured=pictured,
)
CLIP = Page(
    show_clip,
    "ags-clip.html",
    {"files": generic.file_part, **{f"sound{ending}": sound_part for ending in _SOUNDS}},
)
FONT = Page(show_font, "ags-font.html", {"files": generic.file_part, "text.png": text_part})
