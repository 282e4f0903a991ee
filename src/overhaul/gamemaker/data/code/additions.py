"""New code in a game: scripts, events of objects, creation code of rooms, moments of timelines.

The entries are named as the compilers name them, and go behind those that are there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, MutableSequence
from functools import partial
from types import TracebackType
from typing import Any, NamedTuple, TypeAlias, TypeVar

from overhaul.document.registry import load
from overhaul.errors import EncodeError
from overhaul.gamemaker.data.chunks.bytecode import Bytecode
from overhaul.gamemaker.data.chunks.code import CodeEntry
from overhaul.gamemaker.data.chunks.func import Script, ScriptCode, Variable
from overhaul.gamemaker.data.chunks.objt import (
    EVENT_WORDS,
    Action,
    Event,
    EventType,
    GameObject,
    Moment,
    Timeline,
)
from overhaul.gamemaker.data.chunks.room import Instance, Room
from overhaul.gamemaker.data.code.context import GLOBAL_SCRIPT_PREFIX, SCRIPT_PREFIX
from overhaul.gamemaker.data.code.model import CodeModel
from overhaul.gamemaker.data.references import NamedList, Reference
from overhaul.gml.context import Context
from overhaul.gml.syntax import tree
from overhaul.gml.syntax.parser import parse
from overhaul.gml.vm.code import Code
from overhaul.gml.vm.columns import decode
from overhaul.gml.vm.opcodes import InstanceType
from overhaul.gml.vm.registration import ARGUMENTS

T = TypeVar("T")
#: an element of a list, or its name, its index, or a reference to it
AnyOf: TypeAlias = int | str | T | Reference[T]

#: the module that compiles entries
_COMPILING = "overhaul.gamemaker.data.code.compiling"
#: how the names of entries begin: events of objects
OBJECT_PREFIX = "gml_Object_"
#: creation code of rooms
ROOM_PREFIX = "gml_Room_"
#: creation code of instances
INSTANCE_PREFIX = "gml_RoomCC_"
#: moments of timelines
TIMELINE_PREFIX = "Timeline_"

_IDENTIFIER = re.compile(r"[A-Za-z_]\w*\Z", re.A)
_INSTANCE_NUMBER = re.compile(r"(\d{1,9})_(?:Pre)?Create\Z", re.A)
_INSTANCE_CODE = re.compile(rf"{INSTANCE_PREFIX}(.+)_(\d{{1,9}})_(Pre)?Create\Z", re.A)
#: since when games list the code of rooms as scripts: seen in 2024.11, not yet in 2023.8
_ROOM_CODE_LISTED = (2024, 11)
_LOCAL = int(InstanceType.LOCAL)


def _one(items: NamedList[T], chosen: AnyOf[T]) -> T:
    """The element of a list that a caller names.  Raises KeyError."""
    return items[items.index(chosen)]


def add_script(game: CodeModel, name: str, source: str, definitions: str = "") -> CodeEntry:
    """Add a script: its asset, its code, and from 2.3 on its place in the global init.

    From 2.3 on ``source`` declares functions (``function jump(height) { ... }``), before it is
    the body of the one function that the script is.  Raises EncodeError for a name that is taken
    or is none, SyntaxError_ and CompileError for the source.
    """
    if not _IDENTIFIER.match(name):
        raise EncodeError(f"{name!r} is not a valid name of a script")
    if game.language.context.asset_id(name) is not None or name in game.records.scripts:
        raise EncodeError(f"the name {name!r} is taken")
    modern = game.language.context.dialect.gml_v2
    prefix = GLOBAL_SCRIPT_PREFIX if modern else SCRIPT_PREFIX
    with _Addition(game, prefix + name) as addition:
        strings = game.strings
        addition.append(
            game.records.scripts, Script(strings.add(name), ScriptCode(addition.reference))
        )
        game.language.forget()
        entry = addition.compile(source, definitions)
        if modern and game.global_init is not None:
            game.global_init.code.append(addition.reference)
    return entry


def add_code(game: CodeModel, name: str, code: Code) -> Reference[CodeEntry]:
    """Add symbolic code under a name, which nothing runs yet.

    Code of rooms is listed in SCPT where the game lists such code.  Raises EncodeError for a name
    that is taken.
    """
    with _Addition(game, name) as addition:
        game.language.assign(addition.entry, code)
        if name.startswith((ROOM_PREFIX, INSTANCE_PREFIX)):
            addition.list_room_code()
        return addition.reference


def add_event(
    game: CodeModel,
    owner: AnyOf[GameObject],
    event: str | tuple[int, object],
    source: str,
    definitions: str = "",
) -> CodeEntry:
    """Add an event to an object.

    ``owner`` is an object (or its name or index), ``event`` the event as the entry's name has it
    (``"Step_0"``, ``"Collision_obj_wall"``), or its type and subtype as numbers (for a collision
    the other object).  Raises EncodeError for an event the object has already or the release does
    not know, KeyError for an unknown object, SyntaxError_ and CompileError for the source.
    """
    target = _one(game.records.objects, owner)
    kind, subtype, word = read_event(game, event)
    _free_event(target, kind, subtype)
    with _Addition(game, f"{OBJECT_PREFIX}{target.name}_{word}") as addition:
        entry = addition.compile(source, definitions)
        attach_event(game, target, kind, subtype, addition.reference)
    return entry


def _free_event(target: GameObject, kind: int, subtype: Any) -> list[Event]:
    """The events of one type that an object has.  Raises EncodeError if this one is among them,
    or the release has none of the type."""
    if kind >= len(target.events):
        raise EncodeError(f"this release has no {EVENT_WORDS[kind]} events")
    events: list[Event] = target.events[kind]
    if any(event.subtype == subtype for event in events):
        shown = getattr(subtype, "name", subtype)
        raise EncodeError(f"{target.name} already has the event {EVENT_WORDS[kind]}_{shown}")
    return events


def attach_event(
    game: CodeModel, target: GameObject, kind: int, subtype: Any, code: Reference[CodeEntry]
) -> None:
    """Let an object run a code entry at an event it does not have yet.  Raises EncodeError."""
    events = _free_event(target, kind, subtype)
    event = Event(subtype, [usual_action(game, kind, code)])
    place = len(events)
    if game.release.major < 2:  # there the numbers of a type's events fall
        number = getattr(subtype, "index", subtype)
        place = sum(
            getattr(earlier.subtype, "index", earlier.subtype) > number for earlier in events
        )
    events.insert(place, event)


def add_room_code(
    game: CodeModel, room: AnyOf[Room], source: str, definitions: str = ""
) -> CodeEntry:
    """Add the creation code of a room.  Raises as :func:`add_event`."""
    target = _one(game.records.rooms, room)
    _free(target, "creation_code")
    with _Addition(game, f"{ROOM_PREFIX}{target.name}_Create") as addition:
        entry = addition.compile(source, definitions)
        target.creation_code = addition.reference
        addition.list_room_code()
    return entry


def add_instance_code(
    game: CodeModel,
    room: AnyOf[Room],
    number: int,
    source: str,
    definitions: str = "",
    *,
    pre_create: bool = False,
) -> CodeEntry:
    """Add the creation code of the instance that is number ``number`` of a room's list.

    With ``pre_create`` it is the code that sets the instance's variables before its Create event
    (GameMaker 2 and later). Raises as :func:`add_event`, EncodeError for an unknown instance.
    """
    target = _one(game.records.rooms, room)
    if not 0 <= number < len(target.instances):
        raise EncodeError(f"{target.name} has no instance number {number}")
    if pre_create and (game.release.major < 2 or game.release.bytecode < 16):
        raise EncodeError("this release does not run code before it creates instances")
    instance = target.instances[number]
    field = "pre_create_code" if pre_create else "creation_code"
    _free(instance, field)
    name = _instance_code_name(game, str(target.name), "PreCreate" if pre_create else "Create")
    with _Addition(game, name) as addition:
        entry = addition.compile(source, definitions)
        setattr(instance, field, addition.reference)
        addition.list_room_code()
    return entry


def _free(holder: Room | Instance, field: str) -> None:
    """Raises EncodeError if a room or instance has such code already."""
    if getattr(holder, field) is not None:
        what = f"the instance {holder.id}" if isinstance(holder, Instance) else holder.name
        raise EncodeError(f"{what} already has {field.replace('_', ' ')}")


def _instance_code_name(game: CodeModel, room: str, word: str) -> str:
    """The name of new code of an instance.  The compilers number it: before GameMaker 2 by its
    place in CODE, since then among the code of the room's instances."""
    prefix = f"{INSTANCE_PREFIX}{room}_"
    numbers = [
        int(match[1])
        for entry in game.records.code
        if entry is not None
        and str(entry.name).startswith(prefix)
        and (match := _INSTANCE_NUMBER.match(str(entry.name), len(prefix)))
    ]
    number = max(numbers, default=-1) + 1
    if game.release.major < 2:
        number = max(number, len(game.records.code))
    return f"{prefix}{number}_{word}"


