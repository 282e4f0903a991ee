"""The facts about scripts in a game's data: the editor, and the names of the game's things."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final
from weakref import WeakKeyDictionary

from overhaul.ags.api import ScriptSettings, version_in
from overhaul.ags.decompiler.decompiler import Environment, decompile_block
from overhaul.ags.decompiler.library import VIEWS, Known, Member
from overhaul.ags.game.game import GAME_FILES, Game
from overhaul.ags.game.records import GameContent
from overhaul.ags.room.room import Room
from overhaul.ags.versions import SCRIPT_NEWEST_COMPILED
from overhaul.document.containers import Members
from overhaul.document.protocol import HasMembers, Siblings
from overhaul.document.reading import open_data
from overhaul.errors import OverhaulError

_WORD: Final = re.compile(r"[A-Za-z_]\w*")
_OTHER: Final = re.compile(r"[^A-Za-z0-9]")
#: The places of the options that scripts depend on.
_DEBUG, _OBJECT_BASED, _LEFT_TO_RIGHT, _NEW_STRINGS = 0, 32, 33, 35
_DIALOG_OPTIONS, _ENCODING, _NEW_KEYBOARD = 42, 49, 50
_UTF_8: Final = 65001
#: The types of the second parameters of functions that handle events.
_MODE, _BUTTON = "CursorMode", "MouseButton"
_CONTROLS: Final = {
    "buttons": "Button", "labels": "Label", "inventory_windows": "InvWindow",
    "sliders": "Slider", "text_boxes": "TextBox", "list_boxes": "ListBox",
}  # fmt: skip


def environment_of(document: object) -> Environment:
    """The environment of the scripts of a game's document: of its data, of the package that has
    it, or of a room without its game.  It is empty for anything else."""
    if isinstance(document, HasMembers):
        for member in document.members():
            if member.path.casefold() in GAME_FILES:
                with open_data(member.read(), source=member.path) as inner:
                    return environment_of(inner)
        return Environment()
    game, room = getattr(document, "game", None), getattr(document, "room", None)
    if isinstance(room, Room):
        return environment_of_room(room, Environment())
    return environment_of_game(game) if isinstance(game, Game) else Environment()


#: Members of a package are asked once for all documents among them.
_AMONG: Final[WeakKeyDictionary[Members, Environment]] = WeakKeyDictionary()


def environment_next_to(siblings: Siblings | None) -> Environment:
    """The environment of the scripts of a file, by the game's data that stands next to it; empty
    without."""
    if siblings is None:
        return Environment()
    if not isinstance(siblings, Members):
        return _environment_among(siblings)
    known = _AMONG.get(siblings)
    if known is None:
        known = _AMONG[siblings] = _environment_among(siblings)
    return known


def _environment_among(siblings: Siblings) -> Environment:
    for name in siblings.names():
        if name.casefold() in GAME_FILES:
            try:
                with open_data(siblings.read(name), source=name) as inner:
                    return environment_of(inner)
            except OverhaulError:  # what opens the game's data reports it
                break
    return Environment()


def declared_by(game: Game) -> Environment:
    """The editor's declarations for the scripts of a game."""
    version = version_in(game.header.compiled_with)
    content = game.content
    if content is None:
        return Environment(version=version)
    variables = _variables(content)
    enums = {
        "CursorMode": _cursors(content),
        VIEWS: {number: name.upper() for number, name in _named(content.view_names or (), 1)},
    }
    settings = _settings(version, content.settings.options) if version else None
    return Environment(
        version=version,
        settings=settings,
        left_to_right=bool(content.settings.options[_LEFT_TO_RIGHT]),
        variables=tuple(variables),
        enums=tuple((name, tuple(members.items())) for name, members in enums.items() if members),
        handlers=tuple(_handlers(content)),
    )


def _settings(version: str, options: Sequence[int]) -> ScriptSettings:
    """How the editor compiles a new script of a game with these options."""
    return ScriptSettings(
        version,
        object_based=bool(options[_OBJECT_BASED]),
        new_strings=bool(options[_NEW_STRINGS]),
        new_dialog_options=options[_DIALOG_OPTIONS] != -1,
        new_keyboard=bool(options[_NEW_KEYBOARD]),
        left_to_right=bool(options[_LEFT_TO_RIGHT]),
        debug=bool(options[_DEBUG]),
        unicode=options[_ENCODING] == _UTF_8,
    )


def environment_of_game(game: Game) -> Environment:
    """The environment of the scripts of a game, with what they say of each other."""
    known = declared_by(game)
    exports: dict[str, Known] = {}
    for _, script in game.scripts():
        if script.version <= SCRIPT_NEWEST_COMPILED:
            said = decompile_block(script, known).exports
            exports |= {item.name: item for item in said if item.name not in exports}
    return replace(known, exports=tuple(exports.values()))


def environment_of_room(room: Room, game: Environment) -> Environment:
    """The environment of the script of a room, as that of its game is."""
    main = room.main
    if main is None:
        return game
    made = dict(game.handlers)
    for types, things in (
        (("Hotspot*", _MODE), main.hotspot_events),
        (("Object*", _MODE), main.object_events),
        (("Region*",), main.region_events),
    ):
        made.update((name, types) for names in things for name in names if name)
    return replace(game, handlers=tuple(made.items()))


def _handlers(content: GameContent) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The functions that things name for their events, with the types of their parameters."""
    things: tuple[tuple[tuple[str, ...], Iterable[Sequence[str]]], ...] = (
        (("Character*", _MODE), content.character_events),
        (("InventoryItem*", _MODE), content.inventory_events),
        (("GUI*", _BUTTON), ([gui.on_click] for gui in content.gui.guis)),
        *(
            (("GUIControl*", _BUTTON), (control.events for control in getattr(content.gui, kind)))
            for kind in _CONTROLS
        ),
    )
    for types, lists in things:
        yield from ((str(name), types) for names in lists for name in names if name)


def _named(names: Iterable[object], first: int = 0) -> Iterator[tuple[int, str]]:
    """The numbers and names of things that scripts know by a name."""
    seen: set[str] = set()
    for number, given in enumerate(names, start=first):
        name = str(given or "")
        if _WORD.fullmatch(name) and name not in seen:
            seen.add(name)
            yield number, name


def _cursors(content: GameContent) -> dict[int, str]:
    members = {}
    for number, cursor in enumerate(content.cursors):
        name = _OTHER.sub("", cursor.name)
        if name:
            members[number] = name if name.startswith("eMode") else f"eMode{name}"
    return members


def _variables(content: GameContent) -> Iterator[Member]:
    """The variables that the editor declares for a game, in its order."""
    lists: tuple[tuple[str, str, list[object]], ...] = (
        ("Character", "character", [c.script_name for c in content.characters]),
        ("AudioClip", "", [clip.script_name for clip in content.audio_clips or ()]),
        ("InventoryItem", "inventory", [*(content.inventory_script_names or ())]),
        ("Dialog", "dialog", [*(content.dialog_script_names or ())]),
        ("GUI", "gui", [gui.name for gui in content.gui.guis]),
    )
    for type, array, names in lists:
        if array and names:
            yield Member(array, type, count=len(names))
        for _, name in _named(names):
            yield Member(name, type)
    for name, type in _CONTROLS.items():
        for _, control in _named(control.name for control in getattr(content.gui, name)):
            yield Member(control, type)
