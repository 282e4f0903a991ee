"""What a game refers to by numbers: rooms and sprites in other files of its package, sounds."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from typing import Final, NamedTuple

from overhaul.ags.documents.game import GameDocument
from overhaul.ags.documents.package import PackageDocument
from overhaul.ags.documents.room import RoomDocument
from overhaul.ags.documents.sprites import SpriteSetDocument
from overhaul.ags.folder import layout, naming, references, resources
from overhaul.ags.folder.references import DeadReference
from overhaul.ags.game import uniform
from overhaul.ags.game.game import GAME_FILES, Game
from overhaul.ags.game.gui import Control
from overhaul.ags.game.kinds import CONTROLS
from overhaul.ags.game.records import GameContent
from overhaul.ags.library.package import SPRITES
from overhaul.ags.parallel import show_rows
from overhaul.ags.room.records import MainBlock
from overhaul.ags.script.model import Script
from overhaul.ags.words import words_of
from overhaul.document.protocol import Document, Siblings
from overhaul.document.reading import open_data
from overhaul.errors import OverhaulError, WorkspaceError
from overhaul.schema import Record

#: What the paths begin with of files that refer to others, or that are referred to.
PATHS: Final = (
    "characters", "inventory", "views", "rooms/", "sprites", "guis", "gui.json", "cursors",
    "audio", "assets/", "fonts/", "game.json",
)  # fmt: skip
#: What begins with these in a folder has names that scripts use.
NAMED: Final = ("characters", "inventory", "dialogs", "gui", "audio", "scripts/")
#: What begins with these in a folder changes which sounds there are, or are used.
SOUNDS: Final = ("audio", "views", "game.json")
#: What the paths begin with of things that are known by their numbers.
THINGS: Final = ("characters/", "inventory/", "cursors/", "dialogs/", "guis/", "views/")
#: How sounds are bundled, and where their files are then.
_IN_GAME, _SEPARATE = 1, 2
_SOUNDS_FILE: Final = "audio.vox"
_FILES: Final = {_IN_GAME: "assets/", _SEPARATE: f"{_SOUNDS_FILE}!"}
_FONTS: Final = (".ttf", ".wfn")


def findings(document: PackageDocument, *, had_rooms: bool = False) -> list[DeadReference]:
    """References of the game to rooms and sprites that the package does not have.

    Nothing is said of a package without sprites, or without rooms, unless it ``had_rooms`` before.
    """
    if not document.game_name:
        return []
    try:
        with document.open_inside(document.game_name) as game:
            if not isinstance(game, GameDocument) or game.game.content is None:
                return []
            known = rooms(document)
            sought = known if known or had_rooms else None
            found = _Game(game.game, game)
            return [*found.findings(sought, _sprites(document)), *found.files(_files(document))]
    except OverhaulError:
        return []


def names(document: PackageDocument) -> set[str]:
    """The names that scripts know the game's things by, and those that its scripts export; none
    where the game can't be read."""
    if not document.game_name:
        return set()
    try:
        with document.open_inside(document.game_name) as game:
            content = game.game.content if isinstance(game, GameDocument) else None
            if content is None or not isinstance(game, GameDocument):
                return set()
            stored = [
                *(person.script_name for person in content.characters),
                *resources.inventory_names(content),
                *content.dialog_script_names,
                *(gui.name for gui in content.gui.guis),
                *(clip.script_name for clip in content.audio_clips or ()),
                *(control.name for control in controls(content)),
            ]
            exported = references.functions_of(script for _, script in game.game.scripts())
            return exported | {name for name in map(game.shown, stored) if name}
    except OverhaulError:
        return set()


def controls(content: GameContent) -> Iterator[Control]:
    """The controls of all GUIs."""
    for kind in CONTROLS:
        yield from getattr(content.gui, kind.name)