def lists_room_code(game: CodeModel, but: Collection[CodeEntry] = ()) -> bool:
    """Whether the game lists the code of rooms and their instances in SCPT, under its own name:
    as its other such code shows (all ``but`` new entries), or else as its release does."""
    if "SCPT" not in game.chunks:
        return False
    listed = {
        script.code.entry.index
        for script in game.records.scripts
        if script is not None and script.code.entry is not None
    }
    new = {id(entry) for entry in but}
    places = [
        index
        for index, entry in enumerate(game.records.code)
        if entry is not None
        and id(entry) not in new
        and str(entry.name).startswith((ROOM_PREFIX, INSTANCE_PREFIX))
    ]
    if places:
        return any(index in listed for index in places)
    return game.release.at_least(*_ROOM_CODE_LISTED)


def add_moment(
    game: CodeModel, timeline: AnyOf[Timeline], step: int, source: str, definitions: str = ""
) -> CodeEntry:
    """Add a moment to a timeline, in the order of the steps.  Raises as :func:`add_event`."""
    target = _one(game.records.timelines, timeline)
    if any(moment.step == step for moment in target.moments):
        raise EncodeError(f"{target.name} already has a moment at step {step}")
    number = len(target.moments)
    while f"{TIMELINE_PREFIX}{target.name}_{number}" in game.records.code:
        number += 1
    with _Addition(game, f"{TIMELINE_PREFIX}{target.name}_{number}") as addition:
        entry = addition.compile(source, definitions)
        moment = Moment(step, [usual_action(game, 0, addition.reference)])
        place = sum(moment.step < step for moment in target.moments)
        target.moments.insert(place, moment)
    return entry


