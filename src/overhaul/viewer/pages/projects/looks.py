"""What is looked at and listened to in projects: backgrounds, rooms, sounds, fonts, information."""

from __future__ import annotations

from itertools import islice, product
from typing import TYPE_CHECKING

import msgspec
from PIL.Image import new as new_image

from overhaul.viewer.answers import Asked, Crumb, Media, Page
from overhaul.viewer.pages import backgrounds, generic, rooms, sounds
from overhaul.viewer.pages.code import Line
from overhaul.viewer.pages.games import (
    Fact,
    facts,
    picture_part,
    project_of,
    project_resource_of,
)
from overhaul.viewer.pages.projects.code import marked

if TYPE_CHECKING:
    from PIL.Image import Image

    from overhaul.gamemaker.classic.surface.pictures import Background
    from overhaul.gamemaker.classic.surface.rooms import Room

#: pieces of creation code on a page
_CODES = 200
SAMPLE = "The quick brown fox jumps over the lazy dog. 0123456789"


# ------------------------------------------------------------------------------- backgrounds


def background_of(asked: Asked) -> Background:
    """The background of a request."""
    return project_resource_of(asked, lambda project: project.backgrounds)


def show_background(asked: Asked) -> backgrounds.BackgroundPage:
    """The page of a background."""
    it = background_of(asked)
    columns, rows = it.tile_columns, it.tile_rows
    places = islice(product(rows, columns), backgrounds.TILES)
    cells = [backgrounds.TileCell(n, left, top) for n, (top, left) in enumerate(places)]
    tile = (it.tile_width, it.tile_height) if cells else (0, 0)
    return backgrounds.page_of(asked, it, tile, len(columns) * len(rows), cells)


def _thumbnail(asked: Asked) -> Image:
    """Its picture; one that shows nothing where it has none: lists show it."""
    return background_of(asked).image or new_image("RGBA", (1, 1))


_PICTURE = picture_part(lambda asked: background_of(asked).image)
_SMALL = picture_part(_thumbnail)
BACKGROUND = Page(
    show_background,
    "background.html",
    {
        "files": generic.file_part,
        "picture.png": _PICTURE,
        "thumbnail.png": picture_part(_thumbnail),
    },
    thumbnails=True,
)


# ------------------------------------------------------------------------------------- rooms


class CodeShown(msgspec.Struct, frozen=True):
    """A piece of code; ``anchor`` stands before the numbers of its lines."""

    title: str
    anchor: str
    lines: list[Line]


class RoomPage(rooms.RoomPage, frozen=True):
    """A room, with its creation code and that of its instances."""

    codes: list[CodeShown]


def show_room(asked: Asked) -> RoomPage:
    """The page of a room."""
    opened = asked.opened
    room: Room = project_resource_of(asked, lambda project: project.rooms)
    codes = [CodeShown("Creation code", "creation.gml", marked(opened, room.creation_code))]
    boxes = []
    for each in islice(room.instances, rooms.INSTANCES):
        code = None
        if each.creation_code.strip():
            name = f"instance_{each.id}.gml"
            code = Crumb("code", f"#{name}" if len(codes) < _CODES else "")
            if code.href:
                lines = marked(opened, each.creation_code)
                codes.append(CodeShown(f"Instance {each.id}", name, lines))
        boxes.append(rooms.box_of(opened, each, code, ""))
    if not room.creation_code.strip():
        del codes[0]
    colour = room.record.background_colour
    shown = f"#{colour & 255:02x}{colour >> 8 & 255:02x}{colour >> 16 & 255:02x}"
    drawn = bool(room.record.draw_background_colour & 1)
    about = [
        *facts(opened, room, "speed", "persistent", "caption"),
        Fact("background colour", shown if drawn else "none", "", shown if drawn else ""),
    ]
    page = rooms.page_of(asked, room, boxes, about, None)
    return RoomPage(**msgspec.structs.asdict(page), codes=codes)


ROOM = Page(show_room, "project-room.html", rooms.ROOM.parts, thumbnails=True)


# ------------------------------------------------------------------------------------ sounds


def show_sound(asked: Asked) -> sounds.SoundPage:
    """The page of a sound."""
    sound = project_resource_of(asked, lambda project: project.sounds)
    record = sound.record
    about = [Fact("file name", record.file_name)] if record.file_name else []
    if record.version >= 600:
        about += [Fact("volume", f"{record.volume:g}"), Fact("pan", f"{record.pan:g}")]
    return sounds.page_of(asked, sound.bytes, about)


def sound_part(asked: Asked) -> Media:
    """``sound.wav``: the bytes as the project has them."""
    sound = project_resource_of(asked, lambda project: project.sounds)
    return sounds.media_of(asked, sound.bytes)


SOUND = Page(
    show_sound,
    "sound.html",
    {"files": generic.file_part, **{f"sound.{ending}": sound_part for ending in sounds.TYPES}},
)


# ------------------------------------------------------------------------------------- fonts


class FontPage(generic.ResourcePage, frozen=True):
    """A font of the author's system; ``text`` is set in what this system has of it."""

    face: str
    points: int
    bold: bool
    italic: bool
    first: int
    last: int
    text: str


def show_font(asked: Asked) -> FontPage:
    """The page of a font; ``?text=`` is set in it."""
    font = project_resource_of(asked, lambda project: project.fonts)
    characters = font.characters
    return FontPage(
        **msgspec.structs.asdict(generic.base(asked)),
        face=font.face,
        points=font.size,
        bold=font.bold,
        italic=font.italic,
        first=characters.start,
        last=characters.stop - 1,
        text=asked.query.get("text", "").strip()[:200] or SAMPLE,
    )


FONT = Page(show_font, "project-font.html", {"files": generic.file_part})


# ------------------------------------------------------------------------------- information


class InformationPage(generic.ResourcePage, frozen=True):
    """What F1 shows to players."""

    text: str


def show_information(asked: Asked) -> InformationPage:
    """The page of the game information."""
    return InformationPage(
        **msgspec.structs.asdict(generic.base(asked, "text", "other")),
        text=project_of(asked.opened).information,
    )


INFORMATION = Page(show_information, "project-information.html", {"files": generic.file_part})
