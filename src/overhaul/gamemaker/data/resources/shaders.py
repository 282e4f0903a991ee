"""Shaders."""

from __future__ import annotations

from collections.abc import Iterable

from overhaul.gamemaker.data.chunks.shdr import Shader as ShaderRecord
from overhaul.gamemaker.data.chunks.shdr import ShaderType
from overhaul.gamemaker.data.resources.base import Resource, Resources
from overhaul.gamemaker.data.resources.fields import Choice, Text
from overhaul.gamemaker.data.resources.names import check_new_name
from overhaul.media import glsl
from overhaul.media.glsl import Uniform

_COMPILED = (
    *("hlsl11_vertex", "hlsl11_pixel", "pssl_vertex", "pssl_pixel"),
    *("vita_vertex", "vita_pixel", "ps3_vertex", "ps3_pixel"),
)


class Shader(Resource[ShaderRecord]):
    """A shader: its sources in several languages; each platform runs one of them.

    GameMaker translates what the author wrote (GLSL ES) when it compiles the game, and puts
    declarations of its own before each source: Windows runs ``hlsl9_...`` or what was compiled of
    it, other platforms GLSL ES or GLSL.
    """

    __slots__ = ()
    chunk = "SHDR"

    type: Choice[ShaderType] = Choice(ShaderType, "the language the author wrote it in")
    vertex: Text = Text("the source of the vertex shader in GLSL ES", "glsl_es_vertex")
    fragment: Text = Text("the source of the fragment shader in GLSL ES", "glsl_es_fragment")
    glsl_vertex: Text = Text("the source of the vertex shader in GLSL")
    glsl_fragment: Text = Text("the source of the fragment shader in GLSL")
    hlsl9_vertex: Text = Text("the source of the vertex shader in HLSL 9")
    hlsl9_fragment: Text = Text("the source of the fragment shader in HLSL 9")

    @property
    def attributes(self) -> list[str]:
        """The names of the attributes of vertices.  The list is a copy: assign one to change it."""
        return [str(attribute) for attribute in self.record.attributes]

    @attributes.setter
    def attributes(self, names: Iterable[str]) -> None:
        listed = list(names)
        if isinstance(names, str) or not all(isinstance(name, str) for name in listed):
            raise TypeError(f"attributes: expected a list of names, got {names!r}")
        if listed != self.attributes:
            add = self.game.strings.add
            self.record.attributes = [add(name) for name in listed]

    @property
    def uniforms(self) -> list[Uniform]:
        """The values that the game gives to it: what the author's vertex and fragment shaders
        declare in GLSL ES, in order, each once, as (type, name)."""
        declared: dict[Uniform, None] = {}
        for source in (self.vertex, self.fragment):
            declared |= dict.fromkeys(glsl.uniforms(glsl.divided(source or "")[1]))
        return list(declared)

    @property
    def compiled(self) -> dict[str, bytes]:
        """The compiled shaders, by platform and stage; empty if there are none."""
        found = {name: getattr(self.record, name) for name in _COMPILED}
        return {name: bytes(blob) for name, blob in found.items() if blob}

    def _about(self) -> str:
        return str(getattr(self.type, "name", self.type))


class Shaders(Resources[Shader]):
    """The shaders of a game."""

    resource = Shader

    def add(
        self,
        name: str,
        vertex: str,
        fragment: str,
        *,
        glsl: tuple[str, str] = ("", ""),
        hlsl9: tuple[str, str] = ("", ""),
        attributes: Iterable[str] = ("in_Position", "in_Colour", "in_TextureCoord"),
    ) -> Shader:
        """Add a shader: its sources in GLSL ES, and for other platforms (vertex, fragment) in GLSL
        and HLSL 9, with the names of the attributes of vertices.

        The sources are stored as they are: GameMaker puts declarations of its own
        (``gm_Matrices``) before what an author wrote, as other shaders of the game show. Windows
        runs HLSL 9. Raises ValueError for a name that is taken or invalid, TypeError for values
        other than text.
        """
        made = Shader(self.game, ShaderRecord(version=2))
        sources = {"vertex": vertex, "fragment": fragment}
        for language, (one, two) in (("glsl", glsl), ("hlsl9", hlsl9)):
            sources |= {f"{language}_vertex": one, f"{language}_fragment": two}
        names = list(attributes)
        if any(not isinstance(text, str) for text in [*sources.values(), *names]):
            raise TypeError("expected texts as the sources and attributes of a shader")
        self._check_kind()
        check_new_name(self.game, "SHDR", name)
        for each, source in sources.items():
            setattr(made, each, source)
        made.attributes = names
        return self._add(made.record, name)
