"""Pages look as they did: a small picture of each kind of page is compared with a stored one.

    OVERHAUL_WRITE_PICTURES=FOLDER python3 dev.py test -n0 tests/viewer/test_pictures.py

stores the pictures of pages that changed again, and writes each of these to FOLDER, the old picture
and the page as it is now next to each other: look at them before you commit.

Text is drawn in a font of blocks that is made here, so that pages are the same on machines with
other fonts.  What is compared is coarse: edges that another Chromium draws a little differently do
not count, a line of text at another place does.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

import overhaul
from ags_package import package
from browsing import browsing, needs_browser, viewer
from cataloged import shelf
from furnished import furnished_lantern
from handmade_project import project_file
from overhaul.viewer import app, catalogs
from overhaul.viewer.templates import Statics
from typefaces import typeface

pytestmark = needs_browser
STORED = Path(__file__).with_name("pictures")
WRITTEN = os.environ.get("OVERHAUL_WRITE_PICTURES", "")
DESK, PHONE = (1366, 768), (390, 844)
#: A stored picture is so much smaller than the page, and has so many colours.
SMALLER, COLOURS = 6, 16
#: Of cells of so many pixels of the stored picture, a part may differ by so much (of 255).
CELL, PART, LEVEL = 2, 0.012, 26
#: A page that looks different is looked at so often, as its scripts may still draw.
TRIES = 4
#: ends when the pictures that are seen are there
LOADED = """() => Promise.all([document.fonts.ready, ...[...document.images]
    .filter(image => image.getBoundingClientRect().top < innerHeight)
    .map(image => image.decode().catch(() => null))])"""
_BLOCKS = (
    b"@font-face { font-family: Blocks; src: url(blocks.ttf); font-display: block; }\n"
    b"*, ::before, ::after { font-family: Blocks !important; font-synthesis: none !important;"
    b" caret-color: transparent !important; transition: none !important; }"
)


class Seen(NamedTuple):
    """A page: where it is, what is done there, the size of the window and the colours."""

    where: str
    size: tuple[int, int] = DESK
    scheme: Literal["light", "dark"] = "light"
    do: Callable[[Any], object] = lambda page: None


def assembly(page: Any) -> None:
    page.check(".with-assembly")


def editor(page: Any) -> None:
    page.wait_for_selector(".cm-content")
    page.wait_for_selector("#editor-status:not(:empty)")


def canvas(page: Any) -> None:
    page.locator(".pick li").first.wait_for()
    page.wait_for_load_state("networkidle")


def playing(page: Any) -> None:
    page.wait_for_selector(".playing:not([hidden])")


GAME, OTHER, PROJECT, AGS = "/1", "/2", "/3", "/4"
KEEPER, CODE = "objects/obj_keeper", "code/gml_Object_obj_keeper_"
PAGES = {
    "files": Seen("/"),
    "game": Seen(f"{GAME}/"),
    "list": Seen(f"{GAME}/objects"),
    "thumbnails": Seen(f"{GAME}/sprites", scheme="dark"),
    "sprite": Seen(f"{GAME}/sprites/spr_keeper"),
    "object": Seen(f"{GAME}/{KEEPER}"),
    "object-phone": Seen(f"{GAME}/{KEEPER}", PHONE),
    "room": Seen(f"{GAME}/rooms/rm_cave"),
    "sound": Seen(f"{GAME}/sounds/snd_catch"),
    "font": Seen(f"{GAME}/fonts/fnt_small"),
    "code": Seen(f"{GAME}/{CODE}Step_0"),
    "code-assembly": Seen(f"{GAME}/{CODE}Draw_0", scheme="dark", do=assembly),
    "code-phone": Seen(f"{GAME}/{CODE}Step_0", PHONE, "dark"),
    "fields": Seen(f"{GAME}/code/gml_Object_obj_ending_Step_0"),
    "shader": Seen(f"{GAME}/shaders/sh_glow"),
    "texts": Seen(f"{GAME}/-/strings"),
    "replacing": Seen(f"{GAME}/-/replacing?q=cave&by=cavern"),
    "uses": Seen(f"{GAME}/-/uses/sprites/spr_keeper"),
    "help": Seen(f"{GAME}/-/help"),
    "bytes": Seen(f"{GAME}/-/bytes/{KEEPER}"),
    "form": Seen(f"{GAME}/-/form?path={KEEPER}/object.json"),
    "form-phone": Seen(f"{GAME}/-/form?path={KEEPER}/object.json", PHONE),
    "editor": Seen(f"{GAME}/-/edit/{CODE}Create_0", do=editor),
    "all-events": Seen(f"{GAME}/-/all-events/{KEEPER}", do=editor),
    "texture": Seen(f"{GAME}/texture-pages/0", scheme="dark"),
    "emitter": Seen(f"{GAME}/particle-emitters/Sparks", do=playing),
    "emitter-phone": Seen(f"{GAME}/particle-emitters/Sparks", PHONE, "dark", do=playing),
    "sequence": Seen(f"{GAME}/sequences/seq_walk?frame=30"),
    "timeline": Seen(f"{GAME}/timelines/tm_dusk"),
    "canvas": Seen(f"{GAME}/-/room/rooms/rm_cave", do=canvas),
    "frames": Seen(f"{GAME}/-/frames/sprites/spr_keeper"),
    "whole": Seen(f"{GAME}/-/whole/{KEEPER}"),
    "steps": Seen(f"{GAME}/-/steps"),
    "diff": Seen(f"{GAME}/-/diff/2"),
    "mod": Seen(f"{GAME}/-/diff/2/mod"),
    "file": Seen(f"{GAME}/-/file?path={KEEPER}/object.json"),
    "actions": Seen(f"{PROJECT}/objects/obj_player"),
    "ags-room": Seen(f"{AGS}/in/room1.crm/rooms/room"),
    "ags-script": Seen(f"{AGS}/in/room1.crm/scripts/room1.asc"),
    "ags-gui": Seen(f"{AGS}/in/game28.dta/guis/gBar", scheme="dark"),
}
CATALOGUED = {
    "catalogue": Seen("/"),
    "catalogue-query": Seen("/query?sql=SELECT kind, count(*) AS files FROM files GROUP BY kind"),
}


#: code with names behind dots, which a rule for forms once broke into lines
FIELDS = """var who = instance_find(obj_keeper, 0);
if (who.state.name == "moving") {
    who.x = other.x + who.image.width;
    who.speed = lengthdir_x(who.limit.most, who.direction);
}
show_debug_message(who.place.left.top);
"""


@cache
def blocks() -> bytes:
    """A font in which each character is a block; all are of one width."""
    characters = [chr(n) for n in (*range(0x20, 0x7F), *range(0xA0, 0x180), *range(0x2010, 0x2028))]
    characters += "←↑→↓↔−×▾▸▶⏵⏸●○"
    low = frozenset("acegmnopqrsuvwxyz")
    outlines = {c: (40, 0, 500, 500 if c in low else 700, 550) for c in characters if c.strip()}
    outlines |= {c: (0, 0, 0, 0, 550) for c in characters if not c.strip()}
    return typeface("".join(dict.fromkeys(characters)), outlines=outlines)


class Blocky(Statics):
    """The static files, with which all texts are drawn in :func:`blocks`."""

    def __init__(self) -> None:
        super().__init__()
        style, type_ = self.files["style.css"]
        self.files["style.css"] = style + _BLOCKS, type_
        self.files["blocks.ttf"] = blocks(), "font/ttf"


@pytest.fixture(scope="module", autouse=True)
def blocky() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for module in (app, catalogs):
            patch.setattr(module, "Statics", Blocky)
        yield


@pytest.fixture(scope="module")
def viewed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a viewer of two games, a project and a package."""
    folder = tmp_path_factory.mktemp("pictures")
    game, other = furnished_lantern(folder / "game.win"), folder / "other.win"
    with overhaul.open_game(game) as opened:
        opened.code["gml_Object_obj_ending_Step_0"].gml = FIELDS
        opened.save(folder / "fields.win")
        opened.code["gml_Object_obj_keeper_Create_0"].append("bonus = 3;")
        opened.save(other)
    (folder / "project.gm81").write_bytes(project_file(810))
    (folder / "small.ags").write_bytes(package())
    files = ("fields.win", "other.win", "project.gm81", "small.ags")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)  # pages show the names as they were given, without the folder
        with viewer(*map(Path, files)) as address:
            yield address


