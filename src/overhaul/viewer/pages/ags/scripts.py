"""The page of a compiled script: its assembly, its functions, what it imports."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import msgspec

from overhaul.viewer.answers import Asked, Crumb, Page
from overhaul.viewer.pages import generic
from overhaul.viewer.pages.code import search_href

if TYPE_CHECKING:
    from overhaul.viewer.opened import Entry, Opened

#: lines of a page; longer scripts are in their plain files
LINES: Final = 6000
_EXPORT: Final = re.compile(r'    function "([^"]*)" (L_\S+)')
_IMPORT: Final = re.compile(r'    \d+: "([^"]*)"')
_LABEL: Final = re.compile(r"L_\S+(?=:$)")
_PARTS: Final = re.compile(
    r'(?P<comment>;.*)|(?P<string>"(?:[^"\\]|\\.)*")|(?P<label>\bL_\w+(?:\.\d+)?)|(?P<word>@\w+)'
    r"|(?P<number>(?<![\w.])-?(?:0x)?[0-9a-f]+\b)|(?P<directive>^\.\w+)|(?P<keyword>^    [.\w]+)"
)


class Part(msgspec.Struct, frozen=True, omit_defaults=True):
    """A piece of a line: ``role`` is comment, string, number, directive or keyword."""

    text: str
    role: str = ""
    href: str = ""


class Line(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of assembly text."""

    number: int
    parts: list[Part]


class Function(msgspec.Struct, frozen=True):
    """A function that others can call: how many arguments it takes, and its first line."""

    name: str
    arguments: str
    line: int


class ScriptPage(generic.ResourcePage, frozen=True):
    """A compiled script; ``source`` is where its source is, if the file holds that."""

    functions: list[Function]
    variables: list[str]
    imports: list[Crumb]
    source: Crumb | None
    lines: list[Line]
    more_lines: int


def show_script(asked: Asked) -> ScriptPage:
    """The page of a compiled script."""
    opened, entry = asked.opened, asked.resource
    text = text_of(opened, entry)
    places = labels_in(text)
    source = next((e for e in opened.entries() if e.kind == "source"), None)
    return ScriptPage(
        **msgspec.structs.asdict(generic.base(asked, "text")),
        functions=functions_in(text),
        variables=re.findall(r'^    data "([^"]*)"', text, re.MULTILINE),
        imports=[Crumb(name, search_href(opened, _word(name))) for name in _imports(text)],
        source=None if source is None else Crumb(source.name, opened.href(source)),
        lines=[
            Line(number, _marked(each, places))
            for number, each in enumerate(text.splitlines()[:LINES], 1)
        ],
        more_lines=max(0, text.count("\n") - LINES),
    )


def text_of(opened: Opened, entry: Entry) -> str:
    """The assembly text of a script; kept."""

    def make() -> str:
        files = [file for file in opened.files_of(entry) if file.path == entry.path]
        return generic.text_of(files[0]) if files else ""

    return opened.remember(("assembly", entry.slug, entry.key), make, len)


def labels_in(text: str) -> dict[str, int]:
    """The line of each label."""
    lines = enumerate(text.splitlines(), 1)
    return {found[0]: number for number, line in lines if (found := _LABEL.match(line))}


def functions_in(text: str) -> list[Function]:
    """The functions that a script exports, in its order."""
    places = labels_in(text)
    found = []
    for name, label in _EXPORT.findall(text.partition(".sections")[0]):
        plain, _, arguments = name.partition("$")
        found.append(Function(plain, arguments, places.get(label, 0)))
    return found


def _word(name: str) -> str:
    """The word of a name such as ``Character::Say^101``."""
    return name.partition("^")[0].rpartition("::")[2]


def _imports(text: str) -> list[str]:
    part = text.partition("\n.imports ")[2].partition("\n.exports")[0]
    return [found[1] for line in part.splitlines() if (found := _IMPORT.match(line))]


def _marked(line: str, places: dict[str, int]) -> list[Part]:
    """A line of assembly in pieces."""
    parts, at = [], 0
    for found in _PARTS.finditer(line):
        if found.start() > at:
            parts.append(Part(line[at : found.start()]))
        role, text = found.lastgroup or "", found[0]
        if role == "label":
            parts.append(Part(text, "resource", f"#L{places[text]}" if text in places else ""))
        else:
            parts.append(Part(text, {"word": "builtin"}.get(role, role)))
        at = found.end()
    if at < len(line):
        parts.append(Part(line[at:]))
    return parts


def function_link(opened: Opened, name: str) -> Crumb:
    """A link to the line where a function of the document's scripts begins."""

    def make() -> dict[str, str]:
        return {
            each.name: f"{opened.href(entry)}#L{each.line}"
            for entry in opened.entries()
            if entry.kind == "script"
            for each in functions_in(text_of(opened, entry))
        }

    known = opened.remember("ags functions", make, lambda found: 100 * len(found))
    return Crumb(name, known.get(name, ""))


SCRIPT = Page(show_script, "ags-script.html", {"files": generic.file_part})
