"""The ways out of a function: ``exit``, ``return`` and ``throw``."""

from __future__ import annotations

from typing import Final

from overhaul.gml.compiler import machine as m
from overhaul.gml.compiler.emitter import Emitter
from overhaul.gml.compiler.machine import I, V
from overhaul.gml.compiler.names import Names
from overhaul.gml.compiler.part import Part
from overhaul.gml.compiler.values import Values
from overhaul.gml.syntax import tree

TEMPORARY: Final = "$$$$temp$$$$"


class Exits(Part):
    """Emits what leaves a function."""

    def __init__(self, code: Emitter, names: Names, values: Values) -> None:
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
            each.kind in self.undone or (each.kind == "repeat" and self.v2)
            for each in self.scopes.current.enclosing
        )

    def clean_up(self) -> None:
        """Undo what encloses an early exit, innermost first; newer compilers take the types of
        switches in the wrong order, and forget a switch in its ``default``.
        """
        recent = self.dialect.switch_default_exit_keeps_value
        switches = [
            each
            for each in self.scopes.current.enclosing
            if each.kind == "switch" and not (each.in_default and recent)
        ]
        types = iter([each.type for each in (switches if recent else reversed(switches))])
        for enclosing in reversed(self.scopes.current.enclosing):
            if enclosing.kind == "with":
                self.code.one(m.POPENV, 0, 0, m.POPENV_DROP)
            elif enclosing.kind == "switch":
                if enclosing in switches:
                    self.code.discard(next(types))
            elif enclosing.kind == "repeat" and self.v2:
                self.code.discard(enclosing.type)
