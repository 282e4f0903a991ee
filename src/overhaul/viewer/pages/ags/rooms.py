"""The page of a room: its backgrounds, and the areas, objects and edges over them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

import msgspec
import numpy as np

from overhaul.ags import drawing
from overhaul.errors import FormatError
from overhaul.media import png
from overhaul.viewer.answers import Asked, Crumb, Media, Page
from overhaul.viewer.opened import NotThere
from overhaul.viewer.pages import generic
from overhaul.viewer.pages.ags import things

if TYPE_CHECKING:
    from overhaul.ags.documents.room import RoomDocument
    from overhaul.ags.drawing import Area, Placed
    from overhaul.viewer.opened import Opened

#: the side of the picture in lists, in pixels
THUMBNAIL: Final = 160
_TITLES: Final = {
    "hotspots": ("Hotspots", "what can be looked at and used"),
    "regions": ("Regions", "where something happens, or the light is another"),
    "walk_areas": ("Walkable areas", "where characters can go"),
    "walk_behinds": ("Walk-behinds", "what hides those who stand above its baseline"),
}


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


class RoomPage(generic.ResourcePage, frozen=True):
    """A room; sizes are in pixels, ``fps`` in backgrounds a second; 0 where nothing moves.

    ``properties`` are the custom ones of the room itself, by name.

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
    functions: list[Crumb]
    properties: dict[str, str]
    messages: list[str]
    problem: str
    no_sprites: str


def show_room(asked: Asked) -> RoomPage:
    """The page of a room."""
    opened, entry, document = asked.opened, asked.resource, _document(asked)
    fields = things.json_of(opened, entry.path)
    room = document.room
    problem = "" if room.main is not None else "its main block is not understood"
    count, size = drawing.backgrounds(room), drawing.room_size(room)
    try:
        drawing.background_image(room)
    except (FormatError, IndexError) as error:
        count, problem = 0, problem or str(error)
    overlays = []
    for kind in _TITLES:
        try:
            overlays.append(_overlay(opened, document, kind, size, fields))
        except FormatError as error:
            problem = problem or str(error)
    objects = drawing.placed(room, document.art, size)
    return RoomPage(
        **msgspec.structs.asdict(generic.base(asked)),
        width=size[0],
        height=size[1],
        bits=room.depth * 8,
        backgrounds=[opened.href(entry, "backgrounds", f"{n}.png") for n in range(count)],
        fps=drawing.background_speed(room),
        overlays=overlays,
        objects=[_object(asked, each, fields) for each in objects],
        edges=drawing.edges(room, size),
        functions=_room_functions(opened, fields),
        properties=_properties(fields),
        messages=[things.text_at(row, "text") for row in things.rows_of(fields, "messages")],
        problem=problem,
        no_sprites=document.art.problem if objects else "",
    )


def _document(asked: Asked) -> RoomDocument:
    return cast("RoomDocument", asked.opened.document)


def _overlay(
    opened: Opened, document: RoomDocument, kind: str, size: tuple[int, int], fields: object
) -> Overlay:
    room, rows = document.room, things.rows_of(fields, kind)
    found = opened.remember(
        ("areas", kind),
        lambda: drawing.room_areas(room, kind, size),
        lambda made: 1000 + 40000 * len(made),
    )
    lines = drawing.baselines(room, size) if kind == "walk_behinds" else {}
    areas = [
        _area(opened, each, rows[each.number] if each.number < len(rows) else {}, lines)
        for each in found
    ]
    title, about = _TITLES[kind]
    return Overlay(kind, title, about, areas, len(rows))


def _area(opened: Opened, area: Area, row: dict[str, object], baselines: dict[int, int]) -> AreaRow:
    return AreaRow(
        id=f"{area.kind}-{area.number}",
        number=area.number,
        name=things.text_at(row, "name"),
        script_name=things.text_at(row, "script_name"),
        colour="#{:02x}{:02x}{:02x}".format(*area.colour),
        pixels=area.pixels,
        shape="".join(f"M{x} {y}h{w}v{h}h{-w}z" for x, y, w, h in area.shape),
        left=area.box[0],
        right=area.box[2],
        baseline=baselines.get(area.number),
        functions=things.handlers(opened, row),
        details=things.details(row),
    )


