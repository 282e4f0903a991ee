"""Code of projects: names as links, scripts and triggers as pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import msgspec

from overhaul.gml.syntax.marking import pieces
from overhaul.viewer.answers import Asked, Page
from overhaul.viewer.opened import Entry, Opened
from overhaul.viewer.pages import generic
from overhaul.viewer.pages.code import LINES, Line, Names, Part, lines_of
from overhaul.viewer.pages.games import project_of, project_resource_of

if TYPE_CHECKING:
    from overhaul.gamemaker.classic.documents.project import ProjectDocument
    from overhaul.gamemaker.data.code.meanings import Meaning

#: characters of the value of a constant that are shown
_LONG = 2000
#: when a trigger is checked, by its number
_MOMENTS = ("in the step", "at the beginning of the step", "at the end of the step")


class ScriptPage(generic.ResourcePage, frozen=True):
    """A script, or the condition of a trigger (``about`` says when it is checked)."""

    about: str
    source: str
    lines: list[Line]
    more_lines: int


def names_of(opened: Opened) -> Names:
    """What names in the code of a project stand for; kept."""

    def entry_of(found: Meaning) -> Entry | None:
        return opened.find(found.name, found.kind) if found.name else None

    return opened.remember(
        "project names",
        lambda: Names(opened, project_of(opened).context(), entry_of),
        lambda names: 1 << 20,
    )


def marked(opened: Opened, source: str) -> list[Line]:
    """The lines of a source, names as links."""
    names = names_of(opened)
    plain = source.replace("\r\n", "\n").replace("\r", "\n").rstrip("\n")
    return lines_of(list(pieces(plain, names.context.dialect)), plain, names)


def parts_of(opened: Opened, expression: str) -> list[Part]:
    """An expression, names as links."""
    lines = marked(opened, expression)
    return [part for line in lines for part in line.parts]


def show_script(asked: Asked) -> ScriptPage:
    """The page of a script."""
    return _page(asked, project_resource_of(asked, lambda project: project.scripts).code, "")


def show_trigger(asked: Asked) -> ScriptPage:
    """The page of a trigger."""
    trigger = project_resource_of(asked, lambda project: project.triggers)
    moment = trigger.record.moment
    known = 0 <= moment < len(_MOMENTS)
    about = f"Checked {_MOMENTS[moment]}" if known else f"Checked at moment {moment}"
    name = trigger.record.constant_name
    return _page(asked, trigger.code, f"{about}, constant {name}" if name else about)


def _page(asked: Asked, source: str, about: str) -> ScriptPage:
    lines = marked(asked.opened, source)
    return ScriptPage(
        **msgspec.structs.asdict(generic.base(asked, "text")),
        about=about,
        source=source,
        lines=lines[:LINES],
        more_lines=max(0, len(lines) - LINES),
    )


class ConstantRow(msgspec.Struct, frozen=True):
    """A constant: its name, and the expression that it stands for."""

    name: str
    value: str
    parts: list[Part]


class ConstantsPage(generic.ResourcePage, frozen=True):
    """The constants of a project."""

    constants: list[ConstantRow]


def show_constants(asked: Asked) -> ConstantsPage:
    """The page of the constants."""
    document = cast("ProjectDocument", asked.opened.document)
    return ConstantsPage(
        **msgspec.structs.asdict(generic.base(asked)),
        constants=[
            ConstantRow(each.name, each.value, parts_of(asked.opened, each.value[:_LONG]))
            for each in document.constants
        ],
    )


CONSTANTS = Page(show_constants, "project-constants.html", {"files": generic.file_part})
SCRIPT = Page(show_script, "project-script.html", {"files": generic.file_part})
TRIGGER = Page(show_trigger, "project-script.html", {"files": generic.file_part})
