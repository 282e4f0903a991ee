"""The viewer in a real browser: nothing is refused, logged or hard to reach.

``OVERHAUL_SCREENSHOTS=FOLDER`` keeps a picture of each page, for a person to look at.  Pages of
some kinds of each game are seen; with ``OVERHAUL_FULL=1`` those of all.
"""

from __future__ import annotations

import os
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import overhaul
from browsing import COLOURS, browsing, check, fits, needs_browser, viewer
from furnished import furnished_lantern
from modded_games import lantern
from real_files import corpus_files, finished

pytestmark = needs_browser
FULL = os.environ.get("OVERHAUL_FULL") == "1"
#: kinds of each real game that are seen without OVERHAUL_FULL
KINDS = 2
#: real games of five versions, from 2013 to today, by the beginnings of their names
GAMES = {
    "1.0": "Animignis__Game-Maker-Github__b163f513",
    "2.2": "iconstudio__DungeonRoll__49e03b3c",
    "2023.1": "Joestar-V__Chrono-Chase__5c7d8961",
    "2024.6": "MichaelBranagh46__OpenWorld_Build__8cb87345",
    "2024.14": "soap64real__killstreakbeta__1187a05e",
}


@pytest.fixture(scope="module")
def viewed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a viewer of the furnished demo game's folder."""
    folder = tmp_path_factory.mktemp("viewed")
    furnished_lantern(folder / "lantern.win", "current")
    overhaul.unpack(folder / "lantern.win", folder / "lantern")
    with viewer(folder / "lantern") as address:
        yield address


@pytest.fixture
def page(browser: Any, viewed: str) -> Iterator[Any]:
    """A page of the demo game; what the browser reports of it fails the test."""
    with browsing(browser, viewed) as page:
        yield page


PAGES = {
    "sprite": "/sprites/spr_keeper",
    "room": "/rooms/rm_cave",
    "code": "/code/gml_Object_obj_keeper_Draw_0",
    "calls": "/-/calls/scripts/scr_flicker",
    "unused": "/-/unused",
    "search": "/-/search?q=light",
    "help": "/-/help",
    "edit": "/-/edit/code/gml_Object_obj_keeper_Create_0",
    "record": "/-/record/objects/obj_keeper",
    "uses": "/-/uses/sprites/spr_keeper",
}


@pytest.mark.parametrize("name", PAGES)
def test_pages_can_be_read_by_all_in_light_and_dark(page: Any, name: str) -> None:
    page.goto(PAGES[name])
    for scheme, rule in (("light", ""), ("dark", COLOURS)):
        page.emulate_media(color_scheme=scheme)
        check(page, f"{name}-{scheme}", rule)


def kinds_of(page: Any) -> list[tuple[str, str]]:
    """A resource of each kind of a game: the kind, and the address of the largest one."""
    ask = "async (where) => await (await fetch(where)).json()"
    found = []
    for kind in page.evaluate(ask, "/.json")["kinds"]:
        rows = page.evaluate(ask, f"{kind['href']}.json")["rows"]
        largest = max(rows, key=lambda row: row["size"] or 0)
        found.append((kind["slug"], largest["href"]))
    return found


def look_at(page: Any, game: str, kinds: list[tuple[str, str]]) -> None:
    """A list and a page of each kind can be read by all, on a desk and on a phone."""
    for slug, resource in kinds:
        for name, address in ((f"{slug}-list", f"/{slug}"), (slug, resource)):
            page.goto(address)
            check(page, f"{game}-{name}")
        page.set_viewport_size({"width": 390, "height": 800})
        fits(page, f"{game}-{slug}-phone")
        page.set_viewport_size({"width": 1280, "height": 800})


