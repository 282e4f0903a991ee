"""Where a child's code lies inside its root's, and in which order the CODE list has children.

A function's body is skipped by a ``b`` that stands right before it; the body ends where that
jump leads.  The list has them in the order their bodies were finished: an inner function before
the one around it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from overhaul.gml.vm.code import Child, Instruction
from overhaul.gml.vm.opcodes import WORDS, Opcode

_B = int(Opcode.B)
_STRUCT: Final = re.compile(r"gml_Script_(?:\w+_(?=___struct___\d+@))?___struct___(\d+)")
_ANONYMOUS: Final = re.compile(r"gml_Script_(?:anon_|(?:\w+_)?anon@|(\w+)@anon@\d)")


def struct_number(name: str) -> int:
    """The number in the name of a struct literal's entry, -1 for other entries.

    In the code of a library package (2024.11 and later) the package's name stands before it.
    """
    found = _STRUCT.match(name)
    return -1 if found is None else int(found[1])


def is_anonymous(name: str) -> bool:
    """Whether an entry is a function without a name of its own."""
    return _ANONYMOUS.match(name) is not None


def child_ends(instructions: Sequence[Instruction], children: Sequence[Child]) -> list[int]:
    """The byte offset where each child's code ends: the target of the ``b`` before it, or the end
    of the code where there is none."""
    if not children:
        return []
    wanted = {child.offset for child in children}
    ends: dict[int, int] = {}
    at = 0
    for instruction in instructions:
        opcode = instruction.opcode
        after = at + 4 * WORDS[opcode << 4 | instruction.type1]
        if opcode == _B and after in wanted:
            target = at + 4 * instruction.value
            if target > after:
                ends[after] = target
        at = after
    return [ends.get(child.offset, at) for child in children]


def listed_order(children: Sequence[Child], ends: Sequence[int]) -> list[Child]:
    """The children in the order of the CODE list, by where their bodies end."""
    order = sorted(range(len(children)), key=lambda at: (ends[at], -children[at].offset, at))
    return [children[at] for at in order]
