"""The types of the names that the scripts of a game share.

The scripts of a game have the same headers in front of them, so a name has one type in all of them,
and a struct one layout.  Compiled code has neither: what one script shows of a name is used when
the others are read, so that all declare the same.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Final

from overhaul.ags.decompiler.cells import Cell, CellItem, Record, unite
from overhaul.ags.decompiler.code import Code
from overhaul.ags.decompiler.layout import Access

_DATA = 2
#: The names of members of enums for negative numbers, and of these enums.
_NEGATIVE: Final = re.compile(r"e?Minus\d+(_*)")


class Function:
    """The types of a function's parameters, and of its result."""

    def __init__(self) -> None:
        self.parameters: list[Cell] = []
        self.result: Cell = Cell()

    def parameter(self, number: int) -> Cell:
        """The type of a parameter."""
        while len(self.parameters) <= number:
            self.parameters.append(Cell())
        return self.parameters[number]


class Shared:
    """The names that the scripts of a game share; a script on its own has only its own names."""

    def __init__(self, scripts: Iterable[Code] = (), *, apart: bool = False) -> None:
        #: Whether what a method is called of is apart from the struct of the method.
        self.apart: bool = apart
        #: The code of the script that has a function or a variable.
        self.owners: dict[str, Code] = {}
        self.uses: dict[str, list[Access]] = {}
        self.variables: dict[str, CellItem] = {}
        self.functions: dict[str, Function] = {}
        self.records: dict[str, Record] = {}
        #: The most bytes that a struct can have, where variables show it.
        self.rooms: dict[str, int] = {}
        #: The most bytes that what a struct extends can have, where local variables show it.
        self.firsts: dict[str, int] = {}
        #: The least bytes that a struct has, as its methods show.
        self.sizes: dict[str, int] = {}
        #: The structs whose members are used of a variable, by its name.
        self.objects: dict[str, set[str]] = {}
        #: The structs without fields: variables of them have no bytes.
        self.empty: set[str] = set()
        #: The variables that lie behind all bytes of their script, or where a number has a value.
        self.behind: set[str] = set()
        #: The variables that values are put into, and these values, where they are ``apart``.
        self.flows: list[tuple[Cell, Cell]] = []
        #: The values that are compared with each other, where they are ``apart``.
        self.compared: list[tuple[Cell, Cell]] = []
        #: The default values of functions by their names and scripts, and by places.
        self.defaults: dict[tuple[str, Code | None], dict[int, str]] = {}
        #: The end of the names of members of enums for negative numbers.
        self._negative_end: str = ""
        #: The structs whose methods a struct calls of ``this``.
        self.extends: dict[str, set[str]] = {}
        #: The attributes that a script uses without an object, by struct and name: their functions
        #: may be those of an object, for editors before 3.4 had no others.
        self.statics: set[tuple[str, str]] = set()
        #: The attributes whose functions extend their structs, by struct and name.
        self.extending: set[tuple[str, str]] = set()
        #: The names that several scripts have for structs of their own.
        self.private: set[str] = set()
        for code in scripts:
            self._take(code)

    def _take(self, code: Code) -> None:
        for name in code.names:
            if self.owners.setdefault(name.full, code) is not code and name.owner:
                self.private.add(name.owner)
        for export in code.script.exports:
            if export.address >> 24 == _DATA:
                self.owners.setdefault(export.name, code)

    def find_empty(self) -> None:
        """Find the structs without fields, once all scripts are read."""
        for name in self.behind:
            self.empty |= self.objects.get(name, set())

    def negative_member(self, value: int) -> str:
        """The name of the member of an enum that a negative number is: old compilers subtract for
        a literal."""
        return f"eMinus{-value}{self._negative_end}"

    def name_negatives(self, taken: Collection[str]) -> None:
        """Give members of enums for negative numbers names that are not ``taken``."""
        ends = {found[1] for name in taken if (found := _NEGATIVE.fullmatch(name)) is not None}
        while self._negative_end in ends:
            self._negative_end += "_"

    def function(self, name: str) -> Function:
        """The types of a function that scripts share."""
        made = self.functions.get(name)
        if made is None:
            made = self.functions[name] = Function()
        return made

    def extensions(self) -> list[tuple[str, list[str]]]:
        """The structs that extend others, the shortest lines first, and the bases of each, the
        longest lines first."""
        depths: dict[str, int] = {}

        def depth(name: str, above: frozenset[str]) -> int:
            if name not in depths:
                bases = self.extends.get(name, set()) - above
                depths[name] = max((1 + depth(base, above | {name}) for base in bases), default=0)
            return depths[name]

        def least(name: str) -> tuple[int, str]:
            return depth(name, frozenset()), name

        return [
            (name, sorted(self.extends[name], key=least, reverse=True))
            for name in sorted(self.extends, key=least)
        ]

    def publish(self, name: str, item: CellItem) -> None:
        """Let the others know a variable; one that is read again has the types it had."""
        held = self.variables.get(name)
        if held is not None:
            unite(held.cell, item.cell)
        self.variables[name] = item
