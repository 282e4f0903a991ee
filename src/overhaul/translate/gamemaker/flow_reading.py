"""Reading the trees of a game's code into a flow of values."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping

from overhaul.gml.syntax import tree
from overhaul.gml.values import FETCHED, arguments_with, called_name, key_of
from overhaul.translate.gamemaker.flow import NAME, Families, Flow, Lookup, Place, ValueSource
from overhaul.translate.gamemaker.flow_values import (
    LETTERS,
    LOOKUP,
    NAMED,
    READS_FILE,
    SEARCHED,
    SETS,
    SHOWN,
    SHOWN_VARIABLES,
    STORED,
    TAKE_EVENTS,
    Scope,
    Values,
    text_of,
)
from overhaul.translate.gamemaker.patterns import Patterns
from overhaul.translate.rules import Rules

_STARS = re.compile(r"\*+")
#: so many letters of a computed name are known, at least
_LEAST = 2
#: the form of keys: small letters, and parts of any
_KEY = re.compile(r"[a-z0-9]+|\w+(?:[.:/-]\w+)+")

#: the functions that pass nothing on by themselves
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
        self.flow: Flow = Flow(families)
        self._values = Values(own, families)
        self._rules = rules or Rules()
        self._assigned: defaultdict[Place, list[tuple[tree.Expression, Scope]]] = defaultdict(list)
        self._files: list[tuple[str, tree.Expression, Scope, str]] = []
        self._looked: list[tuple[list[ValueSource], tree.Expression | None, Scope]] = []
        self._entry = ""
        self._scopes = 0
        for name in SHOWN_VARIABLES:
            self.flow.show(None, name, [ValueSource(None, ("any", name), False)])

    def read(self, block: tree.Node, entry: str, name: str, owner: str = "") -> None:
        """Read the code of an entry; ``name`` is that of its function, if it is one, ``owner``
        the object of the event."""
        self._entry = entry
        todo: list[tuple[tree.Node, str, str]] = [(block, name, owner)]
        while todo:
            body, called, owner = todo.pop()
            nodes = self._own_nodes(body, owner)
            scope = self._scope(body, called, owner, nodes)
            functions: dict[int, str] = {}
            for node, runs in nodes:
                if type(node) in _PLAIN:
                    continue
                if isinstance(node, tree.Function):
                    called = node.name or functions.get(id(node), "")
                    todo.append((node, called, "" if node.constructor else runs))
                else:
                    self._visit(
                        node, scope if runs == owner else scope._replace(owner=runs), functions
                    )

    def finish(self) -> None:
        """Find, once all code is read, what depends on all of it."""
        patterns = Patterns(self._values, self.flow, self._assigned)
        for place, name, scope, owner in self._values.computed:
            like = [
                pattern
                for pattern in patterns.of(name, scope)
                if sum(map(str.isalnum, pattern)) >= _LEAST
            ]
            if place[0] == "computed":
                self.flow.writes_like(place, like)
            else:
                self.flow.reads_like(place, like, owner)
        self.flow.lookups |= self._lookups()

    def _lookups(self) -> dict[Place, Lookup]:
        """The functions that look an argument up, and return it where they find nothing."""
        keys: defaultdict[Place, set[str]] = defaultdict(set)
        elsewhere: dict[Place, None] = {}
        for sources, key, scope in self._looked:
            for place in self.flow.own_arguments(sources, scope.name):
                if isinstance(key, tree.String):
                    keys[place].add(key.value)
                else:
                    elsewhere[place] = None
        lookups = {}
        for place in dict.fromkeys((*keys, *elsewhere)):  # always in the same order
            returned = self.flow.returns(str(place[1]))
            if place not in returned or len(returned) < 2:
                continue
            if place in elsewhere:
                known = keys[place] | self.flow.fields
                names = [text in known or _is_name(text) for text in self.flow.texts(place)]
                lookups[place] = Lookup(frozenset(known), 2 * sum(names) >= len(names))
            else:
                lookups[place] = Lookup(frozenset(keys[place]), False)
        return lookups

    def _looks_up(
        self, value: tree.Expression | None, among: tree.Expression | None, scope: Scope
    ) -> None:
        """Something is looked for by a value: it is compared with ``among``, which is a word or
        comes from what holds several (None for what does so by itself)."""
        if among is not None and not _is_word(among) and not self._is_element(among, scope):
            return
        sources = self._values.sources(value, scope)
        if any(not source.node and source.place[0] in ("argument", "local") for source in sources):
            self._looked.append((sources, among, scope))

    def _is_element(self, node: tree.Expression, scope: Scope) -> bool:
        """Whether an expression is one of several values that something holds."""
        if isinstance(node, tree.Name) and node.name in scope.locals:
            node = next((value for value, _ in self._assigned["local", scope.key, node.name]), node)
        if isinstance(node, tree.Member):
            node = node.object
        if isinstance(node, tree.Call):
            return called_name(node.function) in FETCHED
        return isinstance(node, tree.Index)

    def files(self) -> dict[tuple[str, str], list[str]]:
        """The files that code reads: name, with ``*`` for what is not written, and function, with
        the names of the entries."""
        files: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
        patterns = Patterns(self._values, self.flow, self._assigned)
        for function, value, scope, entry in self._files:
            for pattern in patterns.of(value, scope):
                pattern = _STARS.sub("*", pattern.replace("\\", "/")).removeprefix("./")
                if any(map(str.isalnum, pattern)):
                    files[pattern, function].append(entry)
        return files

    def _scope(
        self, body: tree.Node, name: str, owner: str, nodes: list[tuple[tree.Node, str]]
    ) -> Scope:
        self._scopes += 1
        makes = isinstance(body, tree.Function) and body.constructor
        scope = Scope(self._scopes, name or f"@{self._scopes}", {}, set(), owner, makes)
        if isinstance(body, tree.Function):
            for number, parameter in enumerate(body.parameters):
                scope.parameters[parameter.name] = number
        for node, _ in nodes:
            if isinstance(node, tree.Var | tree.Static):
                scope.locals.update(declarator.name for declarator in node.declarators)
        return scope

    def _own_nodes(self, body: tree.Node, owner: str) -> list[tuple[tree.Node, str]]:
        """The nodes of a function's body that have others in them, and the object whose instances
        run each: functions inside it, but not what they hold."""
        nodes: list[tuple[tree.Node, str]] = []
        stack = [(child, owner) for child in reversed(body.children()) if not child.is_leaf]
        while stack:
            node, runs = visited = stack.pop()
            nodes.append(visited)
            if type(node) is tree.With:
                stack += [(node.body, self._values.object(node.target)), (node.target, runs)]
            elif type(node) is not tree.Function:
                for child in reversed(node.children()):
                    if not child.is_leaf:
                        stack.append((child, runs))
        return nodes

    def _visit(self, node: tree.Node, scope: Scope, names: dict[int, str]) -> None:
        match node:
            case tree.Assignment():
                if node.operator in ("=", "+=", "??="):
                    self._assign_to(node.target, node.value, scope)
                _name_function(called_name(node.target), node.value, names)
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
                    self._looks_up(key, None, scope)
            case tree.Binary():
                if node.operator in ("==", "!="):
                    for side, other in ((node.left, node.right), (node.right, node.left)):
                        if _is_word(side):
                            self.flow.use_as_key(COMPARISON, self._values.sources(other, scope))
                        self._looks_up(other, side, scope)
            case tree.Switch():
                if any(_is_word(case.value) for case in node.cases):
                    self.flow.use_as_key(COMPARISON, self._values.sources(node.value, scope))
                for case in node.cases:
                    self._looks_up(node.value, case.value, scope)

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
            if target.accessor == "$":
                self._hold_member(target.object, value, scope)
            return
        self._assign(place, value, scope)
        if isinstance(target, tree.Member):
            self._hold_member(target.object, value, scope)
        elif scope.makes and place[0] == "set":
            self.flow.member_of(("made", scope.name), self._values.sources(value, scope))

    def _hold_member(
        self, holder: tree.Expression | None, value: tree.Expression, scope: Scope
    ) -> None:
        """A member of what an expression holds takes a value."""
        itself = isinstance(holder, tree.Name) and holder.name == "self"
        place = self._values.target(holder, scope, True) if not itself else None
        if itself and scope.makes:
            place = ("made", scope.name)
        if place is not None:
            self.flow.member_of(place, self._values.sources(value, scope))

    def _assign(self, place: Place | None, value: tree.Expression, scope: Scope) -> None:
        """A place takes a value: what is put into it later is in what the value is of, too."""
        if place is None:
            return
        self._assigned[place].append((value, scope))
        other: Place | None = None
        if isinstance(value, tree.Name | tree.Member | tree.Index):
            other = self._values.target(value, scope, True)
        elif isinstance(value, tree.Call):
            name = called_name(value.function)
            other = ("result", name) if name and name not in self._values.builtin else None
        self.flow.assign(place, self._values.sources(value, scope), other)

    def _store(
        self, place: Place, key: tree.Expression | None, value: tree.Expression, scope: Scope
    ) -> None:
        """A value is put into what a place holds; ``key`` is that of a map."""
        named = key.value if isinstance(key, tree.String) else None
        self.flow.hold(place, self._values.sources(value, scope), named)

    def _call(self, node: tree.Call | tree.New, scope: Scope) -> None:
        name, arguments = called_name(node.function), node.arguments
        if self._rules.exclude.functions:
            out = self._rules.exclude.argument
            arguments = [None if out(name, at) else value for at, value in enumerate(arguments)]
        if self._rules.include.functions:
            for number, value in enumerate(arguments):
                if self._rules.include.argument(name, number):
                    self.flow.show(node, name, self._values.sources(value, scope))
        if name not in self._values.own:
            self._builtin_call(node, name, arguments, scope)
            if name == "script_execute" and arguments:
                name, arguments = called_name(arguments[0]), arguments[1:]
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
        for value in arguments_with(SHOWN, name, arguments):
            self.flow.show(node, name, self._values.sources(value, scope))
        for value in arguments_with(NAMED, name, arguments):
            self.flow.use_as_key(name, self._values.sources(value, scope))
        for value in arguments_with(LOOKUP, name, arguments):
            self._looks_up(value, None, scope)
        for value in arguments_with(READS_FILE, name, arguments):
            self._files.append((name, value, scope, self._entry))
        for value in arguments_with(SEARCHED, name, arguments):
            self.flow.use_as_key(COMPARISON, self._values.sources(value, scope))
        for value in arguments_with(LETTERS, name, arguments):
            self._letters(name, value, scope)
        if name in STORED and arguments:
            place = self._values.target(arguments[0], scope, True)
            for value in arguments_with(STORED, name, arguments):
                if place is not None:
                    self._store(place, key_of(name, arguments), value, scope)
        for value in arguments_with(TAKE_EVENTS, name, arguments):
            self.flow.link(scope.owner, self._values.object(value))
        if name in SETS:
            self._set(name, arguments, scope)

    def _set(self, function: str, arguments: list[tree.Expression | None], scope: Scope) -> None:
        """A variable that a function names takes a value."""
        named, value = (_at(arguments, number) for number in SETS[function])
        if value is None:
            return
        if name := text_of(named):
            kind = "global" if function == "variable_global_set" else "set"
            self._assign((kind, name), value, scope)
        else:
            self._assign(self._values.like("computed", named, arguments[0], scope), value, scope)
        if function != "variable_global_set":
            self._hold_member(arguments[0], value, scope)

    def _letters(self, name: str, number: tree.Expression, scope: Scope) -> None:
        """A picture that is chosen by the number of a letter shows the letter's text."""
        for node in number.walk():
            if (
                isinstance(node, tree.Call)
                and node.arguments
                and called_name(node.function) in ("ord", "string_ord_at", "string_byte_at")
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
    families: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for name, line in above.items():
        for other in line:
            families[name][other] = None
            families[other][name] = None
    return dict(families)


def _at(arguments: list[tree.Expression | None], number: int | None) -> tree.Expression | None:
    return arguments[number] if number is not None and number < len(arguments) else None


def _is_name(text: str) -> bool:
    """Whether a text is more like a key than like what a player reads."""
    return NAME.fullmatch(text) is not None or _KEY.fullmatch(text) is not None


def _is_word(node: tree.Expression | None) -> bool:
    return isinstance(node, tree.String) and any(map(str.isalpha, node.value))


def _name_function(name: str, value: tree.Expression, names: dict[int, str]) -> None:
    """Note what a function that is assigned is called by."""
    if isinstance(value, tree.Call) and called_name(value.function) == "method":
        value = value.arguments[-1] or value
    if isinstance(value, tree.Function):
        names[id(value)] = name
