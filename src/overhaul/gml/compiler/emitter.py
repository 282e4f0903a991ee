"""Where instructions are written: the list, its length in words, labels, and one method per
instruction.
"""

from __future__ import annotations

from overhaul.gml.compiler import machine as m
from overhaul.gml.compiler.machine import D, E, I, L, S, V
from overhaul.gml.vm.code import AssetReference, FunctionReference, Instruction, VariableReference


class Label:
    """A target of branches, which may be placed after them."""

    __slots__ = ("addresses", "position", "waiting")

    def __init__(self) -> None:
        self.position: int = -1
        self.addresses: list[Instruction] = []  # pushes of the label's byte address
        self.waiting: list[tuple[Instruction, int]] = []


class Emitter:
    """Appends instructions; ``size`` is the length so far in words."""

    def __init__(self, old_pushes: bool) -> None:
        self.instructions: list[Instruction] = []
        self.size: int = 0
        self.small_push: int = m.PUSH if old_pushes else m.PUSHI

    # -------------------------------------------------------------------------------------------
    # Labels and branches

    def place(self, label: Label) -> None:
        """Put a label here."""
        label.position = self.size
        for instruction, at in label.waiting:
            instruction.value = self.size - at
        label.waiting.clear()
        for push in label.addresses:
            push.operand = self.size * 4

    def here(self) -> Label:
        """A label at this place."""
        label = Label()
        label.position = self.size
        return label

    def branch(self, opcode: int, label: Label) -> None:
        instruction = Instruction(opcode)
        if label.position >= 0:
            instruction.value = label.position - self.size
        else:
            label.waiting.append((instruction, self.size))
        self.instructions.append(instruction)
        self.size += 1

    # -------------------------------------------------------------------------------------------
    # Instructions

    def one(self, opcode: int, type1: int = 0, type2: int = 0, value: int = 0) -> None:
        """An instruction of one word."""
        self.instructions.append(Instruction(opcode, type1, type2, value))
        self.size += 1

    def convert(self, source: int, target: int) -> None:
        """``conv``, unless the types are the same."""
        if source != target:
            self.instructions.append(Instruction(m.CONV, source, target))
            self.size += 1

    def extended(self, number: int) -> None:
        self.instructions.append(Instruction(m.BREAK, E, 0, number))
        self.size += 1

    def small(self, number: int) -> None:
        """A number of 16 bits, as the release pushes constants."""
        self.instructions.append(Instruction(self.small_push, E, 0, number))
        self.size += 1

    def push_small(self, number: int) -> None:
        """``push.e``, which short circuits and ``++`` use."""
        self.instructions.append(Instruction(m.PUSH, E, 0, number))
        self.size += 1

    def push_int(self, number: int) -> None:
        """``push.i`` with a full word."""
        self.instructions.append(Instruction(m.PUSH, I, 0, 0, number))
        self.size += 2

    def push_int64(self, number: int) -> None:
        self.instructions.append(Instruction(m.PUSH, L, 0, 0, number))
        self.size += 3

    def push_double(self, number: float) -> None:
        operand = number if number == number else m.NAN
        self.instructions.append(Instruction(m.PUSH, D, 0, 0, operand))
        self.size += 3

    def push_string(self, text: str) -> None:
        self.instructions.append(Instruction(m.PUSH, S, 0, 0, text))
        self.size += 2

    def push_number(self, value: int | float) -> int:
        """A constant number in its shortest form; returns its type."""
        if isinstance(value, float):
            if not value.is_integer():
                self.push_double(value)
                return D
            value = int(value)
        if -0x8000 <= value <= 0x7FFF:
            self.small(value)
            return I
        if -0x80000000 <= value <= 0x7FFFFFFF:
            self.push_int(value)
            return I
        if -(1 << 63) <= value < 1 << 63:
            self.push_int64(value)
            return L
        self.push_double(float(value))
        return D

    def push_function(self, name: str) -> None:
        """``push.i`` of a function."""
        self.instructions.append(Instruction(m.PUSH, I, 0, 0, FunctionReference(name)))
        self.size += 2

    def push_reference(self, operand: AssetReference | FunctionReference) -> None:
        """``pushref``."""
        self.instructions.append(Instruction(m.BREAK, I, 0, m.PUSHREF, operand))
        self.size += 2

    def push_hash(self, name: str) -> None:
        """``push.i`` of a variable's number."""
        operand = VariableReference(name, m.SELF, m.ARRAY)
        self.instructions.append(Instruction(m.PUSH, I, 0, 0, operand))
        self.size += 2

    def push_address(self, label: Label) -> None:
        """``push.i`` of the byte address of a label, from the start of the entry."""
        self.push_int(0)
        label.addresses.append(self.instructions[-1])

    def push_variable(self, opcode: int, instance: int, name: str, scope: int, kind: int) -> None:
        self.instructions.append(
            Instruction(opcode, V, 0, instance, VariableReference(name, scope, kind))
        )
        self.size += 2

    def pop_variable(
        self, type1: int, type2: int, instance: int, name: str, scope: int, kind: int
    ) -> None:
        self.instructions.append(
            Instruction(m.POP, type1, type2, instance, VariableReference(name, scope, kind))
        )
        self.size += 2

    def duplicate(self, type_: int, count: int = 0, swap: int = 0) -> None:
        """``dup``; ``swap`` (in units of the type) makes it exchange instead."""
        value = count
        if swap:
            value = count | 0x8000 | swap << 11
            value -= 0x10000
        self.one(m.DUP, type_, 0, value)

    def call(self, name: str, count: int) -> None:
        self.instructions.append(Instruction(m.CALL, I, 0, count, FunctionReference(name)))
        self.size += 2

    def discard(self, type_: int) -> None:
        self.one(m.POPZ, type_)
