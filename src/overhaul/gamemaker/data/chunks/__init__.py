"""The chunks of a data.win: one module for each, and the table of them all.

:class:`ChunkAttributes` and :class:`ChunkRecords` are the table: a line for each chunk states its
name in the file, the attribute of :class:`~overhaul.gamemaker.data.game.GameData` or of its
``records``, the type of its content and its record, and for a list of resources the field that
holds it and what one of them is called.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, Generic, Protocol, TypeVar, cast

from overhaul.gamemaker.data.references import NamedList
from overhaul.gamemaker.data.strings import StringTable

if TYPE_CHECKING:
    from overhaul.gamemaker.data.chunks.code import CodeEntry
    from overhaul.gamemaker.data.chunks.extn import Extension
    from overhaul.gamemaker.data.chunks.font import Font
    from overhaul.gamemaker.data.chunks.func import CodeList, Function, Script, Variable
    from overhaul.gamemaker.data.chunks.gen8 import GeneralInfo
    from overhaul.gamemaker.data.chunks.objt import GameObject, Timeline
    from overhaul.gamemaker.data.chunks.optn import (
        DataFiles,
        EffectDefinition,
        FeatureFlags,
        LanguageInfo,
        Options,
        TagList,
    )
    from overhaul.gamemaker.data.chunks.psem import ParticleEmitter, ParticleSystem
    from overhaul.gamemaker.data.chunks.room import Room
    from overhaul.gamemaker.data.chunks.seqn import AnimationCurve, Path, Sequence
    from overhaul.gamemaker.data.chunks.shdr import Shader
    from overhaul.gamemaker.data.chunks.sond import Audio, AudioGroupEntry, Sound
    from overhaul.gamemaker.data.chunks.sprt import Sprite
    from overhaul.gamemaker.data.chunks.txtr import (
        Background,
        EmbeddedImage,
        TextureGroup,
        TexturePage,
        TexturePageItem,
    )
    from overhaul.gamemaker.data.chunks.uilr import NodeList
    from overhaul.schema import Record

T = TypeVar("T")

#: chunks that begin with a version, at a multiple of 4
_VERSIONED = frozenset({"ACRV", "SEQN", "FEDS", "PSEM", "PSYS"})
#: chunks that always begin with a version
_NUMBERED = frozenset({"TGIN", "EMBI"})
#: the kinds of chunks declared below
_FOUND: dict[str, ChunkType] = {}


class Holder(Protocol):
    """The owner of the attributes below: a game, or its records."""

    def record(self, name: str) -> Any:
        """The decoded content of a chunk; None where there is none."""

    def named(self, name: str) -> NamedList[Any]:
        """The list of a chunk's resources."""


class Game(Holder, Protocol):
    """The game of a string table."""

    source: str | None
    no_strings: StringTable


class ChunkType:
    """A kind of chunk: where its record is declared, and what the game calls its content.

    ``items`` is the record's list of resources, if that is what it holds; ``title`` what one of
    them is called.  ``since`` is the first release whose files have the chunk (None: only some
    files do), ``lts`` whether those of the 2022 LTS branch have it (specification, section 1.3).
    """

    attribute: str

    def __init__(
        self,
        name: str,
        record: str,
        items: str = "",
        title: str = "",
        *,
        since: tuple[int, ...] | None = (1,),
        lts: bool = True,
    ) -> None:
        self.name = name
        self._record = record
        self.items = items
        self.title = title
        self.since = since
        self.lts = lts

    def __set_name__(self, owner: type, attribute: str) -> None:
        self.attribute = attribute
        _FOUND[self.name] = self

    def list_start(self, start: int) -> int:
        """Where the chunk's list begins, for content that begins at ``start``."""
        if self.name in _VERSIONED:
            return start + -start % 4 + 4
        return start + 4 if self.name in _NUMBERED else start

    def load(self) -> type[Record]:
        """The record class of the chunk's content (imported on first use)."""
        module, _, record = self._record.partition(":")
        return cast("type[Record]", getattr(import_module(f"{__name__}.{module}"), record))


class Content(ChunkType, Generic[T]):
    """An attribute that is the content of a chunk; None where the file has none."""

    def __get__(self, game: Holder, owner: type) -> T:
        return cast("T", game.record(self.name))


class Resources(ChunkType, Generic[T]):
    """An attribute that is the list of a chunk's resources; empty where the file has none."""

    def __get__(self, game: Holder, owner: type) -> NamedList[T]:
        return game.named(self.name)


class Strings(ChunkType):
    """The attribute that is the string table; an empty one where the compiler was stopped before
    it wrote the strings."""

    def __get__(self, game: Game, owner: type) -> StringTable:
        record = game.record(self.name)
        return game.no_strings if record is None else cast("StringTable", record.strings)


