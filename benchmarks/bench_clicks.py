"""Jobs of people who change games, done in a real browser: how many steps each takes, and how long.

``python benchmarks/bench_clicks.py [JOB ...]``.  A step is a click, a drag, a key or chord, a text
that is typed, or a file that is chosen.  A job begins on the first page of the furnished example,
and ends with a file that is saved, where it changes one; that is checked.
"""

from __future__ import annotations

import re
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Locator, Page, sync_playwright
from runner import ROOT, machine

import overhaul
from browsing import BROWSER, QUIET, browsing, viewer
from furnished import furnished_lantern
from sound_files import wave

#: the least steps that UndertaleModTool's windows take, by job; none: it has no way but scripts
OTHERS = {
    "change a line of code": 9,
    "replace a frame of a sprite": 9,
    "replace a sound": 9,
    "change a text": 8,
    "move an instance": 7,
    "add an instance": 11,
    "change a field": 8,
    "add an event with code": 12,
    "rename an object": 8,
    "see what uses a sprite": 7,
    "search all code": 3,
    "replace in all code": None,
    "save a sprite as a GIF": None,
    "take a change back": None,
    "make a mod of the changes": None,
}


class Hand:
    """A person's hand on a page; ``steps`` counts what it does."""

    def __init__(self, page: Page, folder: Path) -> None:
        self.page = page
        self.folder = folder
        self.steps = 0

    def click(self, what: Locator | str) -> None:
        """A click on an element."""
        self.steps += 1
        (self.page.locator(what) if isinstance(what, str) else what).first.click()

    def key(self, name: str) -> None:
        """A key or a chord."""
        self.steps += 1
        self.page.keyboard.press(name)

    def type(self, text: str) -> None:
        """A text at the cursor."""
        self.steps += 1
        self.page.keyboard.insert_text(text)

    def choose(self, what: Locator, path: Path) -> None:
        """A file in the system's dialog."""
        self.steps += 1
        what.set_input_files(path)

    def find(self, name: str) -> None:
        """Go to the page of a resource by the search."""
        self.click("#q")
        self.type(name)
        self.page.locator("#found a[href]").first.wait_for()
        with self.page.expect_navigation():
            self.key("Enter")

    def made(self, steps: str = "1 step") -> None:
        """Wait until there is a step, and save the file."""
        self.page.locator("#bench", has_text=f"{steps}, not saved").wait_for()
        self.page.wait_for_function("() => !document.querySelector('main [aria-busy]')")
        with self.page.expect_navigation():
            self.key("Control+s")
        assert "not saved" not in self.page.locator("#bench").inner_text()

    def spot(self, x: int, y: int) -> tuple[float, float]:
        """Where a pixel of a room is on its canvas, which shows the whole room."""
        self.page.locator(".add-to option").first.wait_for(state="attached")
        self.page.wait_for_load_state("networkidle")
        said = self.page.evaluate(
            "async () => await (await fetch(location.pathname + '.json')).json()"
        )
        box = self.page.locator("canvas.stage").bounding_box()
        assert box is not None
        most = min(box["width"] / said["width"], box["height"] / said["height"])
        zoom = min(16, int(most) if most > 1 else most)
        left = (said["width"] - box["width"] / zoom) / 2
        top = (said["height"] - box["height"] / zoom) / 2
        return box["x"] + (x - left) * zoom, box["y"] + (y - top) * zoom


def code_line(hand: Hand) -> None:
    hand.find("gml_Object_obj_keeper_Step_0")
    hand.key("e")
    hand.page.locator(".cm-content:focus").wait_for()
    hand.type("bonus = 1;\n")
    hand.key("Control+s")
    hand.made()


def frame(hand: Hand) -> None:
    hand.find("spr_keeper")
    hand.choose(hand.page.locator('.replace input[type="file"]').first, hand.folder / "new.png")
    hand.click(".replace-shown button")
    hand.made()


def sound(hand: Hand) -> None:
    hand.find("snd_catch")
    hand.choose(hand.page.locator('.replace input[type="file"]').first, hand.folder / "new.wav")
    hand.click(".replace-shown button")
    hand.made()


def text(hand: Hand) -> None:
    hand.click(hand.page.get_by_role("link", name="All texts"))
    hand.page.locator('main input[name="q"]:focus').wait_for()
    hand.type("The cave is lit")
    with hand.page.expect_navigation():
        hand.key("Enter")
    area = hand.page.locator('textarea[name^="r:"]')
    area.first.wait_for()
    hand.click(area)
    hand.type("! ")
    hand.key("Control+s")
    hand.made()


def instance(hand: Hand) -> None:
    hand.find("rm_cave")
    hand.click(hand.page.get_by_role("link", name="Edit on a canvas"))
    x, y = hand.spot(58, 74)
    hand.steps += 1
    hand.page.mouse.move(x, y)
    hand.page.mouse.down()
    hand.page.mouse.move(x + 40, y, steps=4)
    hand.page.mouse.up()
    hand.page.locator("button[data-saves]:enabled").wait_for()
    hand.key("Control+s")
    hand.made()


