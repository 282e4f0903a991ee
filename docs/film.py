"""Make the film of a mod, from the first search to a game that has it: docs/pictures/mod.webm.

    .venv-dev/bin/python docs/film.py

Needs Chromium (``CHROMIUM`` names it where it is not ``chromium`` on the path) and ffmpeg.  Each
picture that the browser paints is kept with its time.
"""

from __future__ import annotations

import base64
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw
from playwright.sync_api import Browser, Locator, Page, sync_playwright
from screenshots import PICTURES, ROOT, viewer

import overhaul

SIZE = 1280, 720
#: Pictures a second, the bytes of the film at most, and how long it is, in seconds.
RATE, MOST, LENGTH = 12, 3 << 20, (45, 75)
#: Pixels of a step of the pointer, and milliseconds between two of them.
STEP, PAUSE = 40, 16
#: The pointer, and the words at the bottom: a browser without a window has neither.
OVERLAY = """() => {
  const add = () => document.body.appendChild(document.createElement("div"));
  const pointer = add();
  const words = add();
  Object.assign(pointer.style, {position: "fixed", zIndex: 99, width: "18px", height: "18px",
    margin: "-9px", borderRadius: "50%", background: "#e0562299", border: "2px solid #fff",
    pointerEvents: "none"});
  Object.assign(words.style, {position: "fixed", zIndex: 98, left: "50%", bottom: "1.4rem",
    transform: "translateX(-50%)", background: "#1d2a29f0", color: "#fff", padding: ".6rem 1.2rem",
    borderRadius: "8px", font: "600 1.15rem system-ui", pointerEvents: "none"});
  words.textContent = sessionStorage.getItem("words") ?? "";
  words.hidden = !words.textContent;
  window.words = words;
  const at = JSON.parse(sessionStorage.getItem("pointer") ?? "[640, 360]");
  const move = ([x, y]) => Object.assign(pointer.style, {left: `${x}px`, top: `${y}px`});
  move(at);
  addEventListener("mousemove", (event) => {
    move([event.clientX, event.clientY]);
    sessionStorage.setItem("pointer", JSON.stringify([event.clientX, event.clientY]));
  }, true);
}"""
SAY = """(text) => {
  sessionStorage.setItem("words", text);
  window.words.textContent = text;
  window.words.hidden = false;
}"""


