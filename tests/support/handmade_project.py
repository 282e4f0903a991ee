"""A project made by hand: a folder of plain files, for every version of Game Maker."""

from __future__ import annotations

import json
from typing import Any

import numpy

from memory_folder import memory_folder
from overhaul.document.plainfiles import PackOptions, UnpackOptions
from overhaul.gamemaker.classic.documents.project import ProjectDocument
from overhaul.gamemaker.classic_folder.project import FORMAT as folder_format
from overhaul.media import png
from per_file import per_file

VERSIONS = (500, 510, 530, 600, 701, 800, 810)


def picture(width: int, height: int, colour: tuple[int, int, int, int]) -> bytes:
    pixels = numpy.full((height, width, 4), colour, numpy.uint8)
    pixels[0, 0, :3] = 1, 2, 3
    return png.encode(pixels)


def as_json(value: Any) -> bytes:
    return json.dumps(value).encode()


ACTIONS = [
    {"action": "action_if_object", "arguments": [{"object": "obj_wall"}, "0", "8"], "not": True},
    {"action": "begin_group"},
    {"action": "code", "file": "1.gml"},
    {"action": "action_create_object", "arguments": [{"object": "obj_wall"}, "x", "y"],
     "applies_to": "other", "relative": True},
    {"action": "end_group"},
    {"action": "else"},
    {"action": "action_set_sprite", "arguments": [{"sprite": "spr_player"}, "1"],
     "applies_to": {"object": "obj_wall"}},
    {"library": 68903, "id": 4, "exec_type": 2, "code": "show_message(argument0)",
     "argument_count": 1, "argument_kinds": [1, 0, 0, 0, 0, 0, 0, 0], "arguments": ["hello"]},
]  # fmt: skip


def files(version: int) -> dict[str, bytes]:
    """The plain files of a small game that has some of everything."""
    alpha = 120 if version >= 800 else 255
    keyed = {} if version >= 800 else {"transparent": True}
    made = {
        "project.json": as_json(
            {
                "game_id": 123456,
                "guid": "00112233445566778899aabbccddeeff",
                "room_order": ["rm_second", "rm_first"],
                "library_codes": ["", "globalvar a;"],
                "last_instance_id": 100010,
                "last_tile_id": 10000005,
            }
        ),
        "ids.json": as_json({"sprites": ["spr_wall", 2, "spr_player"], "objects": [1, "obj_wall"]}),
        "settings.json": as_json({"author": "made by hand", "key_f4": False}),
        "settings/icon.ico": b"\0\0\1\0 an icon",
        "game_information.rtf": b"{\\rtf1 Press keys.}",
        "sprites/spr_player/sprite.json": as_json({"origin_x": 3} | keyed),
        "sprites/spr_player/0.png": picture(5, 4, (200, 100, 50, alpha)),
        "sprites/spr_player/1.png": picture(5, 4, (0, 255, 0, alpha)),
        "sprites/spr_wall/sprite.json": b"{}",
        "sounds/snd_jump.json": as_json({"file": "snd_jump.wav"}),
        "sounds/snd_jump.wav": b"RIFF\4\0\0\0WAVE",
        "backgrounds/bg_sky.json": b"{}",
        "backgrounds/bg_sky.png": picture(16, 8, (90, 90, 255, 255)),
        "paths/pth_round.json": as_json({"closed": True, "points": [[0, 0, 100], [10.5, -3, 50]]}),
        "scripts/scr_add.gml": b"return argument0 + argument1;\r\n",
        "timelines/tl_intro/timeline.json": b"{}",
        "timelines/tl_intro/0.gml": b"x = 1;",
        "timelines/tl_intro/30/actions.json": as_json([{"action": "action_kill_object"}]),
        "objects/obj_player/object.json": as_json({"sprite": "spr_player", "depth": -5}),
        "objects/obj_player/create.gml": b"hspeed = 4;",
        "objects/obj_player/step.gml": b"y += 1;",
        "objects/obj_player/step_end.gml": b"y -= 1;",
        "objects/obj_player/key_press_enter.gml": b"game_end();",
        "objects/obj_player/collision_obj_wall/actions.json": as_json(ACTIONS),
        "objects/obj_player/collision_obj_wall/1.gml": b"move_bounce_solid(true);",
        "objects/obj_wall/object.json": as_json({"sprite": "spr_wall", "solid": True}),
        "rooms/rm_first/room.json": as_json({"caption": "One", "background_colour": "#102030"}),
        "rooms/rm_first/creation.gml": b"score = 0;",
        "rooms/rm_first/instances.json": as_json(
            [
                {"id": 100001, "object": "obj_player", "x": 32, "y": 48},
                {"id": 100002, "object": "obj_wall", "x": 64, "y": 48, "locked": True},
            ]
        ),
        "rooms/rm_first/instance_100001.gml": b"lives = 3;",
        "rooms/rm_first/tiles.json": as_json(
            [{"id": 10000001, "background": "bg_sky", "x": 0, "y": 16, "width": 8, "height": 8}]
        ),
        "rooms/rm_second/room.json": b"{}",
        "constants.json": as_json([{"name": "SPEED", "value": "4"}]),
    }
    if version < 530:
        del made["constants.json"]  # they came with 5.3
    if version < 600:
        made["data_files/readme.json"] = as_json({"file": "readme.txt", "file_name": "a.txt"})
        made["data_files/readme.txt"] = b"read me"
    else:
        made["fonts/fnt_big.json"] = as_json({"font_name": "Verdana", "size": 24})
    if version >= 701:
        made["included_files.json"] = as_json([{"file": "note.txt", "file_name": "note.txt"}])
        made["included_files/note.txt"] = b"a note"
    if version >= 800:
        made["triggers/low_health.json"] = as_json({"moment": 1})
        made["triggers/low_health.gml"] = b"health < 10"
        made["objects/obj_player/trigger_low_health.gml"] = b"sound_play(snd_jump);"
    return made


