"""Pictures painted in: frames, and the masks of rooms, whose colours are the numbers of areas."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import quote

import msgspec

from overhaul.ags.surface.rooms import AREA_KINDS
from overhaul.ags.surface.rooms import Room as MaskedRoom
from overhaul.errors import OverhaulError
from overhaul.viewer.answers import Answer, Asked, DataPage, Moved
from overhaul.viewer.opened import ListedResource, NotThere, Opened
from overhaul.viewer.pages.files import read
from overhaul.viewer.pages.generic import media_of
from overhaul.viewer.pages.steps import page_of_file
from overhaul.viewer.writing import must_write
from overhaul.workbench import pictures
from overhaul.workbench.journal import digest_of

BACKGROUND = "background.png"


class _Mask(NamedTuple):
    """A mask of a room: its file, and the kind of its areas, as a room calls it."""

    path: str
    kind: str


_MASKS = (
    _Mask("hotspots.png", "hotspots"),
    _Mask("regions.png", "regions"),
    _Mask("walkable.png", "walk_areas"),
    _Mask("walk_behinds.png", "walk_behinds"),
)


class Ink(msgspec.Struct, frozen=True):
    """A colour that paints: that of an area by its number, with its names; ``used``: some pixels
    have it."""

    colour: str
    number: int
    name: str = ""
    script_name: str = ""
    used: bool = True


class PaintPage(msgspec.Struct, frozen=True):
    """A picture to be painted in, with the colours that it may have; ``back`` lies behind it.

    ``title`` is what is painted; ``areas``: the colours are areas of a room, which ``masks`` has
    the other pictures of.
    """

    path: str
    title: str
    picture: str
    back: str
    inks: list[Ink]
    areas: bool
    masks: list[tuple[str, str]]
    before: str
    page: str
    why: str


def show_paint(asked: Asked) -> Answer:
    """``/-/paint?path=hotspots.png``; a POST with ``&before=DIGEST`` takes the body as the
    picture."""
    opened, path = asked.opened, asked.query.get("path", "")
    if not path.endswith(".png"):
        raise NotThere(f"the picture {path!r} can't be painted")
    data = read(opened, path)
    if asked.method == "POST":
        writer = must_write(opened.writer)
        changes = {path: pictures.painted(data, asked.body)}
        writer.step(changes, f"Paint {path}", before={path: asked.query.get("before", "")})
        return Moved(paint_href(opened, path))
    if "raw" in asked.query:
        return media_of(path, data)
    room = next((entry for entry in opened.entries() if entry.kind == "room"), None)
    mask = next((mask for mask in _MASKS if mask.path == path), None)
    is_mask = mask is not None and room is not None and path in masks_of(opened, room)
    inks = [Ink(colour, n) for n, colour in enumerate(pictures.palette_of(data))]
    has_back = opened.writer is not None and path != BACKGROUND and opened.writer.has(BACKGROUND)
    page = PaintPage(
        path,
        title_of(path) if is_mask else path,
        f"{paint_href(opened, path)}&raw=1",
        f"{paint_href(opened, BACKGROUND)}&raw=1" if has_back else "",
        areas_of(opened, room, mask, inks) if is_mask and room and mask else inks,
        is_mask,
        [(title_of(each), paint_href(opened, each)) for each in masks_of(opened, room)]
        if is_mask and room
        else [],
        digest_of(data),
        page_of_file(opened, path),
        "" if opened.writer is None else opened.writer.why,
    )
    return DataPage("paint.html", page, f"Paint {path}")


def areas_of(opened: Opened, entry: ListedResource, mask: _Mask, inks: list[Ink]) -> list[Ink]:
    """The areas that a room has of a kind, as colours of their mask; number 0 is no area.

    A mask without known areas has its own colours.
    """
    room = opened.resource(entry)
    assert isinstance(room, MaskedRoom)
    try:
        areas = list(room.parts(mask.kind))
        drawn = {area.number for area in room.areas(mask.kind).drawn}
    except OverhaulError:  # the mask is damaged
        return inks
    made = []
    for ink in inks[: max(len(areas), 1)]:
        area = areas[ink.number] if ink.number < len(areas) else None
        made.append(
            Ink(
                ink.colour,
                ink.number,
                "no area" if ink.number == 0 else "" if area is None else area.name,
                "" if area is None or ink.number == 0 else area.script_name,
                ink.number in drawn or ink.number == 0,
            )
        )
    return made


def title_of(path: str) -> str:
    """What a mask shows; the path of another picture."""
    mask = next((mask for mask in _MASKS if mask.path == path), None)
    return path if mask is None else AREA_KINDS[mask.kind][0]


def paint_href(opened: Opened, path: str) -> str:
    """Where a picture is painted in."""
    return f"{opened.prefix}/-/paint?path={quote(path)}"


def masks_of(opened: Opened, entry: ListedResource) -> list[str]:
    """The masks of a room, which are painted."""
    if not isinstance(opened.resource(entry), MaskedRoom):
        return []
    return [mask.path for mask in _MASKS if mask.path in opened.files]
