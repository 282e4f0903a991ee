"""The users of a resource, and unused resources."""

from __future__ import annotations

import msgspec

from overhaul import folder as folders
from overhaul.document.views import HasUnused, UsedView, User
from overhaul.folder.parallel import Workers
from overhaul.viewer.answers import Asked, Crumb, DataPage
from overhaul.viewer.opened import ListedResource, NotThere, Opened
from overhaul.viewer.pages import fileuses, of_family
from overhaul.viewer.pages.generic import way_of

#: lines of each user that are shown
LINES = 8


class Use(msgspec.Struct, frozen=True):
    """Something that uses a resource, with the lines where it does so."""

    kind: str
    name: str
    href: str
    lines: list[Crumb]


class UsesPage(msgspec.Struct, frozen=True):
    """The users of a resource; ``graph`` is the address of the picture of its calls, or empty."""

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
    calls = of_family("CALLS", opened.document)
    graph = "" if calls is None else str(calls(opened, entry))
    data = UsesPage(entry.kind, entry.name, opened.href(entry), uses, graph)
    template = "uses-part.html" if asked.partial else "uses.html"
    return DataPage(template, data, f"Uses of {entry.name}", way_of(opened, entry), "Uses")


def uses_of(opened: Opened, entry: ListedResource) -> list[Use]:
    """The users of a resource of any format, each once."""
    own = of_family("USES", opened.document)
    if own is not None:
        found: list[Use] = own(opened, entry)
        return found
    view = opened.resource(entry)
    if isinstance(view, UsedView):
        return [use_of(opened, user) for user in view.users()]
    if fileuses.knows_uses(opened):
        return [Use(*user) for user in fileuses.users_of(opened, [entry])[entry.key]]
    return _uses_in_files(opened, entry)


def use_of(opened: Opened, user: User) -> Use:
    """A user without lines."""
    kind = "code entry" if user.kind == "code" else user.kind
    entry = opened.find(user.name, kind)
    return Use(kind, user.name, "" if entry is None else opened.href(entry), [])


def _uses_in_files(opened: Opened, entry: ListedResource) -> list[Use]:
    """The uses that :func:`overhaul.folder.uses` finds in plain files."""
    workers = Workers(opened.source, opened.document)
    uses: dict[str, Use] = {}
    name = entry.path if entry.name.isdecimal() else entry.name  # other numbers are not uses
    for match in folders.uses(workers, name):
        user = opened.entry_at(match.path)
        if user is entry:
            continue
        by = match.path if user is None else user.name
        if by not in uses:
            href = "" if user is None else opened.href(user)
            uses[by] = Use("file" if user is None else user.kind, by, href, [])
        if len(uses[by].lines) < LINES:
            uses[by].lines.append(Crumb(match.text.strip()[:200], uses[by].href))
    return list(uses.values())


def show_unused(asked: Asked) -> DataPage:
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
    return DataPage("unused.html", UnusedPage(kinds, len(users)), "Unused resources")