def new_instance(hand: Hand) -> None:
    hand.find("rm_cave")
    hand.click(hand.page.get_by_role("link", name="Edit on a canvas"))
    x, y = hand.spot(100, 60)
    hand.click(hand.page.get_by_role("option", name="obj_firefly"))
    hand.steps += 1
    hand.page.mouse.click(x, y)
    hand.page.locator("button[data-saves]:enabled").wait_for()
    hand.key("Control+s")
    hand.made()


def field(hand: Hand) -> None:
    hand.find("obj_keeper")
    hand.click(hand.page.locator(".facts > div").filter(has_text="depth"))
    hand.page.locator(".facts .open input:focus").wait_for()
    hand.type("-31")
    hand.key("Enter")
    hand.made()


def event(hand: Hand) -> None:
    hand.find("obj_door")
    hand.click(".new-event input[name=event]")
    hand.type("Key press: left")
    hand.key("Enter")
    hand.page.locator(".cm-content:focus").wait_for()
    hand.type("opened = true;\n")
    hand.key("Control+s")
    hand.made("2 steps")


def rename(hand: Hand) -> None:
    hand.find("obj_firefly")
    with hand.page.expect_navigation():
        hand.key("F2")
    hand.page.locator('main input[name="name"]:focus').wait_for()
    hand.type("obj_light")
    with hand.page.expect_navigation():
        hand.key("Enter")
    hand.page.locator("main button:focus").wait_for()
    hand.key("Enter")
    hand.made()


def uses(hand: Hand) -> None:
    hand.find("spr_keeper")
    hand.click(hand.page.get_by_role("link", name="What uses it"))
    hand.page.locator("main a[href='/objects/obj_keeper']").first.wait_for()


def search(hand: Hand) -> None:
    hand.click("#q")
    hand.type("image_xscale")
    with hand.page.expect_navigation():
        hand.key("Enter")
    hand.page.locator("main a[href*='Step_0']").first.wait_for()


def replace(hand: Hand) -> None:
    search(hand)
    with hand.page.expect_navigation():
        hand.click(hand.page.get_by_role("link", name="Replace in code"))
    by = hand.page.locator('.texts-search input[name="by"]')
    by.wait_for()
    hand.click(by)
    hand.type("image_yscale")
    with hand.page.expect_navigation():
        hand.key("Enter")
    hand.click(hand.page.get_by_role("button", name="Replace in the chosen lines"))
    hand.made()


def gif(hand: Hand) -> None:
    hand.find("spr_keeper")
    with hand.page.expect_download():
        hand.click(hand.page.get_by_role("link", name="GIF", exact=True))


def undo(hand: Hand) -> None:
    field(hand)
    hand.steps = 0
    hand.click(hand.page.locator("#bench").get_by_role("button", name="Undo"))
    hand.page.locator("#bench", has_text="All changes undone").wait_for()


def mod(hand: Hand) -> None:
    field(hand)
    hand.steps = 0
    hand.click("#bench a")
    hand.click(hand.page.get_by_role("button", name="Save as mod"))
    with hand.page.expect_download():
        hand.click(hand.page.get_by_role("link", name=re.compile("Download")))


JOBS: dict[str, Callable[[Hand], None]] = dict(
    zip(
        OTHERS,
        (
            *(code_line, frame, sound, text, instance, new_instance, field, event, rename),
            *(uses, search, replace, gif, undo, mod),
        ),
        strict=True,
    )
)


class Done(NamedTuple):
    """A job that was done: its steps and seconds."""

    job: str
    steps: int
    seconds: float


def do(browser: Any, folder: Path, job: str) -> Done:
    """Do a job on a game of its own."""
    place = folder / job.replace(" ", "_")
    place.mkdir()
    game = furnished_lantern(place / "game.win")
    with overhaul.open_game(game) as opened:
        image = opened.sprites["spr_keeper"].frames[0].image
        assert image is not None
        image.convert("RGBA").rotate(180).save(place / "new.png")
    (place / "new.wav").write_bytes(wave(400))
    with viewer(game) as address, browsing(browser, address) as page:
        page.set_default_timeout(20_000)
        hand = Hand(page, place)
        begin = time.perf_counter()
        JOBS[job](hand)
        return Done(job, hand.steps, time.perf_counter() - begin)


def main() -> int:
    """Do all jobs, and print them as a table of Markdown."""
    print(f"{machine()}; {ROOT.name}\n")
    print("| job | steps | seconds | UndertaleModTool |\n| --- | --- | --- | --- |")
    more = 0
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=QUIET)
        for job, other in OTHERS.items():
            if sys.argv[1:] and job not in sys.argv[1:]:
                continue
            done = do(browser, Path(folder), job)
            more += other is not None and done.steps > other
            print(f"| {job} | {done.steps} | {done.seconds:.1f} | {other or ''} |", flush=True)
        browser.close()
    return 1 if more else 0


if __name__ == "__main__":
    raise SystemExit(main())
