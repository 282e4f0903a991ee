"""Tile maps painted in the viewer."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import httpx2
import pytest

from browsing import browsing, check, fits, needs_browser, viewer
from furnished import furnished_lantern
from overhaul.errors import WorkspaceError
from overhaul.workbench import FileBench, tilemaps
from repeats import times
from viewing import HOST, Browser, looking_at

CAVE = "rooms/rm_cave.json"
ASK = "async (at) => await (await fetch(at)).json()"
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


class Painted:
    """Acts of somebody who paints a map, each also done in a list of rows."""

    def __init__(self, page: Any, where: str, seed: int) -> None:
        self.page, self.where, self.random = page, where, random.Random(seed)
        page.goto(where)
        page.wait_for_load_state("networkidle")
        self.stage = page.locator("canvas.stage")
        data = page.evaluate(ASK, f"{where}.json")
        self.rows: list[list[int]] = data["rows"]
        self.side: list[int] = data["side"]
        self.tiles = len(data["places"])
        self.stamp = [[int(page.locator(".tile-number").input_value())]]
        self.past: list[list[list[int]]] = []
        self.did: list[str] = []
        box = self.stage.bounding_box()
        most = min(box["width"] / data["width"], box["height"] / data["height"])
        self.zoom = min(16, int(most) if most > 1 else most)
        self.left = (data["width"] - box["width"] / self.zoom) / 2
        self.top = (data["height"] - box["height"] / self.zoom) / 2

    def at(self, x: int, y: int) -> dict[str, float]:
        wide, high = self.side
        place = (x + 0.5) * wide - self.left, (y + 0.5) * high - self.top
        return {"x": place[0] * self.zoom, "y": place[1] * self.zoom}

    def cell(self) -> tuple[int, int]:
        return self.random.randrange(len(self.rows[0])), self.random.randrange(len(self.rows))

    def tool(self, name: str) -> None:
        self.page.get_by_role("radio", name=name).check()

    def put(self, cells: dict[tuple[int, int], int]) -> None:
        rows = [list(row) for row in self.rows]
        for (x, y), tile in cells.items():
            if 0 <= y < len(rows) and 0 <= x < len(rows[y]):
                rows[y][x] = tile
        if rows != self.rows:
            self.past.append(self.rows)
            self.rows = rows

    def pattern(self, x: int, y: int, origin: tuple[int, int]) -> int:
        row = self.stamp[(y - origin[1]) % len(self.stamp)]
        return row[(x - origin[0]) % len(row)]

    def drag(self, start: tuple[int, int], end: tuple[int, int]) -> tuple[int, int, int, int]:
        self.stage.hover(position=self.at(*start))
        self.page.mouse.down()
        self.stage.hover(position=self.at(*end))
        self.page.mouse.up()
        (x1, y1), (x2, y2) = start, end
        return min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2)

    def number(self) -> None:
        tile = self.random.randrange(self.tiles)
        self.page.locator(".tile-number").fill(str(tile))
        self.page.locator(".tile-number").press("Enter")
        turned = self.page.get_by_label("Mirrored").is_checked() and tile
        self.stamp = [[tile + (1 << 28 if turned else 0)]]

    def mirror(self) -> None:
        box = self.page.get_by_label("Mirrored")
        box.set_checked(not box.is_checked())
        bit = 1 << 28 if box.is_checked() else 0
        self.stamp = [[t & ~(1 << 28) | (bit if t & 0x7FFFF else 0) for t in r] for r in self.stamp]

    def brush(self) -> None:
        self.tool("Brush")
        x, y = self.cell()
        self.stage.click(position=self.at(x, y))
        high, wide = len(self.stamp), len(self.stamp[0])
        self.put({(x + i, y + j): self.stamp[j][i] for j in range(high) for i in range(wide)})

    def line(self) -> None:
        """A fast stroke leaves no gaps."""
        if len(self.stamp) * len(self.stamp[0]) > 1:
            return
        self.tool("Brush")
        (x, y), far = self.cell(), self.random.randrange(1, 5)
        end = min(x + far, len(self.rows[0]) - 1)
        self.drag((x, y), (end, y))
        self.put({(each, y): self.stamp[0][0] for each in range(x, end + 1)})

    def rectangle(self) -> None:
        self.tool("Rectangle")
        x1, y1, x2, y2 = self.drag(self.cell(), self.cell())
        cells = [(x, y) for y in range(y1, y2 + 1) for x in range(x1, x2 + 1)]
        self.put({(x, y): self.pattern(x, y, (x1, y1)) for x, y in cells})

    def fill(self) -> None:
        self.tool("Fill")
        start = self.cell()
        self.stage.click(position=self.at(*start))
        waiting, seen = [start], set[tuple[int, int]]()
        tile = self.rows[start[1]][start[0]]
        while waiting:
            x, y = waiting.pop()
            inside = 0 <= y < len(self.rows) and 0 <= x < len(self.rows[0])
            if inside and (x, y) not in seen and self.rows[y][x] == tile:
                seen.add((x, y))
                waiting += [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]
        self.put({(x, y): self.pattern(x, y, start) for x, y in seen})

    def pick(self) -> None:
        self.tool("Pick")
        (x, y), (far, deep) = self.cell(), (self.random.randrange(3), self.random.randrange(3))
        end = min(x + far, len(self.rows[0]) - 1), min(y + deep, len(self.rows) - 1)
        x1, y1, x2, y2 = self.drag((x, y), end)
        self.stamp = [row[x1 : x2 + 1] for row in self.rows[y1 : y2 + 1]]

    def undo(self) -> None:
        if self.past:
            self.stage.press("Control+z")
            self.rows = self.past.pop()

    def apply(self) -> None:
        self.stage.press("Control+s")
        self.page.locator(".roomedit:not([aria-busy]) [data-count]", has_text="nothing").wait_for()
        assert self.page.evaluate(ASK, f"{self.where}.json")["rows"] == self.rows, self.did
        self.past = []

    def go(self, acts: int) -> None:
        names = ["number", "mirror", "brush", "line", "rectangle", "fill", "pick", "undo"]
        for _ in range(acts):
            self.did.append(self.random.choice(names))
            getattr(self, self.did[-1])()
            if self.random.random() < 0.1 and self.past:
                self.apply()


@needs_browser
@pytest.mark.parametrize("seed", range(times(20, 10)))
def test_random_strokes_leave_the_map_as_a_model_is(browser: Any, game: Path, seed: int) -> None:
    with looking_at(game) as client:
        where = room_with_tiles(client)
    with viewer(game) as address, browsing(browser, address) as page:
        painted = Painted(page, where, seed)
        painted.go(30)
        if painted.past and page.locator("[data-count]").inner_text() != "nothing is painted":
            painted.apply()
        assert page.evaluate(ASK, f"{where}.json")["rows"] == painted.rows, painted.did


@needs_browser
def test_several_tiles_are_chosen_in_the_palette(browser: Any, game: Path) -> None:
    with looking_at(game) as client:
        where = room_with_tiles(client)
    with viewer(game) as address, browsing(browser, address) as page:
        page.goto(where)
        page.wait_for_load_state("networkidle")
        box = page.locator(".palette").bounding_box()
        page.mouse.move(box["x"] + box["width"] / 4 * 1.5, box["y"] + box["height"] / 4)
        page.mouse.down()
        page.mouse.move(box["x"] + box["width"] / 4 * 2.5, box["y"] + box["height"] * 3 / 4)
        page.mouse.up()
        stage = page.locator("canvas.stage")
        stage.press("Space")
        page.get_by_role("button", name="Apply", exact=True).click()
        page.locator("#bench", has_text="2 steps").wait_for()
        rows = page.evaluate(ASK, f"{where}.json")["rows"]
        assert [row[:2] for row in rows[:2]] == [[1, 2], [5, 6]]
        page.reload()
        page.wait_for_load_state("networkidle")
        stage.press("ArrowDown")
        stage.press("ArrowDown")
        stage.press("Space")  # the same paints
        assert page.locator("[data-count]").inner_text() != "nothing is painted"
