"""The shapes of a function's code: where loops begin, where variables end, what leaves a block."""

from __future__ import annotations

from typing import Final, NamedTuple

from overhaul.ags.decompiler.code import (
    JUMP,
    JUMP_ZERO,
    LINE,
    Code,
    Function,
    Instruction,
)
from overhaul.ags.decompiler.machine import Machine
from overhaul.ags.decompiler.nodes import (
    LOCAL,
    Block,
    Braces,
    Declare,
    Step,
    Variable,
    While,
)
from overhaul.ags.decompiler.state import AX, BX, HIDDEN, MAR, SP, THIS
from overhaul.ags.script.tables import BY_NAME

_MOVE, _LITERAL, _RETURN = (BY_NAME[name].number for name in ("mov", "movl", "ret"))
_PUSH, _SUBTRACT = (BY_NAME[name].number for name in ("push", "subi"))
_RELEASES: Final = frozenset(
    BY_NAME[name].number for name in ("memwrite.ptr.0", "memwrite.ptr.0.nd")
)
_STARTS: Final = frozenset(BY_NAME[name].number for name in ("load.sp.offs", "movl", "push"))
_ADDRESSES: Final = frozenset(BY_NAME[name].number for name in ("load.sp.offs", "addi"))


class Loop(NamedTuple):
    """Where ``break`` and ``continue`` jump to (-1: nowhere)."""

    leave: int
    again: int