class ChunkAttributes:
    """The chunks of a game that are its attributes: ``game.general``, ``game.strings``, ..."""

    general: Content[GeneralInfo] = Content("GEN8", "gen8:GeneralInfo")
    options: Content[Options | None] = Content("OPTN", "optn:Options")
    languages: Content[LanguageInfo | None] = Content(
        "LANG", "optn:LanguageInfo", since=(1, 0, 0, 1700)
    )
    global_init: Content[CodeList | None] = Content("GLOB", "func:CodeList", since=(1, 0, 0, 1700))
    game_end: Content[CodeList | None] = Content("GMEN", "func:CodeList", since=None)
    effects: Resources[EffectDefinition] = Resources(
        "FEDS", "optn:EffectDefinitionList", "effects", "effect", since=(2, 3, 6)
    )
    tags: Content[TagList | None] = Content("TAGS", "optn:TagList", since=(2, 3))
    ui_layers: Content[NodeList | None] = Content(
        "UILR", "uilr:NodeList", since=(2024, 13), lts=False
    )
    data_files: Content[DataFiles | None] = Content("DAFL", "optn:DataFiles")
    texture_items: Resources[TexturePageItem] = Resources(
        "TPAG", "txtr:TexturePageItemList", "items", "texture page item"
    )
    variables: Resources[Variable] = Resources("VARI", "func:VariableList", "variables", "variable")
    functions: Resources[Function] = Resources("FUNC", "func:FunctionList", "functions", "function")
    feature_flags: Content[FeatureFlags | None] = Content(
        "FEAT", "optn:FeatureFlags", since=(2022, 8)
    )
    strings: Strings = Strings("STRG", "strg:StringList", "strings", "string")
    textures: Resources[TexturePage] = Resources(
        "TXTR", "txtr:TextureList", "pages", "texture page"
    )
    audio: Resources[Audio] = Resources("AUDO", "sond:AudioList", "audio", "sound data")


class ChunkRecords:
    """The records of a game's resources, as they are in the file: ``game.records.sprites``, ..."""

    def __init__(self, game: Holder) -> None:
        self._game = game

    def record(self, name: str) -> Any:
        """The decoded content of a chunk; None where there is none."""
        return self._game.record(name)

    def named(self, name: str) -> NamedList[Any]:
        """The list of a chunk's resources."""
        return self._game.named(name)

    extensions: Resources[Extension] = Resources(
        "EXTN", "extn:ExtensionList", "extensions", "extension"
    )
    sounds: Resources[Sound] = Resources("SOND", "sond:SoundList", "sounds", "sound")
    audio_groups: Resources[AudioGroupEntry] = Resources(
        "AGRP", "sond:AudioGroupList", "groups", "audio group", since=(1, 0, 0, 1500)
    )
    sprites: Resources[Sprite] = Resources("SPRT", "sprt:SpriteList", "sprites", "sprite")
    backgrounds: Resources[Background] = Resources(
        "BGND", "txtr:BackgroundList", "backgrounds", "background"
    )
    paths: Resources[Path] = Resources("PATH", "seqn:PathList", "paths", "path")
    scripts: Resources[Script] = Resources("SCPT", "func:ScriptList", "scripts", "script")
    shaders: Resources[Shader] = Resources(
        "SHDR", "shdr:ShaderList", "shaders", "shader", since=(1, 0, 0, 1044)
    )
    fonts: Resources[Font] = Resources("FONT", "font:FontList", "fonts", "font")
    timelines: Resources[Timeline] = Resources("TMLN", "objt:TimelineList", "timelines", "timeline")
    objects: Resources[GameObject] = Resources("OBJT", "objt:ObjectList", "objects", "object")
    curves: Resources[AnimationCurve] = Resources(
        "ACRV", "seqn:AnimationCurveList", "curves", "animation curve", since=(2, 3)
    )
    sequences: Resources[Sequence] = Resources(
        "SEQN", "seqn:SequenceList", "sequences", "sequence", since=(2, 3)
    )
    rooms: Resources[Room] = Resources("ROOM", "room:RoomList", "rooms", "room")
    emitters: Resources[ParticleEmitter] = Resources(
        "PSEM",
        "psem:ParticleEmitterList",
        "emitters",
        "particle emitter",
        since=(2023, 2),
        lts=False,
    )
    particle_systems: Resources[ParticleSystem] = Resources(
        "PSYS", "psem:ParticleSystemList", "systems", "particle system", since=(2023, 2), lts=False
    )
    embedded_images: Resources[EmbeddedImage] = Resources(
        "EMBI", "txtr:EmbeddedImageList", "images", "embedded image", since=(2,)
    )
    texture_groups: Resources[TextureGroup] = Resources(
        "TGIN", "txtr:TextureGroupList", "groups", "texture group", since=(2, 2, 1)
    )
    code: Resources[CodeEntry] = Resources("CODE", "code:CodeChunk", "entries", "code entry")


_ORDER = """
GEN8 OPTN LANG EXTN SOND AGRP SPRT BGND PATH SCPT GLOB GMEN SHDR FONT TMLN OBJT FEDS ACRV SEQN
TAGS ROOM UILR DAFL EMBI PSEM PSYS TPAG TGIN CODE VARI FUNC FEAT STRG TXTR AUDO
"""
#: every chunk that Overhaul reads, by its name, in the order of the file
CHUNKS: dict[str, ChunkType] = {name: _FOUND[name] for name in _ORDER.split()}


#: asset kinds of the language tools, and the chunks their lists are in
KIND_CHUNKS: Final = {
    "object": "OBJT",
    "sprite": "SPRT",
    "sound": "SOND",
    "room": "ROOM",
    "background": "BGND",
    "path": "PATH",
    "script": "SCPT",
    "font": "FONT",
    "timeline": "TMLN",
    "shader": "SHDR",
    "sequence": "SEQN",
    "animation_curve": "ACRV",
    "particle_system": "PSYS",
}
