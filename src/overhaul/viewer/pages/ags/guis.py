"""The page of a GUI: drawn, with its controls."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from overhaul.media import png
from overhaul.viewer.answers import Asked, Crumb, Media, Page
from overhaul.viewer.opened import NotThere
from overhaul.viewer.pages import generic
from overhaul.viewer.pages.ags import things
from overhaul.viewer.pages.ags.games import Thing, document_of, thing

if TYPE_CHECKING:
    from overhaul.ags.drawing import GuiPicture

#: a GUI is shown at least so large, in pixels, at a whole number of times its size
_SHOWN, _MOST = 640, 4
#: the lists of the controls in the JSON of the unpacked game
_LISTS = {
    "button": "buttons",
    "label": "labels",
    "inventory window": "inventory_windows",
    "slider": "sliders",
    "text box": "text_boxes",
    "list box": "list_boxes",
}


class ControlRow(msgspec.Struct, frozen=True):
    """A control: its rectangle in pixels of the window, the functions it runs."""

    id: str
    kind: str
    name: str
    text: str
    left: int
    top: int
    width: int
    height: int
    visible: bool
    functions: list[Crumb]
    details: dict[str, object]


class GuiPage(Thing, frozen=True):
    """A GUI; ``not_drawn`` says what the picture lacks."""

    width: int
    height: int
    zoom: int
    picture: str
    controls: list[ControlRow]
    not_drawn: list[str]


def show_gui(asked: Asked) -> GuiPage:
    """The page of a GUI."""
    opened, number, drawn = asked.opened, asked.resource.position, _drawn(asked)
    width, height = drawn.image.size
    rows = []
    for at, each in enumerate(drawn.controls):
        row = things.row_at(opened, "gui.json", _LISTS[each.kind], each.index)
        left, top, wide, high = each.box
        rows.append(
            ControlRow(
                id=f"control-{at}",
                kind=each.kind,
                name=each.name,
                text=each.text,
                left=left,
                top=top,
                width=wide,
                height=high,
                visible=each.visible,
                functions=things.handlers(opened, row),
                details=things.details(row, "text", "x", "y", "width", "height"),
            )
        )
    return thing(
        asked,
        GuiPage,
        "gui.json",
        "guis",
        number,
        width=width,
        height=height,
        zoom=max(1, min(_MOST, _SHOWN // max(width, height))),
        picture=opened.href(asked.resource, "picture.png"),
        controls=rows,
        not_drawn=drawn.not_drawn,
    )


def _drawn(asked: Asked) -> GuiPicture:
    number = asked.resource.position

    def make() -> GuiPicture:
        try:
            return document_of(asked).gui_image(number)
        except IndexError as error:
            raise NotThere(str(error)) from None

    def cost(made: GuiPicture) -> int:
        return 4 * made.image.width * made.image.height + 500 * len(made.controls)

    return asked.opened.remember(("gui", number), make, cost)


def picture_part(asked: Asked) -> Media:
    """``picture.png``."""
    return Media(png.encode(png.from_image(_drawn(asked).image)), "image/png")


GUI = Page(
    show_gui,
    "ags-gui.html",
    {"files": generic.file_part, "picture.png": picture_part, "thumbnail.png": picture_part},
    thumbnails=True,
)
