"""Where owners of arrays are marked, and which instructions want that."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from overhaul.gml.decompiler import opcodes as op
from overhaul.gml.decompiler.cfg import ControlFlow
from overhaul.gml.vm.code import FunctionReference, VariableReference
from overhaul.gml.vm.opcodes import Extended

_MAKERS: Final = ("@@NewGMLArray@@", "array_create", "array_set")
"""How functions are called that want an owner marked."""


@dataclass
class OwnerUses:
    """Answers what single instructions have to do with owners of arrays."""

    flow: ControlFlow

    def mark(self, index: int) -> int | None:
        """The number that an instruction marks as the owner of arrays."""
        instruction = self.flow.instructions[index]
        if instruction.opcode != op.BREAK or instruction.value != Extended.SETOWNER:
            return None
        source = self.flow.instructions[index - 1]
        owner = source.value if source.type1 == op.INT16 else source.operand
        return owner if isinstance(owner, int) else -1

    def has_mark(self, start: int, end: int) -> bool:
        """Whether an owner is marked in a stretch."""
        return any(self.mark(index) is not None for index in range(start, end))

    def wants_owner(self, index: int) -> bool:
        """Whether an instruction makes or changes an array in a way that wants an owner marked."""
        instruction = self.flow.instructions[index]
        operand = instruction.operand
        if instruction.opcode == op.BREAK:
            return instruction.value == Extended.POPAF and not self._steps(index)
        if instruction.opcode == op.DUP:  # `a[i].b += c`
            on_stack = self._is_of_kind(index + 1, op.ON_STACK) and self._of_element(index - 1)
            return on_stack and not self._is_step(index + 2)
        if instruction.opcode == op.POPZ:  # the second reading of what `++` changes without a mark
            before = self.flow.instructions[index - 1]
            if before.opcode == op.BREAK:
                return before.value == Extended.PUSHAF
            return before.opcode == op.PUSH and self._is_of_kind(index - 1, op.ARRAY)
        if instruction.opcode == op.POP:
            stacktop = self._is_of_kind(index, op.ON_STACK) and self._of_element(index - 1)
            return stacktop or (self._is_of_kind(index, op.ARRAY) and not self._steps(index))
        if instruction.opcode != op.CALL or not isinstance(operand, FunctionReference):
            return False
        return operand.name.startswith(_MAKERS)

    def variable(self, index: int) -> str | None:
        """The variable that an array is stored in by a statement with a mark at ``index``, or which
        stores there; None where none is named."""
        instructions = self.flow.instructions
        step = -1 if self._stores_element(index) else 1
        while 0 <= index < len(instructions):
            opcode, operand = instructions[index].opcode, instructions[index].operand
            base = opcode == op.PUSH and self._is_of_kind(index, op.POPAF)
            if isinstance(operand, VariableReference) and (base or opcode == op.POP):
                return operand.name
            index += step
        return None

    def ends_statement(self, index: int) -> bool:
        """Whether a statement may end with an instruction."""
        return self._stores_element(index) or self.flow.instructions[index].opcode in (
            op.POP,
            op.POPZ,
        )

    def _stores_element(self, index: int) -> bool:
        """Whether an instruction stores an element of an element of an array."""
        instruction = self.flow.instructions[index]
        return instruction.opcode == op.BREAK and instruction.value == Extended.POPAF

    def _steps(self, index: int) -> bool:
        """Whether a store ends a ``++`` or ``--``, which want no mark in an expression."""
        before = index - 1
        while self.flow.is_opcode(before, op.DUP):
            before -= 1
        added = self.flow.is_opcode(before, op.ADD) or self.flow.is_opcode(before, op.SUB)
        return added and self._is_step(before - 1)

    def _is_step(self, index: int) -> bool:
        """Whether the 1 of a ``++`` or ``--`` is pushed."""
        one = self.flow.instructions[index]
        return one.opcode == op.PUSH and one.type1 == op.INT16

    def _is_of_kind(self, index: int, kind: int) -> bool:
        """Whether an instruction reads or writes a variable in this way."""
        operand = self.flow.instructions[index].operand
        return isinstance(operand, VariableReference) and operand.kind == kind

    def _of_element(self, index: int) -> bool:
        """Whether the instance that an instruction leaves is an element of an array, or a member of
        one: ``a[i].b``."""
        while True:
            instruction = self.flow.instructions[index]
            opcode = instruction.opcode
            if opcode == op.BREAK:
                return instruction.value == Extended.PUSHAF
            stacktop = opcode == op.PUSHI and instruction.value == op.STACKTOP
            if not stacktop and not self._is_of_kind(index, op.ON_STACK):
                return opcode == op.PUSH and self._is_of_kind(index, op.ARRAY)
            index -= 1
