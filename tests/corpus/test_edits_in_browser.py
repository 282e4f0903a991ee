"""Every kind of edit of real games in Chromium, by mouse and keyboard: saved, read again by the
command line, and taken back to the bytes there were.

Games of five releases, a project, and a game of Adventure Game Studio; without OVERHAUL_FULL=1 a
sample of the edits of one of them.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from browsing import needs_browser, viewer
from real_files import corpus_files, finished
from sound_files import wave
from typefaces import typeface

pytestmark = [needs_browser, pytest.mark.corpus]
FULL = os.environ.get("OVERHAUL_FULL") == "1"
GAMES = {
    "1.0": "datawin*/Animignis__Game-Maker-Github__b163f513*.win",
    "2.2": "datawin*/iconstudio__DungeonRoll__49e03b3c*.win",
    "2023.1": "datawin*/Joestar-V__Chrono-Chase__5c7d8961*.win",
    "2024.6": "datawin*/MichaelBranagh46__OpenWorld_Build__8cb87345*.win",
    "2024.14": "datawin*/soap64real__killstreakbeta__1187a05e*.win",
    "project": "projects/HundredVisionsGuy__Game-Maker-Shooting-Gallery__*.gmk",
    "ags": "ags/dankcuddlybear__amoeba/*.ags",
}
ASK = """async (at) => {
    const answer = await fetch(at);
    return answer.ok ? await answer.json() : null;
}"""
#: What an edit returns: a pattern that each path that changes has, and one that each change has;
#: None where the game has nothing of the kind.
Made = tuple[str, str] | None


class Editing:
    """A game in the browser, and the ways there."""

    def __init__(self, page: Any, game: Path, folder: Path) -> None:
        self.page = page
        self.game = game
        self.folder = folder
        self.ags = bool(self.ask("/in/game28.dta/.json"))
        self.base = "/in/game28.dta" if self.ags else ""

    def ask(self, address: str) -> Any:
        return self.page.evaluate(ASK, address)

    def rows(self, slug: str, base: str | None = None) -> list[dict[str, Any]]:
        """The resources of a kind."""
        said = self.ask(f"{self.base if base is None else base}/{slug}.json")
        found: list[dict[str, Any]] = said["rows"] if said else []
        return found

    def step(self, scope: str = "main") -> None:
        """Press the button that makes the step, and wait for the answer."""
        button = self.page.locator(scope).get_by_role("button", name="Apply").first
        with self.page.expect_navigation():
            button.click()

    def refused(self) -> str:
        """Why the last edit was refused; empty where it was not."""
        alerts = self.page.locator('main [role="alert"]')
        return str(alerts.first.inner_text()) if alerts.count() else ""


def own(path: str) -> str:
    return re.escape(path)


def name_of(row: dict[str, Any]) -> str:
    return str(row["href"]).rpartition("/")[2]


def fields(it: Editing) -> Made:
    """A check box or a number of an object's or a character's form, with the keyboard."""
    for row in [*it.rows("objects"), *it.rows("characters")][:3]:
        it.page.goto(row["href"])
        it.page.get_by_role("link", name="Edit fields").press("Enter")
        form = it.page.locator("form.form")
        boxes = form.locator('input[type="checkbox"]:not([disabled]):not([name*="Uniform"])')
        numbers = form.locator("input[inputmode]:not([readonly])")
        if boxes.count():
            boxes.first.press("Space")
        elif numbers.count():
            old = numbers.first.input_value()
            numbers.first.fill(str(int(float(old or 0)) + 1))
        else:
            continue
        with it.page.expect_navigation():
            form.locator("button.main").press("Enter")
        return own(str(row["name"])), ""
    return None


def text(it: Editing) -> Made:
    """A text of the table of all texts."""
    it.page.goto("/-/strings?only=1")
    for area in it.page.locator("main textarea").all()[:60]:
        old = area.input_value()
        if len(old) > 4 and re.fullmatch(r"[A-Za-z ,.!?']+", old) and " " in old:
            area.click()
            area.press("Control+End")
            area.type(" quux")
            it.step()
            return "", "quux"
    return None


def code(it: Editing) -> Made:
    """A line more of code, typed into the editor."""
    for row in it.rows("code")[:12]:
        it.page.goto(row["href"])
        try_it = it.page.get_by_role("link", name="Edit", exact=True)
        if not try_it.count():
            continue
        try_it.click()
        editor = it.page.locator(".cm-content")
        editor.click()
        editor.press("Control+End")
        editor.type("\nquux = 12;")
        editor.press("Control+s")
        it.page.wait_for_load_state("load")
        with it.page.expect_navigation():
            it.page.click('button[value="save"]')
        return f"{own(str(row['name']))}\\.gml", "quux"
    for row in it.rows("scripts")[:3]:
        for ending in (".gml", ".asc"):
            path = f"scripts/{row['name']}{ending}".replace(".asc.asc", ".asc")
            it.page.goto(f"{it.base}/-/file?path={quote(path)}")
            editor = it.page.locator(".cm-content")
            if not it.page.locator("main textarea").count():
                continue
            editor.wait_for()
            editor.click()
            editor.press("Control+End")
            editor.type("\nquux = 12;" if ending == ".gml" else "\nfunction quux() { }")
            with it.page.expect_navigation():
                it.page.locator("main form.edit, main form").get_by_role(
                    "button", name="Apply"
                ).first.click()
            return own(path.rpartition("/")[2]), "quux"
    return None


def frame(it: Editing) -> Made:
    """A frame of a sprite twice."""
    for row in it.rows("sprites"):
        said = it.ask(f"{row['href']}.json")
        if said and said["frames"] and "/frames/" in said["frames"][0]:
            it.page.goto(f"{it.base}/-/frames/sprites/{name_of(row)}")
            twice = it.page.get_by_role("button", name="Duplicate frame 0")
            if twice.count():
                twice.click()
                it.step('section[aria-labelledby="frames"]')
                return own(str(row["name"])), ""
    return None


def origin(it: Editing) -> Made:
    """The origin of a sprite, by a click."""
    for row in it.rows("sprites")[:20]:
        it.page.goto(f"{it.base}/-/frames/sprites/{name_of(row)}")
        stage = it.page.locator(".spritebox-stage img")
        if not stage.count():
            continue
        box = stage.bounding_box()
        stage.click(position={"x": box["width"] * 0.7, "y": box["height"] * 0.3})
        it.step('section[aria-labelledby="place"]')
        return own(str(row["name"])), ""
    return None


def sound(it: Editing) -> Made:
    """The bytes of a sound, by a file."""
    for row in it.rows("sounds")[:40]:
        it.page.goto(row["href"])
        options = it.page.locator(".replace select option")
        if options.count() and options.first.inner_text().endswith(".wav"):
            new = it.folder / "new.wav"
            new.write_bytes(wave(2205))
            it.page.locator('.replace input[type="file"]').first.set_input_files(new)
            with it.page.expect_navigation():
                it.page.locator(".replace-shown button").first.click()
            return own(str(row["name"]).rpartition(".")[0] or str(row["name"])), ""
    return None


def font(it: Editing) -> Made:
    """A font, drawn again with a typeface."""
    for row in it.rows("fonts")[:3]:
        it.page.goto(row["href"])
        chosen = it.page.locator('section[aria-labelledby="typeface"] input[type="file"]')
        if chosen.count():
            new = it.folder / "new.ttf"
            shapes = dict.fromkeys(map(chr, [*range(32, 256), 0x25AF]), (100, 0, 500, 700, 600))
            new.write_bytes(typeface("".join(shapes), outlines=shapes))
            chosen.set_input_files(new)
            with it.page.expect_navigation():
                it.page.locator('section[aria-labelledby="typeface"] button.main').click()
            # the name of the typeface is a text more
            return rf"{own(str(row['name']))}|strings\.csv", ""
    return None


def canvas(it: Editing, address: str) -> Any:
    it.page.goto(address)
    stage = it.page.locator("canvas.stage")
    it.page.locator(".add-to option").first.wait_for(state="attached")
    it.page.wait_for_load_state("networkidle")
    return stage


def moved(it: Editing, word: str) -> Made:
    """An element of a room of a kind, moved with the keyboard."""
    rooms = it.rows("rooms")
    bases = {row["href"]: it.base for row in rooms}
    if it.ags:
        for row in it.rows("assets", ""):
            if str(row["name"]).lower().endswith(".crm"):
                base = f"/in/{quote(row['name'], safe='')}"
                bases[f"{base}/rooms/room"] = base
    for href, base in [*bases.items()][:12]:
        address = f"{base}/-/room{href.removeprefix(base)}"
        said = it.ask(f"{address}.json")
        items = [group["word"] for group in said["groups"] if group["items"]] if said else []
        if word not in items:
            continue
        stage = canvas(it, address)
        for _ in range(40000):
            stage.press("n")
            if it.page.locator(".room-said").inner_text().startswith(word):
                break
        stage.press("ArrowRight")
        it.step()
        return own(href.rpartition("/")[2]) if not it.ags else "room", ""
    return None


def instance(it: Editing) -> Made:
    return moved(it, "object" if it.ags else "instance")


def tile(it: Editing) -> Made:
    """A tile moved; from GameMaker 2 on one that is painted."""
    found = moved(it, "tile")
    if found is not None or it.ags:
        return found
    for row in it.rows("rooms")[:12]:
        it.page.goto(row["href"])
        paint = it.page.get_by_role("link", name="Paint tiles")
        if not paint.count():
            continue
        paint.click()
        it.page.wait_for_load_state("networkidle")
        stage = it.page.locator("canvas.stage")
        middle = {axis: stage.bounding_box()[side] / 2
                  for axis, side in (("x", "width"), ("y", "height"))}  # fmt: skip
        for number in ("1", "2"):
            it.page.locator(".tile-number").fill(number)
            stage.click(position=middle)
            if it.page.get_by_role("button", name="Apply").is_enabled():
                break
        it.step()
        return own(str(row["name"])), ""
    return None


def point(it: Editing) -> Made:
    """A point of a path."""
    for row in it.rows("paths")[:3]:
        said = it.ask(f"/-/room{row['href']}.json")
        if said and any(group["items"] for group in said["groups"]):
            stage = canvas(it, f"/-/room{row['href']}")
            stage.press("n")
            stage.press("Shift+ArrowDown")
            it.step()
            return own(str(row["name"])), ""
    return None


def mask(it: Editing) -> Made:
    """An area of a room of Adventure Game Studio, painted with the mouse."""
    for row in it.rows("assets", "") if it.ags else []:
        if str(row["name"]).lower().endswith(".crm"):
            it.page.goto(f"/in/{quote(row['name'], safe='')}/rooms/room")
            paint = it.page.locator(".edits a:has-text('Paint')").first
            if not paint.count():
                continue
            paint.click()
            picture = it.page.locator(".paint-stage canvas")
            it.page.wait_for_load_state("networkidle")
            picture.hover(position={"x": 30, "y": 20})
            it.page.mouse.down()
            picture.hover(position={"x": 60, "y": 44})
            it.page.mouse.up()
            it.step(".paint")
            return r"\.png", ""
    return None


def added(it: Editing) -> Made:
    """A new script or sprite."""
    it.page.goto("/-/add")
    kind = it.page.locator('select[name="kind"]')
    if not kind.count():
        return None
    kinds = kind.locator("option").evaluate_all("all => all.map((each) => each.value)")
    kind.select_option("sprite" if "sprite" in kinds else kinds[0])
    name = it.page.get_by_label("Name", exact=True)
    name.fill("quux")
    with it.page.expect_navigation():
        name.press("Enter")
    return "", "quux"


def whole(it: Editing, row: dict[str, Any]) -> str:
    slug, key = str(row["href"]).removeprefix(it.base).strip("/").split("/", 1)
    return f"{it.base}/-/whole/{slug}/{key}"


def renamed(it: Editing) -> Made:
    """A sprite or an item under another name, after a look at what that changes."""
    for row in [*it.rows("sprites"), *it.rows("inventory")][:1]:
        it.page.goto(whole(it, row))
        it.page.get_by_label("New name").fill("quux")
        with it.page.expect_navigation():
            it.page.get_by_role("button", name="Show what renaming changes").click()
        sure = it.page.get_by_role("button", name=re.compile("^Rename"))
        if not sure.count():
            return "", f"quux|{own(str(row['name']))}"
        with it.page.expect_navigation():
            sure.click()
        return "", f"quux|{own(str(row['name']))}"
    return None


def duplicated(it: Editing) -> Made:
    """An object, or an item, twice."""
    for row in [*it.rows("objects"), *it.rows("inventory")][:1]:
        it.page.goto(whole(it, row))
        it.page.get_by_label("Name of the copy").fill("quux")
        with it.page.expect_navigation():
            it.page.get_by_role("button", name="Duplicate").click()
        return "", "quux"
    return None


def removed(it: Editing) -> Made:
    """A sound or a sprite that nothing uses."""
    unused = it.ask("/-/unused.json") or {"kinds": {}}
    links = [
        link for kind in ("sprite", "sound", "path") for link in unused["kinds"].get(kind, [])
    ] or [{"href": row["href"], "text": row["name"]} for row in it.rows("paths")[-1:]]
    for link in links[:1]:
        it.page.goto(whole(it, link))
        with it.page.expect_navigation():
            it.page.get_by_role("button", name="Show what removing it changes").click()
        sure = it.page.get_by_role("button", name=re.compile("^Remove"))
        if not sure.count():
            return "", ""
        with it.page.expect_navigation():
            sure.click()
        return "", own(str(link["text"]))
    return None


EDITS: tuple[Callable[[Editing], Made], ...] = (
    fields, text, code, frame, origin, sound, font, instance, tile, point, mask, added, renamed,
    duplicated, removed,
)  # fmt: skip


def differences(old: Path, new: Path) -> dict[str, str]:
    """What the command line says differs: by path, as JSON."""
    command = [sys.executable, "-m", "overhaul", "diff", "--json", str(old), str(new)]
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    assert said.returncode in (0, 1), said.stderr
    return {
        f"{each.get('old_path') or ''} {each['path']}": json.dumps(each)
        for each in json.loads(said.stdout)["changes"]
    }


def bench(page: Any, name: str) -> None:
    with page.expect_navigation():
        page.locator("#bench").get_by_role("button", name=name, exact=True).click()


@contextmanager
def looking(browser: Any, address: str) -> Iterator[Any]:
    """A page that knows the token; refusals may be reported, mistakes of scripts may not."""
    wrong: list[str] = []
    context = browser.new_context(
        base_url="/".join(address.split("/")[:3]), reduced_motion="reduce"
    )
    page = context.new_page()
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("dialog", lambda dialog: dialog.accept())
    page.goto(address)
    try:
        yield page
    finally:
        context.close()
    assert wrong == []


CHOSEN = list(GAMES) if FULL else ["2024.6"]


@pytest.mark.parametrize("which", CHOSEN)
def test_edits_are_saved_read_again_and_taken_back(
    corpus: Path, browser: Any, tmp_path: Path, which: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = finished(corpus_files(GAMES[which]))
    if not found:
        pytest.skip("it is not in the corpus")
    monkeypatch.setenv("OVERHAUL_DATA", str(tmp_path / "data"))
    before, game = tmp_path / f"before{found[0].suffix}", tmp_path / f"game{found[0].suffix}"
    shutil.copy(found[0], before)
    shutil.copy(found[0], game)
    old = game.read_bytes()
    done: dict[str, str] = {}
    with viewer(game) as address, looking(browser, address) as page:
        it = Editing(page, game, tmp_path)
        for edit in EDITS if FULL else EDITS[::4]:
            made = edit(it)
            if made is None:
                done[edit.__name__] = "nothing of the kind"
                continue
            reason = it.refused()
            page.goto("/-/steps")
            if "not saved" not in " ".join(page.locator("#bench").all_inner_texts()):
                assert reason, f"{edit.__name__} made no step, and says nothing"
                done[edit.__name__] = f"refused: {reason}"
                continue
            bench(page, "Save")
            changes = differences(before, game)
            assert changes, edit.__name__
            for path, said in changes.items():
                assert re.search(made[0], path), (edit.__name__, path)
                assert re.search(made[1], said, re.I), (edit.__name__, path, said[:300])
            bench(page, "Undo")
            bench(page, "Save")
            assert game.read_bytes() == old, edit.__name__
            done[edit.__name__] = f"{len(changes)} changed"
    refused = [each for each in done.values() if each.startswith("refused")]
    assert len(refused) <= 2, done
