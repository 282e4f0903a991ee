"""New code in a game: scripts, events of objects, creation code of rooms, moments of timelines.

The entries are named as the compilers name them, and go behind those that are there.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ....errors import EncodeError
from ....gml.vm.opcodes import InstanceType
from ....gml.vm.registration import ARGUMENTS
from ..chunks.code import Bytecode, CodeEntry
from ..chunks.objt import EVENT_WORDS, Action, Event, EventType
from ..chunks.scpt import Script, ScriptCode
from ..chunks.vari import Variable
from .context import GLOBAL_SCRIPT_PREFIX, SCRIPT_PREFIX, game_context
from .language import add_definitions, entry_kind

if TYPE_CHECKING:
    from ....gml.context import Context
    from ..game import GameData

OBJECT_PREFIX = "gml_Object_"
ROOM_PREFIX = "gml_Room_"
INSTANCE_PREFIX = "gml_RoomCC_"
TIMELINE_PREFIX = "Timeline_"

_IDENTIFIER = re.compile(r"[A-Za-z_]\w*\Z", re.A)
_LOCAL = int(InstanceType.LOCAL)


def add_script(game: GameData, name: str, source: str, definitions: str = "") -> CodeEntry:
    """Add a script: its asset, its code, and from 2.3 on its place in the global init.

    From 2.3 on ``source`` declares functions (``function jump(height) { ... }``), before it is
    the body of the one function that the script is.  Raises EncodeError for a name that is taken
    or is none, SyntaxError_ and CompileError for the source.
    """
    if not _IDENTIFIER.match(name):
        raise EncodeError(f"{name!r} is no name for a script")
    if game.language.context.asset_id(name) is not None or name in game.scripts:
        raise EncodeError(f"the name {name!r} is taken")
    modern = game.language.context.dialect.gml_v2
    prefix = GLOBAL_SCRIPT_PREFIX if modern else SCRIPT_PREFIX
    with _Addition(game, prefix + name) as addition:
        strings = game.strings
        addition.append(game.scripts, Script(strings.add(name), ScriptCode(addition.reference)))
        game.language.forget()
        entry = addition.compile(source, definitions)
        if modern and "GLOB" in game.slots:
            game.chunk("GLOB").code.append(addition.reference)
    return entry


def add_event(
    game: GameData, owner: Any, event: str | tuple[int, Any], source: str, definitions: str = ""
) -> CodeEntry:
    """Add an event to an object.

    ``owner`` is an object (or its name or index), ``event`` the event as the entry's name has it
    (``"Step_0"``, ``"Collision_obj_wall"``), or its type and subtype as numbers (for a collision
    the other object).  Raises EncodeError for an event the object has already or the release does
    not know, KeyError for an unknown object, SyntaxError_ and CompileError for the source.
    """
    target = game.objects[owner] if isinstance(owner, (str, int)) else owner
    kind, subtype, word = _event(game, event)
    if kind >= len(target.events):
        raise EncodeError(f"this release has no {EVENT_WORDS[kind]} events")
    events = target.events[kind]
    if any(each.subtype == subtype for each in events):
        raise EncodeError(f"{target.name} has the event {word} already")
    with _Addition(game, f"{OBJECT_PREFIX}{target.name}_{word}") as addition:
        entry = addition.compile(source, definitions)
        events.append(Event(subtype, [usual_action(game, kind, addition.reference)]))
    return entry


def add_room_code(game: GameData, room: Any, source: str, definitions: str = "") -> CodeEntry:
    """Add the creation code of a room.  Raises as :func:`add_event`."""
    target = game.rooms[room] if isinstance(room, (str, int)) else room
    if target.creation_code is not None:
        raise EncodeError(f"{target.name} has creation code already")
    with _Addition(game, f"{ROOM_PREFIX}{target.name}_Create") as addition:
        entry = addition.compile(source, definitions)
        target.creation_code = addition.reference
    return entry


def add_instance_code(
    game: GameData, room: Any, number: int, source: str, definitions: str = ""
) -> CodeEntry:
    """Add the creation code of the instance that is number ``number`` of a room's list.

    Raises as :func:`add_event`, EncodeError where there is no such instance.
    """
    target = game.rooms[room] if isinstance(room, (str, int)) else room
    if not 0 <= number < len(target.instances):
        raise EncodeError(f"{target.name} has no instance number {number}")
    instance = target.instances[number]
    if instance.creation_code is not None:
        raise EncodeError(f"the instance {number} of {target.name} has creation code already")
    with _Addition(game, f"{INSTANCE_PREFIX}{target.name}_{number}_Create") as addition:
        entry = addition.compile(source, definitions)
        instance.creation_code = addition.reference
    return entry


def add_moment(
    game: GameData, timeline: Any, step: int, source: str, definitions: str = ""
) -> CodeEntry:
    """Add a moment to a timeline, in the order of the steps.  Raises as :func:`add_event`."""
    from ..chunks.tmln import Moment

    target = game.timelines[timeline] if isinstance(timeline, (str, int)) else timeline
    if any(moment.step == step for moment in target.moments):
        raise EncodeError(f"{target.name} has a moment at step {step} already")
    number = len(target.moments)
    while f"{TIMELINE_PREFIX}{target.name}_{number}" in game.code:
        number += 1
    with _Addition(game, f"{TIMELINE_PREFIX}{target.name}_{number}") as addition:
        entry = addition.compile(source, definitions)
        moment = Moment(step, [usual_action(game, 0, addition.reference)])
        place = sum(each.step < step for each in target.moments)
        target.moments.insert(place, moment)
    return entry


def add_entry(game: GameData, name: str, source: str, definitions: str = "") -> CodeEntry:
    """Add code by the name its entry will have.

    ``gml_Script_NAME`` or ``gml_GlobalScript_NAME``, ``gml_Object_NAME_Step_0``,
    ``gml_Room_NAME_Create``, ``gml_RoomCC_NAME_0_Create``.  Raises EncodeError for a name that
    is none of these; else as the functions above.
    """
    for prefix in (GLOBAL_SCRIPT_PREFIX, SCRIPT_PREFIX):
        if name.startswith(prefix):
            return add_script(game, name[len(prefix) :], source, definitions)
    if name.startswith(OBJECT_PREFIX):
        owner, event = _object_and_event(game, name[len(OBJECT_PREFIX) :])
        return add_event(game, owner, event, source, definitions)
    if name.startswith(ROOM_PREFIX) and name.endswith("_Create"):
        room = name[len(ROOM_PREFIX) : -len("_Create")]
        if room in game.rooms:
            return add_room_code(game, room, source, definitions)
    number = re.match(rf"{INSTANCE_PREFIX}(.+)_(\d+)_Create\Z", name)
    if number is not None and number[1] in game.rooms:
        return add_instance_code(game, number[1], int(number[2]), source, definitions)
    raise EncodeError(
        f"{name!r} can't be added: it names no script, event of an object or room of this game"
    )


def usual_action(game: GameData, kind: int, code: Any) -> Action:
    """An action that runs a code entry, as the release stores it for events of this type."""
    action = Action(code=code)
    if game.layout.major < 2 or kind == int(EventType.PRE_CREATE):
        action.name = game.strings.add("")
        action.use_apply_to = True
        action.argument_count = 1
    return action


def _object_and_event(game: GameData, rest: str) -> tuple[str, str]:
    """``obj_player_Step_0`` as the object's name and the event."""
    for word in EVENT_WORDS:
        at = rest.rfind(f"_{word}_")
        while at > 0:
            if rest[:at] in game.objects:
                return rest[:at], rest[at + 1 :]
            at = rest.rfind(f"_{word}_", 0, at)
    raise EncodeError(f"{OBJECT_PREFIX}{rest!r} names no object of the game and event")


