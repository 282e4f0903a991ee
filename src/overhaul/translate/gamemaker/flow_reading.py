"""Reading the trees of a game's code into a flow of values."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping

from overhaul.gml.syntax import tree
from overhaul.translate.gamemaker.flow import Families, Flow, Place, Source
from overhaul.translate.gamemaker.flow_values import Scope, Values, last_name, text_of
from overhaul.translate.gamemaker.functions import (
    COMPARED,
    FIELDS,
    KEYS,
    LETTERS,
    READS_FILE,
    SETS,
    SHOWN,
    SHOWN_VARIABLES,
    STORED,
    TAKE_EVENTS,
    chosen,
)
from overhaul.translate.rules import Rules

#: how many names a file may have, and through how many variables they are looked for
_MOST_NAMES = 16
_DEEPEST = 4
_STARS = re.compile(r"\*+")

#: what passes nothing on by itself
_PLAIN = frozenset((tree.Name, tree.Number, tree.String, tree.Member, tree.Unary, tree.Block))

COMPARISON = "a comparison"
COMPARISONS = frozenset(("==", "!=", "<", "<=", ">", ">="))


class FlowReader:
    """Makes the flow of one game: :meth:`read` each tree, then ask ``flow``.

    ``own`` are the names of the game's scripts, ``parents`` the parent of each object; the
    functions of ``rules`` show texts, or don't.
    """

    def __init__(
        self, own: Iterable[str], parents: Mapping[str, str], rules: Rules | None = None
    ) -> None:
        families = _families(parents)
        self.flow = Flow(families)
        self._values = Values(own, families)
        self._rules = rules or Rules()
        self._assigned: defaultdict[Place, list[tuple[tree.Expression, Scope]]] = defaultdict(list)
        self._files: list[tuple[str, tree.Expression, Scope, str]] = []
        self._entry = ""
        self._scopes = 0
        for name in SHOWN_VARIABLES:
            self.flow.show(None, name, [Source(None, ("any", name), False)])

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
                if type(node) in _PLAIN:
                    continue
                if isinstance(node, tree.Function):
                    called = node.name or found.get(id(node), "")
                    todo.append((node, called, "" if node.constructor else runs))
                else:
                    self._visit(node, scope if runs == owner else scope._replace(owner=runs), found)

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

    def _patterns(self, node: tree.Expression | None, scope: Scope, depth: int) -> list[str]:
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
            place = self._values.target(node, scope)
            places = [place, *self.flow.written(place)] if place is not None else []
            values = [each for place in places for each in self._assigned[place]]
            found = [
                pattern
                for value, its in values[:_MOST_NAMES]
                for pattern in self._patterns(value, its, depth - 1)
            ]
            return list(dict.fromkeys(found))[:_MOST_NAMES] or ["*"]
        return ["*"]

    def _scope(
        self, body: tree.Node, name: str, owner: str, nodes: list[tuple[tree.Node, str]]
    ) -> Scope:
        self._scopes += 1
        scope = Scope(self._scopes, name or f"@{self._scopes}", {}, set(), owner)
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
            if type(node) is tree.With:
                stack += [(node.body, self._values.object(node.target)), (node.target, runs)]
            elif type(node) is not tree.Function:
                stack += [(child, runs) for child in reversed(node.children())]
        return found

    def _visit(self, node: tree.Node, scope: Scope, names: dict[int, str]) -> None:
        match node:
            case tree.Assignment():
                if node.operator in ("=", "+=", "??="):
                    self._assign_to(node.target, node.value, scope)
                _name_function(last_name(node.target), node.value, names)
            case tree.Declarator():
                self._declare(node.name, node.value, scope, names)
            case tree.Parameter():
                self._declare(node.name, node.default, scope, names)
            case tree.StructMember():
                self.flow.member(node, self._values.sources(node.value, scope))
                _name_function(node.name, node.value, names)
            case tree.Return():
                self._assign(("result", scope.name), node.value, scope)
            case tree.Call() | tree.New():
                self._call(node, scope)
            case tree.Index():
                if node.accessor in ("?", "$"):
                    key = next(iter(node.indices), None)
                    self.flow.use_as_key(f"[{node.accessor} ]", self._values.sources(key, scope))
            case tree.Binary():
                if node.operator in ("==", "!="):
                    for one, other in ((node.left, node.right), (node.right, node.left)):
                        if _is_word(one):
                            self.flow.use_as_key(COMPARISON, self._values.sources(other, scope))
            case tree.Switch():
                if any(_is_word(case.value) for case in node.cases):
                    self.flow.use_as_key(COMPARISON, self._values.sources(node.value, scope))

    def _declare(
        self, name: str, value: tree.Expression | None, scope: Scope, names: dict[int, str]
    ) -> None:
        if value is not None:
            self._assign(self._values.named(name, scope, True), value, scope)
            _name_function(name, value, names)

    def _assign_to(self, target: tree.Expression, value: tree.Expression, scope: Scope) -> None:
        place = self._values.target(target, scope, True)
        if place is None:
            return
        if isinstance(target, tree.Index):
            key = target.indices[0] if target.accessor == "?" and target.indices else None
            self._store(place, key, value, scope)
        else:
            self._assign(place, value, scope)

    def _assign(self, place: Place | None, value: tree.Expression, scope: Scope) -> None:
        """A place takes a value: what is put into it later is in what the value is of, too."""
        if place is None:
            return
        self._assigned[place].append((value, scope))
        other: Place | None = None
        if isinstance(value, tree.Name | tree.Member | tree.Index):
            other = self._values.target(value, scope, True)
        elif isinstance(value, tree.Call):
            name = last_name(value.function)
            other = ("result", name) if name and name not in self._values.builtin else None
        self.flow.assign(place, self._values.sources(value, scope), other)

    def _store(
        self, place: Place, key: tree.Expression | None, value: tree.Expression, scope: Scope
    ) -> None:
        """A value is put into what a place holds; ``key`` is that of a map."""
        named = key.value if isinstance(key, tree.String) else None
        self.flow.hold(place, self._values.sources(value, scope), named)

    def _call(self, node: tree.Call | tree.New, scope: Scope) -> None:
        name, arguments = last_name(node.function), node.arguments
        if self._rules.exclude.functions:
            out = self._rules.exclude.argument
            arguments = [None if out(name, at) else each for at, each in enumerate(arguments)]
        if self._rules.include.functions:
            for number, value in enumerate(arguments):
                if self._rules.include.argument(name, number):
                    self.flow.show(node, name, self._values.sources(value, scope))
        if name not in self._values.own:
            self._builtin_call(node, name, arguments, scope)
            if name == "script_execute" and arguments:
                name, arguments = last_name(arguments[0]), arguments[1:]
        if name and name not in self._values.builtin:
            for number, value in enumerate(arguments):
                if value is not None:
                    self._assign(("argument", name, number), value, scope)
                    self._assign(("arguments", name), value, scope)

    def _builtin_call(
        self,
        node: tree.Node,
        name: str,
        arguments: list[tree.Expression | None],
        scope: Scope,
    ) -> None:
        count = len(arguments)
        for number in chosen(SHOWN[name], count) if name in SHOWN else ():
            self.flow.show(node, name, self._values.sources(arguments[number], scope))
        for number in chosen(KEYS[name], count) if name in KEYS else ():
            self.flow.use_as_key(name, self._values.sources(arguments[number], scope))
        if name in READS_FILE and arguments and arguments[0] is not None:
            self._files.append((name, arguments[0], scope, self._entry))
        if name in COMPARED and arguments:
            self.flow.use_as_key(COMPARISON, self._values.sources(arguments[0], scope))
        if name in LETTERS and count > 1 and arguments[1] is not None:
            self._letters(name, arguments[1], scope)
        if name in STORED and arguments:
            place = self._values.target(arguments[0], scope, True)
            key = arguments[1] if name in FIELDS and count > 1 else None
            for number in chosen(STORED[name], count):
                value = arguments[number]
                if value is not None and place is not None:
                    self._store(place, key, value, scope)
        if name in TAKE_EVENTS and count:
            self.flow.link(scope.owner, self._values.object(arguments[TAKE_EVENTS[name]]))
        if name in SETS and count > SETS[name] + 1:
            named, value = text_of(arguments[SETS[name]]), arguments[SETS[name] + 1]
            if named and value is not None:
                kind = "global" if name == "variable_global_set" else "set"
                self._assign((kind, named), value, scope)

    def _letters(self, name: str, number: tree.Expression, scope: Scope) -> None:
        """A picture that is chosen by the number of a letter shows the letter's text."""
        for node in number.walk():
            if (
                isinstance(node, tree.Call)
                and node.arguments
                and last_name(node.function) in ("ord", "string_ord_at", "string_byte_at")
            ):
                self.flow.show(None, name, self._values.sources(node.arguments[0], scope))


def _families(parents: Mapping[str, str]) -> Families:
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


def _is_word(node: tree.Expression | None) -> bool:
    return isinstance(node, tree.String) and any(map(str.isalpha, node.value))


def _name_function(name: str, value: tree.Expression, names: dict[int, str]) -> None:
    """Note what a function that is assigned is called by."""
    if isinstance(value, tree.Call) and last_name(value.function) == "method":
        value = value.arguments[-1] or value
    if isinstance(value, tree.Function):
        names[id(value)] = name
