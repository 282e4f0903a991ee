"""Where ``var`` stood: the bytecode keeps only which variables are local.

A local is declared where it is first assigned in a scope, if no enclosing scope has declared it by
then.  Where something is read before any such place, a bare ``var`` goes before the nearest scopes
that use it; so what is declared is always declared in text order before its use, which is all that
the language asks.
"""

from __future__ import annotations

from typing import Final

from overhaul.gml.dialect import Dialect
from overhaul.gml.syntax import tree


class _Scope:
    """A list of statements (and, for a ``for``, its header) with the uses of each local in it.

    ``uses``: per name, in text order: (position in ``statements``, assignment | None for a read |
    an inner scope that uses the name).
    """

    __slots__ = ("given", "statements", "uses")

    def __init__(self, statements: list[tree.Statement]) -> None:
        self.given = ""
        self.statements = statements
        self.uses: dict[str, list[tuple[int, tree.Assignment | _Scope | None]]] = {}


_LEAVES: Final = frozenset((tree.Number, tree.String, tree.Boolean, tree.Int64))


class Declarer:
    """Puts ``var`` into the statements of one function."""

    def __init__(self, names: set[str], in_headers: bool = True) -> None:
        self.names = names
        self.in_headers = in_headers
        self.scope = _Scope([])
        self.position = 0
        self.root = self.scope
        self.declared: dict[int, tuple[list[tree.Statement], int]] = {}
        """Assignments that become declarations, by identity: their list and place in it."""
        self.headers: dict[int, tree.For] = {}
        """By identity of the list that stands for its header: a for statement."""
        self.bare: dict[int, tuple[list[tree.Statement], dict[int, list[str]]]] = {}
        """By identity of a list: the list, and bare declarations before its positions."""

    def declare(self, statements: list[tree.Statement]) -> None:
        """Change the statements of a function in place."""
        self.root = self.scope = _Scope(statements)
        self._walk(statements)
        for name in self.root.uses:
            self._resolve(self.root, name)
        self._apply()

    # -- collecting ----------------------------------------------------------------------------

    def _note(self, name: str, what: tree.Assignment | _Scope | None) -> None:
        self.scope.uses.setdefault(name, []).append((self.position, what))

    def _inner(self, statements: list[tree.Statement], given: str = "") -> None:
        """Walk a block as a scope of its own; ``given``: a variable that it begins with (catch)."""
        outer, position = self.scope, self.position
        inner = self.scope = _Scope(statements)
        if given:
            inner.given = given
            inner.uses[given] = []
        self._walk(statements)
        self.scope, self.position = outer, position
        for name in inner.uses:
            self._note(name, inner)

    def _body(self, statement: tree.Statement | None) -> None:
        if isinstance(statement, tree.Block):
            self._inner(statement.statements)
        elif statement is not None:
            self._inner([statement])

    def _walk(self, statements: list[tree.Statement]) -> None:
        for position, statement in enumerate(statements):
            self.position = position
            self._statement(statement)

    def _statement(self, statement: tree.Statement) -> None:
        kind = type(statement)
        if kind is tree.Assignment:
            assert isinstance(statement, tree.Assignment)
            self._assignment(statement)
        elif kind is tree.ExpressionStatement:
            self._expression(statement.expression)  # type: ignore[attr-defined]
        elif kind is tree.If:
            self._if(statement)  # type: ignore[arg-type]
        elif kind is tree.For:
            self._for(statement)  # type: ignore[arg-type]
        elif isinstance(statement, tree.Switch):
            self._expression(statement.value)
            for case in statement.cases:
                if case.value is not None:
                    self._expression(case.value)
                self._inner(case.body)
        elif isinstance(statement, tree.Try):
            self._inner(statement.body.statements)
            if statement.handler is not None:
                self._inner(statement.handler.statements, statement.name)
            if statement.final is not None:
                self._inner(statement.final.statements)
        elif isinstance(statement, tree.DoUntil):
            self._body(statement.body)
            self._expression(statement.condition)
        elif isinstance(statement, tree.While):
            self._expression(statement.condition)
            self._body(statement.body)
        elif isinstance(statement, tree.Repeat):
            self._expression(statement.count)
            self._body(statement.body)
        elif isinstance(statement, tree.With):
            self._expression(statement.target)
            self._body(statement.body)
        elif isinstance(statement, tree.Block):
            self._inner(statement.statements)
        else:
            for part in statement.children():
                if isinstance(part, tree.Expression):
                    self._expression(part)
                elif isinstance(part, tree.Declarator) and part.value is not None:
                    self._expression(part.value)

    def _assignment(self, statement: tree.Assignment) -> None:
        self._expression(statement.value)
        target = statement.target
        if type(target) is tree.Name and statement.operator == "=":
            if target.name in self.names:
                self._note(target.name, statement)
        else:
            self._expression(target)

    def _if(self, statement: tree.If) -> None:
        last: tree.Statement | None = statement
        while isinstance(last, tree.If):
            self._expression(last.condition)
            self._body(last.then)
            last = last.otherwise
        self._body(last)

    def _for(self, statement: tree.For) -> None:
        """A for's initial statement, condition, body and step share a scope."""
        outer, position = self.scope, self.position
        initial = statement.initial
        header = [initial] if initial is not None else []
        if isinstance(initial, tree.Block):
            header = initial.statements
        self.headers[id(header)] = statement
        inner = self.scope = _Scope(header)
        self._walk(header)
        self.position = 0
        if statement.condition is not None:
            self._expression(statement.condition)
        if statement.step is not None:
            self._statement(statement.step)
        self._body(statement.body)
        self.scope, self.position = outer, position
        for name in inner.uses:
            self._note(name, inner)

    def _expression(self, node: tree.Node) -> None:
        names = self.names
        pending: list[tree.Node] = [node]
        while pending:
            node = pending.pop()
            kind = type(node)
            if kind in _LEAVES:
                continue
            if kind is tree.Name:
                if node.name in names:  # type: ignore[attr-defined]
                    self._note(node.name, None)  # type: ignore[attr-defined]
            elif kind is tree.Call:
                pending.append(node.function)  # type: ignore[attr-defined]
                pending += node.arguments  # type: ignore[attr-defined]
            elif kind is tree.Binary:
                pending.append(node.left)  # type: ignore[attr-defined]
                pending.append(node.right)  # type: ignore[attr-defined]
            elif kind is tree.Member:
                pending.append(node.object)  # type: ignore[attr-defined]
            elif kind is not tree.Function:
                pending.extend(node.children())

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
                if not self.in_headers and id(scope.statements) in self.headers:
                    return False
                self.declared[id(what)] = (scope.statements, position)
                return True
            elif number == 0 and scope is not self.root:
                return False
            if id(scope.statements) in self.headers:
                self._forget(scope, name)
                return False
            self._forget(scope, name)
            entry = self.bare.setdefault(id(scope.statements), (scope.statements, {}))
            entry[1].setdefault(uses[0][0], []).append(name)
            return True
        return True

    def _forget(self, scope: _Scope, name: str) -> None:
        """A declaration further out makes those in inner scopes plain assignments again."""
        pending = [scope]
        while pending:
            each = pending.pop()
            entry = self.bare.get(id(each.statements))
            if entry is not None:
                for names in entry[1].values():
                    if name in names:
                        names.remove(name)
            for _, what in each.uses.get(name, ()):
                if isinstance(what, _Scope):
                    pending.append(what)
                elif what is not None:
                    self.declared.pop(id(what), None)

    def _apply(self) -> None:
        """Put the declarations into the lists of statements."""
        for statements, position in self.declared.values():
            assignment = statements[position]
            assert isinstance(assignment, tree.Assignment)
            assert isinstance(assignment.target, tree.Name)
            made = tree.Var([tree.Declarator(assignment.target.name, assignment.value)])
            made.address = assignment.address
            statements[position] = made
            header = self.headers.get(id(statements))
            if header is not None and not isinstance(header.initial, tree.Block):
                header.initial = made
        for statements, places in self.bare.values():
            _join(places)
            for position in sorted(places, reverse=True):
                if places[position]:
                    made = tree.Var([tree.Declarator(name) for name in places[position]])
                    statements.insert(position, made)
        for statement in self.headers.values():
            if isinstance(statement.initial, tree.Block):
                statement.initial = _joined(statement.initial)


