"""Ids of instances and layers in the JSON of rooms."""

from __future__ import annotations

from typing import Any

import pytest

from edited_games import changed, edited, packed, shown, unpacked
from overhaul.errors import WorkspaceError
from overhaul.gamemaker.data.chunks.room import InstancesLayer, Layer, Room
from overhaul.gamemaker.data.game import GameData
from present import present

PATH = "rooms/rm_first.json"
VERSION = "2024.14"


@pytest.fixture(scope="module")
def data() -> bytes:
    """rm_first has the layer 0 and the instances 100000 and 100001, rm_other the layer 7."""

    def add(game: GameData) -> None:
        (layer,) = present(game.records.rooms["rm_first"].layers)
        layer.id = 0
        far = Layer(game.strings.add("Far"), 7, data=InstancesLayer())
        game.records.rooms.append(Room(game.strings.add("rm_other"), layers=[far]))

    return changed(VERSION, add)


def layer_ids(game: Any, room: str) -> list[int]:
    return [layer.id for layer in game.records.rooms[room].layers]


def test_new_layers_get_fresh_ids(data: bytes) -> None:
    plain = shown(data, PATH)
    assert [layer["id"] for layer in plain["layers"]] == [0]
    plain["layers"] = [{"name": "Sky"}, *plain["layers"], {"name": "Ground"}]
    plain["instances"][0]["layer"] = "Ground"
    game, warnings = edited(data, {PATH: plain})
    assert layer_ids(game, "rm_first") == [8, 0, 9] and warnings == []
    assert game.records.rooms["rm_first"].layers[2].data.instances == [100000]
    room = {"layers": [{"name": "A"}, {"name": "B", "id": 30}, {"name": "C"}]}
    changes = {PATH: plain, "rooms/rm_more.json": room, "rooms/rm_zz.json": {"layers": [{}]}}
    game, warnings = edited(data, changes)
    ids = [number for name in ("rm_first", "rm_more", "rm_zz") for number in layer_ids(game, name)]
    assert len(set(ids)) == 7 and ids[1] == 0 and 30 in ids and warnings == []
    assert min(set(ids) - {0}) > 7


def test_a_layer_that_lost_its_id_keeps_it(data: bytes) -> None:
    plain = shown(data, "rooms/rm_other.json")
    del plain["layers"][0]["id"]
    game, _ = edited(data, {"rooms/rm_other.json": plain | {"speed": 5}})
    assert layer_ids(game, "rm_other") == [7]
    plain["layers"].append({"name": "New", "id": 7})
    game, _ = edited(data, {"rooms/rm_other.json": plain})
    assert layer_ids(game, "rm_other") == [8, 7]


@pytest.mark.parametrize("key", ["instances", "layers"])
def test_new_duplicates_are_refused(data: bytes, key: str) -> None:
    plain = shown(data, PATH)
    first = plain[key][0]
    plain[key].append(dict(first) | ({"name": "Twin"} if key == "layers" else {}))
    place = rf"{key}\[{len(plain[key]) - 1}\]\.id: the id {first['id']} occurs twice"
    with pytest.raises(WorkspaceError, match=rf"rm_first\.json: {place} \(without an id"):
        edited(data, {PATH: plain})
    del plain[key][-1]["id"]
    game, warnings = edited(data, {PATH: plain})
    assert warnings == []
    assert layer_ids(game, "rm_first") == ([0, 8] if key == "layers" else [0])
    ids = [instance.id for instance in game.records.rooms["rm_first"].instances]
    assert ids == [100000, 100001, *([100002] if key == "instances" else [])]


def test_old_duplicates_are_reported() -> None:
    def repeat(game: GameData) -> None:
        room = game.records.rooms["rm_first"]
        room.instances[1].id = room.instances[0].id
        present(room.layers)[0].data.instances[:] = [100000]

    data = changed(VERSION, repeat)
    game, warnings = edited(data, {PATH: shown(data, PATH) | {"speed": 31}})
    assert game.records.rooms["rm_first"].speed == 31
    assert warnings == ["rooms/rm_first.json: instances: the id 100000 occurs twice"]
    plain = shown(data, PATH)
    plain["instances"].append(plain["instances"][0])
    with pytest.raises(WorkspaceError, match=r"instances\[2\]\.id: the id 100000 occurs twice"):
        edited(data, {PATH: plain})


