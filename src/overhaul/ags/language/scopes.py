"""The ends of blocks: variables are forgotten, and what they point to is released."""

from __future__ import annotations

from typing import Final

from overhaul.ags.language import opcodes as o
from overhaul.ags.language.emitter import LARGEST_CODE, Emitter
from overhaul.ags.language.symbols import Variable
from overhaul.ags.language.unit import Unit

_BUFFER: Final = 200


class Scopes:
    """Ends the variables of blocks."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.code: Emitter = unit.code

    def end_variables(self) -> None:
        """The variables of levels deeper than this end."""
        level = self.unit.level
        if not self.unit.locals or self.unit.locals[-1].level <= level:
            return  # they are in the order of their levels
        size = self.release(level)
        self.forget(level)
        if size:
            self.code.depth -= size
            self.code.op2(o.SUBI, o.SP, size)

    def release(self, level: int) -> int:
        """Release the pointers among the variables of deeper levels.

        Returns how many bytes these variables have on the stack.
        """
        unit = self.unit
        size = 0
        held: list[Variable] = []
        for item in unit.locals:
            if item.level <= level:
                continue
            if not item.parameter:
                size += 4 if item.dynamic else item.size * item.count
                size += _BUFFER if item.buffer else 0
            if item.this:
                continue
            if item.pointer or item.dynamic or unit.types[item.type].pointers:
                held.append(item)
        if len(held) > 1:
            held.sort(key=lambda item: unit.rank(item.name))
        instruction = o.RELEASE if level else o.RELEASE_KEPT
        for item in held:
            if item.pointer or item.dynamic:
                self._release_pointer(self.code.depth - item.offset, instruction, item)
            else:
                self._release_members(item)
        return size

    def _release_pointer(self, offset: int, instruction: int, item: Variable) -> None:
        """Release a pointer, or all of a fixed array."""
        code = self.code
        if len(code.words) + 4 * item.count > LARGEST_CODE:
            self.unit.fail("the code is too large")
        code.op1(o.LOCAL_ADDRESS, offset)
        code.op(instruction)
        if item.array and not item.dynamic:
            for _ in range(1, item.count):
                code.op2(o.ADDI, o.MAR, 4)
                code.op(instruction)

    def _release_members(self, item: Variable) -> None:
        """Release the pointers in a struct, or in an array of structs."""
        kind = self.unit.types[item.type]
        for member in kind.pointers:
            offset = self.code.depth - item.offset - member.offset
            for _ in range(item.count):
                self._release_pointer(offset, o.RELEASE, member)
                offset -= kind.size

    def forget(self, level: int) -> None:
        """The names of deeper levels mean nothing from here on."""
        unit = self.unit
        kept = []
        for item in unit.locals:
            if item.level > level:
                del unit.symbols[item.name]
            else:
                kept.append(item)
        unit.locals = kept