def _join(places: dict[int, list[str]]) -> None:
    """Bare declarations before statements that follow each other stand together before the first:
    ``var x, y; x[0] = 1; y[0] = 2;``"""
    first = last = -2
    for position in sorted(places):
        if not places[position]:
            continue
        if position == last + 1:
            places[first] += places.pop(position)
        else:
            first = position
        last = position


def _joined(header: tree.Block) -> tree.Var:
    """``var i = 0, n = 9`` for several assignments in a header; a local that is declared further
    out may be declared again."""
    declarators: list[tree.Declarator] = []
    for each in header.statements:
        if isinstance(each, tree.Var):
            declarators += each.declarators
        else:
            assert isinstance(each, tree.Assignment)
            assert isinstance(each.target, tree.Name)
            declarators.append(tree.Declarator(each.target.name, each.value))
    made = tree.Var(declarators)
    made.address = header.address
    return made


def declares_in_headers(dialect: Dialect) -> bool:
    """Whether people declare a counter in the header of its loop: nobody did before bytecode 16."""
    return dialect.bytecode >= 16 or dialect.gms2_or_later


def declare(statements: list[tree.Statement], names: set[str], dialect: Dialect) -> None:
    """Declare the local variables called ``names`` in the statements of one function, in place."""
    names = names - {""}
    if names:
        Declarer(names, declares_in_headers(dialect)).declare(statements)
