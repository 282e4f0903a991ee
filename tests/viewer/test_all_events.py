"""All events of an object in one text."""

from __future__ import annotations

import html
import json
from pathlib import Path
from typing import Any

import httpx2
import pytest

import overhaul
from browsing import browsing, check, fits, needs_browser, viewer
from handmade_project import project_file
from modded_games import lantern
from overhaul.errors import SourceError, WorkspaceError
from overhaul.mods.view import FileView
from overhaul.viewer.pages.language import EVENTS
from overhaul.workbench.events import Events
from overhaul.workbench.eventtexts import Misplaced, Places, divided, joined
from viewing import HOST, Browser, looking_at

KEEPER = "/-/all-events/objects/obj_keeper"


@pytest.fixture(params=["current", "gms1"])
def game(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / "game.win"
    path.write_bytes(lantern(request.param))
    return path


def page_of(client: Browser, address: str = KEEPER) -> dict[str, Any]:
    page: dict[str, Any] = client.get(f"{address}.json").json()
    return page


def post(
    client: Browser, page: dict[str, Any], text: str, address: str = KEEPER
) -> httpx2.Response:
    sent = {"source": text.replace("\n", "\r\n"), "before": page["before"], "base": page["base"]}
    return client.post(address, headers={"Origin": HOST}, data=sent)


def events(client: Browser, name: str = "obj_keeper") -> set[str]:
    rows = client.get(f"/objects/{name}.json").json()["events"]
    return {row["title"] for row in rows if row["inherited"] is None}


def code(client: Browser, name: str) -> str:
    text: str = client.get(f"/code/{name}.json").json()["source"]
    return text


def test_a_text_is_divided_as_it_was_joined() -> None:
    sources = {"Create": "x = 1;\n\ny = 2;", "Step": "", "Key press: left": "\n  z = 3;"}
    text = joined(sources)
    assert text.startswith("#event Create\nx = 1;")
    parts = divided(text)
    assert {part.title: part.source for part in parts} == sources
    for part in parts:
        assert text[part.start :].startswith(part.source)
        assert text.split("\n")[part.line - 1] == f"#event {part.title}"
    assert joined({}) == "\n" and divided("\n \n") == []
    assert divided("#event A\nx\n#event B \n\n\n") == [
        ("A", "x", 1, 9),
        ("B", "", 3, 21),
    ]


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("\nx = 1;\n#event Create\n", 2, "below a line"),
        ("#event Create\n#event Step\n#event CREATE\n", 3, "first in line 1"),
    ],
)
def test_what_is_out_of_place_is_named_by_line(text: str, line: int, said: str) -> None:
    with pytest.raises(Misplaced, match=said) as caught:
        divided(text)
    assert caught.value.line == line and str(caught.value).startswith(f"line {line}: ")


def test_code_with_such_a_line_is_not_joined() -> None:
    with pytest.raises(WorkspaceError, match="a line of Step"):
        joined({"Create": " #event x", "Step": "s = 'a\n#event b'"})


def test_mistakes_elsewhere_have_no_line(game: Path) -> None:
    with overhaul.open(game) as document:
        found = Events(FileView(document), "objects/obj_keeper")
        places = Places(found, divided("#event Step\nx = 1;"))
        path = found.source("step")
        assert places.of(SourceError("no", 1, 4, name=path)) == [(2, 4, "Step, line 1: no")]
        assert places.of(SourceError("no", 1, 4, name="code/x.gml"))[0][:2] == (0, 0)
        assert places.of(WorkspaceError("no")) == [(0, 0, "no")]


def test_events_are_edited_added_and_removed_in_one_step(game: Path) -> None:
    original = game.read_bytes()
    with looking_at(game) as client:
        page = page_of(client)
        before, step = events(client), code(client, "gml_Object_obj_keeper_Step_0")
        assert page["source"].count("#event ") == len(before) and page["inherited"] == []
        answer = post(client, page, page["source"])
        assert answer.url.path == KEEPER and "Nothing changed." in answer.text
        assert client.get("/-/steps.json").json()["done"] == []
        parts = {part.title: part.source for part in divided(page["source"])}
        del parts["Draw"]
        parts["Create"] += "\nshade = 1;"
        parts |= {"key press: LEFT": "x -= 1;", "User event 3": ""}
        answer = post(client, page, joined(parts))
        assert answer.status_code == 200 and "The step is made." in answer.text
        (done,) = client.get("/-/steps.json").json()["done"]
        for word in ("add key press: LEFT, User event 3", "edit Create", "remove Draw"):
            assert word in done["label"]
        assert events(client) == before - {"Draw"} | {"Key press: left", "User event 3"}
        assert code(client, "gml_Object_obj_keeper_Create_0").rstrip().endswith("shade = 1;")
        assert code(client, "gml_Object_obj_keeper_Step_0") == step
        now = page_of(client)
        assert "\nx -= 1;\n" in now["source"]
        emptied = {part.title: part.source for part in divided(now["source"])} | {"Create": ""}
        assert post(client, now, joined(emptied)).status_code == 200
        assert code(client, "gml_Object_obj_keeper_Create_0").strip() == ""
        for _ in range(2):
            client.post("/-/undo", headers={"Origin": HOST})
        assert page_of(client)["source"] == page["source"]
        client.post("/-/save", headers={"Origin": HOST})
    assert game.read_bytes() == original


