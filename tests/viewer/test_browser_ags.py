"""The pages of Adventure Game Studio in a real browser: areas switched, views played, and so on.

``OVERHAUL_SCREENSHOTS=FOLDER`` keeps a picture of each page, for a person to look at.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ags_package import package
from browsing import COLOURS, browsing, check, needs_browser, viewer

pytestmark = needs_browser
ROOM, GAME = "/in/room1.crm/rooms/room", "/in/game28.dta"
PAGES = {
    "package": "/",
    "room-first": "/in/room1.crm/",
    "room": ROOM,
    "script": "/in/room1.crm/scripts/room1.asc",
    "paint": "/in/room1.crm/-/paint?path=hotspots.png",
    "canvas": "/in/room1.crm/-/room/rooms/room",
    "character": f"{GAME}/characters/cEgo",
    "view": f"{GAME}/views/vEgo",
    "item": f"{GAME}/inventory/cup",
    "cursor": f"{GAME}/cursors/Look",
    "gui": f"{GAME}/guis/gBar",
    "dialogs": f"{GAME}/dialogs",
    "clip": f"{GAME}/audio-clips/aDing",
    "font": f"{GAME}/fonts/0",
    "sprites": "/in/acsprset.spr/sprites",
    "sprite": "/in/acsprset.spr/sprites/1",
    "translation": "/in/German.tra/dictionaries/texts",
}
PHONE = {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def viewed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a viewer of a made package."""
    path = tmp_path_factory.mktemp("ags") / "small.ags"
    path.write_bytes(package())
    with viewer(path) as address:
        yield address


@pytest.fixture
def page(browser: Any, viewed: str) -> Iterator[Any]:
    """A page that knows the token; what the browser reports of it fails the test."""
    with browsing(browser, viewed) as page:
        yield page


@pytest.mark.parametrize("name", PAGES)
def test_every_kind_of_page_can_be_read_by_all(page: Any, name: str) -> None:
    page.goto(PAGES[name])
    for scheme, rule in (("light", ""), ("dark", COLOURS)):
        page.emulate_media(color_scheme=scheme)
        check(page, f"ags-{name}-{scheme}", rule)
    page.set_viewport_size(PHONE)
    check(page, f"ags-{name}-phone")


def test_areas_of_a_room_are_switched_on_and_off(page: Any) -> None:
    page.goto(ROOM)
    hotspots, behinds = page.locator(".overlay-hotspots"), page.locator(".overlay-walk_behinds")
    assert hotspots.is_visible() and not behinds.is_visible()
    page.uncheck('[data-show="hotspots"]')
    page.check('[data-show="walk_behinds"]')
    assert behinds.is_visible() and not hotspots.is_visible()
    assert not page.locator(".overlay-edges").is_visible()
    page.check('[data-show="edges"]')
    assert page.locator(".overlay-edges").is_visible()


def test_an_area_leads_to_its_row(page: Any) -> None:
    page.goto(ROOM)
    page.locator('a[href="#hotspots-1"] path').click()
    assert page.url.endswith("#hotspots-1")
    back = page.evaluate(
        "[...document.querySelectorAll('.areas tr')].map("
        "(row) => getComputedStyle(row).backgroundColor)"
    )
    assert len(set(back)) == 2  # the row is marked


def test_a_room_is_enlarged_and_its_backgrounds_play(page: Any) -> None:
    page.goto(ROOM)
    page.wait_for_selector(".room-view.live")
    width = page.locator(".whole").bounding_box()["width"]
    page.click('[data-do="in"]')
    assert page.locator(".whole").bounding_box()["width"] == 2 * width
    page.click(".ags-room .play")  # nothing moves by itself where people want that
    page.wait_for_selector('.whole[src$="/1.png"]')
    page.click(".ags-room .play")
    page.click('.background[aria-label="Background 0"]')
    page.wait_for_selector('.whole[src$="/0.png"]')
    assert page.get_attribute(".background[aria-current]", "href").endswith("/0.png")


def test_a_view_plays_each_frame_as_long_as_it_lasts(page: Any) -> None:
    page.goto(f"{GAME}/views/vEgo")
    assert page.inner_text(".player .at") == "0"
    page.click('.player [data-do="next"]')
    assert page.get_attribute(".now", "src").endswith("frames/0/1.png")
    page.click('.player [data-do="play"]')
    seen = page.evaluate(
        """() => new Promise((done) => {
          const at = document.querySelector(".player .at");
          const times = [];
          const watch = new MutationObserver(() => {
            times.push([at.textContent, performance.now()]);
            if (times.length > 3) { watch.disconnect(); done(times); }
          });
          watch.observe(at, { childList: true, characterData: true, subtree: true });
        })"""
    )
    lasted = {seen[n][0]: seen[n + 1][1] - seen[n][1] for n in range(len(seen) - 1)}
    assert lasted["0"] >= 140 and lasted["1"] >= 240  # 150 and 250 ms
    page.click('.player [data-do="play"]')


