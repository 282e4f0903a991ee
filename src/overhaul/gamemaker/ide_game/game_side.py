"""The resources of a game, in the words of a project."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.ide_game.documents import Side
from overhaul.gamemaker.ide_game.saying import (
    ASSETS,
    as_json,
    colour_of,
    frame_file,
    name_of,
    number,
    object_file,
    path_file,
    sound_file,
    sprite_file,
    tiles_of,
)

if TYPE_CHECKING:
    from overhaul.gamemaker.data.resources.layers import Layer
    from overhaul.gamemaker.data.resources.objects import Instance
    from overhaul.gamemaker.data.resources.rooms import Room

_KINDS = {
    "InstanceLayer": "instances", "BackgroundLayer": "background", "TileLayer": "tiles",
    "AssetLayer": "assets", "EffectLayer": "effect", "Layer": "effect",
}  # fmt: skip
_RGB = 0xFFFFFF
#: The event that the compiler makes of variable definitions: a project has no file for it.
_PRE_CREATE = "PreCreate_0"


def game_side(game: GameData) -> Side:
    """The files of a game."""
    side = Side(game.source or "game", game.source)
    is_first = game.release.major < 2
    for sprite in game.sprites:
        name = sprite.name
        side.add(
            "sprite", name, f"sprites/{name}.json", partial(sprite_file, sprite, is_first=is_first)
        )
        for index in range(len(sprite.frames)):
            path = f"frames/{name}/{index}.png"
            side.add("frame", f"{name} {index}", path, partial(frame_file, sprite, index))
    for kind in game.objects:
        events = [str(name) for name in kind.events if name != _PRE_CREATE]
        read = partial(object_file, kind, events, is_first=is_first)
        side.add("object", kind.name, f"objects/{kind.name}.json", read)
    for room in game.rooms:
        side.add("room", room.name, f"rooms/{room.name}.json", partial(_room, room))
    for path_ in game.paths:
        side.add("path", path_.name, f"paths/{path_.name}.json", partial(path_file, path_))
    for sound in game.sounds:
        side.add("sound", sound.name, f"sounds/{sound.name}.json", partial(sound_file, sound))
    return side


def _instance(shown: Instance) -> list[object]:
    return [
        name_of(shown.object), number(shown.x), number(shown.y), number(shown.scale_x),
        number(shown.scale_y), number(shown.rotation), colour_of(shown.colour),
    ]  # fmt: skip


def _room(room: Room) -> bytes:
    is_old = room.game.release.major < 2
    value: dict[str, object] = {
        "width": room.width, "height": room.height, "persistent": room.persistent,
        "views_enabled": room.views_enabled,
    }  # fmt: skip
    instances = [_instance(each) for each in room.instances]
    if is_old:
        value |= {
            "speed": room.speed, "caption": str(room.caption or ""),
            "background_colour": room.record.background_colour & _RGB,
            "draws_colour": room.draw_background_colour,
            "instances": instances,
            "backgrounds": [
                [n, name_of(each.background), each.x, each.y, each.foreground, each.tile_x,
                 each.tile_y, each.stretch]
                for n, each in enumerate(room.backgrounds) if each.enabled
            ],
            "tiles": [
                [name_of(each.background), each.x, each.y, each.source_x, each.source_y,
                 each.width, each.height, each.depth]
                for each in room.tiles
            ],
        }  # fmt: skip
    else:
        value["layers"] = [_layer(each) for each in room.layers]
        value["instances"] = sorted(instances, key=repr)
    if room.views_enabled:
        value["views"] = [
            [n, each.view_x, each.view_y, each.view_width, each.view_height, each.port_width,
             each.port_height, name_of(each.follow)]
            for n, each in enumerate(room.views) if each.enabled
        ]  # fmt: skip
    return as_json(value)


def _layer(layer: Layer) -> dict[str, object]:
    kind = _KINDS.get(type(layer).__name__, type(layer).__name__)
    value: dict[str, object] = {"name": layer.name, "kind": kind, "depth": layer.depth}
    data = layer.record.data
    if kind == "background":
        value |= {
            "sprite": name_of(getattr(layer, "sprite", None)), "colour": data.colour,
            "tile_x": bool(data.tile_horizontally), "tile_y": bool(data.tile_vertically),
            "stretch": bool(data.stretch), "x": number(layer.offset_x),
            "y": number(layer.offset_y),
        }  # fmt: skip
    elif kind == "tiles":
        value |= {
            "tile_set": name_of(getattr(layer, "tile_set", None)),
            "tiles": tiles_of(getattr(layer, "tiles", None)),
        }
    elif kind == "assets":
        for kind, member in ASSETS.values():
            value[kind] = sorted(
                (
                    [name_of(getattr(each, member)), number(each.x), number(each.y),
                     number(each.scale_x), number(each.scale_y), number(each.rotation),
                     colour_of(each.colour)]
                    for each in getattr(layer, kind, ())
                ),
                key=repr,
            )  # fmt: skip
    return value
