"""Mods that add resources which code names, instances and rooms: what two mods number alike."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from mod_laws.plans import SEEN, Plan
from modded_games import Edit
from overhaul.mods.view import SOURCE, FileView

#: which project files have
IDS = "ids.json"
#: how many mods of each kind there are
_EACH = 2
#: ids of things in rooms, by the keys of lists (data.win)
_LISTED = ("instances", "tiles", "layers")


def named(view: FileView, chance: random.Random) -> Iterator[Plan]:
    """Objects, each named in a code entry where nothing shows what the number means."""
    code = view.assembly or view.files  # projects have their code as it was written
    paths = sorted(path for path in view.files if path in code and path.endswith(SOURCE))
    chance.shuffle(paths)
    exact = (path for path in paths[:30] if view.files[path].is_exact)
    for number, path in zip(range(_EACH), exact, strict=False):
        name, variable = f"obj_{SEEN}_named_{number}", f"{SEEN}_named_{number}"

        def shows(
            other: FileView, path: str = path, name: str = name, left: str = variable
        ) -> bool:
            if path not in other or f"objects/{name}/object.json" not in other:
                return False
            text = other.read(path).decode("utf-8", "replace")
            known = other.number_of("object", name)
            words = {0: "false", 1: "true"}.get(-1 if known is None else known, name)
            return any(f"{left} = {value};" in text for value in (name, known, words))

        edits: dict[str, Edit] = {
            f"objects/{name}/object.json": b"{}",
            path: _behind(f"{variable} = {name};"),
        }
        rival = {**edits, f"objects/{name}/object.json": b'{"solid": true}'}
        yield Plan(f"new object named in {path}", edits, rival, shows)


def _behind(line: str) -> Callable[[str], str]:
    return lambda text: f"{text.rstrip()}\n{line}\n"


def instances(view: FileView, chance: random.Random) -> Iterator[Plan]:
    """An instance in a room, without an id, in each of some rooms."""
    objects = sorted(
        {path.split("/")[1] for path in view.files if path.startswith("objects/") and "/" in path}
    )
    rooms = room_files(view)
    chance.shuffle(rooms)
    for number, path in zip(range(_EACH), rooms if objects else (), strict=False):
        item: dict[str, object] = {"x": 8, "y": 7000 + number, "object": chance.choice(objects)}
        made = _with_instance(view, path, item)
        if made is not None:

            def shows(other: FileView, item: dict[str, object] = item) -> bool:
                return is_there_once(other, item)

            yield Plan(f"instance in {path}", made, None, shows)


def _with_instance(view: FileView, path: str, item: dict[str, object]) -> dict[str, Edit] | None:
    """The edit that adds an instance to a room; None where the room takes none."""
    if IDS in view:
        listed = path.replace("/room.json", "/instances.json")
        items = json.loads(view.read(listed)) if listed in view else []
        return {listed: json.dumps([*items, item]).encode()}
    room = json.loads(view.read(path))
    if "layers" in room:
        layers = [layer for layer in room["layers"] if layer.get("type") == "instances"]
        if not layers:
            return None
        item["layer"] = layers[0]["name"]
    room.setdefault("instances", []).append(item)
    return {path: json.dumps(room).encode()}


def rooms(view: FileView, chance: random.Random) -> Iterator[Plan]:
    """Copies of a room under new names, with the ids of the room."""
    found = room_files(view)
    for number in range(_EACH if found else 0):
        place = chance.choice(found).removesuffix("/room.json").removesuffix(".json")
        name = f"rooms/rm_{SEEN}_{number}"
        edits: dict[str, Edit] = {
            name + path[len(place) :]: view.read(path)
            for path in view.files
            if path.startswith((f"{place}.", f"{place}/"))
        }

        def shows(other: FileView, name: str = name) -> bool:
            mine = ids_of(other, name)
            return mine is not None and not mine & _ids_elsewhere(other, name)

        yield Plan(f"copy of {place} as {name}", edits, None, shows)


def room_files(view: FileView) -> list[str]:
    """The JSON files of the rooms."""
    return sorted(
        path
        for path in view.files
        if path.startswith("rooms/")
        and (path.endswith("/room.json") or (path.count("/") == 1 and path.endswith(".json")))
    )


def is_there_once(view: FileView, item: dict[str, object]) -> bool:
    """Whether there is one such instance in the game, and no other thing has its id."""
    wanted = {key: item[key] for key in ("x", "y", "object")}
    found = [
        each["id"]
        for path in room_files(view)
        for each in _instances_of(view, path)
        if {key: each.get(key) for key in wanted} == wanted
    ]
    if len(found) != 1:
        return False
    count = Counter(each["id"] for path in room_files(view) for each in _instances_of(view, path))
    return count[found[0]] == 1


def _instances_of(view: FileView, path: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]]
    if path.endswith("/room.json"):
        path = path.replace("/room.json", "/instances.json")
        found = json.loads(view.read(path)) if path in view else []
    else:
        found = json.loads(view.read(path)).get("instances", [])
    return found


def ids_of(view: FileView, name: str) -> set[tuple[str, int]] | None:
    """The ids of all things in a room, by the path of the room; None where there is no room."""
    if f"{name}.json" in view:
        room = json.loads(view.read(f"{name}.json"))
        lists = {key: room.get(key, []) for key in _LISTED}
    elif f"{name}/room.json" in view:
        paths = {key: f"{name}/{key}.json" for key in _LISTED}
        lists = {key: json.loads(view.read(p)) for key, p in paths.items() if p in view}
    else:
        return None
    return {(key, item["id"]) for key, items in lists.items() for item in items if "id" in item}


def _ids_elsewhere(view: FileView, name: str) -> set[tuple[str, int]]:
    others = {path.removesuffix("/room.json").removesuffix(".json") for path in room_files(view)}
    return {each for other in others - {name} for each in ids_of(view, other) or ()}


PLANS = (named, instances, rooms)
