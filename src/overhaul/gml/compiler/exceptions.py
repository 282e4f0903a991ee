"""``try``: its hooks, and what leaves it early.

What the official compilers emit for ``try`` with ``catch`` is taken from their code.
"""

from __future__ import annotations

from overhaul.gml.compiler.emitter import BRANCH, LOCAL, NORMAL, PUSH, RET, I, Label, V
from overhaul.gml.compiler.escapes import Hooked, Rewriter, Surroundings
from overhaul.gml.compiler.statements import EMITTERS, TEMPORARY, Statements
from overhaul.gml.context import Context
from overhaul.gml.syntax import tree

_PROPAGATING = ("for", "repeat", "with")


class Exceptions(Statements):
    """Emits ``try`` and the ways out of it."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.tries = 0
        # Called before every exit and return, also of the functions within a try: the official
        # compilers do not look whose exit it is.
        self.before_exit = ""

    def try_(self, node: tree.Try) -> None:
        if isinstance(node, Hooked):
            self.hooked(node)
            return
        if node.handler is None and node.final is None:
            self.statement(node.body)
            return
        kinds = [each.kind for each in self.scope.enclosing]
        loops = [kind for kind in kinds if kind != "do"]  # do leaves no trace
        around = Surroundings(
            bool(loops) and loops[-1] == "switch", any(kind in _PROPAGATING for kind in kinds)
        )
        rewriter = Rewriter(self.dialect, self.fold, self.tries, around)
        rewritten = rewriter.attempted(node)
        self.tries = rewriter.number
        for name in rewriter.names:
            self.scope.locals.setdefault(name, True)
        self.statements([rewritten])

    def hooked(self, node: Hooked) -> None:
        """The statement with its hooks."""
        finish = Label()
        catch = Label()
        end = Label()
        self.push_address(finish)
        self.convert(I, V)
        if node.handler is None:
            self.push_int(-1)
        else:
            self.push_address(catch)
        self.convert(I, V)
        self.call("@@try_hook@@", 2)
        self.discard(V)
        self.inside("@@try_unhook@@", node.body)
        if node.handler is not None:
            self.branch(BRANCH, finish)
            self.place(catch)
            self.store(self.resolve(tree.Name(node.name)), V)
            self.call("@@try_unhook@@", 0)
            self.discard(V)
            self.inside("@@finish_catch@@", node.handler)
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

    def push_address(self, label: Label) -> None:
        """The byte address of a label, from the start of the entry."""
        self.push_int(0)
        label.addresses.append(self.instructions[-1])

    def inside(self, before_exit: str, body: tree.Block) -> None:
        outer, self.before_exit = self.before_exit, before_exit
        self.statements(body.statements)
        self.before_exit = outer
        self.forget_owner()

    def exit(self, node: tree.Exit) -> None:
        if self.before_exit:
            self.call(self.before_exit, 0)
        super().exit(node)

    def return_(self, node: tree.Return) -> None:
        if not self.before_exit:
            super().return_(node)
            return
        self.value(node.value)
        self.scope.locals.setdefault(TEMPORARY, True)
        self.pop_variable(V, V, LOCAL, TEMPORARY, LOCAL, NORMAL)
        self.clean_up()
        self.call(self.before_exit, 0)
        self.mark_static()
        self.push_variable(PUSH, LOCAL, TEMPORARY, LOCAL, NORMAL)
        self.one(RET, V)


def own_nodes(part: tree.Node) -> list[tree.Node]:
    """The statements of a part, without those of functions in it."""
    found: list[tree.Node] = []
    stack: list[tree.Node] = [part]
    while stack:
        node = stack.pop()
        found.append(node)
        stack.extend(each for each in node.children() if not isinstance(each, tree.Expression))
    return found


EMITTERS[Hooked] = lambda self, node: self.try_(node)
