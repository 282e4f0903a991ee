"""Where things stand on pages of real length, measured in Chromium: nothing is cut to nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import overhaul
from ags_furnished import EDITORS, furnished, write
from browsing import PICTURES, browsing, fits, needs_browser, viewer
from modded_games import lantern

pytestmark = needs_browser
#: a name as long as those that people give files
LONG = "a-game-with-a-long-name-by-somebody-who-likes-long-names__773f669c.win"
DESK, PHONE = {"width": 1366, "height": 768}, {"width": 390, "height": 844}
CODE = "gml_Object_obj_keeper_Step_0"
#: a text of several lines on a phone
TEXT = "The lantern goes out, and something in the dark begins to move towards the keeper."
#: how much of an element is seen, and how wide all of it is
WIDTHS = """element => [element.clientWidth, element.scrollWidth]"""


@pytest.fixture(scope="module")
def viewed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a viewer of a game with a long name, whose code is indented deeply."""
    path = tmp_path_factory.mktemp("layout") / LONG
    path.write_bytes(lantern("current"))
    with overhaul.open_game(path) as game:
        game.code[CODE].gml = "if (1) " + "{ if (x) " * 40 + "quux = 1;" + "}" * 40
        game.code["gml_Object_obj_door_Step_0"].append(f'show_debug_message("{TEXT}");')
        game.objects["obj_door"].name = "obj_door_that_leads_out_of_the_deepest_cave"
        game.save(path, force=True)
    with viewer(path) as address:
        yield address


@pytest.fixture
def page(browser: Any, viewed: str) -> Iterator[Any]:
    """A page of the game."""
    with browsing(browser, viewed) as page:
        yield page


def test_the_way_shows_the_kind_and_what_the_page_is(page: Any) -> None:
    page.set_viewport_size(DESK)
    page.goto("/-/form?path=objects/obj_keeper/object.json")
    steps = page.locator(".crumbs li")
    seen = [steps.nth(at).evaluate(WIDTHS) for at in range(steps.count())]
    assert len(seen) == 4
    for inner, whole in seen[1:]:
        assert inner >= whole, seen
    assert seen[0][0] < seen[0][1], "the name of the file gives way"


def test_on_a_phone_the_way_leads_back(page: Any) -> None:
    page.set_viewport_size(PHONE)
    page.goto("/objects/obj_keeper")
    shown = page.locator(".crumbs li:visible")
    assert shown.all_inner_texts() == ["Objects"]
    inner, whole = shown.evaluate(WIDTHS)
    assert inner >= whole
    page.get_by_role("link", name="Objects", exact=True).first.click()
    page.wait_for_url("**/objects")
    page.locator("#q").focus()
    assert page.locator(".search").bounding_box()["width"] > 150
    fits(page, "search")


def test_the_tree_shows_the_events_of_an_object_with_a_long_name(page: Any) -> None:
    page.set_viewport_size(DESK)
    page.goto("/code")
    names = page.locator(".kind .of-two")
    names.first.wait_for()
    page.evaluate("document.documentElement.style.setProperty('--side-width', '11rem')")
    for at in range(names.count()):
        event = names.nth(at).locator("span").last
        assert event.evaluate("it => it.clientWidth") > 30
        inner, whole = names.nth(at).evaluate(WIDTHS)
        assert inner >= whole


def test_deeply_indented_lines_fit_a_phone(page: Any) -> None:
    page.set_viewport_size(PHONE)
    page.goto("/-/replace-code?q=quux&by=corge")
    inner, whole = page.locator(".code-rows").evaluate(WIDTHS)
    assert inner >= whole
    fits(page, "replace")


def test_texts_of_a_table_are_wider_than_its_numbers(browser: Any, tmp_path: Path) -> None:
    write(tmp_path, furnished(1, *EDITORS[-1]))
    with viewer(tmp_path / "Game.agf") as address, browsing(browser, address) as page:
        names = page.evaluate("async () => (await (await fetch('/guis.json')).json()).rows")
        for name in [row["name"] for row in names]:
            page.goto(f"/-/table/guis/{name}")
            texts = page.locator('.tables td input[type="text"]')
            if texts.count():
                break
        numbers = page.locator('.tables td input[type="number"]')
        assert texts.first.bounding_box()["width"] > 1.4 * numbers.first.bounding_box()["width"]


def test_a_file_that_is_chosen_is_shown_with_its_button(page: Any, tmp_path: Path) -> None:
    page.set_viewport_size({"width": 1366, "height": 500})
    Image.new("RGBA", (32, 300), "red").save(tmp_path / "new.png")
    for address in ("/-/frames/sprites/spr_keeper", "/texture-pages/0"):
        page.goto(address)
        page.locator('main input[type="file"]').last.set_input_files(tmp_path / "new.png")
        button = page.locator(".replace-shown button").last
        button.wait_for()
        page.evaluate(PICTURES)
        page.wait_for_function(
            "it => it.getBoundingClientRect().bottom <= innerHeight + 1",
            arg=button.element_handle(),
        )


def test_texts_are_whole_and_below_their_titles_on_a_phone(page: Any) -> None:
    page.set_viewport_size(PHONE)
    page.goto("/-/strings?only=1")
    assert TEXT in [area.input_value() for area in page.locator("main textarea").all()]
    for area in page.locator("main textarea").all():
        assert area.evaluate("it => it.scrollHeight <= it.clientHeight + 1"), area.input_value()
    titles = page.locator(".texts-table thead th")
    for at in range(titles.count()):
        inner, whole = titles.nth(at).evaluate(WIDTHS)
        assert inner >= whole