def add_entry(game: CodeModel, name: str, source: str, definitions: str = "") -> CodeEntry:
    """Add code by the name its entry will have.

    ``gml_Script_NAME`` or ``gml_GlobalScript_NAME``, ``gml_Object_NAME_Step_0``,
    ``gml_Room_NAME_Create``; of an instance ``gml_RoomCC_NAME_100005_Create`` or ``..._PreCreate``
    with the instance's id (the numbers that the compilers give do not say which instance is
    meant; the entry gets the next such number).  Raises EncodeError for another name, else as the
    functions above.
    """
    for prefix in (GLOBAL_SCRIPT_PREFIX, SCRIPT_PREFIX):
        if name.startswith(prefix):
            return add_script(game, name[len(prefix) :], source, definitions)
    if name.startswith(OBJECT_PREFIX):
        owner, event = _object_and_event(game, name[len(OBJECT_PREFIX) :])
        return add_event(game, owner, event, source, definitions)
    room = _room_of(game, name)
    if room is not None:
        return add_room_code(game, room, source, definitions)
    place = _instance_of(game, name)
    if place is not None:
        room, number, early = place
        return add_instance_code(game, room, number, source, definitions, pre_create=early)
    raise EncodeError(
        f"{name!r} can't be added: it is not the name of a script, of an object's event, or of a "
        "room's code in this game"
    )


