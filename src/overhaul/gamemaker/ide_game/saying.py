"""The values that a resource of a project and one of a game share, as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

import numpy as np

from overhaul.gamemaker.ide.resources.assets import Path, Sound
from overhaul.gamemaker.ide.resources.objects import Object
from overhaul.gamemaker.ide.resources.sprites import Sprite
from overhaul.media import png

if TYPE_CHECKING:
    from PIL.Image import Image

    from overhaul.gamemaker.data.resources.curves import Path as GamePath
    from overhaul.gamemaker.data.resources.objects import GameObject
    from overhaul.gamemaker.data.resources.sounds import Sound as GameSound
    from overhaul.gamemaker.data.resources.sprites import Sprite as GameSprite

#: Digits that single precision keeps, whatever wrote and read it.
_DIGITS: Final = 5
#: From here on numbers are whole.
_WHOLE: Final = 1e5
#: How far off a compiler that rounds a picture may be, and by how much what is seen of it.
_OFF: Final = 1
_SEEN_OFF: Final = 2
#: The names of the classes of layers in projects, as games call them.
LAYERS: Final = {
    "GMRInstanceLayer": "instances", "GMRBackgroundLayer": "background",
    "GMRTileLayer": "tiles", "GMRAssetLayer": "assets", "GMREffectLayer": "effect",
}  # fmt: skip
#: What stands in layers of assets, by its class in projects: the list of games, and what one shows.
ASSETS: Final = {
    "GMRSpriteGraphic": ("sprites", "sprite"),
    "GMRSequenceGraphic": ("sequences", "sequence"),
    "GMRParticleSystem": ("particle_systems", "particle_system"),
}


def number(value: object) -> object:
    """A number as both can have it: a whole one, or one of single precision."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    if isinstance(value, float) and abs(value) < _WHOLE:
        value = float(f"{np.float32(value):.{_DIGITS}g}")
    short = float(value)
    return int(short) if short == int(short) else short


def as_json(value: Mapping[str, object]) -> bytes:
    """The bytes of a file of fields."""
    return json.dumps(value, indent=1, ensure_ascii=False, default=str).encode("utf-8")


def picture(image: Image | None) -> bytes:
    """The bytes of a picture; what is transparent has no colour."""
    if image is None:
        return b""
    pixels = png.from_image(image.convert("RGBA")).copy()
    pixels[pixels[..., 3] == 0] = 0
    return png.encode(pixels)


def rounded_alike(one: bytes, other: bytes) -> bool:
    """Whether two pictures differ in the last bit of partly transparent pixels and nothing else:
    the compilers of the first releases of Studio 1 round these."""
    if not one or not other:
        return False
    first, second = (png.decode(data).astype(np.int32) for data in (one, other))
    if first.shape != second.shape:
        return False
    alpha = np.abs(first[..., 3] - second[..., 3])
    seen = np.abs(first[..., :3] * first[..., 3:] - second[..., :3] * second[..., 3:]) // 255
    solid = (first[..., 3] == 255) & np.any(first != second, axis=2)
    return bool(alpha.max(initial=0) <= _OFF and seen.max(initial=0) <= _SEEN_OFF) and not bool(
        solid.any()
    )


def whole(value: float) -> int:
    """A place as the rooms of games have it: without its fraction."""
    return int(value)


def name_of(resource: object) -> str | None:
    """The name of a resource; None for none."""
    return None if resource is None else str(getattr(resource, "name", ""))


def tiles_of(words: object) -> list[object]:
    """The rows of a map that have tiles, by their numbers."""
    if words is None:
        return []
    cells = np.asarray(words).astype(np.uint32)
    cells = np.where(cells & 0x7FFFF, cells, 0)
    rows = [[index, row.tolist()] for index, row in enumerate(cells) if row.any()]
    return [list(cells.shape), *rows] if rows else []


def colour_of(value: object) -> object:
    """A colour as a number (ABGR), of its number or its parts."""
    if isinstance(value, tuple):
        red, green, blue, alpha = (int(part) for part in value)
        return red | green << 8 | blue << 16 | alpha << 24
    return value


# --- files that both sides have in the same words ------------------------------------------------


def frame_file(sprite: GameSprite | Sprite, index: int) -> bytes:
    """The picture of a frame."""
    return picture(sprite.frames[index].image)


def sprite_file(sprite: GameSprite | Sprite, *, is_first: bool) -> bytes:
    """The fields of a sprite; ``is_first`` for Studio 1, which has no speed of sprites."""
    value: dict[str, object] = {
        "width": sprite.width, "height": sprite.height, "origin": list(sprite.origin),
        "bbox": list(sprite.bbox), "bbox_mode": int(sprite.bbox_mode),
        "frames": len(sprite.frames),
    }  # fmt: skip
    if not is_first:
        value["speed"] = number(sprite.speed)
        value["speed_type"] = int(sprite.speed_type)
    cuts = sprite.nine_slice
    if cuts is not None and cuts.enabled:
        value["nine_slice"] = [cuts.left, cuts.top, cuts.right, cuts.bottom]
    return as_json(value)


def object_file(kind: GameObject | Object, events: list[str], *, is_first: bool) -> bytes:
    """The fields of an object with its events; ``is_first`` for Studio 1, whose objects have a
    depth."""
    value: dict[str, object] = {
        "sprite": name_of(kind.sprite), "mask": name_of(kind.mask), "parent": name_of(kind.parent),
        "visible": kind.visible, "solid": kind.solid, "persistent": kind.persistent,
        "events": sorted(events),
    }  # fmt: skip
    if is_first:
        value["depth"] = kind.depth
    if kind.physics.enabled:
        value["physics"] = {
            "shape": int(kind.physics.shape), "density": number(kind.physics.density),
            "restitution": number(kind.physics.restitution), "group": kind.physics.group,
            "friction": number(kind.physics.friction), "sensor": kind.physics.sensor,
        }  # fmt: skip
    return as_json(value)


def path_file(path: GamePath | Path) -> bytes:
    """The fields and points of a path."""
    points = [[number(p.x), number(p.y), number(p.speed)] for p in path.points]
    return as_json({"smooth": path.smooth, "closed": path.closed, "points": points})


def sound_file(sound: GameSound | Sound) -> bytes:
    """The field of a sound that both have: its volume."""
    return as_json({"volume": number(sound.volume)})