def has_plugins(document: PackageDocument) -> bool:
    """Whether the game in a package has plugins, which bring names of their own."""
    with _next_to(document.neighbours, GAME_FILES) as game:
        content = game.game.content if isinstance(game, GameDocument) else None
        return content is not None and bool(content.plugins)


def scripts_of_rooms(
    document: PackageDocument, only: Collection[str] | None = None
) -> Iterator[tuple[str, Script]]:
    """The scripts of rooms that can be read, with the paths of their sources; of all, or of
    ``only`` some paths."""
    for asset in document.package:
        number = layout.room_number(asset.name)
        if number is None or asset.data is None:
            continue
        if only is not None and f"rooms/{number}/script.asc" not in only:
            continue
        try:
            with document.open_inside(asset.name) as room:
                if isinstance(room, RoomDocument) and room.room.script is not None:
                    yield f"rooms/{number}/script.asc", room.room.script
        except OverhaulError:
            continue


def names_of_room(document: PackageDocument, path: str) -> set[str]:
    """The names that the script at a path knows its room's things by; none for other scripts."""
    for asset in document.package:
        if path != f"rooms/{layout.room_number(asset.name)}/script.asc" or asset.data is None:
            continue
        try:
            with document.open_inside(asset.name) as room:
                if isinstance(room, RoomDocument):
                    tables = room.room.tables()
                    kinds = (kind for kind in naming.IN_ROOMS if kind in tables.kinds)
                    return naming.names_in_room(show_rows(tables, kinds))
        except OverhaulError:
            return set()
    return set()


class Numbered(NamedTuple):
    """The names of the things of each kind, in the order of their numbers, and the numbers of the
    views that have loops or a name, as scripts count them."""

    names: Mapping[str, Sequence[str]]
    views: Set[int]


def numbered(document: PackageDocument) -> Numbered:
    """What the game's things are numbered; nothing where the game can't be read."""
    nothing = Numbered({}, frozenset())
    if not document.game_name:
        return nothing
    try:
        with document.open_inside(document.game_name) as game:
            content = game.game.content if isinstance(game, GameDocument) else None
            if content is None or not isinstance(game, GameDocument):
                return nothing
            stored = {
                "characters": [person.script_name for person in content.characters],
                resources.INVENTORY: resources.inventory_names(content),
                "cursors": [cursor.name for cursor in content.cursors],
                "dialogs": content.dialog_script_names,
                "guis": [gui.name for gui in content.gui.guis],
                resources.VIEWS: uniform.view_names(game.game),
            }
            names = {rows: [*map(game.shown, listed)] for rows, listed in stored.items()}
            known = content.view_names or ()  # without the numbers that stand for names
            views = {
                number
                for number, view in enumerate(content.views, 1)
                if view.loops or any(known[number - 1 : number])
            }
            return Numbered(names, views)
    except OverhaulError:
        return nothing


def check_views_of_rooms(document: PackageDocument, gone: Collection[int]) -> None:
    """Raise WorkspaceError for a room that shows the player with a view which is removed."""
    for asset in document.package if gone else ():
        number = layout.room_number(asset.name)
        if number is None or asset.data is None:
            continue
        try:
            with document.open_inside(asset.name) as room:
                main = room.room.main if isinstance(room, RoomDocument) else None
        except OverhaulError:
            continue
        for word, shown in () if main is None else _shown_views(main):
            if shown in gone:
                raise WorkspaceError(
                    f"rooms/{number}/room.json: {word}: "
                    f"{shown} is the view that was removed from views"
                )


def _shown_views(main: MainBlock) -> Iterator[tuple[str, int]]:
    yield "PlayerCharacterView", main.player_special_view
    for at, view in enumerate(main.player_view):
        yield f"WalkableAreas[{at}].AreaSpecificView", view