def _event(game: GameData, event: str | tuple[int, Any]) -> tuple[int, Any, str]:
    """The type, the subtype and the words for an event in an entry's name."""
    if isinstance(event, str):
        word, _, rest = event.partition("_")
        if word not in EVENT_WORDS or not rest:
            raise EncodeError(f"{event!r} is no event; Step_0 is, or Collision_obj_wall")
        kind = EVENT_WORDS.index(word)
        given: Any = int(rest) if rest.isdecimal() and len(rest) < 10 else rest
    else:
        kind, given = int(event[0]), event[1]
        if not 0 <= kind < len(EVENT_WORDS):
            raise EncodeError(f"there is no event type {kind}")
    if kind == int(EventType.COLLISION):
        try:
            other = game.objects.reference_to(given)
        except KeyError as error:
            raise EncodeError(str(error.args[0])) from None
        # the number before GameMaker 2, the name from 2.3 on
        shown = other.index if game.layout.major < 2 else other.target.name
        return kind, other, f"{EVENT_WORDS[kind]}_{shown}"
    if not isinstance(given, int) or not 0 <= given <= 0xFFFFFFFF:
        raise EncodeError(f"{given!r} is no number of a {EVENT_WORDS[kind]} event")
    return kind, given, f"{EVENT_WORDS[kind]}_{given}"


