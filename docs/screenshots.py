"""Make the pictures of the viewer that README.md and the guide show: docs/pictures/*.png.

    .venv-dev/bin/python docs/screenshots.py

Needs Chromium (``CHROMIUM`` names it where it is not ``chromium`` on the path).  The demo is shown.
"""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, NamedTuple

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

import overhaul
from overhaul import catalog

ROOT = Path(__file__).resolve().parents[1]
PICTURES = ROOT / "docs" / "pictures"
#: the sizes of pictures, in pixels
DESK, PHONE = (1280, 720), (390, 780)


class Shot(NamedTuple):
    """A picture: its name, the page, what is done there, light or dark, and the size."""

    name: str
    where: str
    do: Callable[[Page], object] = lambda page: None
    scheme: Literal["light", "dark"] = "light"
    size: tuple[int, int] = DESK


def search(page: Page) -> None:
    """Type into the search, and wait until the texts were read."""
    page.fill("#q", "firefl")
    page.wait_for_selector("#found .where")


def step(page: Page) -> None:
    """Show a sprite's second frame with its origin and box."""
    page.click('[data-do="next"]')
    page.check('[data-show="origin"]')
    page.check('[data-show="box"]')


def outline(page: Page) -> None:
    """Outline the instances of a room, and point at one."""
    page.check('[data-show="outlined"]')
    page.wait_for_selector(".tile")
    page.hover('.world a:has-text("obj_firefly")')


def edit(page: Page) -> None:
    """Write a doubtful name and the beginning of another."""
    page.locator(".cm-content").click()
    page.keyboard.press("Control+End")
    page.keyboard.type("\nlight = min(ligth, 1);\nx = draw_get")
    page.wait_for_selector(".cm-tooltip-autocomplete li")
    page.wait_for_selector(".cm-lintRange-warning")


def field(page: Page) -> None:
    """Point at a field of a record."""
    page.hover('.byte-rows [data-field="5"]')


def slide(page: Page) -> None:
    """Go to the picture that differs."""
    page.click("text=sprites/spr_keeper/0.png")
    page.wait_for_selector(".slide")


def steps(page: Page) -> None:
    """Make some steps, one of which is undone."""
    base = page.url.partition("/-/")[0]
    for address, field, text in (
        ("/-/form?path=objects/obj_keeper/object.json", "sprite", "spr_door"),
        ("/-/form?path=objects/obj_firefly/object.json", "depth", "-5"),
        ("/-/form?path=objects/obj_door/object.json", "depth", "3"),
    ):
        page.goto(base + address)
        page.get_by_label(field, exact=True).fill(text)
        page.get_by_role("button", name="Apply").click()
        page.wait_for_load_state("load")
    page.goto(f"{base}/-/steps")
    page.locator("main").get_by_role("button", name="Undo").click()
    page.wait_for_load_state("load")


def choose(page: Page) -> None:
    """Choose some instances of a room."""
    page.locator(".add-to option").first.wait_for(state="attached")
    stage = page.locator("canvas.stage")
    stage.focus()
    for _ in range(3):
        stage.press("p")
    page.check(".grid")


EDITED = [
    Shot("editing-form", "/-/form?path=objects/obj_keeper/object.json"),
    Shot("editing-room", "/-/room/rooms/rm_cave", choose),
    Shot("editing-texts", "/-/replacing?q=cave&by=cavern"),
    Shot("editing-frames", "/-/frames/sprites/spr_keeper"),
    Shot("editing-steps", "/-/steps", steps),
]
SHOTS = [
    Shot("viewer", "/objects/obj_keeper", search),
    Shot("viewer-sprites", "/sprites", scheme="dark"),
    Shot("viewer-sprite", "/sprites/spr_keeper", step),
    Shot("viewer-room", "/rooms/rm_cave", outline, "dark"),
    Shot("viewer-code", "/code/gml_Object_obj_keeper_Step_0"),
    Shot("viewer-sound", "/sounds/snd_catch"),
    Shot("viewer-bytes", "/-/bytes/objects/obj_keeper", field),
    Shot("viewer-edit", "/-/edit/code/gml_Object_obj_keeper_Create_0", edit),
    Shot("viewer-phone", "/rooms/rm_cave", size=PHONE),
]
CATALOGUED = [Shot("catalog", "/"), Shot("catalog-pictures", "/tables/images")]
COMPARED = [Shot("viewer-diff", "/1/-/diff/2", slide)]


