"""Loops of views, tracks of sequences, controls of GUIs and points of animation curves as tables:
each button is a step.

Above the controls of a GUI is its picture, on which they are moved and resized; above the points of
a curve is the curve, on which they are dragged.
"""

from __future__ import annotations

import msgspec

from overhaul.document.views import LoopsView
from overhaul.errors import OverhaulError
from overhaul.folder.json_fields import read_json
from overhaul.viewer.answers import Answer, Asked, DataPage, Moved
from overhaul.viewer.opened import ListedResource, NotThere, Opened
from overhaul.viewer.pages.conflicts import both_edits
from overhaul.viewer.pages.edit import form_of
from overhaul.viewer.pages.generic import is_fields, way_of
from overhaul.viewer.writing import must_write
from overhaul.workbench import tables
from overhaul.workbench.bench import StaleEdit
from overhaul.workbench.forms import Mistyped, written_as
from overhaul.workbench.journal import digest_of

_KINDS = ("view", "sequence", "gui", "animation curve")
_LARGEST = 8192
_DID = {"add": "Add to", "duplicate": "Duplicate in", "remove": "Remove from"}


class Stage(msgspec.Struct, frozen=True):
    """A picture, and its size in pixels."""

    href: str
    width: int
    height: int


class TablesPage(msgspec.Struct, frozen=True):
    """The tables of a file.  ``pictures`` are those of rows, by their pointers; ``more`` is where
    a table can be added; ``wrong`` the pointer to what could not be taken, with what was typed in
    ``sent``.  ``stage`` is the picture of a GUI with its size; ``curve``: the points are also
    dragged on a picture."""

    name: str
    path: str
    tables: list[tables.ElementTable]
    pictures: dict[str, str]
    more: str
    before: str
    why: str
    problem: str = ""
    wrong: str = ""
    sent: dict[str, str] = {}
    stage: Stage | None = None
    curve: bool = False


def show_tables(asked: Asked) -> Answer:
    """``/-/table/views/vEgo``; a POST (cells, ``do``, ``before``) is a step."""
    opened = asked.opened
    slug, _, key = asked.rest.partition("/")
    entry = opened.entry(slug, key)
    path = path_of(opened, entry)
    if not path or opened.writer is None:
        raise NotThere(f"the tables of {entry.name} can't be edited here")
    data = opened.writer.read(path)
    if asked.method != "POST":
        return _shown(opened, entry, path, data)
    given = form_of(asked.body)
    try:
        writer = must_write(opened.writer)
        value = both_edits(writer, path, data, given, lambda old: tables.edited(old, given))
        made = written_as(value, data)
        do = given.get("do", "").partition(":")[0]
        writer.step({path: made}, f"{_DID.get(do, 'Edit')} {entry.name}")
    except StaleEdit:
        raise
    except OverhaulError as error:
        return _shown(opened, entry, path, data, error, given)
    return Moved(table_href(opened, entry))


def table_href(opened: Opened, entry: ListedResource) -> str:
    """Where the tables of a resource are edited."""
    return f"{opened.prefix}/-/table{opened.own_path(entry)}"


def path_of(opened: Opened, entry: ListedResource) -> str:
    """The file of a resource that has tables; "" for another resource."""
    if entry.kind not in _KINDS:
        return ""
    file = next((file for file in opened.files_of(entry) if is_fields(entry, file)), None)
    if file is None or opened.sharing(entry) > 1:
        return ""
    return file.path if tables.tables_of(read_json(file.read(), file.path)) else ""


def _shown(
    opened: Opened,
    entry: ListedResource,
    path: str,
    data: bytes,
    error: OverhaulError | None = None,
    sent: dict[str, str] | None = None,
) -> DataPage:
    assert opened.writer is not None
    value = read_json(data, path)
    shown = tables.tables_of(value)
    page = TablesPage(
        entry.name,
        path,
        shown,
        _pictures(opened, entry),
        tables.outer_list(value),
        digest_of(data),
        opened.writer.why,
        "" if error is None else str(error),
        error.pointer if isinstance(error, Mistyped) else "",
        sent or {},
        _stage(opened, entry, value),
        entry.kind == "animation curve",
    )
    way = way_of(opened, entry)
    status = 200 if error is None else 422
    return DataPage("table-edit.html", page, f"Edit {entry.name}", way, "Table", status)


def _pictures(opened: Opened, entry: ListedResource) -> dict[str, str]:
    """The pictures of a view's frames, by the pointers to these."""
    view = opened.resource(entry) if entry.kind == "view" else None
    if not isinstance(view, LoopsView):
        return {}
    return {
        f"/Loops/{loop.number}/Frames/{frame.number}": opened.href(
            entry, "frames", str(loop.number), f"{frame.number}.png"
        )
        for loop in view.loops
        for frame in loop.frames
        if frame.has_picture
    }


def _stage(opened: Opened, entry: ListedResource, value: object) -> Stage | None:
    if entry.kind != "gui" or not isinstance(value, dict):
        return None
    width, height = value.get("Width"), value.get("Height")
    if not isinstance(width, int) or not isinstance(height, int):
        return None
    drawn = opened.resource(entry) is not None  # in a project of an editor there is no picture
    href = opened.href(entry, "picture.png") if drawn else ""
    return Stage(href, min(max(width, 1), _LARGEST), min(max(height, 1), _LARGEST))
