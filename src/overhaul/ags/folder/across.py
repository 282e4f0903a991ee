"""References by number from a game to other files: rooms and sprites of its package, sounds."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager, suppress
from typing import Final, NamedTuple, TypeVar

from overhaul.ags.documents.game import GameDocument
from overhaul.ags.documents.package import PackageDocument
from overhaul.ags.documents.room import RoomDocument
from overhaul.ags.documents.sprites import SpriteSetDocument
from overhaul.ags.folder import layout, naming, references, resources
from overhaul.ags.folder.references import DeadReference
from overhaul.ags.game.game import GAME_FILES
from overhaul.ags.game.kinds import CONTROLS
from overhaul.ags.game.resources import Loop, View
from overhaul.ags.library.package import SPRITES
from overhaul.ags.parallel import Thing, things_of
from overhaul.ags.room.records import MainBlock
from overhaul.ags.script.model import Script
from overhaul.ags.text import decode
from overhaul.ags.words import words_of
from overhaul.document.protocol import Document, Siblings
from overhaul.document.reading import open_data
from overhaul.errors import OverhaulError, WorkspaceError
from overhaul.schema import Record

T = TypeVar("T")
#: The source of a room's script.
_SCRIPT: Final = "script.asc"
#: The beginnings of the paths of files that refer to others, or that are referred to.
PATHS: Final = (
    "characters", "inventory", "views", "rooms/", "sprites", "guis", "gui.json", "cursors",
    "audio", "assets/", "fonts/", "game.json",
)  # fmt: skip
#: What begins with these in a folder has names that scripts use.
NAMED: Final = ("characters", "inventory", "dialogs", "gui", "audio", "scripts/")
#: A path in a folder with this beginning changes which sounds exist, or are used.
SOUNDS: Final = ("audio", "views", "game.json")
#: The beginnings of the paths of things that are known by their numbers.
THINGS: Final = ("characters/", "inventory/", "cursors/", "dialogs/", "guis/", "views/")
#: How sounds are bundled, and where their files are then.
_IN_GAME, _SEPARATE = 1, 2
_SOUNDS_FILE: Final = "audio.vox"
_FILES: Final = {_IN_GAME: "assets/", _SEPARATE: f"{_SOUNDS_FILE}!"}
_FONTS: Final = (".ttf", ".wfn")
_PATH: Final = re.compile(r"[/\\\\!]")
_CALLED: Final = re.compile(r"([A-Za-z_]\w*)\s*\(")


def findings(
    document: PackageDocument, *, had_rooms: bool = False, had_sprites: bool = False
) -> list[DeadReference]:
    """References of the game to rooms and sprites that the package does not have.

    Nothing is said of a package without sprites, or without rooms, unless it ``had_sprites`` or
    ``had_rooms`` before.
    """
    known = rooms(document)
    sought = known if known or had_rooms else None

    def found(game: GameDocument) -> list[DeadReference]:
        starts = () if sought is None else _starts(game, sought)
        shown = sprites(document)
        pictures = _without_picture(game, shown) if shown or had_sprites else ()
        return [*starts, *pictures, *_without_file(game, _files(document))]

    return _of_game(document, found, [])


def _of_game(document: PackageDocument, ask: Callable[[GameDocument], T], nothing: T) -> T:
    """The facts about the game of a package; ``nothing`` where it can't be read."""
    if document.game_name:
        with suppress(OverhaulError), document.open_inside(document.game_name) as game:
            if isinstance(game, GameDocument) and game.game.content is not None:
                return ask(game)
    return nothing


def _rooms_of(
    document: PackageDocument, only: Collection[str] | None = None
) -> Iterator[tuple[str, RoomDocument]]:
    """The rooms that can be read, with the folder of each; of all, or of ``only`` some folders."""
    for asset in document.package:
        number = layout.room_number(asset.name)
        folder = f"rooms/{number}/"
        if number is None or asset.data is None or (only is not None and folder not in only):
            continue
        with suppress(OverhaulError), document.open_inside(asset.name) as room:
            if isinstance(room, RoomDocument):
                yield folder, room