def sounds(document: GameDocument) -> Iterator[DeadReference]:
    """References of a game to sounds that it does not have; games before 3.2 have none by number.

    What is there in an original is usual.
    """
    content = document.game.content
    clips = 0 if content is None else len(content.audio_clips or ())
    if content is None or not clips:
        return
    names = content.view_names or [""] * len(content.views)
    paths = resources.KINDS_OF["views"].paths(map(document.shown, names))
    for path, view in zip(paths, content.views, strict=False):
        for at, loop in enumerate(view.loops):
            for place, frame in enumerate(loop.frames):
                if frame.sound >= clips:
                    steps = ("Loops", at, "Frames", place, "Sound")
                    yield _no_sound(path, steps, frame.sound, clips)
    if content.score_clip >= clips:
        yield _no_sound("game.json", ("score_clip",), content.score_clip, clips)


def _no_sound(path: str, steps: tuple[str | int, ...], number: int, count: int) -> DeadReference:
    message = f"there is no sound {number}"
    return DeadReference(path, steps, message, usual=True, there=f"{count}, numbered from 0")


def rooms(document: PackageDocument) -> set[int]:
    """The numbers of the package's rooms."""
    return {
        number
        for asset in document.package
        if (number := layout.room_number(asset.name)) is not None
    }


def _files(document: PackageDocument) -> dict[int, set[str]]:
    """The names of files in small letters: of those in the package, and of the sounds next to it;
    nothing of these where they can't be read."""
    names = {_IN_GAME: {asset.name.casefold() for asset in document.package}}
    try:
        with document.open_inside(_SOUNDS_FILE) as sounds:
            if isinstance(sounds, PackageDocument):
                names[_SEPARATE] = {asset.name.casefold() for asset in sounds.package}
    except (OverhaulError, FileNotFoundError):
        return names
    return names


def defined_properties(document: PackageDocument) -> set[str]:
    """The properties that the game in a package defines, in small letters."""
    return defined_next_to(document.neighbours) or set()


def defined_next_to(siblings: Siblings | None) -> set[str] | None:
    """The properties that the game next to a file defines, in small letters; None without one."""
    with _next_to(siblings, GAME_FILES) as game:
        content = game.game.content if isinstance(game, GameDocument) else None
        schema = None if content is None else content.property_schema
        if schema is None:
            return None
        return {
            definition.name.casefold()
            for listed in (schema.definitions, schema.old_definitions)
            for definition in listed
        }


def sprites_next_to(siblings: Siblings | None) -> set[int]:
    """The numbers of the sprites in the set next to a file; none without one."""
    with _next_to(siblings, (SPRITES,)) as sprites:
        if isinstance(sprites, SpriteSetDocument):
            return {slot for slot, _ in sprites.sprites.filled()}
    return set()


@contextmanager
def _next_to(siblings: Siblings | None, names: Collection[str]) -> Iterator[Document | None]:
    """The first file of some names next to another one; None where it can't be read."""
    document = None
    if siblings is not None:
        name = next((name for name in siblings.names() if name.casefold() in names), None)
        try:
            document = None if name is None else open_data(siblings.read(name), source=name)
        except OverhaulError:
            document = None
    try:
        yield document
    finally:
        if document is not None:
            document.close()


def _sprites(document: PackageDocument) -> set[int]:
    """The numbers of the sprites."""
    asset = document.package.get(SPRITES)
    if asset is None or asset.data is None:
        return set()
    try:
        with document.open_inside(asset.name) as sprites:
            if isinstance(sprites, SpriteSetDocument):
                return {slot for slot, _ in sprites.sprites.filled()}
    except OverhaulError:
        return set()
    return set()


