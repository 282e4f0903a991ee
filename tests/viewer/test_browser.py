"""The viewer in a real browser: nothing is refused, logged or hard to reach.

``OVERHAUL_SCREENSHOTS=FOLDER`` keeps a picture of each page, for a person to look at.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

import overhaul

BROWSER = os.environ.get("OVERHAUL_BROWSER") or shutil.which("chromium") or shutil.which("chrome")
pytestmark = pytest.mark.skipif(
    BROWSER is None, reason="no browser is installed (Debian: apt install chromium)"
)
QUIET = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update"),
]
#: what axe reports of these is a failure
SERIOUS = {"serious", "critical"}
WAIT = 60_000.0


@pytest.fixture(scope="module")
def viewed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a viewer of the demo game's folder, with its token."""
    folder = tmp_path_factory.mktemp("viewed")
    lantern = Path(__file__).resolve().parents[2] / "examples" / "lantern" / "current"
    overhaul.pack(lantern, folder / "lantern.win")
    overhaul.unpack(folder / "lantern.win", folder / "lantern")
    command = [sys.executable, "-m", "overhaul", "view", "--no-open", str(folder / "lantern")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as viewer:
        assert viewer.stdout is not None
        yield viewer.stdout.readline().strip()
        viewer.send_signal(signal.SIGTERM)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """The browser, for all tests."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=QUIET)
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Any, viewed: str) -> Iterator[Any]:
    """A page that knows the token; what the browser reports of it fails the test."""
    wrong: list[str] = []

    def failed(request: Any) -> None:
        if request.failure != "net::ERR_ABORTED":  # it was left for another page
            wrong.append(f"{request.failure}: {request.url}")

    context = browser.new_context(base_url=viewed.partition("?")[0], reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(WAIT)
    page.on("console", lambda m: wrong.append(m.text) if m.type in ("error", "warning") else 0)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("requestfailed", failed)
    page.goto(viewed)
    yield page
    context.close()
    assert wrong == []


def check(page: Any, name: str) -> None:
    """Nothing of the page is hard to reach; keep a picture of it."""
    page.wait_for_load_state("networkidle")
    page.evaluate(files("axe_core_python").joinpath("axe.min.js").read_text("utf-8"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    bad = [
        f"{each['id']}: {each['help']} {[node['html'][:120] for node in each['nodes'][:3]]}"
        for each in found["violations"]
        if each["impact"] in SERIOUS
    ]
    folder = os.environ.get("OVERHAUL_SCREENSHOTS")
    if folder:
        page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)
    assert bad == [], name


PAGES = {
    "first": "/",
    "sprite": "/sprites/spr_keeper",
    "sprites": "/sprites",
    "room": "/rooms/rm_cave",
    "object": "/objects/obj_keeper",
    "code": "/code/gml_Object_obj_keeper_Draw_0",
    "sound": "/sounds/snd_catch",
    "texture": "/texture-pages/0",
    "calls": "/-/calls/scripts/scr_flicker",
    "unused": "/-/unused",
    "search": "/-/search?q=light",
    "help": "/-/help",
    "edit": "/-/edit/code/gml_Object_obj_keeper_Create_0",
}


@pytest.mark.parametrize("name", PAGES)
def test_every_kind_of_page_can_be_read_by_all(page: Any, name: str) -> None:
    page.goto(PAGES[name])
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        check(page, f"{name}-{scheme}")


def test_a_sprite_is_stepped_and_enlarged(page: Any) -> None:
    page.goto("/sprites/spr_keeper")
    page.click('[data-do="next"]')
    assert page.inner_text(".player .at") == "1"
    assert page.get_attribute(".now", "src").endswith("frames/1.png")
    width = page.locator(".now").bounding_box()["width"]
    page.click('[data-do="larger"]')
    assert page.locator(".now").bounding_box()["width"] > width
    page.check('[data-show="origin"]')
    assert page.locator("svg .origin").is_visible()


def test_a_room_is_enlarged_and_its_layers_are_switched(page: Any) -> None:
    page.goto("/rooms/rm_cave")
    page.wait_for_selector(".tile")
    page.click('[data-do="in"]')
    assert page.locator(".tile").count() >= 1
    page.locator("[data-layer]").first.click()
    page.wait_for_selector('.tile[src*="layers="]')
    page.locator(".world a").first.click(force=True)
    assert "#i" in page.url


def test_the_keyboard_finds_and_goes(page: Any) -> None:
    page.keyboard.press("/")
    page.keyboard.type("keeper")
    page.wait_for_selector("#found a")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/*keeper*")
    page.keyboard.press("g")
    page.keyboard.press("r")
    page.wait_for_url("**/rooms")


def test_a_change_is_tried_saved_and_undone(page: Any) -> None:
    page.goto("/code/gml_Object_obj_keeper_Create_0")
    page.click("text=Try a change")
    old = page.input_value("#source")
    page.fill("#source", f"{old}\nx = (1;")
    page.click('button[value="check"]')
    page.wait_for_selector(".mistakes a")
    page.fill("#source", f"{old}\nbonus = 5;")
    page.click('button[value="show"]')
    page.click('button[value="save"]')
    page.wait_for_selector(".undo")
    assert "bonus = 5;" in page.input_value("#source")
    page.click(".undo button")
    page.wait_for_url("**/code/*")
    assert "bonus" not in page.inner_text(".source")
