"""The pictures of a texture page: moved to another page, and packed again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx2
import numpy as np
import pytest
from numpy.typing import NDArray

import overhaul
from browsing import browsing, check, fits, needs_browser, viewer
from overhaul.errors import WorkspaceError
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.rearranging import Pages
from overhaul.media import pages as media_pages
from overhaul.media.packing import room
from overhaul.media.pages import Border, Box
from overhaul.workbench import FileBench
from present import present
from small_games import game_of
from viewing import HOST, Browser, looking_at

VERSIONS = ["1.0.0.1307", "2.2.5", "2022.5", "2022.9", "2024.14"]
PAGE = "/texture-pages/0"


def noise(width: int, height: int, seed: int) -> NDArray[np.uint8]:
    return np.random.default_rng(seed).integers(1, 256, (height, width, 4), np.uint8)


@pytest.fixture(params=VERSIONS)
def packed(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A game of a release with six pictures on one page (two are equal), and one on another."""
    return written(request.param, tmp_path)


def written(version: str, folder: Path) -> Path:
    game = game_of(version)
    for number in range(7):
        game.sprites.add(f"spr_{number}", [noise(20, 30, max(number, 1))])
    game.painting.finish()
    game.sprites.add("spr_alone", [noise(40, 20, 40)])
    path = folder / "game.win"
    path.write_bytes(game.to_bytes())
    return path


def post(client: Browser, address: str, **sent: Any) -> httpx2.Response:
    return client.post(f"/-/texture{address}", headers={"Origin": HOST}, data=sent)


def pictures(source: Path | bytes) -> dict[str, bytes]:
    """The frames of all sprites of a game that is read again."""
    with overhaul.open_game(source) as game:
        return {sprite.name: present(sprite.frames[0].image).tobytes() for sprite in game.sprites}


def on_page(client: Browser, number: int) -> dict[str, list[int]]:
    """The items of a page by the first of what shows them."""
    page = client.get(f"/texture-pages/{number}.json").json()
    return {
        each["owners"][0]["link"]["text"] if each["owners"] else "": each["items"]
        for each in page["rectangles"]
    }


def saved(client: Browser, path: Path) -> GameData:
    post_to = client.post("/-/save", headers={"Origin": HOST})
    assert post_to.status_code == 200
    data = path.read_bytes()
    with overhaul.open_game(path) as game:
        assert game.to_bytes() == data  # what verify does
    return overhaul.open_game(path)


def test_pictures_move_to_another_page_and_a_new_one(packed: Path) -> None:
    looked, original = pictures(packed), packed.read_bytes()
    with looking_at(packed) as client:
        first = on_page(client, 0)
        assert len(first) == 6 and len(first["spr_0"]) == 2  # spr_0 and spr_1 are one picture
        page = client.get(f"{PAGE}.json").json()
        assert [other["number"] for other in page["others"]] == [1] and page["separate"] is False
        moved = {f"item:{first[name][0]}": "on" for name in ("spr_0", "spr_4")}
        assert post(client, PAGE, do="move", to="new", **moved).status_code == 200
        assert set(on_page(client, 2)) == {"spr_0", "spr_4"}
        assert set(on_page(client, 0)) == {"spr_2", "spr_3", "spr_5", "spr_6"}
        new = client.get("/texture-pages/2.json").json()
        assert new["group"] == page["group"] and {o["number"] for o in new["others"]} == {0, 1}
        with saved(client, packed) as game:
            styles = {
                media_pages.border_of(present(game.pictures.page(item.page.target)), item)
                for item in game.texture_items.present()
            }
            assert styles == {Border.COLOURED}  # nothing is cropped: all rules agree
            if "TGIN" in game.chunks:
                assert [page.index for page in game.records.texture_groups[-1].pages] == [0, 1, 2]
        assert pictures(packed) == looked
        back = {f"item:{first['spr_4'][0]}": "on"}
        assert post(client, "/texture-pages/2", do="move", to="0", **back).status_code == 200
        assert set(on_page(client, 2)) == {"spr_0"} and "spr_4" in on_page(client, 0)
        for _ in range(2):
            client.post("/-/undo", headers={"Origin": HOST})
        saved(client, packed).close()
    assert packed.read_bytes() == original


def test_a_page_is_packed_again(packed: Path) -> None:
    looked = pictures(packed)
    with looking_at(packed) as client:
        items = on_page(client, 0)
        moved = {f"item:{items[f'spr_{n}'][0]}": "on" for n in (2, 3, 4)}
        assert post(client, PAGE, do="move", to="new", **moved).status_code == 200
        before = client.get(f"{PAGE}.json").json()
        assert post(client, PAGE, do="repack").status_code == 200
        after = client.get(f"{PAGE}.json").json()
        assert after["width"] * after["height"] < before["width"] * before["height"]
        assert len(after["rectangles"]) == len(before["rectangles"]) == 3
        label = client.get("/-/steps.json").json()["done"][0]["label"]
        assert label == "Repack texture page 0"
        saved(client, packed).close()
    assert pictures(packed) == looked


