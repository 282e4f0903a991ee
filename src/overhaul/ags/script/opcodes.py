"""The instructions of compiled Adventure Game Studio scripts (SCOM).

One instruction is a 32-bit word with its opcode, then a word per argument.  Source: the engine's
``Engine/script/cc_instance.cpp`` (and AGS 4's ``runtimescript.cpp`` for the last three).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Opcode:
    """An instruction: its name, and its arguments, ``r`` for a register, ``i`` for a literal."""

    number: int
    name: str
    arguments: str
    is_jump: bool = False


_TABLE: Final = (
    "addi ri|subi ri|mov rr|memwritelit ii|ret|movl ri|memread4 r|memwrite4 r|mul rr|div rr|"
    "add rr|sub rr|and rr|or rr|cmpeq rr|cmpne rr|gt rr|lt rr|gte rr|lte rr|land rr|lor rr|"
    "call r|memread1 r|memread2 r|memwrite1 r|memwrite2 r|jzi i|push r|pop r|jmpi i|muli ri|"
    "farcall r|farpush r|farsubsp i|sourceline i|callscr r|thisaddr i|setfuncargs i|mod rr|"
    "xor rr|not r|shl rr|shr rr|callobj r|checkbounds ri|memwrite.ptr r|memread.ptr r|"
    "memwrite.ptr.0|meminit.ptr r|load.sp.offs i|checknull.ptr|faddi ri|fsubi ri|fmul rr|"
    "fdiv rr|fadd rr|fsub rr|fgt rr|flt rr|fgte rr|flte rr|zeromem i|newstring r|streq rr|"
    "strne rr|checknull r|loopcheckoff|memwrite.ptr.0.nd|jnzi i|dynamicbounds r|newarray rii|"
    "newuserobject ri|newuserobject2 rii|newarray2 rii|dynamiccast i"
)

_JUMPS: Final = frozenset({"jzi", "jmpi", "jnzi"})


def _opcodes() -> dict[int, Opcode]:
    found: dict[int, Opcode] = {}
    for number, text in enumerate(_TABLE.split("|"), start=1):
        name, _, arguments = text.partition(" ")
        found[number] = Opcode(number, name, arguments, name in _JUMPS)
    return found


OPCODES: Final = _opcodes()
"""The instructions by number, 1 to 76."""

BY_NAME: Final = {opcode.name: opcode for opcode in OPCODES.values()}
"""The instructions by name."""

DATA, FUNCTION, STRING, IMPORT, DATA_DATA, STACK = 1, 2, 3, 4, 5, 6
"""The types of fixups: what a word that the loader adjusts refers to."""

CODE_FIXUPS: Final = {
    DATA: "@data",
    FUNCTION: "@function",
    STRING: "@string",
    IMPORT: "@import",
    STACK: "@stack",
}
"""The fixups of code words, as assembly names them; DATA_DATA applies to the global data."""

EXPORT_KINDS: Final = {1: "function", 2: "data"}
"""The kinds of exports."""

REGISTERS: Final = {1: "sp", 2: "mar", 3: "ax", 4: "bx", 5: "cx", 6: "op", 7: "dx"}
"""The names of the registers by number."""

REGISTER_NUMBERS: Final = {name: number for number, name in REGISTERS.items()}
"""The numbers of the registers by name."""