class _Addition:
    """A new root entry; what was added is taken out again if anything fails."""

    def __init__(self, game: GameData, name: str) -> None:
        from ....gml.vm.columns import decode

        record = game.chunk("CODE")
        if record is None or record.area is None:
            raise EncodeError("code can't be added: the game has no bytecode that is understood")
        if name in game.code:
            raise EncodeError(f"there is a code entry {name} already")
        game.load_all()
        self.game = game
        self._added: list[tuple[list[Any], int]] = []
        self._strings = len(game.strings)
        self._own_arguments()
        string = game.strings.add(name)
        empty = Bytecode.of(decode(b"", game.layout.bytecode))
        self.entry = CodeEntry(string, bytecode=empty, game=game)
        self._remember(game.code.items)
        self.reference = game.code.append(self.entry)

    def _remember(self, items: list[Any]) -> None:
        self._added.append((items, len(items)))

    def append(self, items: Any, record: Any) -> None:
        """Add a record to a named list."""
        self._remember(items.items)
        items.append(record)

    def _own_arguments(self) -> None:
        """The entry's own variable ``arguments``, where every root has one."""
        game = self.game
        if game.layout.bytecode < 15:
            return
        variables = game.variables.items
        own = sum(v.instance_type == _LOCAL and v.name == ARGUMENTS for v in variables)
        roots = sum(entry is not None and entry.root is None for entry in game.code)
        self._remember(variables)
        if own != roots:
            return
        string = game.strings.add(ARGUMENTS)
        variable = Variable(string, _LOCAL)
        if game.language.context.dialect.gml_v2:
            variable.id = int(string.index)
        variables.append(variable)

    def compile(self, source: str, definitions: str) -> CodeEntry:
        """Compile the source and put it into the new entry."""
        from ....gml import compile as compile_source

        game = self.game
        language = game.language
        context = language.context
        if definitions:
            context = game_context(game)
            add_definitions(context, definitions)
        name = str(self.entry.name)
        kind = entry_kind(name, context)
        if kind == "global_script":
            _declare_functions(context, source)
        code = compile_source(source, context, kind=kind, name=name)
        language.assign(self.entry, code)
        return self.entry

    def __enter__(self) -> _Addition:
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        game = self.game
        if error is not None:
            for items, count in reversed(self._added):
                del items[count:]
            game.strings.cut(self._strings)
        game.language.forget()


def _declare_functions(context: Context, source: str) -> None:
    """Make the functions of a new script known, which may call each other and themselves."""
    from ....gml.syntax import tree
    from ....gml.syntax.parser import parse

    block = parse(source, context.dialect, macros=context.macros)
    for statement in block.statements:
        expression = getattr(statement, "expression", None)
        if isinstance(expression, tree.Function) and expression.name:
            name = expression.name
            context.add_function(name, SCRIPT_PREFIX + name, len(expression.parameters))
