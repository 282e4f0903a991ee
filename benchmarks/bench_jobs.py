"""Fifteen jobs of somebody who changes a game, in Chromium: clicks, keys, and seconds.

    .venv-dev/bin/python benchmarks/bench_jobs.py

The demo game is edited as a person would, by what stands on the pages.  A click, a key (Enter,
Ctrl-S), a text that is typed and a file that is chosen or dropped are one step each.  The seconds
are those of the browser and the viewer alone: nobody thinks in between.
"""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from PIL import Image
from playwright.sync_api import Locator, Page, sync_playwright

import overhaul

ROOT = Path(__file__).resolve().parents[1]
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium")


class Hand:
    """What a person does at a page, counted."""

    def __init__(self, page: Page, folder: Path) -> None:
        self.page = page
        self.folder = folder
        self.steps = 0

    def click(self, what: Locator | str) -> None:
        """A click."""
        self.steps += 1
        (self.page.locator(what) if isinstance(what, str) else what).first.click()

    def go(self, what: Locator | str) -> None:
        """A click that leads to another page."""
        with self.page.expect_navigation():
            self.click(what)

    def key(self, name: str, *, goes: bool = False) -> None:
        """A key; ``goes``: it leads to another page."""
        self.steps += 1
        if not goes:
            self.page.keyboard.press(name)
            return
        with self.page.expect_navigation():
            self.page.keyboard.press(name)

    def type(self, text: str) -> None:
        """A text typed where the focus is."""
        self.steps += 1
        self.page.keyboard.insert_text(text)

    def fill(self, what: Locator | str, text: str) -> None:
        """A field that is clicked and typed into: two steps."""
        self.steps += 2
        (self.page.locator(what) if isinstance(what, str) else what).first.fill(text)

    def file(self, what: str, path: Path) -> None:
        """A file that is dropped, or chosen."""
        self.steps += 1
        self.page.locator(what).first.set_input_files(path)

    def find(self, name: str) -> None:
        """The page of what has a name, by the search."""
        self.key("Control+k")
        self.type(name)
        self.page.locator("#found .hit").first.wait_for()
        self.key("Enter", goes=True)

    def save(self) -> None:
        """The file, written."""
        self.key("Control+s", goes=True)


def button(hand: Hand, name: str) -> Locator:
    return hand.page.get_by_role("button", name=name)


def link(hand: Hand, name: str) -> Locator:
    return hand.page.get_by_role("link", name=name)


def replace_sprite(hand: Hand) -> None:
    """Another picture for a sprite"""
    picture = io.BytesIO()
    Image.new("RGBA", (16, 16), (200, 30, 30, 255)).save(picture, "PNG")
    new = hand.folder / "new.png"
    new.write_bytes(picture.getvalue())
    hand.find("spr_keeper")
    hand.file('.replace input[type="file"]', new)
    hand.go(".replace-shown button")
    hand.save()


def replace_text(hand: Hand) -> None:
    """A text found and changed everywhere"""
    hand.go(link(hand, "Edit texts"))
    hand.fill('main input[name="q"]', "fireflies")
    hand.go(hand.page.get_by_role("button", name="Replace", exact=True))
    hand.fill('input[name="by"]', "moths")
    hand.go(button(hand, "Preview"))
    hand.go(button(hand, "Replace in"))
    hand.save()


def applied(hand: Hand, steps: str = "1 step") -> None:
    """Apply, which stays on the page; then the file, written."""
    hand.key("Control+s")
    hand.page.locator("#bench", has_text=f"{steps}, not saved").wait_for()
    hand.page.wait_for_function("() => !document.querySelector('main [aria-busy]')")
    hand.save()


