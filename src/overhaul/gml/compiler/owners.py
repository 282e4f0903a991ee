"""Array owners: the marks that early array copy-on-write puts before what makes or changes an
array.

An owner is a number made of the function's number and the variable's. Both count through the
whole game, so they cannot be known from one entry: compiling decides where a mark stands, and
takes the numbers from the code the entry had, where it had some.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from overhaul.gml.compiler.calls import Calls
from overhaul.gml.compiler.emitter import BREAK, PUSH, SETOWNER, I
from overhaul.gml.context import Context
from overhaul.gml.syntax import tree
from overhaul.gml.vm.code import Instruction

# Functions that make or change an array.
OWNING_FUNCTIONS: Final = frozenset(
    {"array_create"}
    | {f"array_set{form}" for form in ("", "_post", "_pre", "_2D", "_2D_post", "_2D_pre")}
)

PARAMETER: Final = "argument"  # stands for every variable whose number is -6

# (function number, after a dot, variable); variable "" for none
OwnerKey = tuple[int, bool, str]


class Owners(Calls):
    """Emits setowner."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.marks_owners = self.dialect.array_copy_on_write and self.v2
        self.owner_last: OwnerKey | None = None
        self.owner_keys: list[OwnerKey] = []
        self.owners_allowed = True

    def forget_owner(self) -> None:
        """Code that runs on several paths meets here: no mark is known to have been set."""
        self.owner_last = None

    def owner_of(self, target: tree.Expression, declared: bool) -> OwnerKey:
        """The owner for an assignment to ``target``."""
        number = self.scope.number
        dotted = False
        node = target
        if isinstance(node, tree.Index) and node.accessor == "@":
            return number, False, ""
        while isinstance(node, tree.Index):
            node = node.object
        name = ""
        if isinstance(node, tree.Member):
            dotted = True
            name = node.name
        elif isinstance(node, tree.Name):
            name = node.name
        if (self.dialect.self_to_builtin and not declared) or name in self.scope.parameters:
            name = PARAMETER
        return number, dotted, name

    def has_element(self, target: tree.Expression) -> bool:
        """Whether an assignment's target is a plain array element somewhere in its chain."""
        node = target
        while True:
            if isinstance(node, tree.Index):
                if node.accessor in ("", "@"):
                    return True
            elif self.is_element(node):
                return True
            elif not isinstance(node, tree.Member):
                return False
            node = node.object

    def set_owner(self, key: OwnerKey) -> bool:
        """Mark the owner unless it is the one marked last; whether it was marked."""
        if key == self.owner_last and not self.dialect.owners_always_marked:
            return False
        self.owner_last = key
        self.owner_keys.append(key)
        if self.is_small(key):
            self.small(0)
        else:
            self.push_int(0)
        self.extended(SETOWNER)
        return True

    def is_small(self, key: OwnerKey) -> bool:
        """Whether an owner's number fits 16 bits: a built-in's does, where no function is in it."""
        name = key[2]
        if self.dialect.new_array_owners:
            return False
        return name in ("", PARAMETER) or name in self.builtin_variables

    def number_owners(self, previous: list[Instruction]) -> None:
        """Give the marks their numbers."""
        old = owner_numbers(previous)
        numbers: dict[OwnerKey, int] = {}
        positional = len(old) == len(self.owner_keys)
        for index, key in enumerate(self.owner_keys):
            if positional:
                numbers[key] = old[index]
        at = 0
        instructions = self.instructions
        for place, instruction in enumerate(instructions):
            if instruction.opcode != BREAK or instruction.value != SETOWNER:
                continue
            key = self.owner_keys[at]
            number = old[at] if positional else self.new_owner(key, numbers)
            push = instructions[place - 1]
            if push.opcode == PUSH and push.type1 == I:
                push.operand = number
            else:
                push.value = number
            at += 1

    def new_owner(self, key: OwnerKey, numbers: dict[OwnerKey, int]) -> int:
        """A number for an owner that the game has not numbered."""
        if key not in numbers:
            function, dotted, name = key
            variable = 0
            if name == PARAMETER:
                variable = -6
            elif name:
                counters = self.context.counters
                if "owner " + name not in counters:
                    # Built-in variables have small numbers of their own, by the release.
                    first = 2400 if name in self.builtin_variables else 100000
                    counters["owner " + name] = first + self.context.next_number("owner variable")
                variable = counters["owner " + name]
            if not self.dialect.new_array_owners:
                function = 0
            numbers[key] = (function << 17 if dotted else function << 16) + variable
        return numbers[key]


def owner_numbers(instructions: list[Instruction]) -> list[int]:
    """The numbers of the marks in a code, in order."""
    found: list[int] = []
    for before, instruction in pairwise(instructions):
        if instruction.opcode == BREAK and instruction.value == SETOWNER:
            operand = before.operand
            found.append(operand if isinstance(operand, int) else before.value)
    return found


_CLOSED: Final = (tree.Call, tree.New, tree.Function, tree.StructLiteral)


def has_array_literal(node: tree.Expression | None) -> bool:
    """Whether a value contains an array literal (outside calls, functions and structs)."""
    stack: list[tree.Node | None] = [node]
    while stack:
        each = stack.pop()
        if isinstance(each, tree.ArrayLiteral):
            return True
        if each is None or isinstance(each, _CLOSED):
            continue
        stack.extend(each.children())
    return False


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
