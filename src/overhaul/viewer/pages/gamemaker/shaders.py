"""The page of a shader: its sources, and what GameMaker made of them."""

from __future__ import annotations

import msgspec

from overhaul.gamemaker.data.resources.shaders import Shader
from overhaul.media import glsl
from overhaul.viewer.answers import Asked, Page
from overhaul.viewer.pages import generic
from overhaul.viewer.pages.lines import CodePiece, Line
from overhaul.viewer.pages.page_parts import view_of

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
