"""A page as a piece of HTML that needs no other file: what it shows is in it."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Mapping
from html import escape
from html.parser import HTMLParser
from itertools import count
from typing import TypeAlias

#: gives the type and the bytes of what is at an address; None where that is no picture or sound
Fetch: TypeAlias = Callable[[str], "tuple[str, bytes] | None"]

#: bytes of pictures and sounds that one piece holds
LARGEST = 12 << 20
#: elements that are left out, with what is in them
_TOOLS = frozenset(("button", "form", "input", "select", "textarea", "script", "noscript", "label"))
#: the same by their classes, and by what they are labelled by
_GONE = frozenset((
    *("assembly", "code-tools", "player-tools", "room-tools", "room-layers", "downloads"),
    *("record", "replace", "plain-file", "plain-files", "frames", "event-list"),
    *("search-uses", "viewer-only"),
))  # fmt: skip
_GONE_LABELS = frozenset(("used-by", "replace", "glyphs"))
_VOID = frozenset(("area", "br", "col", "embed", "hr", "img", "link", "meta", "source", "wbr"))
#: attributes that are kept; all others do something, or lead somewhere
_KEPT = frozenset((
    *("alt", "class", "colspan", "controls", "cx", "cy", "d", "fill", "font-family", "font-size"),
    *("font-style", "font-weight", "height", "open", "points", "preload", "r", "role"),
    *("preserveaspectratio", "rowspan", "scope", "start", "title", "transform", "viewbox", "width"),
    *("x", "x1", "x2", "y", "y1", "y2", "aria-label", "aria-hidden"),
))  # fmt: skip
#: attributes whose case means something in SVG, which the parser lowers
_CASED = {"viewbox": "viewBox", "preserveaspectratio": "preserveAspectRatio"}
_NUMBERS = count(1)

_Attributes: TypeAlias = "list[tuple[str, str | None]]"


class Inliner(HTMLParser):
    """Reads the HTML of a page; :attr:`html` is what is kept of it.

    Pictures and sounds come from ``fetch``, a picture that is drawn several times once.
    """

    def __init__(self, fetch: Fetch) -> None:
        super().__init__(convert_charrefs=False)
        self._fetch = fetch
        self._out: list[str] = []
        self._left = LARGEST
        #: what ends each open element, None for one that is left out
        self._open: list[tuple[str, str | None]] = []
        self._gone = 0
        self._drawn: dict[tuple[str, str, str], str] = {}

    @property
    def html(self) -> str:
        """What was kept so far."""
        return "".join(self._out)

    def handle_starttag(self, tag: str, attrs: _Attributes) -> None:
        """An element begins."""
        given = {name: value or "" for name, value in attrs}
        if tag in _VOID:
            if not self._gone and tag == "img":
                self._picture(given)
            elif not self._gone and tag in ("br", "hr"):
                self._out.append(f"<{tag}>")
            return
        gone = bool(self._gone) or tag in _TOOLS or self._is_gone(given)
        if gone:
            self._gone += 1
            self._open.append((tag, None))
            return
        shown = tag
        if tag == "a":  # a link leads out of the notebook
            shown = "g" if any(each == "svg" for each, _ in self._open) else "span"
        self._open.append((tag, f"</{shown}>"))
        if tag == "audio":
            self._audio(given)
        elif tag == "image":
            self._image(given)
        else:
            useless = _useless(tag, given)
            kept = {name: text for name, text in given.items() if name != useless}
            self._out.append(f"<{shown}{_written(kept)}>")

    def handle_startendtag(self, tag: str, attrs: _Attributes) -> None:
        """An element of SVG without content."""
        self.handle_starttag(tag, attrs)
        if tag not in _VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        """An element ends, and those in it that did not."""
        if tag not in [each for each, _ in self._open]:
            return
        while True:
            name, end = self._open.pop()
            if end is None:
                self._gone -= 1
            else:
                self._out.append(end)
            if name == tag:
                return

    def handle_data(self, data: str) -> None:
        """Text, as it stands."""
        if not self._gone:
            self._out.append(data)

    def handle_entityref(self, name: str) -> None:
        """``&lt;``, as it stands."""
        self.handle_data(f"&{name};")

    def handle_charref(self, name: str) -> None:
        """``&#39;``, as it stands."""
        self.handle_data(f"&#{name};")

    def _is_gone(self, given: Mapping[str, str]) -> bool:
        if given.get("aria-labelledby") in _GONE_LABELS:
            return True
        if "download" in given:
            return True
        if "hidden" in given:  # shown by a button
            return True
        return not _GONE.isdisjoint(given.get("class", "").split())

    def _picture(self, given: Mapping[str, str]) -> None:
        address = given.get("src", "")
        if "now" in given.get("class", "").split():  # of several frames: all of them, moving
            frames, _, first = address.rpartition("/frames/")
            moving = self._data(f"{frames}/animation.png") if frames and first else None
            address = f"{frames}/animation.png" if moving else address
        data = self._data(address)
        if data is None:
            self._out.append(f'<span class="none">{escape(given.get("alt", ""))}</span>')
        else:
            self._out.append(f'<img{_written(given)} src="{data}">')

    def _image(self, given: Mapping[str, str]) -> None:
        """A picture in a drawing; the second time it refers to the first."""
        key = (given.get("href", ""), given.get("width", ""), given.get("height", ""))
        if key in self._drawn:
            self._out.append(f'<g{_written(given)}><use href="#{self._drawn[key]}"/>')
            self._open[-1] = ("image", "</g>")
            return
        data = self._data(key[0])
        name = self._drawn[key] = f"overhaul-{next(_NUMBERS)}"
        self._out.append(f'<image id="{name}"{_written(given)} href="{data or ""}">')

    def _audio(self, given: Mapping[str, str]) -> None:
        data = self._data(given.get("src", ""))
        if data is None:
            self._out.append('<span class="none">too large to be played here')
            self._open[-1] = ("audio", "</span>")
        else:
            self._out.append(f'<audio{_written(given)} src="{data}">')

    def _data(self, address: str) -> str | None:
        """A picture or sound as an address that holds it; None where it is none or too large."""
        found = self._fetch(address)
        if found is None or len(found[1]) > self._left:
            return None
        self._left -= len(found[1])
        return f"data:{found[0]};base64,{b64encode(found[1]).decode('ascii')}"


def _useless(tag: str, given: Mapping[str, str]) -> str:
    """The attribute that says what only a viewer does: its element is kept without it."""
    if tag == "details":
        return "open"
    return "title" if tag == "a" and "/-/" in given.get("href", "") else ""


def _written(given: Mapping[str, str]) -> str:
    """The attributes that are kept, escaped."""
    kept = [(_CASED.get(name, name), text) for name, text in given.items() if name in _KEPT]
    return "".join(f' {name}="{escape(text)}"' for name, text in kept)
