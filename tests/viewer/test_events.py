"""Events of objects, changed on the page of the object."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import httpx2
import pytest

import overhaul
from handmade_project import VERSIONS, project_file
from modded_games import lantern
from overhaul.mods.view import FileView
from overhaul.workbench.events import Events
from viewing import HOST, Browser, looking_at

OBJECT = "/-/events/objects/obj_keeper"


def post(client: Browser, address: str, **sent: Any) -> httpx2.Response:
    return client.post(address, headers={"Origin": HOST}, data=sent)


def events(client: Browser, name: str = "obj_keeper") -> dict[str, bool]:
    """Whether each event of an object is its own, by title."""
    rows = client.get(f"/objects/{name}.json").json()["events"]
    return {row["title"]: row["inherited"] is None for row in rows}


def problem_of(answer: httpx2.Response) -> str:
    """Why an answer refuses what was asked."""
    found = re.search(r'role="alert">(.*?)</p>', answer.text, re.S)
    return "" if found is None else found[1]


def code(client: Browser, name: str) -> str:
    text: str = client.get(f"/code/{name}.json").json()["source"]
    return text


@pytest.mark.parametrize("edition", ["current", "gms1"])
def test_events_of_a_game(edition: str, tmp_path: Path) -> None:
    path = tmp_path / "game.win"
    path.write_bytes(lantern(edition))
    with looking_at(path) as client:
        before = events(client)
        create = code(client, "gml_Object_obj_keeper_Create_0")
        page = client.get("/objects/obj_keeper").text
        assert '<option value="Key press: left">' in page
        assert '<option value="Collision with obj_wall">' in page
        assert '<option value="Create">' not in page  # it has that
        assert ("Gesture: tap" in page) == (edition == "current")
        added = post(client, OBJECT, do="add", event="Key press: A")
        assert added.url.path == "/-/edit/code/gml_Object_obj_keeper_KeyPress_65"
        copied = post(client, OBJECT, do="copy", event="Create", to="Alarm 3")
        assert copied.url.path == "/objects/obj_keeper"
        moved = post(client, OBJECT, do="move", event="Alarm 3", to="User event 2")
        assert moved.status_code == 200
        assert code(client, "gml_Object_obj_keeper_Other_12") == create
        now = before | {"Key press: A": True, "User event 2": True}
        assert events(client) == now
        assert post(client, OBJECT, do="remove", event="Key press: A").status_code == 200
        assert post(client, OBJECT, do="add", event="Collision with obj_wall").status_code == 200
        del now["Key press: A"]
        assert events(client) == now | {"Collision with obj_wall": True}
        for _ in range(5):
            assert post(client, "/-/undo").status_code == 200
        assert events(client) == before
        assert post(client, "/-/redo").status_code == 200
        assert post(client, "/-/save").status_code == 200
    with overhaul.open(path) as game:
        game.decode()
        assert game.to_bytes() == path.read_bytes()


@pytest.mark.parametrize(
    ("sent", "problem"),
    [
        ({"do": "add", "event": "Create"}, "already has the event"),
        ({"do": "add", "event": "Key press: lft"}, "did you mean"),
        ({"do": "add", "event": "../x"}, "have no event"),
        ({"do": "copy", "event": "Create", "to": ""}, "choose the other event"),
        ({"do": "move", "event": "Alarm 7", "to": "Alarm 8"}, "has no event"),
        ({"do": "move", "event": "Create", "to": "Create"}, "already has the event"),
        ({"do": "remove", "event": "Alarm 7"}, "has no event"),
    ],
)
def test_what_can_not_be_done_is_said_on_the_page(
    sent: dict[str, str], problem: str, tmp_path: Path
) -> None:
    path = tmp_path / "game.win"
    path.write_bytes(lantern())
    with looking_at(path) as client:
        before = events(client)
        answer = post(client, OBJECT, **sent)
        assert answer.status_code == 422
        assert problem in answer.text and 'id="events"' in answer.text
        assert events(client) == before
        assert client.site.documents[0].bench is not None
        assert not client.site.documents[0].bench.history.steps


def test_an_inherited_event_is_overridden(tmp_path: Path) -> None:
    path = tmp_path / "game.win"
    with overhaul.open_game(lantern()) as game:
        game.objects["obj_wall"].parent = game.objects["obj_door"]
        path.write_bytes(game.to_bytes())
    with looking_at(path) as client:
        assert events(client, "obj_wall") == {"Create": False, "Step": False}
        page = client.get("/objects/obj_wall").text
        assert 'aria-label="Override Create"' in page and 'class="inherited"' in page
        answer = post(client, "/-/events/objects/obj_wall", do="override", event="Create")
        assert answer.url.path == "/-/edit/code/gml_Object_obj_wall_Create_0"
        assert "event_inherited();" in answer.text
        assert events(client, "obj_wall") == {"Create": True, "Step": False}


@pytest.mark.parametrize("version", VERSIONS)
def test_events_of_a_project(version: int, tmp_path: Path) -> None:
    path = tmp_path / f"made{version}.gmk"
    path.write_bytes(project_file(version))
    with overhaul.open(path) as document:
        view = FileView(document)
        stems = Events(view, "objects/obj_player").stems
        assert stems["Key press: left"] == "objects/obj_player/key_press_left"
        assert "Draw GUI" not in stems and "Gesture: tap" not in stems
        assert [title for title in stems if title.startswith("Trigger")] == (
            ["Trigger: low_health"] if version >= 800 else []
        )
    name = "obj_player"
    with looking_at(path) as client:
        before = events(client, name)
        act = f"/-/events/objects/{name}"
        own = next(title for title, mine in before.items() if mine)
        for sent in (
            {"do": "copy", "event": own, "to": "Key release: F7"},
            {"do": "move", "event": "Key release: F7", "to": "Mouse: wheel up"},
            {"do": "add", "event": "Alarm 11"},
            {"do": "remove", "event": own},
        ):
            answer = post(client, act, **sent)
            assert answer.status_code == 200, (sent, problem_of(answer))
        now = {**before, "Mouse: wheel up": True, "Alarm 11": True}
        del now[own]
        assert events(client, name) == now
        for _ in range(4):
            post(client, "/-/undo")
        assert events(client, name) == before


def test_events_have_signs_of_their_kind(tmp_path: Path) -> None:
    path = tmp_path / "made.gm81"
    path.write_bytes(project_file(810))
    with looking_at(path) as client:
        page = client.get("/objects/obj_player").text
    signs = re.findall(
        r'<h3 title="[^"]*">\s*<svg class="event-sign"[^>]*><path d="([^"]*)"/></svg>\s*'
        r"<a [^>]*>([^<]*)",
        page,
    )
    by_title = {title: sign for sign, title in signs}
    assert {"Create", "Step", "End step", "Collision with obj_wall"} <= by_title.keys()
    assert by_title["Create"] == "M8 3v10M3 8h10"
    assert by_title["Step"] == by_title["End step"] == "M3 8h9M8 4l4 4-4 4"
    assert len(set(by_title.values())) == 5  # keys and the trigger have others
