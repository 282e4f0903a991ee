"""What names mean inside a function: its locals, statics, parameters and functions."""

from __future__ import annotations

from typing import Final

from overhaul.gml.compiler.emitter import Label

ROOT: Final = 0
FUNCTION: Final = 1
STRUCT: Final = 2


class Scope:
    """One function (or the root of an entry, or a struct literal) while it is compiled."""

    def __init__(self, kind: int, parent: Scope | None, name: str = "", number: int = 1) -> None:
        self.kind = kind
        self.parent = parent
        self.name = name  # the names of functions inside contain it
        self.number = number  # of the function, for array owners
        self.locals: dict[str, bool] = {}  # name -> used
        self.statics: set[str] = set()
        self.parameters: dict[str, int] = {}
        self.functions: dict[str, str] = {}  # name -> name of the code entry
        self.constructor = False
        self.static = ""  # the static whose value is compiled
        self.header = False  # while defaults and the parent constructor are compiled
        self.in_method_arguments = False  # while the arguments of ``e.f(...)`` are
        self.enclosing: list[Enclosing] = []
        self.naming: Scope = self  # the scope whose name the functions inside carry


class Scopes:
    """The scope that is compiled, and how many functions there are so far."""

    def __init__(self, entry_name: str = "") -> None:
        self.current: Scope = Scope(ROOT, None, entry_name)
        self.functions: int = 1

    def enter(self, kind: int, name: str) -> Scope:
        """Make a scope inside the current one the current one; returns the outer one."""
        outer = self.current
        self.functions += 1
        self.current = Scope(kind, outer, name, self.functions)
        return outer


class Enclosing:
    """A statement around the current one that break, continue or an early exit must know of."""

    def __init__(
        self, kind: str, breaks: Label, continues: Label, type_: int = 0, marks: int = 0
    ) -> None:
        self.kind = kind
        self.breaks = breaks
        self.continues = continues
        self.type = type_  # of the value it keeps on the stack
        self.marks = marks  # of array owners, so many before it
        self.broken = False
        self.continued = False
        self.in_default = False
