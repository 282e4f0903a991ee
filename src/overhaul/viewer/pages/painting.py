"""Pictures painted in: frames, and the masks of rooms, whose colours are the numbers of areas."""

from __future__ import annotations

from urllib.parse import quote

import msgspec

from overhaul.document.room_views import MaskedView, MaskFile
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


class Ink(msgspec.Struct, frozen=True):
    """A colour that paints: that of an area by its number, with its names; ``used``: some pixels
    have it."""

    colour: str
    number: int
    name: str = ""
    script_name: str = ""
    used: bool = True


class PaintPage(msgspec.Struct, frozen=True):
    """A picture to be painted in, with the colours that it may have; ``back`` is drawn under it.

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
    masks = [] if room is None else masks_of(opened, room)
    mask = next((mask for mask in masks if mask.path == path), None)
    inks = [Ink(colour, n) for n, colour in enumerate(pictures.palette_of(data))]
    has_back = opened.writer is not None and path != BACKGROUND and opened.writer.has(BACKGROUND)
    page = PaintPage(
        path,
        path if mask is None else mask.title,
        f"{paint_href(opened, path)}&raw=1",
        f"{paint_href(opened, BACKGROUND)}&raw=1" if has_back else "",
        areas_of(opened, room, mask, inks) if room and mask else inks,
        mask is not None,
        [(each.title, paint_href(opened, each.path)) for each in masks] if mask else [],
        digest_of(data),
        page_of_file(opened, path),
        "" if opened.writer is None else opened.writer.why,
    )
    return DataPage("paint.html", page, f"Paint {path}")


def areas_of(opened: Opened, entry: ListedResource, mask: MaskFile, inks: list[Ink]) -> list[Ink]:
    """The areas of a kind in a room, as colours of their mask; number 0 is not an area.

    A mask without known areas has its own colours.
    """
    room = opened.resource(entry)
    assert isinstance(room, MaskedView)
    try:
        areas = list(room.parts(mask.kind))
        drawn = room.painted(mask.kind)
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


def paint_href(opened: Opened, path: str) -> str:
    """Where a picture is painted in."""
    return f"{opened.prefix}/-/paint?path={quote(path)}"


def masks_of(opened: Opened, entry: ListedResource) -> list[MaskFile]:
    """The masks of a room, which are painted."""
    room = opened.resource(entry)
    if not isinstance(room, MaskedView):
        return []
    return [mask for mask in room.masks if mask.path in opened.files]
