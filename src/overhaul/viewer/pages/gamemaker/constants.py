"""The page of a project's constants."""

from __future__ import annotations

import msgspec

from overhaul.gamemaker.classic.surface.objects import Constants
from overhaul.viewer.answers import Asked, Page
from overhaul.viewer.pages import generic
from overhaul.viewer.pages.gamemaker.sources import parts_of
from overhaul.viewer.pages.lines import CodePiece

#: characters of a value that are coloured
_LONG = 2000


class ConstantRow(msgspec.Struct, frozen=True):
    """A constant: its name, and the expression that it stands for."""

    name: str
    value: str
    parts: list[CodePiece]


class ConstantsPage(generic.ResourcePage, frozen=True):
    """The constants of a project."""

    constants: list[ConstantRow]


def show_constants(asked: Asked) -> ConstantsPage:
    """The page of the constants."""
    view = asked.view
    if not isinstance(view, Constants):
        raise asked.nothing()
    return ConstantsPage(
        **msgspec.structs.asdict(generic.base(asked)),
        constants=[
            ConstantRow(name, value, parts_of(asked.opened, value[:_LONG]))
            for name, value in view.values
        ],
    )


CONSTANTS = Page(show_constants, "project-constants.html", {"files": generic.file_part})
