"""Who may ask, what may be asked, and what a game's names and texts can't do."""

from __future__ import annotations

import os
import random
import re
import socket
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
import uvicorn

import overhaul
from overhaul.gamemaker.data.chunks.func import Script
from overhaul.gamemaker.data.chunks.objt import GameObject, Timeline
from overhaul.gamemaker.data.chunks.room import Room
from overhaul.gamemaker.data.chunks.seqn import NoFrames, Sequence, Track
from overhaul.gamemaker.data.chunks.shdr import Shader
from overhaul.viewer.index import Index
from overhaul.viewer.opened import Site
from overhaul.viewer.safety import LARGEST_BODY, POLICY
from overhaul.viewer.server import AT_ONCE, asgi_of, serve
from small_games import game_of
from viewing import HOST, PORT, TOKEN, Browser, crawl, looking_at, stranger

FULL = os.environ.get("OVERHAUL_FULL") == "1"
#: names that a page, an address, a folder or a terminal could take for something else
HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "javascript:alert(1)",
    "{{ 7 * 7 }}{% include 'base.html' %}",
    "../../../../etc/passwd",
    "..",
    "/etc/passwd",
    "a/b?c#d&e=f;g%2Fh",
    "//evil.example/",
    "x.json",
    "x",
    "",
    " ",
    "a\r\nSet-Cookie: x=1",
    "nul\0byte",
    "\u202egnp.exe",
    "é́́́ 日本 \U0001f600",
    "A" * 3000,
    "-",
    "in",
]

#: elements that no page has
FOREIGN = {"iframe", "object", "embed", "base", "style", "x"}


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game whose names and texts are hostile."""
    game = game_of("2022.1")
    add = game.strings.add
    for name in HOSTILE:
        game.records.objects.append(GameObject(add(name), events=[[] for _ in range(15)]))
        game.records.rooms.append(Room(add(name), caption=add(name)))
        game.records.scripts.append(Script(add(name)))
    for name in HOSTILE[:6]:
        game.records.timelines.append(Timeline(add(name)))
        track = Track(add("GMGroupTrack"), add(name), keyframes=NoFrames())
        game.records.sequences.append(Sequence(add(name), length=9.0, tracks=[track]))
        shader = Shader(add(name), version=2, attributes=[add(name)])
        shader.glsl_es_fragment = add(f"uniform int {name}; // {name}")
        game.records.shaders.append(shader)
    path = tmp_path_factory.mktemp("hostile") / "<b>data&.win"
    game.save(path)
    return path


@pytest.fixture(scope="module")
def site(hostile: Path) -> Iterator[Site]:
    site = Site([str(hostile)])
    yield site
    site.close()


class Reader(HTMLParser):
    """What a browser would see in a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.links: list[str] = []
        self.scripts = 0
        self.title = self._inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.scripts += tag == "script"
        for name, value in attrs:
            self.attributes.add(name)
            if name in ("href", "src", "action", "hx-get"):
                self.links.append(value or "")
        self._inside = tag

    def handle_data(self, data: str) -> None:
        self.title += data if self._inside == "h1" else ""


def test_names_and_texts_of_a_game_are_never_markup(hostile: Path) -> None:
    pages = []

    def keep(address: str, text: str) -> None:
        pages.append(address)
        reader = Reader()
        reader.feed(text)
        assert reader.scripts == 3, address
        own = {"iframe"} if address.partition("?")[0].endswith("/-/split") else set()
        assert not reader.tags & FOREIGN - own, address
        wrong = {name for name in reader.attributes if name.startswith("on") or name == "style"}
        assert wrong == set(), address
        assert not any(re.match(r"\s*(javascript:|data:|//)", link) for link in reader.links)
        assert "x" not in reader.links, address
        assert "49" not in reader.title

    with looking_at(hostile) as client:
        counts = crawl(client, each=keep)
        for wanted in HOSTILE:
            for address in ("/-/search", "/-/names", "/objects"):
                answer = client.get(address, params={"q": wanted, "filter": wanted})
                assert answer.status_code == 200
                keep(address, answer.text) if "<head>" in answer.text else None
    assert len(pages) > 3 * len(HOSTILE)
    assert counts["text/html"] >= len(pages) - 3 * len(HOSTILE)


def test_each_hostile_name_has_a_page_of_its_own(hostile: Path) -> None:
    with looking_at(hostile) as client:
        rows = client.get("/objects.json").json()["rows"]
        names = [client.get(f"{row['href']}.json").json()["name"] for row in rows]
    # `x` and `x.json` are two
    assert names == [row["name"] for row in rows]
    assert names[2:] == HOSTILE


# ------------------------------------------------------------------------------------- who may ask


