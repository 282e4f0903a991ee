"""Emitting of statements: each kind goes to the part that knows it."""

from __future__ import annotations

from collections.abc import Callable

from overhaul.gml.compiler.emitter import Emitter
from overhaul.gml.compiler.errors import Problem
from overhaul.gml.compiler.machine import V
from overhaul.gml.compiler.names import Names
from overhaul.gml.compiler.part import Part
from overhaul.gml.compiler.values import Values
from overhaul.gml.syntax import tree
from overhaul.gml.syntax.errors import ProblemList


class Statements(Part):
    """Emits statements; one that does not compile is noted and skipped.

    ``emitters`` has what emits each kind of node; whoever puts the parts together fills it.
    """

    def __init__(self, code: Emitter, names: Names, values: Values, problems: ProblemList) -> None:
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
        emitter = self.emitters.get(type(node.expression))
        if emitter is None:
            raise Problem("this has no effect: expected a call or an assignment", node.position)
        emitter(node.expression)

    def call(self, node: tree.Call | tree.New) -> None:
        """A call used as a statement."""
        function = node.function
        if isinstance(function, tree.Name) and function.name == "gml_pragma":
            return  # only the official compiler obeys it
        self.values.expression(node)
        self.code.discard(V)