def _object(asked: Asked, placed: Placed, fields: object) -> ObjectRow:
    opened, entry = asked.opened, asked.resource
    rows = things.rows_of(fields, "objects")
    row = rows[placed.number] if placed.number < len(rows) else {}
    left, top, width, height = placed.box
    return ObjectRow(
        id=f"objects-{placed.number}",
        number=placed.number,
        name=things.text_at(row, "name"),
        script_name=things.text_at(row, "script_name"),
        sprite=placed.sprite,
        picture=opened.href(entry, "sprites", f"{placed.sprite}.png") if placed.known else "",
        page=things.beside_href(opened, "acsprset.spr", "sprites", str(placed.sprite))
        if placed.known
        else "",
        left=left,
        top=top,
        width=width,
        height=height,
        visible=placed.visible,
        functions=things.handlers(opened, row),
        details=things.details(row, "sprite", "x", "y", "on"),
    )


def _room_functions(opened: Opened, fields: object) -> list[Crumb]:
    """The functions that the events of the room itself run."""
    if not isinstance(fields, dict):
        return []
    blocks = things.rows_of(fields, "blocks")
    found = [block.get("fields") for block in blocks]
    own = [each.get("room_events", each.get("room_handlers")) for each in found
           if isinstance(each, dict)]  # fmt: skip
    return [link for each in own for link in things.handlers(opened, {"events": each})]


def _properties(fields: object) -> dict[str, str]:
    """The custom properties of the room itself."""
    found = {}
    for block in things.rows_of(fields, "blocks"):
        own = block.get("fields")
        sets = own.get("room") if isinstance(own, dict) else None
        for each in (*things.rows_of(sets, "values"), *things.rows_of(sets, "old_values")):
            found[things.text_at(each, "name")] = things.text_at(each, "value")
    return found


# ------------------------------------------------------------------------------- its pictures


def background_part(asked: Asked) -> Media:
    """``backgrounds/0.png``."""
    document, number = _document(asked), numbered(asked)

    def make() -> bytes:
        try:
            image = drawing.background_image(document.room, number)
        except IndexError as error:
            raise NotThere(str(error)) from None
        return png.encode(png.from_image(image))

    return Media(asked.opened.remember(("background", number), make, len), "image/png")


def picture_part(asked: Asked) -> Media:
    """``picture.png?overlays=hotspots-objects``: the room with these over it."""
    document = _document(asked)
    number = asked.number("background")
    chosen = tuple(filter(None, asked.query.get("overlays", "").split("-")))

    def make() -> bytes:
        try:
            image = document.image(number, chosen)
        except FormatError:
            raise
        except (IndexError, ValueError) as error:
            raise NotThere(str(error)) from None
        return png.encode(png.from_image(image))

    return Media(asked.opened.remember(("picture", number, chosen), make, len), "image/png")


def sprite_part(asked: Asked) -> Media:
    """``sprites/12.png``: a sprite of the game, as an object shows it."""
    document, number = _document(asked), numbered(asked)
    try:
        palette = drawing.object_palette(document.room, document.art)
    except FormatError:
        palette = None
    return sprite_picture(asked.opened, document.art, number, palette)


def sprite_picture(
    opened: Opened, art: drawing.Art, number: int, palette: bytes | None = None
) -> Media:
    """A sprite that stands beside a file, in these colours or the game's.  Raises NotThere."""

    def make() -> bytes:
        image = art.sprite(number, palette)
        if image is None:
            raise NotThere(f"there is no sprite {number}")
        return png.encode(png.from_image(image))

    return Media(opened.remember(("sprite", number, palette), make, len), "image/png")


def numbered(asked: Asked) -> int:
    """The number in an address such as ``backgrounds/3.png``.  Raises NotThere."""
    name = asked.rest.partition("/")[2].removesuffix(".png")
    if not (name.isascii() and name.isdigit() and len(name) < 10):
        raise NotThere(f"{asked.resource.name} has no {asked.rest}")
    return int(name)


def front_part(asked: Asked) -> Media:
    """``front.png``: the first background; a picture that shows nothing where it is broken."""
    return _first(asked, None)


def thumbnail(asked: Asked) -> Media:
    """``thumbnail.png``: the first background, made smaller."""
    return _first(asked, THUMBNAIL)


def _first(asked: Asked, side: int | None) -> Media:
    def make() -> bytes:
        try:
            image = drawing.background_image(_document(asked).room)
        except (FormatError, IndexError):
            return png.encode(np.zeros((1, 1, 4), np.uint8))
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
        "front.png": front_part,
        "thumbnail.png": thumbnail,
    },
    thumbnails=True,
    front="front.png",
)
