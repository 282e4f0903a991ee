"""Array owners: the marks that early array copy-on-write puts before what makes or changes an
array.

An owner is a number made of the function's number and the variable's. Both count through the
whole game, so one entry does not show them: compiling decides where a mark stands, and takes the
numbers from the code the entry had, if it had any.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final, NamedTuple

from overhaul.gml.compiler.emitter import Emitter
from overhaul.gml.compiler.machine import BREAK, PUSH, SETOWNER, I
from overhaul.gml.compiler.names import NameResolver
from overhaul.gml.compiler.part import CompilerPart
from overhaul.gml.syntax import tree
from overhaul.gml.syntax.language import has_array_literal
from overhaul.gml.vm.code import Instruction

OWNING_FUNCTIONS: Final = frozenset(
    {"array_create"}
    | {f"array_set{form}" for form in ("", "_post", "_pre", "_2D", "_2D_post", "_2D_pre")}
)
"""Functions that make or change an array."""

PARAMETER: Final = "argument"  # stands for every variable whose number is -6


class Owner(NamedTuple):
    """Whose array it is: by the number of the function, whether a dot stands before the variable,
    and the variable ("" for none).
    """

    function: int
    dotted: bool
    variable: str


class Owners(CompilerPart):
    """Emits ``setowner``."""

    def __init__(self, code: Emitter, names: NameResolver) -> None:
        super().__init__(code, names)
        self.enabled: bool = self.dialect.array_copy_on_write and names.v2
        self.allowed = True
        self.last: Owner | None = None
        self.marked: list[Owner] = []
        self.variables: dict[str, int] = {}  # the numbers given to variables

    def forget(self) -> None:
        """Forget the owner marked last, where several paths meet."""
        self.last = None

    def meet(self, last: Owner | None) -> None:
        """Join a path on which this owner was marked last."""
        if last != self.last:
            self.last = None

    def owner_of(self, target: tree.Expression, declared: bool) -> Owner:
        """The owner for an assignment to ``target``."""
        number = self.scopes.current.number
        dotted = False
        node = target
        if isinstance(node, tree.Index) and node.accessor == "@":
            return Owner(number, False, "")
        while isinstance(node, tree.Index):
            node = node.object
        name = ""
        if isinstance(node, tree.Member):
            dotted = True
            name = node.name
        elif isinstance(node, tree.Name):
            name = node.name
        if (
            self.dialect.self_to_builtin and not declared
        ) or name in self.scopes.current.parameters:
            name = PARAMETER
        return Owner(number, dotted, name)

    def has_element(self, target: tree.Expression) -> bool:
        """Whether an assignment's target is a plain array element somewhere in its chain."""
        node = target
        while True:
            if isinstance(node, tree.Index):
                if node.accessor in ("", "@"):
                    return True
            elif self.names.is_element(node):
                return True
            elif not isinstance(node, tree.Member):
                return False
            node = node.object

    def mark(self, owner: Owner) -> bool:
        """Emit the mark of an owner unless it is the one marked last; whether it was emitted."""
        if owner == self.last and not self.dialect.owners_always_marked:
            return False
        self.last = owner
        self.marked.append(owner)
        if self.is_small(owner):
            self.code.small(0)
        else:
            self.code.push_int(0)
        self.code.extended(SETOWNER)
        return True

    def is_small(self, owner: Owner) -> bool:
        """Whether an owner's number fits 16 bits: a built-in's does, where no function is in it."""
        name = owner.variable
        if self.dialect.new_array_owners:
            return False
        return name in ("", PARAMETER) or name in self.names.builtin_variables

    def number(self, previous: list[Instruction]) -> None:
        """Give the marks their numbers."""
        if not self.marked:
            return
        old = owner_numbers(previous)
        numbers: dict[Owner, int] = {}
        positional = len(old) == len(self.marked)
        at = 0
        instructions = self.code.instructions
        for row, instruction in enumerate(instructions):
            if instruction.opcode != BREAK or instruction.value != SETOWNER:
                continue
            number = old[at] if positional else self.new_number(self.marked[at], numbers)
            push = instructions[row - 1]
            if push.opcode == PUSH and push.type1 == I:
                push.operand = number
            else:
                fits = -0x8000 <= number <= 0x7FFF
                push.value = number if fits else self.new_number(self.marked[at], numbers)
            at += 1

    def new_number(self, owner: Owner, numbers: dict[Owner, int]) -> int:
        """A number for an owner that the game has not numbered."""
        if owner not in numbers:
            function, dotted, name = owner
            variable = 0
            if name == PARAMETER:
                variable = -6
            elif name:
                # Built-in variables have small numbers of their own, by the release.
                first = 2400 if name in self.names.builtin_variables else 100000
                variable = self.variables.setdefault(name, first + len(self.variables))
            if not self.dialect.new_array_owners:
                function = 0
            numbers[owner] = (function << 17 if dotted else function << 16) + variable
        return numbers[owner]

    def mark_maker(self, node: tree.Expression) -> None:
        """Mark no variable as the owner before an expression that makes or changes an array."""
        if self.allowed and makes_array(node):
            self.mark(Owner(self.scopes.current.number, False, ""))


def owner_numbers(instructions: list[Instruction]) -> list[int]:
    """The numbers of the marks in a code, in order."""
    numbers: list[int] = []
    for before, instruction in pairwise(instructions):
        if instruction.opcode == BREAK and instruction.value == SETOWNER:
            operand = before.operand
            numbers.append(operand if isinstance(operand, int) else before.value)
    return numbers


def makes_array(node: tree.Expression) -> bool:
    """Whether an expression by itself wants an owner marked: an array literal, or a call that
    gets one or that makes or changes an array.
    """
    if isinstance(node, tree.ArrayLiteral):
        return True
    if not isinstance(node, tree.Call):
        return False
    if isinstance(node.function, tree.Name) and node.function.name in OWNING_FUNCTIONS:
        return True
    return any(has_array_literal(argument) for argument in node.arguments)
