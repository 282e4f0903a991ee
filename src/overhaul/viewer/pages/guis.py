"""The page of a GUI: drawn, with its controls."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from overhaul.ags.surface.game import Gui
from overhaul.media import png
from overhaul.viewer.answers import Asked, Crumb, Media, Page
from overhaul.viewer.pages import generic
from overhaul.viewer.pages.kit import function_link, view_of

if TYPE_CHECKING:
    from overhaul.ags.drawing import GuiPicture
    from overhaul.ags.surface.game import Control
    from overhaul.viewer.opened import Opened

#: a GUI is shown at least so large, in pixels, at a whole number of times its size
_SHOWN, _MOST = 640, 4


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


class GuiPage(generic.ResourcePage, frozen=True):
    """A GUI; ``not_drawn`` says what the picture lacks."""

    number: int
    no_sprites: str
    width: int
    height: int
    zoom: int
    picture: str
    controls: list[ControlRow]
    not_drawn: list[str]


def show_gui(asked: Asked) -> GuiPage:
    """The page of a GUI."""
    opened, gui = asked.opened, view_of(asked, Gui)
    drawn = _drawn(asked, gui)
    width, height = drawn.image.size
    return GuiPage(
        **msgspec.structs.asdict(generic.base(asked)),
        number=gui.number,
        no_sprites=gui.no_sprites,
        width=width,
        height=height,
        zoom=max(1, min(_MOST, _SHOWN // max(width, height))),
        picture=opened.href(asked.resource, "picture.png"),
        controls=[_row(opened, n, control) for n, control in enumerate(gui.controls(drawn))],
        not_drawn=drawn.not_drawn,
    )


def _row(opened: Opened, number: int, control: Control) -> ControlRow:
    left, top, width, height = control.box
    return ControlRow(
        id=f"control-{number}",
        kind=control.kind,
        name=control.name,
        text=control.text,
        left=left,
        top=top,
        width=width,
        height=height,
        visible=control.visible,
        functions=[function_link(opened, name) for name in control.functions],
        details=generic.details(control.fields, "text", "x", "y", "width", "height"),
    )


def _drawn(asked: Asked, gui: Gui) -> GuiPicture:
    def cost(made: GuiPicture) -> int:
        return 4 * made.image.width * made.image.height + 500 * len(made.controls)

    return asked.opened.remember(("gui", gui.number), lambda: gui.picture, cost)


def picture_part(asked: Asked) -> Media:
    """``picture.png``."""
    return Media(png.encode(png.from_image(_drawn(asked, view_of(asked, Gui)).image)), "image/png")


GUI = Page(
    show_gui,
    "ags-gui.html",
    {"files": generic.file_part, "picture.png": picture_part, "thumbnail.png": picture_part},
    thumbnails=True,
)
