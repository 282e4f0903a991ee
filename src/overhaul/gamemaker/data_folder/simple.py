"""The kinds of resources whose files follow from their records; shaders and extensions."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from overhaul.document.plainfiles import PlainFile
from overhaul.errors import FormatError
from overhaul.gamemaker.data.chunks.extn import NO_PRODUCT_ID, Extension
from overhaul.gamemaker.data.chunks.objt import Timeline
from overhaul.gamemaker.data.chunks.psem import ParticleEmitter, ParticleSystem
from overhaul.gamemaker.data.chunks.seqn import AnimationCurve, Path, Sequence
from overhaul.gamemaker.data.chunks.shdr import Shader
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data_folder import kind_folders
from overhaul.gamemaker.data_folder.names import ReferenceNames
from overhaul.gamemaker.data_folder.resource import JsonObject, ResourceEdit, ResourceFiles

PATHS = ResourceFiles(kind_folders.PATHS, Path)
TIMELINES = ResourceFiles(kind_folders.TIMELINES, Timeline)
SEQUENCES = ResourceFiles(kind_folders.SEQUENCES, Sequence)
CURVES = ResourceFiles(kind_folders.CURVES, AnimationCurve)
EMITTERS = ResourceFiles(kind_folders.EMITTERS, ParticleEmitter)
SYSTEMS = ResourceFiles(kind_folders.SYSTEMS, ParticleSystem)


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

    def parts(
        self, record: Shader, place: str, origin: str, names: ReferenceNames
    ) -> Iterator[PlainFile]:
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
    kind_folders.SHADERS,
    Shader,
    hidden=frozenset({"name", *TEXTS, *BLOBS, *(f"{name}_length" for name in _SIZED)}),
)


class ExtensionFiles(ResourceFiles[Extension]):
    """Extensions, each with its product id."""

    def show(self, record: Extension, names: ReferenceNames) -> JsonObject:
        plain = super().show(record, names)
        ids = names.game.record("EXTN").product_ids
        index = names.game.records.extensions.index(record)
        return plain | {"product_id": ids[index].hex()} if index < len(ids) else plain

    def read(self, values: JsonObject, edit: ResourceEdit[Extension]) -> Extension:
        _set_product_id(edit.record, values.pop("product_id", None), edit.edits.game)
        return super().read(values, edit)


def _set_product_id(record: Extension, value: object, game: GameData) -> None:
    ids: list[bytes] = game.record("EXTN").product_ids
    index = game.records.extensions.index(record)
    if value is None:
        if game.release.major < 2 and not ids:
            return
        value = NO_PRODUCT_ID.hex()
    try:
        raw = bytes.fromhex(value) if isinstance(value, str) else b""
    except ValueError:
        raw = b""
    if len(raw) != 16:
        raise FormatError("expected 32 hexadecimal digits").within("product_id")
    ids += [NO_PRODUCT_ID] * (index + 1 - len(ids))
    ids[index] = raw


EXTENSIONS = ExtensionFiles(kind_folders.EXTENSIONS, Extension)
