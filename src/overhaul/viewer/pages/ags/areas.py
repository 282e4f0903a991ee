"""The page of a room whose areas are masks: backgrounds, with areas, objects and edges over them.

Only Adventure Game Studio has such rooms; the page of other rooms is in
:mod:`overhaul.viewer.pages.rooms`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

import msgspec
from PIL.Image import Image

from overhaul.ags.events import (
    HOTSPOT_EVENTS,
    OBJECT_EVENTS,
    REGION_EVENTS,
    ROOM_EVENTS,
)
from overhaul.ags.surface.room_parts import Area, Areas, RoomObject
from overhaul.ags.surface.rooms import AREA_KINDS, PLAIN_LISTS, Room
from overhaul.errors import FormatError
from overhaul.folder.json_fields import read_json
from overhaul.media import png
from overhaul.viewer.answers import Asked, Crumb, Media, Page
from overhaul.viewer.opened import NotThere
from overhaul.viewer.pages import generic, rooms
from overhaul.viewer.pages.forms import form_of_entry
from overhaul.viewer.pages.generic import is_fields
from overhaul.viewer.pages.page_parts import file_href, function_link, numbered
from overhaul.viewer.thumbnails import nothing

if TYPE_CHECKING:
    from overhaul.viewer.opened import ListedResource, Opened


class Does(msgspec.Struct, frozen=True):
    """An event of a part of a room, as people call it, and the function that it runs; none of a
    game in which events run commands."""

    event: str
    function: Crumb | None


class AreaRow(msgspec.Struct, frozen=True):
    """An area: ``shape`` is the data of an SVG path in pixels of the room, ``colour`` as in CSS.

    ``baseline`` is that of a walk-behind, in pixels.
    """

    id: str
    number: int
    name: str
    script_name: str
    colour: str
    pixels: int
    shape: str
    left: int
    right: int
    baseline: int | None
    functions: list[Crumb]
    details: dict[str, object]
    does: list[Does] = []


class Overlay(msgspec.Struct, frozen=True):
    """The areas of a kind; ``count`` of them are in the file, with pixels or without."""

    key: str
    title: str
    about: str
    areas: list[AreaRow]
    count: int


class ObjectRow(msgspec.Struct, frozen=True):
    """An object: its rectangle in pixels of the room, the address of its sprite's picture, and of
    that sprite's page."""

    id: str
    number: int
    name: str
    script_name: str
    sprite: int
    picture: str
    page: str
    left: int
    top: int
    width: int
    height: int
    visible: bool
    functions: list[Crumb]
    details: dict[str, object]
    does: list[Does] = []


class RoomPage(generic.ResourcePage, frozen=True):
    """A room; sizes are in pixels, ``fps`` in backgrounds a second; 0 where nothing moves.

    ``properties`` are the custom ones of the room itself, by name.

    ``does`` are its events, ``edit`` is where its fields are edited, "" where they can't be.
    ``problem`` says why the room can't be drawn, ``no_sprites`` why objects are boxes.
    """

    width: int
    height: int
    bits: int
    backgrounds: list[str]
    fps: float
    overlays: list[Overlay]
    objects: list[ObjectRow]
    edges: dict[str, int]
    properties: dict[str, str]
    messages: list[str]
    problem: str
    no_sprites: str
    does: list[Does] = []
    edit: str = ""


def show_room(asked: Asked) -> RoomPage:
    """The page of a room."""
    opened, entry, room = asked.opened, asked.resource, room_of(asked)
    problem, overlays = room.problem, []
    events = _Events(opened, entry)
    for kind in AREA_KINDS:
        try:
            overlays.append(_overlay(opened, room, kind, events))
        except FormatError as error:
            problem = problem or str(error)
    try:
        room.background_image(0)
        count = room.background_count
    except (FormatError, IndexError):
        count = 0
    return RoomPage(
        **msgspec.structs.asdict(generic.base(asked)),
        width=room.width,
        height=room.height,
        bits=room.bits,
        backgrounds=[opened.href(entry, "backgrounds", f"{n}.png") for n in range(count)],
        fps=room.background_speed,
        overlays=overlays,
        objects=[_object(asked, it, events) for it in room.objects],
        edges=room.edges,
        properties=room.properties,
        messages=room.messages,
        problem=problem,
        no_sprites=room.no_sprites,
        does=events.of_room(),
        edit=form_of_entry(opened, entry),
    )


class _Events:
    """The events in the plain file of a room, by the lists that its parts are in."""

    def __init__(self, opened: Opened, entry: ListedResource) -> None:
        self._opened = opened
        file = next((file for file in opened.files_of(entry) if is_fields(entry, file)), None)
        value = None if file is None else read_json(file.read(), file.path)
        self._room: dict[str, object] = value if isinstance(value, dict) else {}

    def of_room(self) -> list[Does]:
        """The areas of the room itself."""
        return self._does(self._room, ROOM_EVENTS)

    def of(self, kind: str, number: int) -> list[Does]:
        """The areas of a part, by the kind of its list and its number."""
        rows = self._room.get(PLAIN_LISTS[kind])
        row = rows[number] if isinstance(rows, list) and number < len(rows) else None
        return self._does(row, _BY_KIND.get(kind, ()))

    def _does(self, row: object, names: Sequence[str]) -> list[Does]:
        """The events of a row; a list has them by their numbers."""
        events = row.get("Interactions") if isinstance(row, dict) else None
        if isinstance(events, list):
            known = [*names, *map(str, range(len(names), len(events)))]
            events = dict(zip(known, events, strict=False))
        if not isinstance(events, dict):
            return []
        return [Does(event_title(name), self._link(run)) for name, run in events.items() if run]

    def _link(self, run: object) -> Crumb | None:
        return function_link(self._opened, run) if isinstance(run, str) else None


