"""Small games, and changed ones: ``from modded_games import lantern, changed``."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import overhaul
from overhaul.folder.packing import packed
from overhaul.media import png
from overhaul.mods.building import rebuild
from overhaul.mods.view import FileView, opened

ROOT = Path(__file__).resolve().parents[2]
#: What becomes of a plain file: bytes, None (gone), or what makes the new text of the old one.
Edit = bytes | None | Callable[[str], str]

KEEPER = "code/gml_Object_obj_keeper_Step_0.gml"
DOOR = "code/gml_Object_obj_door_Step_0.gml"
CAVE = "rooms/rm_cave.json"


@cache
def lantern(edition: str = "current") -> bytes:
    """The demo game."""
    return packed(ROOT / "examples" / "lantern" / edition).data


def changed(game: bytes, edits: Mapping[str, Edit]) -> bytes:
    """The game with edited plain files, as packing a folder makes it."""
    with opened(game) as view:
        return rebuild(view, {path: edited(view, path, edit) for path, edit in edits.items()}).data


def edited(view: FileView, path: str, edit: Edit) -> bytes | None:
    """What becomes of a plain file."""
    if edit is None or isinstance(edit, bytes):
        return edit
    return edit(view.read(path).decode()).encode()


def plain(game: bytes, path: str) -> bytes:
    """A plain file of a game."""
    with opened(game) as view:
        return view.read(path)


def swap(old: str, new: str) -> Callable[[str], str]:
    """An edit that replaces a text, which must be there."""

    def edit(text: str) -> str:
        assert old in text
        return text.replace(old, new, 1)

    return edit


def field(name: str, value: object) -> Callable[[str], str]:
    """An edit that sets a key of a JSON file."""
    return lambda text: json.dumps({**json.loads(text), name: value})


def instance(x: int, obj: str = "obj_firefly") -> Callable[[str], str]:
    """An edit that adds an instance to a room."""

    def edit(text: str) -> str:
        room = json.loads(text)
        room["instances"].append({"layer": "Instances", "x": x, "y": 8, "object": obj})
        return json.dumps(room)

    return edit


def picture(colour: tuple[int, int, int, int], size: tuple[int, int] = (8, 8)) -> bytes:
    """A picture of one colour."""
    return png.encode(np.full((*size, 4), colour, np.uint8))


def repainted(game: bytes, path: str, x: int, y: int, colour: tuple[int, int, int, int]) -> bytes:
    """A picture of the game with one pixel repainted."""
    pixels = png.decode(plain(game, path)).copy()
    pixels[y, x] = colour
    return png.encode(pixels)


def new_sprite(name: str) -> dict[str, Edit]:
    """Edits that add a sprite."""
    text = json.dumps({"width": 8, "height": 8})
    return {f"sprites/{name}/sprite.json": text.encode(), f"sprites/{name}/0.png": picture(RED)}


RED = (255, 0, 0, 255)
BLUE = (0, 0, 255, 255)


def value(game: bytes, path: str) -> Any:
    """The value of a JSON file of a game."""
    return json.loads(plain(game, path))


def verified(game: bytes) -> None:
    """The game opens, and is rebuilt to the same bytes, code included."""
    report = overhaul.verify(game, code=True)
    assert report.identical
    assert report.code is not None
    assert report.code.failed == []


def files_of(game: bytes) -> list[str]:
    """The paths of a game's plain files."""
    with opened(game) as view:
        return list(view.files)
