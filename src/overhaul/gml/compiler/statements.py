"""Emitting of statements: each kind goes to the part that knows it; the ways out of a function; and
the parts that those above emit with.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from overhaul.gml.compiler import machine as m
from overhaul.gml.compiler.emitter import Emitter
from overhaul.gml.compiler.machine import I, V
from overhaul.gml.compiler.names import CodeNames, NameResolver
from overhaul.gml.compiler.nodes import Problem
from overhaul.gml.compiler.owners import Owners
from overhaul.gml.compiler.part import CompilerPart
from overhaul.gml.compiler.values import References, Values
from overhaul.gml.compiler.variables import Accessors, Variables
from overhaul.gml.syntax import tree
from overhaul.gml.syntax.errors import ProblemList


class Statements(CompilerPart):
    """Emits statements; one that does not compile is noted and skipped.

    ``emitters`` has what emits each kind of node; whoever puts the parts together fills it.
    """

    def __init__(
        self, code: Emitter, names: NameResolver, values: Values, problems: ProblemList
    ) -> None:
        super().__init__(code, names)
        self.values = values
        self.problems = problems
        self.emitters: dict[type, Callable[..., None]] = {}

    def run(self, statements: list[tree.Statement]) -> None:
        """Several statements."""
        scope = self.scopes.current
        depth = len(scope.enclosing)
        for statement in statements:
            if self.source_map is not None:
                self.source_map.statement(statement)
            try:
                self.emitters[type(statement)](statement)
            except Problem as problem:
                self.problems.add(problem.message, problem.position)
                self.scopes.current = scope  # whatever was entered in the statement
                del scope.enclosing[depth:]
                self.values.owners.allowed = True
            if self.source_map is not None:
                self.source_map.end_of_block(statement)

    def one(self, node: tree.Statement) -> None:
        """One statement."""
        if isinstance(node, tree.Block):
            self.block(node)
            if self.source_map is not None:
                self.source_map.end_of_block(node)
        else:
            self.run([node])

    def block(self, node: tree.Block) -> None:
        self.run(node.statements)

    def nothing(self, node: tree.Statement) -> None:
        """A statement that leaves no code."""

    def expression(self, node: tree.ExpressionStatement) -> None:
        """An expression used as a statement."""
        try:
            emitter = self.emitters[type(node.expression)]
        except KeyError:
            message = "this has no effect: expected a call or an assignment"
            raise Problem(message, node.position) from None
        emitter(node.expression)

    def call(self, node: tree.Call | tree.New) -> None:
        """A call used as a statement."""
        function = node.function
        if isinstance(function, tree.Name) and function.name == "gml_pragma":
            return  # only the official compiler obeys it
        self.values.expression(node)
        self.code.discard(V)


TEMPORARY: Final = "$$$$temp$$$$"


class Exits(CompilerPart):
    """Emits what leaves a function."""

    def __init__(self, code: Emitter, names: NameResolver, values: Values) -> None:
        super().__init__(code, names)
        self.values = values
        self.undone: set[str] = (
            {"with"} if names.dialect.switch_return_direct else {"with", "switch"}
        )
        # Called before every exit and return, also of the functions within a try: the official
        # compilers do not look whose exit it is.
        self.before_exit = ""

    def exit(self, node: tree.Exit) -> None:
        if self.before_exit:
            self.code.call(self.before_exit, 0)
        self.clean_up()
        self.end()

    def return_(self, node: tree.Return) -> None:
        self.values.value(node.value)
        if self.before_exit or self.is_enclosed():
            self.scopes.current.locals.setdefault(TEMPORARY, True)
            self.code.pop_variable(V, V, m.LOCAL, TEMPORARY, m.LOCAL, m.NORMAL)
            self.clean_up()
            if self.before_exit:
                self.code.call(self.before_exit, 0)
            self.mark_return()
            self.code.push_variable(m.PUSH, m.LOCAL, TEMPORARY, m.LOCAL, m.NORMAL)
        else:
            self.mark_return()
        self.code.one(m.RET, V)

    def throw(self, node: tree.Throw) -> None:
        self.values.value(node.value)
        self.code.call("@@throw@@", 1)

    def end(self) -> None:
        """The end of a function."""
        self.mark_static()
        self.code.one(m.EXIT, I)

    def mark_return(self) -> None:
        if self.dialect.static_marker_at_returns:
            self.mark_static()

    def mark_static(self) -> None:
        """In the first 2.3 builds every way out of a function marks its statics as done."""
        if self.dialect.static_marker_everywhere and self.scopes.current.parent is not None:
            self.code.extended(m.SETSTATIC)

    def is_enclosed(self) -> bool:
        """Whether there is something to undo before an early exit."""
        return any(
            statement.kind in self.undone or (statement.kind == "repeat" and self.v2)
            for statement in self.scopes.current.enclosing
        )

    def clean_up(self) -> None:
        """Undo what encloses an early exit, innermost first; newer compilers take the types of
        switches in the wrong order, and forget a switch in its ``default``.
        """
        recent = self.dialect.switch_default_exit_keeps_value
        switches = [
            statement
            for statement in self.scopes.current.enclosing
            if statement.kind == "switch" and not (statement.in_default and recent)
        ]
        types = iter([switch.type for switch in (switches if recent else reversed(switches))])
        for enclosing in reversed(self.scopes.current.enclosing):
            if enclosing.kind == "with":
                self.code.one(m.POPENV, 0, 0, m.POPENV_DROP)
            elif enclosing.kind == "switch":
                if enclosing in switches:
                    self.code.discard(next(types))
            elif enclosing.kind == "repeat" and self.v2:
                self.code.discard(enclosing.type)


@dataclass
class Shared:
    """The parts of the compiler that others emit with."""

    code: Emitter
    names: NameResolver
    code_names: CodeNames
    owners: Owners
    values: Values
    references: References
    variables: Variables
    accessors: Accessors
    exits: Exits
    statements: Statements


class Composed(CompilerPart):
    """A part that emits with the shared ones."""

    def __init__(self, shared: Shared) -> None:
        super().__init__(shared.code, shared.names)
        self.code_names = shared.code_names
        self.owners = shared.owners
        self.values = shared.values
        self.references = shared.references
        self.variables = shared.variables
        self.accessors = shared.accessors
        self.exits = shared.exits
        self.statements = shared.statements
