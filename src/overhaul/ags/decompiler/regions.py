"""The statement that each jump of a function belongs to, and where the parts of that statement end.

The compiler gives each statement one shape of jumps, and code stands in the order of the source, so
the jumps and the heights of the stack say the statements before anything is computed:

- two jumps in a row begin ``do`` and ``switch``;
- a jump back behind ``movl ax, 0`` is ``break`` or ``continue``;
- any other jump back ends ``while`` or ``for``;
- a condition that ends no loop is an ``if``, and a jump before the place where it leads, an
  ``else``: that of the innermost.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import Final, NamedTuple

from overhaul.ags.decompiler.code import JUMP, JUMP_NOT_ZERO, JUMP_ZERO, LINE, Instruction
from overhaul.ags.decompiler.errors import Unstructured
from overhaul.ags.decompiler.heights import heights
from overhaul.ags.script.tables import BY_NAME, REGISTER_NUMBERS

_MOVE, _LITERAL, _RETURN, _PUSH = (BY_NAME[name].number for name in ("mov", "movl", "ret", "push"))
_AX, _BX = REGISTER_NUMBERS["ax"], REGISTER_NUMBERS["bx"]


class Branch(NamedTuple):
    """``if``: where its block ends, where that of ``else`` begins, and where the statement ends;
    without ``else``, all three are one."""

    then: int
    otherwise: int
    behind: int


class Loop(NamedTuple):
    """``while`` or ``for``: the jump behind its condition, and the one back to that."""

    test: int
    jump: int


class Do(NamedTuple):
    """``do … while``: the jump behind its condition."""

    jump: int


class Choice(NamedTuple):
    """``switch``: where the statements of its cases end, where its table begins, and where the
    statement ends."""

    end: int
    table: int
    behind: int


class Leave(NamedTuple):
    """``break`` or ``continue``: where it leads, and the bytes of variables that it frees."""

    target: int
    size: int


class Regions(NamedTuple):
    """``loops`` by where their conditions begin; the other statements by their first jump.
    ``logic`` are the jumps of ``&&`` and ``||``; ``frees`` are the instructions that free variables
    for a jump or ``return`` only; ``old_switches``: an editor before 3.4.1 made a ``switch``."""

    loops: dict[int, Loop]
    branches: dict[int, Branch]
    dos: dict[int, Do]
    choices: dict[int, Choice]
    leaves: dict[int, Leave]
    logic: set[int]
    frees: set[int]
    old_switches: bool


def regions(code: list[Instruction]) -> Regions:
    """The statements of a function by its jumps; Unstructured where they are none."""
    return _Finder(code).run()


class _Finder:
    """Claims the jumps of a function for statements."""

    def __init__(self, code: list[Instruction]) -> None:
        self.code = code
        found = heights(code)
        self.heights: Final = found.before
        self.frees: Final = found.frees
        self.jumps: Final = found.jumps
        self.claimed: set[int] = set()
        self.old_switches = False
        self.made = Regions({}, {}, {}, {}, {}, set(), set(), False)

    def run(self) -> Regions:
        if self.jumps:
            self._heads()
            self._backward()
            self._branches()
        if self.frees:
            self._returns()
        return self.made._replace(old_switches=self.old_switches)

    def fail(self, reason: str, at: int) -> Unstructured:
        return Unstructured(reason, self.code[min(at, len(self.code) - 1)].word)

    def _is_zero(self, at: int) -> bool:
        """Whether an instruction gives ``ax`` the number 0."""
        instruction = self.code[at]
        return instruction[:3] == (_LITERAL, _AX, 0) and not instruction.fixup

    def _heads(self) -> None:
        """Find ``do`` and ``switch``."""
        code = self.code
        for number in self.jumps:
            first, second = code[number], code[number + 1]
            if first.opcode != JUMP or second.opcode != JUMP or number in self.claimed:
                continue
            if not number + 1 < first.a <= second.a <= len(code):
                continue
            if first.a == number + 2:
                self._do(number, second.a - 1)
            if number and code[number - 1][:3] == (_MOVE, _AX, _BX):
                self._switch(number, first.a, second.a)

    def _do(self, head: int, jump: int) -> None:
        test = self.code[jump]
        if test.opcode == JUMP_NOT_ZERO and test.a == head + 2:
            self.claimed |= {head, head + 1, jump}
            self.made.dos[head] = Do(jump)

    def _switch(self, head: int, table: int, behind: int) -> None:
        """``switch``: a jump over its table ends the statements of the cases.  If ``break`` is the
        last of them, that is its own."""
        code, made = self.code, self.made
        skip = table - 1
        if skip < head + 2 or code[skip].opcode != JUMP or code[skip].a != behind:
            raise self.fail("a switch has no end", head)
        self.claimed |= {head, head + 1, skip}
        is_left = skip > head + 2 and self._is_zero(skip - 1)
        if is_left:
            made.leaves[skip] = self._leave(skip, head + 1)
        if code[behind - 1].opcode == LINE:
            behind -= 1  # Editors before 3.4.1 jump over the line of what follows.
            self.old_switches = True
        made.choices[head] = Choice(table if is_left else skip, table, behind)
        for number in self.jumps[bisect_left(self.jumps, table) :]:
            if number >= behind:
                break
            self.claimed.add(number)
            if self._is_logic(number):
                made.logic.add(number)
        for at in range(table, behind - 1):
            if code[at][:2] == (_PUSH, _BX) and code[at + 1].opcode == LINE:
                self.old_switches = True

    def _is_logic(self, jump: int) -> bool:
        """Whether a jump is that of ``&&`` or ``||``: these keep the value before it."""
        return self.code[jump + 1][:2] == (_PUSH, _AX)

    def _backward(self) -> None:
        """Find loops, and what leaves them."""
        code, made = self.code, self.made
        for number in self.jumps:
            opcode, target = code[number][:2]
            if opcode != JUMP or target > number or number in self.claimed:
                continue
            self.claimed.add(number)
            if self._is_zero(number - 1):
                made.leaves[number] = self._leave(number, target)
            elif target in made.loops:
                raise self.fail("two loops begin at one place", number)
            else:
                made.loops[target] = Loop(self._test(target, number), number)

    def _test(self, top: int, jump: int) -> int:
        """The jump behind the condition of a loop."""
        code = self.code
        for number in self.jumps[bisect_left(self.jumps, top) :]:
            if number >= jump:
                break
            if code[number].opcode == JUMP_ZERO and code[number].a == jump + 1:
                self.claimed.add(number)
                return number
        raise self.fail("a loop has no condition", top)

    def _leave(self, jump: int, target: int) -> Leave:
        size = self.heights[jump + 1] - self.heights[jump]
        if size:
            self.made.frees.add(self._freeing(jump, size))
        return Leave(target, size)

    def _freeing(self, jump: int, size: int) -> int:
        """The instruction that frees variables for a jump."""
        behind = self.heights[jump + 1]
        place = bisect_left(self.frees, jump)
        at = self.frees[place - 1] if place else -1
        if at < 0 or self.code[at].b != size or self.heights[at] != behind:
            raise self.fail("a jump frees no variables of its blocks", jump)
        return at

    def _branches(self) -> None:
        """Find ``if``, innermost first."""
        code, claimed, made = self.code, self.claimed, self.made
        for number in reversed(self.jumps):
            opcode, target = code[number][:2]
            if number in claimed or opcode == JUMP:
                continue
            if self._is_logic(number):
                made.logic.add(number)
                continue
            if opcode != JUMP_ZERO or target <= number:
                raise self.fail("a jump that no statement has", number)
            last = target - 1
            jump = code[last]
            if jump.opcode == JUMP and last > number and last not in claimed:
                claimed.add(last)
                made.branches[number] = Branch(last, target, jump.a)
            else:
                made.branches[number] = Branch(target, target, target)

    def _returns(self) -> None:
        """Find what is freed for ``return`` only."""
        for at in self.frees:
            if self.code[at + 1].opcode == _RETURN and self.heights[at + 2] == self.heights[at]:
                self.made.frees.add(at)
