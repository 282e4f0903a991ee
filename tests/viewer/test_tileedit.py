"""Tile maps painted in the viewer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx2
import pytest

from browsing import browsing, check, fits, needs_browser, viewer
from furnished import furnished_lantern
from overhaul.errors import WorkspaceError
from overhaul.workbench import FileBench, tilemaps
from viewing import HOST, Browser, looking_at

CAVE = "rooms/rm_cave.json"
ROOM = json.dumps(
    {
        "layers": [
            {"name": "A"},
            {"name": "B", "data": {"tileset": "t", "width": 2, "tiles": [[1, 2], [3, 4]]}},
            {"name": "C", "data": {"tiles": []}},
        ]
    }
).encode()


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """The demo game with a tile map in a room."""
    path = tmp_path / "game.win"
    furnished_lantern(path)
    bench = FileBench(str(path))
    bench.load()
    room = json.loads(bench.read(CAVE))
    tileset = next(each for each in bench.view.files if each.startswith("tilesets/"))
    wide, high = room["width"] // 16, room["height"] // 16
    rows: list[list[int]] = [[x % 2 for x in range(wide)] for _ in range(high)]
    inside = {"tileset": tileset[9:-5], "width": len(rows[0]), "height": len(rows), "tiles": rows}
    layer = {"name": "Ground", "id": 900, "type": "tiles", "depth": 500, "data": inside}
    room["layers"].append(layer)
    bench.step({CAVE: json.dumps(room).encode()}, "tiles")
    path.write_bytes(bench.data())
    bench.close()
    return path


def post(client: Browser, address: str, **sent: Any) -> httpx2.Response:
    return client.post(address, headers={"Origin": HOST}, data=sent)


def test_cells_are_painted() -> None:
    (found,) = tilemaps.maps_in(ROOM, "r.json")
    assert (found.pointer, found.layer, found.tileset) == ("/layers/1/data/tiles", "B", "t")
    cells = tilemaps.cells("[[1, 0, 7], [0, 1, 0], [1, 1, 268435458]]")
    made = json.loads(tilemaps.painted(ROOM, "r.json", found.pointer, cells, 8))
    assert made["layers"][1]["data"]["tiles"] == [[1, 7], [0, 268435458]]


@pytest.mark.parametrize(
    "wrong",
    ["", "{}", "[[1]]", "[[1, 2, 3, 4]]", '[["a", 0, 0]]', "[[2, 0, 1]]", "[[-1, 0, 1]]",
     "[[0, 0, 9]]", "[[0, 0, -1]]", "[[0, 0, 4294967296]]"],
)  # fmt: skip
def test_other_cells_are_refused(wrong: str) -> None:
    with pytest.raises(WorkspaceError):
        cells = tilemaps.cells(wrong)
        tilemaps.painted(ROOM, "r.json", "/layers/1/data/tiles", cells, 8)


def test_what_is_no_map_is_none() -> None:
    wrong: tuple[object, ...] = ([], [[]], [[1], [1, 2]], [[1.5]], [[True]], "x", None, [1, 2])
    for rows in wrong:
        assert not tilemaps.is_map(rows), rows
    with pytest.raises(WorkspaceError):
        tilemaps.painted(ROOM, "r.json", "/layers/0", [], 8)


def room_with_tiles(client: Browser) -> str:
    for row in client.get("/rooms.json").json()["rows"]:
        where = f"/-/tiles{row['href']}"
        if client.get(where).status_code == 200:
            return where
    pytest.fail("no room has tiles")


def test_a_map_of_a_game_is_painted(game: Path) -> None:
    with looking_at(game) as client:
        where = room_with_tiles(client)
        assert "Paint tiles" in client.get(where.removeprefix("/-/tiles")).text
        page = client.get(f"{where}.json").json()
        assert client.get(page["picture"]).status_code == 200
        tile = (page["rows"][0][0] & page["number"]) % (len(page["places"]) - 1) + 1
        sent = {"cells": json.dumps([[0, 0, tile]]), "before": page["before"]}
        assert post(client, where, **sent).status_code == 200
        assert client.get(f"{where}.json").json()["rows"][0][0] == tile
        assert post(client, where, **sent).status_code == 409
        assert post(client, where, cells="[[0, 0, 99999]]", before="").status_code == 422
        assert client.get("/-/tiles/sprites/spr_keeper").status_code == 404


@needs_browser
def test_a_map_is_painted_with_the_mouse(browser: Any, game: Path) -> None:
    with looking_at(game) as client:
        where = room_with_tiles(client)
        old = client.get(f"{where}.json").json()["rows"]
    with viewer(game) as address, browsing(browser, address) as page:
        page.goto(where)
        page.wait_for_load_state("networkidle")
        check(page, "tile-edit")
        page.set_viewport_size({"width": 390, "height": 800})
        fits(page, "tile-edit-phone")
        page.set_viewport_size({"width": 1280, "height": 800})
        stage = page.locator("canvas.stage")
        page.locator(".tile-number").fill("0" if old[0][0] else "1")
        stage.press("Space")
        assert page.locator("[data-count]").inner_text() == "1 painted"
        stage.press("Control+z")
        assert page.locator("[data-count]").inner_text() == "nothing is painted"
        stage.press("Space")
        page.locator(".tile-number").fill("2")
        page.get_by_role("button", name="Apply").click()
        page.locator("#bench", has_text="2 steps").wait_for()
        page.locator(".roomedit:not([aria-busy])").wait_for()
        # what paints stays after a step
        assert page.locator(".tile-number").input_value() == "2"
        ask = "async (at) => (await (await fetch(at)).json()).rows"
        assert page.evaluate(ask, f"{where}.json")[0][0] != old[0][0]
