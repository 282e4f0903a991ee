"""The calls around a function, as a picture."""

from __future__ import annotations

import msgspec

from overhaul.viewer.answers import Asked, Shown
from overhaul.viewer.opened import NotThere, Opened
from overhaul.viewer.pages.generic import way_of
from overhaul.viewer.pages.uses import code_name, graph_of

#: how far from the function, and how many entries at each distance
_DEPTH = 2
_MOST = 14
#: sizes in pixels
_CHAR, _HEIGHT, _GAP, _BETWEEN, _EDGE = 7.3, 24, 10, 90, 16


class Node(msgspec.Struct, frozen=True):
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
    nodes: list[Node]
    calls: list[Call]
    hidden: int


def show_calls(asked: Asked) -> Shown:
    """``/-/calls/code/gml_Script_scr_move``."""
    opened = asked.opened
    slug, _, key = asked.rest.partition("/")
    entry = opened.entry(slug, key)
    name = code_name(opened, entry)
    if not name:
        raise NotThere(f"{entry.name} has no code")
    return Shown("calls.html", _picture(opened, name), f"Calls of {name}", way_of(opened, entry))


def _picture(opened: Opened, name: str) -> CallsPage:
    graph = graph_of(opened)
    columns, hidden = {0: [name]}, 0
    placed = {name}
    for side, following in ((-1, graph.callers), (1, graph.calls)):
        last = [name]
        for depth in range(1, _DEPTH + 1):
            found = dict.fromkeys(n for each in last for n in following.get(each, ()))
            new = [each for each in found if each not in placed]
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


def _place(opened: Opened, columns: dict[int, list[str]], here: str) -> dict[str, Node]:
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
            nodes[name] = Node(name, href, x, y, width, name == here)
            y += _HEIGHT + _GAP
        x += width + _BETWEEN
    return nodes


def _short(name: str) -> str:
    return name if len(name) <= 44 else name[:43] + "…"


def _arrow(caller: Node, called: Node) -> Call:
    """A curve from the right of one box to the left of another; backwards below both."""
    x1, y1 = caller.x + caller.width, caller.y + _HEIGHT / 2
    x2, y2 = called.x, called.y + _HEIGHT / 2
    bend = max(30.0, abs(x2 - x1) / 2)
    return Call(f"M{x1:g} {y1:g} C{x1 + bend:g} {y1:g} {x2 - bend:g} {y2:g} {x2:g} {y2:g}", x2, y2)
