"""The page that every kind of resource has unless it has one of its own.

It shows the plain files that unpacking would write for the resource: JSON as fields, with links
where a value names a resource, texts, pictures and sounds.
"""

from __future__ import annotations

import mimetypes
from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec

from overhaul.document.plainfiles import PlainFile
from overhaul.document.views import FieldsView, ScriptedView
from overhaul.errors import OverhaulError
from overhaul.folder import read_json
from overhaul.viewer.answers import Asked, Crumb, DataPage, Media, Page
from overhaul.viewer.matching import rows_of
from overhaul.viewer.opened import PICTURES, SOUNDS, TEXTS, NotThere, anchor_of, stem_of
from overhaul.viewer.pages.page_parts import Fact, facts, function_link
from overhaul.viewer.thumbnails import nothing

if TYPE_CHECKING:
    from overhaul.viewer.opened import ListedResource, Opened

#: fields that a page shows elsewhere, or only among all fields
_ELSEWHERE = (
    "name", "script_name", "events", "handlers", "event_handlers", "interaction", "conditions",
)  # fmt: skip
#: files of a resource that the page shows; the others are in its JSON
_FILES = 60
#: rows of a table on a page
ROWS = 1000
#: types a browser shows itself, and nothing in them is run
_TYPES = {".png": "image/png", ".json": "application/json", ".wav": "audio/wav"}


class FileShown(msgspec.Struct, frozen=True):
    """A plain file: ``type`` is ``text``, ``table``, ``picture``, ``sound`` or ``other``.

    A table has ``columns`` and ``rows``; ``first`` is the number of the first given row, and
    ``count`` the number of all.
    """

    path: str
    type: str
    href: str
    text: str = ""
    anchor: str = ""
    columns: list[str] = []
    rows: list[list[str]] = []
    first: int = 0
    count: int = 0


class ResourcePage(msgspec.Struct, frozen=True):
    """A resource by its plain files; ``fields`` is what the JSON of the resource says.

    ``inside`` is the address of a member of a package that can be opened itself; ``record`` that
    of the fields, where the page does not show them (see :func:`base`).  ``facts`` are attributes
    in words, ``notes`` what is missing or can't be shown, ``functions`` those of scripts that its
    events run, ``script_name`` what these call it.
    """

    kind: str
    name: str
    path: str
    size: int | None
    fields: object
    files: list[FileShown]
    more: int
    inside: str
    record: str
    facts: list[Fact]
    notes: list[str]
    functions: list[Crumb]
    script_name: str


class RecordPage(msgspec.Struct, frozen=True):
    """The JSON of a resource; None where it has none."""

    kind: str
    name: str
    fields: object


def show(asked: Asked) -> ResourcePage:
    """The page of any resource."""
    return _page(asked, with_fields=True)


def base(asked: Asked, *without: str) -> ResourcePage:
    """The parts of the generic page that a page of its own has: its files but those of some
    types (``picture``), its fields only in its JSON. The page shows them when it is asked to."""
    page = _page(asked, with_fields=asked.json)
    files = [file for file in page.files if file.type not in without]
    view = asked.view
    if isinstance(view, FieldsView):
        return msgspec.structs.replace(page, files=[], record="", fields=details(view.fields))
    return msgspec.structs.replace(page, files=files)


def _page(asked: Asked, *, with_fields: bool) -> ResourcePage:
    opened, entry, view = asked.opened, asked.resource, asked.view
    files = opened.files_of(entry)
    scripted = view if isinstance(view, ScriptedView) else None
    return ResourcePage(
        kind=entry.kind,
        name=entry.name,
        path=entry.path,
        size=entry.size,
        fields=fields_of(opened, entry, files) if with_fields else None,
        files=[_shown(asked, entry, f) for f in files[:_FILES] if not is_fields(entry, f)],
        more=max(0, len(files) - _FILES),
        inside=f"{opened.inside.prefix(entry.name)}/" if opened.inside.can_open(entry.name) else "",
        record="" if with_fields else f"{opened.prefix}/-/record{opened.own_path(entry)}",
        facts=[] if view is None else facts(opened, view, view.facts),
        notes=[] if view is None else list(view.notes),
        functions=[]
        if scripted is None
        else [function_link(opened, name) for name in scripted.functions],
        script_name="" if scripted is None else scripted.script_name,
    )


def details(fields: Mapping[str, object], *without: str) -> dict[str, object]:
    """The fields of a resource that its page does not show elsewhere."""
    return {
        key: value for key, value in fields.items() if key not in _ELSEWHERE and key not in without
    }


