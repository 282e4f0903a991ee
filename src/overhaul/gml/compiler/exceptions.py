"""``try``: its hooks, and what leaves it early.

What the official compilers emit for ``try`` with ``catch`` is taken from their code.
"""

from __future__ import annotations

from typing import Final

from overhaul.gml.compiler.emitter import Emitter, Label
from overhaul.gml.compiler.escapes import Rewriter, Surroundings
from overhaul.gml.compiler.exits import Exits
from overhaul.gml.compiler.machine import BRANCH, I, V
from overhaul.gml.compiler.names import Names
from overhaul.gml.compiler.nodes import Hooked
from overhaul.gml.compiler.owners import Owners
from overhaul.gml.compiler.part import Part
from overhaul.gml.compiler.statements import Statements
from overhaul.gml.compiler.values import Values
from overhaul.gml.compiler.variables import Variables
from overhaul.gml.syntax import tree

_PROPAGATING: Final = ("for", "repeat", "with")


class Tries(Part):
    """Emits ``try``."""

    def __init__(
        self,
        code: Emitter,
        names: Names,
        values: Values,
        variables: Variables,
        statements: Statements,
        owners: Owners,
        exits: Exits,
    ) -> None:
        super().__init__(code, names)
        self.values = values
        self.variables = variables
        self.statements = statements
        self.owners = owners
        self.exits = exits
        self.count: int = 0

    def try_(self, node: tree.Try) -> None:
        """The statement as the source has it: its ways out are rewritten first."""
        if node.handler is None and node.final is None:
            self.statements.one(node.body)
            return
        kinds = [each.kind for each in self.scopes.current.enclosing]
        loops = [kind for kind in kinds if kind != "do"]  # do leaves no trace
        around = Surroundings(
            bool(loops) and loops[-1] == "switch", any(kind in _PROPAGATING for kind in kinds)
        )
        rewriter = Rewriter(self.dialect, self.values.folder, self.count, around)
        rewritten = rewriter.attempted(node)
        self.count = rewriter.number
        for name in rewriter.names:
            self.scopes.current.locals.setdefault(name, True)
        self.statements.run([rewritten])

    def hooked(self, node: Hooked) -> None:
        """The statement with its hooks."""
        finish = Label()
        catch = Label()
        end = Label()
        self.code.push_address(finish)
        self.code.convert(I, V)
        if node.handler is None:
            self.code.push_int(-1)
        else:
            self.code.push_address(catch)
        self.code.convert(I, V)
        self.code.call("@@try_hook@@", 2)
        self.code.discard(V)
        self.inside("@@try_unhook@@", node.body)
        if node.handler is not None:
            self.code.branch(BRANCH, finish)
            self.code.place(catch)
            self.variables.store(self.names.resolve(tree.Name(node.name)), V)
            self.code.call("@@try_unhook@@", 0)
            self.code.discard(V)
            self.inside("@@finish_catch@@", node.handler)
            self.code.call("@@finish_catch@@", 0)
            self.code.discard(V)
            self.code.branch(BRANCH, end)
        self.code.place(finish)
        self.code.call("@@try_unhook@@", 0)
        self.code.discard(V)
        self.code.place(end)
        if node.final is not None:
            self.statements.one(node.final)
            self.code.call("@@finish_finally@@", 0)
            self.code.discard(V)
            idle = Label()
            self.code.branch(BRANCH, idle)
            self.code.place(idle)

    def inside(self, before_exit: str, body: tree.Block) -> None:
        """A part of the statement; ``before_exit`` is called before every way out of it."""
        outer, self.exits.before_exit = self.exits.before_exit, before_exit
        self.statements.run(body.statements)
        self.exits.before_exit = outer
        self.owners.forget()
