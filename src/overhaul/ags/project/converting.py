"""A compiled game as the folder of a project, which the editor opens.

Rooms, sprites, fonts and sounds are the game's own files; ``Game.agf`` and the scripts are made.
``RECOVERED.md`` says what compiling lost, and what stands in its place.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Final, NamedTuple

from overhaul.ags.agf.built import Scripts
from overhaul.ags.decompiler.game import declared_by
from overhaul.ags.documents.game import GameDocument
from overhaul.ags.documents.package import PackageDocument, is_voices, speech_name
from overhaul.ags.documents.room import RoomDocument
from overhaul.ags.documents.sprites import SpriteSetDocument
from overhaul.ags.documents.translation import TranslationDocument
from overhaul.ags.library.package import SPRITES
from overhaul.ags.project import recovered
from overhaul.ags.project.elements import Value
from overhaul.ags.project.order import order_things
from overhaul.ags.project.project import ProjectParts, editor_version, project_of
from overhaul.ags.project.proving import compiled, declared_things, sees_old_audio
from overhaul.ags.project.resources import text
from overhaul.ags.project.scripts import Sources, places_of, scripts_of, sources_of
from overhaul.ags.project.setup_file import FILE as SETUP
from overhaul.ags.project.setup_file import setup_in
from overhaul.ags.project.tree import GameTree
from overhaul.ags.properties import TextMap
from overhaul.ags.room.room import Room
from overhaul.ags.sprites import SpriteSet
from overhaul.ags.text import encode, show
from overhaul.ags.translating import escape, settings_in
from overhaul.ags.translation import GAME_ID, GameIdBlock
from overhaul.ags.versions import GAME_AGS4
from overhaul.document.files import write_into
from overhaul.document.protocol import Document
from overhaul.document.xmltext import XmlFile, XmlNode, without_controls, write_xml
from overhaul.errors import FormatError, OverhaulError

_AGF: Final = "Game.agf"
_ROOM: Final = re.compile(r"room(\d+)\.crm", re.IGNORECASE)
_SOUND: Final = re.compile(r"au[0-9A-Fa-f]{6}\.\w+", re.IGNORECASE)
_SOUNDS = "audio.vox"
_TRANSLATION: Final = ".tra"
#: The last data version before the editor had projects in this form.
_BEFORE_PROJECTS: Final = 33
#: Files of a package that a project has under their own names.
_KEPT: Final = re.compile(r"acsprset\.spr|sprindex\.dat|agsfnt\d+\.\w+|preload\.pcx", re.IGNORECASE)
#: Files that the editor makes.
_MADE: Final = re.compile(r"game28\.dta|.*\.cfg|syncdata\.dat", re.IGNORECASE)
_OWN_DATA: Final = "CustomData"
#: The bytes of a name that the game's data has before 3.6.1.14.
_NAME_ROOM: Final = 49

Read = Callable[[], bytes]


class Converted(NamedTuple):
    """A project: its files by their paths, and what compiling lost, by sentences.

    ``scripts`` are its scripts, compiled again; ``missing`` are the functions that no script of the
    project has, as they could not be read, with the reason.
    """

    files: dict[str, Read]
    report: list[str]
    version: str
    scripts: Scripts
    missing: list[str]

    @property
    def is_whole(self) -> bool:
        """Whether all scripts compile, with all their functions."""
        return not self.scripts.failed and not self.missing

    @property
    def doubts(self) -> int:
        """How many scripts and functions are not those of the game."""
        return len(self.scripts.failed) + len(self.missing) + len(self.scripts.different)


def convert(document: Document) -> Converted:
    """The project of a compiled game: a package, or game data.

    Raises FormatError for another document, for a game of before 3.0, which has no such project,
    and for one of AGS 4, whose projects are not known.
    """
    if isinstance(document, PackageDocument):
        document = document.taken_apart()
    game = _convertible(document)
    inside = dict(_inside(document))
    tree = GameTree(document)
    setup = _setup(document)
    made = _converted(game, inside, tree, setup)
    if not made.doubts:
        return made
    ways = [(True, False)]
    if declared_by(game.game).is_loose:
        ways += [(False, True), (True, True)]
    for apart, as_given in ways:
        if made.doubts:
            other = _converted(game, inside, tree, setup, apart=apart, as_given=as_given)
            made = other if other.doubts < made.doubts else made
    return made


def _converted(
    game: GameDocument,
    inside: Mapping[str, Read],
    tree: GameTree,
    setup: Mapping[str, Value],
    *,
    apart: bool = False,
    as_given: bool = False,
) -> Converted:
    """The project of a game; ``apart`` and ``as_given`` say how its scripts are read, ``setup`` is
    what its setup file says."""
    rooms, report = _rooms(inside)
    sources = sources_of(game.game, rooms, _known_names(tree), apart=apart, as_given=as_given)
    translations = [name for name in inside if name.casefold().endswith(_TRANSLATION)]
    parts = _parts(game, sources, _sprites(inside), map(_stem, translations), tree.package_name)
    parts.setup = setup
    parts.rooms = [int(found[1]) for name in inside if (found := _ROOM.fullmatch(name))]
    name = parts.name
    project = project_of(tree, parts)
    _restore_name(project.root, game, {name: inside[name] for name in translations})
    lost = without_controls(project.root)
    left_out = "control characters, and bytes that are not letters, are left out"
    report += [f"{tag}: {left_out}" for tag in lost]
    files: dict[str, Read] = {_AGF: lambda: write_xml(project)}
    packed = [name.rpartition("/")[2] for name in inside]
    places = places_of(game.game)
    new_audio = project.root.find("Game/Settings/EnforceNewAudio")
    if new_audio is not None and sees_old_audio(files, places):
        new_audio.text = "False"
    order_things(project.root, declared_things(files), places, packed)
    files |= _script_files(sources)
    files |= dict(_kept_files(inside))
    for translation in translations:
        files[f"{_stem(translation)}.trs"] = _lines(inside[translation], translation)
    version = editor_version(game.game.header.compiled_with)
    scripts = compiled(files, scripts_of(game.game, rooms))
    text = recovered.text(name, version, sources, scripts, report)
    files[recovered.FILE] = lambda: text.encode("utf-8", "backslashreplace")  # bytes of no letter
    return Converted(files, report, version, scripts, sources.failures)


def project_to_compare(document: Document) -> XmlFile:
    """The project of a compiled game without its rooms and sprites.  Raises as :func:`convert`."""
    game = _convertible(document)
    tree = GameTree(game)
    sources = sources_of(game.game, {}, _known_names(tree))
    made = project_of(tree, _parts(game, sources, SpriteSet(), ()))
    without_controls(made.root)
    return made


def _convertible(document: Document) -> GameDocument:
    """The data of a game that can be converted.  Raises FormatError."""
    game = _game_of(document)
    if game.game.version < _BEFORE_PROJECTS or game.game.content is None:
        raise FormatError(
            "a game before 3.0 has no project of this form: the editor opens its ac2game.dta",
            source=document.source,
        )
    if game.game.version >= GAME_AGS4:
        raise FormatError("projects of AGS 4 are not known", source=document.source)
    return game


def _parts(
    game: GameDocument,
    sources: Sources,
    sprites: SpriteSet,
    translations: Iterable[str],
    name: str = "",
) -> ProjectParts:
    """The parts of a project; ``name`` is that of the game's files (without: the game's)."""
    content, settings = game.game.content, game.game.settings
    shown = partial(show, encoding=game.encoding)
    about = game.game.blocks.find("v363_gameinfo", TextMap)
    return ProjectParts(
        name=_file_name(game.shown(name or ("" if settings is None else settings.name))),
        encoding=game.encoding,
        sprites=sprites,
        sprite_flags=b"" if content is None else content.sprite_flags,
        scripts=sources.scripts,
        dialogs={number: shown(lines) for number, lines in sources.dialogs.items()},
        variables=[
            {key: shown(value) if isinstance(value, str) else value for key, value in row.items()}
            for row in sources.variables
        ],
        translations=list(translations),
        old_audio=sources.old_audio,
        information=(
            {} if about is None else {entry.key: shown(entry.value) for entry in about.entries}
        ),
    )


def write_project(made: Converted, folder: str | os.PathLike[str], *, force: bool = False) -> None:
    """Write a project, all or nothing.  Raises FileExistsError without ``force``."""
    write_into(os.fspath(folder), made.files, force=force)


def _game_of(document: Document) -> GameDocument:
    inner = document
    if isinstance(document, PackageDocument) and document.game_name:
        inner = document.game
    if not isinstance(inner, GameDocument):
        raise FormatError(
            f"expected a game of Adventure Game Studio, got {document.kind}", source=document.source
        )
    return inner


def _setup(document: Document) -> dict[str, Value]:
    """The setup file of a game: next to its package, or in it."""
    if not isinstance(document, PackageDocument):
        return {}
    try:
        return setup_in(document.read(SETUP))
    except FileNotFoundError:
        return {}


def _inside(document: Document) -> Iterator[tuple[str, Read]]:
    """The files of a game, those in its packages of sounds and speech too."""
    if not isinstance(document, PackageDocument):
        return
    for name in document.inside():
        if is_voices(name):
            voices = document.open_inside(name)
            chosen = speech_name(name)
            folder = "" if name.casefold() == _SOUNDS else "Speech/"
            folder += f"{chosen}/" if chosen else ""
            if isinstance(voices, PackageDocument):
                for asset in voices.package:
                    yield folder + asset.name, asset.read
            continue
        yield name, partial(document.read, name)


def _rooms(inside: Mapping[str, Read]) -> tuple[dict[int, Room], list[str]]:
    """The rooms by their numbers, and what can't be read of them."""
    rooms: dict[int, Room] = {}
    report: list[str] = []
    for name, read in inside.items():
        found = _ROOM.fullmatch(name)
        if found is None:
            continue
        try:
            rooms[int(found[1])] = RoomDocument.from_bytes(read(), source=name).room
        except OverhaulError as error:
            report.append(f"{name}: {error}")
    return rooms, report


