"""The page of a compiled script: its assembly, and what that is as source."""

from __future__ import annotations

import re
from typing import Final

import msgspec

from overhaul.document.views import AssemblyView
from overhaul.viewer.answers import Asked, Crumb, Page
from overhaul.viewer.pages import generic
from overhaul.viewer.pages.ags.sources import places_in, source_lines
from overhaul.viewer.pages.lines import LINES, CodePiece, Line, search_href
from overhaul.viewer.pages.page_parts import (
    Function,
    assembly_of,
    function_anchor,
    functions_in,
    labels_in,
    source_of,
)

_PARTS: Final = re.compile(
    r'(?P<comment>;.*)|(?P<string>"(?:[^"\\]|\\.)*")|(?P<label>\bL_\w+(?:\.\d+)?)|(?P<word>@\w+)'
    r"|(?P<number>(?<![\w.])-?(?:0x)?[0-9a-f]+\b)|(?P<directive>^\.\w+)|(?P<keyword>^    [.\w]+)"
)
_IMPORT: Final = re.compile(r'    \d+: "([^"]*)"')


class AssemblyPage(generic.ResourcePage, frozen=True):
    """A compiled script; ``source`` is where its source is, if the file holds that.

    ``exported`` are the functions that others can call, ``decompiled`` what its code is as source;
    ``places`` and ``labels`` are the lines of that and of the assembly in which they begin.
    """

    exported: list[Function]
    variables: list[str]
    imports: list[Crumb]
    source: Crumb | None
    decompiled: list[Line]
    lines: list[Line]
    more_lines: int
    places: dict[int, str]
    labels: dict[int, str]


def show_assembly(asked: Asked) -> AssemblyPage:
    """The page of a compiled script."""
    opened, entry = asked.opened, asked.resource
    if not isinstance(asked.view, AssemblyView):
        raise asked.nothing()
    text = assembly_of(opened, entry)
    places = labels_in(text)
    source = next((e for e in opened.entries() if e.kind == "source"), None)
    exported, decompiled = functions_in(text), source_of(opened, entry)
    names = [function.name for function in exported]
    begins: dict[int, str] = places_in(decompiled, names)
    there = {function.name: function.line for function in exported if function.line}
    lines = source_lines(decompiled, {name: function_anchor(name) for name in begins.values()})
    return AssemblyPage(
        **msgspec.structs.asdict(generic.base(asked, "text")),
        exported=exported,
        variables=re.findall(r'^    data "([^"]*)"', text, re.MULTILINE),
        imports=[Crumb(name, search_href(opened, _word(name))) for name in _imports(text)],
        source=None if source is None else Crumb(source.name, opened.href(source)),
        decompiled=lines[:LINES] if decompiled else [],
        lines=[
            Line(number, _assembly_parts(line, places))
            for number, line in enumerate(text.splitlines()[:LINES], 1)
        ],
        more_lines=max(0, text.count("\n") - LINES),
        places={line: name for line, name in begins.items() if line <= LINES},
        labels={line: name for name, line in there.items() if name not in begins.values()},
    )


def _word(name: str) -> str:
    """The word of a name such as ``Character::Say^101``."""
    return name.partition("^")[0].rpartition("::")[2]


def _imports(text: str) -> list[str]:
    part = text.partition("\n.imports ")[2].partition("\n.exports")[0]
    return [match[1] for line in part.splitlines() if (match := _IMPORT.match(line))]


def _assembly_parts(line: str, places: dict[str, int]) -> list[CodePiece]:
    """A line of assembly in pieces."""
    parts, at = [], 0
    for match in _PARTS.finditer(line):
        if match.start() > at:
            parts.append(CodePiece(line[at : match.start()]))
        role, text = match.lastgroup or "", match[0]
        if role == "label":
            parts.append(CodePiece(text, "resource", f"#L{places[text]}" if text in places else ""))
        else:
            parts.append(CodePiece(text, {"word": "builtin"}.get(role, role)))
        at = match.end()
    if at < len(line):
        parts.append(CodePiece(line[at:]))
    return parts


ASSEMBLY = Page(show_assembly, "ags-script.html", {"files": generic.file_part})
