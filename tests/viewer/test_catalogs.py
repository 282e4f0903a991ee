"""The viewer of a catalogue: tables, pictures, questions, and each game behind its own address."""

from __future__ import annotations

import asyncio
import html
import io
import time
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from urllib.parse import unquote, urlencode

import pytest
from PIL import Image
from starlette.testclient import TestClient
from starlette.types import ASGIApp, Message, Receive, Scope, Send

import loops
from cataloged import lanterns, shelf
from overhaul.catalog.questions import QUESTIONS
from overhaul.catalog.tables import SHOWN
from overhaul.errors import WorkspaceError
from overhaul.viewer import catalogs
from overhaul.viewer.catalogs import CatalogApplication
from overhaul.viewer.safety import Guard
from overhaul.viewer.serving import is_catalog, one_catalog
from viewing import PORT, TOKEN, client_of, links_of

GAME = sha256(lanterns()[0]).hexdigest()


@contextmanager
def looking_at(catalog: Path) -> Iterator[TestClient]:
    """A client that knows the token of a viewer of a catalogue."""
    shown = CatalogApplication(str(catalog))
    viewer = Guard(shown.asgi, token=TOKEN, port=lambda: PORT)

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":  # the client decodes it twice
            scope["path"] = unquote(scope["raw_path"].decode("ascii"))
        await viewer(scope, receive, send)

    try:
        with client_of(app) as client:
            assert client.get("/", params={"token": TOKEN}).status_code == 200
            yield client
    finally:
        shown.close()


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with looking_at(shelf() / "my.catalog") as client:
        yield client


def page(client: TestClient, address: str, status: int = 200) -> str:
    answer = client.get(address)
    assert answer.status_code == status, answer.text
    return answer.text


def test_the_first_page(client: TestClient) -> None:
    text = page(client, "/")
    assert "<h1>my.catalog</h1>" in text
    for name in (*SHOWN, *(QUESTIONS.keys() - {"stats"})):
        assert name in text
    data = client.get("/.json").json()
    assert dict(data["kinds"])["gamemaker-data"] >= 3
    assert [each["title"] for each in data["tables"]] == list(SHOWN)


def test_every_page_that_is_linked_is_there(client: TestClient) -> None:
    """Also the pages of a game, which lead to each other."""
    waiting = ["/"]
    seen: set[str] = set()
    while waiting and len(seen) < 120:
        address = waiting.pop(0)
        if address in seen:
            continue
        seen.add(address)
        answer = client.get(address)
        assert answer.status_code == 200, address
        if answer.headers["content-type"].startswith("text/html"):
            found = dict.fromkeys(links_of(answer.text, address))
            waiting += [each for each in found if each.startswith("/") and each not in seen]
    assert any(each.startswith("/game/") for each in seen)
    assert any(each.startswith("/pictures/") for each in seen)


def test_tables_are_paged_and_filtered(client: TestClient) -> None:
    data = client.get("/tables/strings.json").json()
    assert len(data["rows"]) == 100
    assert data["next"] == "/tables/strings?from=100"
    more = client.get("/tables/strings.json?from=100").json()
    assert more["first"] == 100
    assert more["rows"] != data["rows"]
    assert client.get("/tables/strings.json?from=99999").json()["rows"] == []
    own = client.get(f"/tables/code.json?file={GAME}").json()
    assert {row[0]["href"] for row in own["rows"]} == {f"/files/{GAME}"}
    assert client.get("/tables/files.json?kind=nothing").json()["rows"] == []


def test_questions_and_sql(client: TestClient) -> None:
    asked = client.get("/questions/who-uses.json", params={"name": "keyboard_check_pressed"}).json()
    assert asked["takes"] == {"name": "keyboard_check_pressed"}
    assert asked["rows"]
    assert 'value="&lt;b&gt;"' in page(client, "/questions/who-uses?name=<b>")
    answer = client.get("/query.json", params={"sql": "SELECT 1 AS one, '<i>' AS two"}).json()
    assert answer["columns"] == ["one", "two"]
    text = page(client, "/query?sql=SELECT '<script>' AS x")
    assert "&lt;script&gt;" in text
    assert "<script>" not in text
    refused = page(client, "/query?sql=DROP VIEW files")
    assert "expected one SELECT" in refused
    assert "Ask" in page(client, "/query")


def test_a_file(client: TestClient) -> None:
    text = page(client, f"/files/{GAME}")
    assert f'href="/game/{GAME}/"' in text
    assert "pack.zip!y" in text
    data = client.get(f"/files/{GAME}.json").json()
    assert len(data["places"]) == 3
    assert data["facts"]["identical"] is True
    assert page(client, f"/game/{GAME}/sprites")
    assert f'href="/game/{GAME}/sprites' in page(client, f"/game/{GAME}/")


