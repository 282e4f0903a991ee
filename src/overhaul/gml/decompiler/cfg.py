"""The control flow of a code entry: branch targets, loops, short circuits, functions."""

from __future__ import annotations

from overhaul.gml.decompiler import opcodes as op
from overhaul.gml.vm.code import Child, Code, FunctionReference, Instruction
from overhaul.gml.vm.opcodes import POPENV_DROP, WORDS, Extended


class ControlFlow:
    """The result of one pass over the instructions. All positions are instruction indices.

    offsets       of the instructions in bytes, and the length of the code
    targets       of each branch; the index behind the last instruction is legal, -1 means nowhere
    landing       all targets
    loops         head -> tails of the loops that begin there, outermost last; the reader takes
                  away those it has read
    exits         target -> the ``bf`` that jump to it, ascending
    jumps         target -> the ``b`` that jump forward to it, ascending
    shorts        the lone ``push.e`` that ends a short circuit -> "&&" or "||"
    functions     first instruction -> the child entry that begins there
    """

    __slots__ = (
        "at_offset", "exits", "functions", "instructions", "jumps", "landing", "loops", "offsets",
        "shorts", "targets",
    )  # fmt: skip

    def __init__(self, code: Code) -> None:
        instructions = code.instructions
        self.instructions: list[Instruction] = instructions
        count = len(instructions)
        self.offsets: list[int] = code.offsets()
        offsets = self.offsets
        end = 0
        if count:
            last = instructions[-1]
            end = offsets[-1] + 4 * WORDS[last.opcode << 4 | last.type1]
        offsets.append(end)
        self.at_offset: dict[int, int] = dict(zip(offsets, range(count + 1), strict=True))
        self.targets: dict[int, int] = {}
        self.loops: dict[int, list[int]] = {}
        self.exits: dict[int, list[int]] = {}
        self.jumps: dict[int, list[int]] = {}
        self.shorts: dict[int, str] = {}
        self.functions: dict[int, Child] = {}
        at_offset, targets = self.at_offset, self.targets
        first, behind = op.B, op.POPENV
        branches = [
            index
            for index, instruction in enumerate(instructions)
            if first <= instruction.opcode <= behind
        ]
        for index in branches:
            instruction = instructions[index]
            opcode = instruction.opcode
            if opcode == behind and instruction.value == POPENV_DROP:
                continue
            target = at_offset.get(offsets[index] + 4 * instruction.value, -1)
            targets[index] = target
            if target < 0:
                continue  # it leads into an instruction or out of the code
            if opcode == op.BF:
                self.exits.setdefault(target, []).append(index)
            elif opcode == first and target > index:
                self.jumps.setdefault(target, []).append(index)
            if target <= index and opcode in (op.B, op.BF):
                self.loops.setdefault(target, []).append(index)
        self.landing: set[int] = set(targets.values())
        self._find_short_circuits()
        for child in code.children:
            start = at_offset.get(child.offset, -1)
            if start >= 0:
                self.functions[start] = child

    def _find_short_circuits(self) -> None:
        """A lone ``push.e`` 0 or 1 behind a branch over it is what ``&&`` and ``||`` end in."""
        instructions, targets = self.instructions, self.targets
        for index, target in targets.items():
            opcode = instructions[index].opcode
            if opcode not in (op.BF, op.BT) or target in self.shorts:
                continue
            if target >= len(instructions) or targets.get(target - 1) != target + 1:
                continue
            if instructions[target - 1].opcode != op.B:
                continue
            end = instructions[target]
            if end.opcode == op.PUSH and end.type1 == op.INT16 and end.value == (opcode == op.BT):
                self.shorts[target] = "||" if opcode == op.BT else "&&"

    def where(self, index: int) -> str:
        """The position of an instruction, for a message."""
        return f"byte {self.offsets[min(index, len(self.instructions))]}"

    def is_opcode(self, index: int, opcode: int) -> bool:
        """Whether an instruction with this opcode stands at ``index``."""
        return 0 <= index < len(self.instructions) and self.instructions[index].opcode == opcode

    def behind(self, index: int, opcode: int) -> int:
        """The index behind an instruction with this opcode, if it stands at ``index``."""
        return index + 1 if self.is_opcode(index, opcode) else index

    def is_branch(self, index: int, opcode: int, target: int) -> bool:
        """Whether a branch with this opcode and target stands at ``index``."""
        return self.is_opcode(index, opcode) and self.targets.get(index) == target

    def is_call(self, index: int, name: str) -> bool:
        """Whether a call of ``name`` stands at ``index``."""
        if not self.is_opcode(index, op.CALL):
            return False
        operand = self.instructions[index].operand
        return type(operand) is FunctionReference and operand.name == name

    def is_one_store(self, start: int, end: int) -> bool:
        """Whether a stretch is just one assignment or increment of a variable."""
        for instruction in self.instructions[start : end - 1]:
            opcode = instruction.opcode
            if op.B <= opcode <= op.POPENV or opcode in (op.EXIT, op.RET, op.POP, op.POPZ):
                return False
            if opcode == op.BREAK and instruction.value == Extended.POPAF:
                return False
        return start < end and self.is_opcode(end - 1, op.POP)
