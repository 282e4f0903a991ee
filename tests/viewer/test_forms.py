"""Fields edited as forms: of every kind and family, with what is wrong at its field."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import ags_games
import overhaul
from ags_package import package
from filling import edited, fields_in, form, labels, send, value
from furnished import furnish
from handmade_project import project_file
from overhaul.viewer.pages.files import path_after, paths_next_to
from viewing import HOST, looking_at

OBJECT = "objects/obj_keeper/object.json"


@pytest.fixture
def game(lantern: Path, tmp_path: Path) -> Path:
    """The demo game with a resource of each kind, to be changed."""
    path = tmp_path / "game.win"
    path.write_bytes(lantern.read_bytes())
    with overhaul.open_game(path) as made:
        furnish(made)
        made.save(path, force=True)
    return path


def test_a_form_that_nobody_touched_changes_nothing(game: Path) -> None:
    with looking_at(game) as client:
        opened = client.site.documents[0]
        seen = set()
        paths = [path for path in opened.files if path.endswith(".json")]
        for path in paths:
            kind = path.partition("/")[0]
            if kind in seen:
                continue
            seen.add(kind)
            address, fields = form(client, path)
            answer = send(client, address, fields)
            assert answer.status_code == 200, (path, answer.text[-800:])
            assert "Nothing changed." in answer.text
            assert "The step is made." not in answer.text
            assert labels(client) == [], path
            assert len(client.get(address).content) < 300_000
    assert {"objects", "rooms", "sprites", "sounds", "general.json", "paths"} <= seen


def test_fields_of_each_type_are_edited(game: Path) -> None:
    with looking_at(game) as client:
        assert "Edit fields" in client.get("/objects/obj_keeper").text
        address, fields = form(client, OBJECT)
        names = dict(fields)
        assert "f:/sprite" in names
        assert '<option value="spr_keeper">' in client.get(address).text
        fields = [each for each in edited(fields, f__sprite="spr_door") if each[0] != "k:/visible"]
        answer = send(client, address, fields)
        assert answer.status_code == 200 and "The step is made." in answer.text
        assert value(client, OBJECT)["sprite"] == "spr_door"
        assert value(client, OBJECT)["visible"] is False
        fields = edited(form(client, OBJECT)[1], f__sprite="", f__depth="-12")
        assert send(client, address, fields).status_code == 200
        assert value(client, OBJECT)["sprite"] is None
        assert value(client, OBJECT)["depth"] == -12
        assert labels(client) == [f"Edit {OBJECT}"] * 2


def test_what_is_wrong_stands_at_its_field_and_nothing_is_lost(game: Path) -> None:
    with looking_at(game) as client:
        address, fields = form(client, OBJECT)
        for key, wrong in (
            ("f__depth", "twelve"), ("f__depth", "99999999999999"), ("f__sprite", "spr_nothing"),
        ):  # fmt: skip
            answer = send(client, address, edited(fields, **{key: wrong}))
            assert answer.status_code == 422, wrong
            assert f'value="{wrong}"' in answer.text
            assert 'aria-invalid="true"' in answer.text
        assert labels(client) == []
        assert send(client, address, edited(fields, f__depth="3")).status_code == 200
        late = send(client, address, edited(fields, f__depth="4"))
        assert late.status_code == 409
        assert value(client, OBJECT)["depth"] == 3


def test_elements_are_added_moved_and_removed(game: Path) -> None:
    with looking_at(game) as client:
        opened = client.site.documents[0]
        path = next(each for each in opened.files if each.startswith("paths/"))
        points = value(client, path)["points"]

        def do(what: str) -> list[Any]:
            address, fields = form(client, path)
            answer = send(client, address, fields, what)
            assert answer.status_code == 200, answer.text[-800:]
            now: list[Any] = value(client, path)["points"]
            return now

        assert do("add:/points") == [*points, points[-1]]
        assert do("remove:/points/0") == [*points[1:], points[-1]]
        assert do("duplicate:/points/0")[:2] == [points[1], points[1]]
        address, fields = form(client, path)
        for wrong in ("remove:/points/99", "up:/closed", "add:/nothing", "eat:/points/0", "up:x"):
            answer = send(client, address, fields, wrong)
            assert answer.status_code in (200, 422), wrong
        assert len(labels(client)) == 3


def test_a_part_of_a_file_has_a_form_of_its_own(game: Path) -> None:
    with looking_at(game) as client:
        opened = client.site.documents[0]
        room = next(each for each in opened.files if each.startswith("rooms/"))
        whole = value(client, room)
        key = next(k for k, v in whole.items() if isinstance(v, list) and v and "object" in v[0])
        address, fields = form(client, room, f"/{key}/0")
        names = [name for name, _ in fields]
        assert f"f:/{key}/0/x" in names
        fields = [(n, "77" if n == f"f:/{key}/0/x" else t) for n, t in fields]
        assert send(client, address, fields).status_code == 200
        now = value(client, room)
        assert now[key][0]["x"] == 77
        assert now[key][1:] == whole[key][1:]
        last = client.get("/-/form.json", params={"path": room, "at": f"/{key}", "from": "9999"})
        assert last.json()["first"] == last.json()["count"] - 1 >= 0
        assert client.get(f"/-/form?path={room}&at=/{key}/9999").status_code == 404
        assert client.get(f"/-/form?path={room}&at=nonsense").status_code == 404
        assert client.get("/-/form?path=../x.json").status_code == 404


def test_games_of_adventure_game_studio_have_forms(tmp_path: Path) -> None:
    path = tmp_path / "game.ags"
    path.write_bytes(package())
    with looking_at(path) as client:
        whole = client.site.documents[0]
        name = next(each for each in whole.inside.paths() if each.endswith(".crm"))
        prefix = whole.inside.open(name).prefix
        address = f"{prefix}/-/form?path=room.json"
        answer = client.get(address)
        fields = fields_in(answer.text)
        assert send(client, address, fields).status_code == 200
        assert labels(client) == []
        assert send(client, address, edited(fields, f__PlayerCharacterView="3")).status_code == 200
        assert len(labels(client)) == 1
        room = whole.inside.open(name)
        assert room.writer is not None
        assert json.loads(room.writer.read("room.json"))["PlayerCharacterView"] == 3


def test_the_form_of_a_resource_that_got_another_name_is_shown(tmp_path: Path) -> None:
    """Files of Adventure Game Studio are called as their fields say."""
    path = tmp_path / "game28.dta"
    path.write_bytes(ags_games.game().to_bytes())
    with looking_at(path) as client:
        address, fields = form(client, "guis/gBar.json")
        answer = send(client, address, edited(fields, f__Name="gTop"))
        assert answer.status_code == 200 and "The step is made." in answer.text
        assert answer.url.params["path"] == "guis/gTop.json"
        shown = json.loads(client.get("/-/file.json?path=guis/gTop.json").text)
        typed = {
            "text": shown["text"].replace("gTop", "gBottom"), "base": shown["base"],
            "before": shown["before"],
        }  # fmt: skip
        answer = client.post("/-/file?path=guis/gTop.json", headers={"Origin": HOST}, data=typed)
        assert answer.status_code == 200
        assert answer.url.params["path"] == "guis/gBottom.json"
        opened = client.site.documents[0]
        known = paths_next_to(opened, "guis/gTop.json")
        assert known == {"guis/gBottom.json"}
        assert path_after(opened, "guis/gTop.json", known | {"guis/gTop.json"}) == ""
        assert path_after(opened, "nowhere.asm", known) == "nowhere.asm"


def test_a_field_without_a_value_of_a_project_names_a_resource(tmp_path: Path) -> None:
    """Projects declare no fields; what can be named there is known all the same."""
    path = tmp_path / "game.gmk"
    path.write_bytes(project_file(800))
    where = "/-/form?path=objects/obj_wall/object.json"
    with looking_at(path) as client:
        page = client.get(where.replace("form?", "form.json?")).json()
        fields = {field["label"]: field for field in page["fields"]}
        assert [(fields[key]["type"], fields[key]["kind"]) for key in ("parent", "mask")] == [
            ("name", "object"), ("name", "sprite"),
        ]  # fmt: skip
        assert fields["depth"]["type"] == "integer"
        sent = {"f:/parent": "obj_player", "do": "save", "before": page["before"]}
        assert client.post(where, headers={"Origin": HOST}, data=sent).status_code == 200
        writer = client.site.documents[0].writer
        assert writer is not None
        now = json.loads(writer.read("objects/obj_wall/object.json"))
        assert now["parent"] == "obj_player"
        before = client.get(where.replace("form?", "form.json?")).json()["before"]
        sent = {"f:/parent": "", "do": "save", "before": before}
        assert client.post(where, headers={"Origin": HOST}, data=sent).status_code == 200
        assert json.loads(writer.read("objects/obj_wall/object.json"))["parent"] is None


def test_names_are_found_by_what_they_contain(game: Path) -> None:
    with looking_at(game) as client:
        found = client.get("/-/names-of.json?kind=sprite&q=KEEP").json()
        nothing = client.get("/-/names-of.json?kind=no+kind").json()
    assert (found["names"][0], found["all"]) == ("spr_keeper", True)
    assert nothing["names"] == []


def test_characters_that_a_browser_can_t_show_stay(game: Path, tmp_path: Path) -> None:
    root, path = tmp_path / "folder", "rooms/rm_cave.json"
    overhaul.unpack(game, root)
    caption = "x\0y\r\nz\rend "
    odd = json.loads((root / path).read_bytes()) | {"caption": caption, "speed": 30}
    (root / path).write_text(json.dumps(odd))
    before = (root / path).read_bytes()
    with looking_at(root) as client:
        address, fields = form(client, path)
        sent = dict(fields) | {"f:/caption": "x\ufffdy\r\nz\r\nend "}
        assert send(client, address, [*sent.items()]).status_code == 200
        assert (root / path).read_bytes() == before
        assert send(client, address, [*(sent | {"f:/speed": "47"}).items()]).status_code == 200
        assert value(client, path) == odd | {"speed": 47}