def test_values_are_in_words(client: TestClient) -> None:
    table = page(client, "/tables/files")
    cells = [
        cell["text"] for row in client.get("/tables/files.json").json()["rows"] for cell in row
    ]
    assert "yes" in cells and not {"True", "False"} & set(cells)
    assert not [cell for cell in cells if cell.startswith(("[", "{"))]
    assert "`" not in table.partition("<table")[0]
    file = page(client, f"/files/{GAME}")
    assert "<dt>identical</dt><dd>yes</dd>" in file
    assert "objects 7" in file or "objects 5" in file
    assert " 0 " not in file.partition("<dt>counts</dt>")[2].partition("</dd>")[0]


def test_pictures(client: TestClient) -> None:
    data = client.get(f"/tables/images.json?file={GAME}").json()
    pictures = [cell["picture"] for row in data["rows"] for cell in row if cell["picture"]]
    assert len(pictures) == len(data["rows"])
    answer = client.get(pictures[0])
    assert answer.headers["content-type"] == "image/png"
    with Image.open(io.BytesIO(answer.content)) as picture:
        width, height = picture.size
    row = [cell["text"] for cell in data["rows"][0]]
    assert (str(width), str(height)) == (row[4], row[5])


@pytest.mark.parametrize(
    "address",
    [
        "/nothing", "/tables/nothing", "/tables/places", "/questions/nothing", "/files/00",
        "/game/00/", f"/pictures/{GAME}/nothing.png", f"/pictures/{GAME}/overhaul.toml",
        f"/pictures/{GAME}/*.png", "/pictures/x", f"/game/{GAME}/nothing", "/tables/files/x",
        f"/files/{GAME}/x", "/-/static/x/style.css", "/query/x", "/stored_places",
    ],
)  # fmt: skip
def test_what_is_not_there(client: TestClient, address: str) -> None:
    assert client.get(address).status_code == 404


def test_only_who_has_the_token_sees_it(client: TestClient) -> None:
    client.cookies.clear()
    try:
        assert client.get("/tables/files").status_code == 403
    finally:
        assert client.get("/", params={"token": TOKEN}).status_code == 200
    assert client.get("/", headers={"Host": "elsewhere.example"}).status_code != 200


def test_what_the_viewer_takes_for_a_catalogue(tmp_path: Path) -> None:
    assert not is_catalog(str(tmp_path))
    (tmp_path / "catalog.json").write_text("{}")
    assert is_catalog(str(tmp_path))
    assert is_catalog("s3://games/catalog")
    assert one_catalog(["a"]) == ["a"]
    with pytest.raises(WorkspaceError, match="without other files"):
        one_catalog(["a", "b"])


#: a question that takes hours
ENDLESS = "SELECT sum(a.range * b.range) FROM range(100000000) a, range(100000000) b"


def test_a_question_that_takes_long_is_stopped(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalogs, "LONGEST_QUESTION", 0.4)
    start = time.monotonic()
    text = page(client, f"/query?sql={ENDLESS}")
    assert 0.4 <= time.monotonic() - start < 5
    assert "it took more than 0.4 seconds, and was stopped" in text
    assert ENDLESS in html.unescape(text)  # what was typed is there to be changed
    assert "gamemaker-data" in page(client, "/query?sql=SELECT kind FROM files")


def scope_of(path: str, query: dict[str, str] | None = None) -> Scope:
    """What a server makes of a request."""
    return {
        "type": "http", "http_version": "1.1", "method": "GET", "path": path, "headers": [],
        "query_string": urlencode(query or {}).encode(), "scheme": "http", "root_path": "",
        "raw_path": path.encode(), "client": None, "server": None,
    }  # fmt: skip


async def asked(app: ASGIApp, scope: Scope, left: asyncio.Event | None = None) -> bytes:
    """The answer of an application to a browser, which leaves when ``left`` is set."""
    sent: list[Message] = []
    waiting: list[Message] = [{"type": "http.request", "body": b""}]

    async def receive() -> Message:
        if waiting:
            return waiting.pop()
        await (left or asyncio.Event()).wait()
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        sent.append(message)

    await app(scope, receive, send)
    return b"".join(message.get("body", b"") for message in sent)


def test_others_are_answered_while_a_question_is_asked_until_its_browser_leaves() -> None:
    async def ask(app: ASGIApp) -> bytes:
        left = asyncio.Event()
        question = asyncio.create_task(asked(app, scope_of("/query", {"sql": ENDLESS}), left))
        await asyncio.sleep(0.2)
        for path in ("/", "/tables/files", f"/files/{GAME}", f"/game/{GAME}/"):
            assert b"</html>" in await asked(app, scope_of(path)), path
        assert not question.done()
        left.set()
        return await question

    shown = CatalogApplication(str(shelf() / "my.catalog"))
    try:
        assert b"the browser left" in loops.run(ask(shown.asgi))
    finally:
        shown.close()
