"""Where texts in code go: a flow of values by name through a whole game, backwards from what shows
them.

A place is a variable of an object's instances, of anything, or of the game; a local variable, an
argument or the result of a function; the value of a map for a key.  What an array, list, map or
struct holds counts as the variable's own.  A text is shown if it comes to a place that is drawn.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple, TypeAlias

from overhaul.gml.builtins import load_functions
from overhaul.gml.syntax import tree
from overhaul.translate.gamemaker.functions import (
    COMPARED,
    FIELDS,
    KEYS,
    LETTERS,
    PASSED,
    READS,
    READS_FILE,
    SETS,
    SHOWN,
    SHOWN_VARIABLES,
    STORED,
    TAKE_EVENTS,
    chosen,
)
from overhaul.translate.rules import Rules

#: Written: ("set", name) a variable of anything, ("own", object, name) of an object's instances.
#: Read: ("any", name), ("of", object, name).  Both: ("global", name), ("local", function, name),
#: ("argument", function, number), ("result", function), ("field", key), ...
Place: TypeAlias = tuple[object, ...]
Text: TypeAlias = tree.String | tree.TemplateString
#: the places that a text passes on its way, beginning with what shows it
Way: TypeAlias = "tuple[str, Way | None]"

#: how many names a file may have, and through how many variables they are looked for
_MOST_NAMES = 16
_DEEPEST = 4
#: how many places of a way are told
_TOLD = 6
_STARS = re.compile(r"\*+")

COMPARISON = "a comparison"
COMPARISONS = frozenset(("==", "!=", "<", "<=", ">", ">="))


class Source(NamedTuple):
    """Where a value comes from; ``members``: not itself, but what its struct holds."""

    node: Text | tree.StructLiteral | None
    place: Place
    members: bool


class _Scope(NamedTuple):
    """A function's body: its name, the name of each parameter, its local variables, and the
    object whose instances run it ("" for any)."""

    key: int
    name: str
    parameters: dict[str, int]
    locals: set[str]
    owner: str


class Flow:
    """The flow of one game: :meth:`read` each tree, then ask :meth:`shown`.

    ``own`` are the names of the game's scripts, ``parents`` the parent of each object; the
    functions of ``rules`` show texts, or don't.
    """

    def __init__(
        self,
        own: Iterable[str] = (),
        parents: Mapping[str, str] | None = None,
        rules: Rules | None = None,
    ) -> None:
        self._own = frozenset(own)
        self._builtin = load_functions().keys() - self._own
        self._rules = rules or Rules()
        self._families = _families(parents or {})
        self._loose = False
        self._from: defaultdict[Place, list[Source]] = defaultdict(list)
        self._put: defaultdict[Place, list[Source]] = defaultdict(list)
        self._aliases: defaultdict[Place, list[Place]] = defaultdict(list)
        self._owners: defaultdict[str, dict[Place, None]] = defaultdict(dict)
        self._shown: defaultdict[str, list[Source]] = defaultdict(list)
        self._keys: defaultdict[str, list[Source]] = defaultdict(list)
        self._values: defaultdict[Place, list[tuple[tree.Expression, _Scope]]] = defaultdict(list)
        self._files: list[tuple[str, tree.Expression, _Scope, str]] = []
        self._entry = ""
        self._scopes = 0
        #: what shows texts: the call (None for a variable), its name, and where its texts come from
        self.sites: list[tuple[tree.Node | None, str, list[Source]]] = []
        for name in SHOWN_VARIABLES:
            self._show(None, name, [Source(None, ("any", name), False)])

    def read(self, block: tree.Node, entry: str, name: str, owner: str = "") -> None:
        """Read the code of an entry; ``name`` is that of its function, if it is one, ``owner`` the
        object whose event it is."""
        self._entry = entry
        todo: list[tuple[tree.Node, str, str]] = [(block, name, owner)]
        while todo:
            body, called, owner = todo.pop()
            nodes = self._own_nodes(body, owner)
            scope = self._scope(body, called, owner, nodes)
            found: dict[int, str] = {}
            for node, runs in nodes:
                if isinstance(node, tree.Function) and node is not body:
                    called = node.name or found.get(id(node), "")
                    todo.append((node, called, "" if node.constructor else runs))
                else:
                    self._visit(node, scope if runs == owner else scope._replace(owner=runs), found)

    def shown(self) -> dict[int, Way]:
        """The ``id`` of each text node that is shown, and how it comes there."""
        return self._reached(self._shown)

    def at_once(self) -> set[int]:
        """The ``id`` of each text node that is passed to what shows it, not to a variable."""
        return {id(each.node) for sources in self._shown.values() for each in sources if each.node}

    def keys(self) -> dict[str, dict[int, Way]]:
        """The ``id`` of each text node that comes to a place where it is a name of something: by
        the function or accessor."""
        return {use: self._reached({use: sources}) for use, sources in self._keys.items()}

    def reached(self, sources: list[Source]) -> Iterable[int]:
        """The ``id`` of each text node that comes from one of the sources."""
        return self._reached({"": sources})

    def _show(self, node: tree.Node | None, name: str, sources: list[Source]) -> None:
        self._shown[name] += sources
        self.sites.append((node, name, sources))

    def files(self) -> dict[tuple[str, str], list[str]]:
        """The files that code reads: name, with ``*`` for what is not written, and function, with
        the names of the entries."""
        found: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
        for function, value, scope, entry in self._files:
            for pattern in self._patterns(value, scope, _DEEPEST):
                pattern = _STARS.sub("*", pattern.replace("\\", "/")).removeprefix("./")
                if any(map(str.isalnum, pattern)):
                    found[pattern, function].append(entry)
        return found

    def _patterns(self, node: tree.Expression | None, scope: _Scope, depth: int) -> list[str]:
        """What a name of a file may be."""
        if isinstance(node, tree.String):
            return [node.value]
        if isinstance(node, tree.TemplateString):
            parts = (part.value if type(part) is tree.String else "*" for part in node.parts)
            return ["".join(parts)]
        if isinstance(node, tree.Binary) and node.operator == "+":
            left = self._patterns(node.left, scope, depth)
            right = self._patterns(node.right, scope, depth)
            return [one + two for one in left for two in right][:_MOST_NAMES]
        if depth and isinstance(node, tree.Name | tree.Member):
            place = self._target(node, scope)
            places = [place, *self._written(place)] if place is not None else []
            values = [each for place in places for each in self._values[place]]
            found = [
                pattern
                for value, its in values[:_MOST_NAMES]
                for pattern in self._patterns(value, its, depth - 1)
            ]
            return list(dict.fromkeys(found))[:_MOST_NAMES] or ["*"]
        return ["*"]

    def _reached(self, seeds: Mapping[str, list[Source]]) -> dict[int, Way]:
        found: dict[int, Way] = {}
        known: set[tuple[Place, bool]] = set()
        todo: list[tuple[Source, Way]] = [
            (source, (use, None)) for use, sources in seeds.items() for source in sources
        ]
        while todo:
            (node, place, members), way = todo.pop()
            if node is None:
                if (place, members) not in known:
                    known.add((place, members))
                    label = _told(place)
                    further = (label, way) if label and label != way[0] else way
                    for source in self._behind(place):
                        if members and not source.members:
                            source = source._replace(members=True)
                        todo.append((source, further))
            elif isinstance(node, tree.StructLiteral):
                if members:
                    for member in node.members:
                        todo += [(each, way) for each in self._from["member", id(member)]]
            elif not members:
                found.setdefault(id(node), way)
        return found

    def _behind(self, place: Place) -> list[Source]:
        """What a place may hold."""
        mark: Place = ()
        if place[0] in ("put", "keyed"):
            mark, place = place[:1], place[1:]
        found = list(self._put[(*mark, *place)] if mark == ("keyed",) else self._put[place])
        if not mark:
            found += self._from[place]
        further = [(*(mark or ("put",)), *alias) for alias in self._aliases[place]]
        further += [(*mark, *each) for each in self._written(place)]
        return found + [Source(None, each, False) for each in further]

    def _written(self, place: Place) -> list[Place]:
        """The places that are written where a variable is read."""
        if place[0] == "any":
            name = str(place[1])
            return [("set", name), *self._owners[name]]
        if place[0] == "of":
            owner, name = str(place[1]), str(place[2])
            if self._loose:
                return [("set", name), *self._owners[name]]
            return [("set", name), *(("own", each, name) for each in self._families[owner])]
        return []

    # -- reading -----------------------------------------------------------------------------

    def _scope(
        self, body: tree.Node, name: str, owner: str, nodes: list[tuple[tree.Node, str]]
    ) -> _Scope:
        self._scopes += 1
        scope = _Scope(self._scopes, name or f"@{self._scopes}", {}, set(), owner)
        if isinstance(body, tree.Function):
            for number, parameter in enumerate(body.parameters):
                scope.parameters[parameter.name] = number
        for node, _ in nodes:
            if isinstance(node, tree.Var | tree.Static):
                scope.locals.update(each.name for each in node.declarators)
        return scope

    def _own_nodes(self, body: tree.Node, owner: str) -> list[tuple[tree.Node, str]]:
        """The nodes of a function's body, and the object whose instances run each: functions
        inside it, but not what they hold."""
        found: list[tuple[tree.Node, str]] = []
        stack = [(child, owner) for child in reversed(body.children())]
        while stack:
            node, runs = each = stack.pop()
            found.append(each)
            if isinstance(node, tree.With):
                stack += [(node.body, self._object(node.target)), (node.target, runs)]
            elif not isinstance(node, tree.Function):
                stack += [(child, runs) for child in reversed(node.children())]
        return found

    def _object(self, node: tree.Expression | None) -> str:
        """The object that an expression names; "" for none."""
        return node.name if isinstance(node, tree.Name) and node.name in self._families else ""

    def _visit(self, node: tree.Node, scope: _Scope, names: dict[int, str]) -> None:
        if isinstance(node, tree.Assignment):
            if node.operator in ("=", "+=", "??="):
                self._assign_to(node.target, node.value, scope)
            _name_function(_last_name(node.target), node.value, names)
        elif isinstance(node, tree.Declarator | tree.Parameter):
            value = node.value if isinstance(node, tree.Declarator) else node.default
            if value is not None:
                self._assign(self._named(node.name, scope, True), value, scope)
                _name_function(node.name, value, names)
        elif isinstance(node, tree.StructMember):
            sources = self._sources(node.value, scope)
            self._from["set", node.name] += sources
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
        elif isinstance(node, tree.Binary) and node.operator in ("==", "!="):
            for one, other in ((node.left, node.right), (node.right, node.left)):
                if _is_word(one):
                    self._keys[COMPARISON] += self._sources(other, scope)
        elif isinstance(node, tree.Switch) and any(_is_word(case.value) for case in node.cases):
            self._keys[COMPARISON] += self._sources(node.value, scope)

    def _assign_to(self, target: tree.Expression, value: tree.Expression, scope: _Scope) -> None:
        place = self._target(target, scope, True)
        if place is None:
            return
        if isinstance(target, tree.Index):
            key = target.indices[0] if target.accessor == "?" and target.indices else None
            self._store(place, key, value, scope)
        else:
            self._assign(place, value, scope)

    def _assign(self, place: Place | None, value: tree.Expression, scope: _Scope) -> None:
        """A place takes a value: what is put into it later is in what the value is of, too."""
        if place is None:
            return
        self._from[place] += self._sources(value, scope)
        self._values[place].append((value, scope))
        self._note(place)
        other = None
        if isinstance(value, tree.Name | tree.Member | tree.Index):
            other = self._target(value, scope, True)
        elif isinstance(value, tree.Call):
            name = _last_name(value.function)
            other = ("result", name) if name and name not in self._builtin else None
        if other is not None and other != place:
            self._aliases[other].append(place)

    def _store(
        self, place: Place, key: tree.Expression | None, value: tree.Expression, scope: _Scope
    ) -> None:
        """A value is put into what a place holds; ``key`` is that of a map."""
        sources = self._sources(value, scope)
        self._note(place)
        if isinstance(key, tree.String):
            self._from["field", key.value] += sources
            place = ("keyed", *place)
        self._put[place] += sources

    def _note(self, place: Place) -> None:
        if place[0] == "own":
            self._owners[str(place[2])][place] = None

    def _call(self, node: tree.Call | tree.New, scope: _Scope) -> None:
        name, arguments = _last_name(node.function), node.arguments
        if self._rules.exclude.functions:
            out = self._rules.exclude.argument
            arguments = [None if out(name, at) else each for at, each in enumerate(arguments)]
        if self._rules.include.functions:
            for number, value in enumerate(arguments):
                if self._rules.include.argument(name, number):
                    self._show(node, name, self._sources(value, scope))
        if name not in self._own:
            self._builtin_call(node, name, arguments, scope)
            if name == "script_execute" and arguments:
                name, arguments = _last_name(arguments[0]), arguments[1:]
        if name and name not in self._builtin:
            for number, value in enumerate(arguments):
                if value is not None:
                    self._assign(("argument", name, number), value, scope)
                    self._assign(("arguments", name), value, scope)

    def _builtin_call(
        self,
        node: tree.Node,
        name: str,
        arguments: list[tree.Expression | None],
        scope: _Scope,
    ) -> None:
        count = len(arguments)
        for number in chosen(SHOWN[name], count) if name in SHOWN else ():
            self._show(node, name, self._sources(arguments[number], scope))
        for number in chosen(KEYS[name], count) if name in KEYS else ():
            self._keys[name] += self._sources(arguments[number], scope)
        if name in READS_FILE and arguments and arguments[0] is not None:
            self._files.append((name, arguments[0], scope, self._entry))
        if name in COMPARED and arguments:
            self._keys[COMPARISON] += self._sources(arguments[0], scope)
        if name in LETTERS and count > 1 and arguments[1] is not None:
            self._letters(name, arguments[1], scope)
        if name in STORED and arguments:
            place = self._target(arguments[0], scope, True)
            key = arguments[1] if name in FIELDS and count > 1 else None
            for number in chosen(STORED[name], count):
                value = arguments[number]
                if value is not None and place is not None:
                    self._store(place, key, value, scope)
        if name in TAKE_EVENTS and count:
            self._link(scope.owner, arguments[TAKE_EVENTS[name]])
        if name in SETS and count > SETS[name] + 1:
            named, value = _key(arguments[SETS[name]]), arguments[SETS[name] + 1]
            if named and value is not None:
                kind = "global" if name == "variable_global_set" else "set"
                self._assign((kind, named), value, scope)

    def _link(self, owner: str, other: tree.Expression | None) -> None:
        """Instances of an object run the events of another."""
        taken = self._object(other)
        if not owner or not taken:
            self._loose = True
            return
        self._families[owner] |= {taken}
        self._families[taken] |= {owner}

    def _letters(self, name: str, number: tree.Expression, scope: _Scope) -> None:
        """A picture that is chosen by the number of a letter shows the letter's text."""
        for node in number.walk():
            if (
                isinstance(node, tree.Call)
                and node.arguments
                and _last_name(node.function) in ("ord", "string_ord_at", "string_byte_at")
            ):
                self._show(None, name, self._sources(node.arguments[0], scope))

    def _named(self, name: str, scope: _Scope, written: bool) -> Place:
        if name in scope.parameters:
            return ("argument", scope.name, scope.parameters[name])
        if name in scope.locals:
            return ("local", scope.key, name)
        if name.startswith("argument") and name[8:].isdigit():
            return ("argument", scope.name, int(name[8:]))
        if name == "argument":
            return ("arguments", scope.name)
        return _variable(name, scope.owner, written)

    def _target(
        self, node: tree.Expression | None, scope: _Scope, written: bool = False
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
            return _variable(node.name, scope.owner if itself else self._object(of), written)
        if isinstance(node, tree.Name):
            return self._named(node.name, scope, written)
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
                todo += self._passed(node, members, scope, found)
            elif isinstance(node, tree.Name | tree.Member | tree.Index):
                todo += self._read(node, members, scope, found)
        return found

    def _read(
        self,
        node: tree.Name | tree.Member | tree.Index,
        members: bool,
        scope: _Scope,
        found: list[Source],
    ) -> list[tuple[tree.Expression | None, bool]]:
        """A variable, or what is in it; returns the expressions to follow instead."""
        place = self._target(node, scope)
        accessor = node.accessor if isinstance(node, tree.Index) else ""
        if isinstance(node, tree.Index) and accessor == "?" and node.indices:
            return self._field(node.object, node.indices[0], members, scope, found)
        if place is not None:
            found.append(Source(None, place, members))
            if accessor == "$":
                found.append(Source(None, place, True))
        elif isinstance(node, tree.Index):
            return [(node.object, members or accessor == "$")]
        return []

    def _field(
        self,
        held: tree.Expression | None,
        key: tree.Expression | None,
        members: bool,
        scope: _Scope,
        found: list[Source],
    ) -> list[tuple[tree.Expression | None, bool]]:
        """What a map has for a key: any of its values where that is not written."""
        if isinstance(key, tree.String):
            found.append(Source(None, ("field", key.value), members))
        else:
            place = self._target(held, scope)
            if place is not None:
                found.append(Source(None, ("keyed", *place), members))
        return [(held, members)]

    def _passed(
        self, node: tree.Call, members: bool, scope: _Scope, found: list[Source]
    ) -> list[tuple[tree.Expression | None, bool]]:
        name, arguments = _last_name(node.function), node.arguments
        if name not in self._own:
            if name == "ds_map_find_value" and len(arguments) > 1:
                return self._field(arguments[0], arguments[1], members, scope, found)
            if name in PASSED:
                numbers = chosen(PASSED[name], len(arguments))
                return [(arguments[number], members) for number in numbers]
            if name in READS and len(arguments) > READS[name]:
                key = _key(arguments[READS[name]])
                if not key:
                    return [(arguments[0], True)]
                place = ("global" if name == "variable_global_get" else "any", key)
                found.append(Source(None, place, members))
            if name == "script_execute" and arguments:
                name = _last_name(arguments[0])
        if name and name not in self._builtin:
            found.append(Source(None, ("result", name), members))
        return []


def told_way(passed: Way) -> str:
    """How a text comes to be shown, in words."""
    places = []
    step: Way | None = passed
    while step is not None:
        label, step = step
        places.append(label)
    *through, last = places
    if len(through) > _TOLD:
        through = [*through[: _TOLD - 1], "...", through[-1]]
    return f"shown by {last}" + (f", through {', '.join(through)}" if through else "")


def _families(parents: Mapping[str, str]) -> dict[str, set[str]]:
    """The objects whose events an instance of each object, or of one made of it, runs."""
    above: dict[str, list[str]] = {}
    for name in parents:
        line = [name]
        while (parent := parents.get(line[-1], "")) and parent not in line:
            line.append(parent)
        above[name] = line
    found: defaultdict[str, set[str]] = defaultdict(set)
    for name, line in above.items():
        for each in line:
            found[name].add(each)
            found[each].add(name)
    return dict(found)


def _variable(name: str, owner: str, written: bool) -> Place:
    if owner:
        return ("own" if written else "of", owner, name)
    return ("set" if written else "any", name)


def _told(place: Place) -> str:
    """A place in an explanation; "" for what only leads to another."""
    kind, *rest = place
    match kind:
        case "global":
            return f"global.{rest[0]}"
        case "any" | "local" | "of":
            return str(rest[-1])
        case "argument":
            return f"argument {rest[1]} of {rest[0]}"
        case "arguments":
            return f"an argument of {rest[0]}"
        case "result":
            return f"the result of {rest[0]}"
        case "field":
            return f"the key {str(rest[0])!r} of a map"
        case _:
            return ""


def _is_word(node: tree.Expression | None) -> bool:
    return isinstance(node, tree.String) and any(map(str.isalpha, node.value))


def _key(node: tree.Expression | None) -> str:
    """The name that is written as an argument; "" where it is not."""
    if isinstance(node, tree.Call) and _last_name(node.function) == "variable_get_hash":
        node = next(iter(node.arguments), None)
    return node.value if isinstance(node, tree.String) else ""


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
