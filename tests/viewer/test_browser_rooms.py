"""Rooms on a canvas in a real browser: random acts of somebody who uses it, and a model of them."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from browsing import COLOURS, browsing, check, fits, needs_browser, viewer
from furnished import furnished_lantern
from repeats import times

pytestmark = needs_browser
WHERE = "/-/room/rooms/rm_cave"
ASK = "async (at) => await (await fetch(at)).json()"
SNAP = 16


@pytest.fixture
def page(browser: Any, tmp_path: Path) -> Iterator[Any]:
    game = furnished_lantern(tmp_path / "game.win")
    with viewer(game) as address, browsing(browser, address) as page:
        yield page


def opened(page: Any, where: str = WHERE) -> Any:
    """The canvas of a room, when its pictures are there."""
    page.goto(where)
    page.locator(".pick li").first.wait_for()
    page.wait_for_load_state("networkidle")
    return page.locator("canvas.stage")


def apply(page: Any) -> None:
    page.locator("canvas.stage").press("Control+s")
    page.locator(".roomedit:not([aria-busy]) [data-count]", has_text="nothing is").wait_for()


def instances(page: Any, room: str = "rm_cave") -> list[dict[str, Any]]:
    found = page.evaluate(ASK, f"/-/record/rooms/{room}.json")["fields"]["instances"]
    return [{key: value for key, value in each.items() if key != "id"} for each in found]


def said(page: Any) -> str:
    return str(page.locator(".room-said").inner_text())


def test_fields_of_an_instance_are_changed_next_to_it(page: Any) -> None:
    before = instances(page)
    stage = opened(page)
    stage.press("n")
    page.get_by_label("rotation", exact=True).fill("90")
    page.get_by_label("scale x", exact=True).fill("2")
    page.get_by_label("scale x", exact=True).press("Enter")
    page.locator("[data-type=abgr]").fill("#102030")
    page.get_by_label("opacity").fill("128")
    page.get_by_label("opacity").press("Tab")
    page.get_by_role("button", name="Choose object with pictures").click()
    page.locator("dialog input").fill("keep")
    page.get_by_role("option", name="obj_keeper").last.click()
    assert page.locator("dialog").count() == 0
    check(page, "room-panel")
    for _ in range(2):  # what is the same again is no change
        page.get_by_label("scale y", exact=True).fill("1.00")
        page.get_by_label("scale y", exact=True).press("Enter")
    assert page.locator("[data-count]").inner_text() == "1 changed"
    apply(page)
    colour = 0x80302010
    assert instances(page)[0] == {
        **before[0], "object": "obj_keeper", "rotation": 90.0, "scale_x": 2.0, "colour": colour,
    }  # fmt: skip
    assert instances(page)[1:] == before[1:]
    # Undo on the page takes the step back
    stage.press("Control+z")
    page.locator("#bench", has_text="0 steps").wait_for()
    page.locator(".roomedit:not([aria-busy])").wait_for()
    assert instances(page) == before
    assert page.get_by_label("rotation", exact=True).count() == 0


def test_a_palette_adds_by_click_by_drag_and_by_keys(page: Any) -> None:
    before = instances(page)
    stage = opened(page)
    page.locator(".add-name").fill("fire")
    option = page.get_by_role("option", name="obj_firefly")
    option.click()
    stage.click(position={"x": 200, "y": 200})
    stage.press("Enter")
    stage.press("Escape")
    option.drag_to(stage, target_position={"x": 240, "y": 240})
    # a link of the list at the side, too
    page.locator("#tree summary, #tree a", has_text="Objects").first.click()
    link = page.locator("#tree a[href='/objects/obj_door']")
    if link.count() and link.is_visible():
        link.drag_to(stage, target_position={"x": 280, "y": 280})
    apply(page)
    new = instances(page)[len(before) :]
    assert [each["object"] for each in new][:3] == ["obj_firefly"] * 3
    assert all(each["layer"] == "Instances" for each in new)
    assert len({(each.get("x", 0), each.get("y", 0)) for each in new[1:3]}) == 2


def test_what_is_copied_is_added_to_another_room(page: Any) -> None:
    stage = opened(page)
    stage.press("n")
    page.get_by_label("rotation", exact=True).fill("30")
    page.get_by_label("rotation", exact=True).press("Enter")
    stage.press("Control+c")
    assert said(page) == "1 copied."
    page.locator("[data-do=undo]").click()
    rooms = [row["name"] for row in page.evaluate(ASK, "/rooms.json")["rows"]]
    other = next(name for name in rooms if name != "rm_cave")
    before = instances(page, other)
    stage = opened(page, f"/-/room/rooms/{other}")
    stage.hover(position={"x": 100, "y": 100})
    stage.press("Control+v")
    apply(page)
    # what was seen before is called by what it is of
    page.locator("#q").focus()
    page.locator("#found a", has_text="rm_cave: Canvas").wait_for()
    *kept, new = instances(page, other)
    assert kept == before
    assert (new["object"], new["rotation"]) == ("obj_wall", 30.0)


def test_layers_are_hidden_and_locked(page: Any) -> None:
    stage = opened(page)
    stage.press("Control+a")
    assert "elements are chosen" in said(page)
    page.get_by_role("button", name="Lock Instances (instances)").click()
    stage.press("Control+a")
    assert said(page) == "Nothing is chosen."
    page.get_by_role("button", name="Show views").click()
    stage.press("n")
    assert said(page) == "view 0 at 0, 0"
    stage.press("Delete")
    stage.press("ArrowRight")
    apply(page)
    views = page.evaluate(ASK, "/-/record/rooms/rm_cave.json")["fields"]["views"]
    assert (len(views), views[0]["view_x"]) == (8, 16)
    for scheme, rule in (("light", ""), ("dark", COLOURS)):
        page.emulate_media(color_scheme=scheme)
        check(page, f"room-canvas-{scheme}", rule)
    page.set_viewport_size({"width": 390, "height": 844})
    fits(page, "room-canvas-phone")


# ----------------------------------------------------------------------------------- random acts


class Model:
    """What the file must be: instances as the file has them, in its order."""

    def __init__(self, items: list[dict[str, Any]], looks: dict[str, dict[str, float]]) -> None:
        self.items, self.looks = items, looks
        self.chosen: list[int] = []
        self.past: list[list[dict[str, Any]]] = []
        self.future: list[list[dict[str, Any]]] = []

    def act(self, items: list[dict[str, Any]]) -> None:
        if tidy(items) == tidy(self.items):  # a rotation of 0 is no change
            return
        self.past.append(self.items)
        self.future = []
        self.items = items

    def changed(self, **by: Any) -> list[dict[str, Any]]:
        items = deepcopy(self.items)
        for number in self.chosen:
            items[number].update(by)
        return items

    def box(self, item: dict[str, Any]) -> tuple[float, float, float, float]:
        look = self.looks.get(item["object"])
        if look is None:
            return item.get("x", 0) - 4, item.get("y", 0) - 4, 8, 8
        return (
            item.get("x", 0) - look["left"], item.get("y", 0) - look["top"],
            look["width"], look["height"],
        )  # fmt: skip


def tidy(items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Instances without what they usually are."""
    usual = {"x": 0, "y": 0, "rotation": 0.0}
    return [
        {key: value for key, value in each.items() if usual.get(key) != value} for each in items
    ]