def names(document: PackageDocument) -> set[str]:
    """The names that scripts know the game's things by, and those that its scripts export; none
    where the game can't be read."""

    def found(game: GameDocument) -> set[str]:
        scripts = (script for _, script in game.game.scripts())
        return references.names_of(_things(game)) | references.functions_of(scripts)

    return _of_game(document, found, set())


def _things(document: GameDocument) -> references.Things:
    return references.Things(document.game.tables(), document.encoding)


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
    folders = None if only is None else {path.removesuffix(_SCRIPT) for path in only}
    for folder, room in _rooms_of(document, folders):
        if room.room.script is not None:
            yield f"{folder}{_SCRIPT}", room.room.script


def names_of_room(document: PackageDocument, path: str) -> set[str]:
    """The names that the script at a path knows its room's things by; none for other scripts."""
    return {
        name
        for _, room in _rooms_of(document, [path.removesuffix(_SCRIPT)])
        for name in naming.names_in_room(references.Things(room.room.tables(), room.encoding))
    }


class Numbered(NamedTuple):
    """The names of the things of each kind, in the order of their numbers, and the numbers of the
    views that have loops or a name, as scripts count them."""

    names: Mapping[str, Sequence[str]]
    views: Set[int]


def numbered(document: PackageDocument) -> Numbered:
    """The numbers of the game's things; empty if the game can't be read."""

    def found(game: GameDocument) -> Numbered:
        things = _things(game)
        views = {
            number
            for number, view in enumerate(things("views"), 1)
            if view.get("loops") or view.text("name")
        }
        return Numbered(references.numbered(things), views)

    return _of_game(document, found, Numbered({}, frozenset()))


def check_views_of_rooms(document: PackageDocument, gone: Collection[int]) -> None:
    """Raise WorkspaceError for a room that shows the player with a view which is removed."""
    for folder, room in _rooms_of(document) if gone else ():
        for word, shown in () if room.room.main is None else _shown_views(room.room.main):
            if shown in gone:
                raise WorkspaceError(
                    f"{folder}room.json: {word}: {shown} is the view that was removed from views"
                )


def _shown_views(main: MainBlock) -> Iterator[tuple[str, int]]:
    yield "PlayerCharacterView", main.player_special_view
    for at, view in enumerate(main.player_view):
        yield f"WalkableAreas[{at}].AreaSpecificView", view


def sounds(document: GameDocument) -> Iterator[DeadReference]:
    """References of a game to sounds that it does not have; games before 3.2 have none by number.

    References that an original already breaks are accepted.
    """
    content = document.game.content
    clips = 0 if content is None else len(content.audio_clips or ())
    if content is None or not clips:
        return
    for path, loops in _loops(document):
        for at, loop in enumerate(loops):
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
        if isinstance(game, GameDocument) and game.game.content is not None:
            return naming.defined(game.game)
    return None


def sprites_next_to(siblings: Siblings | None) -> set[int]:
    """The numbers of the sprites in the set next to a file; none without one."""
    with _next_to(siblings, (SPRITES,)) as sprites:
        if isinstance(sprites, SpriteSetDocument):
            return {slot for slot, _ in sprites.sprites.filled()}
    return set()


def functions_next_to(siblings: Siblings | None, room: str) -> set[str]:
    """The words before brackets in the script of a room's project, which is next to it; none
    without one.  ``room`` is where the room comes from (``Game.agf!room1.crm``)."""
    stem = _PATH.split(room)[-1].casefold().removesuffix(".crm")
    if siblings is None:
        return set()
    for name in siblings.names():
        if name.casefold() == f"{stem}.asc":
            return set(_CALLED.findall(decode(siblings.read(name))))
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