_BY_KIND: Final = {
    "hotspots": HOTSPOT_EVENTS, "objects": OBJECT_EVENTS, "regions": REGION_EVENTS,
}  # fmt: skip
#: what people call events whose names do not say it
_TITLES: Final = {
    "Look": "Look at", "Talk": "Talk to", "UseInv": "Use an item", "PickUp": "Pick up",
    "WalkOn": "Walk onto", "StandOn": "Stand on",
}  # fmt: skip
_CAPITALS: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")


def event_title(name: str) -> str:
    """The name of an event for people: ``WalksOff`` is "Walks off"."""
    first, *others = _CAPITALS.sub(" ", name).split(" ")
    if name.isdecimal():
        return f"Event {name}"
    return _TITLES.get(name) or " ".join([first, *(word.lower() for word in others)])


def room_of(asked: Asked) -> Room:
    """The room of a request.  Raises NotThere."""
    room = asked.view
    if not isinstance(room, Room):
        raise asked.nothing()
    return room


def _overlay(opened: Opened, room: Room, kind: str, events: _Events) -> Overlay:
    areas: Areas = room.areas(
        kind,
        lambda find: opened.remember(("areas", kind), find, lambda made: 1000 + 40000 * len(made)),
    )
    rows = [_area(opened, area, events) for area in areas.drawn]
    return Overlay(kind, areas.title, areas.about, rows, areas.total)


def _area(opened: Opened, area: Area, events: _Events) -> AreaRow:
    drawn = area.drawn
    assert drawn is not None
    return AreaRow(
        id=f"{area.kind}-{area.number}",
        number=area.number,
        name=area.name,
        script_name=area.script_name,
        colour="#{:02x}{:02x}{:02x}".format(*drawn.colour),
        pixels=drawn.pixels,
        shape="".join(f"M{x} {y}h{w}v{h}h{-w}z" for x, y, w, h in drawn.shape),
        left=drawn.box[0],
        right=drawn.box[2],
        baseline=area.baseline,
        functions=[function_link(opened, name) for name in area.functions],
        details=generic.details(area.fields),
        does=events.of(area.kind, area.number),
    )


def _object(asked: Asked, it: RoomObject, events: _Events) -> ObjectRow:
    opened, entry = asked.opened, asked.resource
    left, top, width, height = it.box
    sprite = it.sprite.id
    return ObjectRow(
        id=f"objects-{it.number}",
        number=it.number,
        name=it.name,
        script_name=it.script_name,
        sprite=sprite,
        picture=opened.href(entry, "sprites", f"{sprite}.png") if it.known else "",
        page=file_href(opened, it.sprite) if it.known else "",
        left=left,
        top=top,
        width=width,
        height=height,
        visible=it.visible,
        functions=[function_link(opened, name) for name in it.functions],
        details=generic.details(it.fields, "sprite", "x", "y", "on"),
        does=events.of("objects", it.number),
    )


# ------------------------------------------------------------------------------- its pictures


def background_part(asked: Asked) -> Media:
    """``backgrounds/0.png``."""
    room, number = room_of(asked), numbered(asked)

    def make() -> bytes:
        try:
            image = room.background_image(number)
        except IndexError as error:
            raise NotThere(str(error)) from None
        return png.encode(png.from_image(image))

    return Media(asked.opened.remember(("background", number), make, len), "image/png")


def picture_part(asked: Asked) -> Media:
    """``picture.png?overlays=hotspots-objects``: the room with these over it."""
    room = room_of(asked)
    number = asked.number("background")
    chosen = tuple(filter(None, asked.query.get("overlays", "").split("-")))

    def make() -> bytes:
        try:
            image = room.overlaid(number, chosen)
        except FormatError:
            raise
        except (IndexError, ValueError) as error:
            raise NotThere(str(error)) from None
        return png.encode(png.from_image(image))

    return Media(asked.opened.remember(("picture", number, chosen), make, len), "image/png")


def sprite_part(asked: Asked) -> Media:
    """``sprites/12.png``: a sprite of the game, as an object shows it."""
    room, number = room_of(asked), numbered(asked)
    return picture_of(asked.opened, number, partial(room.sprite_image, number), "room")


def picture_of(
    opened: Opened, number: int, image_of: Callable[[], Image | None], where: str = ""
) -> Media:
    """A sprite that stands next to a file; kept.  Raises NotThere."""

    def make() -> bytes:
        image = image_of()
        if image is None:
            raise NotThere(f"there is no sprite {number}")
        return png.encode(png.from_image(image))

    return Media(opened.remember(("sprite", number, where), make, len), "image/png")


def front_part(asked: Asked) -> Media:
    """``front.png``: the first background; a picture that shows nothing where it is broken."""
    return _first(asked, None)


def thumbnail(asked: Asked) -> Media:
    """``thumbnail.png``: the first background, made smaller."""
    return _first(asked, rooms.THUMBNAIL)


def _first(asked: Asked, side: int | None) -> Media:
    def make() -> bytes:
        try:
            image = room_of(asked).background
        except (FormatError, IndexError):
            return nothing()
        if side:
            image.thumbnail((side, side))
        return png.encode(png.from_image(image))

    return Media(asked.opened.remember(("first", side), make, len), "image/png")


ROOM = Page(
    show_room,
    "ags-room.html",
    {
        "files": generic.file_part,
        "backgrounds": background_part,
        "picture.png": picture_part,
        "sprites": sprite_part,
        "tiles": rooms.tile_part,
        "front.png": front_part,
        "thumbnail.png": thumbnail,
    },
    thumbnails=True,
    front="front.png",
)
