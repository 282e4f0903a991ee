"""Events of an object, changed on its page: added, overridden, copied, moved and removed."""

from __future__ import annotations

from dataclasses import replace

import msgspec

from overhaul.errors import OverhaulError, WorkspaceError
from overhaul.mods.view import FileView
from overhaul.viewer.answers import Answer, Asked, Crumb, DataPage, Moved
from overhaul.viewer.opened import ListedResource, NotThere
from overhaul.viewer.pages.edit import form_of
from overhaul.viewer.pages.files import href_of
from overhaul.viewer.pages.gamemaker.objects import OBJECT, ObjectPage
from overhaul.viewer.writing import must_write
from overhaul.workbench.events import INHERITED, Events
from overhaul.workbench.resources import Changes


def change_events(asked: Asked) -> Answer:
    """``POST /-/events/objects/obj_player`` with ``do`` (``add``, ``override``, ``copy``, ``move``
    or ``remove``), ``event`` and for copying and moving the other event ``to``."""
    opened = asked.opened
    slug, _, key = asked.rest.partition("/")
    entry = opened.entry(slug, key)
    if asked.method != "POST":
        return Moved(opened.href(entry))
    given = form_of(asked.body)
    do, event, to = (given.get(name, "").strip() for name in ("do", "event", "to"))
    try:
        writer = must_write(opened.writer)
        view = FileView(opened.document) if writer.place else writer.bench.view
        events = Events(view, entry.path)
        changes = _changes(events, do, event, to)
        writer.step(changes, _label(entry.name, do, event, to))
    except OverhaulError as error:
        return _refused(asked, entry, str(error))
    if do in ("add", "override"):  # its code is written next
        path = next(iter(changes))
        code = opened.entry_at(path)
        if code is None or code.slug == slug:
            return Moved(href_of(opened, path))
        return Moved(f"{opened.prefix}/-/edit{opened.own_path(code)}")
    return Moved(f"{opened.href(opened.entry(slug, key))}#events")


def _changes(events: Events, do: str, event: str, to: str) -> Changes:
    if do == "add":
        return events.added(event)
    if do == "override":
        return events.added(event, INHERITED)
    if do == "remove":
        return events.removed(event)
    if do in ("copy", "move"):
        if not to:
            raise WorkspaceError("choose the other event")
        return events.copied(event, to, moves=do == "move")
    raise NotThere("that can't be done with an event")


def _label(name: str, do: str, event: str, to: str) -> str:
    where = f" to {to}" if do in ("copy", "move") else ""
    return f"{do.capitalize()} {event}{where}: {name}"


def _refused(asked: Asked, entry: ListedResource, problem: str) -> DataPage:
    """The page of the object again, with why its events did not change."""
    opened = asked.opened
    shown = OBJECT.show(replace(asked, entry=entry, rest=""))
    if not isinstance(shown, ObjectPage):
        raise WorkspaceError(problem)
    listing = opened.listings[entry.slug]
    crumbs = (Crumb(listing.title, f"{opened.prefix}/{listing.slug}"),)
    data = msgspec.structs.replace(shown, problem=problem)
    return DataPage(OBJECT.template, data, entry.name, crumbs, status=422)