def _sprites(inside: Mapping[str, Read]) -> SpriteSet:
    for name, read in inside.items():
        if name.casefold() == SPRITES:
            return SpriteSetDocument.from_bytes(read(), source=name).sprites
    return SpriteSet()


def _known_names(tree: GameTree) -> set[str]:
    """The names that the editor declares before all scripts: those of the game's things."""
    names: set[str] = set()
    for folder, key in (
        ("characters", "ScriptName"),
        ("inventory", "Name"),
        ("dialogs", "Name"),
        ("guis", "Name"),
        ("audio_clips", "ScriptName"),
        ("views", "Name"),
    ):
        names |= {text(thing.get(key)) for thing in tree.things(folder)}
    for gui in tree.things("guis"):
        controls = gui.get("Controls")
        for control in controls if isinstance(controls, list) else []:
            names.add(text(control.get("Name")))
    for _, room in tree.rooms():
        for listed, key in (("Objects", "ScriptName"), ("Objects", "Name"), ("Hotspots", "Name")):
            things = room.get(listed)
            names |= (
                {text(thing.get(key)) for thing in things if isinstance(thing, dict)}
                if (isinstance(things, list))
                else set()
            )
    return names - {""}


def _script_files(sources: Sources) -> Iterator[tuple[str, Read]]:
    """The scripts; their texts are in the encoding of the game, as the editor reads them."""
    for script in sources.scripts:
        yield f"{script.name}.ash", partial(encode, script.header)
        yield f"{script.name}.asc", partial(encode, script.text)
    for number, source in sources.rooms.items():
        yield f"room{number}.asc", partial(encode, source)


