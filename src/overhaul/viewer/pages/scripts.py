"""The pages of scripts and shaders: source with names as links, compiled scripts as assembly."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, Protocol, cast

import msgspec

from overhaul.document.views import AssemblyView, SourceView
from overhaul.gamemaker.data.resources.shaders import Shader
from overhaul.gml.syntax.marking import pieces
from overhaul.media import glsl
from overhaul.viewer.answers import Asked, Crumb, Page
from overhaul.viewer.opened import ListedResource, Opened
from overhaul.viewer.pages import generic, late
from overhaul.viewer.pages.code import LINES, CodeNames, CodePiece, Line, lines_of, search_href
from overhaul.viewer.pages.page_parts import (
    Function,
    assembly_of,
    function_anchor,
    functions_in,
    labels_in,
    source_of,
    view_of,
)

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


def names_of(opened: Opened) -> CodeNames:
    """What names in the code of a document stand for; kept."""

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


# -- assembly ------------------------------------------------------------------------------------


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
    begins: dict[int, str] = late("ags.sources:places_in")(decompiled, names)
    there = {function.name: function.line for function in exported if function.line}
    lines = late("ags.sources:source_lines")(
        decompiled, {name: function_anchor(name) for name in begins.values()}
    )
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


#: the roles of pieces as the colours of code are called
_ROLES = {"type": "constant", "function": "built-in-function", "name": "", "space": ""}


class ShownSource(msgspec.Struct, frozen=True):
    """A source: ``prelude`` are the lines that GameMaker puts before those of the author."""

    title: str
    href: str
    anchor: str
    prelude: list[Line]
    lines: list[Line]


class ShaderPage(generic.ResourcePage, frozen=True):
    """A shader: ``main`` are the sources in the language it was written in, ``others`` what
    GameMaker made of them; ``compiled`` sizes in bytes by platform and stage."""

    language: str
    attributes: list[str]
    uniforms: list[tuple[str, str]]
    main: list[ShownSource]
    others: list[ShownSource]
    compiled: dict[str, int]


def show_shader(asked: Asked) -> ShaderPage:
    """The page of a shader."""
    shader = view_of(asked, Shader)
    page = generic.base(asked)
    language = str(getattr(shader.type, "name", shader.type))
    own = (".hlsl" if language.startswith("HLSL") else ".glsl", language == "GLSL")
    main: list[ShownSource] = []
    others: list[ShownSource] = []
    for file in page.files:
        if file.type == "text" and file.text.strip():
            name = file.path.rpartition("/")[2]
            written = own == (name[name.rfind(".") :], name.startswith("desktop_"))
            (main if written else others).append(_source(file, name))
    files = [file for file in page.files if file.type != "text"]
    return ShaderPage(
        **msgspec.structs.asdict(msgspec.structs.replace(page, files=files)),
        language=language.replace("_", " "),
        attributes=shader.attributes,
        uniforms=[(uniform.type, uniform.name) for uniform in shader.uniforms],
        main=main,
        others=others,
        compiled={name: len(blob) for name, blob in shader.compiled.items()},
    )


def _source(file: generic.FileShown, name: str) -> ShownSource:
    prelude, _ = glsl.divided(file.text)
    lines = shader_lines(file.text)
    first = prelude.count("\n")
    return ShownSource(name, file.href, file.anchor, lines[:first], lines[first:])


def shader_lines(source: str) -> list[Line]:
    """The lines of a source with the role of each part."""
    lines: list[list[CodePiece]] = [[]]
    for piece in glsl.pieces(source.replace("\r\n", "\n").rstrip("\n")):
        role = _ROLES.get(piece.role, piece.role)
        for number, text in enumerate(piece.text.split("\n")):
            if number:
                lines.append([])
            if text:
                lines[-1].append(CodePiece(text, role))
    return [Line(number, parts) for number, parts in enumerate(lines, 1)]


SHADER = Page(show_shader, "shader.html", {"files": generic.file_part})
