"""The users of a resource of a game, and the picture of calls between its code."""

from __future__ import annotations

import re
from typing import cast
from urllib.parse import quote

import msgspec

from overhaul.document.views import UsedView
from overhaul.gamemaker.data.code.mentions import CallGraph, call_graph, code_with_text
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.references import Reference
from overhaul.gamemaker.data.resources.code import Code, Script
from overhaul.viewer.answers import Asked, Crumb, DataPage
from overhaul.viewer.opened import ListedResource, NotThere, Opened
from overhaul.viewer.pages.generic import way_of
from overhaul.viewer.pages.uses import LINES, Use, use_of

#: code entries whose lines are shown
_ENTRIES = 40


def code_name(opened: Opened, entry: ListedResource) -> str:
    """The root code entry of a script or code entry; empty for what has none."""
    view = opened.resource(entry)
    if isinstance(view, Code):
        return view.name
    if not isinstance(view, Script):
        return ""
    reference = view.record.code.entry
    code = reference.target if isinstance(reference, Reference) else None
    return "" if code is None else str(code.name if code.root is None else code.root.name)


def calls_href(opened: Opened, entry: ListedResource) -> str:
    """Where the picture of its calls is; "" for what has no code."""
    if not code_name(opened, entry):
        return ""
    return f"{opened.prefix}/-/calls/{entry.slug}/{quote(entry.key, safe='')}"


def uses_of(opened: Opened, entry: ListedResource) -> list[Use]:
    """The users of a resource of a game, each once."""
    game = cast("GameData", opened.document)
    if entry.kind == "string":
        return _uses_of_text(opened, game, entry.name)
    view = opened.resource(entry)
    if isinstance(view, Code):
        callers = graph_of(opened).callers.get(entry.name, ())
        return [_code_use(opened, name, entry.name) for name in callers if name != entry.name]
    if not isinstance(view, UsedView):
        return []
    return [
        _code_use(opened, user.name, entry.name)
        if user.kind == "code" and number < _ENTRIES
        else use_of(opened, user)
        for number, user in enumerate(view.users())
    ]


def _code_use(opened: Opened, code: str, name: str) -> Use:
    entry = opened.find(code, "code entry")
    href = "" if entry is None else opened.href(entry)
    view = None if entry is None else opened.resource(entry)
    lines = _lines(view.gml, name, href) if isinstance(view, Code) else []
    return Use("code entry", code, href, lines)


def _lines(source: str, name: str, href: str) -> list[Crumb]:
    """The lines of a source that have a name as a word; of a script by its bare name."""
    bare = re.sub(r"^gml_(Script|GlobalScript)_", "", name)
    word = re.compile(rf"(?<!\w){re.escape(bare)}(?!\w)")
    return [
        Crumb(line.strip(), f"{href}#L{number}")
        for number, line in enumerate(source.split("\n"), 1)
        if word.search(line)
    ][:LINES]


def _uses_of_text(opened: Opened, game: GameData, text: str) -> list[Use]:
    uses = []
    for code in code_with_text(game, text):
        entry = opened.find(str(code.name), "code entry")
        uses.append(Use("code entry", str(code.name), opened.href(entry) if entry else "", []))
    return uses


def graph_of(opened: Opened) -> CallGraph:
    """The calls between the code entries of a game; kept."""
    game = cast("GameData", opened.document)
    return opened.remember(
        "call graph",
        lambda: call_graph(game),
        lambda graph: 1000 + sum(100 * len(call) for call in graph.calls.values()),
    )


#: how far from the function, and how many entries at each distance
_DEPTH = 2
_MOST = 14
#: sizes in pixels
_CHAR, _HEIGHT, _GAP, _BETWEEN, _EDGE = 7.3, 24, 10, 90, 16


class CallBox(msgspec.Struct, frozen=True):
    """A code entry of the picture: a box of ``width`` at ``x``, ``y``."""

    name: str
    href: str
    x: float
    y: float
    width: float
    here: bool


class Call(msgspec.Struct, frozen=True):
    """An arrow, as the data of an SVG path; ``x``, ``y`` is its head."""

    path: str
    x: float
    y: float


class CallsPage(msgspec.Struct, frozen=True):
    """The entries around one: callers to the left, what is called to the right."""

    name: str
    width: float
    height: float
    nodes: list[CallBox]
    calls: list[Call]
    hidden: int


def show_calls(asked: Asked) -> DataPage:
    """``/-/calls/code/gml_Script_scr_move``."""
    opened = asked.opened
    slug, _, key = asked.rest.partition("/")
    entry = opened.entry(slug, key)
    name = code_name(opened, entry)
    if not name:
        raise NotThere(f"{entry.name} has no code")
    way, title = way_of(opened, entry), f"Calls of {name}"
    return DataPage("calls.html", _picture(opened, name), title, way, "Calls")


def _picture(opened: Opened, name: str) -> CallsPage:
    graph = graph_of(opened)
    columns, hidden = {0: [name]}, 0
    placed = {name}
    for side, following in ((-1, graph.callers), (1, graph.calls)):
        last = [name]
        for depth in range(1, _DEPTH + 1):
            names = dict.fromkeys(n for key in last for n in following.get(key, ()))
            new = [key for key in names if key not in placed]
            hidden += max(0, len(new) - _MOST)
            last = new[:_MOST]
            placed.update(last)
            columns[side * depth] = last
    nodes = _place(opened, columns, name)
    calls = [
        _arrow(nodes[caller], nodes[called])
        for caller in nodes
        for called in graph.calls.get(caller, ())
        if called in nodes and called != caller
    ]
    width = max(node.x + node.width for node in nodes.values()) + _EDGE
    height = max(node.y for node in nodes.values()) + _HEIGHT + _EDGE
    return CallsPage(name, width, height, list(nodes.values()), calls, hidden)


def _place(opened: Opened, columns: dict[int, list[str]], here: str) -> dict[str, CallBox]:
    """A column for each distance, all in the middle of the picture's height."""
    tallest = max(len(names) for names in columns.values())
    x, nodes = float(_EDGE), {}
    for _, names in sorted(columns.items()):
        if not names:
            continue
        width = max(len(_short(name)) for name in names) * _CHAR + 16
        y = _EDGE + (tallest - len(names)) * (_HEIGHT + _GAP) / 2
        for name in names:
            entry = opened.find(name, "code entry")
            href = "" if entry is None else opened.href(entry)
            nodes[name] = CallBox(name, href, x, y, width, name == here)
            y += _HEIGHT + _GAP
        x += width + _BETWEEN
    return nodes


def _short(name: str) -> str:
    return name if len(name) <= 44 else name[:43] + "…"


def _arrow(caller: CallBox, called: CallBox) -> Call:
    """A curve from the right of one box to the left of another; backwards below both."""
    x1, y1 = caller.x + caller.width, caller.y + _HEIGHT / 2
    x2, y2 = called.x, called.y + _HEIGHT / 2
    bend = max(30.0, abs(x2 - x1) / 2)
    return Call(f"M{x1:g} {y1:g} C{x1 + bend:g} {y1:g} {x2 - bend:g} {y2:g} {x2:g} {y2:g}", x2, y2)