@pytest.mark.parametrize("edition", ["gms1", "current"])
def test_every_kind_of_page_of_the_demo_games(browser: Any, tmp_path: Path, edition: str) -> None:
    furnished_lantern(tmp_path / "lantern.win", edition)
    with viewer(tmp_path / "lantern.win") as address, browsing(browser, address) as page:
        check(page, f"{edition}-first")
        kinds = kinds_of(page)
        assert {"sprites", "rooms", "objects", "code", "timelines", "shaders"} <= dict(kinds).keys()
        if edition == "gms1" and not FULL:  # the others look the same
            kinds = [kind for kind in kinds if kind[0] in ("rooms", "objects", "timelines")]
        elif not FULL:
            kinds = random.Random(edition).sample(kinds, len(kinds) // 3)
        look_at(page, edition, kinds)


@pytest.mark.corpus
@pytest.mark.parametrize("version", GAMES)
def test_pages_of_real_games(browser: Any, version: str) -> None:
    found = finished(corpus_files(f"datawin*/{GAMES[version]}*.win"))
    if not found:
        pytest.skip("the game is not in the corpus here")
    with viewer(found[0]) as address, browsing(browser, address) as page:
        check(page, f"{version}-first")
        kinds = kinds_of(page)
        if not FULL:
            kinds = random.Random(version).sample(kinds, KINDS)
        look_at(page, version, kinds)


def test_long_names_of_functions_fit_a_phone(browser: Any, tmp_path: Path) -> None:
    path, name = tmp_path / "lantern.win", "gml_Object_obj_keeper_Create_0"
    furnished_lantern(path)
    with overhaul.open_game(path) as game:
        game.code[name].gml += "\nplaces = {first: {left: 1}, second: {left: 2}};"
        game.save(path, force=True)
    with viewer(path) as address, browsing(browser, address) as page:
        page.set_viewport_size({"width": 390, "height": 800})
        page.goto(f"/code/{name}")
        assert page.locator(".functions li").count() == 3
        fits(page, "functions-phone")


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


def test_a_sprite_is_played(page: Any) -> None:
    page.goto("/sprites/spr_keeper")
    page.click('[data-do="play"]')
    first = page.get_attribute(".now", "src")
    page.wait_for_function("(was) => !document.querySelector('.now').src.endsWith(was)", arg=first)
    page.click('[data-do="play"]')
    assert page.get_attribute('[data-do="play"]', "aria-pressed") == "false"


def test_a_room_is_enlarged_and_its_layers_are_switched(page: Any) -> None:
    page.goto("/rooms/rm_cave")
    page.wait_for_selector(".tile")
    page.click('[data-do="in"]')
    assert page.locator(".tile").count() >= 1
    page.locator("[data-layer]").first.click()
    page.wait_for_selector('.tile[src*="layers="]')
    page.locator(".world a").first.click(force=True)
    assert "#i" in page.url


def test_a_sound_can_be_played(page: Any) -> None:
    page.goto("/sounds/snd_catch")
    duration = "document.querySelector('audio').duration"
    page.wait_for_function(f"() => {duration} > 0")
    assert 0 < page.evaluate(duration) < 60
    assert page.get_attribute(".waveform path", "d").startswith("M0 ")
    page.evaluate("document.querySelector('audio').play()")
    page.wait_for_function("() => document.querySelector('audio').currentTime > 0")
    page.evaluate("document.querySelector('audio').volume = 0.25")
    page.reload()
    assert page.evaluate("document.querySelector('audio').volume") == 0.25


def test_a_sequence_is_played_and_its_frame_chosen(page: Any) -> None:
    page.emulate_media(reduced_motion="no-preference")
    page.goto("/sequences/seq_walk")
    page.focus("#frame")
    page.keyboard.press("End")
    page.wait_for_selector('.now[src$="frames/60.png"]')
    assert page.inner_text(".sequence .at") == "60"
    assert page.get_attribute(".playhead >> nth=0", "d") == "M60 0 V40"
    page.keyboard.press("Home")
    page.click('[data-do="play"]')
    page.wait_for_selector('.now:not([src$="frames/0.png"]):not([src$="frames/60.png"])')
    page.click('[data-do="play"]')
    assert page.inner_text('[data-do="play"]') == "Play"


def test_the_record_comes_when_it_is_asked_for(page: Any) -> None:
    page.goto("/objects/obj_keeper")
    assert page.locator(".record dt").count() == 0
    page.click("text=Show the raw record")
    page.wait_for_selector(".record dt")
    assert "sprite" in page.inner_text(".record")
    page.locator("#used-by").scroll_into_view_if_needed()  # it is asked for when it is seen
    page.wait_for_selector("#used-by ~ div li")


def test_the_keyboard_finds_and_goes(page: Any) -> None:
    page.keyboard.press("/")
    page.keyboard.type("keeper")
    page.wait_for_selector("#found a")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/*keeper*")
    assert "keeper" in page.locator("h1").inner_text()
    page.keyboard.press("g")
    page.keyboard.press("r")
    page.wait_for_url("**/rooms")
    assert page.locator(".crumbs [aria-current]").inner_text() == "Rooms"
    assert page.locator("#rows a, main li a").first.inner_text().strip() == "rm_cave"


def test_a_change_is_tried_saved_and_undone(page: Any) -> None:
    page.goto("/code/gml_Object_obj_keeper_Create_0")
    page.get_by_role("link", name="Edit", exact=True).click()
    page.locator(".cm-content").wait_for()
    old = page.input_value("#source")
    page.locator(".cm-content").fill(f"{old}\nx = (1;")
    page.click('button[value="check"]')
    page.wait_for_selector(".mistakes a")
    page.locator(".cm-content").fill(f"{old}\nbonus = 5;")
    page.click('button[value="show"]')
    page.get_by_text("+bonus = 5;").wait_for()
    page.click('button[value="save"]')
    page.get_by_text("The step is made.").wait_for()
    assert "bonus = 5;" in page.input_value("#source")
    page.locator("#bench").get_by_role("button", name="Undo").click()
    page.wait_for_load_state("load")
    assert "bonus" not in page.inner_text(".source")


def test_sounds_play_in_their_list_and_uses_are_counted(page: Any) -> None:
    page.goto("/sounds")
    page.wait_for_selector("a[data-uses][data-done]")
    assert re.fullmatch(r"\d+", page.inner_text('a[data-uses="snd_catch"]'))
    page.click('[aria-label="Play snd_catch"]')
    page.wait_for_selector('.play[aria-pressed="true"]')
    page.wait_for_selector('.play[aria-pressed="false"] >> nth=1')  # it came to its end
    check(page, "sounds")


def test_two_games_are_compared_with_a_slider(browser: Any, tmp_path: Path) -> None:
    old, new = tmp_path / "old.win", tmp_path / "new.win"
    old.write_bytes(lantern("current"))
    with overhaul.open_game(old) as game:
        frame = game.sprites["spr_keeper"].frames[0]
        assert frame.image is not None
        picture = frame.image.convert("RGBA")
        picture.putpixel((3, 4), (1, 2, 3, 255))
        frame.image = picture
        game.code["gml_Object_obj_keeper_Create_0"].append("bonus = 3;")
        game.save(new)
    with viewer(old, new, diff=True) as address, browsing(browser, address) as page:
        check(page, "diff")
        page.click("text=sprites/spr_keeper/0.png")
        page.focus('.slide input[type="range"]')
        page.keyboard.press("End")
        assert "0%" in page.evaluate("document.querySelector('.slide img + img').style.clipPath")
        page.keyboard.press("b")  # with reduced motion, blinking is a step for each press
        assert "100%" in page.evaluate("document.querySelector('.slide img + img').style.clipPath")
        page.click("text=Blink")
        assert "0%" in page.evaluate("document.querySelector('.slide img + img').style.clipPath")
        check(page, "diff-picture")
        page.go_back()
        page.click("text=code/gml_Object_obj_keeper_Create_0.gml")
        assert "bonus = 3;" in page.inner_text(".sides")
        check(page, "diff-code")
        page.set_viewport_size({"width": 390, "height": 844})
        check(page, "diff-code-phone")
        text = page.locator(".sides td:has-text('bonus = 3;')")
        assert text.bounding_box()["width"] > 250
        assert page.locator(".sides td.old:visible").count() == 0  # nothing is gone
        page.go_back()
        check(page, "diff-phone")


def test_pages_show_their_content_without_scripts(browser: Any, viewed: str) -> None:
    with browsing(browser, viewed, java_script_enabled=False) as page:
        page.goto("/sequences/seq_walk?frame=30")
        assert page.get_attribute(".now", "src").endswith("frames/30.png")
        assert page.is_visible(".go")
        page.goto("/rooms/rm_cave")
        assert page.locator(".whole").bounding_box()["width"] > 200
        page.goto("/objects/obj_keeper")
        page.click("text=Show the raw record")
        page.click("text=The record of obj_keeper")
        assert re.search("/-/record/objects/obj_keeper$", page.url)
        page.fill("#q", "keeper")
        page.press("#q", "Enter")
        assert page.locator("#results a").count() > 0


WEIGHT = """() => performance.getEntriesByType("resource")
    .filter((each) => !/[.]png|state[.]json/.test(each.name))
    .reduce((sum, each) => sum + each.transferSize,
            performance.getEntriesByType("navigation")[0].transferSize)"""


@pytest.mark.parametrize(
    ("address", "most"),
    [
        ("/objects/obj_keeper", 150_000),
        ("/-/edit/code/gml_Object_obj_keeper_Step_0", 450_000),
        ("/-/room/rooms/rm_cave", 450_000),
    ],
)
def test_pages_do_not_weigh_more(browser: Any, viewed: str, address: str, most: int) -> None:
    """What a browser that has nothing of the viewer loads, without pictures."""
    with browsing(browser, viewed) as page:
        cookies = page.context.cookies()
        base = page.evaluate("location.origin")
        context = browser.new_context(base_url=base)
        context.add_cookies(cookies)
        fresh = context.new_page()
        fresh.goto(address)
        fresh.wait_for_load_state("networkidle")
        weight = fresh.evaluate(WEIGHT)
        context.close()
    assert 20_000 < weight < most
