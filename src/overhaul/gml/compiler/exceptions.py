"""``try``: its hooks, and what leaves it early.

What the official compilers emit for ``try`` with ``catch`` is taken from their code; the copies
of ``finally`` and the flags for ``break`` and ``continue`` follow the specification alone: no
game of the corpus has them.
"""

from __future__ import annotations

from overhaul.gml.compiler.emitter import (
    BRANCH,
    EXIT,
    LOCAL,
    NORMAL,
    PUSH,
    RET,
    I,
    Label,
    V,
)
from overhaul.gml.compiler.scopes import Enclosing
from overhaul.gml.compiler.statements import TEMPORARY, Statements
from overhaul.gml.syntax import tree

_COPY = "copyVar"
_TRIES = ("try", "catch")


class Exceptions(Statements):
    """Emits ``try`` and the ways out of it."""

    def try_(self, node: tree.Try) -> None:
        if node.handler is None and node.final is None:
            self.statement(node.body)
            return
        flags = self.escape_flags(node)
        body, handler = node.body, node.handler
        if flags is not None:
            for name in flags:
                self.assign(tree.Name(name), tree.Number(0))
            body = self.flagged(body, flags)
            handler = None if handler is None else self.flagged(handler, flags)
        self.hooked(node, body, handler)
        if flags is not None:
            self.after_flags(flags)

    def hooked(self, node: tree.Try, body: tree.Block, handler: tree.Block | None) -> None:
        """The statement with its hooks."""
        finish = Label()
        catch = Label()
        end = Label()
        self.push_address(finish)
        if handler is None:
            self.push_int(-1)
        else:
            self.push_address(catch, convert=False)
        self.convert(I, V)
        self.call("@@try_hook@@", 2)
        self.discard(V)
        self.inside("try", body, node.final)
        if handler is not None:
            self.branch(BRANCH, finish)
            self.place(catch)
            self.store(self.resolve(tree.Name(node.name)), V)
            self.call("@@try_unhook@@", 0)
            self.discard(V)
            self.inside("catch", handler, node.final)
            self.call("@@finish_catch@@", 0)
            self.discard(V)
            self.branch(BRANCH, end)
        self.place(finish)
        self.call("@@try_unhook@@", 0)
        self.discard(V)
        self.place(end)
        if node.final is not None:
            self.statement(node.final)
            self.call("@@finish_finally@@", 0)
            self.discard(V)
            idle = Label()
            self.branch(BRANCH, idle)
            self.place(idle)

    def push_address(self, label: Label, convert: bool = True) -> None:
        """The byte address of a label, from the start of the entry."""
        self.push_int(0)
        label.addresses.append(self.instructions[-1])
        if convert:
            self.convert(I, V)

    def inside(self, kind: str, body: tree.Block, final: tree.Block | None) -> None:
        enclosing = Enclosing(kind, Label(), None)
        enclosing.final = final
        enclosing.escapes = final is not None and any(
            isinstance(each, (tree.Return, tree.Exit, tree.Break, tree.Continue))
            for each in own_nodes(body)
        )
        self.scope.enclosing.append(enclosing)
        self.statements(body.statements)
        self.leave()

    # -------------------------------------------------------------------------------------------
    # Leaving early

    def enclosing_tries(self) -> list[Enclosing]:
        return [each for each in reversed(self.scope.enclosing) if each.kind in _TRIES]

    def unhook(self) -> None:
        for each in self.enclosing_tries():
            self.call("@@try_unhook@@" if each.kind == "try" else "@@finish_catch@@", 0)

    def run_finals(self, tries: list[Enclosing]) -> None:
        """Copies of the finally parts, innermost first."""
        for each in tries:
            final = each.final
            if final is not None:
                each.final = None  # a copy is not copied again into itself
                self.statement(final)
                each.final = final

    def exit(self, node: tree.Exit) -> None:
        tries = self.enclosing_tries()
        if not tries:
            super().exit(node)
            return
        self.run_finals(tries)
        self.unhook()
        self.clean_up()
        self.mark_static()
        self.one(EXIT, I)

    def return_(self, node: tree.Return) -> None:
        tries = self.enclosing_tries()
        if not tries:
            super().return_(node)
            return
        value = node.value
        if any(each.final is not None for each in tries):
            self.scope.locals.setdefault(_COPY, True)
            self.assign(tree.Name(_COPY), value)
            self.run_finals(tries)
            value = tree.Name(_COPY)
        self.value(value)
        self.scope.locals.setdefault(TEMPORARY, True)
        self.pop_variable(V, V, LOCAL, TEMPORARY, LOCAL, NORMAL)
        self.clean_up()
        self.unhook()
        self.mark_static()
        self.push_variable(PUSH, LOCAL, TEMPORARY, LOCAL, NORMAL)
        self.one(RET, V)

    def throw(self, node: tree.Throw) -> None:
        tries = self.enclosing_tries()
        if tries and self.dialect.finally_before_throw:
            innermost = tries[0]
            if innermost.final is not None and innermost.escapes:
                self.run_finals([innermost])
        super().throw(node)

    # -------------------------------------------------------------------------------------------
    # break and continue inside a try

    def escape_flags(self, node: tree.Try) -> tuple[str, str] | None:
        """The two flags a try needs because of a break or continue in it, None where it has
        neither.
        """
        parts = [node.body] if node.handler is None else [node.body, node.handler]
        if not any(self.has_escape(part) for part in parts):
            return None
        number = self.scope.tries
        self.scope.tries += 1
        flags = (f"__yy_breakEx{number}", f"__yy_continueEx{number}")
        for name in flags:
            self.scope.locals.setdefault(name, True)
        return flags

    def has_escape(self, part: tree.Block) -> bool:
        only_escaping = self.dialect.better_try_break_continue
        return any(
            isinstance(each, (tree.Break, tree.Continue))
            for each in own_nodes(part, loops=not only_escaping)
        )

    def flagged(self, part: tree.Block, flags: tuple[str, str]) -> tree.Block:
        """The part with its flags set, in the loop that runs once."""
        if not self.has_escape(part):
            return part
        marker = _Marker(flags, loops=not self.dialect.better_try_break_continue)
        marker.visit(part)
        stop = tree.If(tree.Name(flags[1]), tree.Block([tree.Break()]))
        loop = tree.While(tree.Boolean(True), tree.Block([stop, *part.statements, tree.Break()]))
        return tree.Block([loop], part.position)

    def after_flags(self, flags: tuple[str, str]) -> None:
        """Behind the statement: hand the break or continue on to the loop around it."""
        loops = [each for each in reversed(self.scope.enclosing) if each.kind not in _TRIES]
        if not loops or loops[0].kind in ("while", "do"):
            return
        if any(each.kind != "switch" for each in loops):
            self.statement(tree.If(tree.Name(flags[1]), tree.Block([tree.Continue()])))
        self.statement(tree.If(tree.Name(flags[0]), tree.Block([tree.Break()])))


class _Marker(tree.Transformer):
    """Sets a flag before each break and continue."""

    def __init__(self, flags: tuple[str, str], loops: bool) -> None:
        self.flags = flags
        self.loops = loops

    def visit(self, node: tree.Node) -> tree.Node | list[tree.Node] | None:
        if isinstance(node, (tree.Break, tree.Continue)):
            flag = self.flags[isinstance(node, tree.Continue)]
            return [tree.Assignment(tree.Name(flag), "=", tree.Number(1)), node]
        if isinstance(node, tree.Expression) or (not self.loops and isinstance(node, LOOPS)):
            return node
        return super().visit(node)


LOOPS = (tree.While, tree.For, tree.DoUntil, tree.Repeat, tree.With, tree.Switch)


def own_nodes(part: tree.Node, loops: bool = True) -> list[tree.Node]:
    """The statements of a part, without those of functions in it (and, unless ``loops``, of
    loops).
    """
    found: list[tree.Node] = []
    stack: list[tree.Node] = [part]
    while stack:
        node = stack.pop()
        found.append(node)
        if not loops and isinstance(node, LOOPS):
            continue
        stack.extend(each for each in node.children() if not isinstance(each, tree.Expression))
    return found
