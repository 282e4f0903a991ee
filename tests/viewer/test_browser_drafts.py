"""Typed text in a real browser: asked about before a page is left, kept, and offered again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import overhaul
from browsing import COLOURS, browsing, check, needs_browser, viewer
from furnished import furnished_lantern

pytestmark = needs_browser
NAME = "gml_Object_obj_keeper_Create_0"
CODE, FORM = f"/-/edit/code/{NAME}", "/-/form?path=objects/obj_keeper/object.json"
#: waits until a draft is kept
KEPT = "() => Object.keys(localStorage).some((key) => key.startsWith('overhaul:draft:'))"
GONE = "() => !Object.keys(localStorage).some((key) => key.startsWith('overhaul:draft:'))"


@pytest.fixture
def game(tmp_path: Path) -> Path:
    return furnished_lantern(tmp_path / "game.win")


@pytest.fixture
def page(browser: Any, game: Path) -> Iterator[Any]:
    with viewer(game) as address, browsing(browser, address) as page:
        yield page


@contextmanager
def asked(page: Any, *, leave: bool) -> Iterator[list[str]]:
    """Answer the question before a page is left; what kinds of questions there were."""
    kinds: list[str] = []

    def answer(dialog: Any) -> None:
        kinds.append(dialog.type)
        if leave:
            dialog.accept()
        else:
            dialog.dismiss()

    page.on("dialog", answer)
    yield kinds
    page.remove_listener("dialog", answer)


def type_code(page: Any, text: str) -> None:
    """Write at the end of the code in the editor."""
    page.goto(CODE)
    page.locator(".cm-content").click()
    page.keyboard.press("Control+End")
    page.keyboard.type(text)
    page.wait_for_function(KEPT)


def source(page: Any) -> str:
    """The text in the editor."""
    text: str = page.locator("#source").input_value()
    return text


def test_typed_code_is_asked_about_before_the_page_is_left(page: Any) -> None:
    page.goto(FORM)  # a step, so that there is one to undo
    page.get_by_label("depth").fill("7")
    page.get_by_role("button", name="Apply").last.click()
    page.wait_for_load_state("load")
    type_code(page, "\nbonus = 1;")
    address = page.url
    undo = page.locator("#bench").get_by_role("button", name="Undo")
    link = page.get_by_role("link", name="Keys")
    for leave in (undo.click, link.click, lambda **_: page.evaluate("history.back()")):
        with asked(page, leave=False) as kinds:
            leave(no_wait_after=True)
            page.wait_for_timeout(150)
        assert (kinds, page.url) == (["beforeunload"], address)
    assert source(page).endswith("\nbonus = 1;")
    assert "1 step" in page.locator("#bench").inner_text()


def test_a_draft_of_code_is_offered_again_and_becomes_a_step(page: Any) -> None:
    type_code(page, "\nbonus = 1;")
    with asked(page, leave=True):
        page.reload()
    box = page.get_by_role("region", name="Draft")
    assert "was not saved" in box.inner_text()
    assert "bonus" not in source(page)
    for scheme, rule in (("light", ""), ("dark", COLOURS)):
        page.emulate_media(color_scheme=scheme)
        check(page, f"draft-{scheme}", rule)
    box.get_by_role("button", name="Restore").click()
    assert source(page).endswith("\nbonus = 1;")
    assert "bonus = 1" in page.locator(".cm-content").inner_text()
    assert box.count() == 0
    page.locator('button[value="save"]').click()
    page.get_by_text("The step is made.").wait_for()
    page.goto(CODE)
    assert source(page).endswith("\nbonus = 1;\n")
    page.wait_for_function(GONE)
    assert page.get_by_role("region", name="Draft").count() == 0


def test_a_draft_that_is_discarded_is_gone(page: Any) -> None:
    page.goto(FORM)
    page.get_by_label("depth").fill("-12")
    page.get_by_label("visible").press("Space")
    page.wait_for_function(KEPT)
    with asked(page, leave=True):
        page.goto("/objects")
    page.goto(FORM)
    assert page.get_by_label("depth").input_value() != "-12"
    page.get_by_role("button", name="Restore").click()
    assert page.get_by_label("depth").input_value() == "-12"
    assert not page.get_by_label("visible").is_checked()
    with asked(page, leave=True):
        page.reload()
    page.get_by_role("button", name="Discard").click()
    page.wait_for_function(GONE)
    page.reload()
    assert page.get_by_role("region", name="Draft").count() == 0


def test_texts_have_drafts(page: Any) -> None:
    page.goto("/-/strings?q=cave")
    area = page.locator('textarea[name^="r:"]').first
    area.fill("Nobody saved this")
    page.wait_for_function(KEPT)
    with asked(page, leave=True):
        page.goto("/")
    page.goto("/-/strings?q=nothing has this")
    page.get_by_role("button", name="Restore").click()
    left = page.locator("main textarea[readonly]")  # no field of this page is that text
    assert left.input_value() == "Nobody saved this"


def test_a_draft_is_offered_after_the_viewer_was_stopped(browser: Any, game: Path) -> None:
    with viewer(game) as address:
        context = browser.new_context()
        page = context.new_page()
        page.goto(address)
        base = address.partition("/?")[0]
        page.goto(base + CODE)
        page.locator(".cm-content").click()
        page.keyboard.press("Control+End")
        page.keyboard.type("\nbonus = 1;")
        page.wait_for_function(KEPT)
    page.evaluate("document.dispatchEvent(new Event('overhaul:look'))")
    page.locator("#ended").wait_for(state="visible")
    page.get_by_role("button", name="Check", exact=True).click()
    assert page.url == base + CODE  # it was not sent to nowhere
    assert source(page).endswith("\nbonus = 1;")
    with viewer(game) as again:
        assert again.partition("/?")[0] == base  # the port is the same, and with it the storage
        other = context.new_page()
        other.goto(again)
        other.goto(base + CODE)
        other.get_by_role("button", name="Restore").click()
        assert source(other).endswith("\nbonus = 1;")
        other.goto(base + CODE.replace("keeper", "door"))
        assert other.get_by_role("region", name="Draft").count() == 0
    context.close()


@pytest.fixture
def pages(browser: Any, game: Path) -> Iterator[tuple[Any, Any]]:
    """Two pages of one viewer, on one code entry."""
    with viewer(game) as address:
        base = address.partition("/?")[0]
        context = browser.new_context(base_url=base)
        page, other = context.new_page(), context.new_page()
        page.goto(address)
        page.goto(CODE)
        other.goto(CODE)
        yield page, other
        context.close()


def test_two_pages_on_one_entry_are_merged(pages: tuple[Any, Any], game: Path) -> None:
    page, other = pages
    first = source(page).split("\n")[0]

    def save(on: Any, text: str, *, above: bool) -> None:
        on.locator(".cm-content").click()
        on.keyboard.press("Control+Home" if above else "Control+End")
        on.keyboard.type(text)
        on.locator('button[value="save"]').click()

    save(other, "third = 1;\n", above=True)
    other.get_by_text("The step is made.").wait_for()
    save(page, "\nmine = 2;", above=False)
    page.locator("main [role=alert]", has_text="was changed meanwhile").wait_for()
    lines = source(page).split("\n")
    assert (lines[0], lines[1], lines[-1]) == ("third = 1;", first, "mine = 2;")
    check(page, "merged")
    page.locator('button[value="save"]').click()
    page.get_by_text("The step is made.").wait_for()
    page.locator("#bench").get_by_role("button", name="Save").click()
    page.wait_for_load_state("load")
    with overhaul.open_game(game) as saved:
        text = saved.code[NAME].gml
    assert "third = 1;" in text and "mine = 2;" in text


def test_a_painted_mask_has_a_draft(browser: Any, tmp_path: Path) -> None:
    from ags_package import package

    path = tmp_path / "small.ags"
    path.write_bytes(package())
    with viewer(path) as address, browsing(browser, address) as page:
        page.goto("/in/room1.crm/rooms/room")
        page.get_by_role("link", name="Paint").first.click()
        page.wait_for_load_state("networkidle")
        where = page.url
        picture = "() => document.querySelector('.paint canvas').toDataURL()"
        old = page.evaluate(picture)
        page.locator(".paint canvas").click(position={"x": 1, "y": 1})
        page.wait_for_function(KEPT)
        painted = page.evaluate(picture)
        assert painted != old
        with asked(page, leave=True) as kinds:
            page.reload()
        assert kinds == ["beforeunload"]
        page.get_by_role("button", name="Restore").click()
        page.wait_for_function(f"(painted) => ({picture})() === painted", arg=painted)
        page.get_by_role("button", name="Apply").click()
        page.locator("#bench", has_text="1 step").wait_for()
        page.goto(where)
        page.wait_for_load_state("networkidle")
        assert page.evaluate(picture) == painted
        assert page.get_by_role("region", name="Draft").count() == 0


@pytest.mark.parametrize("applies", [True, False])
def test_what_was_chosen_of_two_edits_is_no_draft(browser: Any, game: Path, applies: bool) -> None:
    with viewer(game) as address, browsing(browser, address, but="409") as page:
        page.goto(FORM)
        other = page.context.new_page()
        other.goto(FORM)
        for each, depth in ((other, "7"), (page, "4")):
            each.get_by_label("depth").fill(depth)
            each.get_by_role("button", name="Apply").last.click()
            each.wait_for_load_state("load")
        check(page, "conflict")
        if applies:
            page.get_by_label("Yours 4").check()
            page.get_by_role("button", name="Apply").click()
        else:
            page.get_by_role("link", name="Discard yours").click()
        page.wait_for_load_state("load")
        page.goto(FORM)
        assert page.get_by_label("depth").input_value() == ("4" if applies else "7")
        page.wait_for_function(GONE)
        assert page.locator(".draft").count() == 0
