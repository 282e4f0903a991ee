"""What uses a resource, what nothing uses, and the picture of calls between code."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast
from urllib.parse import quote

import msgspec

from overhaul import folder as folders
from overhaul.document.views import HasUnused, UsedView
from overhaul.folder.parallel import Workers
from overhaul.gamemaker.classic.documents.games import GameDocument
from overhaul.gamemaker.data.code.mentions import CallGraph, call_graph, code_with_text
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.references import Reference
from overhaul.gamemaker.data.resources.code import Code, Script
from overhaul.viewer.answers import Asked, Crumb, DataPage
from overhaul.viewer.opened import ListedResource, NotThere, Opened
from overhaul.viewer.pages import fileuses, mentions
from overhaul.viewer.pages.generic import way_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from overhaul.document.views import User

#: code entries whose lines are shown, and lines of each
_ENTRIES = 40
_LINES = 8


class Use(msgspec.Struct, frozen=True):
    """Something that uses a resource, with the lines where it does so."""

    kind: str
    name: str
    href: str
    lines: list[Crumb]


class UsesPage(msgspec.Struct, frozen=True):
    """What uses a resource; ``graph`` is the address of the picture of its calls, or empty."""

    kind: str
    name: str
    href: str
    uses: list[Use]
    graph: str = ""


class UnusedPage(msgspec.Struct, frozen=True):
    """The resources that nothing seems to use, by kind."""

    kinds: dict[str, list[Crumb]]
    count: int


def show_uses(asked: Asked) -> DataPage:
    """``/-/uses/sprites/spr_player``."""
    opened = asked.opened
    slug, _, key = asked.rest.partition("/")
    entry = opened.entry(slug, key)
    uses = opened.remember(
        ("uses", entry.slug, entry.key),
        lambda: uses_of(opened, entry),
        lambda found: 200 + sum(300 + 200 * len(group.lines) for group in found),
    )
    graph = ""
    if code_name(opened, entry):
        graph = f"{opened.prefix}/-/calls/{entry.slug}/{quote(entry.key, safe='')}"
    data = UsesPage(entry.kind, entry.name, opened.href(entry), uses, graph)
    template = "uses-part.html" if asked.partial else "uses.html"
    return DataPage(template, data, f"Uses of {entry.name}", way_of(opened, entry))


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


def uses_of(opened: Opened, entry: ListedResource) -> list[Use]:
    """What uses a resource of any format, each once."""
    document: object = opened.document
    if isinstance(document, GameDocument):
        users = mentions.users_of(opened, entry)
        return [Use(user.kind, user.name, opened.href(user), lines) for user, lines in users]
    if isinstance(document, GameData) and entry.kind == "string":
        return _uses_of_text(opened, document, entry.name)
    view = opened.resource(entry)
    if isinstance(view, Code):
        callers = graph_of(opened).callers.get(entry.name, ())
        return [_code_use(opened, name, entry.name) for name in callers if name != entry.name]
    if isinstance(view, UsedView):
        found = view.users()
        _keep_names(document)
        return [_use(opened, user, entry.name, n) for n, user in enumerate(found)]
    if fileuses.knows_uses(opened):
        return [Use(*user) for user in fileuses.users_of(opened, [entry])[entry.key]]
    return [] if isinstance(document, GameData) else _uses_in_files(opened, entry)


def _use(opened: Opened, user: User, name: str, number: int) -> Use:
    if user.kind == "code" and number < _ENTRIES:
        return _code_use(opened, user.name, name)
    kind = "code entry" if user.kind == "code" else user.kind
    entry = opened.find(user.name, kind)
    return Use(kind, user.name, "" if entry is None else opened.href(entry), [])


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
    ][:_LINES]


def _uses_of_text(opened: Opened, game: GameData, text: str) -> list[Use]:
    uses = []
    for code in code_with_text(game, text):
        entry = opened.find(str(code.name), "code entry")
        uses.append(Use("code entry", str(code.name), opened.href(entry) if entry else "", []))
    return uses


def _uses_in_files(opened: Opened, entry: ListedResource) -> list[Use]:
    """The uses that :func:`overhaul.folder.uses` finds in plain files."""
    workers = Workers(opened.source, opened.document)
    uses: dict[str, Use] = {}
    for match in folders.uses(workers, entry.name):
        user = opened.entry_at(match.path)
        if user is entry:
            continue
        name = match.path if user is None else user.name
        if name not in uses:
            href = "" if user is None else opened.href(user)
            uses[name] = Use("file" if user is None else user.kind, name, href, [])
        if len(uses[name].lines) < _LINES:
            uses[name].lines.append(Crumb(match.text.strip()[:200], uses[name].href))
    return list(uses.values())


def graph_of(opened: Opened) -> CallGraph:
    """The calls between the code entries of a game; kept."""
    game = cast("GameData", opened.document)
    return opened.remember(
        "call graph",
        lambda: call_graph(game),
        lambda graph: 1000 + sum(100 * len(call) for call in graph.calls.values()),
    )


def show_unused(asked: Asked) -> DataPage:
    """``/-/unused``: the resources that nothing seems to use."""
    opened = asked.opened
    document: object = opened.document
    if not isinstance(document, HasUnused):
        raise NotThere("what nothing uses is known of GameMaker games (data.win) only")
    users = opened.remember("unused", lambda: _unused(document), lambda users: 200 * len(users))
    kinds: dict[str, list[Crumb]] = {}
    for user in users:
        entry = opened.find(user.name, user.kind)
        link = Crumb(user.name, "" if entry is None else opened.href(entry))
        kinds.setdefault(user.kind, []).append(link)
    return DataPage("unused.html", UnusedPage(kinds, len(users)), "Unused resources")


def _unused(document: HasUnused) -> Sequence[User]:
    users = document.unused()
    _keep_names(document)
    return users


def _keep_names(document: object) -> None:
    """Keep the names that were found in code, for the game as the next step leaves it."""
    if isinstance(document, GameData):
        document.language.save_remembered()


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
    return DataPage("calls.html", _picture(opened, name), f"Calls of {name}", way_of(opened, entry))


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
