"""Resources are chosen with pictures wherever a field names one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from browsing import browsing, check, needs_browser, viewer
from furnished import furnished_lantern
from handmade_project import project_file
from overhaul.viewer.pages import picking
from viewing import looking_at


@pytest.fixture
def game(tmp_path: Path) -> Path:
    return furnished_lantern(tmp_path / "game.win")


def test_names_with_all_words_are_found_and_those_that_begin_so_come_first(game: Path) -> None:
    with looking_at(game) as client:

        def found(**query: str) -> list[str]:
            answer = client.get("/-/pick.json", params=query).json()
            return [each["name"] for each in answer["choices"]]

        objects = [row["name"] for row in client.get("/objects.json").json()["rows"]]
        assert found(kind="object") == objects
        assert found(kind="object", q="OBJ_ kee") == ["obj_keeper"]
        assert found(kind="object", q="kee nothing") == []
        assert found(kind="sprite", q="r")[0] != "r"
        assert found(kind="background") == ["ts_cave"]  # a tile set is one, too
        assert found(kind="nothing") == found() == []
        both = client.get("/-/pick?kind=object&q=obj_w").text
        assert 'data-name="obj_wall"' in both
        assert "<img" in both


def test_a_choice_has_its_picture_and_how_it_looks(game: Path) -> None:
    with looking_at(game) as client:
        ask = {"kind": "object", "q": "obj_firefly"}
        (choice,) = client.get("/-/pick.json", params=ask).json()["choices"]
        assert choice == {
            "name": "obj_firefly",
            "href": "/objects/obj_firefly",
            "picture": "/sprites/spr_firefly/thumbnail.png",
            "look": {
                "href": "/sprites/spr_firefly/frames/0.png",
                "width": 8, "height": 8, "left": 4, "top": 4,
            },
        }  # fmt: skip
        for href in (choice["picture"], choice["look"]["href"]):
            assert client.get(href).headers["content-type"] == "image/png"
        ending = client.get("/-/pick.json?kind=object&q=ending").json()["choices"]
        assert ending == [{"name": "obj_ending", "href": "/objects/obj_ending"}]


def test_many_are_given_in_parts(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(picking, "PAGE", 2)
    with looking_at(game) as client:
        pages = [client.get(f"/-/pick.json?kind=object&from={n}").json() for n in (0, 2, 4, 99)]
    assert [(page["first"], page["count"], len(page["choices"])) for page in pages] == [
        (0, 5, 2), (2, 5, 2), (4, 5, 1), (4, 5, 1),
    ]  # fmt: skip


def test_a_form_shows_the_picture_of_what_it_names(game: Path) -> None:
    with looking_at(game) as client:
        page = client.get("/-/form?path=objects/obj_keeper/object.json").text
    assert '<img class="named" src="/sprites/spr_keeper/thumbnail.png"' in page
    assert '<img class="named" hidden' in page  # it has no parent


@needs_browser
def test_a_resource_is_chosen_with_pictures_by_keys_and_by_dragging(
    browser: Any, game: Path
) -> None:
    with viewer(game) as address, browsing(browser, address) as page:
        page.goto("/-/form?path=objects/obj_keeper/object.json")
        field = page.get_by_role("combobox", name="sprite")
        button = page.get_by_role("button", name="Choose sprite with pictures")
        button.press("Enter")
        check(page, "picker")
        page.keyboard.type("spr_d")
        page.locator(".pick li").nth(1).wait_for(state="detached")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        assert field.input_value() == "spr_door"
        assert button.evaluate("each => each === document.activeElement")
        picture = page.locator("img.named").first
        assert picture.get_attribute("src") == "/sprites/spr_door/thumbnail.png"
        button.click()
        page.keyboard.press("Escape")
        assert (page.locator("dialog").count(), field.input_value()) == (0, "spr_door")
        button.click()
        page.get_by_role("button", name="None").click()
        assert (field.input_value(), picture.is_visible()) == ("", False)
        page.locator("#filter").fill("wall")
        link = page.locator("#tree a[href='/sprites/spr_wall']")
        link.drag_to(field)
        page.locator("img.named[src*=spr_wall]").wait_for()
        assert field.input_value() == "spr_wall"
        other = page.get_by_role("combobox", name="parent")
        link.drag_to(other)  # no object
        page.wait_for_load_state("networkidle")
        assert other.input_value() == ""


@needs_browser
def test_arguments_of_actions_are_chosen_with_pictures(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "game.gmk"
    path.write_bytes(project_file(800))
    with viewer(path) as address, browsing(browser, address) as page:
        page.goto("/-/actions/objects/obj_player?event=collision_obj_wall")
        row = page.locator(".actions li", has=page.locator("[data-kind=sprite]"))
        row.locator("summary").press("Enter")
        row.get_by_role("button", name="Choose Sprite with pictures").click()
        name = page.locator(".pick li").last.inner_text()
        page.locator(".pick li").last.click()
        assert row.locator("[data-kind=sprite]").input_value() == name.strip()
