"""Where texts in code go: a flow of values by name through a whole game, backwards from what shows
them.

A place is a variable (by its name alone, whatever it belongs to; what an array, list, map or struct
holds counts as the variable's own), a local variable of a function, an argument or a result of a
function.  A text is shown if it comes to a place that is drawn.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeAlias

from overhaul.gml.builtins import load_functions
from overhaul.gml.syntax import tree
from overhaul.translate.gamemaker.functions import (
    KEYS,
    PASSED,
    READS,
    SETS,
    SHOWN,
    SHOWN_VARIABLES,
    STORED,
    chosen,
)

#: ("variable", name), ("local", function, name), ("argument", function, number), ...
Place: TypeAlias = tuple[str | int, ...]
Text: TypeAlias = tree.String | tree.TemplateString


class Source(NamedTuple):
    """Where a value comes from; ``members``: not itself, but what its struct holds."""

    node: Text | tree.StructLiteral | None
    place: Place
    members: bool


class _Scope(NamedTuple):
    """A function's body: its name, the name of each parameter, and its local variables."""

    key: int
    name: str
    parameters: dict[str, int]
    locals: set[str]


class Flow:
    """The flow of one game: :meth:`read` each tree, then ask :meth:`shown`."""

    def __init__(self, own: Iterable[str] = ()) -> None:
        self._own = frozenset(own)
        self._builtin = load_functions().keys() - self._own
        self._from: defaultdict[Place, list[Source]] = defaultdict(list)
        self._shown: list[Source] = []
        self._keys: defaultdict[str, list[Source]] = defaultdict(list)
        self._scopes = 0
        for name in SHOWN_VARIABLES:
            self._shown.append(Source(None, ("variable", name), False))

    def read(self, block: tree.Node, name: str) -> None:
        """Read the code of an entry; ``name`` is that of its function, if it is one."""
        todo: list[tuple[tree.Node, str]] = [(block, name)]
        while todo:
            body, called = todo.pop()
            scope = self._scope(body, called)
            names: dict[int, str] = {}
            for node in _own_nodes(body):
                if isinstance(node, tree.Function) and node is not body:
                    todo.append((node, node.name or names.get(id(node), "")))
                else:
                    self._visit(node, scope, names)

    def shown(self) -> set[int]:
        """The ``id`` of each text node that is shown."""
        return self._reached(self._shown)

    def keys(self) -> dict[str, set[int]]:
        """The ``id`` of each text node that comes to a place where it is a name of something: by
        the function or accessor."""
        return {use: self._reached(sources) for use, sources in self._keys.items()}

    def _reached(self, sources: list[Source]) -> set[int]:
        found: set[int] = set()
        known: set[tuple[Place, bool]] = set()
        todo = list(sources)
        while todo:
            node, place, members = todo.pop()
            if node is None:
                if (place, members) not in known:
                    known.add((place, members))
                    todo += [
                        source._replace(members=source.members or members)
                        for source in self._from[place]
                    ]
            elif isinstance(node, tree.StructLiteral):
                if members:
                    for member in node.members:
                        todo += self._from["member", id(member)]
            elif not members:
                found.add(id(node))
        return found

    # -- reading -----------------------------------------------------------------------------

    def _scope(self, body: tree.Node, name: str) -> _Scope:
        self._scopes += 1
        scope = _Scope(self._scopes, name or f"@{self._scopes}", {}, set())
        if isinstance(body, tree.Function):
            for number, parameter in enumerate(body.parameters):
                scope.parameters[parameter.name] = number
        for node in _own_nodes(body):
            if isinstance(node, tree.Var | tree.Static):
                scope.locals.update(each.name for each in node.declarators)
        return scope

    def _visit(self, node: tree.Node, scope: _Scope, names: dict[int, str]) -> None:
        if isinstance(node, tree.Assignment):
            if node.operator in ("=", "+=", "??="):
                self._assign(self._target(node.target, scope), node.value, scope)
            _name_function(_last_name(node.target), node.value, names)
        elif isinstance(node, tree.Declarator | tree.Parameter):
            value = node.value if isinstance(node, tree.Declarator) else node.default
            if value is not None:
                self._assign(self._named(node.name, scope), value, scope)
                _name_function(node.name, value, names)
        elif isinstance(node, tree.StructMember):
            sources = self._sources(node.value, scope)
            self._from["variable", node.name] += sources
            self._from["member", id(node)] += sources
            _name_function(node.name, node.value, names)
        elif isinstance(node, tree.Return):
            self._assign(("result", scope.name), node.value, scope)
        elif isinstance(node, tree.Call | tree.New):
            self._call(node, scope)
        elif isinstance(node, tree.Index) and node.accessor in ("?", "$"):
            self._keys[f"[{node.accessor} ]"] += self._sources(
                next(iter(node.indices), None), scope
            )

    def _assign(self, place: Place | None, value: tree.Expression, scope: _Scope) -> None:
        if place is not None:
            self._from[place] += self._sources(value, scope)

    def _call(self, node: tree.Call | tree.New, scope: _Scope) -> None:
        name, arguments = _last_name(node.function), node.arguments
        if name not in self._own:
            for number in chosen(SHOWN[name], len(arguments)) if name in SHOWN else ():
                self._shown += self._sources(arguments[number], scope)
            for number in chosen(KEYS[name], len(arguments)) if name in KEYS else ():
                self._keys[name] += self._sources(arguments[number], scope)
            if name in STORED and arguments:
                place = self._target(arguments[0], scope)
                for number in chosen(STORED[name], len(arguments)):
                    value = arguments[number]
                    if value is not None:
                        self._assign(place, value, scope)
            if name in SETS and len(arguments) > SETS[name] + 1:
                key, value = arguments[SETS[name]], arguments[SETS[name] + 1]
                if isinstance(key, tree.String) and value is not None:
                    self._assign(("variable", key.value), value, scope)
            if name == "script_execute" and arguments:
                name, arguments = _last_name(arguments[0]), arguments[1:]
        if name and name not in self._builtin:
            for number, value in enumerate(arguments):
                if value is not None:
                    self._assign(("argument", name, number), value, scope)
                    self._assign(("arguments", name), value, scope)

    def _named(self, name: str, scope: _Scope) -> Place:
        if name in scope.parameters:
            return ("argument", scope.name, scope.parameters[name])
        if name in scope.locals:
            return ("local", scope.key, name)
        if name.startswith("argument") and name[8:].isdigit():
            return ("argument", scope.name, int(name[8:]))
        if name == "argument":
            return ("arguments", scope.name)
        return ("variable", name)

    def _target(self, node: tree.Expression | None, scope: _Scope) -> Place | None:
        """The place that an expression reads or writes; None for none."""
        while isinstance(node, tree.Index):
            index = node.indices[0] if node.indices else None
            numbered = isinstance(node.object, tree.Name) and node.object.name == "argument"
            if numbered and isinstance(index, tree.Number):
                return ("argument", scope.name, int(index.value))
            if node.accessor == "$" and isinstance(index, tree.String):
                return ("variable", index.value)
            node = node.object
        if isinstance(node, tree.Member):
            return ("variable", node.name)
        if isinstance(node, tree.Name):
            return self._named(node.name, scope)
        return None

    def _sources(self, value: tree.Expression | None, scope: _Scope) -> list[Source]:
        found: list[Source] = []
        todo: list[tuple[tree.Expression | None, bool]] = [(value, False)]
        while todo:
            node, members = todo.pop()
            if isinstance(node, tree.String | tree.StructLiteral):
                found.append(Source(node, (), members))
            elif isinstance(node, tree.TemplateString):
                found.append(Source(node, (), members))
                todo += [(part, members) for part in node.parts if type(part) is not tree.String]
            elif isinstance(node, tree.Binary):
                if node.operator in ("+", "??"):
                    todo += [(node.left, members), (node.right, members)]
            elif isinstance(node, tree.Conditional):
                todo += [(node.then, members), (node.otherwise, members)]
            elif isinstance(node, tree.ArrayLiteral):
                todo += [(each, members) for each in node.elements]
            elif isinstance(node, tree.Call):
                todo += self._passed(node, members, found)
            elif isinstance(node, tree.Name | tree.Member | tree.Index):
                place = self._target(node, scope)
                dynamic = isinstance(node, tree.Index) and node.accessor == "$"
                if place is not None:
                    found.append(Source(None, place, members))
                    if dynamic:
                        found.append(Source(None, place, True))
                elif isinstance(node, tree.Index):
                    todo.append((node.object, members or dynamic))
        return found

    def _passed(
        self, node: tree.Call, members: bool, found: list[Source]
    ) -> list[tuple[tree.Expression | None, bool]]:
        name, arguments = _last_name(node.function), node.arguments
        if name not in self._own:
            if name in PASSED:
                numbers = chosen(PASSED[name], len(arguments))
                return [(arguments[number], members) for number in numbers]
            key = arguments[READS[name]] if name in READS and len(arguments) > READS[name] else None
            if isinstance(key, tree.String):
                found.append(Source(None, ("variable", key.value), members))
            elif key is not None:
                return [(arguments[0], True)]
            if name == "script_execute" and arguments:
                name = _last_name(arguments[0])
        if name and name not in self._builtin:
            found.append(Source(None, ("result", name), members))
        return []


def _last_name(node: tree.Expression | None) -> str:
    """``c`` of ``a.b.c`` and ``c[1]``; "" where there is none."""
    while isinstance(node, tree.Index):
        node = node.object
    return node.name if isinstance(node, tree.Name | tree.Member) else ""


def _name_function(name: str, value: tree.Expression, names: dict[int, str]) -> None:
    """Note what a function that is assigned is called by."""
    if isinstance(value, tree.Call) and _last_name(value.function) == "method":
        value = value.arguments[-1] or value
    if isinstance(value, tree.Function):
        names[id(value)] = name


def _own_nodes(body: tree.Node) -> Iterator[tree.Node]:
    """The nodes of a function's body: functions inside it, but not what they hold."""
    stack = list(reversed(list(body.children())))
    while stack:
        node = stack.pop()
        yield node
        if not isinstance(node, tree.Function):
            stack.extend(reversed(list(node.children())))
