"""``try``: its hooks, and what leaves it early.

The code that the official compilers emit for ``try`` with ``catch`` was read off their output.
The ways out of a ``try`` are rewritten before it is emitted: ``break`` and ``continue`` set a
flag that is tested after the statement, and ``exit``, ``return`` and (in older releases)
``throw`` run copies of the ``finally`` parts first. No game of the corpus has such code, so this
follows descriptions of the official compilers with their quirks.
"""

from __future__ import annotations

from typing import Final

from overhaul.gml.compiler.emitter import Label
from overhaul.gml.compiler.folding import Folder, is_true
from overhaul.gml.compiler.machine import BRANCH, I, V
from overhaul.gml.compiler.nodes import CONSTANTS, Hooked, Problem
from overhaul.gml.compiler.statements import Composed, Shared
from overhaul.gml.dialect import Dialect
from overhaul.gml.syntax import tree

COPY = "copyVar"


class Surroundings:
    """The statements around a ``try``: whether the innermost loop or ``switch`` is a ``switch``,
    and whether a loop other than ``while`` and ``do`` takes a ``break`` that leaves the ``try``.
    """

    __slots__ = ("propagates", "switch")

    def __init__(self, switch: bool, propagates: bool) -> None:
        self.switch = switch
        self.propagates = propagates


class _Attempt:
    """A ``try`` whose parts are being rewritten."""

    __slots__ = ("final", "flagging", "flags", "throws", "used")

    def __init__(self, number: int, final: bool) -> None:
        self.flags: tuple[str, str] = (f"__yy_breakEx{number}", f"__yy_continueEx{number}")
        self.final: bool = final
        self.flagging: bool = True
        self.used: bool = False
        self.throws: bool = False