class Film:
    """A page that is filmed: ``frames`` has each picture with its time in seconds."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.frames: list[tuple[float, bytes]] = []
        self._at = SIZE[0] / 2, SIZE[1] / 2
        session = page.context.new_cdp_session(page)

        def keep(frame: dict[str, Any]) -> None:
            self.frames.append((time.monotonic(), base64.b64decode(frame["data"])))
            session.send("Page.screencastFrameAck", {"sessionId": frame["sessionId"]})

        session.on("Page.screencastFrame", keep)
        page.add_init_script(f"addEventListener('DOMContentLoaded', {OVERLAY})")
        session.send("Page.startScreencast", {"format": "jpeg", "quality": 90})

    def say(self, text: str) -> None:
        """Show words, long enough to be read."""
        self.page.evaluate(SAY, text)
        self.wait(1000 + 28 * len(text))

    def wait(self, milliseconds: float) -> None:
        self.page.wait_for_timeout(milliseconds)

    def point(self, x: float, y: float) -> None:
        """Move the pointer as a hand does."""
        from_x, from_y = self._at
        steps = max(2, round(max(abs(x - from_x), abs(y - from_y)) / STEP))
        for step in range(1, steps + 1):
            part = step / steps
            self.page.mouse.move(from_x + (x - from_x) * part, from_y + (y - from_y) * part)
            self.wait(PAUSE)
        self._at = x, y

    def click(self, what: Locator | str, *, goes: bool = False) -> None:
        """Click in the middle of what is there; ``goes``: it leads to another page."""
        found = self.page.locator(what).first if isinstance(what, str) else what.first
        found.scroll_into_view_if_needed()
        box = found.bounding_box()
        assert box is not None, what
        self.point(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        self.wait(250)
        if goes:
            with self.page.expect_navigation():
                self.page.mouse.click(*self._at)
            self.settle()
        else:
            self.page.mouse.click(*self._at)
        self.wait(500)

    def settle(self) -> None:
        self.page.wait_for_load_state("networkidle")
        self.wait(500)

    def type(self, text: str) -> None:
        self.page.keyboard.type(text, delay=45)
        self.wait(400)

    def key(self, name: str, *, goes: bool = False) -> None:
        if goes:
            with self.page.expect_navigation():
                self.page.keyboard.press(name)
            self.settle()
        else:
            self.page.keyboard.press(name)
            self.wait(400)

    def find(self, name: str) -> None:
        """Go to a page by the search."""
        self.click("#q")
        self.type(name)
        self.page.locator("#found .hit").first.wait_for()
        self.wait(500)
        self.key("Enter", goes=True)


def picture(folder: Path) -> Path:
    """A new picture for the keeper: a lantern."""
    image = Image.new("RGBA", (16, 16))
    draw = ImageDraw.Draw(image)
    draw.rectangle((4, 4, 11, 14), fill=(60, 60, 80), outline=(20, 20, 30))
    draw.rectangle((6, 6, 9, 12), fill=(255, 210, 90))
    draw.arc((5, 0, 10, 7), 180, 360, fill=(20, 20, 30))
    path = folder / "lantern.png"
    image.save(path)
    return path


def change(film: Film, folder: Path) -> Path:
    """Change a picture, code and a room; return the mod that is made of the steps."""
    page = film.page
    film.say("A mod, from start to end: first a new picture for the keeper")
    film.find("spr_keeper")
    page.locator('.replace input[type="file"]').first.set_input_files(picture(folder))
    page.locator(".replace-shown button").first.wait_for()
    film.say("A file is dropped on the sprite")
    film.click(".replace-shown button", goes=True)
    film.say("Then code: it is checked while it is typed")
    film.find("gml_Object_obj_keeper_Create_0")
    film.click(page.get_by_role("link", name="Edit", exact=True))
    page.locator(".cm-focused").wait_for()
    film.key("Control+End")
    film.type("\nbonus = 5;")
    film.say("Ctrl+S applies it")
    film.key("Control+s")
    page.locator("#bench", has_text="2 steps").wait_for()
    film.wait(800)
    film.say("Then a room: fireflies, painted where they are wanted")
    film.find("rm_cave")
    film.click(page.get_by_role("link", name="Edit on a canvas"), goes=True)
    film.click(page.get_by_role("option", name="obj_firefly"))
    box = page.locator("canvas.stage").bounding_box()
    assert box is not None
    for part in (0.3, 0.45, 0.6):
        film.point(box["x"] + box["width"] * part, box["y"] + box["height"] * (0.3 + part / 4))
        page.mouse.click(*film._at)
        film.wait(400)
    film.key("Control+s")
    page.locator("#bench", has_text="3 steps").wait_for()
    film.say("Each change is a step; together they are a mod, without the game's own data")
    film.click("#bench a", goes=True)
    film.click(page.get_by_role("button", name="Save as mod"), goes=True)
    with page.expect_download() as download:
        film.click(page.get_by_role("link", name="Download"))
    mod = folder / "fireflies.mod"
    download.value.save_as(mod)
    film.wait(600)
    return mod


def take(browser: Browser, folder: Path) -> list[tuple[float, bytes]]:
    """Film both halves: the changes, and the game that somebody applied the mod to."""
    game, new = folder / "lantern.win", folder / "new.win"
    overhaul.pack(ROOT / "examples" / "lantern" / "current", game)
    with viewer(game) as address:
        page = browser.new_page(viewport={"width": SIZE[0], "height": SIZE[1]})
        page.set_default_timeout(120_000)
        film = Film(page)
        page.goto(address)
        film.settle()
        mod = change(film, folder)
        film.say("overhaul mod apply lantern.win fireflies.mod -o new.win")
        page.close()
    frames = film.frames
    command = ["mod", "apply", str(game), str(mod), "-o", str(new)]
    subprocess.run([sys.executable, "-m", "overhaul", *command], check=True)
    with viewer("--diff", game, new) as address:
        page = browser.new_page(viewport={"width": SIZE[0], "height": SIZE[1]})
        film = Film(page)
        page.goto(address)
        film.settle()
        film.say("Whoever has the game applies it: this is what differs then")
        film.click(page.get_by_role("link", name="sprites/spr_keeper/0.png"), goes=False)
        film.wait(3000)
        page.close()
    gap = film.frames[0][0] - frames[-1][0] - 1
    return frames + [(at - gap, data) for at, data in film.frames]


def encode(frames: list[tuple[float, bytes]], folder: Path, path: Path) -> None:
    """The film of pictures, each of which is shown until the next one."""
    lines = ["ffconcat version 1.0"]
    last = frames[-1][0] + 2
    for number, (at, data) in enumerate(frames):
        (folder / f"{number}.jpg").write_bytes(data)
        end = frames[number + 1][0] if number + 1 < len(frames) else last
        lines += [f"file {number}.jpg", f"duration {max(end - at, 0.001):.3f}"]
    (folder / "list.txt").write_text("\n".join(lines) + "\n", "utf-8")
    command = ["ffmpeg", "-v", "error", "-y", "-f", "concat", "-i", str(folder / "list.txt"),
               "-vf", f"fps={RATE},scale={SIZE[0]}:{SIZE[1]},format=yuv420p", "-c:v", "libvpx-vp9",
               "-crf", "40", "-b:v", "0", "-row-mt", "1", "-an", str(path)]  # fmt: skip
    subprocess.run(command, check=True)


def main() -> None:
    """Make the film."""
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if chromium is None or shutil.which("ffmpeg") is None:
        sys.exit("chromium and ffmpeg have to be on the path")
    path = PICTURES / "mod.webm"
    with tempfile.TemporaryDirectory() as made, sync_playwright() as playwright:
        folder = Path(made)
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        frames = take(browser, folder)
        browser.close()
        encode(frames, folder, path)
    length, size = frames[-1][0] - frames[0][0], path.stat().st_size
    print(f"{path.relative_to(ROOT)}: {length:.0f} s, {len(frames)} pictures, {size:,} bytes")
    assert LENGTH[0] <= length <= LENGTH[1] and size <= MOST


if __name__ == "__main__":
    main()