def _kept_files(inside: Mapping[str, Read]) -> Iterator[tuple[str, Read]]:
    """The files that a project has as the game has them."""
    for name, read in inside.items():
        base = name.replace("\\", "/").rpartition("/")[2]
        if name.startswith("Speech/") or _ROOM.fullmatch(name) or _KEPT.fullmatch(name):
            yield name, read
        elif _SOUND.fullmatch(name):
            yield f"AudioCache/{name}", read
        elif not _MADE.fullmatch(base) and not base.casefold().endswith(_TRANSLATION):
            yield f"{_OWN_DATA}/{base}", read


def _restore_name(project: XmlNode, game: GameDocument, translations: Mapping[str, Read]) -> None:
    """Give the project the whole name of the game, where the game's data has only its beginning.

    Each translation says it.
    """
    node = project.find("Game/Settings/GameName")
    settings = game.game.settings
    if node is None or settings is None or len(encode(settings.name)) < _NAME_ROOM:
        return
    for name, read in translations.items():
        translation = TranslationDocument.from_bytes(read(), source=name).translation
        block = translation.blocks.find(GAME_ID, GameIdBlock)
        if block is not None and encode(block.game_name).startswith(encode(settings.name)):
            node.text = show(block.game_name, encoding=game.encoding)
            return


def _lines(read: Read, name: str) -> Read:
    """The source of a translation: its settings, then texts and translations line by line."""

    def lines() -> bytes:
        document = TranslationDocument.from_bytes(read(), source=name)
        settings = settings_in(document.translation, document.declared_encoding() or "")
        said = settings.lines()
        if settings.language:
            said["Language"] = settings.language
        made = [f"//#{key}={value}" for key, value in said.items()]
        for pair in document.translation.pairs:
            made += (escape(pair.source), escape(pair.text))
        return encode("".join(f"{line}\r\n" for line in made))

    return lines


def _stem(name: str) -> str:
    return name.replace("\\", "/").rpartition("/")[2].rpartition(".")[0]


def _file_name(name: str) -> str:
    """A name for the game's files."""
    return re.sub(r'[\\/:*?"<>|\x00-\x1f]+', "", name).strip(" .") or "game"


__all__ = ["Converted", "convert", "write_project"]