@pytest.fixture(scope="module")
def catalogued() -> Iterator[str]:
    """The address of a viewer of a catalogue."""
    with viewer(shelf() / "my.catalog") as address:
        yield address


@pytest.fixture(scope="module")
def page(browser: Any, viewed: str) -> Iterator[Any]:
    with browsing(browser, viewed) as page:
        page.add_init_script("localStorage.clear()")
        yield page


@pytest.fixture(scope="module")
def catalogue_page(browser: Any, catalogued: str) -> Iterator[Any]:
    with browsing(browser, catalogued) as page:
        page.add_init_script("localStorage.clear()")
        yield page


def open_page(page: Any, seen: Seen) -> None:
    """Open a page, and do there what is to be seen."""
    page.set_viewport_size({"width": seen.size[0], "height": seen.size[1]})
    page.emulate_media(color_scheme=seen.scheme)
    page.goto(seen.where)
    seen.do(page)
    page.evaluate("document.activeElement.blur()")
    page.evaluate(LOADED)


def shot_of(page: Any) -> Image.Image:
    """The page as it is seen now."""
    return Image.open(io.BytesIO(page.screenshot(animations="disabled"))).convert("RGB")


def small(shot: Image.Image) -> Image.Image:
    """A page as it is stored."""
    made = shot.reduce(SMALLER)
    return made.quantize(COLOURS, dither=Image.Dither.NONE)


