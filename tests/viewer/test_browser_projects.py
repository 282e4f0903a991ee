"""Projects of Game Maker in a real browser: actions, rooms, sprites, code; and notebooks."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import overhaul
from browsing import COLOURS, browsing, check, needs_browser, viewer
from handmade_project import as_json, project_file
from overhaul.gamemaker.classic.documents.project import ProjectDocument
from real_files import corpus_files, finished, sample

pytestmark = needs_browser
FULL = os.environ.get("OVERHAUL_FULL") == "1"
PAGES = {
    "object": "/objects/obj_player",
    "room": "/rooms/rm_first",
    "sprite": "/sprites/spr_player",
    "timeline": "/timelines/tl_intro",
    "script": "/scripts/scr_add",
    "font": "/fonts/fnt_big",
    "constants": "/constants/constants",
    "information": "/information",
}


@pytest.fixture(scope="module")
def viewed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a viewer of a small project."""
    path = tmp_path_factory.mktemp("viewed") / "made.gm81"
    views = {"enable_views": True, "views": [{"visible": True, "view_width": 160}]}
    path.write_bytes(project_file(810, {"rooms/rm_first/room.json": as_json(views)}))
    with viewer(path) as address:
        yield address


@pytest.fixture
def page(browser: Any, viewed: str) -> Iterator[Any]:
    with browsing(browser, viewed) as page:
        yield page


def test_pages_can_be_read_by_all(page: Any) -> None:
    """In light and dark, on a desk and on a phone."""
    for name, address in [*PAGES.items()][:: 1 if FULL else 3]:
        page.goto(address)
        for scheme, rule in (("light", ""), ("dark", COLOURS)):
            page.emulate_media(color_scheme=scheme)
            check(page, f"project-{name}-{scheme}", rule)
        page.set_viewport_size({"width": 390, "height": 800})
        check(page, f"project-{name}-phone")
        page.set_viewport_size({"width": 1280, "height": 800})


def test_actions_lead_to_what_they_name(page: Any) -> None:
    page.goto("/objects/obj_player")
    page.click('.event-list a:has-text("Collision with obj_wall")')
    assert page.evaluate("location.hash") == "#collision_obj_wall"
    block = page.locator(".happening:target .actions > li")
    assert block.first.inner_text() == "If there is no instance of obj_wall at (0, 8)"
    left = [each.bounding_box()["x"] for each in block.all()[:4]]
    assert left[0] == left[3] < left[1] == left[2]
    block.first.locator("a").first.click()
    page.wait_for_url("**/objects/obj_wall")


def test_a_sprite_is_stepped_and_a_room_switched(page: Any) -> None:
    page.goto("/sprites/spr_player")
    page.click('[data-do="next"]')
    assert page.locator(".now").get_attribute("src").endswith("/frames/1.png")
    page.goto("/rooms/rm_first")
    page.wait_for_selector(".room-view.live .tile")
    page.check('[data-show="views"]')
    assert page.locator(".world.views .view").count() == 1
    with page.expect_request(lambda request: "layers=" in request.url):
        page.uncheck('[data-layer="1"]')


def test_what_uses_a_resource_is_asked_for(page: Any) -> None:
    page.goto("/sounds/snd_jump")
    page.locator("#used-by").scroll_into_view_if_needed()
    link = page.locator('a:has-text("sound_play(snd_jump);")')
    link.click()
    page.wait_for_url("**/objects/obj_player#trigger_low_health.gml-L1")
    assert page.locator("li:target").inner_text().endswith("sound_play(snd_jump);")


def test_a_project_without_scripts(browser: Any, viewed: str) -> None:
    with browsing(browser, viewed, java_script_enabled=False) as page:
        page.goto("/objects/obj_player")
        assert "For the other instance" in page.inner_text("main")
        page.goto("/rooms/rm_first")
        assert page.locator(".whole").is_visible()


def test_a_notebook_shows_a_project(browser: Any, tmp_path: Path) -> None:
    """Each piece alone in a page: nothing is asked for, everything is seen."""
    path = tmp_path / "made.gm81"
    path.write_bytes(project_file(810))
    with overhaul.open(path) as document:
        assert isinstance(document, ProjectDocument)
        things = (document, document.objects["obj_player"], document.sprites["spr_player"],
                  document.rooms["rm_first"], document.sprites)  # fmt: skip
        pieces = [thing._repr_html_() for thing in things]
    context = browser.new_context(color_scheme="dark")
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    for piece in pieces:
        page.set_content(f"<!doctype html><title>a notebook</title>{piece}")
        assert page.locator(".overhaul h1").is_visible()
        colour = "e => getComputedStyle(e).backgroundColor"
        assert page.locator(".overhaul").evaluate(colour) == "rgb(23, 22, 21)"
        whole = "[...document.images].every(each => each.complete && each.naturalWidth > 0)"
        page.wait_for_function(whole)
    context.close()
    assert [each for each in asked if not each.startswith(("data:", "about:"))] == []


@pytest.mark.corpus
def test_real_projects_in_the_browser(browser: Any, corpus: Path) -> None:
    """A resource of each kind of some real projects."""
    files = sample(finished(corpus_files("projects/*.g[mb]*")), 5 if FULL else 1, seed=11)
    for path in files:
        with viewer(path) as address, browsing(browser, address) as page:
            ask = "async (where) => await (await fetch(where)).json()"
            for kind in page.evaluate(ask, "/.json")["kinds"]:
                rows = page.evaluate(ask, f"{kind['href']}.json")["rows"]
                page.goto(max(rows, key=lambda row: row["size"] or 0)["href"])
                check(page, f"{path.stem}-{kind['slug']}")


def test_actions_are_dragged_to_their_place(page: Any) -> None:
    address = "/-/actions/objects/obj_player?event=collision_obj_wall"
    page.goto(address)
    rows = page.locator("ol.editing > li")
    page.locator(".grip").first.wait_for()
    check(page, "actions-drag")
    before = [row.locator("summary").inner_text() for row in rows.all()]
    box = rows.nth(3).bounding_box()
    with page.expect_navigation():
        rows.nth(0).locator(".grip").drag_to(
            rows.nth(3), target_position={"x": 40, "y": box["height"] - 2}
        )
    assert rows.nth(3).locator("summary").inner_text() == before[0]
    page.locator(".grip").first.wait_for()
    with page.expect_navigation():
        rows.nth(3).locator(".grip").drag_to(rows.nth(0), target_position={"x": 40, "y": 1})
    assert [row.locator("summary").inner_text() for row in rows.all()] == before