class CodeOwner(NamedTuple):
    """Where code belongs by its name: the object or room, and what lets that run an entry.

    ``attach`` takes the reference to the entry; it raises EncodeError if something is there.
    ``record`` is that object or room.
    """

    record: GameObject | Room
    attach: Callable[[Reference[CodeEntry]], None]


def place_of(game: CodeModel, name: str) -> CodeOwner | None:
    """Where code of this name belongs; None if the name does not say, or nothing here has it."""
    if name.startswith(OBJECT_PREFIX):
        try:
            owner, event = _object_and_event(game, name[len(OBJECT_PREFIX) :])
            kind, subtype, _ = read_event(game, event)
        except EncodeError:
            return None
        target = game.records.objects[owner]
        return CodeOwner(target, partial(attach_event, game, target, kind, subtype))
    room = _room_of(game, name)
    if room is not None:
        return CodeOwner(room, partial(_attach_to, room, "creation_code"))
    place = _instance_of(game, name)
    if place is not None:
        room, number, early = place
        field = "pre_create_code" if early else "creation_code"
        return CodeOwner(room, partial(_attach_to, room.instances[number], field))
    return None


def _attach_to(holder: Room | Instance, field: str, code: Reference[CodeEntry]) -> None:
    _free(holder, field)
    setattr(holder, field, code)


def _room_of(game: CodeModel, name: str) -> Room | None:
    """The room whose creation code has this name, or None."""
    if not name.startswith(ROOM_PREFIX) or not name.endswith("_Create"):
        return None
    return game.records.rooms.get(name[len(ROOM_PREFIX) : -len("_Create")])


def _instance_of(game: CodeModel, name: str) -> tuple[Room, int, bool] | None:
    """The room, the place of the instance with the id in a name, and whether the name is that of
    code before creation."""
    match = _INSTANCE_CODE.match(name)
    room = None if match is None else game.records.rooms.get(match[1])
    if match is None or room is None:
        return None
    ids = [instance.id for instance in room.instances]
    if int(match[2]) not in ids:
        return None
    return room, ids.index(int(match[2])), match[3] is not None


def usual_action(game: CodeModel, kind: int, code: Reference[CodeEntry]) -> Action:
    """An action that runs a code entry, as the release stores it for events of this type."""
    action = Action(code=code)
    if game.release.major < 2 or kind == int(EventType.PRE_CREATE):
        action.name = game.strings.add("")
        action.use_apply_to = True
        action.argument_count = 1
    return action


def _object_and_event(game: CodeModel, rest: str) -> tuple[str, str]:
    """``obj_player_Step_0`` as the object's name and the event."""
    for word in EVENT_WORDS:
        at = rest.rfind(f"_{word}_")
        while at > 0:
            if rest[:at] in game.records.objects:
                return rest[:at], rest[at + 1 :]
            at = rest.rfind(f"_{word}_", 0, at)
    raise EncodeError(f"{OBJECT_PREFIX}{rest!r} does not name an object of the game and an event")


