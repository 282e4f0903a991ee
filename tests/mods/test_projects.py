"""Mods of projects of Game Maker 5 to 8.1, which note when each resource was changed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from handmade_project import project_file
from modded_games import Edit, changed, files_of, plain
from overhaul import mods
from overhaul.mods.view import opened

GAME = project_file(810)
DATES = "dates.json"
ROOM = "rooms/rm_first/room.json"


def saved(path: str, edit: Edit, when: float) -> bytes:
    """The project with an edit, and the time that Game Maker notes when it saves."""

    def dated(text: str) -> str:
        dates: dict[str, Any] = json.loads(text)
        return json.dumps({**dates, "last_changed": dates["last_changed"] + when})

    return changed(GAME, {path: edit, DATES: dated})


def field(name: str) -> Edit:
    return lambda text: json.dumps({**json.loads(text), name: json.loads(text)[name] + 7})


@pytest.mark.parametrize("later", [0, 1])
def test_the_later_date_counts(later: int) -> None:
    with_room = saved(ROOM, field("speed"), 1.5 if later else 3.5)
    with_id = saved("project.json", field("last_instance_id"), 2.5)
    made = [mods.make(GAME, new, name=name) for new, name in ((with_room, "r"), (with_id, "i"))]
    result = mods.apply(GAME, made)
    assert result.conflicts == []
    assert mods.apply(GAME, made[::-1]).data == result.data
    dates = [json.loads(plain(game, DATES))["last_changed"] for game in (with_room, with_id)]
    assert json.loads(plain(result.data, DATES))["last_changed"] == max(dates)
    before, after = (json.loads(plain(game, ROOM))["speed"] for game in (GAME, result.data))
    assert after == before + 7


def test_the_last_ids_are_the_largest() -> None:
    games = [
        changed(GAME, {"project.json": lambda text, n=n: json.dumps(
            {**json.loads(text), "last_instance_id": json.loads(text)["last_instance_id"] + n}
        )})  # type: ignore[misc]
        for n in (3, 8)
    ]  # fmt: skip
    made = [mods.make(GAME, new, name=str(number)) for number, new in enumerate(games)]
    result = mods.apply(GAME, made)
    assert result.conflicts == []
    assert plain(result.data, "project.json") == plain(games[1], "project.json")


def test_code_that_keeps_an_old_name_gets_its_changes() -> None:
    """Code of projects is text, in which packing renames nothing by itself."""
    code = "objects/obj_player/create.gml"
    drawn = {code: b"x = 1;\ndraw_background(bg_sky, 0, 0);\ny = 2;\n"}
    old = changed(GAME, drawn)
    moved: dict[str, Edit] = {
        f"backgrounds/bg_{name}.{end}": plain(old, f"backgrounds/bg_sky.{end}")
        if name == "air"
        else None
        for name in ("sky", "air")
        for end in ("png", "json")
    }
    for source in (
        b"x = 1;\ndraw_background(bg_air, 0, 0);\ny = 3;\n",
        b"x = 1;\ndraw_background(bg_sky, 0, 0);\ny = 3;\n",
    ):
        new = changed(old, {**moved, code: source})
        mod = mods.load(mods.make(old, new, name="mod").to_bytes())
        assert mod.left_out == []
        assert mod.renamed == {"backgrounds/bg_sky": "backgrounds/bg_air"}
        result = mods.apply(old, [mod])
        assert not mods.diff(result.data, new)
        assert plain(result.data, code).split() == source.split()


def test_names_that_differ_in_capital_letters() -> None:
    """Where one of them goes, the file of the other one has a simpler name; it is not renamed."""
    simple = {end: plain(GAME, f"backgrounds/bg_sky.{end}") for end in ("png", "json")}
    two = changed(GAME, {f"backgrounds/BG_SKY.{end}": data for end, data in simple.items()})
    with opened(two) as view:
        assert "backgrounds/BG_SKY%~2.json" in view or "backgrounds/bg_sky%~2.json" in view
        places = sorted({view.resources()[path] for path in view.files if "bg_sky" in path.lower()})
    first, second = sorted(places, key=len)
    gone: dict[str, Edit] = {f"{first}.{end}": None for end in simple}
    left = changed(two, gone)
    mod = mods.load(mods.make(two, left, name="mod").to_bytes())
    assert mod.left_out == []
    assert mod.renamed == {}
    assert not mods.diff(mods.apply(two, [mod]).data, left)
    with opened(left) as view:
        assert second not in view.resources().values()  # its file has the simple name now


def several() -> bytes:
    """A project in which a background, a sound, an object and a room have one name."""
    edits: dict[str, Edit] = {
        "backgrounds/start.json": b"{}",
        "backgrounds/start.png": plain(GAME, "backgrounds/bg_sky.png"),
        "sounds/start.json": b'{"volume": 0.5}',
        "objects/start/object.json": b'{"sprite": "spr_wall", "depth": 77}',
        "objects/start/create.gml": b"x = 1;\n",
        "rooms/start/room.json": b'{"caption": "start", "width": 320}',
    }
    return changed(GAME, edits)


def called(game: bytes, names: dict[str, str]) -> bytes:
    """The project with other names of resources: new ones by the old ones' paths."""
    edits: dict[str, Edit] = {}
    for path in files_of(game):
        for old, new in names.items():
            if path.startswith((f"{old}.", f"{old}/")):
                edits[path] = None
                edits[new + path[len(old) :]] = plain(game, path)
    return changed(game, edits)