class Monkey:
    """Acts of somebody who edits a room, each also done in the model."""

    def __init__(self, page: Any, seed: int) -> None:
        self.page, self.random = page, random.Random(seed)
        self.stage = opened(page)
        data = page.evaluate(ASK, f"{WHERE}.json")
        looks = {name.partition(":")[2]: look for name, look in data["looks"].items()}
        self.model = Model(instances(page), looks)
        self.did: list[str] = []
        self.saved: list[list[dict[str, Any]]] = [deepcopy(self.model.items)]
        box = self.stage.bounding_box()
        most = min(box["width"] / data["width"], box["height"] / data["height"])
        self.zoom = min(16, int(most) if most > 1 else most)
        self.left = (data["width"] - box["width"] / self.zoom) / 2
        self.top = (data["height"] - box["height"] / self.zoom) / 2

    def at(self, x: float, y: float) -> dict[str, float]:
        return {"x": (x - self.left) * self.zoom, "y": (y - self.top) * self.zoom}

    def go(self, acts: int) -> None:
        names = [
            "pick", "pick", "pick", "drag", "drag", "arrows", "duplicate", "remove", "paste",
            "align", "turn", "front", "behind", "undo", "undo", "redo", "apply", "add",
        ]  # fmt: skip
        for _ in range(acts):
            name = self.random.choice(names)
            self.did.append(name)
            getattr(self, name)()
        self.apply()

    def _topmost(self, x: float, y: float) -> int | None:
        items = self.model.items
        least = 4 / self.zoom
        for number in reversed(range(len(items))):
            left, top, width, height = self.model.box(items[number])
            dx, dy = x - items[number].get("x", 0), y - items[number].get("y", 0)
            turn = math.radians(items[number].get("rotation", 0))
            px = items[number].get("x", 0) + dx * math.cos(turn) - dy * math.sin(turn)
            py = items[number].get("y", 0) + dx * math.sin(turn) + dy * math.cos(turn)
            across = left - least <= px <= left + width + least
            if across and top - least <= py <= top + height + least:
                return number
        return None

    def pick(self) -> None:
        if not self.model.items:
            return
        item = self.random.choice(self.model.items)
        left, top, width, height = self.model.box(item)
        x, y = left + width / 2, top + height / 2
        if not (0 <= x <= 310 and 0 <= y <= 170):
            return
        found = self._topmost(x, y)
        shift = bool(self.random.getrandbits(1))
        self.stage.click(position=self.at(x, y), modifiers=["Shift"] if shift else [])
        chosen = self.model.chosen
        if found is None:
            self.model.chosen = chosen if shift else []
        elif shift:
            self.model.chosen = (
                [n for n in chosen if n != found] if found in chosen else [*chosen, found]
            )
        elif found not in chosen:
            self.model.chosen = [found]

    def drag(self) -> None:
        if len(self.model.chosen) != 1:
            return
        (number,) = self.model.chosen
        item = self.model.items[number]
        left, top, width, height = self.model.box(item)
        x, y = left + width / 2, top + height / 2
        if not (0 <= x <= 310 and 0 <= y <= 170) or self._topmost(x, y) != number:
            return
        dx, dy = self.random.randrange(-3, 4) * SNAP, self.random.randrange(-3, 4) * SNAP
        if not (0 <= x + dx <= 310 and 0 <= y + dy <= 170):
            return
        self.stage.hover(position=self.at(x, y))
        self.page.mouse.down()
        self.stage.hover(position=self.at(x + dx, y + dy))
        self.page.mouse.up()
        if dx or dy:
            to = [
                math.floor((item.get(axis, 0) + by) / SNAP + 0.5) * SNAP
                for axis, by in (("x", dx), ("y", dy))
            ]
            self.model.act(self.model.changed(x=to[0], y=to[1]))

    def arrows(self) -> None:
        if not self.model.chosen:
            return
        key, dx, dy = self.random.choice(
            [("ArrowLeft", -SNAP, 0), ("ArrowDown", 0, SNAP), ("Shift+ArrowRight", 1, 0)]
        )
        self.stage.press(key)
        items = deepcopy(self.model.items)
        for number in self.model.chosen:
            items[number]["x"] = items[number].get("x", 0) + dx
            items[number]["y"] = items[number].get("y", 0) + dy
        self.model.act(items)

    def _insert(self, new: list[dict[str, Any]]) -> None:
        if new:
            count = len(self.model.items)
            self.model.act([*deepcopy(self.model.items), *new])
            self.model.chosen = [*range(count, count + len(new))]

    def duplicate(self) -> None:
        self.stage.press("Control+d")
        self._insert([
            {**item, "x": item.get("x", 0) + SNAP, "y": item.get("y", 0) + SNAP}
            for item in (self.model.items[number] for number in self.model.chosen)
        ])  # fmt: skip

    def paste(self) -> None:
        if not self.model.chosen:
            return
        x, y = self.random.randrange(32, 280), self.random.randrange(32, 150)
        self.stage.press("Control+c")
        self.stage.hover(position=self.at(x, y))
        where = self.page.locator(".room-at").inner_text().split(", ")
        at = [self.at(x, y)["x"] / self.zoom + self.left, self.at(x, y)["y"] / self.zoom + self.top]
        assert [str(math.floor(each + 1e-6)) for each in at] == where
        self.stage.press("Control+v")
        items = [self.model.items[number] for number in self.model.chosen]
        left = min(item.get("x", 0) for item in items)
        top = min(item.get("y", 0) for item in items)
        to = [math.floor(each / SNAP + 0.5) * SNAP for each in (x, y)]
        self._insert([
            {**item, "x": item.get("x", 0) - left + to[0], "y": item.get("y", 0) - top + to[1]}
            for item in deepcopy(items)
        ])  # fmt: skip

    def add(self) -> None:
        x, y = self.random.randrange(32, 280), self.random.randrange(32, 150)
        self.page.get_by_role("option", name="obj_door").click()
        self.stage.click(position=self.at(x, y))
        self.page.locator('[data-do="add"][aria-pressed="true"]').click()
        to = [math.floor(each / SNAP + 0.5) * SNAP for each in (x, y)]
        self._insert([{"layer": "Instances", "object": "obj_door", "x": to[0], "y": to[1]}])

    def remove(self) -> None:
        if len(self.model.chosen) > 3:
            return
        self.stage.press("Delete")
        chosen = self.model.chosen
        kept = [deepcopy(each) for n, each in enumerate(self.model.items) if n not in chosen]
        self.model.act(kept)
        self.model.chosen = []

    def align(self) -> None:
        if len(self.model.chosen) < 2:
            return
        self.page.get_by_role("button", name="Align left edges").click()
        items = deepcopy(self.model.items)
        boxes = [self.model.box(items[number])[0] for number in self.model.chosen]
        for number, left in zip(self.model.chosen, boxes, strict=True):
            by = min(boxes) - left
            items[number]["x"] = items[number].get("x", 0) + by
        self.model.act(items)

    def turn(self) -> None:
        if not self.model.chosen:
            return
        by = self.random.choice((0, 45, 90))
        field = self.page.get_by_label("rotation", exact=True)
        field.fill(str(by))
        field.press("Enter")
        self.model.act(self.model.changed(rotation=float(by)))

    def front(self) -> None:
        self._order("front")

    def behind(self) -> None:
        self._order("behind")

    def _order(self, where: str) -> None:
        if not self.model.chosen:
            return
        self.page.locator(f"[data-do={where}]").click()
        own = sorted(self.model.chosen)
        rest = [n for n in range(len(self.model.items)) if n not in own]
        order = [*rest, *own] if where == "front" else [*own, *rest]
        self.model.act([deepcopy(self.model.items[number]) for number in order])
        self.model.chosen = [order.index(number) for number in self.model.chosen]

    def undo(self) -> None:
        if not self.model.past:
            return
        self.stage.press("Control+z")
        self.model.future.append(self.model.items)
        self.model.items = self.model.past.pop()
        self._nothing()

    def redo(self) -> None:
        if not self.model.future:
            return
        self.stage.press("Control+y")
        self.model.past.append(self.model.items)
        self.model.items = self.model.future.pop()
        self._nothing()

    def _nothing(self) -> None:
        self.stage.press("Escape")
        self.model.chosen = []

    def apply(self) -> None:
        """The file is as the model now, or nothing is to be applied."""
        self._nothing()
        count = self.page.locator("[data-count]").inner_text()
        same = tidy(self.model.items) == tidy(self.saved[-1])
        assert not (count == "nothing is changed" and not same), self.did
        if count != "nothing is changed":
            apply(self.page)
            self.saved.append(deepcopy(self.model.items))
        assert tidy(instances(self.page)) == tidy(self.model.items), self.did
        self.model.past, self.model.future = [], []


@pytest.mark.parametrize("seed", range(times(40, 20)))
def test_random_acts_leave_the_file_as_the_model_is(page: Any, seed: int) -> None:
    monkey = Monkey(page, seed)
    monkey.go(60)
    # and each step is taken back
    for saved in reversed(monkey.saved[:-1]):
        monkey.stage.press("Control+z")
        page.locator(".roomedit[aria-busy]").wait_for(state="detached")
        page.locator(".roomedit:not([aria-busy])").wait_for()
        assert tidy(instances(page)) == tidy(saved), monkey.did