class Stage:
    """The canvas of a room, on which places are in pixels of the room."""

    def __init__(self, hand: Hand) -> None:
        hand.page.wait_for_load_state("networkidle")
        box = hand.page.locator("canvas.stage").bounding_box()
        address = hand.page.locator("[data-behaviour=roomedit]").get_attribute("data-address")
        self.room = hand.page.evaluate("async (at) => (await fetch(at)).json()", address)
        assert box is not None
        most = min(box["width"] / self.room["width"], box["height"] / self.room["height"])
        self.zoom = min(16, int(most) if most > 1 else most)
        self.left = box["x"] + box["width"] / 2 - self.room["width"] / 2 * self.zoom
        self.top = box["y"] + box["height"] / 2 - self.room["height"] / 2 * self.zoom

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Where a place of the room is in the window."""
        return self.left + x * self.zoom, self.top + y * self.zoom


def add_to_room(hand: Hand) -> None:
    """An object more in a room"""
    hand.find("rm_cave")
    hand.go(link(hand, "Edit on a canvas"))
    hand.click(hand.page.get_by_role("option", name="obj_firefly"))
    hand.steps += 1
    hand.page.mouse.click(*Stage(hand).at(160, 96))
    applied(hand)


def move_instance(hand: Hand) -> None:
    """An instance moved in its room"""
    hand.find("rm_cave")
    hand.go(link(hand, "Edit on a canvas"))
    stage = Stage(hand)
    items = stage.room["groups"][0]["items"]
    item = next(each for each in items if each["look"] == "object:obj_door")
    hand.steps += 1
    hand.page.mouse.move(*stage.at(item["x"] + 4, item["y"] + 4))
    hand.page.mouse.down()
    hand.page.mouse.move(*stage.at(item["x"] - 28, item["y"] + 4), steps=4)
    hand.page.mouse.up()
    applied(hand)


def new_event(hand: Hand) -> None:
    """A new event of an object, with code"""
    hand.find("obj_door")
    hand.fill(hand.page.get_by_label("New event"), "Key press: left")
    hand.key("Enter", goes=True)
    hand.page.locator(".cm-focused").wait_for()
    hand.key("Control+a")
    hand.type("x += 1;")
    applied(hand, "2 steps")


def change_field(hand: Hand) -> None:
    """Another sprite for an object"""
    hand.find("obj_door")
    hand.click(link(hand, "Edit fields"))
    hand.fill('#edit-here [name="f:/sprite"]', "spr_wall")
    hand.key("Enter", goes=True)
    hand.save()


def new_object(hand: Hand) -> None:
    """A new object"""
    hand.click("#tree summary:has-text('Objects')")
    hand.go("#tree a.all")
    hand.go(hand.page.get_by_role("link", name="Add"))
    hand.fill('main input[name="name"]', "obj_new")
    hand.key("Enter", goes=True)
    hand.save()


def import_files(hand: Hand) -> None:
    """Three sprites of files"""
    paths = []
    for name, colour in (("spr_one", "red"), ("spr_two", "green"), ("spr_three", "blue")):
        paths.append(hand.folder / f"{name}.png")
        Image.new("RGBA", (16, 16), colour).save(paths[-1], "PNG")
    hand.go(link(hand, "Import files"))
    hand.steps += 1
    hand.page.locator('input[name="files"]').set_input_files(paths)
    hand.go(button(hand, "Import the chosen files"))
    hand.save()


def mod_of_steps(hand: Hand) -> None:
    """A mod of what was changed"""
    hand.find("obj_door")
    hand.click(link(hand, "Edit fields"))
    hand.click('#edit-here input[name="k:/visible"]')
    hand.key("Control+s", goes=True)
    hand.go("#bench a")
    hand.go(button(hand, "Save as mod"))
    hand.steps += 1
    with hand.page.expect_download():
        link(hand, "Download").click()


def rename(hand: Hand) -> None:
    """Another name for an object, wherever it is named"""
    hand.find("obj_firefly")
    hand.key("F2", goes=True)
    hand.page.locator('input[name="name"]:focus').wait_for()
    hand.type("obj_moth")
    hand.key("Enter", goes=True)
    hand.page.locator("button.main:focus").wait_for()
    hand.key("Enter", goes=True)
    hand.save()


def compare(hand: Hand) -> None:
    """What differs between two builds"""
    hand.go('a[href*="/-/diff/"]')
    hand.go(".changes a")


def export(hand: Hand) -> None:
    """All sprites as files"""
    hand.click("#tree summary:has-text('Sprites')")
    hand.go("#tree a.all")
    hand.steps += 1
    with hand.page.expect_download():
        hand.page.get_by_role("link", name="Download as zip").click()


def replace_sound(hand: Hand) -> None:
    """Other bytes for a sound"""
    sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests/support")]
    from sound_files import wave  # start-up: of the tests, for this job only

    new = hand.folder / "new.wav"
    new.write_bytes(wave(4000))
    hand.find("snd_catch")
    hand.file('.replace input[type="file"]', new)
    hand.go(".replace-shown button")
    hand.save()


def uses(hand: Hand) -> None:
    """All that uses a sprite"""
    hand.find("spr_keeper")
    hand.page.locator("#used-by").scroll_into_view_if_needed()
    hand.page.locator(".uses li").first.wait_for()


def edit_code(hand: Hand) -> None:
    """A line of code changed"""
    hand.find("gml_Object_obj_keeper_Create_0")
    hand.click(hand.page.get_by_role("link", name="Edit", exact=True))
    hand.page.locator(".cm-focused").wait_for()
    hand.key("Control+End")
    hand.type("\nbonus = 5;")
    applied(hand)


JOBS: tuple[Callable[[Hand], None], ...] = (
    replace_sprite, replace_text, add_to_room, new_event, rename, compare, export, replace_sound,
    uses, edit_code, change_field, move_instance, new_object, import_files, mod_of_steps,
)  # fmt: skip


class Took(NamedTuple):
    """A job: in words, its steps, and the seconds."""

    job: str
    steps: int
    seconds: float


@contextmanager
def viewer(*files: Path) -> Iterator[str]:
    """The address of a viewer of its own."""
    command = [sys.executable, "-m", "overhaul", "view", "--no-open", *map(str, files)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        try:
            yield program.stdout.readline().strip()
        finally:
            program.terminate()


def measured(folder: Path) -> Iterator[Took]:
    """Each job on a fresh demo game."""
    os.environ["OVERHAUL_DATA"] = str(folder / "data")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for job in JOBS:
            game, other = folder / "game.win", folder / "other.win"
            for each, edition in ((game, "current"), (other, "current")):
                overhaul.pack(ROOT / "examples" / "lantern" / edition, each, force=True)
            with overhaul.open_game(other) as made:
                made.code["gml_Object_obj_keeper_Create_0"].append("bonus = 1;")
                made.save(other, force=True)
            before = game.read_bytes()
            with viewer(*([game, other] if job is compare else [game])) as address:
                page = browser.new_page()
                page.goto(address)
                hand = Hand(page, folder)
                start = time.perf_counter()
                job(hand)
                seconds = time.perf_counter() - start
                page.close()
            changed = game.read_bytes() != before
            assert changed == (job not in (compare, export, uses, mod_of_steps)), job.__name__
            yield Took(str(job.__doc__), hand.steps, round(seconds, 1))


def main() -> None:
    """Print a table, or JSON with ``--json``."""
    with tempfile.TemporaryDirectory() as folder:
        took = []
        for each in measured(Path(folder)):
            took.append(each)
            if "--json" not in sys.argv:
                print(f"| {each.job} | {each.steps} | {each.seconds} |", flush=True)
    if "--json" in sys.argv:
        print(json.dumps([each._asdict() for each in took], indent=2))


if __name__ == "__main__":
    main()
