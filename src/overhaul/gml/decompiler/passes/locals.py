"""Where ``var`` stood: the bytecode keeps only which variables are local.

A local is declared where it is first assigned in a scope, if no enclosing scope has declared it by
then.  Where something is read before any such place, a bare ``var`` goes before the nearest scopes
that use it; so what is declared is always declared in text order before its use, which is all that
the language asks.
"""

from __future__ import annotations

import re
from typing import Final

from overhaul.gml.decompiler.fragment import Fragment
from overhaul.gml.decompiler.passes.nested import statements_of
from overhaul.gml.dialect import Dialect
from overhaul.gml.syntax import tree


class _Scope:
    """A list of statements with the uses of each local in it.

    loop      the ``for`` in whose header the statements stand
    given     a variable that the scope begins with (catch)
    uses      per name, in text order: (position in ``statements``, assignment | None for a read |
              an inner scope that uses the name)
    bare      names to declare without a value, before a position
    """

    __slots__ = ("bare", "given", "loop", "statements", "uses")

    def __init__(
        self, statements: list[tree.Statement], given: str = "", loop: tree.For | None = None
    ) -> None:
        self.statements: list[tree.Statement] = statements
        self.given: str = given
        self.loop: tree.For | None = loop
        self.uses: dict[str, list[tuple[int, tree.Assignment | _Scope | None]]] = {}
        if given:
            self.uses[given] = []
        self.bare: dict[int, list[str]] = {}


_GENERATED: Final = re.compile(r"l[0-9A-F]{8}_\d+")
"""The names of the locals of visual actions."""
_LEAVES: Final = frozenset((tree.Number, tree.String, tree.Boolean, tree.Int64))


class Declarer:
    """Puts ``var`` into the statements of one function."""

    def __init__(
        self,
        names: set[str],
        in_headers: bool = True,
        declared: dict[int, bool] | None = None,
        with_values: bool = True,
    ) -> None:
        self.names = names
        self.in_headers = in_headers
        self.with_values = with_values
        self.shown: dict[int, bool] = declared or {}
        """Whether assignments are declarations, by identity, where the code shows it."""
        self.root: _Scope = _Scope([])
        self.scope: _Scope = self.root
        self.scopes: list[_Scope] = []
        self.position: int = 0
        self.declared: dict[int, tuple[_Scope, int]] = {}
        """Assignments that become declarations, by identity: their scope and place in it."""
        self.certain: dict[int, tuple[_Scope, int]] = {}
        """The names that are declarations wherever another one stands."""

    def declare(self, statements: list[tree.Statement]) -> None:
        """Change the statements of a function in place."""
        self.root = _Scope(statements)
        self._inner(self.root)
        for name in self.root.uses:
            self._resolve(self.root, name)
        self._apply()

    # -- collecting ----------------------------------------------------------------------------

    def _note(self, name: str, what: tree.Assignment | _Scope | None) -> None:
        self.scope.uses.setdefault(name, []).append((self.position, what))

    def _inner(self, inner: _Scope) -> None:
        """Walk the statements of a scope inside the current one."""
        outer, position = self.scope, self.position
        self.scope = inner
        self.scopes.append(inner)
        for number, statement in enumerate(inner.statements):
            self.position = number
            self._statement(statement)
        if inner.loop is not None:
            self._rest_of(inner.loop)
        self.scope, self.position = outer, position
        for name in inner.uses:
            self._note(name, inner)

    def _body(self, statement: tree.Statement | None) -> None:
        if statement is not None:
            self._inner(_Scope(statements_of(statement)))

    def _statement(self, statement: tree.Node) -> None:
        if isinstance(statement, tree.Assignment):
            self._expression(statement.value)
            target = statement.target
            if type(target) is not tree.Name or statement.operator != "=":
                self._expression(target)
            elif target.name in self.names:
                self._assigned(target.name, statement)
        elif isinstance(statement, tree.ExpressionStatement):
            self._expression(statement.expression)
        elif isinstance(statement, tree.If):
            last: tree.Statement | None = statement
            while isinstance(last, tree.If):
                self._expression(last.condition)
                self._body(last.then)
                last = last.otherwise
            self._body(last)
        elif isinstance(statement, tree.For):
            self._inner(_Scope(statements_of(statement.initial), loop=statement))
        elif isinstance(statement, tree.Case):
            if statement.value is not None:
                self._expression(statement.value)
            self._inner(_Scope(statement.body))
        elif isinstance(statement, tree.Try):
            self._body(statement.body)
            if statement.handler is not None:
                self._inner(_Scope(statement.handler.statements, statement.name))
            self._body(statement.final)
        elif isinstance(statement, tree.Block):
            self._body(statement)
        else:
            for part in statement.children():
                if isinstance(part, tree.Expression):
                    self._expression(part)
                elif isinstance(part, tree.Statement):
                    self._body(part)
                else:
                    self._statement(part)

    def _assigned(self, name: str, statement: tree.Assignment) -> None:
        declares = self.shown.get(id(statement))
        if declares and self.scope.statements[self.position : self.position + 1] == [statement]:
            self.certain[id(statement)] = (self.scope, self.position)
        self._note(name, None if declares is False else statement)

    def _rest_of(self, loop: tree.For) -> None:
        """The parts of a ``for`` behind its initial statement, which share its scope."""
        self.position = 0
        if loop.condition is not None:
            self._expression(loop.condition)
        if loop.step is not None:
            self._statement(loop.step)
        self._body(loop.body)

    def _expression(self, node: tree.Expression) -> None:
        names = self.names
        pending: list[tree.Node | None] = [node]
        while pending:
            part = pending.pop()
            kind = type(part)
            if kind in _LEAVES:
                continue
            if type(part) is tree.Name:
                if part.name in names:
                    self._note(part.name, None)
            elif type(part) is tree.Call:
                pending.append(part.function)
                pending += part.arguments
            elif type(part) is tree.Binary:
                pending.append(part.left)
                pending.append(part.right)
            elif type(part) is tree.Member:
                pending.append(part.object)
            elif part is not None and kind is not tree.Function:
                pending.extend(part.children())

    # -- deciding ------------------------------------------------------------------------------

    def _resolve(self, scope: _Scope, name: str) -> bool:
        """Find places for the declaration within a scope; False if it must stand further out."""
        if name == scope.given:
            return True
        uses = scope.uses[name]
        for number, (position, what) in enumerate(uses):
            if isinstance(what, _Scope):
                if self._resolve(what, name):
                    continue
            elif what is not None and scope.statements[position : position + 1] == [what]:
                if not self.in_headers and scope.loop is not None:
                    return False
                bare = not self.with_values or _is_generated_check(what, name)
                if scope.loop is None and bare:
                    scope.bare.setdefault(position, []).append(name)
                else:
                    self.declared[id(what)] = (scope, position)
                return True
            elif number == 0 and scope is not self.root:
                return False
            self._forget(scope, name)
            if scope.loop is not None:
                return False
            scope.bare.setdefault(uses[0][0], []).append(name)
            return True
        return True

    def _forget(self, scope: _Scope, name: str) -> None:
        """A declaration further out makes those in inner scopes plain assignments again."""
        pending = [scope]
        while pending:
            inner = pending.pop()
            for names in inner.bare.values():
                if name in names:
                    names.remove(name)
            for _, what in inner.uses.get(name, ()):
                if isinstance(what, _Scope):
                    pending.append(what)
                elif what is not None:
                    self.declared.pop(id(what), None)

    def _apply(self) -> None:
        """Put the declarations into the lists of statements."""
        for scope, position in (self.declared | self.certain).values():
            made = _declaration([scope.statements[position]])
            loop = scope.loop
            if loop is None or isinstance(loop.initial, tree.Block):
                scope.statements[position] = made
            else:
                loop.initial = made
        for scope in self.scopes:
            _join(scope.bare, apart=self.with_values)
            for position in sorted(scope.bare, reverse=True):
                if scope.bare[position]:
                    bare = tree.Var([tree.Declarator(name) for name in scope.bare[position]])
                    scope.statements.insert(position, bare)
            if scope.loop is not None and isinstance(scope.loop.initial, tree.Block):
                scope.loop.initial = _declaration(scope.statements)