START = several()
OTHER_NAMES = {"backgrounds/start": "backgrounds/b_start", "sounds/start": "sounds/sn_start"}


def test_what_goes_is_another_resource_than_that_of_its_name_which_is_renamed() -> None:
    renamed = called(START, OTHER_NAMES)
    gone: dict[str, Edit] = {
        path: None for path in files_of(renamed) if path.startswith(("rooms/start/", "objects/st"))
    }
    new = changed(renamed, gone | {"rooms/r_start/room.json": b'{"width": 999, "speed": 7}'})
    mod = mods.load(mods.make(START, new, name="mod").to_bytes())
    assert mod.left_out == []
    assert mod.renamed == OTHER_NAMES
    result = mods.apply(START, [mod])
    assert not mods.diff(result.data, new)
    assert "start" not in json.loads(plain(result.data, "ids.json"))["rooms"]
    assert "start" not in json.loads(plain(result.data, "project.json"))["room_order"]


def test_what_another_mod_does_to_one_of_that_name() -> None:
    rename = mods.make(START, called(START, OTHER_NAMES), name="rename")

    def first(text: str) -> str:
        project = json.loads(text)
        order = [room for room in project["room_order"] if room != "start"]
        return json.dumps({**project, "room_order": ["start", *order]})

    edits: dict[str, Edit] = {
        "project.json": first,
        "rooms/start/room.json": lambda text: json.dumps({**json.loads(text), "caption": "begin"}),
        "rooms/rm_first/tiles.json": lambda text: text.replace("bg_sky", "start"),
        "objects/obj_player/create.gml": b"hspeed = 4;\nx = 2;\n",
    }
    use = mods.make(START, changed(START, edits), name="use")
    result = mods.apply(START, [rename, use])
    assert result.conflicts == []
    assert mods.apply(START, [use, rename]).data == result.data
    assert json.loads(plain(result.data, "project.json"))["room_order"][0] == "start"
    assert json.loads(plain(result.data, "rooms/start/room.json"))["caption"] == "begin"
    (tile,) = json.loads(plain(result.data, "rooms/rm_first/tiles.json"))
    assert tile["background"] == "b_start"


def test_the_new_names_of_one_kind_are_no_difference_in_another() -> None:
    found = mods.diff(START, called(START, OTHER_NAMES))
    changes = {(change.kind, change.path): change.lines() for change in found.changes}
    assert {path for kind, path in changes if kind == "renamed"} == {*OTHER_NAMES.values()}
    assert ("changed", "ids.json") not in changes
    assert ("changed", "project.json") not in changes


def test_a_resource_that_is_renamed_and_changed_is_not_in_the_mod() -> None:
    """Only its changes are, and what others do to it comes along."""
    long = "".join(f"reported[{number}] = {number} * 3; // of the game\n" for number in range(20))
    old = changed(GAME, {"objects/obj_player/step_end.gml": long.encode()})
    new = called(old, {"objects/obj_player": "objects/obj_hero"})
    new = changed(new, {"objects/obj_hero/step.gml": b"y += 2;"})
    mod = mods.load(mods.make(old, new, name="hero").to_bytes())
    assert mod.renamed == {"objects/obj_player": "objects/obj_hero"}
    assert mod.paths() == ["objects/obj_hero/step.gml"]
    assert mods.apply(old, [mod]).data == new
    other = mods.make(
        old,
        changed(old, {"objects/obj_player/step_end.gml": long.encode() + b"z = 1;\n"}),
        name="z",
    )
    result = mods.apply(old, [mod, other])
    assert result.conflicts == []
    assert plain(result.data, "objects/obj_hero/step_end.gml").endswith(b"z = 1;\n")


def test_a_new_resource_behind_a_deleted_one_is_one_difference_in_each_list() -> None:
    """A number in ids.json counts deleted slots; those that stay are no difference."""
    wall = objects_of(GAME, "obj_wall")
    deleted = changed(GAME, {"objects/obj_gap/object.json": b"{}"})
    deleted = changed(deleted, {"objects/obj_last/object.json": b"{}"})
    deleted = changed(deleted, {"objects/obj_gap/object.json": None})
    ids = json.loads(plain(deleted, "ids.json"))["objects"]
    assert ids[-2:] == [1, "obj_last"]
    new = changed(deleted, {p.replace("obj_wall", "obj_new"): data for p, data in wall.items()})
    found = {
        change.path: change.details.get("fields")
        for change in mods.diff(deleted, new).changes
        if change.path in ("ids.json", "tree.json")
    }
    assert found == {
        "ids.json": [{"path": f"objects[{len(ids)}]", "new": "obj_new"}],
        "tree.json": [{"path": "[7].children[obj_new]", "new": "obj_new"}],
    }


def objects_of(game: bytes, name: str) -> dict[str, bytes]:
    """The files of an object, by path."""
    return {p: plain(game, p) for p in files_of(game) if p.startswith(f"objects/{name}/")}