def test_what_has_the_id_of_another_room_gets_its_own(data: bytes) -> None:
    files = unpacked(data)
    game, warnings = edited(data, {"rooms/rm_copy.json": files[PATH]})
    reason = "other rooms have these ids, so there are new ones"
    assert warnings == [
        f"rooms/rm_copy.json: instances: {reason}: 100000 is 100002, 100001 is 100003",
        f"rooms/rm_copy.json: layers: {reason}: 0 is 8",
    ]
    room = game.records.rooms["rm_copy"]
    assert [i.id for i in room.instances] == [100002, 100003]
    assert present(room.layers)[0].data.instances == [100002, 100003]
    assert game.general.last_object_id == 100004
    assert [i.id for i in game.records.rooms["rm_first"].instances] == [100000, 100001]
    # two at once: the first of them keeps what only both have
    new = shown(data, PATH)
    for item in new["instances"]:
        item["id"] += 500
    both = {f"rooms/rm_{name}.json": new for name in ("one", "two")}
    game, _ = edited(data, both)
    ids = {
        name: [i.id for i in game.records.rooms[name].instances] for name in ("rm_one", "rm_two")
    }
    assert ids == {"rm_one": [100500, 100501], "rm_two": [100502, 100503]}
    # what moved from one room to another keeps its id
    plain = shown(data, PATH)
    moved = {"instances": [plain["instances"].pop()], "layers": plain["layers"]}
    game, warnings = edited(data, {PATH: plain, "rooms/rm_to.json": moved})
    assert [i.id for i in game.records.rooms["rm_to"].instances] == [100001]


@pytest.mark.parametrize("key", ["instances", "layers"])
def test_an_id_of_another_room_that_occurs_twice_is_refused(data: bytes, key: str) -> None:
    new = shown(data, PATH)
    new["layers"].append({**new["layers"][0], "name": "Second"})
    number = new[key][0]["id"]
    for item in new[key]:
        item["id"] = number
    place = rf"rooms/rm_copy\.json.*{key}\[{len(new[key]) - 1}\]\.id: the id {number} occurs twice"
    with pytest.raises(WorkspaceError, match=place):
        edited(data, {"rooms/rm_copy.json": new})


def test_new_ids_are_given_where_others_have_none(data: bytes) -> None:
    plain = shown(data, PATH)
    for item in plain["instances"] + plain["layers"]:
        del item["id"]
    game, warnings = edited(data, {"rooms/rm_copy.json": plain})
    assert warnings == [] and layer_ids(game, "rm_copy") == [8]
    assert [i.id for i in game.records.rooms["rm_copy"].instances] == [100002, 100003]


def test_instances_and_layers_that_do_not_match_are_reported(data: bytes) -> None:
    plain = shown(data, PATH)
    for instance in plain["instances"]:
        del instance["layer"]
    _, warnings = edited(data, {PATH: plain})
    assert warnings == [f"{PATH}: the instances 100000, 100001 are on no layer"]
    plain["layers"][0]["data"] = {"instances": [100000, 5, 6, 7, 8, 100001, 100001]}
    _, warnings = edited(data, {PATH: plain})
    assert warnings == [
        f"{PATH}: the layer Instances lists the instances 5, 6, 7 and 1 more, which the room does "
        "not have",
        f"{PATH}: the instances 100001 are on two layers",
    ]


@pytest.mark.parametrize("version", ["1.0.0.1763", "2.2.5"])
def test_rooms_without_faults_have_no_reports(version: str) -> None:
    plain = shown(packed(version), PATH)
    game, warnings = edited(packed(version), {PATH: plain | {"speed": 31}})
    assert warnings == [] and game.records.rooms["rm_first"].speed == 31
