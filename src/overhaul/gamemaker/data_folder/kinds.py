"""The kinds of resources in the folder: which chunk, which files, which fields are shown."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from overhaul.gamemaker.data.chunks import CHUNKS

if TYPE_CHECKING:
    from overhaul.gamemaker.data.version import Version
    from overhaul.schema import Record


@dataclass(frozen=True)
class Kind:
    """One kind of resource: a file of its own for each, ``folder/NAME.json``.

    With ``main`` each has a folder of its own, and ``main`` is its JSON file there.  ``hidden``
    fields are kept in other files; ``details`` are those nobody edits.  ``beside`` are the
    endings of the other files of a resource without a folder.
    """

    chunk: str
    folder: str
    record: str
    module: str
    main: str = ""
    hidden: frozenset[str] = field(default_factory=frozenset)
    details: frozenset[str] = field(default_factory=frozenset)
    beside: tuple[str, ...] = ()

    def load(self) -> type[Record]:
        """The record class of one resource."""
        from importlib import import_module

        package = "overhaul.gamemaker.data"
        found: type[Record] = getattr(import_module(f"{package}.chunks.{self.module}"), self.record)
        return found

    @property
    def word(self) -> str:
        """What people call one of them."""
        return CHUNKS[self.chunk].word

    def json_path(self, stem: str) -> str:
        """The JSON file of the resource with this file name."""
        if self.main:
            return f"{self.folder}/{stem}/{self.main}"
        return f"{self.folder}/{stem}.json"

    def stem_of(self, path: str) -> str | None:
        """The file name of the resource that a path belongs to, None if it is not one's."""
        head, _, rest = path.partition("/")
        if head != self.folder or not rest:
            return None
        if self.main:
            stem, slash, _ = rest.partition("/")
            return stem if slash else None
        if "/" in rest:
            return None
        for ending in (".json", *self.beside):
            if rest.endswith(ending):
                return rest[: -len(ending)]
        return None


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


SOUND_ENDINGS = (".wav", ".ogg", ".mp3", ".mid", ".flac", ".aiff", ".bin")
SHADER_TEXTS = {
    "glsl_es_vertex": "vertex.glsl",
    "glsl_es_fragment": "fragment.glsl",
    "glsl_vertex": "desktop_vertex.glsl",
    "glsl_fragment": "desktop_fragment.glsl",
    "hlsl9_vertex": "vertex.hlsl",
    "hlsl9_fragment": "fragment.hlsl",
}
SHADER_BLOBS = {
    name: f"{name}.bin"
    for name in (
        "hlsl11_vertex", "hlsl11_pixel", "pssl_vertex", "pssl_pixel", "vita_vertex",
        "vita_pixel", "ps3_vertex", "ps3_pixel",
    )
}  # fmt: skip
_SHADER_LENGTHS = " ".join(f"{name}_length" for name in SHADER_BLOBS if "hlsl" not in name)

#: in the order in which a game is unpacked and its references are made
KINDS: tuple[Kind, ...] = (
    Kind("SPRT", "sprites", "Sprite", "sprt", "sprite.json", _names("name textures masks"),
         _names("transparent smooth preload sub_version sprite_type sequence special")),
    Kind("BGND", "backgrounds", "Background", "bgnd", "", _names("name texture"),
         _names("transparent smooth preload tileset_version"), (".png",)),
    Kind("SOND", "sounds", "Sound", "sond", "", _names("name"), _names("audio effects"),
         SOUND_ENDINGS),
    Kind("FONT", "fonts", "Font", "font", "font.json", _names("name texture")),
    Kind("OBJT", "objects", "GameObject", "objt", "object.json", _names("name")),
    Kind("ROOM", "rooms", "Room", "room", "", _names("name")),
    Kind("PATH", "paths", "Path", "path", "", _names("name")),
    Kind("TMLN", "timelines", "Timeline", "tmln", "", _names("name")),
    Kind("SEQN", "sequences", "Sequence", "seqn", "", _names("name")),
    Kind("ACRV", "animation_curves", "AnimationCurve", "acrv", "", _names("name")),
    Kind("SHDR", "shaders", "Shader", "shdr", "shader.json",
         _names("name " + " ".join((*SHADER_TEXTS, *SHADER_BLOBS)) + " " + _SHADER_LENGTHS)),
    Kind("EXTN", "extensions", "Extension", "extn", "", _names("name")),
    Kind("PSEM", "particle_emitters", "ParticleEmitter", "psem", "", _names("name")),
    Kind("PSYS", "particle_systems", "ParticleSystem", "psem", "", _names("name")),
    Kind("EMBI", "embedded_images", "EmbeddedImage", "embi", "", _names("name image"),
         frozenset(), (".png",)),
)  # fmt: skip

BY_CHUNK = {kind.chunk: kind for kind in KINDS}

#: chunks that are one JSON file each, with the record's list that has named elements
FILES: dict[str, str] = {
    "GEN8": "general.json",
    "OPTN": "options.json",
    "LANG": "languages.json",
    "AGRP": "audio_groups.json",
    "TGIN": "texture_groups.json",
    "SCPT": "scripts.json",
    "GLOB": "global_init.json",
    "GMEN": "game_end.json",
    "TAGS": "tags.json",
    "FEAT": "feature_flags.json",
    "FEDS": "effects.json",
    "UILR": "ui_layers.json",
}
#: fields of those that nobody edits
FILE_DETAILS: dict[str, frozenset[str]] = {
    "GEN8": _names(
        "unknown last_object_id last_tile_id direct_play_guid licence_crc32 licence_md5 timestamp "
        "active_targets function_classifications debugger_port uid game_guid"
    ),
    "OPTN": _names("marker version"),
    "AGRP": frozenset(),
}
STRINGS = "strings.csv"
TEXTURES = "textures.json"
ORDER = "order.json"
CODE_DETAILS = "code.json"


def event_types(version: Version) -> int:
    """How many event types an object has."""
    if version.major < 2:
        return 13 if version.bytecode >= 16 else 12
    return 14 if version.bytecode < 16 else 15


def resource_defaults(kind: Kind, version: Version) -> dict[str, Any]:
    """JSON values that a new resource has by its version, where the declaration can't tell."""
    modern = version.major >= 2
    if kind.chunk == "SPRT" and modern:
        sub = 3 if version.at_least(2, 3, 2) else 2 if version.at_least(2, 3) else 1
        return {"sub_version": sub}
    if kind.chunk == "ROOM":
        if not modern:
            return {"caption": "", "speed": 30}
        mark = "studio_2_3" if version.at_least(2, 3) else "studio_2"
        flags = ["studio_2", "studio_2_3"] if mark == "studio_2_3" else ["studio_2"]
        if version.at_least(2024, 13):
            flags = ["gamemaker_2024_13"]
        return {"flags": flags}
    if kind.chunk == "SOND":
        return {"flags": 0x65}
    return {}
