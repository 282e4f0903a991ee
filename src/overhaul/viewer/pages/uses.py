"""What uses a resource, and what nothing uses."""

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
from overhaul.gamemaker.data.resources.code import Code
from overhaul.gamemaker.data.resources.scripts import Script
from overhaul.viewer.answers import Asked, Crumb, Shown
from overhaul.viewer.opened import Entry, NotThere, Opened
from overhaul.viewer.pages import mentions
from overhaul.viewer.pages.generic import way_of

if TYPE_CHECKING:
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


def show_uses(asked: Asked) -> Shown:
    """``/-/uses/sprites/spr_player``."""
    opened = asked.opened
    slug, _, key = asked.rest.partition("/")
    entry = opened.entry(slug, key)
    uses = opened.remember(
        ("uses", entry.slug, entry.key),
        lambda: uses_of(opened, entry),
        lambda found: 200 + sum(300 + 200 * len(each.lines) for each in found),
    )
    graph = ""
    if code_name(opened, entry):
        graph = f"{opened.prefix}/-/calls/{entry.slug}/{quote(entry.key, safe='')}"
    data = UsesPage(entry.kind, entry.name, opened.href(entry), uses, graph)
    template = "uses-part.html" if asked.partial else "uses.html"
    return Shown(template, data, f"Uses of {entry.name}", way_of(opened, entry))


def code_name(opened: Opened, entry: Entry) -> str:
    """The root code entry of a script or code entry; empty for what has none."""
    view = opened.resource(entry)
    if isinstance(view, Code):
        return view.name
    if not isinstance(view, Script):
        return ""
    reference = view.record.code.entry
    code = reference.target if isinstance(reference, Reference) else None
    return "" if code is None else str(code.name if code.root is None else code.root.name)


def uses_of(opened: Opened, entry: Entry) -> list[Use]:
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
        return [_use(opened, user, entry.name, n) for n, user in enumerate(view.users())]
    return [] if isinstance(document, GameData) else _uses_in_files(opened, entry)


def _use(opened: Opened, user: User, name: str, number: int) -> Use:
    if user.kind == "code" and number < _ENTRIES:
        return _code_use(opened, user.name, name)
    kind = "code entry" if user.kind == "code" else user.kind
    found = opened.find(user.name, kind)
    return Use(kind, user.name, "" if found is None else opened.href(found), [])


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
    found = []
    for code in code_with_text(game, text):
        entry = opened.find(str(code.name), "code entry")
        found.append(Use("code entry", str(code.name), opened.href(entry) if entry else "", []))
    return found


def _uses_in_files(opened: Opened, entry: Entry) -> list[Use]:
    """The uses that :func:`overhaul.folder.uses` finds in plain files."""
    workers = Workers(opened.source, opened.document)
    found: dict[str, Use] = {}
    for match in folders.uses(workers, entry.name):
        user = opened.entry_at(match.path)
        if user is entry:
            continue
        name = match.path if user is None else user.name
        if name not in found:
            href = "" if user is None else opened.href(user)
            found[name] = Use("file" if user is None else user.kind, name, href, [])
        if len(found[name].lines) < _LINES:
            found[name].lines.append(Crumb(match.text.strip()[:200], found[name].href))
    return list(found.values())


def graph_of(opened: Opened) -> CallGraph:
    """The calls between the code entries of a game; kept."""
    game = cast("GameData", opened.document)
    return opened.remember(
        "call graph",
        lambda: call_graph(game),
        lambda graph: 1000 + sum(100 * len(each) for each in graph.calls.values()),
    )


def show_unused(asked: Asked) -> Shown:
    """``/-/unused``: the resources that nothing seems to use."""
    opened = asked.opened
    document: object = opened.document
    if not isinstance(document, HasUnused):
        raise NotThere("what nothing uses is known of GameMaker games (data.win) only")
    users = opened.remember("unused", lambda: document.unused(), lambda users: 200 * len(users))
    kinds: dict[str, list[Crumb]] = {}
    for user in users:
        entry = opened.find(user.name, user.kind)
        link = Crumb(user.name, "" if entry is None else opened.href(entry))
        kinds.setdefault(user.kind, []).append(link)
    return Shown("unused.html", UnusedPage(kinds, len(users)), "Unused resources")
