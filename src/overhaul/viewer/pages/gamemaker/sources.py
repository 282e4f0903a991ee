"""The page of a script as its author wrote it, and GML with names as links."""

from __future__ import annotations

from typing import Protocol, cast

import msgspec

from overhaul.document.views import SourceView
from overhaul.gamemaker.data.code.meanings import Meaning
from overhaul.gml.context import Context
from overhaul.gml.syntax.marking import pieces
from overhaul.viewer.answers import Asked, Page
from overhaul.viewer.opened import ListedResource, Opened
from overhaul.viewer.pages import generic
from overhaul.viewer.pages.gamemaker.code import CodeNames, lines_of
from overhaul.viewer.pages.lines import LINES, CodePiece, Line


class SpeaksGml(Protocol):
    """A document whose code is GML."""

    def context(self) -> Context:
        """The language tools' knowledge of it."""
        ...


class SourcePage(generic.ResourcePage, frozen=True):
    """A script as its author wrote it; ``about`` says when it runs."""

    about: str
    source: str
    lines: list[Line]
    more_lines: int


def names_of(opened: Opened) -> CodeNames:
    """The meaning of names in the code of a document; kept."""

    def entry_of(meaning: Meaning) -> ListedResource | None:
        return opened.find(meaning.name, meaning.kind) if meaning.name else None

    return opened.remember(
        "names in code",
        lambda: CodeNames(opened, cast("SpeaksGml", opened.document).context(), entry_of),
        lambda names: 1 << 20,
    )


def marked(opened: Opened, source: str) -> list[Line]:
    """The lines of a source, names as links."""
    names = names_of(opened)
    plain = source.replace("\r\n", "\n").replace("\r", "\n").rstrip("\n")
    return lines_of(list(pieces(plain, names.context.dialect)), plain, names)


def parts_of(opened: Opened, expression: str) -> list[CodePiece]:
    """An expression, names as links."""
    return [part for line in marked(opened, expression) for part in line.parts]


def show_source(asked: Asked) -> SourcePage:
    """The page of a script as its author wrote it."""
    script = asked.view
    if not isinstance(script, SourceView):
        raise asked.nothing()
    lines = marked(asked.opened, script.code)
    return SourcePage(
        **msgspec.structs.asdict(generic.base(asked, "text")),
        about=script.when,
        source=script.code,
        lines=lines[:LINES],
        more_lines=max(0, len(lines) - LINES),
    )


SOURCE = Page(show_source, "project-script.html", {"files": generic.file_part})
