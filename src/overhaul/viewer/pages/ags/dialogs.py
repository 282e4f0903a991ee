"""The pages of dialogs, with what is said, and of GUIs, with their controls."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import msgspec

from overhaul.ags.documents.game import GameDocument
from overhaul.ags.script.dialogs import Block, Step
from overhaul.ags.surface.game import Control, Dialog, Gui, steps_of
from overhaul.media import png
from overhaul.viewer.answers import Asked, Crumb, Media, Page
from overhaul.viewer.opened import Opened
from overhaul.viewer.pages import generic
from overhaul.viewer.pages.page_parts import function_link, nth, view_of

if TYPE_CHECKING:
    from overhaul.ags.drawing import GuiPicture


class Said(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of a dialog: its speaker, or the action of a line without one.

    ``depth`` counts the conditions around it; ``condition``: it is itself one, of what follows.
    """

    who: str
    href: str
    text: str
    depth: int = 0
    condition: bool = False


class OptionRow(msgspec.Struct, frozen=True):
    """An option, and what follows when it is chosen; option 0 is how the dialog begins."""

    number: int
    text: str
    on: bool
    said: bool
    lines: list[Said]


class DialogPage(generic.ResourcePage, frozen=True):
    """A dialog; ``source`` is its script as the author wrote it, where the game holds that."""

    number: int
    options: list[OptionRow]
    source: str
    lines: list[Said]
    function: Crumb | None


def show_dialog(asked: Asked) -> DialogPage:
    """The page of a dialog."""
    opened, dialog = asked.opened, view_of(asked, Dialog)
    steps = _steps(opened, dialog)
    names = _names(opened)
    options = [
        OptionRow(
            number,
            option.text,
            option.on,
            option.said,
            _lines([step for step in steps if step.option == number], names),
        )
        for number, option in enumerate(dialog.options, 1)
    ]
    begins = _lines([step for step in steps if not 0 < step.option <= len(options)], names)
    if begins:
        options.insert(0, OptionRow(0, "", True, False, begins))
    function = function_link(opened, dialog.function)
    return DialogPage(
        **msgspec.structs.asdict(generic.base(asked)),
        number=dialog.number,
        options=options,
        source=dialog.written,
        lines=[_line(line) for line in dialog.operations] if not dialog.written else [],
        function=function if function.href else None,
    )


def _steps(opened: Opened, dialog: Dialog) -> list[Step]:
    game = cast("GameDocument", opened.document).game
    steps = opened.remember(
        "dialogs", lambda: steps_of(game), lambda made: 200 * sum(map(len, made.values()))
    )
    return steps.get(dialog.number, [])


def _names(opened: Opened) -> dict[str, tuple[str, str]]:
    """The names of characters, and their pages, by their names in scripts."""
    names = {"player": ("the player", "")}
    for number, person in enumerate(cast("GameDocument", opened.document).characters):
        entry = nth(opened, "character", number)
        href = "" if entry is None else opened.href(entry)
        names[person.record.script_name] = person.full_name or person.name, href
    return names


def _lines(steps: list[Step], names: dict[str, tuple[str, str]]) -> list[Said]:
    """Steps as lines, each condition as a line before those that it is of."""
    lines: list[Said] = []
    before: tuple[Block, ...] = ()
    for step in steps:
        same = next(
            (
                n
                for n, pair in enumerate(zip(before, step.blocks, strict=False))
                if len({*pair}) > 1
            ),
            min(len(before), len(step.blocks)),
        )
        for depth, block in enumerate(step.blocks[same:], same):
            lines.append(Said("", "", block.text, depth, True))
        name, href = names.get(step.who, (step.who, ""))
        lines.append(Said(name, href, step.text, len(step.blocks)))
        before = step.blocks
    return lines


def _line(line: str) -> Said:
    who, colon, text = line.partition(": ")
    return Said(who, "", text) if colon else Said("", "", line)


DIALOG = Page(show_dialog, "ags-dialog.html", {"files": generic.file_part})


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
        controls=[_row(opened, n, control) for n, control in enumerate(gui.controls_of(drawn))],
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
