"""Dialogs edited as options in the viewer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx2
import pytest

from ags_games import game
from ags_spoken import BOB, spoken
from browsing import COLOURS, browsing, check, fits, needs_browser, viewer
from overhaul.ags.game.resources import Dialog
from viewing import HOST, Browser, looking_at

WHERE = "/-/dialog/dialogs/dBob"


@pytest.fixture
def talking(tmp_path: Path) -> Path:
    path = tmp_path / "game28.dta"
    path.write_bytes(spoken())
    return path


def post(client: Browser, **sent: str) -> httpx2.Response:
    return client.post(WHERE, headers={"Origin": HOST}, data=sent)


def fields_of(page: dict[str, Any]) -> dict[str, str]:
    """What the form of a page sends, if nobody types."""
    sent = {"before": page["before"], "do": "save"}
    for option in page["options"]:
        number = option["number"]
        sent[f"lines:{number}"] = option["lines"].replace("\n", "\r\n")
        if number:
            sent |= {f"row:{number}": "1", f"text:{number}": option["text"]}
            sent |= {f"{key}:{number}": "1" for key in ("show", "say") if option[key]}
    return sent


def files(client: Browser) -> tuple[dict[str, Any], str]:
    writer = client.site.documents[0].writer
    assert writer is not None
    value = json.loads(writer.read("dialogs/dBob.json"))
    return value, writer.read("dialogs/dBob.ads").decode()


def test_options_are_edited_with_their_lines(talking: Path) -> None:
    with looking_at(talking) as client:
        assert f'href="{WHERE}">Edit options' in client.get("/dialogs/dBob").text
        page = client.get(f"{WHERE}.json").json()
        assert [(each["number"], each["text"]) for each in page["options"]] == [
            (0, ""), (1, "Who?"), (2, "Bye"),
        ]  # fmt: skip
        assert page["options"][1]["lines"] == "Ego: It's me!\noption-off 1\n  game.score = 2;\n"
        # a form that nobody touched makes no step
        assert post(client, **fields_of(page)).status_code == 200
        assert client.get("/-/steps.json").json()["done"] == []
        old, _ = files(client)
        sent = {**fields_of(page), "text:2": "Farewell", "lines:2": "Ego: Farewell.\r\nstop"}
        del sent["say:1"]
        assert post(client, **sent).status_code == 200
        value, lines = files(client)
        assert [each["Text"] for each in value["Options"]] == ["Who?", "Farewell"]
        assert [each["Say"] for each in value["Options"]] == [False, old["Options"][1]["Say"]]
        assert lines == BOB.replace('Ego: So "long"!', "Ego: Farewell.")
        # the same form again is of a file that there was
        assert post(client, **sent).status_code == 409
        assert len(client.get("/-/steps.json").json()["done"]) == 1


def test_what_does_not_compile_is_said_and_kept(talking: Path) -> None:
    with looking_at(talking) as client:
        page = client.get(f"{WHERE}.json").json()
        sent = {**fields_of(page), "text:1": "Typed", "lines:1": "goto-dialog nowhere\r\n"}
        refused = post(client, **sent)
        assert refused.status_code == 422
        assert 'value="Typed"' in refused.text and "goto-dialog nowhere" in refused.text
        wrong = post(client, **{**sent, "lines:1": "@2"})
        assert "lines of option 1 begin another one" in wrong.text
        assert client.get("/-/steps.json").json()["done"] == []


def test_an_option_is_added(talking: Path) -> None:
    with looking_at(talking) as client:
        page = client.get(f"{WHERE}.json").json()
        assert post(client, **{**fields_of(page), "do": "add"}).status_code == 200
        page = client.get(f"{WHERE}.json").json()
        assert [each["number"] for each in page["options"]] == [0, 1, 2, 3]
        sent = {**fields_of(page), "text:3": "More", "lines:3": "Ego: More.\r\nreturn"}
        assert post(client, **sent).status_code == 200
        value, lines = files(client)
        assert value["Options"][2]["Text"] == "More"
        assert lines == BOB + "@3\nEgo: More.\nreturn\n"


def test_a_dialog_without_lines_of_its_own_has_its_options(tmp_path: Path) -> None:
    made = game()
    assert made.content is not None
    made.content.dialogs = [Dialog(options=["Who?", *[""] * 29], option_count=1)]
    made.content.dialog_script_names = ["dBob"]
    made.recompute_counts()
    path = tmp_path / "game28.dta"
    path.write_bytes(made.to_bytes())
    with looking_at(path) as client:
        page = client.get(f"{WHERE}.json").json()
        assert page["scripted"] is False
        assert "in the script of all dialogs" in client.get(WHERE).text
        sent = {**fields_of(page), "text:1": "You?"}
        assert post(client, **sent).status_code == 200
        writer = client.site.documents[0].writer
        assert writer is not None
        value = json.loads(writer.read("dialogs/dBob.json"))
        assert value["Options"][0]["Text"] == "You?"
        assert client.get("/-/dialog/characters/cEgo").status_code == 404


@needs_browser
def test_options_are_edited_in_a_browser(browser: Any, talking: Path) -> None:
    with viewer(talking) as address, browsing(browser, address) as page:
        page.goto("/dialogs/dBob")
        page.get_by_role("link", name="Edit options").click()
        for scheme, rule in (("light", ""), ("dark", COLOURS)):
            page.emulate_media(color_scheme=scheme)
            check(page, f"dialog-options-{scheme}", rule)
        page.set_viewport_size({"width": 390, "height": 844})
        fits(page, "dialog-options-phone")
        page.set_viewport_size({"width": 1366, "height": 768})
        box = page.get_by_role("group", name="Option 1")
        box.get_by_label("Text").fill("Who are you?")
        box.get_by_label("Shown at first").uncheck()
        with page.expect_navigation():
            box.get_by_label("Lines").press("Control+s")
        assert "1 step" in page.locator("#bench").inner_text()
        assert not page.get_by_role("group", name="Option 1").get_by_label("Shown").is_checked()


def test_options_are_moved_and_removed_and_scripts_are_warned_about(talking: Path) -> None:
    with looking_at(talking) as client:
        page = client.get(f"{WHERE}.json").json()
        assert post(client, **{**fields_of(page), "do": "down:1"}).status_code == 200
        value, lines = files(client)
        assert [each["Text"] for each in value["Options"]] == ["Bye", "Who?"]
        assert lines.index('Ego: So "long"!') < lines.index("option-off 2")
        page = client.get(f"{WHERE}.json").json()
        sent = {
            **fields_of(page),
            "lines:1": "  if (this.HasOptionBeenChosen(2)) game.score = 2;\r\nstop",
        }
        assert post(client, **sent).status_code == 200
        page = client.get(f"{WHERE}.json").json()
        refused = post(client, **{**fields_of(page), "do": "remove:9"})
        assert refused.status_code == 422 and "there is no option 9" in refused.text
        assert post(client, **{**fields_of(page), "do": "remove:2"}).status_code == 200
        done = client.get("/-/steps.json").json()["done"]
        assert [each["label"] for each in done] == [
            "Remove an option from dBob", "Edit options of dBob", "Move an option of dBob",
        ]  # fmt: skip
        (said,) = done[0]["findings"]
        assert "option 2 of dBob is named here by its number, and is gone" in str(said)
        assert "dialogs/dBob.ads" in str(said)
        assert [each["Text"] for each in files(client)[0]["Options"]] == ["Bye"]
