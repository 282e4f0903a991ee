"""Lists of drag-and-drop actions, edited row by row."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import httpx2
import pytest

import overhaul
from handmade_project import VERSIONS, project_file
from overhaul.gamemaker.classic.action_table import definitions
from overhaul.gamemaker.classic.describing import choices_of, title_of
from overhaul.workbench.actions import ActionFiles
from viewing import HOST, Browser, looking_at

OBJECT = "/-/actions/objects/obj_player"
WALL = f"{OBJECT}?event=collision_obj_wall"
FOLDER = "objects/obj_player/collision_obj_wall"


def post(client: Browser, address: str, **sent: Any) -> httpx2.Response:
    return client.post(address, headers={"Origin": HOST}, data=sent)


def text(client: Browser, path: str) -> str:
    writer = client.site.documents[0].writer
    assert writer is not None
    return writer.read(path).decode()


def actions(client: Browser, event: str = "collision_obj_wall") -> list[dict[str, Any]]:
    path = f"objects/obj_player/{event}/actions.json"
    found: list[dict[str, Any]] = json.loads(text(client, path))
    return found


def problem_of(answer: httpx2.Response) -> str:
    found = re.search(r'role="alert">(.*?)</p>', answer.text, re.S)
    return "" if found is None else found[1]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    path = tmp_path / "made.gmk"
    path.write_bytes(project_file(800))
    return path


def test_rows_are_set_moved_copied_and_removed(project: Path) -> None:
    with looking_at(project) as client:
        assert f'href="{WALL}"' in client.get("/objects/obj_player").text
        before = actions(client)
        shown = client.get(WALL).text
        assert "Set the sprite to" in shown and 'list="names-sprite"' in shown
        values = {"a:0": "obj_player", "a:1": "x + 4", "a:2": "y", "applies": "obj_wall"}
        assert post(client, WALL, do="set:3", flags="1", **values).status_code == 200
        now = actions(client)
        assert now[3] == {
            "action": "action_create_object",
            "applies_to": {"object": "obj_wall"},
            "arguments": [{"object": "obj_player"}, "x + 4", "y"],
        }
        assert [*now[:3], *now[4:]] == [*before[:3], *before[4:]]
        assert post(client, WALL, do="up:3").status_code == 200
        assert [row["action"] for row in actions(client)[2:4]] == ["action_create_object", "code"]
        assert post(client, WALL, do="duplicate:3").status_code == 200
        rows = actions(client)
        assert rows[3] == {"action": "code", "file": "1.gml"} and rows[4]["file"] == "2.gml"
        assert text(client, f"{FOLDER}/2.gml") == text(client, f"{FOLDER}/1.gml")
        assert post(client, WALL, do="remove:3").status_code == 200
        assert len(actions(client)) == len(before)
        added = post(client, WALL, do="add", name="Set the horizontal speed to …")
        assert added.status_code == 200
        assert actions(client)[-1] == {"action": "action_set_hspeed", "arguments": ["0"]}
        for _ in range(5):
            assert post(client, "/-/undo").status_code == 200
        assert actions(client) == before
        post(client, "/-/redo")
        assert post(client, "/-/save").status_code == 200
    with overhaul.open(project) as document:
        assert document.to_bytes() == project.read_bytes()


def test_code_becomes_a_list_of_actions(project: Path) -> None:
    with looking_at(project) as client:
        code = text(client, "objects/obj_player/step.gml")
        where = f"{OBJECT}?event=step"
        assert client.get(where).status_code == 200
        assert post(client, where, do="add", name="Destroy the instance").status_code == 200
        made = [{"action": "code", "file": "1.gml"}, {"action": "action_kill_object"}]
        assert actions(client, "step") == made
        assert text(client, "objects/obj_player/step/1.gml") == code
        assert post(client, where, do="remove:1").status_code == 200
        assert text(client, "objects/obj_player/step.gml") == code


@pytest.mark.parametrize(
    ("sent", "problem"),
    [
        ({"do": "add", "name": "fly"}, "there is no action"),
        ({"do": "remove:99"}, "has no action 99"),
        ({"do": "set:6", "a:0": "spr_nothing", "a:1": "1"}, "spr_nothing"),
        ({"do": "set:3", "a:0": "", "a:1": "0", "a:2": "0", "applies": "obj_no"}, "obj_no"),
    ],
)
def test_what_can_not_be_done_is_said(sent: dict[str, str], problem: str, project: Path) -> None:
    with looking_at(project) as client:
        before = actions(client)
        answer = post(client, WALL, **sent)
        assert answer.status_code == 422 and problem in problem_of(answer)
        assert actions(client) == before
        assert client.get(f"{OBJECT}?event=../x").status_code == 404
        assert client.get(f"{OBJECT}?event=alarm_1").status_code == 422


@pytest.mark.parametrize("version", VERSIONS[::3])
def test_actions_of_the_libraries_can_be_added(version: int, tmp_path: Path) -> None:
    path = tmp_path / "made.gmk"
    path.write_bytes(project_file(version))
    with looking_at(path) as client:
        names = [each.name for each in definitions().values()][::12]
        for name in names:
            assert post(client, WALL, do="add", name=name).status_code == 200
        assert [row["action"] for row in actions(client)[-len(names) :]] == names


def test_titles_and_menus() -> None:
    assert title_of(103) == "Set the horizontal speed to …"
    assert title_of(213) == "The sound … is playing"
    assert choices_of(115, 0) == ["not precisely", "precisely"]
    assert choices_of(103, 0) == [] and title_of(1) == ""


def test_a_file_that_two_actions_run_stays_until_both_are_removed() -> None:
    rows = [{"action": "code", "file": "1.gml"}, {"action": "code", "file": "1.gml"}]
    files = {"e/actions.json": json.dumps(rows).encode(), "e/1.gml": b"x = 1"}
    edited = ActionFiles("e", files.__getitem__, files.__contains__)
    edited.remove(0)
    assert edited.changes == {} and edited.actions == rows[1:]
    edited.remove(0)
    assert edited.changes == {"e/1.gml": None} and edited.actions == []


def test_an_action_is_moved_to_any_place(project: Path) -> None:
    with looking_at(project) as client:
        assert len(actions(client)) == 8
        for at, to in ((0, 7), (3, 1), (2, 2)):
            rows = actions(client)
            row = rows.pop(at)
            rows.insert(to, row)
            answer = post(client, WALL, do=f"move:{at}", to=str(to))
            assert answer.status_code == (200 if at != to else 422)
            assert actions(client) == rows
        for wrong in ("8", "-1", "", "x"):
            assert "be moved there" in problem_of(post(client, WALL, do="move:1", to=wrong))


def test_an_edit_of_a_list_that_is_another_one_by_now_is_refused(project: Path) -> None:
    with looking_at(project) as client:
        opened = client.get(WALL.replace("?", ".json?")).json()["before"]
        assert post(client, WALL, do="remove:0", before=opened).status_code == 200
        rows = actions(client)
        late = post(client, WALL, do="remove:0", before=opened)
        assert late.status_code == 409 and "changed meanwhile" in late.text
        assert actions(client) == rows