def project_file(version: int, changed: dict[str, bytes] | None = None) -> bytes:
    """The file of the game, written from its folder; ``changed`` files replace those there."""
    return _written(version, tuple((changed or {}).items()))


@per_file
def _written(version: int, changed: tuple[tuple[str, bytes], ...]) -> bytes:
    content = files(version) | dict(changed)
    settings: dict[str, object] = {"kind": "gamemaker-project", "version": str(version)}
    document = folder_format.empty(settings)
    folder = memory_folder(content, settings)
    warnings = folder_format.apply(document, folder, dict.fromkeys(content, "added"))
    assert warnings == []
    return document.to_bytes()


def unpacked(data: bytes) -> tuple[ProjectDocument, dict[str, bytes]]:
    """A project and its plain files."""
    document = ProjectDocument.from_bytes(data)
    document.decode()
    return document, dict(_read(data))


@per_file
def _read(data: bytes) -> dict[str, bytes]:
    files = folder_format.plain_files(ProjectDocument.from_bytes(data), UnpackOptions())
    return {plain.path: plain.read() for plain in files}


def packed(
    data: bytes,
    content: dict[str, bytes],
    *,
    from_scratch: bool = False,
    rewrite_code: bool = False,
) -> tuple[bytes, list[str]]:
    """What packing makes of changed plain files, and its warnings."""
    document, before = ProjectDocument.from_bytes(data), _read(data)
    changes: dict[str, Any] = {
        path: "added" if path not in before else "changed" if path in content else "removed"
        for path in {*before, *content}
        if before.get(path) != content.get(path)
    }
    settings = {
        **folder_format.settings(document),
        "kind": document.kind,
        "version": document.version,
    }
    if from_scratch:
        document = folder_format.empty(settings)
        changes = dict.fromkeys(content, "added")
    folder = memory_folder(content, settings, PackOptions(rewrite_code=rewrite_code))
    warnings = folder_format.apply(document, folder, changes).texts()
    return document.to_bytes(), warnings