def test_the_token_opens_and_the_cookie_keeps_open(site: Site) -> None:
    with stranger(site) as client:
        refused = client.get("/")
        assert refused.status_code == 403 and "printed" in refused.text
        page = client.get("/", headers={"Accept": "text/html"})
        assert page.status_code == 403 and "<h1>The viewer was started again</h1>" in page.text
        assert "script" not in page.text and TOKEN not in page.text
        assert "x" * 3 not in refused.text
        assert client.get("/", params={"token": TOKEN + "x"}).status_code == 403
        assert client.get("/", params={"token": ""}).status_code == 403
        assert client.get("/-/static/x/app.js").status_code == 403
        answer = client.get("/objects", params={"token": TOKEN})
        assert answer.status_code == 200
        cookie = answer.headers["set-cookie"]
        assert cookie == f"overhaul_{PORT}={TOKEN}; Path=/; HttpOnly; SameSite=Strict"
        assert client.get("/objects").status_code == 200
        assert "set-cookie" not in client.get("/objects").headers


def test_a_browser_forgets_the_token_in_the_address(site: Site) -> None:
    with stranger(site) as client:
        answer = client.get(
            "/objects",
            params={"token": TOKEN, "filter": "a&b"},
            headers={"Sec-Fetch-Mode": "navigate"},
            follow_redirects=False,
        )
        assert answer.status_code == 303
        assert answer.headers["location"] == "/objects?filter=a%26b"
        assert TOKEN in answer.headers["set-cookie"]
        away = client.get(
            f"{HOST}//evil.example/",
            params={"token": TOKEN},
            headers={"Sec-Fetch-Mode": "navigate"},
            follow_redirects=False,
        )
        assert away.headers["location"] == "/evil.example/"


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        f"evil.example:{PORT}",
        "127.0.0.1",
        "127.0.0.1:1",
        f"127.0.0.1.evil:{PORT}",
        "",
    ],
)
def test_another_host_is_not_answered(site: Site, host: str) -> None:
    with stranger(site) as client:
        answer = client.get("/", params={"token": TOKEN}, headers={"Host": host})
        assert answer.status_code == 421
        assert (
            client.get(
                "/", params={"token": TOKEN}, headers={"Host": f"LOCALHOST:{PORT}"}
            ).status_code
            == 200
        )


@pytest.mark.parametrize("origin", ["http://evil.example", "null", f"https://127.0.0.1:{PORT}", ""])
def test_another_origin_is_not_answered(site: Site, origin: str) -> None:
    with Browser(site) as client:
        client.get("/", params={"token": TOKEN})
        for method in ("GET", "POST"):
            answer = client.request(method, "/-/state", headers={"Origin": origin})
            assert answer.status_code == 403
        assert client.get("/-/state", headers={"Origin": HOST}).status_code == 200
        assert client.post("/-/state").status_code == 403
        assert client.post("/-/state", headers={"Origin": HOST}).status_code == 200


def test_every_answer_says_what_a_page_may_do(site: Site) -> None:
    assert "unsafe" not in POLICY
    assert POLICY.startswith("default-src 'none'; script-src 'self'; style-src 'self';")
    with Browser(site) as client:
        answers = [
            client.get("/"),
            client.get("/", params={"token": TOKEN}),
            client.get("/nothing"),
            client.get("/objects.json"),
            client.get("/", headers={"Host": "evil.example"}),
        ]
    assert [each.status_code for each in answers] == [403, 200, 404, 200, 421]
    for answer in answers:
        assert answer.headers["content-security-policy"] == POLICY
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "same-origin"
        assert answer.headers["cache-control"] == "no-store"
        assert "server" not in answer.headers


def test_static_files_are_kept_by_browsers(site: Site) -> None:
    with Browser(site) as client:
        page = client.get("/", params={"token": TOKEN}).text
        styles = re.findall(r'<link rel="stylesheet" href="([^"]+)"', page)
        for address in styles:
            assert "immutable" in client.get(address).headers["cache-control"]
        assert styles[0].endswith("/style.css")


# -------------------------------------------------------------------------------- what may be asked


