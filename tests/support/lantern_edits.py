"""Edits of the demo game that go together: ``from lantern_edits import EDITS, GAME``."""

from __future__ import annotations

from modded_games import (
    BLUE,
    CAVE,
    DOOR,
    KEEPER,
    RED,
    Edit,
    changed,
    field,
    instance,
    lantern,
    new_sprite,
    plain,
    repainted,
)
from overhaul.mods.view import opened

GAME = lantern()
GLOW = "sprites/spr_glow/0.png"
CATCH = "sounds/snd_catch.wav"
#: code of one line more, so that a change is far from others
STEP = plain(GAME, KEEPER).decode()
FIRST = STEP.split("\n")[0]


def first_line(text: str) -> str:
    return "lives = 3;\n" + text


def last_line(text: str) -> str:
    return text + "score = 1;\n"


#: edits that go together
EDITS: dict[str, dict[str, Edit]] = {
    "first line": {KEEPER: first_line},
    "last line": {KEEPER: last_line},
    "other code": {DOOR: first_line},
    "new code": {"code/gml_Object_obj_wall_Create_0.gml": b"depth = 5;\n"},
    "field": {CAVE: field("width", 640)},
    "other field": {CAVE: field("height", 480)},
    "instance": {CAVE: instance(16)},
    "other instance": {CAVE: instance(32, "obj_door")},
    "frame": {GLOW: repainted(GAME, GLOW, 1, 1, RED)},
    "other part of the frame": {GLOW: repainted(GAME, GLOW, 3, 3, BLUE)},
    "new sprite": new_sprite("spr_new"),
    "other new sprite": new_sprite("spr_another"),
    "sound": {CATCH: plain(GAME, "sounds/snd_door.wav")},
    "new object": {"objects/obj_new/object.json": b'{"sprite": "spr_wall"}'},
}


def renamed() -> bytes:
    """The game with its wall called otherwise, as packing a folder makes it."""
    with opened(GAME) as view:
        text = view.read("objects/obj_wall/object.json")
    return changed(
        GAME, {"objects/obj_wall/object.json": None, "objects/obj_stone/object.json": text}
    )
