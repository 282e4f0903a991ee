"""Where things are in a code entry: branch targets, loop heads, short circuits, functions."""

from __future__ import annotations

from overhaul.gml.vm.code import Child, Code
from overhaul.gml.vm.opcodes import POPENV_DROP, DataType, Opcode

_B, _BT, _BF = int(Opcode.B), int(Opcode.BT), int(Opcode.BF)
_PUSHENV, _POPENV, _PUSH = int(Opcode.PUSHENV), int(Opcode.POPENV), int(Opcode.PUSH)
_INT16 = int(DataType.INT16)


class Layout:
    """What one pass over the instructions tells.  All places are instruction indices.

    targets       of each branch; the index behind the last instruction is legal, -1 means nowhere
    loops         head -> tails of the loops that begin there, outermost last
    exits         target -> the ``bf`` that jump to it, ascending
    jumps         target -> the ``b`` that jump forward to it, ascending
    shorts        the lone ``push.e`` that ends a short circuit -> "&&" or "||"
    functions     first instruction -> the child entry that begins there
    """

    __slots__ = (
        "at_offset", "exits", "functions", "jumps", "loops", "offsets", "shorts", "targets",
    )  # fmt: skip

    def __init__(self, code: Code) -> None:
        instructions = code.instructions
        count = len(instructions)
        self.offsets = code.offsets()
        self.offsets.append(len(code) if count else 0)
        self.at_offset = dict(zip(self.offsets, range(count + 1), strict=True))
        self.targets: dict[int, int] = {}
        self.loops: dict[int, list[int]] = {}
        self.exits: dict[int, list[int]] = {}
        self.jumps: dict[int, list[int]] = {}
        self.shorts: dict[int, str] = {}
        self.functions: dict[int, Child] = {}
        offsets, at_offset, targets = self.offsets, self.at_offset, self.targets
        for index, instruction in enumerate(instructions):
            opcode = instruction.opcode
            if not _B <= opcode <= _POPENV:
                continue
            if opcode == _POPENV and instruction.value == POPENV_DROP:
                continue
            target = at_offset.get(offsets[index] + 4 * instruction.value, -1)
            targets[index] = target
            if target < 0:
                continue  # it leads into an instruction or out of the code: nobody can follow it
            if opcode == _BF:
                self.exits.setdefault(target, []).append(index)
            elif opcode == _B and target > index:
                self.jumps.setdefault(target, []).append(index)
            if target <= index and opcode in (_B, _BF):
                self.loops.setdefault(target, []).append(index)
        self._find_short_circuits(code)
        for child in code.children:
            start = at_offset.get(child.offset, -1)
            if start >= 0:
                self.functions[start] = child

    def _find_short_circuits(self, code: Code) -> None:
        """A lone ``push.e`` 0 or 1 behind a branch over it is what ``&&`` and ``||`` end in."""
        instructions, targets = code.instructions, self.targets
        for index, target in targets.items():
            opcode = instructions[index].opcode
            if opcode not in (_BF, _BT) or target in self.shorts:
                continue
            if target >= len(instructions) or targets.get(target - 1) != target + 1:
                continue
            if instructions[target - 1].opcode != _B:
                continue
            place = instructions[target]
            if place.opcode == _PUSH and place.type1 == _INT16 and place.value == (opcode == _BT):
                self.shorts[target] = "||" if opcode == _BT else "&&"
