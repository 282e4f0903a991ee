"""Rooms, sounds and the file of a recovered project of Studio 1: every value of the game's parts
is in the attribute that the editor reads it from."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping

import pytest
from PIL import Image

from overhaul.document.xmltext import XmlNode, read_xml
from overhaul.gamemaker.data.blank import blank_game
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.resources.rooms import Room
from overhaul.gamemaker.recovery import Recovered, recover
from sound_files import wave

#: By the attribute: the field of the game's part.
VIEW = {
    "xview": "view_x", "yview": "view_y", "wview": "view_width", "hview": "view_height",
    "xport": "port_x", "yport": "port_y", "wport": "port_width", "hport": "port_height",
    "hborder": "border_x", "vborder": "border_y", "hspeed": "speed_x", "vspeed": "speed_y",
    "visible": "enabled", "objName": "follow",
}  # fmt: skip
BACKGROUND = {
    "x": "x", "y": "y", "hspeed": "speed_x", "vspeed": "speed_y", "htiled": "tile_x",
    "vtiled": "tile_y", "stretch": "stretch", "visible": "enabled", "foreground": "foreground",
    "name": "background",
}  # fmt: skip
TILE = {
    "x": "x", "y": "y", "w": "width", "h": "height", "xo": "source_x", "yo": "source_y",
    "depth": "depth", "id": "id", "scaleX": "scale_x", "scaleY": "scale_y", "bgName": "background",
}  # fmt: skip
INSTANCE = {
    "x": "x", "y": "y", "scaleX": "scale_x", "scaleY": "scale_y", "rotation": "rotation",
    "objName": "object",
}  # fmt: skip
FLAGS = {"enabled", "foreground", "tile_x", "tile_y", "stretch"}
SIGNED = {"speed_x", "speed_y", "x", "y", "view_x", "view_y", "depth", "rotation"}


def studio_game() -> GameData:
    return blank_game({"version": "1.4.9999"})


def root_of(found: Recovered, path: str) -> XmlNode:
    return read_xml(found.files[path]()).root


def scattered(dice: random.Random, part: object, fields: Iterable[str]) -> None:
    """Give fields numbers of their own: halves where a field takes them."""
    for field in fields:
        if field in ("follow", "background", "object", "id"):
            continue
        if field in FLAGS:
            setattr(part, field, dice.choice([False, True]))
        elif field.startswith("scale"):
            setattr(part, field, dice.randrange(1, 400) / 2)
        else:
            setattr(part, field, dice.randrange(-9999 if field in SIGNED else 0, 9999))


def full_room(dice: random.Random, game: GameData) -> Room:
    """A room whose views, backgrounds, tiles and instances have values of their own."""
    room = game.rooms.add("rm_a")
    objects, pictures = ("obj_a", "obj_b"), ("bg_a", "bg_b")
    for name in objects:
        game.objects.add(name)
    for name in pictures:
        game.backgrounds.add(name, Image.new("RGBA", (32, 32)))
    for view in room.views:
        view.follow = dice.choice([None, *objects])
        scattered(dice, view, VIEW.values())
    for shown in room.backgrounds:
        shown.background = dice.choice([None, *pictures])
        scattered(dice, shown, BACKGROUND.values())
    for _ in range(6):
        tile = room.tiles.add(dice.choice(pictures), 0, 0, source=(0, 0, 8, 8))
        scattered(dice, tile, TILE.values())
        scattered(dice, room.instances.add(dice.choice(objects), 0, 0), INSTANCE.values())
    return room


def stated(part: object, field: str) -> str:
    """A value as the attribute has it: flags are -1, and nothing has a name."""
    value = getattr(part, field)
    if value is None:
        return "" if field == "background" else "<undefined>"
    if isinstance(value, bool):
        return str(-int(value))
    return str(getattr(value, "name", value)).removesuffix(".0")


@pytest.mark.parametrize("seed", range(4))
def test_every_value_of_a_room_is_in_its_attribute(seed: int) -> None:
    game = studio_game()
    room = full_room(random.Random(seed), game)
    made = root_of(recover(game), "rooms/rm_a.room.gmx")
    parts: list[tuple[str, str, Iterable[object], Mapping[str, str]]] = [
        ("views", "view", room.views, VIEW),
        ("backgrounds", "background", room.backgrounds, BACKGROUND),
        ("tiles", "tile", room.tiles, TILE),
        ("instances", "instance", room.instances, INSTANCE),
    ]
    for group, tag, expected, table in parts:
        nodes = [node for node in made.walk() if node.tag == tag]
        own = [{name: stated(part, table[name]) for name in table} for part in expected]
        found = [{name: node.attributes[name] for name in table} for node in nodes]
        assert found == own and len(own) >= 6, group


def test_the_type_of_a_sound_is_how_many_channels_it_has() -> None:
    game = studio_game()
    for channels in (1, 2):
        game.sounds.add(f"snd_{channels}", wave(rate=22050, channels=channels))
    found = recover(game)
    for channels, kind in ((1, "0"), (2, "1")):
        made = root_of(found, f"sound/snd_{channels}.sound.gmx")
        assert made.value("types/type") == kind
        assert made.value("sampleRates/sampleRate") == "22050"


def test_a_project_begins_without_a_tutorial() -> None:
    found = recover(studio_game())
    (state,) = [node for node in root_of(found, found.name).walk() if node.tag == "TutorialState"]
    assert [(node.tag, node.text) for node in state.children] == [
        ("IsTutorial", "0"), ("TutorialName", ""), ("TutorialPage", "0")
    ]  # fmt: skip
