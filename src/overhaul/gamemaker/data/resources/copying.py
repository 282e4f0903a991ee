"""Resources copied from one game to another, with what they need and their code."""

from __future__ import annotations

import copy
from array import array
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from overhaul.errors import OverhaulError
from overhaul.findings import Findings
from overhaul.gamemaker.data.chunks import CHUNKS, KIND_CHUNKS
from overhaul.gamemaker.data.chunks.code import CodeEntry
from overhaul.gamemaker.data.chunks.extn import Extension
from overhaul.gamemaker.data.chunks.func import Script, ScriptCode
from overhaul.gamemaker.data.chunks.objt import GameObject, Timeline, event_types
from overhaul.gamemaker.data.chunks.psem import ParticleSystem
from overhaul.gamemaker.data.chunks.room import Room, Tile
from overhaul.gamemaker.data.chunks.sond import Sound
from overhaul.gamemaker.data.chunks.sprt import Sprite
from overhaul.gamemaker.data.chunks.txtr import TextureGroup, TexturePageItem
from overhaul.gamemaker.data.code import additions
from overhaul.gamemaker.data.code.context import GLOBAL_SCRIPT_PREFIX, SCRIPT_PREFIX
from overhaul.gamemaker.data.code.following import CodeNames
from overhaul.gamemaker.data.code.mention_index import words_of
from overhaul.gamemaker.data.code.model import CodeModel
from overhaul.gamemaker.data.references import Named, Reference
from overhaul.gamemaker.data.resources.converting import (
    Converter,
    recompute_numbers,
    recompute_sprite,
)
from overhaul.gamemaker.data.resources.edits import Edits
from overhaul.gamemaker.data.resources.names import check_new_name
from overhaul.gamemaker.data.resources.renaming import (
    check_whole,
    enlist,
    enlist_like,
    renamed_code,
)
from overhaul.gamemaker.data.resources.users import own_code
from overhaul.gamemaker.data.room_rules import flags_of_release
from overhaul.gamemaker.data.sound_rules import accept, complete, has_new_audio, is_streamed
from overhaul.schema import Record

#: the bits of a room's flags that say what it does, not which release made it
_ROOM_SETTINGS = 0xFFFF
#: kinds that are another thing before GameMaker 2
_OTHER_THINGS = {
    "ROOM": "rooms have layers since GameMaker 2",
    "BGND": "backgrounds are tile sets since GameMaker 2",
}


class _Waiting(NamedTuple):
    """Code that is compiled once all names are there: what adds it, and what it is called."""

    place: str
    source: str
    add: Callable[[str], object]


