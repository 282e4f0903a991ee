"""How many bytes lie on the stack before each instruction of a function.

A function begins with nothing of its own there, and returns so. The target of a jump has the
stack height of the jump. These two say the height everywhere, behind ``break`` and ``return``
too, where no code leads: that is the height that the compiler was at, so it says which variables
a jump frees for itself, and which end there.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Final, NamedTuple

from overhaul.ags.decompiler.code import JUMP, JUMP_NOT_ZERO, JUMP_ZERO, Instruction
from overhaul.ags.decompiler.errors import Unstructured
from overhaul.ags.script.tables import BY_NAME, REGISTER_NUMBERS

_PUSH, _POP, _ADD, _SUBTRACT, _RETURN = (
    BY_NAME[name].number for name in ("push", "pop", "addi", "subi", "ret")
)
_SP: Final = REGISTER_NUMBERS["sp"]
_COUNTED: Final = frozenset((_PUSH, _POP, _ADD, _SUBTRACT, _RETURN, JUMP, JUMP_ZERO, JUMP_NOT_ZERO))


class Heights(NamedTuple):
    """``before`` has the height before each instruction, and behind the last; ``frees`` are the
    instructions that free variables, in order (others drop arguments); ``jumps`` all jumps."""

    before: list[int]
    frees: list[int]
    jumps: list[int]


class _Stretches:
    """The code between two instructions that don't lead on.  Within one, heights are known but for
    one number, its base; a jump says how far two bases are apart."""

    def __init__(self) -> None:
        self.starts: list[int] = [0]
        self.near: list[list[tuple[int, int]]] = [[]]
        self.bases: dict[int, int] = {0: 0}

    def end(self, behind: int) -> None:
        """The stretch at hand ends before an instruction."""
        self.starts.append(behind)
        self.near.append([])

    def fix(self, base: int) -> bool:
        """Say the base of the stretch at hand; whether that agrees with what is known."""
        return self.bases.setdefault(len(self.starts) - 1, base) == base

    def link(self, source: int, target: int, apart: int) -> None:
        """The base of ``target`` is so much higher than that of ``source``."""
        self.near[source].append((target, apart))
        self.near[target].append((source, -apart))

    def solve(self) -> bool:
        """Find the bases; whether they agree."""
        waiting = list(self.bases)
        while waiting:
            stretch = waiting.pop()
            base = self.bases[stretch]
            for other, apart in self.near[stretch]:
                known = self.bases.get(other)
                if known is None:
                    self.bases[other] = base + apart
                    waiting.append(other)
                elif known != base + apart:
                    return False
        return True


def heights(code: Sequence[Instruction]) -> Heights:
    """The heights of a function's code; Unstructured where they contradict each other."""
    within: list[int] = []
    frees: list[int] = []
    jumps: list[int] = []
    stretches = _Stretches()
    height = values = 0  # values: the bytes of what an expression has pushed
    for number, (opcode, a, b, _, _, word) in enumerate(code):
        within.append(height)
        if opcode not in _COUNTED:
            continue
        if opcode == _PUSH:
            height += 4
            values += 4
        elif opcode == _POP:
            height -= 4
            values -= 4
        elif opcode == _ADD:
            height += b if a == _SP else 0
        elif opcode == _SUBTRACT:
            if a == _SP:
                height -= b
                if values:
                    values -= b
                else:
                    frees.append(number)
        else:
            if opcode != _RETURN:
                jumps.append(number)
            elif not stretches.fix(-height):
                raise Unstructured("the function returns with another stack", word)
            if opcode in (_RETURN, JUMP):
                stretches.end(number + 1)
                height = 0
                values = -1 if values else 0
        if values < 0:
            raise Unstructured("an expression leaves another stack", word)
    within.append(height)
    stretches.fix(-height)
    if frees or any(stretches.bases.values()):
        within = _absolute(code, within, jumps, stretches)
    return Heights(within, frees, jumps)


def _absolute(
    code: Sequence[Instruction], within: list[int], jumps: list[int], stretches: _Stretches
) -> list[int]:
    """Heights from those within stretches."""
    starts = stretches.starts
    for number in jumps:
        target = code[number].a
        source, other = bisect_right(starts, number) - 1, bisect_right(starts, target) - 1
        stretches.link(source, other, within[number] - within[target])
    agree = stretches.solve()
    bases, last = stretches.bases, len(starts) - 1
    if not agree or len(bases) <= last:
        raise Unstructured("the stack has two heights at one place", code[0].word)
    made: list[int] = []
    for stretch, start in enumerate(starts):
        end = starts[stretch + 1] if stretch < last else len(within)
        base = bases[stretch]
        made += [base + height for height in within[start:end]] if base else within[start:end]
    return made