def test_what_can_not_be_done_is_said(tmp_path: Path) -> None:
    path = written("2024.14", tmp_path)
    with looking_at(path) as client:
        first = next(iter(on_page(client, 0).values()))[0]
        for sent, word in (
            ({"do": "move", "to": "new"}, "choose"),
            ({"do": "move", "to": "0", f"item:{first}": "on"}, "to page 0"),
            ({"do": "move", "to": "77", f"item:{first}": "on"}, "to page 77"),
            ({"do": "move", "to": "x", f"item:{first}": "on"}, "to page -1"),
            ({"do": "else"}, "done"),
        ):
            answer = post(client, PAGE, **sent)
            assert answer.status_code == 422 and word in answer.text, sent
        every = {f"item:{items[0]}": "on" for items in on_page(client, 0).values()}
        answer = post(client, PAGE, do="move", to="1", **every)
        assert answer.status_code == 422 and "has no room for all of them" in answer.text
        assert answer.text.count(" checked>") == len(every)  # what was chosen stays chosen
        assert client.get("/-/steps.json").json()["done"] == []
        assert client.get("/-/texture/sprites/spr_0").status_code == 404


def test_a_page_of_one_picture_keeps_it(tmp_path: Path) -> None:
    path = written("2.2.5", tmp_path)
    with overhaul.open_game(path) as game:
        game.texture_items[-1].source_x = game.texture_items[-1].source_y = 0
        pages = Pages(game, game.painting.images)
        assert pages.is_separate(1) and not pages.is_separate(0)
        with pytest.raises(WorkspaceError, match="for itself"):
            pages.repacked(1)
        page = game.textures[1]
        page.blob = b"DDS " + bytes(200)
        assert "not written" in pages.why_not(1) and pages.others(0) == []
        with pytest.raises(WorkspaceError, match="not written"):
            pages.moved(1, [7], None)
        page.blob = None
        assert "another file" in pages.why_not(1)


def test_a_page_has_its_picture(tmp_path: Path) -> None:
    bench = FileBench(str(written("2024.14", tmp_path)))
    bench.load()
    value = json.loads(bench.read("textures.json"))
    value["pages"].append({"scaled": 0, "generated_mips": 0, "format": "png"})
    with pytest.raises(WorkspaceError, match=r"textures/2\.png"):
        bench.step({"textures.json": json.dumps(value).encode()}, "a page")
    value["pages"] = value["pages"][:1]
    with pytest.raises(WorkspaceError, match="keep their numbers"):
        bench.step({"textures.json": json.dumps(value).encode()}, "a page less")
    bench.close()


def test_room_is_found_between_others() -> None:
    taken = [Box(0, 0, 32, 32), Box(32, 32, 32, 32)]
    found = present(room((64, 64), taken, [(26, 26), (10, 10)], border=2))
    assert sorted(found.places) == [(0, 36, 2), (1, 2, 36)]
    assert room((64, 64), taken, [(29, 26)], border=2) is None
    assert room((64, 64), taken, [(26, 26)] * 3, border=2) is None
    assert present(room((64, 64), [], [], border=2)).places == ()


@needs_browser
def test_pictures_are_chosen_with_the_mouse(browser: Any, tmp_path: Path) -> None:
    path = written("2024.14", tmp_path)
    with viewer(path) as address, browsing(browser, address) as page:
        page.goto(PAGE)
        page.wait_for_load_state("networkidle")
        check(page, "texture")
        page.set_viewport_size({"width": 390, "height": 800})
        fits(page, "texture-phone")
        page.set_viewport_size({"width": 1280, "height": 800})
        place = page.locator(".page-map svg").bounding_box()
        assert place == page.locator(".page-map img").bounding_box()  # frames lie on the pictures
        page.mouse.move(place["x"] + 1, place["y"] + 1)
        page.mouse.down()
        page.mouse.move(place["x"] + place["width"] - 1, place["y"] + place["height"] - 1, steps=4)
        page.mouse.up()
        assert page.locator(".texture-list input:checked").count() == 6
        assert page.url.endswith(PAGE)  # no link was followed
        page.locator(".texture-list input").first.uncheck()
        page.locator('button[value="move"]', has_text="Move 5").click()
        page.locator(".texture-list input").nth(1).wait_for(state="detached")
        assert page.locator(".page-map a").count() == 1


def test_pictures_stay_in_their_texture_group(tmp_path: Path) -> None:
    with overhaul.open_game(written("2024.14", tmp_path)) as game:
        game.texture_groups.add("Title", game.sprites["spr_6"])
        game.painting.finish()
        pages = Pages(game, game.painting.images)
        title = next(n for n in range(len(game.textures)) if pages.group(n) is not pages.group(0))
        assert title == 2 and str(present(pages.group(title)).name) == "Title"
        assert pages.others(title) == [] and pages.others(0) == [1]
        made = pages.moved(title, pages.places(title)[0], None)
        assert made.like == title and [*made.pixels] == [3]
        present(game.textures[1]).generated_mips = 1  # pages of another kind do not mix either
        assert pages.others(0) == [] and pages.others(1) == []


def test_letters_get_no_border(tmp_path: Path) -> None:
    game = game_of("2024.14")
    letters = np.full((16, 16, 4), 255, np.uint8)
    game.fonts.add("fnt", letters, {"a": (0, 0, 16, 16)})
    game.sprites.add("spr", [noise(16, 16, 3)])
    game.painting.finish()
    pages = Pages(game, game.painting.images)
    both = [item for place in pages.places(0) for item in place]
    made = pages.moved(0, both, None)
    for item in both:
        page, x, y = made.places[item]
        row = made.pixels[page][y + 3, x - 2 : x + 18, 3]
        shown = game.texture_items[item]
        is_font = game.records.fonts[0].texture is shown
        assert row[2] and row[17] and bool(row[0]) is bool(row[19]) is not is_font
