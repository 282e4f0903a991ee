"""A copy of a resource under another name in the same game."""

from __future__ import annotations

import copy
from array import array
from typing import TYPE_CHECKING, Any

from overhaul.gamemaker.data.chunks.code import CodeEntry
from overhaul.gamemaker.data.chunks.extn import Extension
from overhaul.gamemaker.data.chunks.func import Script, ScriptCode
from overhaul.gamemaker.data.chunks.psem import ParticleSystem
from overhaul.gamemaker.data.chunks.room import Room, Tile
from overhaul.gamemaker.data.chunks.sprt import Sprite
from overhaul.gamemaker.data.chunks.txtr import TextureGroup, TexturePageItem
from overhaul.gamemaker.data.code import additions
from overhaul.gamemaker.data.code.context import GLOBAL_SCRIPT_PREFIX, SCRIPT_PREFIX
from overhaul.gamemaker.data.code.following import CodeNames
from overhaul.gamemaker.data.references import Named, Reference
from overhaul.gamemaker.data.resources.listing import enlist_like
from overhaul.gamemaker.data.resources.names import check_new_name
from overhaul.gamemaker.data.resources.renaming import check_whole, renamed_code
from overhaul.gamemaker.data.resources.users import own_code
from overhaul.schema import Record

if TYPE_CHECKING:
    from overhaul.gamemaker.data.code.model import CodeModel


def duplicate(game: CodeModel, chunk: str, record: Named, new: str) -> Named:
    """Add a copy of a resource, with code of its own; return the new record.

    Raises ValueError for a name that is taken or is none, and for what can't be there twice.
    """
    check_new_name(game, chunk, new)
    _check_once(game, record)
    game.load_all()
    owner = game.named(chunk)
    made: Named = copied(emptied(record) if isinstance(record, TextureGroup) else record)
    made.name = game.strings.add(new)
    if isinstance(made, Room):
        give_ids(game, made)
    elif isinstance(made, Sprite):
        sequence = getattr(made.sequence, "sequence", None)
        if sequence is not None and sequence.name == record.name:
            sequence.name = made.name
    elif isinstance(made, ParticleSystem):
        _own_emitters(game, made)
    owner.append(made)
    if chunk == "AGRP":
        game.audio_files.set_up_group(len(owner) - 1)
    enlist_like(game, chunk, made, record)
    _own_code(game, chunk, made, str(record.name))
    return made


def copied(value: Any) -> Any:
    """A record with all that is in it; what it refers to and the pictures it shows stay."""
    if isinstance(value, Record) and not isinstance(value, TexturePageItem):
        fields = {name: copied(getattr(value, name)) for name in value.__struct_fields__}
        return type(value)(**fields)
    if isinstance(value, list):
        return [copied(each) for each in value]
    return copy.copy(value) if isinstance(value, (array, bytearray)) else value


def emptied(group: TextureGroup) -> TextureGroup:
    """A copy of a texture group with nothing in it."""
    made: TextureGroup = copied(group)
    for name in ("pages", "sprites", "spine_sprites", "fonts", "tilesets"):
        getattr(made, name).clear()
    return made


def _check_once(game: CodeModel, record: Named) -> None:
    if isinstance(record, CodeEntry):
        raise ValueError(f"{record.name} can't be there twice: copy what runs it")
    if isinstance(record, Extension) and any(file.functions for file in record.files or ()):
        raise ValueError(f"{record.name} can't be there twice: its functions are known by name")
    if isinstance(record, Script):
        check_whole(record)
        entry = record.code.entry
        root = getattr(entry, "target", None)
        if root is None or game.release.number < (2, 3):
            return
        own = {SCRIPT_PREFIX + str(record.name)}
        named = {
            str(child.name)
            for child in game.language.children(root)
            if game.language.context.function_of_code(str(child.name)) is not None
        }
        if named - own:
            name = min(named - own).removeprefix(SCRIPT_PREFIX)
            raise ValueError(
                f"{record.name} can't be there twice: it declares the function {name} besides "
                "the one of its name"
            )


