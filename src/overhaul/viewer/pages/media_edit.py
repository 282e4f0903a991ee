"""Pictures, sounds and letters edited: frames of sprites, dropped files, masks painted."""

from __future__ import annotations

import re
from typing import cast

import msgspec

from overhaul.document.names import escape_name
from overhaul.document.views import FontView, HasResources, SpriteView
from overhaul.errors import FormatError, OverhaulError, WorkspaceError
from overhaul.folder.json_fields import read_json
from overhaul.mods.view import FileView
from overhaul.viewer.answers import Answer, Asked, DataPage, Moved
from overhaul.viewer.opened import SOUNDS, ListedResource, NotThere, Opened
from overhaul.viewer.pages.edit import form_of
from overhaul.viewer.pages.forms import form_href
from overhaul.viewer.pages.generic import is_fields, way_of
from overhaul.viewer.pages.steps import page_of_file
from overhaul.viewer.writing import Writer, must_write
from overhaul.workbench import pictures, resources
from overhaul.workbench.journal import digest_of

#: fields of a sprite that the mouse sets: of its origin, and of its box
_ORIGIN = ("origin_x", "origin_y")
_BOX = ("margin_left", "margin_top", "margin_right", "margin_bottom")
_ENDING = re.compile(r"\.[A-Za-z0-9]{1,5}\Z")


class FramesPage(msgspec.Struct, frozen=True):
    """The frames of a sprite, and the fields that the mouse sets, by pointer; ``form`` is where
    these go."""

    name: str
    width: int
    height: int
    frames: list[str]
    origin: dict[str, int]
    box: dict[str, int]
    form: str
    before: str
    digests: dict[str, str]
    why: str
    problem: str = ""


class Taken(msgspec.Struct, frozen=True):
    """The answer to a file that was sent: where what it changed is shown."""

    href: str


def show_frames(asked: Asked) -> Answer:
    """``/-/frames/sprites/spr_player``; a POST with ``order`` puts frames in order, one with
    ``?do=add`` or ``?do=replace`` and ``&name=FILE`` takes the body as a file."""
    opened = asked.opened
    slug, _, key = asked.rest.partition("/")
    entry = opened.entry(slug, key)
    sprite = opened.resource(entry)
    if opened.writer is None or not isinstance(sprite, SpriteView):
        raise NotThere(f"the frames of {entry.name} can't be edited here")
    writer = opened.writer
    view = _view(opened, writer)
    unit = resources.unit_of(view, entry.path)
    if not pictures.frames_in(view, unit):
        raise NotThere(f"the frames of {entry.name} can't be edited here")
    if asked.method != "POST":
        return _frames(opened, entry, sprite, view, unit)
    do, name = asked.query.get("do", ""), asked.query.get("name", "")[-200:]
    try:
        if do in ("add", "replace"):
            changes = pictures.dropped(view, unit, name, asked.body, replace=do == "replace")
            label = f"{do.capitalize()} frames of {entry.name}: {name}"
        else:
            order = form_of(asked.body).get("order", "")
            frames = pictures.frames_in(view, unit)
            changes = pictures.arranged(view, unit, pictures.order_of(order, len(frames)))
            label = f"Arrange frames of {entry.name}: {order[:80]}"
        must_write(writer).step(changes, label)
    except OverhaulError as error:
        return _frames(opened, entry, sprite, view, unit, str(error))
    return Moved(f"{opened.prefix}/-/frames{opened.own_path(entry)}")


def _view(opened: Opened, writer: Writer) -> FileView:
    return FileView(opened.document) if writer.place else writer.bench.view


def _frames(
    opened: Opened,
    entry: ListedResource,
    sprite: SpriteView,
    view: FileView,
    unit: str,
    problem: str = "",
) -> DataPage:
    main = next((file for file in opened.files_of(entry) if is_fields(entry, file)), None)
    data = b"{}" if main is None else main.read()
    value = read_json(data, "" if main is None else main.path)
    fields = cast("dict[str, object]", value) if isinstance(value, dict) else {}
    count = len(pictures.frames_in(view, unit))
    writer = opened.writer
    page = FramesPage(
        entry.name,
        sprite.width,
        sprite.height,
        [opened.href(entry, "frames", f"{number}.png") for number in range(count)],
        _numbers(fields, _ORIGIN),
        _numbers(fields, _BOX),
        "" if main is None else form_href(opened, main.path),
        digest_of(data),
        {},
        "" if writer is None else writer.why,
        problem,
    )
    way = way_of(opened, entry)
    status = 422 if problem else 200
    return DataPage("frames.html", page, f"Frames of {entry.name}", way, "Frames", status)