def show_record(asked: Asked) -> DataPage:
    """``/-/record/sprites/spr_player``: the fields of a resource, as its JSON has them."""
    opened = asked.opened
    slug, _, key = asked.rest.partition("/")
    entry = opened.entry(slug, key)
    data = RecordPage(entry.kind, entry.name, fields_of(opened, entry, opened.files_of(entry)))
    return DataPage("record.html", data, "Record", way_of(opened, entry))


def way_of(opened: Opened, entry: ListedResource) -> tuple[Crumb, ...]:
    """The way to the page of a resource."""
    listing = opened.listings[entry.slug]
    return (
        Crumb(listing.title, f"{opened.prefix}/{listing.slug}"),
        Crumb(entry.name, opened.href(entry)),
    )


def fields_of(opened: Opened, entry: ListedResource, files: list[PlainFile]) -> object:
    """The JSON of a resource: its part of it, where one file lists all of a kind."""
    main = next((file for file in files if is_fields(entry, file)), None)
    if main is None:
        return None
    value = read_json(main.read(), main.path)
    sharing = opened.sharing(entry)
    return value if sharing < 2 and entry.path == main.path else _part(value, entry, sharing)


def _part(value: object, entry: ListedResource, sharing: int) -> object:
    """The part of a file that is about one of the resources it lists."""
    if isinstance(value, dict):
        if entry.name in value:
            return value[entry.name]
        lists = [item for item in value.values() if isinstance(item, list | dict)]
        if sharing > 1 and len(lists) == 1:
            return _part(lists[0], entry, sharing)
    if isinstance(value, list) and sharing > 1 and len(value) == sharing:
        return value[entry.position]
    return value


def is_fields(entry: ListedResource, file: PlainFile) -> bool:
    """Whether a file is the JSON of the resource itself, not of a part of it."""
    if not file.path.endswith(".json"):
        return False
    if file.path in (entry.path, f"{entry.path}.json", f"{stem_of(entry.path)}.json"):
        return True
    return file.path.startswith(f"{entry.path}/") and "/" not in file.path[len(entry.path) + 1 :]


def _shown(asked: Asked, entry: ListedResource, file: PlainFile) -> FileShown:
    opened = asked.opened
    ending = _ending(file.path)
    href = opened.href(entry, "files", file.path)
    if ending in PICTURES:
        return FileShown(file.path, "picture", href)
    if ending in SOUNDS:
        return FileShown(file.path, "sound", href)
    if opened.lists_texts(file.path):
        columns, rows = rows_of(text_of(file))
        first, end = 0, len(rows)
        if not asked.json:
            first = max(0, min(asked.number("row"), len(rows) - 1)) // ROWS * ROWS
            end = first + ROWS
        shown = rows[first:end]
        return FileShown(
            file.path, "table", href, columns=columns, rows=shown, first=first, count=len(rows)
        )
    if ending in TEXTS or ending == ".json":
        return FileShown(file.path, "text", href, text_of(file), anchor_of(entry, file.path))
    return FileShown(file.path, "other", href)


def text_of(file: PlainFile) -> str:
    """The text of a plain file; where it can't be made, the reason."""
    try:
        return file.read().decode("utf-8", "replace")
    except OverhaulError as error:
        return f"// {error}"


def _ending(path: str) -> str:
    name = path.rpartition("/")[2]
    return name[name.rfind(".") :].lower() if "." in name else ""


def file_part(asked: Asked) -> Media:
    """``files/PATH``: the bytes of a plain file of the resource."""
    path = asked.rest.partition("/")[2]
    for file in asked.opened.files_of(asked.resource):
        if file.path == path:
            return media_of(file.path, file.read())
    raise NotThere(f"{asked.resource.name} has no file {path!r}")


def media_of(path: str, data: bytes) -> Media:
    """The bytes of a file as a browser shows them; what it could run is a download."""
    ending = _ending(path)
    known = _TYPES.get(ending) or mimetypes.guess_type(f"x{ending}")[0] or ""
    if ending in TEXTS:
        return Media(data, "text/plain; charset=utf-8")
    if ending in PICTURES or ending in SOUNDS or ending == ".json":
        return Media(data, known or "application/octet-stream")
    return Media(data, "application/octet-stream", name=path.rpartition("/")[2])


def thumbnail(asked: Asked) -> Media:
    """``thumbnail.png``: the first picture of the resource; one that shows nothing without any."""
    opened, entry = asked.opened, asked.resource
    for file in opened.files_of(entry):
        if file.path.endswith(".png"):
            return Media(file.read(), "image/png")
    return Media(nothing(), "image/png")


GENERIC = Page(show, "resource.html", {"files": file_part})
THUMBNAILED = Page(
    show, "resource.html", {"files": file_part, "thumbnail.png": thumbnail}, thumbnails=True
)
