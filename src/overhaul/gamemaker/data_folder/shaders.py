"""Shaders: a JSON file, and a file for each source and each compiled form."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from overhaul.document.plainfiles import PlainFile
from overhaul.gamemaker.data.chunks.shdr import Shader
from overhaul.gamemaker.data_folder.names import Names
from overhaul.gamemaker.data_folder.resource import ResourceEdit, ResourceFiles

TEXTS = {
    "glsl_es_vertex": "vertex.glsl",
    "glsl_es_fragment": "fragment.glsl",
    "glsl_vertex": "desktop_vertex.glsl",
    "glsl_fragment": "desktop_fragment.glsl",
    "hlsl9_vertex": "vertex.hlsl",
    "hlsl9_fragment": "fragment.hlsl",
}
#: compiled forms whose length is a field; the others contain it
_SIZED = ("pssl_vertex", "pssl_pixel", "vita_vertex", "vita_pixel", "ps3_vertex", "ps3_pixel")
BLOBS = {name: f"{name}.bin" for name in ("hlsl11_vertex", "hlsl11_pixel", *_SIZED)}
#: texts that every shader has, if only empty
_ALWAYS = frozenset({"glsl_vertex", "glsl_fragment", "hlsl9_vertex", "hlsl9_fragment"})


class ShaderFiles(ResourceFiles[Shader]):
    """Shaders and their sources."""

    def parts(self, record: Shader, place: str, origin: str, names: Names) -> Iterator[PlainFile]:
        for name, file in TEXTS.items():
            text = getattr(record, name)
            if text is not None:
                yield PlainFile(
                    f"{place}/{file}", partial(bytes, text.raw), origin=f"{origin}.{name}"
                )
        for name, file in BLOBS.items():
            blob = getattr(record, name)
            if blob is not None:
                yield PlainFile(f"{place}/{file}", partial(bytes, blob), origin=f"{origin}.{name}")

    def apply(self, edit: ResourceEdit[Shader]) -> None:
        shader, edits, add = edit.record, edit.edits, edit.edits.game.strings.add
        for name, file in (TEXTS | BLOBS).items():
            path = f"{edit.place}/{file}"
            change = edit.changes.get(path)
            if change is None:
                if edit.added and name in _ALWAYS and getattr(shader, name) is None:
                    setattr(shader, name, add(""))
            elif change == "removed":
                setattr(shader, name, None)
            elif name in TEXTS:
                text = edits.bytes(path).decode("utf-8", "surrogateescape")
                if getattr(shader, name) != text:
                    setattr(shader, name, add(text))
            else:
                blob = edits.bytes(path)
                setattr(shader, name, blob)
                if name in _SIZED:
                    setattr(shader, f"{name}_length", len(blob))


SHADERS = ShaderFiles(
    "SHDR",
    "shaders",
    Shader,
    "shader.json",
    hidden=frozenset({"name", *TEXTS, *BLOBS, *(f"{name}_length" for name in _SIZED)}),
)
