"""What names mean inside a function: its locals, statics, parameters and functions."""

from __future__ import annotations

from typing import Final

from overhaul.gml.compiler.emitter import Label

ROOT: Final = 0
FUNCTION: Final = 1
STRUCT: Final = 2


class Scope:
    """One function (or the root of an entry, or a struct literal) while it is compiled."""

    __slots__ = (
        "constructor", "enclosing", "functions", "header", "hoisted", "kind", "locals", "name",
        "naming", "number", "parameters", "parent", "statics",
    )  # fmt: skip

    def __init__(self, kind: int, parent: Scope | None, name: str = "", number: int = 1) -> None:
        self.kind = kind
        self.parent = parent
        self.name = name  # what the names of functions inside are made of
        self.number = number  # of the function, for array owners
        self.locals: dict[str, bool] = {}  # name -> used
        self.statics: set[str] = set()
        self.parameters: dict[str, int] = {}
        self.functions: dict[str, str] = {}
        self.constructor = False
        self.header = False  # while defaults and the parent constructor are compiled
        self.hoisted: list[int] = []
        self.enclosing: list[Enclosing] = []
        self.naming: Scope = self  # the scope whose name the functions inside carry


class Enclosing:
    """A statement around the current one that break, continue or an early exit must know of."""

    __slots__ = ("breaks", "broken", "continued", "continues", "in_default", "kind", "type")

    def __init__(self, kind: str, breaks: Label, continues: Label, type_: int = 0) -> None:
        self.kind = kind
        self.breaks = breaks
        self.continues = continues
        self.type = type_
        self.broken = False
        self.continued = False
        self.in_default = False