def give_ids(game: CodeModel, room: Room) -> None:
    """Give a room's instances, tiles and layers ids that no room has."""
    rooms = [*game.records.rooms.present()]
    instances = 1 + max((each.id for r in rooms for each in r.instances), default=99999)
    general = game.general
    instances = max(instances, general.last_object_id)
    renumbered = {}
    for each in room.instances:
        renumbered[each.id] = each.id = instances
        instances += 1
    if room.instances:
        general.last_object_id = instances
    if room.instance_order:
        room.instance_order[:] = [renumbered.get(n, n) for n in room.instance_order]
    layers = 1 + max((layer.id for r in rooms for layer in r.layers or ()), default=-1)
    for layer in room.layers or ():
        layer.id = layers
        layers += 1
        listed = getattr(layer.data, "instances", None)
        if listed:
            layer.data.instances = [renumbered.get(number, number) for number in listed]
    _give_tile_ids(game, rooms, room)


def _tiles(room: Room) -> list[Tile]:
    on_layers = [getattr(layer.data, "tiles", None) for layer in room.layers or ()]
    legacy = [tile for tiles in on_layers if isinstance(tiles, list) for tile in tiles]
    return [tile for tile in (*room.tiles, *legacy) if hasattr(tile, "id")]


def _give_tile_ids(game: CodeModel, rooms: list[Room], room: Room) -> None:
    mine = _tiles(room)
    if mine:
        tiles = 1 + max(tile.id for other in (*rooms, room) for tile in _tiles(other))
        tiles = max(tiles, game.general.last_tile_id)
        for tile in mine:
            tile.id = tiles
            tiles += 1
        game.general.last_tile_id = tiles


def _own_emitters(game: CodeModel, system: ParticleSystem) -> None:
    """Emitters belong to one particle system."""
    owner = game.records.emitters
    for place, reference in enumerate(system.emitters):
        if isinstance(reference, Reference) and reference.target is not None:
            system.emitters[place] = owner.append(copied(reference.target))


def _own_code(game: CodeModel, chunk: str, made: Named, old: str) -> None:
    """Copies of the code that a resource runs, under its own name."""
    copies: dict[int, Reference[CodeEntry]] = {}
    for reference in own_code(chunk, made):
        entry = reference.target
        name = None if entry is None else renamed_code(chunk, str(entry.name), old, str(made.name))
        if entry is None or name is None or entry.root is not None:
            continue  # code that others run too
        if name in game.named("CODE"):
            raise ValueError(f"there is code named {name} already")
        names = CodeNames(str(entry.name), name)
        copies[id(reference)] = additions.add_code(game, name, names.code(entry.symbolic))
    if copies:
        _set_code(chunk, made, copies)
    if isinstance(made, Script) and name_is_global(game, made) and game.global_init is not None:
        game.global_init.code.append(made.code.entry)


def name_is_global(game: CodeModel, script: Script) -> bool:
    """Whether a script's code is run at the start, to declare its functions."""
    return str(getattr(script.code.entry, "name", "")).startswith(GLOBAL_SCRIPT_PREFIX)


def _set_code(chunk: str, made: Any, copies: dict[int, Reference[CodeEntry]]) -> None:
    def new(code: object) -> object:
        return copies.get(id(code), code)

    if chunk == "SCPT":
        made.code = ScriptCode(new(made.code.entry), made.code.constructor)
    elif chunk == "ROOM":
        made.creation_code = new(made.creation_code)
        for instance in made.instances:
            instance.creation_code = new(instance.creation_code)
            instance.pre_create_code = new(instance.pre_create_code)
    else:
        happenings = (
            made.moments if chunk == "TMLN" else [each for events in made.events for each in events]
        )
        for happening in happenings:
            for action in happening.actions:
                action.code = new(action.code)