def sprites(document: PackageDocument) -> set[int]:
    """The numbers of the package's sprites; none where they can't be read."""
    asset = document.package.get(SPRITES)
    if asset is None or asset.data is None:
        return set()
    try:
        with document.open_inside(asset.name) as stored:
            if isinstance(stored, SpriteSetDocument):
                return {slot for slot, _ in stored.sprites.filled()}
    except OverhaulError:
        return set()
    return set()


def _starts(game: GameDocument, rooms: Collection[int]) -> Iterator[DeadReference]:
    """Rooms that characters start in, and that are not there."""
    for _, path, person in _listed(game, "characters"):
        room = person.number("room")
        if room > 0 and room not in rooms:
            yield DeadReference(path, ("StartingRoom",), f"there is no rooms/{room}")


def _listed(game: GameDocument, rows: str) -> list[tuple[int, str, Thing]]:
    """(ID, path, thing) of the things of a kind that have files."""
    return resources.KINDS_OF[rows].listed(game.game, game.shown)


def _without_file(
    game: GameDocument, names: Mapping[int, Collection[str]]
) -> Iterator[DeadReference]:
    """Sounds and fonts whose files are not there; ``names`` are those of the files in small
    letters, by how sounds are bundled."""
    for _, path, clip in _listed(game, "audio_clips"):
        bundling, name = clip.number("bundling"), str(clip.get("file_name"))
        if name and bundling in names and name.casefold() not in names[bundling]:
            message = f"there is no {_FILES[bundling]}{game.shown(name)}"
            yield DeadReference(path, ("FileName",), message)
    content = game.game.content
    is_known = content is not None and bool(content.fonts)
    for number, path, _ in _listed(game, "fonts") if is_known else ():
        if not any(f"agsfnt{number}{ending}" in names[_IN_GAME] for ending in _FONTS):
            yield DeadReference(path, (), f"there is no fonts/agsfnt{number}.ttf or .wfn for it")


def _without_picture(game: GameDocument, sprites: Collection[int]) -> Iterator[DeadReference]:
    """Sprites of items, cursors, GUIs with their controls, and views that are not there."""
    for path, steps, record in _with_pictures(game):
        for field, word in words_of(type(record)).items():
            number = getattr(record, field) if word.to == "sprites" else 0
            if number > 0 and number not in sprites:
                (name,) = (field,) if path == resources.GUI_JSON else word.hints()
                yield DeadReference(path, (*steps, name), naming.no_sprite(number))


def _with_pictures(game: GameDocument) -> Iterator[tuple[str, tuple[str | int, ...], Record]]:
    """(file, steps, record) of all that may have pictures."""
    for rows in ("inventory", "cursors"):
        for _, path, thing in _listed(game, rows):
            yield path, (), thing.record
    yield from _guis(game)
    for path, loops in _loops(game):
        for at, loop in enumerate(loops):
            for place, frame in enumerate(loop.frames):
                yield path, ("Loops", at, "Frames", place), frame


def _loops(game: GameDocument) -> Iterator[tuple[str, list[Loop]]]:
    """The files of views, with their loops; views before 3.0 have others."""
    for _, path, view in _listed(game, "views"):
        if isinstance(view.record, View):
            yield path, view.record.loops


def _guis(game: GameDocument) -> Iterator[tuple[str, tuple[str | int, ...], Record]]:
    """GUIs and their controls, which have files where they are in order."""
    content = game.game.content
    places = None if content is None else resources.controls_in(content.gui)
    windows = _listed(game, "guis")
    for number, path, window in windows:
        yield path, ("guis", number) if places is None else (), window.record
    for type_number, kind in enumerate(CONTROLS, 1):
        for number, control in enumerate(things_of(game.game.tables(), kind.name)):
            if places is None:
                yield resources.GUI_JSON, (kind.name, number), control.record
            else:
                gui_number, place = places[type_number, number]
                yield windows[gui_number][1], ("Controls", place), control.record
