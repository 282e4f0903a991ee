"""The editable parts of a resource, as links for its page."""

from __future__ import annotations

from overhaul.document.registry import folder_format_of
from overhaul.viewer.answers import Crumb
from overhaul.viewer.opened import ListedResource, Opened
from overhaul.viewer.pages import of_family
from overhaul.viewer.pages.files import TEXTS, href_of
from overhaul.viewer.pages.forms import form_of_entry
from overhaul.viewer.pages.generic import is_fields
from overhaul.viewer.pages.media_edit import has_frames
from overhaul.viewer.pages.painting import masks_of, paint_href
from overhaul.viewer.pages.roomedit import files_of_room
from overhaul.viewer.pages.tables import path_of as table_path
from overhaul.viewer.pages.tables import table_href
from overhaul.viewer.pages.tileedit import has_maps, tiles_href
from overhaul.viewer.pages.whole import whole_href
from overhaul.workbench.file_bench import FileBench

#: texts of a resource that have links
_TEXTS = 12
#: endings of the sources that a page shows as code
_SOURCES = (".gml", ".asc")


def edits_of(opened: Opened, entry: ListedResource | None) -> list[Crumb]:
    """Links to what edits a resource; none where nothing can be edited."""
    if entry is None or opened.writer is None or opened.writer.why:
        return []
    known = folder_format_of(opened.document.kind)
    if known.edited_in_place:
        return _texts_of_project(opened, entry) if known.edits_files else []
    links = []
    if files_of_room(opened, entry):
        links.append(Crumb("Edit on a canvas", f"{opened.prefix}/-/room{opened.own_path(entry)}"))
    if has_maps(opened, entry):
        links.append(Crumb("Paint tiles", tiles_href(opened, entry)))
    if has_frames(opened, entry):
        links.append(Crumb("Edit frames", f"{opened.prefix}/-/frames{opened.own_path(entry)}"))
    if table_path(opened, entry):
        has_canvas = entry.kind in ("gui", "animation curve")
        name = "Edit on a canvas" if has_canvas else "Edit as tables"
        links.append(Crumb(name, table_href(opened, entry)))
    own = of_family("EDITS", opened.document)
    links += [] if own is None else own(opened, entry)
    for mask in masks_of(opened, entry):
        links.append(Crumb(f"Paint {mask.title.lower()}", paint_href(opened, mask.path)))
    form = form_of_entry(opened, entry)
    if form:
        links.append(Crumb("Edit fields", form, here=True))
    events = of_family("ALL_EVENTS", opened.document)
    all_events = "" if events is None else events(opened, entry)
    if all_events:
        links.insert(0, Crumb("Edit all events", all_events))
    has_events = bool(all_events)  # their files have links where they are shown
    files = [] if has_events else opened.files_of(entry)
    for file in sorted(files, key=lambda file: not file.path.endswith(_SOURCES)):
        if file.path.lower().endswith(TEXTS) and not is_fields(entry, file):
            if opened.lists_texts(file.path):
                continue
            name = file.path.removeprefix(f"{entry.path}/").rpartition("/")[2]
            is_source = file.path.endswith(_SOURCES)
            links.append(Crumb(f"Edit {name}", href_of(opened, file.path), source=is_source))
    links = links[:_TEXTS]
    is_whole = opened.sharing(entry) < 2 and "/" in entry.path
    if is_whole and entry.kind != "texture page":  # whose number follows from those before it
        links.append(Crumb("Rename, duplicate, remove", whole_href(opened, entry)))
    return links


def _texts_of_project(opened: Opened, entry: ListedResource) -> list[Crumb]:
    """Links to the texts of a resource of a project in a folder: each is a file of its own."""
    bench = opened.writer.bench if opened.writer is not None else None
    if not (isinstance(bench, FileBench) and bench.saves):
        return []
    found = [file.path for file in opened.files_of(entry) if file.path.lower().endswith(TEXTS)]
    links = [
        Crumb(f"Edit {path.rpartition('/')[2]}", href_of(opened, path), source=len(found) == 1)
        for path in found[:_TEXTS]
    ]
    return [*links, Crumb("Rename, duplicate, remove", whole_href(opened, entry))]
