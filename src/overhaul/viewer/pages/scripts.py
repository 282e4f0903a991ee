"""The pages of scripts: source with names as links, and compiled scripts as assembly."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, Protocol, cast

import msgspec

from overhaul.document.views import AssemblyView, SourceView
from overhaul.gml.syntax.marking import pieces
from overhaul.viewer.answers import Asked, Crumb, Page
from overhaul.viewer.opened import Entry, Opened
from overhaul.viewer.pages import generic
from overhaul.viewer.pages.code import LINES, Line, Names, Part, lines_of, search_href
from overhaul.viewer.pages.kit import Function, assembly_of, functions_in, labels_in

if TYPE_CHECKING:
    from overhaul.gamemaker.data.code.meanings import Meaning
    from overhaul.gml.context import Context

_PARTS: Final = re.compile(
    r'(?P<comment>;.*)|(?P<string>"(?:[^"\\]|\\.)*")|(?P<label>\bL_\w+(?:\.\d+)?)|(?P<word>@\w+)'
    r"|(?P<number>(?<![\w.])-?(?:0x)?[0-9a-f]+\b)|(?P<directive>^\.\w+)|(?P<keyword>^    [.\w]+)"
)
_IMPORT: Final = re.compile(r'    \d+: "([^"]*)"')


class SpeaksGml(Protocol):
    """A document whose code is GML."""

    def context(self) -> Context:
        """What the language tools know about it."""
        ...


class CodeShown(msgspec.Struct, frozen=True):
    """A piece of code; ``anchor`` stands before the numbers of its lines."""

    title: str
    anchor: str
    lines: list[Line]


# -- source --------------------------------------------------------------------------------------


class SourcePage(generic.ResourcePage, frozen=True):
    """A script as its author wrote it; ``about`` says when it runs."""

    about: str
    source: str
    lines: list[Line]
    more_lines: int


def names_of(opened: Opened) -> Names:
    """What names in the code of a document stand for; kept."""

    def entry_of(meaning: Meaning) -> Entry | None:
        return opened.find(meaning.name, meaning.kind) if meaning.name else None

    return opened.remember(
        "names in code",
        lambda: Names(opened, cast("SpeaksGml", opened.document).context(), entry_of),
        lambda names: 1 << 20,
    )


def marked(opened: Opened, source: str) -> list[Line]:
    """The lines of a source, names as links."""
    names = names_of(opened)
    plain = source.replace("\r\n", "\n").replace("\r", "\n").rstrip("\n")
    return lines_of(list(pieces(plain, names.context.dialect)), plain, names)


def parts_of(opened: Opened, expression: str) -> list[Part]:
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


# -- assembly ------------------------------------------------------------------------------------


class AssemblyPage(generic.ResourcePage, frozen=True):
    """A compiled script; ``source`` is where its source is, if the file holds that.

    ``exported`` are the functions that others can call.
    """

    exported: list[Function]
    variables: list[str]
    imports: list[Crumb]
    source: Crumb | None
    lines: list[Line]
    more_lines: int


def show_assembly(asked: Asked) -> AssemblyPage:
    """The page of a compiled script."""
    opened, entry = asked.opened, asked.resource
    if not isinstance(asked.view, AssemblyView):
        raise asked.nothing()
    text = assembly_of(opened, entry)
    places = labels_in(text)
    source = next((e for e in opened.entries() if e.kind == "source"), None)
    return AssemblyPage(
        **msgspec.structs.asdict(generic.base(asked, "text")),
        exported=functions_in(text),
        variables=re.findall(r'^    data "([^"]*)"', text, re.MULTILINE),
        imports=[Crumb(name, search_href(opened, _word(name))) for name in _imports(text)],
        source=None if source is None else Crumb(source.name, opened.href(source)),
        lines=[
            Line(number, _assembly_parts(line, places))
            for number, line in enumerate(text.splitlines()[:LINES], 1)
        ],
        more_lines=max(0, text.count("\n") - LINES),
    )


def _word(name: str) -> str:
    """The word of a name such as ``Character::Say^101``."""
    return name.partition("^")[0].rpartition("::")[2]


def _imports(text: str) -> list[str]:
    part = text.partition("\n.imports ")[2].partition("\n.exports")[0]
    return [match[1] for line in part.splitlines() if (match := _IMPORT.match(line))]


def _assembly_parts(line: str, places: dict[str, int]) -> list[Part]:
    """A line of assembly in pieces."""
    parts, at = [], 0
    for match in _PARTS.finditer(line):
        if match.start() > at:
            parts.append(Part(line[at : match.start()]))
        role, text = match.lastgroup or "", match[0]
        if role == "label":
            parts.append(Part(text, "resource", f"#L{places[text]}" if text in places else ""))
        else:
            parts.append(Part(text, {"word": "builtin"}.get(role, role)))
        at = match.end()
    if at < len(line):
        parts.append(Part(line[at:]))
    return parts


ASSEMBLY = Page(show_assembly, "ags-script.html", {"files": generic.file_part})
