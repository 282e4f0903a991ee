"""Rooms as pictures: a background, with areas, objects and edges over it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from overhaul.ags.drawing.areas import MASK_OF, area_colour, area_map, room_areas
from overhaul.ags.drawing.art import Art, put
from overhaul.ags.images import to_image
from overhaul.ags.room.records import FRAMES_BLOCK, AnimatedBackgrounds
from overhaul.ags.room.room import Room
from overhaul.errors import EncodeError, FormatError
from overhaul.media.bounds import MAX_PIXELS
from overhaul.media.canvas import region_of
from overhaul.suggest import did_you_mean

#: The overlays that can be drawn over a background.
OVERLAYS: Final = (*MASK_OF, "objects", "edges")
#: From these room versions on, objects stand on their y, and all places are pixels of the picture.
_Y_IS_BOTTOM: Final = 27
_TRUE_PLACES: Final = 29
#: A flag of objects that no walk-behind covers.
_BEFORE_WALK_BEHINDS: Final = 2
#: From this version on the number that said which resolution a room has is that of its masks.
_MASK_RESOLUTION: Final = 33
_HIGH: Final = 2
#: The width of rooms that do not store it.
_OLD_WIDTH: Final = 320
#: The turns of the engine a second.
_TURNS: Final = 40
#: Half of an area's colour, half of what is beneath.
_OPACITY: Final = 0.5
_EDGE: Final = (255, 220, 0)
_BOX: Final = (255, 255, 255)
#: The side of an object's box where its sprite is not known.
_UNKNOWN: Final = 16


@dataclass(frozen=True, slots=True)
class Placed:
    """An object as it stands when the room is entered first, in pixels of the room.

    ``box`` is left, top, width, height; ``known``: whether they are those of its sprite;
    ``visible``: whether it is on.
    """

    number: int
    name: str
    sprite: int
    box: tuple[int, int, int, int]
    known: bool
    visible: bool


def backgrounds(room: Room) -> int:
    """How many backgrounds a room has."""
    return 1 if room.old_background is not None else len(room.backgrounds())


def background_image(room: Room, number: int = 0) -> Image.Image:
    """A background, in mode RGB.

    Raises FormatError where it, or the list of all of them, is broken, and IndexError for a
    number that is not there.
    """
    count = backgrounds(room)
    if not count:
        raise FormatError("the background of the room can't be read")
    if not 0 <= number < count:
        raise IndexError(f"the room has {count} backgrounds, got {number}")
    old = room.old_background
    if old is not None:
        return to_image(old.pixels(), room.palette(old)).convert("RGB")
    picture = room.backgrounds()[number]
    return to_image(picture.pixels(room.depth), room.palette(picture)).convert("RGB")


def background_speed(room: Room) -> float:
    """How many backgrounds a second the engine shows at its usual 40 turns; 0 for a single one."""
    frames = room.blocks.find(FRAMES_BLOCK, AnimatedBackgrounds)
    return _TURNS / (frames.speed + 1) if frames is not None and frames.frames else 0.0


def room_size(room: Room) -> tuple[int, int]:
    """The width and height of a room, in pixels of its first background; as it says where that is
    broken or missing."""
    try:
        size: tuple[int, int] = background_image(room).size
    except (FormatError, IndexError):
        main = room.main
        size = (0, 0) if main is None else (max(0, main.width), max(0, main.height))
    return size


def unit(room: Room, size: tuple[int, int]) -> int:
    """How many pixels one step of a place takes: 2 in older games of high resolution."""
    main = room.main
    if main is None or room.version >= _TRUE_PLACES:
        return 1
    return max(1, size[0] // (main.width if main.width > 0 else _OLD_WIDTH))


def sprite_scale(room: Room, art: Art, slot: int) -> int:
    """How many pixels of a room one of a sprite takes on each side: 2 for sprites of a low
    resolution in rooms of a high one."""
    main = room.main
    if main is None or room.version >= _MASK_RESOLUTION or main.resolution != _HIGH:
        return 1
    return 2 if art.is_low_resolution(slot) else 1


def placed(room: Room, art: Art, size: tuple[int, int]) -> list[Placed]:
    """The objects of a room, by number; ``art`` knows how large their sprites are.

    Sizes by which areas scale objects, and the anchors of AGS 4, are not taken into account.
    """
    main = room.main
    if main is None:
        return []
    names, by = room.object_names(), unit(room, size)
    placed_sprites = []
    for number, each in enumerate(main.objects):
        known = art.size(each.sprite)
        scale = sprite_scale(room, art, each.sprite)
        width, height = (side * scale for side in known or (_UNKNOWN, _UNKNOWN))
        left, top = each.x * by, each.y * by
        if room.version >= _Y_IS_BOTTOM:
            top -= height
        name = names[number] if number < len(names) else ""
        box = (left, top, width, height)
        placed_sprites.append(
            Placed(number, name, each.sprite, box, known is not None, bool(each.on))
        )
    return placed_sprites


def edges(room: Room, size: tuple[int, int]) -> dict[str, int]:
    """The edges that characters leave the room over: left, top, right, bottom, in pixels."""
    main = room.main
    if main is None:
        return {}
    by = unit(room, size)
    return {side: getattr(main, f"edge_{side}") * by for side in ("left", "top", "right", "bottom")}


def baselines(room: Room, size: tuple[int, int]) -> dict[int, int]:
    """The baseline of each walk-behind, by its number, in pixels."""
    main, by = room.main, unit(room, size)
    if main is None:
        return {}
    return {number: y * by for number, y in enumerate(main.walk_behind_baselines)}


def room_image(
    room: Room, background: int = 0, overlays: Sequence[str] = (), art: Art | None = None
) -> Image.Image:
    """A background with overlays, one over the other in their order; in mode RGB.

    ``overlays`` are of hotspots, regions, walk_areas, walk_behinds (their baselines too), objects
    and edges.  Areas have colours of their own, and let half of the background through.  Objects
    have their sprites where ``art`` has them, else are boxes with a number; those that are off at
    first are half as dense.

    Raises FormatError for a broken picture, IndexError without that background, ValueError for an
    unknown overlay.
    """
    unknown = [overlay for overlay in overlays if overlay not in OVERLAYS]
    if unknown:
        raise ValueError(f"expected one of {', '.join(OVERLAYS)}, got {unknown[0]!r}")
    image = background_image(room, background)
    for overlay in overlays:
        if overlay == "objects":
            image = _with_objects(image, room, art or Art(None))
        elif overlay == "edges":
            _draw_edges(image, room)
        else:
            image = _with_areas(image, room, overlay)
            if overlay == "walk_behinds":
                _draw_baselines(image, room)
    return image


#: The parts of a room as the game shows it, from back to front.
LAYERS: Final = ("background", "objects")


def game_image(
    room: Room,
    art: Art,
    *,
    layers: Sequence[str] | None = None,
    region: tuple[int, int, int, int] | None = None,
    scale: float = 1.0,
) -> Image.Image:
    """A room as the game shows it when it is entered, in mode RGBA: without characters and GUIs.

    Objects that are on stand by their baselines, behind walk-behinds where these are nearer; one
    without a sprite in ``art`` is left out.  ``layers`` draws only these of LAYERS, on a
    transparent ground; ``region`` (left, top, width, height) is what the picture shows, ``scale``
    its size to that of the room.

    Raises KeyError for an unknown layer, ValueError for a region or scale that is none, EncodeError
    for a picture of more than 2**28 pixels, FormatError for a broken background.
    """
    wanted = LAYERS if layers is None else layers
    for name in wanted:
        if name not in LAYERS:
            raise KeyError(f"there is no layer named {name!r}{did_you_mean(name, LAYERS)}")
    ground = background_image(room).convert("RGBA")
    left, top, width, height = region_of(ground.size, None, region, scale)
    drawn = ground if "background" in wanted else Image.new("RGBA", ground.size)
    if "objects" in wanted:
        _put_objects(drawn, room, art)
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    if max(width * height, size[0] * size[1]) > MAX_PIXELS:
        raise EncodeError(f"a picture of {size[0]} by {size[1]} pixels exceeds {MAX_PIXELS}")
    if (left, top, width, height) != (0, 0, *drawn.size):
        drawn = drawn.crop((left, top, left + width, top + height))
    return drawn if scale == 1 else drawn.resize(size, Image.Resampling.NEAREST)


def _put_objects(image: Image.Image, room: Room, art: Art) -> None:
    """Draw the objects that are on, from the farthest to the nearest."""
    main, by = room.main, unit(room, image.size)
    if main is None:
        return
    palette = object_palette(room, art)
    areas = area_map(room, "walk_behinds", image.size)
    lines = baselines(room, image.size)
    standing = []
    for placed_object in placed(room, art, image.size):
        own = main.object_baselines[placed_object.number : placed_object.number + 1]
        flags = main.object_flags[placed_object.number : placed_object.number + 1]
        line = own[0] * by if own and own[0] > 0 else placed_object.box[1] + placed_object.box[3]
        sprite = art.sprite(placed_object.sprite, palette) if placed_object.visible else None
        if sprite is not None:
            before = bool(flags and flags[0] & _BEFORE_WALK_BEHINDS)
            standing.append((line, placed_object.number, placed_object.box, sprite, before))
    for line, _, (left, top, width, height), sprite, before in sorted(
        standing, key=lambda s: s[:2]
    ):
        shown = sprite
        if sprite.size != (width, height):
            shown = sprite.resize((width, height), Image.Resampling.NEAREST)
        layer = Image.new("RGBA", image.size)
        put(layer, shown, left, top)
        nearer = [number for number, y in lines.items() if number and y > line]
        if areas is not None and nearer and not before:
            pixels = np.array(layer)
            pixels[np.isin(areas, nearer)] = 0
            layer = Image.fromarray(pixels)
        image.alpha_composite(layer)


def _with_areas(image: Image.Image, room: Room, kind: str) -> Image.Image:
    numbers = area_map(room, kind, image.size)
    if numbers is None:
        return image
    colours = np.array([(0, 0, 0), *map(area_colour, range(1, 256))])
    shown = np.asarray(image).astype(np.float64)
    mixed = shown + (colours[numbers] - shown) * _OPACITY
    mixed[numbers == 0] = shown[numbers == 0]
    return Image.fromarray(mixed.astype(np.uint8))


def _with_objects(image: Image.Image, room: Room, art: Art) -> Image.Image:
    drawn = image.convert("RGBA")
    palette = object_palette(room, art)
    for placed_object in placed(room, art, image.size):
        left, top, width, height = placed_object.box
        sprite = art.sprite(placed_object.sprite, palette)
        if sprite is not None and sprite.size != (width, height):
            sprite = sprite.resize((width, height), Image.Resampling.NEAREST)
        if sprite is None:
            sprite = Image.new("RGBA", (max(1, width), max(1, height)))
            pen = ImageDraw.Draw(sprite)
            pen.rectangle((0, 0, width - 1, height - 1), outline=_BOX)
            font = ImageFont.load_default_imagefont()
            pen.text((3, 2), str(placed_object.number), fill=_BOX, font=font)
        if not placed_object.visible:
            sprite.putalpha(sprite.getchannel("A").point([value // 2 for value in range(256)]))
        put(drawn, sprite, left, top)
    return drawn.convert("RGB")


def object_palette(room: Room, art: Art) -> bytes | None:
    """The colours that 8-bit objects have in a room of 8 bits; None in other rooms."""
    if room.depth != 1 or not backgrounds(room):
        return None
    return art.palette_in(room.palette(room.old_background or room.backgrounds()[0]))


def _draw_edges(image: Image.Image, room: Room) -> None:
    pen = ImageDraw.Draw(image)
    width, height = image.size
    for side, at in edges(room, image.size).items():
        line = (at, 0, at, height - 1) if side in ("left", "right") else (0, at, width - 1, at)
        pen.line(line, fill=_EDGE)


def _draw_baselines(image: Image.Image, room: Room) -> None:
    pen = ImageDraw.Draw(image)
    lines = baselines(room, image.size)
    for area in room_areas(room, "walk_behinds", image.size):
        at = lines.get(area.number)
        if at is not None:
            pen.line((area.box[0], at, area.box[2] - 1, at), fill=area.colour)
