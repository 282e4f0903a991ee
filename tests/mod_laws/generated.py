"""Mods of a game that touch one thing each, made up by a seed."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

import numpy as np

from mod_laws import generated_ags, generated_new
from mod_laws.plans import SEEN, Plan
from modded_games import Edit, edited, new_sprite
from overhaul import mods
from overhaul.errors import OverhaulError
from overhaul.media import png
from overhaul.mods.building import read_texts, rebuild, view_of
from overhaul.mods.making import difference
from overhaul.mods.modfile import Mod
from overhaul.mods.view import SOURCE, FileView

#: which project files have
IDS = "ids.json"


class Made(NamedTuple):
    """A mod, one that disagrees with it if there is one, and whether a game has what it does."""

    name: str
    mod: Mod
    rival: Mod | None
    shows: Callable[[FileView], bool]


def mods_of(view: FileView, seed: int) -> list[Made]:
    """Mods of each thing that the game has: two entries of code, two fields, a text, a frame, a
    sound, a sprite with an object and an instance, another name for a sprite, objects that code
    names, instances and rooms."""
    chance = random.Random(seed)
    made = []
    makers = (generated_ags.plans,) if view.document.kind.startswith("ags-") else _PLANS
    for plan in [plan for make in makers for plan in make(view, chance)]:
        try:
            mod = _made(view, plan, plan.edits)
            rival = None if plan.rival is None else _made(view, plan, plan.rival)
        except OverhaulError:
            continue  # an edit that this release can't take
        if rival is not None:
            rival.name += " otherwise"
        made.append(Made(plan.name, mod, rival, plan.shows))
    return made


def _made(view: FileView, plan: Plan, edits: Mapping[str, Edit]) -> Mod:
    """The mod of some edits, as its file says it."""
    new = view_of(rebuild(view, {path: edited(view, path, edits[path]) for path in edits}), "")
    return mods.load(difference(view, new, plan.name).to_bytes())


def _code(view: FileView, chance: random.Random) -> Iterator[Plan]:
    code = view.assembly or view.files  # projects have their code as it was written
    paths = sorted(path for path in view.files if path in code and path.endswith(SOURCE))
    chance.shuffle(paths)
    exact = (path for path in paths[:30] if view.files[path].is_exact)
    for path in itertools.islice(exact, 2):
        number = chance.randrange(1_000_000)
        first = f"{SEEN}_{number} = {chance.randrange(100, 30000)};"
        rival = f"{SEEN}_{number} = {chance.randrange(30001, 60000)};"

        def shows(other: FileView, path: str = path, line: str = first) -> bool:
            return path in other and line in other.read(path).decode("utf-8", "replace")

        yield Plan(f"line of {path}", {path: _line(first)}, {path: _line(rival)}, shows)


def _line(line: str) -> Callable[[str], str]:
    return lambda text: f"{line}\n{text}"


def _field(view: FileView, chance: random.Random) -> Iterator[Plan]:
    for folder, key in (("rooms/", "width"), ("objects/", "depth")):
        paths = _of_resources(view, folder)
        if not paths:
            continue
        path = chance.choice(paths)
        before = json.loads(view.read(path)).get(key, 0)

        def shows(
            other: FileView, path: str = path, key: str = key, now: object = before + 16
        ) -> bool:
            return path in other and bool(json.loads(other.read(path)).get(key) == now)

        name = f"{key} of {path}"
        yield Plan(name, {path: _set(key, before + 16)}, {path: _set(key, before + 32)}, shows)


def _of_resources(view: FileView, folder: str) -> list[str]:
    """The JSON files of the resources in a folder."""
    found = [path for path in view.files if path.startswith(folder) and path.endswith(".json")]
    own = f"/{folder[:-2]}.json"
    return [path for path in found if path.count("/") == 1 or path.endswith(own)]


def _set(key: str, value: object) -> Callable[[str], str]:
    return lambda text: json.dumps({**json.loads(text), key: value})


def _text(view: FileView, chance: random.Random) -> Iterator[Plan]:
    path = view.texts()
    rows = [] if path is None else read_texts(view.read(path))
    numbers = [
        number
        for number, row in enumerate(rows)
        if not row.kind and " " in row.text and row.text.isprintable() and '"' not in row.text
    ]
    if path is None or not numbers:
        return
    number = chance.choice(numbers)
    new = f"{SEEN} text {number}"

    def shows(other: FileView) -> bool:
        name = other.texts()
        rows = [] if name is None else read_texts(other.read(name))
        return any(row.text == new for row in rows)

    one, two = (f'index,text\n{number},"{new}{word}"\n'.encode() for word in ("", " else"))
    yield Plan(f"text {number}", {path: one}, {path: two}, shows)


def _frame(view: FileView, chance: random.Random) -> Iterator[Plan]:
    paths = [p for p in view.files if p.startswith("sprites/") and p.endswith("/0.png")]
    if paths:
        path = chance.choice(paths)
        pixels = png.decode(view.read(path))
        y, x = (chance.randrange(size) for size in pixels.shape[:2])
        pictures = []
        for colour in ((255, 1, 254, 255), (1, 255, 2, 255)):
            painted = pixels.copy()
            painted[y, x] = colour
            pictures.append(png.encode(painted))

        def shows(other: FileView) -> bool:
            if path not in other:
                return False
            found = png.decode(other.read(path))
            return found.shape == pixels.shape and bool(np.all(found[y, x] == (255, 1, 254, 255)))

        yield Plan(f"pixel of {path}", {path: pictures[0]}, {path: pictures[1]}, shows)


def _sound(view: FileView, chance: random.Random) -> Iterator[Plan]:
    paths = [path for path in view.files if path.startswith("sounds/") and path.endswith(".wav")]
    if paths:
        path = chance.choice(paths)
        data = view.read(path)
        one, two = (data[:-2] + bytes([data[-2] ^ 1, data[-1] ^ mask]) for mask in (1, 3))

        def shows(other: FileView) -> bool:
            return path in other and other.read(path) == one

        yield Plan(f"sound {path}", {path: one}, {path: two}, shows)


def _new(view: FileView, chance: random.Random) -> Iterator[Plan]:
    if not any(path.startswith(("sprites/", "objects/", "rooms/")) for path in view.files):
        return
    sprite, thing = f"spr_{SEEN}", f"objects/obj_{SEEN}"
    edits: dict[str, Edit] = {
        **new_sprite(sprite),
        f"{thing}/object.json": json.dumps({"sprite": sprite}).encode(),
    }
    rooms = _of_resources(view, "rooms/")
    path = chance.choice(rooms) if rooms else ""
    if IDS in view:  # a project
        edits[f"sprites/{sprite}/sprite.json"] = b"{}"
        listed = path.replace("/room.json", "/instances.json")
        path = listed if path and listed in view else ""
        if path:
            items = [*json.loads(view.read(path)), {"x": 8, "y": 8, "object": f"obj_{SEEN}"}]
            edits[path] = json.dumps(items).encode()
    elif path:
        room = json.loads(view.read(path))
        layers = [layer for layer in room.get("layers", ()) if layer.get("type") == "instances"]
        item: dict[str, object] = {"x": 8, "y": 8, "object": f"obj_{SEEN}"}
        if "layers" in room:
            item["layer"] = layers[0]["name"] if layers else ""
        if "layers" not in room or layers:
            room.setdefault("instances", []).append(item)
            edits[path] = json.dumps(room).encode()
    solid = json.dumps({"sprite": sprite, "solid": True}).encode()
    rival = {**edits, f"{thing}/object.json": solid}

    def shows(other: FileView) -> bool:
        there = f"{thing}/object.json" in other and f"sprites/{sprite}/0.png" in other
        in_room = path not in edits or (
            path in other and f"obj_{SEEN}" in other.read(path).decode("utf-8", "replace")
        )
        return there and in_room

    yield Plan("new sprite, object and instance", edits, rival, shows)


def _rename(view: FileView, chance: random.Random) -> Iterator[Plan]:
    places = sorted({place for place in view.resources().values() if place.startswith("sprites/")})
    if places:
        place = chance.choice(places)

        def renamed(name: str) -> dict[str, Edit]:
            edits: dict[str, Edit] = {}
            for path in view.files:
                if path.startswith(place + "/"):
                    edits[path] = None
                    edits[f"sprites/{name}{path[len(place) :]}"] = view.read(path)
            return edits

        def shows(other: FileView) -> bool:
            return f"sprites/spr_{SEEN}_name/sprite.json" in other

        one, two = (renamed(f"spr_{SEEN}_{name}") for name in ("name", "other"))
        yield Plan(f"name of {place}", one, two, shows)


_PLANS = (_code, _field, _text, _frame, _sound, _new, _rename, *generated_new.PLANS)
