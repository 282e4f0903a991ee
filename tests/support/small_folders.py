"""Folders of small games, written by hand."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np

from overhaul.media import png


def toml(version: str, extra: str = "") -> str:
    return f'[document]\nkind = "gamemaker-data"\nversion = "{version}"\nname = "data.win"\n{extra}'


def put(folder: Path, path: str, content: Any) -> None:
    target = folder / path
    target.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, bytes):
        target.write_bytes(content)
    elif isinstance(content, str):
        target.write_text(content, "utf-8")
    else:
        target.write_text(json.dumps(content, indent=2), "utf-8")


def picture(width: int = 16, height: int = 16, seed: int = 0) -> Any:
    """A blob of colour with a transparent edge."""
    pixels = np.zeros((height, width, 4), np.uint8)
    pixels[2:-2, 3:-3] = np.random.default_rng(seed).integers(1, 255, 4, np.uint8)
    pixels[2:-2, 3:-3, 3] = 255
    return pixels


def wave(length: int = 800) -> bytes:
    head = struct.pack("<IHHIIHH", 16, 1, 1, 8000, 8000, 1, 8)
    body = b"WAVEfmt " + head + b"data" + struct.pack("<I", length) + bytes([128] * length)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def small_game(folder: Path, version: str) -> None:
    """The essential keys of a small game, and nothing else."""
    put(folder, "overhaul.toml", toml(version))
    modern = not version.startswith("1.")
    for number in range(2):
        put(folder, f"sprites/spr_player/{number}.png", png.encode(picture(seed=number)))
    put(folder, "sprites/spr_player/sprite.json", {"origin_x": 8, "collision_kind": "precise"})
    put(folder, "sprites/spr_wall/0.png", png.encode(picture(32, 8, 5)))
    put(folder, "sounds/snd_jump.wav", wave())
    put(folder, "objects/obj_wall/object.json", {"sprite": "spr_wall", "solid": True})
    put(
        folder,
        "objects/obj_player/object.json",
        {"sprite": "spr_player", "events": ["Create_0", "Step_0", "Collision_obj_wall"]},
    )
    for event in ("Create_0", "Step_0", "Collision_obj_wall"):
        put(
            folder,
            f"code/gml_Object_obj_player_{event}.asm",
            f':[0]\npush.s "{event}"\npop.v.s self.what\n\n:[end]\n',
        )
    room: dict[str, Any] = {
        "width": 320,
        "height": 240,
        "instances": [{"object": "obj_player", "x": 10, "y": 20}, {"object": "obj_wall"}],
    }
    if modern:
        for instance in room["instances"]:
            instance["layer"] = "Instances"
        room["layers"] = [{"name": "Instances", "id": 1}]
    put(folder, "rooms/rm_first.json", room)
