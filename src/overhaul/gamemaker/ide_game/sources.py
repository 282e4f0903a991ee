"""The code of a project as the compiler takes it: definitions of all sources, and code entries."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from overhaul.errors import FormatError
from overhaul.gamemaker.ide.dialects import closed
from overhaul.gamemaker.ide.document import IdeProjectDocument
from overhaul.gamemaker.ide.resources.users import sources_of
from overhaul.gamemaker.ide.values import list_at, text_at
from overhaul.gml.context import Context
from overhaul.gml.dialect import Dialect
from overhaul.gml.syntax.errors import ProblemList
from overhaul.gml.syntax.lexer import END, MACRO, tokenize

#: The options of the platform that most games of the corpus are for.
_OPTIONS: Final = "options/windows/options_windows.yy"
_CONSTANT: Final = re.compile(r"[^\W\d]\w*\Z")


class CodeSource(NamedTuple):
    """A code entry: its name in the game, the file of its source, and the source.

    ``owner`` and ``part`` say whose it is: the event of an object, the step of a timeline, the
    number of an instance of a room; games may call it otherwise. ``is_code``: it is not drag and
    drop.
    """

    name: str
    path: str
    source: str
    owner: str = ""
    part: str | int = ""
    is_code: bool = True


def definitions_of(project: IdeProjectDocument, dialect: Dialect) -> list[str]:
    """The macros, enums, ``globalvar`` names and constants of a project, each as a source."""
    lines: list[str] = [*constants_of(project)]
    for entry in project.entries:
        if entry.kind in ("script", "object", "room", "timeline"):
            for _, text in sources_of(project, entry):
                lines += definitions_in(text, dialect)
    return lines


def definitions_in(text: str, dialect: Dialect) -> Iterator[str]:
    """The definitions in a source, each with its text."""
    if not any(word in text for word in ("#macro", "enum", "globalvar")):
        return
    tokens = tokenize(text, ProblemList(text), gms2=dialect.gms2_or_later, v2=dialect.gml_v2)
    kinds, values, places = tokens.kinds, tokens.values, tokens.positions
    number = 0
    while kinds[number] != END:
        kind = kinds[number]
        if kind == MACRO:
            yield values[number].replace("\r", "").rstrip()
        elif kind in ("enum", "globalvar"):
            ends = "}" if kind == "enum" else ";"
            last = number
            while kinds[last] not in (ends, END) and not _new_line(kind, text, places, last):
                last += 1
            end = places[last] + 1 if kinds[last] == ends else places[last]
            yield text[places[number] : end].rstrip() + (";" if kind == "globalvar" else "")
            number = last if kinds[last] != END else last - 1
        number += 1


def _new_line(kind: str, text: str, places: list[int], number: int) -> bool:
    """Whether a declaration of globals ends before a token, as there is another line."""
    return (
        kind == "globalvar" and number > 0 and "\n" in text[places[number - 1] : places[number]]
        and text[places[number - 1] : places[number]].rstrip()[-1:] != ","
    )  # fmt: skip


def constants_of(project: IdeProjectDocument) -> Iterator[str]:
    """The constants of Studio 1, and those of extensions, each as a source."""
    if project.is_studio:
        roots = [project.gmx_file(project.name).root]
        for entry in (*project.entries_of("configuration"), *project.entries_of("extension")):
            path = project.path_of(entry)
            try:
                roots += [project.gmx_file(path).root] if path else []
            except FormatError:  # check says what is wrong with it
                continue
        for root in roots:
            for node in root.walk():
                if node.tag == "constant":
                    name = node.attributes.get("name") or node.value("name")
                    yield from _macro(name, node.text or node.value("value"))
        return
    for entry in project.entries_of("extension"):
        path = project.path_of(entry)
        value = project.json_file(path).value if path else None
        for file in list_at(value, "files"):
            for row in list_at(file, "constants"):
                name = text_at(row, "name") or text_at(row, "constantName")
                yield from _macro(name, text_at(row, "value"))


def add_version(project: IdeProjectDocument, context: Context) -> None:
    """Make the version of the game known, which code has as a constant."""
    if not project.files.has(_OPTIONS):
        return
    try:
        value = project.json_file(_OPTIONS).value
    except FormatError:  # check says what is wrong with it
        return
    found = value.get("option_windows_version") if isinstance(value, dict) else None
    if isinstance(found, dict):  # of 2.0 to 2.2
        found = ".".join(str(found.get(key)) for key in ("major", "minor", "build", "revision"))
    if isinstance(found, str):
        context.add_macro("GM_version", f'"{found}"')


def _macro(name: str, value: str) -> Iterator[str]:
    if _CONSTANT.match(name) and value.strip():
        rows = value.strip().replace("\r", "").replace("\n", "\\\n")
        yield f"#macro {name} {rows}"


def entries_of(project: IdeProjectDocument, dialect: Dialect) -> Iterator[CodeSource]:
    """The code entries that the compiler makes of a project."""
    prefix = "gml_GlobalScript_" if dialect.gml_v2 else "gml_Script_"
    for script in project.scripts:
        if project.path_of(script.entry) is not None:
            yield CodeSource(prefix + script.name, script.source_path, script.gml)
    for kind in project.objects:
        if project.path_of(kind.entry) is None:
            continue
        for event in kind.own_events:
            if event.has_source or not event.is_code:
                name = f"gml_Object_{kind.name}_{event.name}"
                source = "\n".join(closed(text, dialect) for text in event.texts())
                yield CodeSource(
                    name, event.source_path, source, kind.name, event.name, event.is_code
                )
    for timeline in project.timelines:
        if project.path_of(timeline.entry) is not None:
            for moment in timeline.moments:
                name = f"Timeline_{timeline.name}_{moment.step}"
                source = "\n".join(closed(text, dialect) for text in moment.texts())
                yield CodeSource(
                    name, moment.source_path, source, timeline.name, moment.step,
                    moment.is_code,
                )  # fmt: skip
    for room in project.rooms:
        if project.path_of(room.entry) is None:
            continue
        code = room.creation_code
        if code is not None:
            yield CodeSource(f"gml_Room_{room.name}_Create", room.path, code)
        for number, instance in enumerate(room.created):
            code = instance.creation_code
            if code is not None:
                name = f"gml_RoomCC_{room.name}_{number}_Create"
                yield CodeSource(name, room.path, code, room.name, number)