class Copier:
    """Copies resources of ``source`` to ``target``.

    ``copied`` are those copied, as (chunk, record); ``warnings`` what could not come along.
    """

    def __init__(self, source: CodeModel, target: CodeModel, *, with_dependencies: bool) -> None:
        self.source = source
        self.target = target
        self.with_dependencies = with_dependencies
        self.copied: list[tuple[str, Named]] = []
        self.findings: Findings = Findings()
        self._found: dict[tuple[str, int], Reference[object] | None] = {}
        self._waiting: list[_Waiting] = []
        self._convert = Converter(source, target, self._reference, self.findings)

    def copy(self, chunk: str, record: Named, name: str) -> Named:
        """Copy a resource under a name; return the new record.

        Raises ValueError for a name that is taken or is none, and for what the other release can't
        have; the other game is as it was then.
        """
        with Edits(self.target)():
            self.source.load_all()
            self.target.load_all()
            made: Named = self._add(chunk, record, name)
            self._convert.paint()
            before = len(self.target.findings)
            self._compile()
            self.findings += self.target.findings[before:]
            del self.target.findings[before:]
        return made

    # -- records ------------------------------------------------------------------------------

    def _add(self, chunk: str, record: Any, name: str) -> Any:
        source, target = self.source, self.target
        self._check(chunk, record)
        if chunk != "PSEM":  # emitters have no names of their own
            check_new_name(target, chunk, name)
        if chunk == "SCPT":
            return self._script(record, name)
        made = type(record)()
        made.name = target.strings.add(name)
        data, given = self._take_over(record, made) if chunk == "SOND" else (None, set[str]())
        owner = target.named(chunk)
        self._found[chunk, id(record)] = owner.append(made)
        self.copied.append((chunk, made))
        if chunk == "SOND":
            self._store(record, made, data, given)
            return made
        if chunk == "TGIN":  # things in a group stay where they are
            record = emptied(record)
        self._convert.fill(chunk, record, made)
        if chunk == "SPRT":
            recompute_sprite(source, target, record, made)
        elif chunk == "OBJT":
            self._events(record, made)
        elif chunk == "TMLN":
            self._moments(record, made)
        elif chunk == "ROOM":
            self._room(record, made)
        elif chunk in ("BGND", "FONT"):
            recompute_numbers(target, made)
        elif chunk == "EXTN":
            self._number_functions(made)
        elif chunk == "AGRP":
            target.audio_files.set_up_group(len(owner) - 1)
        enlist(target, chunk, made)
        return made

    def _check(self, chunk: str, record: Named) -> None:
        """Raise ValueError for what the other release can't have."""
        source, target = self.source.release, self.target.release
        title = CHUNKS[chunk].title
        if chunk not in self.target.chunks:
            raise ValueError(f"{record.name}: a game of {target} has no {title}s")
        if chunk in _OTHER_THINGS and (source.major < 2) != (target.major < 2):
            raise ValueError(
                f"{record.name}: {_OTHER_THINGS[chunk]}, so that it can't go from {source} to "
                f"{target}"
            )
        check_whole(record)
        if chunk == "CODE":
            raise ValueError(f"{record.name}: code is copied with what runs it")
        if chunk == "SCPT" and source.at_least(2, 3):
            if str(record.name).startswith(SCRIPT_PREFIX):
                raise ValueError(
                    f"{record.name} is a function of an extension, which is not copied"
                )
            if not target.at_least(2, 3):
                raise ValueError(f"{record.name}: a game of {target} has no functions in scripts")

    def _reference(self, old: Reference[object]) -> Reference[object] | None:
        """The resource of the same name in the other game, which is copied if there is none."""
        record, chunk = old.target, old.chunk
        if record is None or chunk in ("CODE", "TXTR", "AUDO"):
            return None
        key = chunk, id(record)
        if key not in self._found:
            self._found[key] = self._look_up(chunk, record)
        return self._found[key]

    def _look_up(self, chunk: str, record: object) -> Reference[object] | None:
        name, title = str(getattr(record, "name", None)), CHUNKS[chunk].title
        owner = self.target.named(chunk)
        if chunk != "PSEM" and name in owner:
            if self.with_dependencies:
                self.findings.warn_once(
                    "duplicate", f"the {title} {name} was there already, and is used as it is"
                )
            return owner.reference_to(name)
        if not self.with_dependencies and chunk != "PSEM":
            self.findings.warn_once(
                "left-out", f"the {title} {name} is not there, and what refers to it is left out"
            )
            return None
        try:
            made = self._add(chunk, record, name)
        except ValueError as error:
            self.findings.warn_once("left-out", f"{error}: the {title} is left out")
            return None
        return owner.reference_to(made)

    def _take_over(self, old: Sound, made: Sound) -> tuple[bytes | None, set[str]]:
        """Give a sound what it is played with; return its bytes, and the fields that are set.

        Raises ValueError for what the other game can't play or store.
        """
        source, target = self.source, self.target
        for field in ("flags", "effects", "volume", "pitch"):
            setattr(made, field, getattr(old, field))
        given = {"flags"} if has_new_audio(source) == has_new_audio(target) else set()
        if target.audio_files.files.has_groups() and source.audio_files.files.has_groups():
            given.add("group")
            group = source.records.audio_groups.at(old.group)
            owner = target.records.audio_groups
            if old.group > 0 and group is not None:
                name = str(group.name)
                made.group = owner.index(name) if name in owner else 0
                if name not in owner:
                    self.findings.warn_once(
                        "left-out",
                        f"it goes to the first audio group: there is no {name}",
                        str(made.name),
                    )
        data = source.audio_files.files.bytes_of(old)
        if data is None:
            return None, given
        try:
            warning = accept(target, made, data)
            if not is_streamed(made):
                target.audio_files.check_place(made)
        except OverhaulError as error:
            raise ValueError(f"{made.name}: {error}") from error
        if warning:
            self.findings.warn_once("approximated", warning, str(made.name))
        return bytes(data), given

    def _store(self, old: Sound, made: Sound, data: bytes | None, given: set[str]) -> None:
        target = self.target
        if data is None:
            self.findings.warn_once(
                "absent-file", "its file is not next to the game it comes from", str(made.name)
            )
            made.type, made.file = (
                None if text is None else target.strings.add(str(text))
                for text in (old.type, old.file)
            )
            return
        if is_streamed(made):
            made.file = target.strings.add(target.audio_files.free_stream(str(made.name)))
        complete(target, made, data, given)
        target.audio_files.take(made, data)

    def _room(self, old: Room, made: Room) -> None:
        flags = flags_of_release(self.target.release)
        made.flags = old.flags & _ROOM_SETTINGS & ~int(flags) | int(flags)
        here = [instance for instance in old.instances if instance is not None]
        kept = {instance.id: number for number, instance in enumerate(made.instances)}
        listed = set(kept)
        for layer in made.layers or ():
            numbers = getattr(layer.data, "instances", None)
            if numbers:
                layer.data.instances = [number for number in numbers if number in listed]
        made.instance_order = [number for number in made.instance_order or () if number in listed]
        if self.target.release.at_least(2024, 13) and not made.instance_order:
            made.instance_order = [instance.id for instance in made.instances]
        places = [(resource, kept[resource.id]) for resource in here if resource.id in kept]
        give_ids(self.target, made)
        if old.creation_code is not None:
            add = self._adder("add_room_code", made)
            self._wait(str(made.name), [old.creation_code], add)
        for instance, number in places:
            for code, early in ((instance.creation_code, False), (instance.pre_create_code, True)):
                if code is not None:
                    add = self._adder("add_instance_code", made, number, pre_create=early)
                    self._wait(f"{made.name}, instance {number}", [code], add)

    def _number_functions(self, extension: Extension) -> None:
        used = [
            function.id
            for other in self.target.records.extensions.present()
            if other is not extension
            for file in other.files
            for function in file.functions
        ]
        number = max(used, default=0)
        for file in extension.files:
            for function in file.functions:
                number += 1
                function.id = number

    # -- code ---------------------------------------------------------------------------------

    def _adder(self, name: str, *place: object, **options: bool) -> Callable[[str], object]:
        add = getattr(additions, name)
        return lambda source: add(self.target, *place, source, **options)

    def _events(self, old: GameObject, made: GameObject) -> None:
        kinds = event_types(self.target.release)
        made.events = [[] for _ in range(kinds)]
        for kind, events in enumerate(old.events):
            for event in events:
                subtype = event.subtype
                if isinstance(subtype, Reference):
                    subtype = self._reference(subtype)
                    if subtype is None:
                        continue
                place = f"{made.name}, event {kind} {getattr(subtype, 'name', subtype)}"
                if kind >= kinds:
                    self.findings.warn_once(
                        "unsupported", f"a game of {self.target.release} has no such event", place
                    )
                    continue
                add = self._adder("add_event", made, (kind, subtype))
                self._wait(place, [action.code for action in event.actions], add)

    def _moments(self, old: Timeline, made: Timeline) -> None:
        made.moments = []
        for moment in old.moments:
            place = f"{made.name}, step {moment.step}"
            add = self._adder("add_moment", made, moment.step)
            self._wait(place, [action.code for action in moment.actions], add)

    def _wait(self, place: str, code: list[object], add: Callable[[str], object]) -> None:
        """Keep code until all names are there; an event without code has none in the copy."""
        codes = [entry for entry in code if entry is not None]
        entries = [code.target if isinstance(code, Reference) else None for code in codes]
        if None in entries:
            self.findings.warn_once(
                "left-out", "its code is left out, as that game's file does not have it", place
            )
            return
        sources = [self._source(place, entry) for entry in entries if entry is not None]
        found = [source for source in sources if source is not None]
        if len(found) == len(sources):
            self._waiting.append(_Waiting(place, "\n".join(found), add))

    def _source(self, place: str, entry: CodeEntry) -> str | None:
        try:
            source, problems = self.source.language.decompiled.source(entry)
        except OverhaulError as error:
            problems = [str(error)]
        if problems:
            self.findings.warn_once(
                "left-out", f"its code is left out, as it can't be decompiled: {problems[0]}", place
            )
            return None
        if self.with_dependencies:
            for name in dict.fromkeys(words_of(source)):
                self._bring(name)
        return source

    def _bring(self, name: str) -> None:
        """Copy what code names."""
        context = self.source.language.context
        known = context.asset_id(name)
        if known is not None and known[0] in KIND_CHUNKS:
            chunk = KIND_CHUNKS[known[0]]
            if self.source.named(chunk).at(known[1]) is not None:
                self._reference(self.source.named(chunk).reference(known[1]))
        elif name in context.functions:
            for script in self._declaring(context.functions[name]):
                self._reference(script)

    def _declaring(self, code_name: str) -> Iterator[Reference[Script]]:
        """The script that declares a function."""
        entry = self.source.named("CODE").get(code_name)
        root = None if entry is None else entry.root or entry
        scripts = self.source.records.scripts
        for index, script in enumerate(scripts):
            if script is not None and root is not None:
                target = getattr(script.code.entry, "target", None)
                if target is root:
                    yield scripts.reference(index)

    def _script(self, record: Script, name: str) -> Script:
        """A script with the functions it declares, without their code as yet."""
        target, old = self.target, str(record.name)
        entry = getattr(record.code.entry, "target", None)
        modern = target.release.at_least(2, 3)
        old_text = not self.source.release.at_least(2, 3)
        if entry is None and (record.code.entry is not None or not old_text):
            raise ValueError(f"{old}: there is no code to copy")
        names = [name] if entry is None or old_text else self._functions(entry, old)
        stub = "\n".join(f"function {name}() {{ }}" for name in names) if modern else ""
        try:
            made = additions.add_script(target, name, stub)
        except OverhaulError as error:
            raise ValueError(f"{old}: {error}") from error
        script = target.records.scripts[name]
        self._found["SCPT", id(record)] = target.records.scripts.reference_to(script)
        self.copied.append(("SCPT", script))
        source = "" if entry is None else self._source(old, entry)
        if source is not None:
            if modern and old_text:
                source = f"function {name}()\n{{\n{source}\n}}"
            elif name != old:
                self.findings.warn_once(
                    "lost-function", f"code calls its function {old}, and names in it stay", name
                )

            def assign(text: str) -> None:
                target.language.assign_source(made, text)

            self._waiting.append(_Waiting(name, source, assign))
        return script

    def _functions(self, entry: CodeEntry, old: str) -> list[str]:
        """The functions that a script declares for all code."""
        context = self.source.language.context
        code = [str(child.name) for child in self.source.language.children(entry)]
        functions = [each for each in map(context.function_of_code, code) if each is not None]
        taken = [
            function
            for function in functions
            if SCRIPT_PREFIX + function in self.target.named("CODE")
        ]
        if taken:
            raise ValueError(f"{old}: there is a function {taken[0]} already")
        return functions

    def _compile(self) -> None:
        """Compile all code, now that all names are there."""
        self.target.language.forget()
        with self.target.language.holding_names():
            for waiting in self._waiting:
                try:
                    waiting.add(waiting.source)
                except OverhaulError as error:
                    why = error.findings[0]
                    message = f"its code is left out, as it can't be compiled: {why}"
                    self.findings.warn_once("left-out", message, waiting.place)


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
        return [copied(item) for item in value]
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
    instances = 1 + max((instance.id for r in rooms for instance in r.instances), default=99999)
    general = game.general
    instances = max(instances, general.last_object_id)
    renumbered = {}
    for instance in room.instances:
        renumbered[instance.id] = instance.id = instances
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
        events = (
            made.moments
            if chunk == "TMLN"
            else [event for events in made.events for event in events]
        )
        for event in events:
            for action in event.actions:
                action.code = new(action.code)