def _is_generated_check(statement: tree.Assignment, name: str) -> bool:
    """Whether this is ``l0AB12CD3_0 = keyboard_check(key)``: GameMaker's visual actions declare
    such a local in a statement of its own."""
    value = statement.value
    if type(value) is not tree.Call or type(value.function) is not tree.Name:
        return False
    return "_check" in value.function.name and _GENERATED.fullmatch(name) is not None


def _join(places: dict[int, list[str]], apart: bool) -> None:
    """Bare declarations before statements that follow each other stand together before the first:
    ``var x, y; x[0] = 1; y[0] = 2;``; all of a scope where none has a value (not ``apart``)."""
    first = last = -2
    for position in sorted(places):
        if not places[position]:
            continue
        if position == last + 1 or (first >= 0 and not apart):
            places[first] += places.pop(position)
        else:
            first = position
        last = position


def _declaration(statements: list[tree.Statement]) -> tree.Var:
    """``var i = 0, n = 9`` for assignments; a local that is declared further out may be declared
    again in the header of a ``for``."""
    declarators: list[tree.Declarator] = []
    for statement in statements:
        if isinstance(statement, tree.Var):
            declarators += statement.declarators
        else:
            assert isinstance(statement, tree.Assignment)
            assert isinstance(statement.target, tree.Name)
            declarators.append(tree.Declarator(statement.target.name, statement.value))
    made = tree.Var(declarators)
    made.address = statements[0].address
    return made


def declares_in_headers(dialect: Dialect) -> bool:
    """Whether people declare a counter in the header of its loop: none did before bytecode 16."""
    return dialect.bytecode >= 16 or dialect.gms2_or_later


def declares_with_values(dialect: Dialect) -> bool:
    """Whether people write ``var x = 1``: Game Maker 8 has no such statement, and the first
    projects of GameMaker: Studio come from there."""
    return dialect.bytecode >= 13


def declare_locals(fragment: Fragment) -> None:
    """Put ``var`` where the local variables of a function were declared."""
    names = fragment.locals
    if names:
        declared = {id(statement): declares for statement, declares in fragment.array_stores}
        in_headers = declares_in_headers(fragment.dialect)
        with_values = fragment.entry.options.declarations and declares_with_values(fragment.dialect)
        Declarer(names, in_headers, declared, with_values).declare(fragment.statements)