def read_event(game: CodeModel, event: str | tuple[int, object]) -> tuple[int, object, str]:
    """The type, the subtype and the words for an event in an entry's name.

    Raises EncodeError for an unknown event.
    """
    if isinstance(event, str):
        word, _, rest = event.partition("_")
        if word not in EVENT_WORDS or not rest:
            raise EncodeError(f"{event!r} is not a valid event (Step_0 and Collision_obj_wall are)")
        kind = EVENT_WORDS.index(word)
        given: object = int(rest) if rest.isdecimal() and len(rest) < 10 else rest
    else:
        kind, given = int(event[0]), event[1]
        if not 0 <= kind < len(EVENT_WORDS):
            raise EncodeError(f"there is not an event type {kind}")
    if kind == int(EventType.COLLISION):
        try:
            other = game.records.objects.reference_to(given)
        except KeyError as error:
            raise EncodeError(str(error.args[0])) from None
        # the number before GameMaker 2, the name from 2.3 on
        shown = other.index if game.release.major < 2 else other.name
        return kind, other, f"{EVENT_WORDS[kind]}_{shown}"
    if not isinstance(given, int) or not 0 <= given <= 0xFFFFFFFF:
        raise EncodeError(f"{given!r} is not a valid number of a {EVENT_WORDS[kind]} event")
    return kind, given, f"{EVENT_WORDS[kind]}_{given}"


def check_bytecode(game: CodeModel) -> None:
    """Raise EncodeError for a game to which no code can be added."""
    record = game.record("CODE")
    if record is None or record.area is None:
        raise EncodeError("code can't be added: the game has no readable bytecode")


class _Addition:
    """A new root entry; what was added is taken out again if anything fails."""

    def __init__(self, game: CodeModel, name: str) -> None:
        check_bytecode(game)
        if name in game.records.code:
            raise EncodeError(f"the code entry {name} already exists")
        game.load_all()
        self.game = game
        self._added: list[tuple[MutableSequence[Any], int]] = []
        self._strings = len(game.strings)
        self._own_arguments()
        string = game.strings.add(name)
        empty = Bytecode.of(decode(b"", game.release.bytecode))
        self.entry = CodeEntry(string, bytecode=empty, game=game)
        self._remember(game.records.code.items)
        self.reference = game.records.code.append(self.entry)

    def _remember(self, items: MutableSequence[Any]) -> None:
        self._added.append((items, len(items)))

    def append(self, items: NamedList[T], record: T) -> None:
        """Add a record to a named list."""
        self._remember(items.items)
        items.append(record)

    def _own_arguments(self) -> None:
        """Add the entry's own variable ``arguments`` where every root has one."""
        game = self.game
        if game.release.bytecode < 15:
            return
        variables = game.variables.items
        own = sum(
            v.instance_type == _LOCAL and v.name == ARGUMENTS for v in game.variables.present()
        )
        roots = sum(entry is not None and entry.root is None for entry in game.records.code)
        self._remember(variables)
        if own != roots:
            return
        string = game.strings.add(ARGUMENTS)
        variable = Variable(string, _LOCAL)
        if game.language.context.dialect.gml_v2:
            variable.id = int(string.number)
        variables.append(variable)

    def list_room_code(self) -> None:
        """List the entry, which is that of a room or instance, in SCPT where the game does so."""
        if lists_room_code(self.game, [self.entry]):
            self.append(
                self.game.records.scripts, Script(self.entry.name, ScriptCode(self.reference))
            )

    def compile(self, source: str, definitions: str) -> CodeEntry:
        """Compile the source and put it into the new entry."""
        language = self.game.language
        context = language.context_with(definitions)
        name = str(self.entry.name)
        # start-up: names of entries are looked at without compiling any
        compiling = load(_COMPILING)
        if compiling.entry_kind(name, context.dialect) == "global_script":
            _declare_functions(context, source)
        language.assign(self.entry, compiling.compile_entry(source, context, name))
        return self.entry

    def __enter__(self) -> _Addition:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        game = self.game
        if error is not None:
            for items, count in reversed(self._added):
                del items[count:]
            game.strings.cut(self._strings)
        game.language.forget()


def _declare_functions(context: Context, source: str) -> None:
    """Make the functions of a new script known, which may call each other and themselves."""
    block = parse(source, context.dialect, macros=context.macros)
    for statement in block.statements:
        expression = getattr(statement, "expression", None)
        if isinstance(expression, tree.Function) and expression.name:
            name = expression.name
            context.add_function(name, SCRIPT_PREFIX + name)
