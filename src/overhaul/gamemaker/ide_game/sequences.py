"""Sequences, animation curves, particle systems and the room interface of a project and its game.

A game shows its own in the form of the project that recovery makes of it. Values that only the
editor uses, such as ids, colours and backdrops, are left out on both sides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Final

from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.ide.document import IdeProjectDocument
from overhaul.gamemaker.ide.resources.base import Resource
from overhaul.gamemaker.ide.styles import Style
from overhaul.gamemaker.ide.values import Json
from overhaul.gamemaker.ide_game.documents import Side
from overhaul.gamemaker.ide_game.saying import as_json, number
from overhaul.gamemaker.recovery.interface import NAME, PATH, interface_of
from overhaul.gamemaker.recovery.modern import ModernDraft
from overhaul.gamemaker.recovery.objects import Variables
from overhaul.gamemaker.recovery.sequences import curves_of, particle_systems_of, sequences_of

#: Members that only the editor uses.
_EDITOR: Final = frozenset(
    ("autoRecord", "colour", "editorColour", "editorDrawShape", "eventStubScript", "GMPresetName",
     "id", "inheritsTrackColour", "IsCreationKey", "linkedEmitter", "locked", "lockOrigin",
     "modifiers", "parent", "resourceVersion", "spawnOnDeathGMPreset", "spawnOnUpdateGMPreset",
     "spriteId", "tags", "timeUnits", "trackColour", "visible", "visibleRange")
)  # fmt: skip
_BACKDROP: Final = ("backdrop", "showBackdrop", "$", "%")
#: The size of a sequence, which files and games have since 2024.13.
_SIZE: Final = ("seqWidth", "seqHeight")
#: Of an emitter, the sprite is its picture; of a sequence, it is always null.
_EMITTER: Final = "GMPSEmitter"
_CURVE: Final = "EmbeddedAnimCurve"
_INTERFACE, _INTERFACE_FILE = "room interface", "room_interface.json"
#: Members of the room interface that only the editor uses.
_LAID_OUT: Final = frozenset(("gridX", "gridY", "locked", "nodeColour", "resourceVersion", "tags"))


def add_sequences(project: IdeProjectDocument, game: GameData, ours: Side, theirs: Side) -> None:
    """Give both sides of a comparison sequences, animation curves, particle systems and the room
    interface."""
    draft = ModernDraft(game, "compared", Style("C"))
    kinds: tuple[tuple[str, Iterable[Resource], Callable[[ModernDraft], _Made]], ...] = (
        ("sequence", project.sequences, sequences_of),
        ("animation curve", project.animation_curves, curves_of),
        ("particle system", project.particle_systems, particle_systems_of),
    )
    for kind, own, made in kinds:
        found = made(draft)
        sized = {name for name, read in found.items() if any(read().get(key) for key in _SIZE)}
        folder = kind.replace(" ", "_") + "s"
        for resource in own:
            path = project.path_of(resource.entry)
            if path is not None:
                name = resource.name
                read = partial(_own_file, project, path, has_size=name in sized)
                ours.add(kind, name, f"{folder}/{name}.json", read)
        for name, members in found.items():
            read = partial(_file, members, has_size=name in sized)
            theirs.add(kind, name, f"{folder}/{name}.json", read)
    draft = ModernDraft(game, "compared", Style("D"))
    interface = interface_of(draft, Variables(draft))
    if interface is not None:
        theirs.add(_INTERFACE, NAME, _INTERFACE_FILE, partial(_interface, interface.copy))
    if project.files.has(PATH):
        ours.add(_INTERFACE, NAME, _INTERFACE_FILE, partial(_interface, _read(project, PATH)))


def _interface(members: Callable[[], Mapping[str, Json]]) -> bytes:
    """The layers of a room interface; compiling keeps no names of instances."""
    value = members()
    return as_json({key: _bare(value.get(key) or []) for key in ("children", "viewspaceChildren")})


def _bare(value: Json) -> object:
    if isinstance(value, list):
        return [_bare(one) for one in value]
    if isinstance(value, dict) and value.keys() != {"name", "path"}:
        left_out = {"name"} if value.get("resourceType") == "GMRInstance" else set()
        return {
            key: _bare(one)
            for key, one in sorted(value.items())
            if key not in _LAID_OUT | left_out and not key.startswith(("$", "%"))
        }
    return _shown("", value)


_Made = Mapping[str, Callable[[], dict[str, "Json"]]]


def _own_file(project: IdeProjectDocument, path: str, *, has_size: bool) -> bytes:
    return _file(_read(project, path), has_size=has_size)


def _read(project: IdeProjectDocument, path: str) -> Callable[[], dict[str, Json]]:
    def read() -> dict[str, Json]:
        value = project.json_file(path).value
        assert isinstance(value, dict)
        return value

    return read


def _file(members: Callable[[], Mapping[str, Json]], *, has_size: bool) -> bytes:
    left_out = () if has_size else _SIZE
    value = {key: one for key, one in members().items() if key not in left_out}
    value.pop("name", None)
    value.pop("resourceType", None)
    return as_json({key: _shown(key, one) for key, one in _compared(value)})


def _compared(value: Mapping[str, Json]) -> Iterable[tuple[str, Json]]:
    """The members that both have, sorted."""
    is_emitter = value.get("resourceType") == _EMITTER
    for key in sorted(value):
        if key.startswith(_BACKDROP):
            continue
        if key not in _EDITOR or (is_emitter and key == "spriteId"):
            yield key, value[key]


def _shown(key: str, value: Json) -> object:
    if isinstance(value, list):
        return [_shown("", one) for one in value]
    if not isinstance(value, dict):
        return number(value)
    if value.keys() == {"name", "path"}:
        return value["name"]
    if key == _CURVE:
        value = {inner: one for inner, one in value.items() if inner != "name"}
    if key == "eventToFunction":
        value = {inner: one for inner, one in value.items() if one}
    return {inner: _shown(inner, one) for inner, one in _compared(value)}