class _Game:
    def __init__(self, game: Game, document: GameDocument) -> None:
        self._game = game
        self._shown = document.shown

    def findings(
        self, rooms: Collection[int] | None, sprites: Collection[int]
    ) -> Iterator[DeadReference]:
        """The findings, with the paths and words of the folder; of rooms none without ``rooms``."""
        if rooms is not None:
            yield from self._starts(rooms)
        if sprites:
            yield from self._pictures(sprites)

    def files(self, names: Mapping[int, Collection[str]]) -> Iterator[DeadReference]:
        """Sounds and fonts whose files are not there; ``names`` are those of the files in small
        letters, by how sounds are bundled."""
        content = self._game.content
        if content is None:
            return
        clips = content.audio_clips or ()
        paths = self._paths("audio_clips", [clip.script_name for clip in clips])
        for path, clip in zip(paths, clips, strict=True):
            known = names.get(clip.bundling)
            if known is not None and clip.file_name and clip.file_name.casefold() not in known:
                message = f"there is no {_FILES[clip.bundling]}{self._shown(clip.file_name)}"
                yield DeadReference(path, ("FileName",), message)
        paths = self._paths("fonts", [""] * len(content.fonts or ()))
        for number, path in enumerate(paths):
            if not any(f"agsfnt{number}{ending}" in names[_IN_GAME] for ending in _FONTS):
                yield DeadReference(
                    path, (), f"there is no fonts/agsfnt{number}.ttf or .wfn for it"
                )

    def _paths(self, kind: str, names: Sequence[str]) -> list[str]:
        return resources.KINDS_OF[kind].paths(map(self._shown, names))

    def _starts(self, rooms: Collection[int]) -> Iterator[DeadReference]:
        content = self._game.content
        people = [] if content is None else content.characters
        paths = self._paths("characters", [person.script_name for person in people])
        for path, person in zip(paths, people, strict=True):
            if person.room > 0 and person.room not in rooms:
                yield DeadReference(path, ("StartingRoom",), f"there is no rooms/{person.room}")

    def _pictures(self, sprites: Collection[int]) -> Iterator[DeadReference]:
        """Sprites of items, cursors, GUIs with their controls, and views."""
        for path, steps, record in self._with_pictures():
            for field, word in words_of(type(record)).items():
                number = getattr(record, field) if word.to == "sprites" else 0
                if number > 0 and number not in sprites:
                    (name,) = (field,) if path == resources.GUI_JSON else word.hints()
                    yield DeadReference(path, (*steps, name), naming.no_sprite(number))

    def _with_pictures(self) -> Iterator[tuple[str, tuple[str | int, ...], Record]]:
        """(file, steps, record) of all that may have pictures."""
        content = self._game.content
        if content is None:
            return
        items = self._paths("inventory", resources.inventory_names(content))
        for path, item in zip(items, content.inventory, strict=True):
            yield path, (), item
        paths = self._paths("cursors", [cursor.name for cursor in content.cursors])
        for path, cursor in zip(paths, content.cursors, strict=True):
            yield path, (), cursor
        yield from self._guis(content)
        names = content.view_names or [""] * len(content.views)
        for path, view in zip(self._paths("views", names), content.views, strict=False):
            for at, loop in enumerate(view.loops):
                for place, frame in enumerate(loop.frames):
                    yield path, ("Loops", at, "Frames", place), frame

    def _guis(self, content: GameContent) -> Iterator[tuple[str, tuple[str | int, ...], Record]]:
        """The same of GUIs and their controls, which have files where they are in order."""
        section = content.gui
        lists = [getattr(section, kind.name) for kind in CONTROLS]
        used = (gui.control_references[: gui.control_count] for gui in section.guis)
        places = resources.places_of_controls(
            used, {kind: len(listed) for kind, listed in enumerate(lists, 1)}
        )
        files = self._paths("guis", [gui.name for gui in section.guis])
        for number, gui in enumerate(section.guis):
            if places is None:
                yield resources.GUI_JSON, ("guis", number), gui
            else:
                yield files[number], (), gui
        for type_number, (kind, listed) in enumerate(zip(CONTROLS, lists, strict=True), 1):
            for number, control in enumerate(listed):
                if places is None:
                    yield resources.GUI_JSON, (kind.name, number), control
                else:
                    gui_number, place = places[type_number, number]
                    yield files[gui_number], ("Controls", place), control