def differing(one: Image.Image, other: Image.Image) -> float:
    """The part of the cells of two stored pictures that differ."""
    if one.size != other.size:
        return 1.0
    return float(np.mean(np.abs(_cells(one) - _cells(other)).max(axis=2) > LEVEL))


def _cells(picture: Image.Image) -> NDArray[np.float64]:
    return np.asarray(picture.convert("RGB").reduce(CELL), np.float64)


def compared(page: Any, seen: Seen, name: str, folder: Path) -> str:
    """What is to be said of a page that does not look as it did, "" of another; both pictures are
    written next to each other."""
    open_page(page, seen)
    path = STORED / f"{name}.png"
    old = Image.open(path) if path.exists() else None
    shot = shot_of(page)
    for _ in range(TRIES):
        if old is not None and differing(old, small(shot)) <= PART:
            break
        page.wait_for_load_state("networkidle")  # scripts may still draw
        page.wait_for_timeout(200)
        shot = shot_of(page)
    now = small(shot)
    part = 1.0 if old is None else differing(old, now)
    if part > PART:
        sides = Image.new("RGB", (2 * shot.width + 8, shot.height), "red")
        if old is not None:
            sides.paste(old.convert("RGB").resize(shot.size, Image.Resampling.NEAREST), (0, 0))
        sides.paste(shot, (shot.width + 8, 0))
        sides.save(folder / f"{name}.png")
        if WRITTEN:
            now.save(path, optimize=True)
    if WRITTEN or part <= PART:
        return ""
    return (
        f"{name}: {part:.1%} of the page looks different, see {folder / name}.png; where that is "
        "meant, store the pictures again (see the top of this file)"
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where pictures of what changed are written."""
    if WRITTEN:
        Path(WRITTEN).mkdir(parents=True, exist_ok=True)
    return Path(WRITTEN) if WRITTEN else tmp_path


@pytest.mark.parametrize("name", PAGES)
def test_pages_look_as_they_did(page: Any, folder: Path, name: str) -> None:
    assert compared(page, PAGES[name], name, folder) == ""


@pytest.mark.parametrize("name", CATALOGUED)
def test_pages_of_a_catalogue_look_as_they_did(
    catalogue_page: Any, folder: Path, name: str
) -> None:
    assert compared(catalogue_page, CATALOGUED[name], name, folder) == ""
