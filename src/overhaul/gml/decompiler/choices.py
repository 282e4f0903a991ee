"""Choices that the instructions of an entry leave open, and those that are made.

At the end of a loop, ``if (a) { b(); continue; } c();`` and ``if (a) { b(); } else { c(); }`` have
the same jumps, and so have a ``while`` and a ``for``.  But a compiler keeps a state (the owner of
arrays that it marked last, whether a way out of a ``try`` sets a flag) that differs, and with it
other instructions do.  Each such place is a point at which the reader asks for a choice: the
default, which is what most people write, unless another is given.
:mod:`overhaul.gml.roundtrip` compiles what was read, and gives other choices where it differs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from overhaul.gml.dialect import Dialect
from overhaul.gml.vm.code import Code, FunctionReference, Instruction
from overhaul.gml.vm.opcodes import Extended, Opcode

ELSE: Final = "else"
"""Whether a jump at the end of the first part of an if leads over an else part (1), or leaves the
loop's body (0)."""
LOOP: Final = "loop"
"""The form of a loop with its condition at its head: as the statements around it say (0), a
``while`` (1), or a ``for`` whose step is the last n - 2 statements of the body."""
EARLY: Final = "early"
"""Whether what ends the body of a loop is written with a ``continue`` where people do (1)."""

FINAL: Final = "final"
"""Whose the finally parts behind a try are: none is its own (0, where it needs none), or the n-th
is."""


class Point(NamedTuple):
    """A place with more than one reading: its kind, and the index of the first instruction that
    is read in one way or another."""

    kind: str
    at: int


class Choices:
    """The readings ``given`` by point, and what was ``asked``: the reading taken, and the number of
    readings that there are."""

    __slots__ = ("asked", "given")

    def __init__(self, given: Mapping[Point, int] | None = None) -> None:
        self.given: Mapping[Point, int] = given or {}
        self.asked: dict[Point, tuple[int, int]] = {}

    def take(self, kind: str, index: int, default: int, count: int) -> int:
        """The reading of a point, of ``count`` that there are."""
        point = Point(kind, index)
        taken = self.given.get(point, default)
        if not 0 <= taken < count:
            taken = default
        self.asked[point] = taken, count
        return taken


def matter_in(code: Code, dialect: Dialect) -> bool:
    """Whether instructions may depend on what is taken where they leave something open."""
    marks = dialect.array_copy_on_write and not dialect.owners_always_marked
    return any(
        (marks and instruction.opcode == Opcode.BREAK and instruction.value == Extended.SETOWNER)
        or begins_try(instruction)
        for instruction in code.instructions
    )


def begins_try(instruction: Instruction) -> bool:
    """Whether an instruction calls what begins a ``try``."""
    operand = instruction.operand
    return isinstance(operand, FunctionReference) and operand.name == "@@try_hook@@"