def test_a_control_leads_to_its_row(page: Any) -> None:
    page.goto(f"{GAME}/guis/gBar")
    page.locator('a[href="#control-1"] rect').click()
    assert page.url.endswith("#control-1")


def test_a_translation_is_filtered_as_one_types(page: Any) -> None:
    page.goto("/in/German.tra/dictionaries/texts")
    assert page.locator("#pairs tbody tr").count() == 500
    page.fill("#pairs-filter", "text 59")
    page.wait_for_selector("#pairs tbody tr:nth-child(11):last-child")
    page.fill("#pairs-filter", "")
    page.select_option("#pairs-only", "translated")
    page.wait_for_selector("#pairs tbody tr:nth-child(2):last-child")
    assert page.locator("#pairs .lacks").count() == 0
    assert page.locator("main h1").count() == 1


def test_a_text_is_set_in_a_font(page: Any) -> None:
    page.goto(f"{GAME}/fonts/0")
    page.fill("#font-text", "Aj")
    page.click("text=Set it")
    page.wait_for_url("**text=Aj")
    assert page.get_attribute(".font-picture", "alt") == "Aj"
    assert page.evaluate("document.querySelector('.font-picture').naturalWidth") == 16


def test_rooms_are_shown_without_scripts(browser: Any, viewed: str) -> None:
    with browsing(browser, viewed, java_script_enabled=False) as page:
        page.goto(ROOM)
        assert page.locator(".whole").bounding_box()["width"] > 100
        assert page.locator(".overlay-hotspots").is_visible()
        page.uncheck('[data-show="hotspots"]')
        assert not page.locator(".overlay-hotspots").is_visible()
        page.goto(f"{GAME}/views/vEgo")
        assert page.locator(".frames img").count() == 2


def test_areas_are_painted_by_name_and_the_page_stays(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "small.ags"
    path.write_bytes(package())
    count = "async (at) => (await (await fetch(at)).json()).overlays[0].areas.map(a => a.pixels)"
    with viewer(path) as address, browsing(browser, address) as page:
        page.goto("/in/room1.crm/-/paint?path=hotspots.png")
        assert page.evaluate(count, f"{ROOM}.json") == [2]
        page.locator(".larger").fill("8")
        page.get_by_role("radio", name="hDoor").check()
        page.get_by_role("radio", name="Rectangle").check()
        canvas = page.locator(".paint canvas")
        size = canvas.bounding_box()["width"] / 4
        canvas.hover(position={"x": size * 0.5, "y": size * 0.5})
        page.mouse.down()
        canvas.hover(position={"x": size * 1.5, "y": size * 1.5})
        canvas.hover(position={"x": size * 2.5, "y": size * 1.5})
        page.mouse.up()
        assert page.locator(".room-at").inner_text() == "2, 1"
        page.get_by_role("radio", name="Pick").check()
        canvas.click(position={"x": size * 3.5, "y": size * 2.5})
        assert page.get_by_role("radio", name="no area").is_checked()
        page.locator(".paint-stage").press("Control+s")
        page.locator("#bench", has_text="1 step").wait_for()
        page.locator(".paint:not([aria-busy])").wait_for()
        assert page.evaluate(count, f"{ROOM}.json") == [6]
        # what was chosen stays, and the next step is made of what is there then
        assert page.locator(".larger").input_value() == "8"
        page.get_by_role("radio", name="Fill").check()
        canvas.click(position={"x": size * 0.5, "y": size * 0.5})
        page.get_by_role("button", name="Apply").click()
        page.locator("#bench", has_text="2 steps").wait_for()
        page.locator(".paint:not([aria-busy])").wait_for()
        assert page.evaluate(count, f"{ROOM}.json") == []


def test_what_is_in_a_room_leads_to_its_code(page: Any) -> None:
    page.goto(ROOM)
    within = page.locator(".ags-within")
    assert "Look at" in within.inner_text()
    within.get_by_role("link", name="hDoor_Look").click()
    page.wait_for_url("**/scripts/room1.asc#f-hDoor_Look")
    line = page.locator(".lines li", has=page.locator("[id=f-hDoor_Look]"))
    assert "hDoor_Look" in line.inner_text()


def test_objects_to_add_are_chosen_by_their_pictures(page: Any) -> None:
    page.goto(PAGES["canvas"])
    line = page.locator(".pick li", has_text="1")
    picture = line.locator("img")
    picture.wait_for()
    assert picture.get_attribute("src") == "/in/room1.crm/rooms/room/sprites/1.png"
    assert line.inner_text().strip() == "1"
