"""Rooms edited on a canvas: what the canvas sends, for games of each family."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

import httpx2
import pytest

from ags_package import package
from handmade_project import project_file
from overhaul.document.room_views import LayerShown, RoomView
from overhaul.errors import WorkspaceError
from overhaul.viewer.pages.roomedit import Group, RoomElement, Slice, _stack
from overhaul.workbench import rooms
from overhaul.workbench.forms import Mistyped
from viewing import HOST, Browser, looking_at

PATH = {"background_room": "rm_first", "points": [[8, 8, 100], [300, 20.5, 50]]}
ROOM = json.dumps(
    {
        "instances": [
            {"object": "a", "x": 1, "id": 7},
            {"object": "b", "y": 2.5, "layer": "L", "id": 8},
            {"object": "c", "id": 9},
        ],
        "layers": [{"name": "M", "data": {"sprites": [{"name": "g", "sprite": "s", "x": 4}]}},
                   {"name": "N", "data": {"tiles": [[1, 2], [3, 4]]}}],
        "tiles": [],
    }
).encode()  # fmt: skip


def test_things_are_found_by_layer() -> None:
    placed = rooms.placed_in("r.json", ROOM)
    assert [(each.pointer, each.layer, each.shape.word, len(each.elements)) for each in placed] == [
        ("/instances", "", "instance", 2),
        ("/instances", "L", "instance", 1),
        ("/layers/0/data/sprites", "M", "sprite", 1),
        ("/tiles", "", "tile", 0),
    ]
    assert rooms.placed_in("x/tiles.json", b'[{"x": 1}]')[0].pointer == ""
    assert rooms.placed_in("x/other.json", b'[{"x": 1}]') == []
    assert rooms.placed_in("r.json", b'{"instances": [{"x": "left"}, 5]}') == []


def test_operations_change_the_file() -> None:
    ops = [
        {"op": "set", "path": "r.json", "at": "/instances/0", "x": 5, "y": 0},
        {"op": "set", "path": "r.json", "at": "/instances/1", "x": 0, "y": 3.25},
        {"op": "remove", "path": "r.json", "at": "/instances/2"},
        {"op": "add", "path": "r.json", "to": "/instances", "at": "/instances/2", "x": 8, "y": 9},
        {"op": "add", "path": "r.json", "to": "/tiles", "x": 1, "y": 1,
         "value": {"background": "bg"}},
    ]  # fmt: skip
    made = rooms.changed(rooms.operations(json.dumps(ops)), lambda path: ROOM)
    value = json.loads(made["r.json"])
    assert value["instances"] == [
        {"object": "a", "x": 5, "id": 7},
        {"object": "b", "y": 3.25, "layer": "L", "id": 8},
        {"object": "c", "x": 8, "y": 9},
    ]
    assert value["tiles"] == [{"background": "bg", "x": 1, "y": 1}]
    assert value["layers"] == json.loads(ROOM)["layers"]


@pytest.mark.parametrize(
    "wrong",
    [
        "", "[", "{}", "7", '[{"op": "set"}]', '[{"op": "fly", "path": "r.json"}]',
        '[{"op": "set", "path": "r.json", "at": "/layers/0"}]',
        '[{"op": "set", "path": "r.json", "at": "/instances/99"}]',
        '[{"op": "set", "path": "r.json", "at": "/instances/0", "x": 1e300}]',
        '[{"op": "remove", "path": "r.json", "at": "/instances"}]',
        '[{"op": "remove", "path": "r.json", "at": "/layers/1/data/tiles/0"}]',
        '[{"op": "add", "path": "r.json", "to": "/layers"}]',
        '[{"op": "add", "path": "r.json", "to": "/tiles", "at": "/nothing/0"}]',
        '[{"op": "add", "path": "r.json", "to": "/tiles", "fields": {"x": []}}]',
    ],
)  # fmt: skip
def test_other_operations_are_refused(wrong: str) -> None:
    with pytest.raises(WorkspaceError):
        rooms.changed(rooms.operations(wrong), lambda path: ROOM)


LAYERED = {
    "instances": [
        {"object": "a", "x": 1, "id": 7, "layer": "L"},
        {"object": "b", "id": 8},
        {"object": "c", "id": 9, "scale_x": 2.0},
    ],
    "views": [{"enabled": True}, {"view_x": 4}],
    "layers": [{"name": "L"}, {"name": "M", "data": {"instances": [9, 8]}}, {"name": "Empty"},
               {"name": "Back", "type": "background"}],
}  # fmt: skip


def done(*ops: dict[str, Any], room: object = LAYERED) -> dict[str, Any]:
    """What operations make of a room."""
    text = json.dumps([{"path": "r.json", **each} for each in ops])
    data = json.dumps(room).encode()
    made = rooms.changed(rooms.operations(text), lambda path: data)
    return cast("dict[str, Any]", json.loads(made["r.json"]))


def test_layers_without_elements_and_those_that_list_ids_are_found() -> None:
    placed = rooms.placed_in("r.json", json.dumps(LAYERED).encode())
    assert [(each.pointer, each.layer, [e.pointer for e in each.elements]) for each in placed] == [
        ("/instances", "L", ["/instances/0"]),
        ("/instances", "M", ["/instances/1", "/instances/2"]),
        ("/instances", "Empty", []),
        ("/views", "", ["/views/0", "/views/1"]),
    ]


def test_an_element_goes_to_another_layer() -> None:
    to_l = {"op": "set", "at": "/instances/1", "x": 0, "y": 0, "layer": "L"}
    made = done(to_l, {"op": "add", "to": "/instances", "at": "/instances/2", "layer": "M"})
    assert made["instances"][1] == {"object": "b", "id": 8, "layer": "L"}
    assert made["instances"][3] == {"object": "c", "scale_x": 2.0, "layer": "M"}
    assert [each.get("data") for each in made["layers"]] == [
        None, {"instances": [9]}, None, None,
    ]  # fmt: skip
    removed = done({"op": "remove", "at": "/instances/2"})
    assert removed["layers"][1]["data"] == {"instances": [8]}
    with pytest.raises(WorkspaceError, match="no layer 'Back'"):
        done({**to_l, "layer": "Back"})


def test_fields_are_read_as_they_are_in_a_form() -> None:
    fields = {"object": "z", "scale_x": "0.5"}
    made = done({"op": "set", "at": "/instances/2", "x": 0, "y": 0, "fields": fields})
    assert made["instances"][2] == {"object": "z", "id": 9, "scale_x": 0.5}
    with pytest.raises(Mistyped, match="expected a number, got 'wide'") as wrong:
        done({"op": "set", "at": "/instances/2", "fields": {"scale_x": "wide"}})
    assert wrong.value.pointer == "/instances/2/scale_x"


def test_elements_are_put_in_another_order() -> None:
    new = {"op": "add", "to": "/instances", "value": {"object": "d"}, "x": 2, "y": 3}
    order = {"op": "order", "to": "/instances", "order": [3, 2, 0, 1]}
    made = done(new, order, {"op": "remove", "at": "/instances/0"})
    assert [each["object"] for each in made["instances"]] == ["d", "c", "b"]
    for wrong in ([0, 1], [0, 1, 1], [0, 1, 3], []):
        with pytest.raises(WorkspaceError, match="each element once"):
            done({**order, "order": wrong})


def test_views_are_moved_and_stay_where_they_are() -> None:
    made = done({"op": "set", "at": "/views/1", "x": 9, "y": 5})
    assert made["views"] == [{"enabled": True}, {"view_x": 9, "view_y": 5}]
    for each in (
        {"op": "remove", "at": "/views/0"}, {"op": "add", "to": "/views", "at": "/views/0"},
        {"op": "order", "to": "/views", "order": [1, 0]},
    ):  # fmt: skip
        with pytest.raises(WorkspaceError, match="a view is known by its number"):
            done(each)


def post(client: Browser, address: str, **sent: Any) -> httpx2.Response:
    return client.post(address, headers={"Origin": HOST}, data=sent)


def edited(client: Browser, where: str) -> None:
    """Move, duplicate and remove the elements of a room; all of it is in the game then."""
    page = client.get(f"{where}.json").json()
    assert client.get(where).status_code == 200
    group = next(each for each in page["groups"] if each["items"])
    first = group["items"][0]
    own = {"path": group["path"]}
    ops = [
        {"op": "set", **own, "at": first["at"], "x": first["x"] + 3, "y": first["y"] + 2},
        {"op": "add", **own, "to": group["to"], "at": first["at"], "x": 1, "y": 1},
    ]
    sent = {"ops": json.dumps(ops), "before": json.dumps(page["before"])}
    done = post(client, where, **sent)
    assert done.status_code == 200, done.text[-600:]
    assert post(client, where, **sent).status_code == 409
    now = client.get(f"{where}.json").json()
    items = [each for other in now["groups"] for each in other["items"]
             if (other["path"], other["to"]) == (group["path"], group["to"])]  # fmt: skip
    moved = next(each for each in items if each["at"] == first["at"])
    assert (moved["x"], moved["y"]) == (first["x"] + 3, first["y"] + 2)
    assert len(items) == 1 + sum(
        len(each["items"]) for each in page["groups"]
        if (each["path"], each["to"]) == (group["path"], group["to"])
    )  # fmt: skip
    ops = [{"op": "remove", **own, "at": first["at"]}]
    sent = {"ops": json.dumps(ops), "before": json.dumps(now["before"])}
    assert post(client, where, **sent).status_code == 200


def test_rooms_of_games(lantern: Path, tmp_path: Path) -> None:
    path = tmp_path / "game.win"
    path.write_bytes(lantern.read_bytes())
    layered = "gms1" not in lantern.name
    with looking_at(path) as client:
        assert "Edit on a canvas" in client.get("/rooms/rm_cave").text
        page = client.get("/-/room/rooms/rm_cave.json").json()
        picked = client.get("/-/pick.json?kind=object&q=keeper").json()
        assert [each["name"] for each in picked["choices"]] == ["obj_keeper"]
        looks = page["looks"].values()
        assert all(client.get(look["href"]).status_code == 200 for look in looks)
        group = page["groups"][0]
        types = {field["key"]: field["type"] for field in group["fields"]}
        assert (types["object"], types["colour"], types["rotation"]) == ("name", "abgr", "number")
        assert (group["kind"], group["layered"], group["coded"]) == ("object", layered, True)
        assert group["items"][0]["fields"]["id"] == "100000"
        words = [each["word"] for each in page["groups"]]
        assert words == ["instance", *(["tile"] if not layered else []), "view"]
        edited(client, "/-/room/rooms/rm_cave")
        assert client.get("/-/room/sprites/spr_keeper").status_code == 404
        other = {"op": "set", "path": "general.json", "at": "/instances/0"}
        wrong = post(client, "/-/room/rooms/rm_cave", ops=json.dumps([other]), before="{}")
        assert wrong.status_code in (404, 422)


def test_an_instance_gets_creation_code(lantern: Path, tmp_path: Path) -> None:
    path = tmp_path / "game.win"
    path.write_bytes(lantern.read_bytes())
    where = "/-/room/rooms/rm_cave"
    with looking_at(path) as client:
        made = post(client, where, do="code", id="100003")
        assert made.url.path == "/-/edit/code/gml_RoomCC_rm_cave_100003_Create"
        item = client.get(f"{where}.json").json()["groups"][0]["items"][3]
        assert item["code"] == made.url.path
        assert "1 step" in client.get("/").text
        assert post(client, where, do="code", id="100003").url.path == made.url.path
        assert "1 step" in client.get("/").text
        assert post(client, where, do="code", id="-").status_code == 422


def test_rooms_of_projects(tmp_path: Path) -> None:
    path = tmp_path / "game.gmk"
    path.write_bytes(project_file(800))
    with looking_at(path) as client:
        rows = client.get("/rooms.json").json()["rows"]
        where = f"/-/room{rows[0]['href']}"
        edited(client, where)
        item = next(
            item for group in client.get(f"{where}.json").json()["groups"]
            if group["coded"] for item in group["items"] if not item["code"]
        )  # fmt: skip
        made = post(client, where, do="code", id=item["fields"]["id"])
        assert made.status_code == 200
        assert made.url.params["path"].endswith(f"/instance_{item['fields']['id']}.gml")


def test_rooms_of_adventure_game_studio(tmp_path: Path) -> None:
    path = tmp_path / "game.ags"
    path.write_bytes(package())
    with looking_at(path) as client:
        whole = client.site.documents[0]
        name = next(each for each in whole.inside.paths() if each.endswith(".crm"))
        room = whole.inside.open(name)
        entry = next(each for each in room.entries() if each.kind == "room")
        where = f"{room.prefix}/-/room{room.own_path(entry)}"
        page = client.get(f"{where}.json").json()
        assert page["picture"]
        assert client.get(page["picture"]).status_code == 200
        group = page["groups"][0]
        ops = [{"op": "set", "path": group["path"], "at": group["items"][0]["at"], "x": 3, "y": 1}]
        sent = {"ops": json.dumps(ops), "before": json.dumps(page["before"])}
        assert post(client, where, **sent).status_code == 200
        now = client.get(f"{where}.json").json()["groups"][0]["items"][0]
        assert (now["x"], now["y"]) == (3, 1)


def test_a_path_is_drawn_and_edited_over_its_room(tmp_path: Path) -> None:
    path = tmp_path / "made.gm81"
    path.write_bytes(project_file(810, {"paths/pth_loop.json": json.dumps(PATH).encode()}))
    with looking_at(path) as client:
        rooms_of_game = client.get("/rooms.json").json()["rows"]
        first, other = rooms_of_game[0]["name"], rooms_of_game[-1]["name"]
        page = client.get("/-/room/paths/pth_loop.json").json()
        plain = client.get("/-/room/paths/pth_loop.json?room=").json()
        shown = client.get("/paths/pth_loop").text
        over = client.get(f"/-/room/paths/pth_loop.json?room={other}").json()
        strange = client.get("/-/room/paths/pth_loop.json?room=nothing").json()
        file = "paths/pth_loop.json"
        ops = [{"op": "set", "path": file, "at": "/points/0", "x": 9, "y": 8},
               {"op": "add", "path": file, "to": "/points", "x": 5, "y": 6},
               {"op": "add", "path": file, "to": "/points", "at": "/points/1", "x": 7, "y": 8.5},
               {"op": "remove", "path": file, "at": "/points/1"}]  # fmt: skip
        before = json.dumps(page["before"])
        sent = {"ops": json.dumps(ops), "before": before}
        answer = post(client, f"/-/room/paths/pth_loop?room={other}", **sent)
        points = client.get("/-/record/paths/pth_loop.json").json()["fields"]["points"]
    assert points == [[9, 8, 100], [5, 6, 100], [7, 8.5, 50]]
    assert page["tiles"] == f"/rooms/{first}/tiles"
    assert [room["name"] for room in page["rooms"] if room["chosen"]] == [first]
    assert page["width"] >= page["behind"][0]
    assert f'<image href="/rooms/{first}/picture.png"' in shown
    assert (plain["tiles"], plain["line"]) == ("", True)
    assert over["tiles"] == f"/rooms/{other}/tiles"
    assert strange["tiles"] == ""
    assert answer.url.query == f"room={other}".encode()


def test_what_can_be_moved_is_drawn_in_the_order_of_layers() -> None:
    class Layered:
        shown_layers = (
            LayerShown("Front", depth=-100),
            LayerShown("Things", depth=0),
            LayerShown("Hidden", visible=False, depth=50),
            LayerShown("Tiles", depth=100),
            LayerShown("Back", depth=200),
        )

    item = RoomElement("/instances/0", 1, 2, "", "obj")
    groups = [
        Group("room.json", "/tiles", "tile", "", "background", []),
        Group("room.json", "/instances", "instance", "Things", "object", [item]),
        Group("room.json", "/layers/2/data/sprites", "sprite", "Hidden", "sprite", []),
    ]
    stack = _stack(cast("RoomView", Layered()), groups)
    assert [(each.layers, each.groups) for each in stack] == [
        ("4-3", []), ("", [1]), ("0", []), ("", [0, 2]),
    ]  # fmt: skip
    assert _stack(None, groups) == [Slice("", [0, 1, 2])]
