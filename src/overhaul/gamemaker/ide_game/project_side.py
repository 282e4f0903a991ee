"""The resources of a project."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from overhaul.gamemaker.ide.document import IdeProjectDocument
from overhaul.gamemaker.ide.resources.objects import Object
from overhaul.gamemaker.ide.resources.rooms import Instance, Layer, Room, SpriteElement
from overhaul.gamemaker.ide.values import text_at
from overhaul.gamemaker.ide_game.documents import Side
from overhaul.gamemaker.ide_game.saying import (
    ASSETS,
    LAYERS,
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
    whole,
)

#: The class of a colour as games have it before 2.0: no alpha.
_RGB = 0xFFFFFF


def project_side(project: IdeProjectDocument) -> Side:
    """The files of a project; what has no file is left out."""
    side = Side(project.name, project.source)
    is_first = project.is_studio
    here = project.path_of
    for sprite in project.sprites:
        if here(sprite.entry) is None:
            continue
        name = sprite.name
        side.add(
            "sprite", name, f"sprites/{name}.json", partial(sprite_file, sprite, is_first=is_first)
        )
        for frame in sprite.frames:
            path = f"frames/{name}/{frame.index}.png"
            if frame.has_picture:
                read = partial(frame_file, sprite, frame.index)
                side.add("frame", f"{name} {frame.index}", path, read)
    for kind in project.objects:
        if here(kind.entry) is not None:
            read = partial(_object, kind, is_first=is_first)
            side.add("object", kind.name, f"objects/{kind.name}.json", read)
    for room in project.rooms:
        if here(room.entry) is not None:
            side.add("room", room.name, f"rooms/{room.name}.json", partial(_room, room))
    for curve in project.paths:
        if here(curve.entry) is not None:
            side.add("path", curve.name, f"paths/{curve.name}.json", partial(path_file, curve))
    for sound in project.sounds:
        if here(sound.entry) is not None:
            side.add("sound", sound.name, f"sounds/{sound.name}.json", partial(sound_file, sound))
    return side


def _object(kind: Object, *, is_first: bool) -> bytes:
    return object_file(kind, [event.name for event in kind.own_events], is_first=is_first)


def _instance(shown: Instance) -> list[object]:
    rotation = number(shown.rotation)
    return [
        name_of(shown.object), whole(shown.x), whole(shown.y), number(shown.scale_x),
        number(shown.scale_y), rotation, shown.colour,
    ]  # fmt: skip


def _room(room: Room) -> bytes:
    value: dict[str, object] = {
        "width": room.width, "height": room.height, "persistent": room.persistent,
        "views_enabled": room.views_enabled,
    }  # fmt: skip
    if room.store.letter == "X":
        value |= {
            "speed": room.speed, "caption": room.caption,
            "background_colour": room.background_colour & _RGB,
            "draws_colour": room.draw_background_colour,
            "instances": [_instance(each) for each in room.created],
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
        value["layers"] = [_layer(each) for each in _compiled(room)]
        value["instances"] = sorted((_instance(each) for each in _placed(room)), key=repr)
    if room.views_enabled:
        value["views"] = [
            [n, *each.area, each.port_width, each.port_height, name_of(each.follow)]
            for n, each in enumerate(room.views) if each.enabled
        ]  # fmt: skip
    return as_json(value)


def _compiled(room: Room) -> Iterator[Layer]:
    """The layers that the game has: no folders, and no paths."""
    return (layer for layer in room.layers.all() if layer.kind in LAYERS)


def _placed(room: Room) -> Iterator[Instance]:
    """The instances that the game has."""
    for layer in room.layers.all():
        for instance in layer.instances:
            if not instance.ignored and instance.object is not None:
                yield instance


def _layer(layer: Layer) -> dict[str, object]:
    kind = LAYERS[layer.kind]
    value: dict[str, object] = {"name": layer.name, "kind": kind, "depth": layer.depth}
    if kind == "background":
        value |= {
            "sprite": name_of(layer.sprite), "colour": layer.colour,
            "tile_x": layer.tile_horizontally, "tile_y": layer.tile_vertically,
            "stretch": layer.stretch, "x": number(layer.offset_x),
            "y": number(layer.offset_y),
        }  # fmt: skip
    elif kind == "tiles":
        value |= {"tile_set": name_of(layer.tile_set), "tiles": tiles_of(layer.tiles)}
    elif kind == "assets":
        for shown, (several, member) in ASSETS.items():
            value[several] = sorted(
                (
                    [_shown(each, member), whole(each.x), whole(each.y), number(each.scale_x),
                     number(each.scale_y), number(each.rotation), colour_of(each.colour)]
                    for each in layer.assets if each.kind == shown
                ),
                key=repr,
            )  # fmt: skip
    return value


def _shown(element: SpriteElement, member: str) -> str | None:
    """The name of what an element of a layer of assets shows."""
    if member == "sprite":
        return name_of(element.sprite)
    parts = member.split("_")
    key = parts[0] + "".join(map(str.capitalize, parts[1:]))
    return text_at(element.value(f"{key}Id"), "name") or None