class Shapes(Machine):
    """What the shapes of the code at hand say; the structure is made of it."""

    def __init__(self, code: Code, function: Function) -> None:
        super().__init__(code, function)
        self.loops: list[Loop] = []
        self.nesting = 0
        self.tops: dict[int, int] = {}
        self.copies: dict[int, int] = {}
        #: Where loops begin that ``continue`` without doing anything before.
        self.plain: set[int] = set()

    def _epilogue(self) -> int:
        """The number of the instruction that begins what every function ends with: ``return 0``,
        or, in old scripts, ``return``."""
        code = self.instructions
        at = len(code) - 1
        if at < 0 or code[at].opcode != _RETURN:
            self.at = max(at, 0)
            raise self.fail("the function does not end with its return")
        at -= 1
        if at >= 0 and code[at].opcode == _SUBTRACT and code[at].a == SP:
            at -= 1
        behind = at + 1
        while at > 0 and code[at].opcode in _RELEASES and code[at - 1].opcode in _ADDRESSES:
            at -= 2
        ends_with_zero = at >= 0 and code[at][:3] == (_LITERAL, AX, 0)
        return at if ends_with_zero else behind

    def _finish_releases(self, at: int) -> None:
        """Run the releases that a function ends with."""
        for number in range(at, len(self.instructions) - 1):
            instruction = self.instructions[number]
            self.at = number
            if instruction.opcode == _LITERAL:
                continue
            if instruction.opcode == _SUBTRACT:
                locals_ = sum(e.size for e in self.stack if isinstance(e, Variable))
                if instruction.b != locals_ or self.depth != locals_:
                    raise self.fail("the function ends with another stack")
            else:
                self.handlers[instruction.opcode](self, instruction)

    def _find_loops(self, end: int) -> None:
        """Find where loops begin, and the copies of what ``for`` does last before ``continue``."""
        code = self.instructions
        tables = self._tables(end)
        continues: list[tuple[int, int]] = []
        for number, instruction in enumerate(code):
            if instruction.opcode != JUMP or instruction.a > number or number in tables:
                continue
            if code[number - 1][:3] == (_LITERAL, AX, 0) and not code[number - 1].fixup:
                continues.append((number, instruction.a))
            elif instruction.a in self.tops:
                self.at = number
                raise self.fail("two loops begin at one place")
            else:
                self.tops[instruction.a] = number
        for number, top in continues:
            if top in self.tops:
                length = self._same(number - 1, self.tops[top])
                if length:
                    self.copies[number - 1 - length] = number
                else:
                    self.plain.add(top)

    def _same(self, first: int, second: int) -> int:
        """How many instructions before two are the same."""
        code = self.instructions
        length = 0
        while length < first and code[first - 1 - length].opcode != LINE:
            a, b = code[first - 1 - length], code[second - 1 - length]
            ends = a.opcode == _SUBTRACT and a.a == SP
            if ends or a[:5] != b[:5] or a.opcode in (JUMP, _RETURN):
                break
            length += 1
        starts = length and code[first - length].opcode in _STARTS
        return length if starts else 0

    def _tables(self, end: int) -> set[int]:
        """The jumps of the tables of ``switch``."""
        code = self.instructions
        found: set[int] = set()
        for number in range(len(code) - 2):
            if code[number].opcode == _MOVE and code[number][1:3] == (AX, BX):
                first, second = code[number + 1], code[number + 2]
                if first.opcode == JUMP and second.opcode == JUMP and number < first.a <= second.a:
                    last = min(second.a, end) - 1
                    if code[last].opcode == JUMP and last >= first.a:
                        found.add(last)
        return found

    def _is_logic(self) -> bool:
        """Whether the jump at hand is that of ``&&`` or ``||``."""
        code, at = self.instructions, self.at
        target = code[at].a
        return (
            at + 1 < len(code)
            and code[at + 1][:2] == (_PUSH, AX)
            and at + 4 < target <= len(code)
            and code[target - 1][:3] == (_MOVE, BX, AX)
        )

    def _subtract_number(self, instruction: Instruction) -> None:
        if instruction.a == MAR:
            place = self.memory()
            if place.kind != LOCAL or place.base is not None:
                raise self.fail("an unusual subtraction")
            self.registers[MAR] = self.local(place.offset - instruction.b)
            self.at += 1
            return
        if instruction.a != AX or instruction.b != 1:
            raise self.fail("an unusual subtraction")
        self.set_ax(Step("--", self.value(AX), is_float=False))
        self.at += 1

    def _drop_arguments(self, size: int) -> None:
        count = size // 4
        if size % 4 or count > len(self.stack):
            raise self.fail("arguments are dropped that are not there")
        if any(isinstance(entry, Variable) for entry in self.stack[-count:]):
            raise self.fail("arguments are dropped that are not there")
        del self.stack[-count:]
        self.depth -= size

    def _leaves(self, at: int) -> int:
        """The number of the instruction behind ``break`` or ``continue``, if one begins at an
        instruction; else 0.  Variables end before it for it only, or, where it is the last of its
        block, for all."""
        code = self.instructions
        if at in self.copies:
            return self.copies[at] + 1
        is_jump = (
            at + 1 < len(code)
            and code[at][:3] == (_LITERAL, AX, 0)
            and code[at].fixup == 0
            and code[at + 1].opcode == JUMP
            and code[at + 1].a < at
        )
        return at + 2 if is_jump else 0

    def _close(self, size: int) -> None:
        """End the last variables, those of a block in the one at hand."""
        closed: list[Variable] = []
        while size > 0 and self.stack:
            variable = self.stack[-1]
            if (
                not isinstance(variable, Variable)
                or variable.size > size
                or variable.number == THIS
            ):
                break
            self.stack.pop()
            if variable.number != HIDDEN:
                self.open.remove(variable)
            closed.append(variable)
            size -= variable.size
            self.depth -= variable.size
        if size:
            raise self.fail("a block ends with another stack")
        first = self._declares(closed)
        inner = self.out[first:]
        block = Block(inner, self.line if self.marks != self.noted else 0)
        block.released, self.released = self.released, []
        head = inner[0]
        if len(inner) == 1 and isinstance(head, While):
            block.end = 0
        else:
            self.noted = self.marks
            self.out[first:] = [Braces(head.line, head.marked, block)]

    def _declares(self, closed: list[Variable]) -> int:
        """The number of the first statement that declares one of some variables."""
        for number, statement in enumerate(self.out):
            declared = statement.first if isinstance(statement, While) else statement
            if isinstance(declared, Declare) and declared.variable in closed:
                return number
        raise self.fail("stack cleanup crosses a block")

    def _is_target(self, first: int, target: int) -> bool:
        """Whether a condition between two instructions leads to the second one: then the jump
        before it is that of an ``else`` without statements, of another ``if``."""
        code = self.instructions
        return any(
            code[n].opcode == JUMP_ZERO and code[n].a == target for n in range(first, target)
        )

    def _is_head(self, at: int) -> bool:
        """Whether a jump is the second one of the head of ``do`` or ``switch``."""
        code = self.instructions
        return at > 0 and code[at - 1].opcode == JUMP and code[at - 1].a > at
