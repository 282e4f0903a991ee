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
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

import overhaul

ROOT = Path(__file__).resolve().parents[1]
PICTURES = ROOT / "docs" / "pictures"
#: the name of each picture, the page, what is typed into the search, light or dark, and the size
SHOTS = [
    ("viewer", "/objects/obj_keeper", "firefl", "light", (1280, 720)),
    ("viewer-sprites", "/sprites", "", "dark", (1280, 720)),
    ("viewer-code", "/code/gml_Object_obj_keeper_Step_0", "", "light", (1280, 720)),
]


@contextmanager
def viewer(game: Path) -> Iterator[str]:
    """A viewer of a game; its address."""
    process = subprocess.Popen(
        [sys.executable, "-m", "overhaul", "view", str(game), "--no-open", "-q"],
        env={**os.environ, "OVERHAUL_CACHE": str(game.parent)},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
    finally:
        process.terminate()
        process.communicate()


def save(page: Page, name: str) -> None:
    """A picture of a page, in few colours so that it is small."""
    with Image.open(io.BytesIO(page.screenshot())) as picture:
        colours = picture.convert("RGB").quantize(128, dither=Image.Dither.NONE)
    path = PICTURES / f"{name}.png"
    colours.save(path, optimize=True)
    print(f"{path.relative_to(ROOT)}: {path.stat().st_size:,} bytes")


def main() -> None:
    """Make all pictures."""
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if chromium is None:
        sys.exit("there is no chromium on the path; CHROMIUM=... names one")
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        game = Path(folder, "lantern.win")
        overhaul.pack(ROOT / "examples/lantern/current", game)
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        with viewer(game) as address:
            for name, where, typed, scheme, (width, height) in SHOTS:
                page = browser.new_page(
                    viewport={"width": width, "height": height},
                    color_scheme="dark" if scheme == "dark" else "light",
                )
                page.set_default_timeout(120_000)
                page.goto(address)
                page.goto(address.partition("/?")[0] + where)
                page.wait_for_load_state("networkidle")
                if typed:
                    page.fill("#q", typed)
                    # until the texts were read
                    page.wait_for_selector("#found .where")
                save(page, name)
                page.close()
        browser.close()


if __name__ == "__main__":
    main()
