"""What takes long holds up nobody else."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import overhaul
from ags_package import package
from overhaul.gamemaker.data.resources import users
from overhaul.media import png
from overhaul.viewer.app import Application
from overhaul.viewer.opened import Inside, Opened, Site, load_source
from viewing import HOST, TOKEN, Browser, looking_at

if TYPE_CHECKING:
    from overhaul.gamemaker.data.game import GameData

WAIT = 60


class Gate:
    """Something that is called and does not return before it is opened."""

    def __init__(self) -> None:
        self.reached = threading.Event()
        self.open = threading.Event()

    def before(self, work: Callable[..., object]) -> Callable[..., object]:
        def held(*given: object) -> object:
            self.reached.set()
            assert self.open.wait(WAIT)
            return work(*given)

        return held


@contextmanager
def held_up(site: Site, gate: Gate, address: str) -> Iterator[Browser]:
    """A client that asks for an address on another thread, and waits there; yields another."""
    with Browser(site) as first, Browser(site) as second, ThreadPoolExecutor(1) as pool:
        for client in (first, second):
            client.get("/", params={"token": TOKEN})
        answer = pool.submit(first.get, address)
        try:
            assert gate.reached.wait(WAIT)
            yield second
            assert not answer.done()
        finally:
            gate.open.set()
        assert answer.result(WAIT).status_code == 200


@pytest.fixture
def site(lantern: Path) -> Iterator[Site]:
    found = Site([str(lantern)])
    yield found
    found.close()


@pytest.mark.parametrize("address", ["/-/unused", "/-/unused.json"])
def test_looking_through_the_whole_game_holds_up_no_page(
    site: Site, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    gate = Gate()
    monkeypatch.setattr(users, "unused", gate.before(users.unused))
    with held_up(site, gate, address) as client:
        for page in ("/", "/sprites", "/sprites/spr_keeper", "/objects/obj_keeper", "/-/help"):
            assert client.get(page).status_code == 200, page


def test_a_picture_that_is_made_holds_up_no_page(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = Gate()
    monkeypatch.setattr(png, "encode", gate.before(png.encode))
    with held_up(site, gate, "/rooms/rm_cave/picture.png") as client:
        for page in ("/", "/rooms/rm_cave", "/code/gml_Object_obj_keeper_Step_0"):
            assert client.get(page).status_code == 200, page


def test_the_file_is_opened_again_only_when_no_picture_is_made_of_it(lantern: Path) -> None:
    opened = Opened(str(lantern), partial(load_source, str(lantern)))
    inside, leave = threading.Event(), threading.Event()

    def work() -> None:
        with opened.lock, opened.aside():
            inside.set()
            assert leave.wait(WAIT)

    with ThreadPoolExecutor(2) as pool:
        working = pool.submit(work)
        assert inside.wait(WAIT)
        again = pool.submit(opened.reload)
        assert not again.cancel()
        with opened.lock:  # it is free meanwhile
            assert opened.edition == 0
        leave.set()
        working.result(WAIT)
        again.result(WAIT)
    assert opened.edition == 1
    opened.close()


@pytest.mark.parametrize(("kind", "name"), [(Inside, "open"), (Application, "_look")])
def test_a_page_of_a_file_in_a_package_that_a_step_opens_once_more(
    kind: type[object], name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "game.ags").write_bytes(package())
    site = Site([str(tmp_path / "game.ags")])
    gate, once = Gate(), getattr(kind, name)

    def held(*given: object) -> object:
        monkeypatch.setattr(kind, name, once)
        return gate.before(once)(*given)

    with Browser(site) as client, ThreadPoolExecutor(1) as pool:
        client.get("/", params={"token": TOKEN})
        assert client.get("/in/room1.crm/-/file.json?path=room.json").status_code == 200
        writer = site.documents[0].inside.open("room1.crm").writer
        assert writer is not None
        changed = writer.read("room.json").replace(b"<i>door", b"a gate")
        monkeypatch.setattr(kind, name, held)
        answer = pool.submit(client.get, "/in/room1.crm/-/record/rooms/room")
        assert gate.reached.wait(WAIT)
        writer.step({"room.json": changed}, "Rename a door")
        gate.open.set()
        shown = answer.result(WAIT)
        assert shown.status_code == 200, shown.text
        assert "a gate" in shown.text
    site.close()


def test_what_stands_aside_shows_the_same_bytes(lantern: Path, tmp_path: Path) -> None:
    path = tmp_path / "game.win"
    path.write_bytes(lantern.read_bytes())
    with looking_at(path) as client:
        with overhaul.open_game(lantern) as game:
            _rename(game)
            path.write_bytes(game.to_bytes())
        assert client.get("/code/gml_Object_obj_keeper_Step_0").status_code == 200
        assert client.post("/-/reload", headers={"Origin": str(client.base_url)}).status_code == 200
        assert client.get("/code/gml_Object_obj_keeper_Step_0").status_code == 404
        assert client.get("/code/gml_Object_obj_warden_Step_0").status_code == 200
        shown = client.get("/-/uses/sprites/spr_keeper.json").json()["uses"]
    assert "obj_warden" in [each["name"] for each in shown]


def _rename(game: GameData) -> None:
    game.objects["obj_keeper"].name = "obj_warden"


def asked_and_left(site: Site, method: str, address: str, body: bytes = b"") -> int:
    """The status of the answer to a browser that has ended the connection."""
    path, _, query = address.partition("?")
    sent: list[int] = []
    with Browser(site) as client:
        client.get("/", params={"token": TOKEN})
        cookie = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
        headers = {"host": HOST.partition("//")[2], "cookie": cookie, "origin": HOST}
        scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method,
            "scheme": "http", "path": path, "raw_path": path.encode(), "root_path": "",
            "query_string": query.encode(), "client": ("127.0.0.1", 1), "server": None,
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        }  # fmt: skip
        messages = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive() -> dict[str, object]:
            return messages.pop() if messages else {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            if message["type"] == "http.response.start":
                sent.append(message["status"])

        assert client.portal is not None
        client.portal.call(client.app, scope, receive, send)
    (status,) = sent
    return status


def test_what_nobody_waits_for_is_not_made(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*given: object) -> object:
        raise AssertionError

    monkeypatch.setattr(users, "unused", never)
    assert asked_and_left(site, "GET", "/-/unused") == 499
    check = "/-/language/check?path=code/gml_Object_obj_keeper_Create_0.gml"
    assert asked_and_left(site, "POST", check, b'{"text": "x = 1"}') == 499


def test_an_edit_is_made_where_the_browser_left(site: Site) -> None:
    assert asked_and_left(site, "POST", "/-/add", b"kind=object&name=obj_new") == 303
    bench = site.documents[0].bench
    assert bench is not None and bench.has("objects/obj_new/object.json")