class Rewriter:
    """Rewrites one outermost ``try`` of a function with all that is in it."""

    def __init__(
        self,
        dialect: Dialect,
        folder: Folder,
        number: int,
        around: Surroundings,
    ) -> None:
        self.dialect = dialect
        self.folder = folder
        self.number: int = number  # of the next try
        self.switch = around.switch
        self.propagates = around.propagates
        self.attempt: _Attempt | None = None
        self.finals: list[tree.Block] = []
        self.in_final: bool = False
        self.names: list[str] = []  # the variables that are made

    def statement(self, node: tree.Statement) -> tree.Statement:
        """The statement to put in place of another."""
        if isinstance(node, tree.Block):
            return self.block(node)
        if isinstance(node, tree.Try):
            return self.attempted(node)
        if isinstance(node, tree.If):
            return self.chosen(node)
        if isinstance(node, tree.Switch):
            return self.switched(node)
        if isinstance(node, (tree.While, tree.DoUntil, tree.For, tree.Repeat, tree.With)):
            return self.loop(node)
        if isinstance(node, (tree.Break, tree.Continue)):
            return self.escape(node)
        if isinstance(node, (tree.Exit, tree.Return)):
            return self.leave(node)
        if isinstance(node, tree.Throw):
            return self.throw(node)
        return node

    def block(self, node: tree.Block) -> tree.Block:
        return tree.Block(
            [self.statement(statement) for statement in node.statements], position=node.position
        )

    def chosen(self, node: tree.If) -> tree.Statement:
        """``if``: branches that cannot run are removed first."""
        first: tree.If | None = None
        last: tree.If | None = None
        current: tree.Statement | None = node
        while isinstance(current, tree.If):  # else-if chains may be long
            condition = self.folder.weigh(current.condition)
            if isinstance(condition, CONSTANTS):
                current = current.then if is_true(condition) else current.otherwise
                if not isinstance(current, tree.If):
                    break
                continue
            made = tree.If(condition, self.statement(current.then), None, position=current.position)
            if last is None:
                first = made
            else:
                last.otherwise = made
            last = made
            current = current.otherwise
        rest = None if current is None else self.statement(current)
        if first is None or last is None:
            return rest or tree.Block([], position=node.position)
        last.otherwise = rest
        return first

    def switched(self, node: tree.Switch) -> tree.Statement:
        outer, self.switch = self.switch, True
        cases = [
            tree.Case(
                case.value, [self.statement(part) for part in case.body], position=case.position
            )
            for case in node.cases
        ]
        self.switch = outer
        return tree.Switch(node.value, cases, position=node.position)

    def loop(
        self, node: tree.While | tree.DoUntil | tree.For | tree.Repeat | tree.With
    ) -> tree.Statement:
        if isinstance(node, tree.DoUntil):
            return tree.DoUntil(self.statement(node.body), node.condition, position=node.position)
        attempt = self.attempt
        switch, propagates = self.switch, self.propagates
        flagging = attempt is not None and attempt.flagging
        self.switch = False
        if attempt is not None:
            attempt.flagging = False
        if isinstance(node, tree.While):
            # The official compilers do not resume flagging after it.
            made: tree.Statement = tree.While(
                node.condition, self.statement(node.body), position=node.position
            )
            self.switch = switch
            return made
        self.propagates = True
        body = self.statement(node.body)
        if isinstance(node, tree.For):
            step = None if node.step is None else self.statement(node.step)
            made = tree.For(node.initial, node.condition, step, body, position=node.position)
        elif isinstance(node, tree.Repeat):
            made = tree.Repeat(node.count, body, position=node.position)
        else:
            made = tree.With(node.target, body, position=node.position)
        self.switch = switch
        self.propagates = propagates
        if attempt is not None:
            attempt.flagging = flagging
        return made

    def attempted(self, node: tree.Try) -> tree.Statement:
        """A ``try``: its number, its flags, and the tests of these after it."""
        if node.handler is None and node.final is None:
            return self.block(node.body)
        final = node.final
        if final is not None:
            inside, self.in_final = self.in_final, True
            final = self.block(final)
            self.in_final = inside
            self.finals.append(final)
        outer = self.attempt
        self.attempt = attempt = _Attempt(self.number, final is not None)
        self.number += 1
        attempt.throws = node.handler is None or _has(node.body, _ESCAPES)
        body, flagged = self.part(node.body, attempt)
        handler = node.handler
        if handler is not None:
            attempt.throws = _has(handler, (*_ESCAPES, tree.Throw))
            handler, again = self.part(handler, attempt)
            flagged = flagged or again
        self.attempt = outer
        if final is not None:
            self.finals.pop()
        made = Hooked(body, node.name, handler, final, position=node.position)
        if not flagged:
            return made
        self.names.extend(attempt.flags)
        statements: list[tree.Statement] = [_set(name, 0) for name in attempt.flags]
        statements.append(made)
        if self.propagates:
            for name, way in (
                (attempt.flags[1], tree.Continue()),
                (attempt.flags[0], tree.Break()),
            ):
                statements.append(tree.If(tree.Name(name), tree.Block([way])))
        return tree.Block(statements, position=node.position)

    def part(self, part: tree.Block, attempt: _Attempt) -> tuple[tree.Block, bool]:
        """The body or the handler, in a loop that runs once where a flag is set in it."""
        attempt.flagging = True
        attempt.used = False
        part = self.block(part)
        if not attempt.used:
            return part, False
        stop = tree.If(tree.Name(attempt.flags[1]), tree.Block([tree.Break()]))
        loop = tree.While(tree.Boolean(True), tree.Block([stop, part, tree.Break()]))
        return tree.Block([loop], position=part.position), True

    def escape(self, node: tree.Break | tree.Continue) -> tree.Statement:
        attempt = self.attempt
        breaks = isinstance(node, tree.Break)
        if attempt is None or (breaks and self.switch):
            return node
        if self.dialect.better_try_break_continue and not attempt.flagging:
            return node
        attempt.used = True
        return tree.Block([_set(attempt.flags[0 if breaks else 1], 1), node])

    def leave(self, node: tree.Exit | tree.Return) -> tree.Statement:
        """``exit`` and ``return``, behind copies of all ``finally`` parts around them."""
        if self.in_final:
            raise Problem("cannot leave finally early", node.position)
        if self.attempt is None or not self.attempt.final:
            return node
        copies: list[tree.Statement] = list(reversed(self.finals))
        if isinstance(node, tree.Exit):
            return tree.Block([*copies, node])
        self.names.append(COPY)
        store = tree.Assignment(tree.Name(COPY), "=", node.value)
        return tree.Block([store, *copies, tree.Return(tree.Name(COPY), position=node.position)])

    def throw(self, node: tree.Throw) -> tree.Statement:
        attempt = self.attempt
        if attempt is None or not attempt.final or not attempt.throws:
            return node
        return tree.Block([self.finals[-1], node]) if self.dialect.finally_before_throw else node


_ESCAPES = (tree.Exit, tree.Return, tree.Break, tree.Continue)


def _has(part: tree.Node, kinds: tuple[type, ...]) -> bool:
    return any(isinstance(node, kinds) for node in part.walk())


def _set(name: str, value: int) -> tree.Statement:
    return tree.Assignment(tree.Name(name), "=", tree.Number(value))


_PROPAGATING: Final = ("for", "repeat", "with")


class Tries(Composed):
    """Emits ``try``."""

    def __init__(self, shared: Shared) -> None:
        super().__init__(shared)
        self.count: int = 0

    def try_(self, node: tree.Try) -> None:
        """The statement as the source has it: its ways out are rewritten first."""
        if node.handler is None and node.final is None:
            self.statements.one(node.body)
            return
        kinds = [enclosing.kind for enclosing in self.scopes.current.enclosing]
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