def test_broken_code_is_named_with_its_event_and_line(game: Path) -> None:
    with looking_at(game) as client:
        page = page_of(client)
        lines = page["source"].split("\n")
        at = lines.index("#event Step") + 1
        text = "\n".join([*lines[:at], "a = (;", *lines[at:], "#event Alarm 2", "", "b = ;"])
        answer = post(client, page, text)
        assert answer.status_code == 422 and "Step, line 1: " in answer.text
        assert f'data-line="{at + 1}" data-column="6"' in answer.text
        last = text.count("\n") + 1
        assert f'data-line="{last}" data-column="5"' in answer.text
        assert "Alarm 2, line 2: " in answer.text and "b = ;" in answer.text
        for wrong, said in (
            (f"{page['source']}\n#event Key press: lft\n", "did you mean"),
            (f"x = 1;\n{page['source']}", "code stands below a line"),
        ):
            answer = post(client, page, wrong)
            assert answer.status_code == 422 and said in html.unescape(answer.text)
        assert client.get("/-/steps.json").json()["done"] == []


def test_both_edits_are_kept_of_a_text_changed_meanwhile(game: Path) -> None:
    with looking_at(game) as client:
        page = page_of(client)
        mine = page["source"].replace("#event Create\n", "#event Create\nmine = 1;\n")
        theirs = page["source"].replace("#event Step\n", "#event Step\ntheirs = 1;\n")
        assert post(client, page, theirs).status_code == 200
        answer = post(client, page, mine)
        assert answer.status_code == 409
        text = html.unescape(answer.text)
        assert "#event Create\nmine = 1;" in text and "#event Step\ntheirs = 1;" in text


def test_inherited_events_stand_below_with_their_code(tmp_path: Path) -> None:
    path = tmp_path / "game.win"
    with overhaul.open_game(lantern()) as game:
        game.objects["obj_wall"].parent = game.objects["obj_door"]
        path.write_bytes(game.to_bytes())
    wall = "/-/all-events/objects/obj_wall"
    with looking_at(path) as client:
        page = page_of(client, wall)
        assert page["source"] == "\n"
        assert [each["title"] for each in page["inherited"]] == ["Create", "Step"]
        assert all(each["lines"] for each in page["inherited"])
        text = client.get(wall).text
        assert 'aria-label="Override Step"' in text and 'href="/objects/obj_door"' not in text
        assert f'href="{wall}">Edit all events' in client.get("/objects/obj_wall").text
        added = "#event Step\nevent_inherited();\n"
        assert post(client, page, added, wall).status_code == 200
        assert [each["title"] for each in page_of(client, wall)["inherited"]] == ["Create"]
        assert client.get("/-/all-events/sprites/spr_keeper").status_code == 404


def test_the_editor_is_told_of_each_event(game: Path) -> None:
    def ask(what: str, text: str, offset: int = 0) -> dict[str, Any]:
        told = json.dumps({"text": text, "offset": offset})
        path = f"/-/language/{what}?path={EVENTS}objects/obj_keeper"
        answer: dict[str, Any] = client.post(path, headers={"Origin": HOST}, content=told).json()
        return answer

    with looking_at(game) as client:
        settings = json.loads(page_of(client)["editor"])
        assert settings["path"] == f"{EVENTS}objects/obj_keeper"
        text = "#event Create\n// 𝄞\na = (;\n\n#event Step\nspr_kee\n"
        wrong, *_ = ask("check", text)["diagnostics"]
        assert (wrong["line"], wrong["column"]) == (3, 6)
        assert wrong["start"] == text.index(";") + 1  # that sign is two units
        assert ask("check", "#event Create\nx = spr_keeper;")["names"]["spr_keeper"] == "asset"
        at = text.index("kee\n") + 3 + 1
        completed = ask("complete", text, at)
        assert "spr_keeper" in {item["name"] for item in completed["items"]}
        assert (completed["start"], completed["end"]) == (at - 7, at)
        assert "one event" in ask("name", text, at)["refused"]
        assert "one event" in ask("complete", text, 3)["refused"]
        (misplaced,) = ask("check", "#event Create\n#event Nonsense\n")["diagnostics"]
        assert (misplaced["line"], misplaced["start"], misplaced["end"]) == (2, 14, 29)
        assert "Nonsense" in ask("hover", "#event Nonsense\nx")["refused"]


def test_lists_of_actions_are_edited_by_themselves(tmp_path: Path) -> None:
    path = tmp_path / "game.gmk"
    path.write_bytes(project_file(810))
    with looking_at(path) as client:
        for row in client.get("/objects.json").json()["rows"]:
            page = page_of(client, f"/-/all-events{row['href']}")
            shown = {part.title for part in divided(page["source"])}
            apart = {each["title"] for each in page["others"]}
            assert not shown & apart and shown | apart == events(client, row["name"])


@needs_browser
def test_events_are_typed_in_one_editor(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "game.win"
    path.write_bytes(lantern())
    with viewer(path) as address, browsing(browser, address) as page:
        page.goto(KEEPER)
        page.wait_for_selector(".editor-host")
        page.wait_for_function("() => document.querySelector('#editor-status').textContent")
        check(page, "all-events")
        page.set_viewport_size({"width": 390, "height": 800})
        fits(page, "all-events-phone")
        page.set_viewport_size({"width": 1280, "height": 800})
        page.get_by_label("New event").fill("Alarm 5")
        page.keyboard.press("Enter")
        page.keyboard.type("alarm[5] = 9;")
        page.get_by_role("button", name="Apply").click()
        page.wait_for_selector(".good")
        assert "#event Alarm 5\nalarm[5] = 9;" in page.input_value("#source")
