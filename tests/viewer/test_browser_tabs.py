"""Tabs and bookmarks in a real browser: kept by the window, the address and the browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from browsing import COLOURS, browsing, check, fits, needs_browser, viewer
from furnished import furnished_lantern

pytestmark = needs_browser
KEEPER, CAVE, DOOR = "/objects/obj_keeper", "/rooms/rm_cave", "/sprites/spr_door"
FORM = "/-/form?path=objects/obj_keeper/object.json"


@pytest.fixture
def page(browser: Any, tmp_path: Path) -> Iterator[Any]:
    game = furnished_lantern(tmp_path / "game.win")
    with viewer(game) as address, browsing(browser, address) as page:
        yield page


def keep(page: Any, *addresses: str) -> None:
    """Open pages, and keep each in a tab."""
    for address in addresses:
        page.goto(address)
        page.wait_for_selector(".keeping button:not([hidden])")
        page.keyboard.press("t")
        page.wait_for_selector("#tabs li:not(.passing) [aria-current]")


def tabs(page: Any) -> list[str]:
    """The titles of the strip; the page that is not kept in braces."""
    page.wait_for_selector("#tabs button")
    return [
        item.locator(":scope > :first-child").inner_text()
        if "passing" not in (item.get_attribute("class") or "")
        else f"({item.locator('span').inner_text()})"
        for item in page.locator("#tabs li").all()
    ]


def path_of(page: Any) -> str:
    path: str = page.evaluate("location.pathname")
    return path


def test_tabs_are_kept_and_the_address_has_them(page: Any) -> None:
    keep(page, KEEPER, CAVE)
    page.goto(DOOR)
    assert tabs(page) == ["obj_keeper", "rm_cave", "(spr_door)"]
    check(page, "tabs")
    page.emulate_media(color_scheme="dark")
    check(page, "tabs-dark", COLOURS)
    page.set_viewport_size({"width": 390, "height": 844})
    fits(page, "tabs-phone")
    page.set_viewport_size({"width": 1280, "height": 800})
    page.click("#tabs .passing button")
    page.locator(".crumbs a").last.click()
    page.wait_for_function("location.pathname === '/sprites'")
    assert tabs(page) == ["obj_keeper", "rm_cave", "spr_door", "(Sprites)"]
    address = page.url
    page.reload()
    assert page.url == address
    other = page.context.new_page()
    other.goto(address)
    assert tabs(other) == tabs(page)
    other.goto(f"{DOOR}?tabs=//elsewhere.example/,/rooms/rm_cave")
    assert tabs(other) == ["rm_cave", "(spr_door)"]
    assert other.locator("#tabs a[href*='elsewhere']").count() == 0


def test_tabs_are_turned_closed_and_moved_by_keys(page: Any) -> None:
    keep(page, KEEPER, CAVE, DOOR)
    page.keyboard.press("]")
    page.wait_for_function("location.pathname.endsWith('obj_keeper')")
    page.keyboard.press("[")
    page.wait_for_function("location.pathname.endsWith('spr_door')")
    page.locator("#tabs a").last.focus()
    page.keyboard.press("Control+ArrowLeft")
    assert tabs(page) == ["obj_keeper", "spr_door", "rm_cave"]
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Delete")
    assert tabs(page) == ["spr_door", "rm_cave"]
    page.get_by_role("button", name="Close spr_door").click()
    page.wait_for_function("location.pathname.endsWith('rm_cave')")
    assert tabs(page) == ["rm_cave"]
    page.locator("#tabs a").click(button="middle")
    page.wait_for_selector("#tabs", state="hidden")
    assert "tabs=" not in page.url


def test_what_is_typed_waits_in_its_tab(page: Any) -> None:
    keep(page, KEEPER, FORM)
    page.get_by_label("depth").fill("77")
    page.locator("#tabs a").first.click()  # nothing is asked
    page.wait_for_function("location.pathname.endsWith('obj_keeper')")
    page.locator("#tabs a").last.click()
    page.wait_for_function("document.querySelector('[name=\"f:/depth\"]')?.value === '77'")
    assert page.locator(".draft").count() == 0
    page.get_by_role("button", name="Apply").last.click()
    page.wait_for_selector("#bench")
    assert tabs(page) == ["obj_keeper", "obj_keeper: Fields"]
    page.reload()
    assert page.get_by_label("depth").input_value() == "77"


def test_ctrl_opens_a_page_as_the_browser_does(page: Any) -> None:
    keep(page, KEEPER)
    with page.context.expect_page() as opened:
        page.locator("main a[href*='/sprites/']").first.click(modifiers=["Control"])
    other = opened.value
    other.wait_for_load_state("load")
    assert "tabs=" not in other.url
    assert path_of(page) == KEEPER


def test_bookmarks(page: Any) -> None:
    page.goto(CAVE)
    page.get_by_role("button", name="Bookmark this page").click()
    page.goto(f"{KEEPER}?tabs=/rooms/rm_cave")
    page.wait_for_selector("#bookmarks li")  # its script runs, which hears the key
    page.keyboard.press("m")
    page.wait_for_selector("#bookmarks li:nth-child(2)")
    assert page.locator("#bookmarks a").all_inner_texts() == ["rm_cave", "obj_keeper"]
    check(page, "bookmarks")
    page.keyboard.press("m")
    page.wait_for_selector("#bookmarks li:nth-child(2)", state="detached")
    page.locator("#bookmarks a").click()
    page.wait_for_function("location.pathname.endsWith('rm_cave')")
    pressed = page.get_by_role("button", name="Bookmark this page").get_attribute("aria-pressed")
    assert pressed == "true"


def test_the_buttons_on_a_phone(page: Any) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(DOOR)
    page.get_by_role("button", name="Contents").click()
    page.get_by_role("button", name="Keep this page in a tab").click()
    assert tabs(page) == ["spr_door"]
    check(page, "keeping-phone")


def pane(page: Any, name: str) -> Any:
    """The page in a frame, when it is there."""
    frame = page.frame(name=name)
    frame.wait_for_selector("main h1")
    return frame


def test_two_pages_side_by_side(page: Any) -> None:
    page.goto(KEEPER)
    page.wait_for_selector(".keeping a.second[href*='obj_keeper']")
    page.keyboard.press("\\")
    page.wait_for_selector(".pane.active")
    pane(page, "right").click("main h1")
    page.wait_for_selector(".pane.active iframe[name=right]")
    page.fill("#filter", "rm_cave")
    page.click(f"#tree a[href='{CAVE}']")
    page.wait_for_url("**right=%2Frooms%2Frm_cave")
    assert pane(page, "left").url.endswith(KEEPER)
    check(page, "split")
    page.emulate_media(color_scheme="dark")
    check(page, "split-dark", COLOURS)
    page.set_viewport_size({"width": 390, "height": 844})
    fits(page, "split-phone")
    page.set_viewport_size({"width": 1280, "height": 800})
    page.reload()
    left = pane(page, "left")
    left.locator(f"main a[href='{DOOR}'], main a[href^='/sprites/']").first.click(modifiers=["Alt"])
    page.wait_for_url("**right=%2Fsprites%2F*")
    assert pane(page, "left").url.endswith(KEEPER)
    page.get_by_role("button", name="Close the left page").click()
    page.wait_for_url("**/sprites/*")


def test_a_step_in_one_page_shows_in_the_other(page: Any) -> None:
    page.goto(f"/-/split?left={KEEPER}&right=/-/form%3Fpath=objects/obj_keeper/object.json")
    form = pane(page, "right")
    form.fill("[name='/depth'], [name$='depth']", "77")
    form.click("button.main")
    page.wait_for_selector("#bench >> text=1 step")
    left = page.frame(name="left")
    left.wait_for_function("document.body.innerText.includes('77')")
    page.click("#bench [data-keys=undo]")
    page.wait_for_selector("#bench >> text=0 steps")
    left = page.frame(name="left")
    left.wait_for_function("!document.body.innerText.includes('77')")
    # what is typed in one page stays there when a step is made in the other
    left.goto(f"{page.url.partition('/-/')[0]}/-/form?path=objects/obj_keeper/object.json")
    left.fill("[name$='depth']", "5")
    right = page.frame(name="right")
    right.wait_for_selector("[name$='depth']")
    right.fill("[name$='depth']", "6")
    right.click("button.main")
    page.wait_for_selector("#bench >> text=1 step")
    assert left.input_value("[name$='depth']") == "5"
