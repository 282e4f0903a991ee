"""The chunks of a data.win, one module for each."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from overhaul.schema import Record


class ChunkKind(NamedTuple):
    """Where a chunk's declaration is, and how the game calls its content.

    ``attribute`` is the game's attribute; ``items`` the record's list that it shows, if it is a
    list of resources; ``word`` what people call one of them; ``folder`` where they are unpacked.
    """

    module: str
    record: str
    attribute: str
    items: str = ""
    word: str = ""

    def load(self) -> type[Record]:
        """The record class of the chunk's content (imported on first use)."""
        found: type[Record] = getattr(import_module(f"{__name__}.{self.module}"), self.record)
        return found


CHUNKS: dict[str, ChunkKind] = {
    "GEN8": ChunkKind("gen8", "GeneralInfo", "general"),
    "OPTN": ChunkKind("optn", "Options", "options"),
    "LANG": ChunkKind("lang", "LanguageInfo", "languages"),
    "EXTN": ChunkKind("extn", "ExtensionList", "extensions", "extensions", "extension"),
    "SOND": ChunkKind("sond", "SoundList", "sounds", "sounds", "sound"),
    "AGRP": ChunkKind("agrp", "AudioGroupList", "audio_groups", "groups", "audio group"),
    "SPRT": ChunkKind("sprt", "SpriteList", "sprites", "sprites", "sprite"),
    "BGND": ChunkKind("bgnd", "BackgroundList", "backgrounds", "backgrounds", "background"),
    "PATH": ChunkKind("path", "PathList", "paths", "paths", "path"),
    "SCPT": ChunkKind("scpt", "ScriptList", "scripts", "scripts", "script"),
    "GLOB": ChunkKind("glob", "CodeList", "global_init"),
    "GMEN": ChunkKind("glob", "CodeList", "game_end"),
    "SHDR": ChunkKind("shdr", "ShaderList", "shaders", "shaders", "shader"),
    "FONT": ChunkKind("font", "FontList", "fonts", "fonts", "font"),
    "TMLN": ChunkKind("tmln", "TimelineList", "timelines", "timelines", "timeline"),
    "OBJT": ChunkKind("objt", "ObjectList", "objects", "objects", "object"),
    "FEDS": ChunkKind("feds", "EffectDefinitionList", "effects", "effects", "effect"),
    "ACRV": ChunkKind("acrv", "AnimationCurveList", "curves", "curves", "animation curve"),
    "SEQN": ChunkKind("seqn", "SequenceList", "sequences", "sequences", "sequence"),
    "TAGS": ChunkKind("tags", "TagList", "tags"),
    "ROOM": ChunkKind("room", "RoomList", "rooms", "rooms", "room"),
    "UILR": ChunkKind("uilr", "NodeList", "ui_layers"),
    "DAFL": ChunkKind("dafl", "DataFiles", "data_files"),
    "EMBI": ChunkKind("embi", "EmbeddedImageList", "embedded_images", "images", "embedded image"),
    "PSEM": ChunkKind("psem", "ParticleEmitterList", "emitters", "emitters", "particle emitter"),
    "PSYS": ChunkKind(
        "psem", "ParticleSystemList", "particle_systems", "systems", "particle system"
    ),
    "TPAG": ChunkKind("tpag", "TexturePageItemList", "texture_items", "items", "texture page item"),
    "TGIN": ChunkKind("tgin", "TextureGroupList", "texture_groups", "groups", "texture group"),
    "CODE": ChunkKind("code", "CodeChunk", "code", "entries", "code entry"),
    "VARI": ChunkKind("vari", "VariableList", "variables", "variables", "variable"),
    "FUNC": ChunkKind("func", "FunctionList", "functions", "functions", "function"),
    "FEAT": ChunkKind("feat", "FeatureFlags", "feature_flags"),
    "STRG": ChunkKind("strg", "StringList", "strings"),
    "TXTR": ChunkKind("txtr", "TextureList", "textures", "pages", "texture page"),
    "AUDO": ChunkKind("audo", "AudioList", "audio", "audio", "sound data"),
}
