"""The moments of a timeline as a table: moved, added and removed, each button a step."""

from __future__ import annotations

import msgspec

from overhaul.errors import OverhaulError
from overhaul.mods.view import FileView
from overhaul.viewer.answers import Answer, Asked, Crumb, DataPage, Moved
from overhaul.viewer.opened import ListedResource, NotThere, Opened
from overhaul.viewer.pages.edit import form_of
from overhaul.viewer.pages.files import href_of
from overhaul.viewer.pages.generic import way_of
from overhaul.viewer.writing import must_write
from overhaul.workbench import resources, timelines
from overhaul.workbench.bench import StaleEdit
from overhaul.workbench.forms import Mistyped
from overhaul.workbench.journal import digest_of


class MomentShown(msgspec.Struct, frozen=True):
    """A moment: its step, and where its code is edited, or ""."""

    step: int
    code: str


class MomentsPage(msgspec.Struct, frozen=True):
    """The moments of a timeline; ``next`` is proposed for a new one, ``wrong`` is the field that
    could not be taken, ``sent`` what was typed."""

    name: str
    moments: list[MomentShown]
    next: int
    before: str
    why: str
    problem: str = ""
    wrong: str = ""
    sent: dict[str, str] = {}


def show_moments(asked: Asked) -> Answer:
    """``/-/moments/timelines/tm_dusk``; a POST (``step:0``, ``do``, ``before``) is a step."""
    opened = asked.opened
    slug, _, key = asked.rest.partition("/")
    entry = opened.entry(slug, key)
    if not has_moments(opened, entry):
        raise NotThere(f"the moments of {entry.name} can't be edited here")
    view = _view(opened)
    unit = resources.unit_of(view, entry.path)
    if asked.method != "POST":
        return _shown(opened, entry, view, unit)
    given = form_of(asked.body)
    try:
        writer = must_write(opened.writer)
        if given.get("before") != _digest(view, unit):
            raise StaleEdit(unit)
        changes = timelines.edited(view, unit, given)
        did = {"add": "Add to", "remove": "Remove from"}.get(given.get("do", "").partition(":")[0])
        writer.step(changes, f"{did or 'Move moments of'} {entry.name}")
    except StaleEdit:
        raise
    except OverhaulError as error:
        return _shown(opened, entry, view, unit, error, given)
    return Moved(moments_href(opened, entry))


def moments_href(opened: Opened, entry: ListedResource) -> str:
    """Where the moments of a timeline are edited."""
    return f"{opened.prefix}/-/moments{opened.own_path(entry)}"


def has_moments(opened: Opened, entry: ListedResource) -> bool:
    """Whether a resource is a timeline whose moments can be edited."""
    if entry.kind != "timeline" or opened.writer is None:
        return False
    view = _view(opened)
    return timelines.has_moments(view, resources.unit_of(view, entry.path))


def edits_of(opened: Opened, entry: ListedResource) -> list[Crumb]:
    """The link to where the moments of a timeline are edited."""
    known = has_moments(opened, entry)
    return [Crumb("Edit moments", moments_href(opened, entry))] if known else []


def _view(opened: Opened) -> FileView:
    assert opened.writer is not None
    return FileView(opened.document) if opened.writer.place else opened.writer.bench.view


def _digest(view: FileView, unit: str) -> str:
    """The digest of what the form shows."""
    return digest_of(msgspec.json.encode(timelines.moments_in(view, unit)))


def _shown(
    opened: Opened,
    entry: ListedResource,
    view: FileView,
    unit: str,
    error: OverhaulError | None = None,
    sent: dict[str, str] | None = None,
) -> DataPage:
    assert opened.writer is not None
    moments = timelines.moments_in(view, unit)
    page = MomentsPage(
        entry.name,
        [MomentShown(moment.step, _code(opened, moment.code)) for moment in moments],
        max((moment.step for moment in moments), default=-10) + 10,
        _digest(view, unit),
        opened.writer.why,
        "" if error is None else str(error),
        error.pointer if isinstance(error, Mistyped) else "",
        sent or {},
    )
    way = way_of(opened, entry)
    status = 200 if error is None else 422
    return DataPage("moments.html", page, f"Moments of {entry.name}", way, "Moments", status)


def _code(opened: Opened, path: str) -> str:
    """Where the code of a moment is edited."""
    if not path:
        return ""
    name = path.rpartition("/")[2].removesuffix(".gml")
    entry = opened.find(name, "code") if path.startswith("code/") else None
    if entry is not None:
        return f"{opened.prefix}/-/edit{opened.own_path(entry)}"
    return href_of(opened, path)
