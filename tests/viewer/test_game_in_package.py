"""A package opens on its game: the kinds of resources of that stand next to each page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import overhaul
from ags_package import package
from viewing import HOST, Browser, looking_at


def kinds(client: Browser, address: str) -> list[tuple[str, int]]:
    found: list[dict[str, Any]] = client.get(address).json()["kinds"]
    return [(each["title"], each["count"]) for each in found]


def test_a_package_opens_on_its_game(tmp_path: Path) -> None:
    path = tmp_path / "game.ags"
    path.write_bytes(package())
    with looking_at(path) as client:
        first = dict(kinds(client, "/.json"))
        own = dict(kinds(client, "/in/game28.dta/.json"))
        assert first.items() >= own.items() and first["Assets"] == 7
        assert first["Rooms"] == 1 and {"Characters", "GUIs", "Scripts"} <= first.keys()
        page = client.get("/").text
        assert 'href="/in/game28.dta/characters"' in page
        assert 'hx-get="/in/game28.dta/-/tree/characters"' in page
        assert 'href="/assets?filter=.crm"' in page
        rooms = client.get("/-/tree/assets?filter=.crm").text
        assert 'href="/in/room1.crm/"' in rooms and "game28.dta" not in rooms
        assert client.get("/assets?filter=.crm").status_code == 200
        # the name of a character is found from the package's first page, and from a room's
        for place in ("", "/in/room1.crm"):
            found = client.get(f"{place}/-/names?q=ego").text
            assert 'href="/in/game28.dta/characters/cEgo"' in found
        # a room's page has its own kinds first, and says of what the others are
        room = client.get("/in/room1.crm/").text
        at = [room.index(text) for text in ('class="of">room1.crm', "/in/game28.dta/guis")]
        assert at == sorted(at)
        assert "Characters" not in dict(kinds(client, "/in/room1.crm/.json"))


def test_a_damaged_game_leaves_the_files(tmp_path: Path) -> None:
    path = tmp_path / "game.ags"
    path.write_bytes(package())
    data = path.read_bytes()
    at = data.index(b"Adventure Creator Game File")
    path.write_bytes(data[: at + 30] + b"\xff" * 400 + data[at + 430 :])
    with looking_at(path) as client:
        assert [title for title, _ in kinds(client, "/.json")][-1] == "Assets"
        assert client.get("/").status_code == 200


def test_files_of_an_unpacked_package_are_edited_on_the_pages_of_what_is_in_it(
    tmp_path: Path,
) -> None:
    path, root = tmp_path / "game.ags", tmp_path / "game"
    path.write_bytes(package())
    overhaul.unpack(path, root)
    before = {file: file.read_bytes() for file in root.rglob("*") if file.is_file()}
    room, ego = root / "rooms/1/room.json", root / "characters/cEgo.json"
    where = "/in/room1.crm/-/room/rooms/room"
    with looking_at(root) as client:
        page = client.get(f"{where}.json").json()
        (group,) = (each for each in page["groups"] if each["items"])
        op = {"op": "set", "path": "room.json", "at": group["items"][0]["at"], "x": 3, "y": 2}
        sent = {"ops": json.dumps([op]), "before": json.dumps(page["before"])}
        assert client.post(where, headers={"Origin": HOST}, data=sent).status_code == 200
        (item,) = json.loads(room.read_bytes())["Objects"]
        assert (item["StartX"], item["StartY"]) == (3, 2)
        form = "/in/game28.dta/-/form?path=characters/cEgo.json"
        digest = client.get(form).text.partition('name="before" value="')[2].partition('"')[0]
        sent = {"f:/StartX": "77", "before": digest}
        assert client.post(form, headers={"Origin": HOST}, data=sent).status_code == 200
        assert json.loads(ego.read_bytes())["StartX"] == 77
        changed = {file for file in before if file.read_bytes() != before[file]}
        assert changed == {room, ego}
        for _ in range(2):
            assert client.post("/-/undo", headers={"Origin": HOST}).status_code == 200
    assert {file: file.read_bytes() for file in before} == before
