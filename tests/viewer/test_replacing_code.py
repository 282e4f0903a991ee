"""A text replaced in code, line by line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx2
import pytest

import overhaul
from ags_spoken import spoken
from browsing import COLOURS, browsing, check, fits, needs_browser, viewer
from furnished import furnished_lantern
from handmade_project import project_file
from viewing import HOST, Browser, looking_at

WHERE = "/-/replace-code"
CODE = """speed_max = 3;
var Speed_Max = speed_max + 1;
show_debug_message("speed_max");
"""
ENTRY = "code/gml_Object_obj_ending_Draw_0.gml"


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = furnished_lantern(tmp_path / "first.win")
    with overhaul.open_game(path) as made:
        made.code["gml_Object_obj_ending_Draw_0"].gml = CODE
        made.code["gml_Object_obj_door_Create_0"].gml = "speed_max = 4;\n"
        made.save(tmp_path / "game.win")
    return tmp_path / "game.win"


def found(client: Browser, **query: str) -> dict[str, Any]:
    answer = client.get(f"{WHERE}.json", params=query)
    assert answer.status_code == 200
    page: dict[str, Any] = answer.json()
    return page


def post(client: Browser, **sent: str) -> httpx2.Response:
    return client.post(WHERE, headers={"Origin": HOST}, data=sent)


def source(client: Browser, path: str = ENTRY) -> str:
    writer = client.site.documents[0].writer
    assert writer is not None
    return writer.read(path).decode()


def test_each_line_is_shown_as_it_was_and_as_it_will_be(game: Path) -> None:
    with looking_at(game) as client:
        page = found(client, q="speed_max", by="top", case="1", words="1")
        here = [(row["path"], row["line"], row["before"], row["after"]) for row in page["rows"]]
        assert (ENTRY, 1, "speed_max = 3;", "top = 3;") in here
        assert (ENTRY, 2, "var Speed_Max = speed_max + 1;", "var Speed_Max = top + 1;") in here
        assert (page["files"], page["more"], len(here)) == (2, 0, 4)
        assert all(row["chosen"] for row in page["rows"])
        assert {row["href"] for row in page["rows"]} == {
            "/-/edit/code/gml_Object_obj_ending_Draw_0",
            "/-/edit/code/gml_Object_obj_door_Create_0",
        }
        # before it is said by what, nothing is chosen
        rows = found(client, q="speed_max")["rows"]
        assert [row["chosen"] for row in rows] == [False] * 4
        # case does not matter unless it is asked for
        rows = found(client, q="speed_max", by="top")["rows"]
        assert rows[0]["after"].startswith("var top = top") or any(
            row["after"] == "var top = top + 1;" for row in rows
        )
        assert found(client, q="peed_ma", by="x", words="1")["rows"] == []
        assert found(client, q="")["rows"] == []
        assert "replace-code?q=speed_max" in client.get("/-/search?q=speed_max").text


def test_only_chosen_lines_are_replaced_as_one_step(game: Path) -> None:
    with looking_at(game) as client:
        page = found(client, q="speed_max", by="top", case="1", words="1")
        sent = {
            "q": "speed_max", "by": "top", "case": "1", "words": "1", "before": page["before"],
            f"row:1:{ENTRY}": "1", f"row:3:{ENTRY}": "1",
        }  # fmt: skip
        assert post(client, **sent).status_code == 200
        assert source(client).splitlines()[0] == "top = 3;"
        assert "speed_max + 1" in source(client)
        assert 'show_debug_message("top")' in source(client)
        assert "speed_max = 4" in source(client, "code/gml_Object_obj_door_Create_0.gml")
        assert len(client.get("/-/steps.json").json()["done"]) == 1
        assert post(client, **sent).status_code == 409


def test_what_does_not_compile_changes_nothing(game: Path) -> None:
    with looking_at(game) as client:
        page = found(client, q="speed_max", by="3 (", case="1")
        sent = {"q": "speed_max", "by": "3 (", "case": "1", "before": page["before"]}
        assert "no line is chosen" in post(client, **sent).text
        refused = post(client, **sent, **{f"row:1:{ENTRY}": "1"})
        assert refused.status_code == 422
        assert "gml_Object_obj_ending_Draw_0" in refused.text
        assert client.get("/-/steps.json").json()["done"] == []


def test_comments_that_were_written_stay(game: Path) -> None:
    with looking_at(game) as client:
        writer = client.site.documents[0].writer
        assert writer is not None
        writer.step({ENTRY: b"// all about speed_max\nspeed_max = 3; // stays\n"}, "Edit")
        page = found(client, q="speed_max", by="top", case="1")
        chosen = {f"row:{row['line']}:{row['path']}": "1" for row in page["rows"]}
        assert f"row:1:{ENTRY}" in chosen
        sent = {"q": "speed_max", "by": "top", "case": "1", "before": page["before"]}
        assert post(client, **sent, **chosen).status_code == 200
        writer = client.site.documents[0].writer
        assert writer is not None
        assert writer.written(ENTRY) == "// all about top\ntop = 3; // stays\n"


def test_code_of_projects_and_dialogs_is_replaced(tmp_path: Path) -> None:
    project = tmp_path / "made.gm81"
    project.write_bytes(project_file(810, {"scripts/scr_say.gml": b"a = 1;\r\nb = a;\r\n"}))
    with looking_at(project) as client:
        page = found(client, q="a", by="c", words="1", case="1")
        mine = [row for row in page["rows"] if row["path"] == "scripts/scr_say.gml"]
        assert [(row["line"], row["after"]) for row in mine] == [(1, "c = 1;"), (2, "b = c;")]
        sent = {"q": "a", "by": "c", "words": "1", "case": "1", "before": page["before"]}
        assert post(client, **sent, **{"row:2:scripts/scr_say.gml": "1"}).status_code == 200
        assert source(client, "scripts/scr_say.gml").splitlines() == ["a = 1;", "b = c;"]
    game = tmp_path / "game28.dta"
    game.write_bytes(spoken())
    with looking_at(game) as client:
        page = found(client, q="who goes", by="Who walks")
        (row,) = [row for row in page["rows"] if row["path"].endswith(".ads")]
        assert row["after"] == "Bob: Who walks there?"


@needs_browser
def test_rows_are_chosen_in_a_browser(browser: Any, game: Path) -> None:
    with viewer(game) as address, browsing(browser, address) as page:
        page.goto(f"{WHERE}?q=speed_max&by=top&case=1")
        for scheme, rule in (("light", ""), ("dark", COLOURS)):
            page.emulate_media(color_scheme=scheme)
            check(page, f"replacing-code-{scheme}", rule)
        page.set_viewport_size({"width": 390, "height": 844})
        fits(page, "replacing-code-phone")
        page.get_by_label("All of these").uncheck()
        page.get_by_label(f"Line 1 of {ENTRY}").check()
        page.get_by_role("button", name="Replace in the chosen lines").click()
        page.wait_for_load_state("load")
        assert "1 step" in page.locator("#bench").inner_text()