def _numbers(fields: dict[str, object], names: tuple[str, ...]) -> dict[str, int]:
    """The fields of these names, if all are there."""
    values = {name: fields.get(name) for name in names}
    if not all(isinstance(value, int) for value in values.values()):
        return {}
    return {name: cast("int", value) for name, value in values.items()}


def has_frames(opened: Opened, entry: ListedResource) -> bool:
    """Whether the frames of a resource are files that can be put in order."""
    if opened.writer is None or not isinstance(opened.resource(entry), SpriteView):
        return False
    return f"{entry.path}/0.png" in opened.files


# ----------------------------------------------------------------------------- sounds and letters


def add_sound(asked: Asked) -> Answer:
    """``POST /-/sound?name=snd_new&file=FILE``: the body is a new sound."""
    if asked.method != "POST":
        raise NotThere("this address only takes POST")
    opened = asked.opened
    writer = must_write(opened.writer)
    ending = _ENDING.search(asked.query.get("file", ""))
    if ending is None or ending[0].lower() not in SOUNDS:
        raise WorkspaceError(f"a sound is a file that ends in {', '.join(SOUNDS)}")
    stem = escape_name(resources.checked_name(asked.query.get("name", "")))
    path = f"sounds/{stem}{ending[0].lower()}"
    taken = {f"sounds/{stem}{each}" for each in (*SOUNDS, ".json")}
    if any(writer.has(each) for each in taken):
        raise WorkspaceError(f"there is a sound {stem} already")
    writer.step({path: asked.body}, f"Add sound {stem}")
    return Moved(page_of_file(opened.root, writer.place + path))


def set_typeface(asked: Asked) -> Answer:
    """``POST /-/typeface/fonts/fnt_main?size=POINTS&chars=TEXT``: the letters of a font are
    drawn again with the TrueType or OpenType file of the body; ``chars`` are added to the
    existing ones."""
    opened = asked.opened
    slug, _, key = asked.rest.partition("/")
    entry = opened.entry(slug, key)
    if asked.method != "POST" or not isinstance(opened.resource(entry), FontView):
        raise NotThere(f"the letters of {entry.name} can't be drawn again here")
    writer = must_write(opened.writer)
    if writer.place:
        raise WorkspaceError("a font inside another file can't be drawn again here")
    with writer.bench.opening()() as document:
        source: object = document
        font = (
            source.resource_at(entry.kind, entry.position, entry.name)
            if isinstance(source, HasResources)
            else None
        )
        if not isinstance(font, FontView):
            raise NotThere(f"there is no font {entry.name}")
        try:
            text = asked.query.get("chars", "")[:4000]
            font.rebuild(asked.body, _size(asked.query.get("size", "")), [*font.glyphs, text])
        except FormatError:
            raise
        except ValueError as error:
            raise WorkspaceError(str(error)) from error
        made = FileView(document)
        old = _view(opened, writer)
        changes: resources.Changes = {
            path: made.read(path)
            for path in made.files
            if path.startswith(f"{entry.path}/") or path == entry.path
            if path not in old or made.read(path) != old.read(path)
        }
    writer.step(changes, f"Draw {entry.name} again")
    return Moved(opened.href(entry))


def _size(text: str) -> float | None:
    """A size in points; None for the font's own.  Raises WorkspaceError."""
    if not text.strip():
        return None
    try:
        size = float(text[:20])
    except ValueError:
        size = 0
    if not 1 <= size <= 512:
        raise WorkspaceError("the size of a font is from 1 to 512 points")
    return size


def draws_letters(opened: Opened, entry: ListedResource | None) -> bool:
    """Whether a resource is a font whose letters can be drawn again."""
    if entry is None or opened.writer is None or opened.writer.place:
        return False
    return isinstance(opened.resource(entry), FontView)
