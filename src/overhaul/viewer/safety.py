"""Who may ask the viewer, and for how much: hosts, origins, the token, sizes, headers.

The viewer listens on this computer only, but every page of the internet that is open in a browser
can send requests here too.  So a request has to name this host (no other name that leads here),
come from a page of the viewer if it comes from a page, and know the token of the address that was
printed, as its query or as the cookie that the first answer sets.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

#: The longest address and body that are read, in bytes.
LONGEST_ADDRESS = 8 << 10
LARGEST_BODY = 64 << 20
#: Nothing is loaded from elsewhere, and nothing that stands in a page is run.
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "media-src 'self' blob:",
        "font-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-src 'self'",
        "frame-ancestors 'self'",
    )
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "SAMEORIGIN",
    # with "no-referrer" browsers send forms without their origin, and those are refused
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_MISSING = (
    "The token of this viewer is missing. Open the address that overhaul view printed when it "
    "started."
)
#: the same as a page, for who comes back after a restart; no style, as its files need the token
_NO_TOKEN = f"""<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><title>Overhaul</title>
<h1>The viewer was started again</h1>
<p>{_MISSING}</p></html>
"""
#: methods that change nothing
_READING = frozenset(("GET", "HEAD"))


class Guard:
    """Lets through what may be asked; puts the headers of safety on every answer.

    ``port`` gives the port that is listened on, as the first thing that is known of it.
    """

    def __init__(self, app: ASGIApp, *, token: str, port: Callable[[], int]) -> None:
        self._app = app
        self._token = token
        self._port = port

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return  # no web sockets
        headers = Headers(scope=scope)
        fresh = self._token_in_address(scope)

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                found = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    found[name] = value
                found.setdefault("Cache-Control", "no-store")
                if fresh:
                    found.append("Set-Cookie", self._cookie())
            await send(message)

        refusal = self._refusal(scope, headers, fresh=fresh)
        if refusal is None and fresh and headers.get("sec-fetch-mode") == "navigate":
            # The token leaves the address line, and with it the history.
            refusal = RedirectResponse(_without_token(scope), 303)
        if refusal is not None:
            await refusal(scope, receive, answer)
            return
        await self._app(scope, _limited(receive), answer)

    # -- the token ---------------------------------------------------------------------------

    @property
    def _cookie_name(self) -> str:
        # Cookies are of a host, not of a port: two viewers must not share one.
        return f"overhaul_{self._port()}"

    def _cookie(self) -> str:
        return f"{self._cookie_name}={self._token}; Path=/; HttpOnly; SameSite=Strict"

    def _is_token(self, text: str) -> bool:
        return hmac.compare_digest(text.encode("utf-8", "replace"), self._token.encode("ascii"))

    def _token_in_address(self, scope: Scope) -> bool:
        return any(key == "token" and self._is_token(value) for key, value in _query(scope))

    def _token_in_cookie(self, headers: Headers) -> bool:
        for line in headers.getlist("cookie"):
            try:
                morsel = SimpleCookie(line).get(self._cookie_name)
            except CookieError:
                continue
            if morsel is not None and self._is_token(morsel.value):
                return True
        return False

    # -- what may be asked -------------------------------------------------------------------

    def _refusal(self, scope: Scope, headers: Headers, *, fresh: bool) -> Response | None:
        """The answer to what may not be asked; None for what may."""
        hosts = {f"127.0.0.1:{self._port()}", f"localhost:{self._port()}"}
        if headers.get("host", "").lower() not in hosts or len(headers.getlist("host")) != 1:
            return _say(421, "this address is not that of the viewer")
        if len(scope.get("raw_path") or b"") + len(scope["query_string"]) > LONGEST_ADDRESS:
            return _say(414, "the address is too long")
        method = scope["method"]
        if method not in _READING and method != "POST":
            refusal = _say(405, "the viewer answers GET, HEAD and POST")
            refusal.headers["Allow"] = "GET, HEAD, POST"
            return refusal
        origin = headers.get("origin")
        if origin is not None and origin not in {f"http://{host}" for host in hosts}:
            return _say(403, "a page of another site may not ask the viewer")
        if method == "POST" and origin is None:
            return _say(403, "only a page of the viewer may change something")
        if headers.get("sec-fetch-site") == "cross-site" and method != "GET":
            return _say(403, "a page of another site may not ask the viewer")
        if not fresh and not self._token_in_cookie(headers):
            as_page = "text/html" in headers.get("accept", "")
            return HTMLResponse(_NO_TOKEN, 403) if as_page else _say(403, _MISSING)
        length = headers.get("content-length", "0")
        if not (length.isascii() and length.isdigit()) or int(length[:20]) > LARGEST_BODY:
            return _say(413, f"more than {LARGEST_BODY >> 20} MB are not taken")
        return None


class BodyTooLarge(Exception):
    """A request sends more than it may."""


def _limited(receive: Receive) -> Receive:
    """The received bytes, up to a limit."""
    size = 0

    async def limited() -> Message:
        nonlocal size
        message = await receive()
        size += len(message.get("body", b""))
        if size > LARGEST_BODY:
            raise BodyTooLarge
        return message

    return limited


def _query(scope: Scope) -> list[tuple[str, str]]:
    try:
        text = scope["query_string"].decode("latin-1")
        return parse_qsl(text, keep_blank_values=True, max_num_fields=200)
    except ValueError:  # too many fields
        return []


def _without_token(scope: Scope) -> str:
    path = (scope.get("raw_path") or b"/").decode("latin-1").partition("?")[0]
    rest = urlencode([(key, value) for key, value in _query(scope) if key != "token"])
    # `//host` would be the address of another site.
    return "/" + path.lstrip("/\\") + (f"?{rest}" if rest else "")


def _say(status: int, text: str) -> Response:
    return PlainTextResponse(f"{text}\n", status)
