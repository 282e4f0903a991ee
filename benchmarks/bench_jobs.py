"""Ten jobs of somebody who changes a game, in Chromium: clicks, keys, and seconds.

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
    hand.go(link(hand, "All texts"))
    hand.fill('input[name="q"][maxlength="1000"]', "fireflies")
    hand.fill('input[name="by"]', "moths")
    hand.go(button(hand, "Preview"))
    hand.go(button(hand, "Replace in"))
    hand.save()


def add_to_room(hand: Hand) -> None:
    """An object more in a room"""
    hand.find("rm_cave")
    hand.go(link(hand, "Edit on a canvas"))
    hand.page.locator(".add-to option").first.wait_for(state="attached")
    hand.fill(".add-name", "obj_firefly")
    hand.click(button(hand, "Place by click"))
    hand.click("canvas.stage")
    hand.go(button(hand, "Apply"))
    hand.save()


def new_event(hand: Hand) -> None:
    """A new event of an object, with code"""
    hand.find("obj_door")
    hand.go(link(hand, "Rename, duplicate, remove"))
    hand.fill(hand.page.get_by_label("New event"), "KeyPress_65")
    hand.key("Enter", goes=True)
    hand.page.locator(".cm-focused").wait_for()
    hand.key("Control+a")
    hand.type("x += 1;")
    hand.key("Control+s", goes=True)
    hand.key("Control+s", goes=True)
    hand.save()


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
    hand.go(link(hand, "Edit"))
    hand.page.locator(".cm-focused").wait_for()
    hand.key("Control+End")
    hand.type("\nbonus = 5;")
    hand.key("Control+s", goes=True)
    hand.key("Control+s", goes=True)
    hand.save()


JOBS: tuple[Callable[[Hand], None], ...] = (
    replace_sprite, replace_text, add_to_room, new_event, rename, compare, export, replace_sound,
    uses, edit_code,
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
            assert changed == (job not in (compare, export, uses)), job.__name__
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
