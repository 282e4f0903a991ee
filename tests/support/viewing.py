"""A viewer without a network: its application, asked as a browser asks it."""

from __future__ import annotations

import html
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from os import PathLike, fspath
from urllib.parse import unquote, urljoin, urlsplit

import anyio
import httpx2
from starlette.testclient import TestClient
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from overhaul.viewer.opened import Site
from overhaul.viewer.server import application

PORT = 4321
HOST = f"http://127.0.0.1:{PORT}"
TOKEN = "a-token-of-a-test"
#: addresses in the HTML of a page
_LINKS = re.compile(r'(?:href|src|hx-get|data-src)="([^"]*)"')
#: an address of the viewer that is written in full: what :func:`urljoin` would leave as it is
_FULL = re.compile(r"((?:/(?![/.])[^/?#\s]*)+(?:\?[^#\s]+)?)(?:#\S*)?")


class Transport(httpx2.BaseTransport):
    """Runs an application in the loop of a test client.

    That of starlette gives an answer in parts, as they are sent, for which it goes to the loop
    seven times; here the answer is given when it is whole.
    """

    def __init__(self, client: TestClient) -> None:
        self.client = client

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        url = request.url
        scope = {
            "type": "http",
            "http_version": "1.1",
            "method": request.method,
            "path": unquote(url.path),
            "raw_path": url.raw_path.partition(b"?")[0],
            "root_path": "",
            "scheme": url.scheme,
            "query_string": url.query,
            "headers": [(k.lower().encode(), v.encode()) for k, v in request.headers.multi_items()],
            "client": ("testclient", 50000),
            "server": [url.raw_host.decode("ascii"), url.port],
        }
        sent: list[Message] = []
        waiting: list[Message] = [{"type": "http.request", "body": request.read()}]

        async def receive() -> Message:
            if not waiting:  # the client waits for the answer
                await anyio.sleep_forever()
            return waiting.pop()

        async def send(message: Message) -> None:
            sent.append(message)

        async def run() -> None:
            with suppress(Exception):  # the answer says so
                await self.client.app(scope, receive, send)

        assert self.client.portal is not None
        self.client.portal.call(run)
        start: Message = sent[0] if sent else {"status": 500, "headers": []}
        body = b"".join(message.get("body", b"") for message in sent[1:])
        headers = [(key.decode(), value.decode()) for key, value in start["headers"]]
        whole = httpx2.ByteStream(b"" if request.method == "HEAD" else body)
        return httpx2.Response(start["status"], headers=headers, stream=whole, request=request)


def client_of(app: ASGIApp) -> TestClient:
    """A client of an application, which is asked while the client is entered."""
    client = TestClient(app, base_url=HOST)
    client._transport = Transport(client)
    return client


class Browser(TestClient):
    """A client of the viewer of a site."""

    def __init__(self, site: Site) -> None:
        viewer = application(site, TOKEN, lambda: PORT)

        async def app(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] == "http":  # the client decodes it twice
                scope["path"] = unquote(scope["raw_path"].decode("ascii"))
            await viewer(scope, receive, send)

        super().__init__(app, base_url=HOST)
        self._transport = Transport(self)
        self.site = site


@contextmanager
def looking_at(*sources: str | PathLike[str]) -> Iterator[Browser]:
    """A client that knows the token of a viewer of these files."""
    site = Site([fspath(source) for source in sources])
    try:
        with stranger(site) as client:
            assert client.get("/", params={"token": TOKEN}).status_code == 200
            yield client
    finally:
        site.close()


@contextmanager
def stranger(site: Site) -> Iterator[Browser]:
    """A client that does not know the token."""
    with Browser(site) as client:
        yield client


def links_of(text: str, address: str) -> Iterator[str]:
    """The addresses on a page, without the part behind ``#``; all are of the viewer."""
    for written in dict.fromkeys(_LINKS.findall(text)):
        link = html.unescape(written)
        if full := _FULL.fullmatch(link):
            yield full[1]
            continue
        found = urlsplit(urljoin(HOST + address, link))
        if found.scheme in ("data", "blob"):
            continue
        assert f"{found.scheme}://{found.netloc}" == HOST, f"{address} leads to {link}"
        yield found.path + (f"?{found.query}" if found.query else "")


#: Orders of a list that are asked for, and how their kind ends.
SORTED, _ORDER = 2, "?sort"
#: Pages of bytes that are asked for; all are made alike.
BYTES = 12
#: Pages of each kind whose JSON is asked for.
AS_JSON = 1 << 30 if os.environ.get("OVERHAUL_FULL") == "1" else 6


def _kind(address: str) -> str:
    """The kind of page: the part of the address before names and numbers; the same in each of
    several files."""
    path, query = urlsplit(address).path, urlsplit(address).query
    parts = path.split("/")
    if parts[1].isdigit():
        del parts[1]
    order = _ORDER if "sort=" in query else ""
    if "/-/bytes" in path:
        return "bytes"
    kind = [*parts[1:2], *(part for part in parts[3:] if not part[:1].isdigit())][:2]
    return "/".join(kind) + order


def crawl(
    client: TestClient,
    start: str = "/",
    *,
    most: int = 1 << 30,
    most_of_kind: int = 1 << 30,
    each: Callable[[str, str], None] = lambda address, text: None,
) -> Counter[str]:
    """Ask for every address that can be reached, at most so many; count the kinds of answers.

    ``most_of_kind`` is how many addresses under ``/sprites``, ``/rooms``, ... are asked for each;
    of the orders of a list, :data:`SORTED`.
    Every answer must be a good one.  The first :data:`AS_JSON` pages of each kind must have a JSON,
    which must be read.
    ``each`` gets the address and the HTML of every whole page.
    """
    counts: Counter[str] = Counter()
    wrong: list[str] = []
    seen, waiting = {start}, [start]
    kinds: Counter[str] = Counter()
    pages: Counter[str] = Counter()
    while waiting and sum(counts.values()) < most:
        address = waiting.pop()
        answer = client.get(address)
        kind = answer.headers["content-type"].partition(";")[0]
        counts[kind] += 1
        if answer.status_code != 200:
            wrong.append(f"{address}: {answer.status_code} {answer.text[-600:]}")
        elif kind == "text/html":
            if "<head>" in answer.text:
                each(address, answer.text)
            pages[_kind(address)] += 1
            if pages[_kind(address)] <= AS_JSON:
                path, _, query = address.partition("?")
                as_json = client.get(f"{path}.json?{query}")
                if as_json.status_code == 200:
                    as_json.json()
                else:
                    wrong.append(f"{path}.json: {as_json.text[-600:]}")
            for link in links_of(answer.text, address):
                link = link.partition("?via=")[0]  # the page is the same wherever one came from
                if link not in seen:
                    seen.add(link)
                    kind = _kind(link)
                    kinds[kind] += 1
                    most_here = SORTED if kind.endswith(_ORDER) else most_of_kind
                    if kinds[kind] <= (min(BYTES, most_here) if kind == "bytes" else most_here):
                        waiting.append(link)
    assert wrong == [], f"{len(wrong)} wrong answers, the first: {wrong[:5]}"
    return counts
