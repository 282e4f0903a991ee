"""The pages of a catalogue in a real browser, for all who read them.

``OVERHAUL_SCREENSHOTS=FOLDER`` keeps a picture of each page, for a person to look at.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import Any

import pytest

from browsing import COLOURS, browsing, check, needs_browser, viewer
from cataloged import lanterns, shelf

pytestmark = needs_browser
GAME = sha256(lanterns()[0]).hexdigest()
PAGES = {
    "front": "/",
    "files": "/tables/files",
    "images": "/tables/images",
    "question": "/questions/who-uses?name=keyboard_check_pressed",
    "versions": "/questions/versions",
    "query": "/query?sql=SELECT kind, count(*) AS files FROM files GROUP BY kind",
    "file": f"/files/{GAME}",
}
PHONE = {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def viewed() -> Iterator[str]:
    """The address of a viewer of a catalogue."""
    with viewer(shelf() / "my.catalog") as address:
        yield address


@pytest.fixture
def page(browser: Any, viewed: str) -> Iterator[Any]:
    """A page that knows the token; what the browser reports of it fails the test."""
    with browsing(browser, viewed) as page:
        yield page


@pytest.mark.parametrize("name", PAGES)
def test_every_page_can_be_read_by_all(page: Any, name: str) -> None:
    page.goto(PAGES[name])
    for scheme, rule in (("light", ""), ("dark", COLOURS)):
        page.emulate_media(color_scheme=scheme)
        check(page, f"catalog-{name}-{scheme}", rule)
    page.set_viewport_size(PHONE)
    check(page, f"catalog-{name}-phone")


def test_from_a_question_to_the_room_of_a_game(page: Any) -> None:
    page.get_by_role("searchbox", name="Who uses").fill("keyboard_check_pressed")
    page.keyboard.press("Enter")
    page.wait_for_url("**/questions/who-uses?**")
    assert page.locator("tbody tr").count() >= 1
    page.goto("/tables/files?kind=gamemaker-data")
    page.locator(f"a[href='/files/{GAME}']").first.click()
    page.get_by_role("link", name="Look into the file").click()
    page.wait_for_url(f"**/game/{GAME}/")
    page.locator(f"main a[href='/game/{GAME}/rooms']").first.click()
    page.wait_for_url(f"**/game/{GAME}/rooms**")
    assert page.locator("h1").count() == 1
