"""Instructions of a compiled script, and the functions they are in.

All functions are exported, so the addresses of the exports cut the code into functions.
Source: docs/formats/ags-scripts.md.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple

from overhaul.ags.decompiler.errors import Unstructured
from overhaul.ags.script.model import Script
from overhaul.ags.script.tables import BY_NAME, CODE_FIXUPS, DATA_DATA, FUNCTION, OPCODES

LINE: Final = BY_NAME["sourceline"].number
JUMP: Final = BY_NAME["jmpi"].number
JUMP_ZERO: Final = BY_NAME["jzi"].number
JUMP_NOT_ZERO: Final = BY_NAME["jnzi"].number
_JUMPS: Final = frozenset((JUMP, JUMP_ZERO, JUMP_NOT_ZERO))
_LENGTHS: Final = [len(OPCODES[n].arguments) if n in OPCODES else -1 for n in range(77)]
#: The last line that a script can have.
LAST_LINE: Final = 200_000
_SUFFIX: Final = re.compile(r"[$^](\d+)$")
#: The place of ``this`` on the stack, and how far from a function's first word it is at most.
_THIS: Final = [BY_NAME["memwritelit"].number, 4, 0]
_PROLOGUE: Final = 120
#: From this number of parameters on the rest is any number of arguments.
VARIADIC: Final = 100


class Instruction(NamedTuple):
    """An instruction: its opcode, operands (0 where it has none) and the kind of the last
    operand's fix-up (0: none).  The operand of a jump is the number of an instruction."""

    opcode: int
    a: int
    b: int
    c: int
    fixup: int
    word: int


#: Makes an instruction of its parts, at once.
_new: Callable[[type[Instruction], tuple[int, ...]], Instruction] = tuple.__new__


class Name(NamedTuple):
    """A function's name: its struct (or empty), its own, and its parameters (-1: not stated)."""

    owner: str
    name: str
    parameters: int

    @property
    def full(self) -> str:
        """The name as scripts write it."""
        return f"{self.owner}::{self.name}" if self.owner else self.name


#: The name of a slot that a script does not use.
NO_NAME: Final = Name("", "", -1)


def split_name(name: str) -> Name:
    """A name of an import or export, ``Character::Say^101``, in parts."""
    count = -1
    suffix = _SUFFIX.search(name)
    if suffix is not None:
        name, count = name[: suffix.start()], int(suffix[1])
    owner, _, own = name.rpartition("::")
    return Name(owner, own, count)


@dataclass(slots=True)
class Function:
    """A function: its place in the order of the script, its name, and its instructions."""

    number: int
    name: Name
    start: int
    end: int
    code: list[Instruction]


class Code:
    """The code of a script as functions, with what its operands refer to."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.words: Sequence[int] = script.words
        size = len(self.words)
        pairs = zip(script.fixup_positions, script.fixup_types, strict=False)
        self.fixups: dict[int, int] = {
            at: kind for at, kind in pairs if kind in CODE_FIXUPS and 0 <= at < size
        }
        pairs = zip(script.fixup_positions, script.fixup_types, strict=False)
        self.buffers: set[int] = {at for at, kind in pairs if kind == DATA_DATA}
        addresses: dict[int, str] = {}
        for export in script.exports:
            if export.address >> 24 == 1:
                addresses.setdefault(export.address & 0xFFFFFF, export.name)
        self.starts: list[int] = sorted(address for address in addresses if address < size)
        self.names: list[Name] = [split_name(addresses[start]) for start in self.starts]
        self.by_start: dict[int, int] = {start: number for number, start in enumerate(self.starts)}
        self.imports: list[Name] = [
            split_name(name) if name else NO_NAME for name in script.imports
        ]

    def __len__(self) -> int:
        return len(self.starts)

    def bounds(self, number: int) -> tuple[int, int]:
        """The first code word of a function, and the one behind its last."""
        behind = number + 1
        end = self.starts[behind] if behind < len(self.starts) else len(self.words)
        return self.starts[number], end

    def function(self, number: int) -> Function:
        """A function with its instructions; Unstructured if its words are not instructions."""
        start, end = self.bounds(number)
        return Function(number, self.names[number], start, end, self._instructions(start, end))

    def is_method(self, number: int) -> bool:
        """Whether a function begins with the place of ``this``, as those of objects do."""
        start, end = self.bounds(number)
        words = [*self.words[start : min(start + _PROLOGUE, end)]]
        return any(words[at : at + 3] == _THIS for at in range(len(words) - 2))

    def _instructions(self, start: int, end: int) -> list[Instruction]:
        words, fixups = self.words, self.fixups
        lengths, new = _LENGTHS, _new
        code: list[Instruction] = []
        at = start
        jumps: list[int] = []
        while at < end:
            opcode = words[at]
            length = lengths[opcode] if 0 < opcode < 77 else -1
            if length < 0 or at in fixups or at + length >= end:
                raise Unstructured(f"the word {opcode} is not an instruction", at)
            if length == 0:
                code.append(new(Instruction, (opcode, 0, 0, 0, 0, at)))
            elif length == 1:
                if opcode in _JUMPS:
                    jumps.append(len(code))
                elif opcode == LINE and not 0 <= words[at + 1] <= LAST_LINE:
                    raise Unstructured("a line has an unusual number", at)
                fixup = fixups.get(at + 1, 0)
                code.append(new(Instruction, (opcode, words[at + 1], 0, 0, fixup, at)))
            elif length == 2:
                fixup = fixups.get(at + 2, 0)
                one, two = words[at + 1], words[at + 2]
                code.append(new(Instruction, (opcode, one, two, 0, fixup, at)))
            else:
                one, two, three = words[at + 1 : at + 4]
                code.append(new(Instruction, (opcode, one, two, three, 0, at)))
            at += 1 + length
        self._link(code, jumps, end)
        return code

    def _link(self, code: list[Instruction], jumps: list[int], end: int) -> None:
        """Let jumps refer to instructions by number."""
        if not jumps:
            return
        places = [instruction.word for instruction in code]
        lost: list[int] = []
        lined: list[int] = []
        for number in jumps:
            jump = code[number]
            target = jump.word + 2 + jump.a
            place = bisect_left(places, target)
            if target != end and (place == len(places) or places[place] != target):
                lost.append(number)
            code[number] = jump._replace(a=place)
            if number and code[number - 1].opcode == LINE:
                lined.append(number)
        if lined:
            lost = _aim(code, jumps, lined, lost)
        if lost:
            raise Unstructured("a jump leaves the function", code[lost[0]].word)

    def callee(self, address: int) -> int | None:
        """The number of the function that begins at a code word."""
        return self.by_start.get(address)


def _aim(code: list[Instruction], jumps: list[int], lined: list[int], lost: list[int]) -> list[int]:
    """Correct jumps that have a line before them, where that is all of the table of a ``switch``:
    the compiler measures the way to the only label before it writes the line.  Returns those of
    ``lost`` that are still wrong."""
    heads = {
        (code[first].a, code[second].a): first
        for first, second in pairwise(jumps)
        if second == first + 1 and code[first].opcode == code[second].opcode == JUMP
    }
    for number in lined:
        behind = number + 1 + any(one.opcode == LINE for one in code[number + 1 : number + 2])
        head = heads.get((number - 1, number + 1), heads.get((number - 1, behind)))
        if head is not None and head < number:
            code[number] = code[number]._replace(a=head + 2)
            lost = [other for other in lost if other != number]
    return lost


def function_fixup(instruction: Instruction) -> bool:
    """Whether the operand of an instruction is the address of a function."""
    return instruction.fixup == FUNCTION
