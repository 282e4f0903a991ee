"""The reads in expressions of code: which places, and where their values come from; and the use
of texts by GameMaker's own functions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from overhaul.gml.builtins import load_functions
from overhaul.gml.builtins.effects import Arguments, load_effects
from overhaul.gml.syntax import tree
from overhaul.gml.values import FETCHED, KEYS, arguments_with, called_name, key_of
from overhaul.translate.gamemaker.flow import Families, Place, ValueSource

#: where a text comes from that is not in the code
ELSEWHERE: Place = ("elsewhere",)


def _together(*effects: str) -> dict[str, Arguments]:
    return {name: numbers for effect in effects for name, numbers in load_effects(effect).items()}


#: functions that show arguments to the player
SHOWN: Final = load_effects("shown")

#: variables whose value is shown
SHOWN_VARIABLES: Final = frozenset(
    ("room_caption", "caption_score", "caption_lives", "caption_health")
)

#: functions whose result holds arguments, or what is in them
PASSED: Final = _together("passed", "returned", "held", "fetched")
#: functions that put arguments, or what is in them, into what the first one is
STORED: Final = _together("stored", "copied", "added")
#: functions for which arguments are names of something, which a translation would not be
NAMED: Final = load_effects("named")
#: functions that look for something by arguments
LOOKUP: Final = load_effects("lookup")
#: functions that look for a value in arguments
SEARCHED: Final = load_effects("searched")
#: functions that draw a picture whose number may be a letter's: the number of the argument
LETTERS: Final = load_effects("letter")
#: functions that read a file: which argument is its name
READS_FILE: Final = load_effects("file")
#: functions that run the events of an object named by an argument, as what calls them
TAKE_EVENTS: Final = load_effects("events")

_NAMES: Final = load_effects("variable")
_VALUES: Final = load_effects("variable_value")
#: functions that read a variable: which argument is its name
READS: Final = {name: _NAMES[name][0] for name in _NAMES.keys() - _VALUES}
#: functions that set a variable: which argument is its name, and which its value
SETS: Final = {name: (_NAMES[name][0], _VALUES[name][0]) for name in _VALUES}


class Computed(NamedTuple):
    """A variable whose name is computed: its place, its name, and the object whose instances have
    it ("" for anything)."""

    place: Place
    name: tree.Expression
    scope: Scope
    owner: str


class Scope(NamedTuple):
    """A function's body: its name, the number of each parameter, its local variables, the object
    whose instances run it ("" for any), and whether it is a constructor."""

    key: int
    name: str
    parameters: dict[str, int]
    locals: set[str]
    owner: str
    makes: bool = False


class Values:
    """Reads the expressions of a game with scripts of the names ``own`` and objects in
    ``families``."""

    def __init__(self, own: Iterable[str], families: Families) -> None:
        self.own: frozenset[str] = frozenset(own)
        self.builtin: set[str] = load_functions().keys() - self.own
        self.computed: list[Computed] = []
        self._texts = {
            name
            for name, function in load_functions().items()
            if "String" in function.result and name not in PASSED.keys() | READS.keys()
        } - self.own
        self._families = families

    def object(self, node: tree.Expression | None) -> str:
        """The object that an expression names; "" for none."""
        return node.name if isinstance(node, tree.Name) and node.name in self._families else ""

    def target(
        self, node: tree.Expression | None, scope: Scope, written: bool = False
    ) -> Place | None:
        """The place that an expression reads or writes; None for none."""
        while isinstance(node, tree.Index):
            index = node.indices[0] if node.indices else None
            numbered = isinstance(node.object, tree.Name) and node.object.name == "argument"
            if numbered and isinstance(index, tree.Number):
                return ("argument", scope.name, int(index.value))
            if node.accessor == "$" and isinstance(index, tree.String):
                return ("set" if written else "any", index.value)
            node = node.object
        if isinstance(node, tree.Member):
            of = node.object
            if isinstance(of, tree.Name) and of.name == "global":
                return ("global", node.name)
            itself = isinstance(of, tree.Name) and of.name in ("self", "id")
            return _variable(node.name, scope.owner if itself else self.object(of), written)
        if isinstance(node, tree.Name):
            return self.named(node.name, scope, written)
        return None

    def sources(self, value: tree.Expression | None, scope: Scope) -> list[ValueSource]:
        """Where a value comes from."""
        sources: list[ValueSource] = []
        todo: list[tuple[tree.Expression | None, bool]] = [(value, False)]
        while todo:
            node, members = todo.pop()
            match node:
                case None | tree.Number():
                    pass
                case tree.Name() | tree.Member() | tree.Index():
                    todo += self._read(node, members, scope, sources)
                case tree.Call():
                    todo += self._passed(node, members, scope, sources)
                case tree.New():
                    sources.append(ValueSource(None, ("made", called_name(node.function)), members))
                case tree.String() | tree.StructLiteral():
                    sources.append(ValueSource(node, (), members))
                case tree.Binary():
                    if node.operator in ("+", "??"):
                        todo += [(node.left, members), (node.right, members)]
                case tree.Conditional():
                    todo += [(node.then, members), (node.otherwise, members)]
                case tree.ArrayLiteral():
                    todo += [(element, members) for element in node.elements]
                case tree.TemplateString():
                    sources.append(ValueSource(node, (), members))
                    others = (part for part in node.parts if type(part) is not tree.String)
                    todo += [(part, members) for part in others]
        return sources

    def like(
        self, kind: str, name: tree.Expression | None, holder: tree.Expression | None, scope: Scope
    ) -> Place | None:
        """The place of a variable of what ``holder`` is, with a computed name; ``kind`` is
        "computed" where it is written, "like" where it is read."""
        if name is None:
            return None
        itself = isinstance(holder, tree.Name) and holder.name in ("self", "id")
        owner = scope.owner if itself else self.object(holder)
        place: Place = (kind, len(self.computed))
        self.computed.append(Computed(place, name, scope, owner))
        return place

    def named(self, name: str, scope: Scope, written: bool) -> Place:
        """The place of a variable without an owner."""
        if name in scope.parameters:
            return ("argument", scope.name, scope.parameters[name])
        if name in scope.locals:
            return ("local", scope.key, name)
        if name.startswith("argument") and name[8:].isdigit():
            return ("argument", scope.name, int(name[8:]))
        if name == "argument":
            return ("arguments", scope.name)
        return _variable(name, scope.owner, written)

    def _read(
        self,
        node: tree.Name | tree.Member | tree.Index,
        members: bool,
        scope: Scope,
        sources: list[ValueSource],
    ) -> list[tuple[tree.Expression | None, bool]]:
        """A variable, or what is in it; returns the expressions to follow instead."""
        place = self.target(node, scope)
        accessor = node.accessor if isinstance(node, tree.Index) else ""
        if isinstance(node, tree.Index) and accessor == "?" and node.indices:
            return self._field(node.object, node.indices[0], members, scope, sources)
        if place is not None:
            sources.append(ValueSource(None, place, members))
            if accessor == "$" and isinstance(node, tree.Index):
                sources.append(ValueSource(None, place, True))
                self._read_like(next(iter(node.indices), None), node.object, scope, sources)
        elif isinstance(node, tree.Index):
            return [(node.object, members or accessor == "$")]
        return []

    def _read_like(
        self,
        name: tree.Expression | None,
        holder: tree.Expression | None,
        scope: Scope,
        sources: list[ValueSource],
    ) -> None:
        """A variable with a computed name."""
        place = None if isinstance(name, tree.String) else self.like("like", name, holder, scope)
        if place is not None:
            sources.append(ValueSource(None, place, False))

    def _field(
        self,
        held: tree.Expression | None,
        key: tree.Expression | None,
        members: bool,
        scope: Scope,
        sources: list[ValueSource],
    ) -> list[tuple[tree.Expression | None, bool]]:
        """The value of a map for a key: any of its values where that is not written."""
        if isinstance(key, tree.String):
            sources.append(ValueSource(None, ("field", key.value), members))
        else:
            place = self.target(held, scope)
            if place is not None:
                sources.append(ValueSource(None, ("keyed", *place), members))
        return [(held, members)]

    def _passed(
        self, node: tree.Call, members: bool, scope: Scope, sources: list[ValueSource]
    ) -> list[tuple[tree.Expression | None, bool]]:
        name, arguments = called_name(node.function), node.arguments
        if name not in self.own:
            if name in FETCHED and len(arguments) > KEYS.get(name, len(arguments)):
                return self._field(arguments[0], key_of(name, arguments), members, scope, sources)
            if name in self._texts or (name in LOOKUP and name in PASSED):
                sources.append(ValueSource(None, ELSEWHERE, False))
            if name in PASSED:
                return [(value, members) for value in arguments_with(PASSED, name, arguments)]
            if name in READS and len(arguments) > READS[name]:
                key = text_of(arguments[READS[name]])
                if not key:
                    self._read_like(arguments[READS[name]], arguments[0], scope, sources)
                    return [(arguments[0], True)]
                place = ("global" if name == "variable_global_get" else "any", key)
                sources.append(ValueSource(None, place, members))
            if name == "script_execute" and arguments:
                name = called_name(arguments[0])
        if name and name not in self.builtin:
            sources.append(ValueSource(None, ("result", name), members))
        return []


def _variable(name: str, owner: str, written: bool) -> Place:
    if owner:
        return ("own" if written else "of", owner, name)
    return ("set" if written else "any", name)


def text_of(node: tree.Expression | None) -> str:
    """The name that is written as an argument; "" where it is not."""
    if isinstance(node, tree.Call) and called_name(node.function) == "variable_get_hash":
        node = next(iter(node.arguments), None)
    return node.value if isinstance(node, tree.String) else ""
