"""Games edited in a real browser, with mouse and keyboard; what was saved is read by the library.

Real games of five releases, a project and a game of Adventure Game Studio; with OVERHAUL_FULL=1
all, otherwise the first two.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import overhaul
from browsing import COLOURS, browsing, check, fits, needs_browser, viewer
from furnished import furnished_lantern
from overhaul.errors import OverhaulError
from overhaul.folder import find_files
from real_files import NO_CORPUS, corpus_files, finished

pytestmark = needs_browser
FULL = os.environ.get("OVERHAUL_FULL") == "1"
GAMES = {
    "1.0": "Animignis__Game-Maker-Github__b163f513",
    "2.2": "iconstudio__DungeonRoll__49e03b3c",
    "2023.1": "Joestar-V__Chrono-Chase__5c7d8961",
    "2024.6": "MichaelBranagh46__OpenWorld_Build__8cb87345",
    "2024.14": "soap64real__killstreakbeta__1187a05e",
}


#: how many elements are in a room
COUNT = "async (at) => (await (await fetch(at)).json()).groups.flatMap(g => g.items).length"


@pytest.fixture
def game(tmp_path: Path) -> Path:
    return furnished_lantern(tmp_path / "game.win")


@pytest.fixture
def page(browser: Any, game: Path) -> Iterator[Any]:
    with viewer(game) as address, browsing(browser, address) as page:
        yield page


def test_a_field_is_edited_in_its_place(page: Any, game: Path) -> None:
    page.goto("/objects/obj_keeper")
    rows = page.locator(".facts > div")
    rows.filter(has_text="depth").click()
    page.wait_for_selector(".facts .open input:focus")
    check(page, "field-in-place", COLOURS)
    page.keyboard.type("123")
    page.keyboard.press("Escape")
    assert page.locator(".facts input, #edit-here *").count() == 0
    rows.filter(has_text="depth").click()
    page.wait_for_selector(".facts .open input:focus")
    page.keyboard.type("-31")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert page.url.endswith("/objects/obj_keeper")
    assert "-31" in rows.filter(has_text="depth").inner_text()
    rows.filter(has_text="solid").click()
    page.wait_for_selector(".facts .open input[type=checkbox]:focus")
    page.keyboard.press("Space")
    with page.expect_navigation():
        page.keyboard.press("Control+s")
    assert page.locator("#bench").inner_text().startswith("2 steps")
    with page.expect_navigation():
        page.keyboard.press("Control+s")
    with overhaul.open_game(game) as changed:
        keeper = changed.objects["obj_keeper"]
        assert (keeper.depth, keeper.solid) == (-31, True)


def test_code_is_edited_where_it_is_read(page: Any, game: Path) -> None:
    page.goto("/objects/obj_keeper")
    create = page.get_by_role("link", name="Edit Create", exact=True)
    lines = page.locator("#event-Create_0-lines")
    create.click()
    page.wait_for_selector(".cm-content:focus")
    assert lines.is_hidden()
    check(page, "code-in-place", COLOURS)
    page.keyboard.press("Escape")
    page.wait_for_selector("#code-here", state="detached")
    assert lines.is_visible()
    page.keyboard.press("e")
    page.wait_for_selector(".cm-content:focus")
    page.keyboard.press("Control+End")
    page.keyboard.type("\nfirst = caught +;")
    page.keyboard.press("Control+s")
    page.locator(".mistakes a").first.click()
    assert page.locator(".cm-activeLine").inner_text() == "first = caught +;"
    page.keyboard.press("End")
    page.keyboard.press("Backspace")
    page.keyboard.type(" 1;")
    page.keyboard.press("Control+s")
    page.get_by_text("The step is made.").wait_for()
    page.keyboard.type("\nsecond = 2;")  # the cursor is where it was
    page.keyboard.press("Control+s")
    page.locator("#bench", has_text="2 steps").wait_for()
    page.get_by_role("link", name="Edit Step", exact=True).click()  # the other one makes room
    page.locator("#event-Step_0 .cm-content:focus").wait_for()
    assert lines.inner_text().rstrip().endswith("second = 2;")
    with page.expect_navigation():
        page.keyboard.press("Control+s")  # nothing is typed: the file is saved
    with overhaul.open_game(game) as changed:
        text = changed.code["gml_Object_obj_keeper_Create_0"].gml
    assert text.rstrip().endswith("first = caught + 1;\nsecond = 2;")


def test_ctrl_s_applies_texts_and_then_saves_the_file(page: Any, game: Path) -> None:
    page.goto("/-/strings?q=The cave is lit")
    area = page.locator('textarea[name^="r:"]').first
    area.press("Control+s")  # nothing is typed, and there is no step: nothing happens
    assert page.locator("#bench").count() == 0
    area.fill("It is dark.")
    with page.expect_navigation():
        page.keyboard.press("Control+s")
    assert page.locator("#bench").inner_text().startswith("1 step")
    with page.expect_navigation():
        page.keyboard.press("Control+s")
    with overhaul.open_game(game) as changed:
        assert "It is dark." in changed.strings


def test_an_editor_with_typed_text_does_not_make_room(page: Any) -> None:
    page.goto("/objects/obj_keeper")
    page.get_by_role("link", name="Edit Create", exact=True).click()
    page.wait_for_selector(".cm-content:focus")
    page.keyboard.type("typed = 1;")
    page.get_by_role("link", name="Edit Step", exact=True).click()
    page.locator("#event-Create_0 .cm-content:focus").wait_for()
    assert page.locator("#code-here").count() == 1
    page.keyboard.press("Escape")
    page.wait_for_timeout(100)
    assert "typed = 1;" in page.locator("#source").input_value()
    asked = []

    def stay(dialog: Any) -> None:
        asked.append(dialog.type)
        dialog.dismiss()

    page.on("dialog", stay)
    page.get_by_role("button", name="Close").click(no_wait_after=True)
    page.wait_for_timeout(200)
    assert asked == ["beforeunload"]
    assert page.locator("#code-here").count() == 1


def differences(old: Path | bytes, new: Path) -> dict[str, str]:
    """What the command line says differs: by path, in words."""
    source = new.with_name("before")
    source.write_bytes(old if isinstance(old, bytes) else old.read_bytes())
    command = [sys.executable, "-m", "overhaul", "diff", "--json", str(source), str(new)]
    said = subprocess.run(command, capture_output=True, text=True)
    assert said.returncode in (0, 1), said.stderr
    return {each["path"]: json.dumps(each) for each in json.loads(said.stdout)["changes"]}


def canvas(page: Any) -> Any:
    stage = page.locator("canvas.stage")
    page.locator(".add-to option").first.wait_for(state="attached")
    page.wait_for_load_state("networkidle")
    return stage


def point(page: Any, where: str, number: int = 0) -> tuple[dict[str, Any], tuple[float, float]]:
    """An element of a room, and where it is on the canvas, which shows the whole room."""
    said = page.evaluate("async (at) => await (await fetch(at)).json()", f"{where}.json")
    items = [item for group in said["groups"] for item in group["items"]]
    item = items[number]
    box = page.locator("canvas.stage").bounding_box()
    most = min(box["width"] / said["width"], box["height"] / said["height"])
    zoom = min(16, int(most) if most > 1 else most)
    left = (said["width"] - box["width"] / zoom) / 2
    top = (said["height"] - box["height"] / zoom) / 2
    return item, ((item["x"] - left) * zoom, (item["y"] - top) * zoom)


def apply(page: Any) -> None:
    """Make a step of what is changed on a canvas, which stays."""
    page.get_by_role("button", name="Apply", exact=True).click()
    page.locator(".roomedit:not([aria-busy]) [data-count]", has_text="nothing is").wait_for()


def test_a_room_is_edited_with_the_mouse_and_with_keys(page: Any, game: Path) -> None:
    old = game.read_bytes()
    page.goto("/rooms/rm_cave")
    page.get_by_role("link", name="Edit on a canvas").click()
    stage = canvas(page)
    check(page, "room-edit")
    where = "/-/room/rooms/rm_cave"
    _, at = point(page, where)
    # what is found there may be above it
    stage.click(position={"x": at[0] + 2, "y": at[1] + 2})
    said = page.locator(".room-said").inner_text()
    assert "at" in said and "chosen" not in said
    stage.press("ArrowRight")
    stage.press("Shift+ArrowDown")
    assert page.locator("[data-count]").inner_text() == "1 changed"
    stage.press("Control+z")
    stage.press("Control+z")
    assert page.locator("[data-count]").inner_text() == "nothing is changed"
    stage.press("Control+y")
    stage.press("Control+y")
    stage.press("Control+d")
    assert page.locator("[data-count]").inner_text() == "2 changed"
    apply(page)
    assert "1 step" in page.locator("#bench").inner_text()
    page.get_by_role("button", name="Save").click()
    page.wait_for_load_state("load")
    # the last number that an instance has is noted there
    assert differences(old, game).keys() == {"general.json", "rooms/rm_cave.json"}


def test_things_are_dragged_added_and_removed(page: Any, game: Path) -> None:
    old = game.read_bytes()
    where = "/-/room/rooms/rm_cave"
    page.goto(where)
    stage = canvas(page)
    count = page.evaluate(COUNT, f"{where}.json")
    _, at = point(page, where)
    stage.hover(position={"x": at[0] + 2, "y": at[1] + 2})
    page.mouse.down()
    stage.hover(position={"x": at[0] + 60, "y": at[1] + 42})
    page.mouse.up()
    assert page.locator("[data-count]").inner_text() == "1 changed"
    page.locator(".add-name").fill("obj_keeper")
    page.get_by_role("button", name="Place by click").click()
    stage.click(position={"x": 40, "y": 40})
    stage.click(position={"x": 80, "y": 80})
    stage.press("Escape")
    assert page.locator("[data-count]").inner_text() == "3 changed"
    stage.press("n")
    stage.press("Delete")
    apply(page)
    assert page.evaluate(COUNT, f"{where}.json") == count + 1
    page.locator("#bench").get_by_role("button", name="Undo").click()
    page.locator(".roomedit:not([aria-busy])").wait_for()
    page.locator("#bench", has_text="0 steps").wait_for()
    assert page.locator("#bench").get_by_role("button", name="Save").is_disabled()
    assert page.evaluate(COUNT, f"{where}.json") == count
    assert game.read_bytes() == old


def test_pages_that_edit_can_be_used_by_all(page: Any) -> None:
    pages = {
        "form": "/-/form?path=objects/obj_keeper/object.json",
        "form-room": "/-/form?path=rooms/rm_cave.json",
        "file": "/-/file?path=objects/obj_keeper/object.json",
        "strings": "/-/strings",
        "whole": "/-/whole/objects/obj_keeper",
        "add": "/-/add?kind=sprite",
        "frames": "/-/frames/sprites/spr_keeper",
        "point": "/-/room/paths/pth_round",
        "steps": "/-/steps",
        "canvas": "/-/room/rooms/rm_cave",
    }
    for name, address in pages.items():
        page.goto(address)
        for scheme, rule in (("light", ""), ("dark", COLOURS)):
            page.emulate_media(color_scheme=scheme)
            check(page, f"edit-{name}-{scheme}", rule)
        page.set_viewport_size({"width": 390, "height": 800})
        fits(page, f"edit-{name}-phone")
        page.set_viewport_size({"width": 1280, "height": 800})


def test_all_texts_are_chosen_on_a_phone(page: Any) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto("/-/replacing?q=cave&by=cavern")
    check(page, "replacing-phone")
    boxes, every = page.locator("tbody input"), page.get_by_label("All of these")
    assert every.is_visible()
    every.uncheck()
    assert [box.is_checked() for box in boxes.all()] == [False] * boxes.count()
    every.check()
    assert [box.is_checked() for box in boxes.all()] == [True] * boxes.count()
    where = page.locator(".replacing td:last-child").first
    assert where.bounding_box()["width"] > 300


def test_fields_are_edited_with_the_keyboard(page: Any, game: Path) -> None:
    old = game.read_bytes()
    page.goto("/objects/obj_keeper")
    link = page.get_by_role("link", name="Edit fields")
    link.press("Enter")
    page.get_by_label("depth").fill("7")
    page.get_by_label("depth").press("Escape")
    assert page.locator("form.form").count() == 0
    link.press("Enter")
    assert page.get_by_label("depth").input_value() != "7"
    page.get_by_label("visible").press("Space")
    page.get_by_role("combobox", name="sprite").fill("spr_door")
    assert page.url.endswith("/objects/obj_keeper")
    with page.expect_navigation():
        page.get_by_role("combobox", name="sprite").press("Control+s")
    # the same page, which shows it
    assert page.url.endswith("/objects/obj_keeper")
    facts = page.locator(".facts").inner_text().split()
    assert (facts[facts.index("sprite") + 1], facts[facts.index("visible") + 1]) == (
        "spr_door",
        "no",
    )
    page.goto("/-/steps")
    check(page, "steps-made")
    page.get_by_role("button", name="Save", exact=True).first.click()
    page.wait_for_load_state("load")
    assert list(differences(old, game)) == ["objects/obj_keeper/object.json"]


@pytest.mark.corpus
@pytest.mark.parametrize("version", list(GAMES)[: None if FULL else 2])
def test_real_games_are_edited_saved_and_read_again(
    browser: Any, tmp_path: Path, version: str
) -> None:
    found = finished(corpus_files(f"datawin*/{GAMES[version]}*.win"))
    if not found:
        pytest.skip("it is not in the corpus")
    source = found[0]
    game = tmp_path / "game.win"
    shutil.copy(source, game)
    old = game.read_bytes()
    with viewer(game) as address, browsing(browser, address) as page:
        ask = "async (at) => await (await fetch(at)).json()"
        rooms = page.evaluate(ask, "/rooms.json")["rows"]
        where = ""
        for room in rooms:
            said = page.evaluate(ask, f"/-/room{room['href']}.json")
            if any(group["items"] for group in said["groups"]):
                where = f"/-/room{room['href']}"
                break
        page.goto(where)
        stage = canvas(page)
        stage.press("n")
        stage.press("ArrowRight")
        apply(page)
        page.get_by_role("button", name="Save").click()
        page.wait_for_load_state("load")
        assert all("rooms/" in path for path in differences(old, game))
        assert len(differences(old, game)) == 1
        page.goto("/-/steps")
        page.get_by_role("button", name="Go back to the beginning").click()
        page.wait_for_load_state("load")
        page.get_by_role("button", name="Save", exact=True).first.click()
        page.wait_for_load_state("load")
    assert game.read_bytes() == old


@pytest.mark.corpus
def test_a_project_and_a_room_are_edited_saved_and_read_again(browser: Any, tmp_path: Path) -> None:
    projects = corpus_files("projects/*.gmk")
    if not projects:
        pytest.skip(NO_CORPUS)
    project = max(projects, key=lambda path: path.stat().st_size)
    found = sorted(corpus_files("ags/*/*.crm"))
    rooms = list(islice(filter(objects_in, found), 1))
    for source in (project, *rooms):
        game = tmp_path / source.name
        shutil.copy(source, game)
        old = game.read_bytes()
        with viewer(game) as address, browsing(browser, address) as page:
            ask = "async (at) => await (await fetch(at)).json()"
            for room in page.evaluate(ask, "/rooms.json")["rows"]:
                where = f"/-/room{room['href']}"
                groups = page.evaluate(ask, f"{where}.json")["groups"]
                if any(group["items"] for group in groups):
                    break
            page.goto(where)
            stage = canvas(page)
            stage.press("n")
            stage.press("Shift+ArrowRight")
            page.get_by_role("button", name="Apply").click()
            page.wait_for_load_state("load")
            page.locator("#bench").get_by_role("button", name="Save").click()
            page.wait_for_load_state("load")
            changed = differences(old, game)
            assert len(changed) == 1
            assert all("room" in path or "instances" in path for path in changed), changed
            page.locator("#bench").get_by_role("button", name="Undo").click()
            page.wait_for_load_state("load")
            page.locator("#bench").get_by_role("button", name="Save").click()
            page.wait_for_load_state("load")
        assert game.read_bytes() == old


def objects_in(path: Path) -> bool:
    """Whether a room of Adventure Game Studio has objects, and can be read."""
    try:
        with overhaul.open(path) as room:
            (file,) = find_files(room, "room.json")
            return bool(json.loads(file.read()).get("Objects"))
    except OverhaulError:
        return False