@contextmanager
def viewer(*arguments: str | Path) -> Iterator[str]:
    """A viewer of a game; its address."""
    with tempfile.TemporaryDirectory() as cache:
        process = subprocess.Popen(
            [sys.executable, "-m", "overhaul", "view", *map(str, arguments), "--no-open", "-q"],
            env={**os.environ, "OVERHAUL_CACHE": cache, "OVERHAUL_DATA": cache},
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            assert process.stdout is not None
            yield process.stdout.readline().strip()
        finally:
            process.terminate()
            process.communicate()


def changed(game: Path, other: Path) -> None:
    """Write a game with the keeper in other colours, and a change of code."""
    with overhaul.open_game(game) as opened:
        for frame in opened.sprites["spr_keeper"].frames:
            assert frame.image is not None
            red, green, blue, alpha = frame.image.convert("RGBA").split()
            frame.image = Image.merge("RGBA", (green, blue, red, alpha))
        opened.code["gml_Object_obj_keeper_Create_0"].append("bonus = 3;")
        opened.save(other)


def save(page: Page, name: str) -> None:
    """A picture of a page, in few colours so that it is small."""
    with Image.open(io.BytesIO(page.screenshot())) as picture:
        colours = picture.convert("RGB").quantize(128, dither=Image.Dither.NONE)
    path = PICTURES / f"{name}.png"
    colours.save(path, optimize=True)
    print(f"{path.relative_to(ROOT)}: {path.stat().st_size:,} bytes")


def take(browser: Browser, address: str, shots: Iterable[Shot]) -> None:
    """Make the pictures of a viewer."""
    for shot in shots:
        width, height = shot.size
        page = browser.new_page(
            viewport={"width": width, "height": height},
            color_scheme=shot.scheme,
            reduced_motion="reduce",
        )
        page.set_default_timeout(120_000)
        page.goto(address)
        page.goto(address.partition("/?")[0].partition("/1/")[0] + shot.where)
        page.wait_for_load_state("networkidle")
        shot.do(page)
        page.wait_for_load_state("networkidle")
        save(page, shot.name)
        page.close()


def demo(browser: Browser, address: str) -> None:
    """A film of twenty seconds: look at a game, change its code and a room, see the steps."""
    page = browser.new_page(viewport={"width": 960, "height": 540}, reduced_motion="reduce")
    page.set_default_timeout(120_000)
    base = address.partition("/?")[0]
    films: list[Image.Image] = []

    def film(where: str = "", do: Callable[[Page], object] = lambda page: None) -> None:
        if where:
            page.goto(base + where)
            page.wait_for_load_state("networkidle")
        do(page)
        page.wait_for_load_state("networkidle")
        with Image.open(io.BytesIO(page.screenshot())) as picture:
            films.append(picture.convert("RGB").quantize(96, dither=Image.Dither.NONE))

    def write(page: Page) -> None:
        page.locator(".cm-content").click()
        page.keyboard.press("Control+End")
        page.keyboard.type("\nlives_left = 3;")
        page.wait_for_timeout(800)

    def preview(page: Page) -> None:
        page.click('button[value="show"]')
        page.locator("[data-shown] pre").scroll_into_view_if_needed()

    def apply(page: Page) -> None:
        page.click('button[value="save"]')
        page.locator("[data-said] .good").scroll_into_view_if_needed()

    page.goto(address)
    film("/")
    film("/sprites")
    film("/sprites/spr_keeper", step)
    film("/rooms/rm_cave")
    film("", outline)
    film("/objects/obj_keeper")
    film("/-/edit/code/gml_Object_obj_keeper_Create_0")
    film("", write)
    film("", preview)
    film("", apply)
    film("/-/room/rooms/rm_cave", choose)
    film("/-/steps")
    path = PICTURES / "demo.gif"
    first, *others = films
    first.save(path, save_all=True, append_images=others, duration=1650, loop=0, optimize=True)
    print(f"{path.relative_to(ROOT)}: {path.stat().st_size:,} bytes")
    page.close()


def main() -> None:
    """Make all pictures."""
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if chromium is None:
        sys.exit("there is no chromium on the path; CHROMIUM=... names one")
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as made, sync_playwright() as playwright:
        game, other, folder = (Path(made, name) for name in ("old.win", "new.win", "lantern"))
        overhaul.pack(ROOT / "examples/lantern/current", game)
        overhaul.unpack(game, folder)
        changed(game, other)
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        with viewer(folder) as address:
            take(browser, address, SHOTS)
        with viewer("--diff", game, other) as address:
            take(browser, address, COMPARED)
        with viewer(other) as address:
            demo(browser, address)
        with viewer(game) as address:
            take(browser, address, EDITED)
        shelf, table = Path(made, "games"), Path(made, "games.catalog")
        shelf.mkdir()
        for edition in ("current", "gms1"):
            overhaul.pack(ROOT / "examples/lantern" / edition, shelf / f"lantern-{edition}.win")
        catalog.build([shelf], table)
        with viewer(table) as address:
            take(browser, address, CATALOGUED)
        browser.close()


if __name__ == "__main__":
    main()