def test_too_much_is_refused(site: Site) -> None:
    with Browser(site) as client:
        client.get("/", params={"token": TOKEN})
        assert client.get("/" + "a" * 9000).status_code == 414
        assert client.get("/-/search?q=" + "a" * 9000).status_code == 414
        assert client.get("/-/search?" + "&".join(["a=b"] * 500)).status_code == 200
        for method in ("PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "X"):
            answer = client.request(method, "/")
            assert answer.status_code == 405, method
            assert answer.headers["allow"] == "GET, HEAD, POST"
        length = {"Content-Length": str(LARGEST_BODY + 1), "Origin": HOST}
        assert client.post("/-/state", headers=length).status_code == 413
        for wrong in ("-1", "x", "9" * 400, "1.5"):
            answer = client.post("/-/state", headers={"Content-Length": wrong, "Origin": HOST})
            assert answer.status_code == 413, wrong

        def pieces() -> Iterator[bytes]:
            for _ in range(LARGEST_BODY // (4 << 20) + 1):
                yield bytes(4 << 20)

        answer = client.post("/-/state", content=pieces(), headers={"Origin": HOST})
        assert answer.status_code == 413


def escaped(text: str) -> str:
    """Each byte as ``%`` and its digits."""
    return "".join(f"%{byte:02x}" for byte in text.encode())


def hostile_requests(seed: int, count: int) -> Iterator[tuple[str, str, dict[str, str]]]:
    """Methods, addresses and headers that a page or a program could send."""
    pick = random.Random(seed)
    parts = [
        *HOSTILE, *("objects", "rooms", "obj_a", "-", "in", "static", "search", "tree", "names"),
        *("files", "..", ".", "%2e%2e", "%00", "%ff", "%c0%ae", "....//", "C:\\", "\\\\x\\y", "~"),
        *("state", "reload", ".json", "objects.json", "obj_a.json", "files/objects/obj_a.json"),
        *("etc/passwd", "data.win", "1", "0", "-1", "99999999999999999999", "²"),
    ]  # fmt: skip
    keys = ["q", "how", "from", "filter", "brief", "line", "token", "raw", "x", ""]
    for _ in range(count):
        chosen = pick.choices(parts, k=pick.randrange(1, 6))
        quoted = [
            "".join(
                c if re.match(r'[!"$-~]', c) and pick.random() < 0.4 else escaped(c)
                for c in part[:200]
            )
            if pick.random() < 0.8
            else re.sub(r"[^\x21-\x7e]|[#?]", "", part)
            for part in chosen
        ]
        address = "/" + "/".join(quoted)
        if pick.random() < 0.6:
            pairs = [
                f"{pick.choice(keys)}={escaped(pick.choice(parts)[:99])}"
                for _ in range(pick.randrange(4))
            ]
            address += "?" + "&".join(pairs)
        headers: dict[str, str] = {}
        for name in ("Origin", "Host", "Cookie", "HX-Request", "Content-Length", "Sec-Fetch-Site"):
            if pick.random() < 0.05:
                headers[name] = pick.choice(
                    [
                        "",
                        "x" * pick.randrange(2000),
                        HOST,
                        "true",
                        "cross-site",
                        "0",
                        "-5",
                        "a=b; c",
                    ]
                )
        yield pick.choice(["GET"] * 8 + ["HEAD", "POST"]), address, headers


def test_the_server_bounds_heads_and_writes_no_log(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[uvicorn.Server] = []
    monkeypatch.setattr(uvicorn.Server, "run", lambda server, sockets: started.append(server))
    with socket.socket() as listening:
        serve(asgi_of(site), listening, TOKEN, PORT)
    (server,) = started
    assert server.config.h11_max_incomplete_event_size == 32 * 1024
    assert (server.config.access_log, server.config.limit_concurrency) == (False, AT_ONCE)


def test_hostile_requests_get_no_files_and_no_errors_of_ours(
    site: Site, hostile: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No 500, nothing else is read from the disk for them, and memory stays (5,000 of them, with
    OVERHAUL_FULL)."""
    resource = pytest.importorskip("resource")
    paths: set[str] = set()
    watching = True

    def watch(event: str, arguments: tuple[object, ...]) -> None:
        if watching and event in ("open", "os.listdir", "os.scandir", "subprocess.Popen"):
            paths.add(str(arguments[0]))

    monkeypatch.setattr(Index, "start", lambda index: None)
    with Browser(site) as client:
        client.get("/", params={"token": TOKEN})
        for method, address, headers in hostile_requests(1, 200):
            client.request(method, f"{HOST}{address}", headers=headers)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        sys.addaudithook(watch)
        statuses: dict[int, int] = {}
        for method, address, headers in hostile_requests(2, 5000 if FULL else 600):
            answer = client.request(
                method, f"{HOST}{address}", headers=headers, follow_redirects=False
            )
            statuses[answer.status_code] = statuses.get(answer.status_code, 0) + 1
            assert answer.status_code < 500, (method, address, headers, answer.text[:300])
            assert b"root:" not in answer.content
        watching = False
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert set(statuses) <= {200, 303, 403, 404, 413, 414, 421}
    assert statuses[200] > 8
    assert statuses[404] > 200
    # a POST to /-/reload opens the game again; viewers of other tests may still tidy their caches
    templates = str(Path(overhaul.__file__).parent / "viewer/templates")
    allowed = (str(hostile), templates, f"{hostile.parents[1]}/cache")
    assert [path for path in paths if not path.startswith(allowed)] == []
    assert grown < 30_000  # kB
