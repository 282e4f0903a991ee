"""The pages of scripts and rooms of a project, whose scripts are files next to it."""

from __future__ import annotations

import msgspec

from overhaul.document.views import SourceView
from overhaul.viewer.answers import Asked, Page
from overhaul.viewer.pages import generic
from overhaul.viewer.pages.ags.sources import source_lines
from overhaul.viewer.pages.lines import LINES, Line


class ProjectScriptPage(generic.ResourcePage, frozen=True):
    """A script as its author wrote it."""

    about: str
    source: str
    lines: list[Line]
    more_lines: int


def show_script(asked: Asked) -> ProjectScriptPage:
    """The page of a script, or of a room with its script."""
    script = asked.view
    if not isinstance(script, SourceView):
        raise asked.nothing()
    code = script.code
    lines = source_lines(code)
    return ProjectScriptPage(
        **msgspec.structs.asdict(generic.base(asked, "text")),
        about=script.when,
        source=code,
        lines=lines[:LINES],
        more_lines=max(0, len(lines) - LINES),
    )


SCRIPT = Page(show_script, "project-script.html", {"files": generic.file_part})
