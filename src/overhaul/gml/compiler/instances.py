"""Names of room instances, which a game's file does not keep.

An original source may name an instance (``inst_6B1F54B5``) whose number only the old code has.
Such names are found by trial: when the code stays exactly the same with every unknown name as the
number of an instance, that is what they are. The caller makes sure that
the source is not decompiled text in which someone replaced the numbers by a variable.
"""

from __future__ import annotations

from typing import Final

from overhaul.gml.compiler.machine import INSTANCE, NORMAL, SELF
from overhaul.gml.vm.code import AssetReference, Code, Instruction, VariableReference

FIRST: Final = 100000  # the least number of an instance
_TRIAL: Final = 0x7000_0000  # numbers that no instance has; their low 16 bits count the names
MAX_NAMES: Final = 1000


def unknown_names(code: Code, previous: Code) -> list[str]:
    """Plain variables the new code uses and the old one knows nothing of."""
    known = {
        each.operand.name
        for each in previous.instructions
        if isinstance(each.operand, VariableReference)
    }
    found: dict[str, None] = {}
    for each in code.instructions:
        operand = each.operand
        if isinstance(operand, VariableReference) and operand.name not in known:
            if operand.scope != SELF or operand.kind != NORMAL:
                return []
            found[operand.name] = None
    return list(found) if len(found) <= MAX_NAMES else []


def trial_number(index: int) -> int:
    """The number the name of this index has while it is tried."""
    return FIRST + _TRIAL + index


def matches(tried: Code, previous: Code) -> dict[int, int]:
    """The instances that the trial numbers stand for, by the index of the name.

    Empty unless the tried code is the old one with trial numbers in place of instances.
    """
    if len(tried.instructions) != len(previous.instructions):
        return {}
    numbers: dict[int, int] = {}
    for new, old in zip(tried.instructions, previous.instructions, strict=True):
        if new == old:
            continue
        trial = _number(new)
        number = _instance(old)
        if trial < 0 or number < FIRST or (new.opcode, new.type1) != (old.opcode, old.type1):
            return {}
        if numbers.setdefault(trial, number) != number:
            return {}
    return numbers


def _number(instruction: Instruction) -> int:
    """The index of the trial name an instruction refers to; -1 for none."""
    operand = instruction.operand
    if isinstance(operand, AssetReference):
        number = operand.index if operand.kind == "room_instance" else 0
    elif isinstance(operand, VariableReference):
        # Only the low 16 bits are in the instruction; real instances come in the same way.
        return instruction.value & 0xFFFF if operand.kind == INSTANCE else -1
    elif isinstance(operand, int):
        number = operand
    else:
        return -1
    return number - FIRST - _TRIAL if number >= FIRST + _TRIAL else -1


def _instance(instruction: Instruction) -> int:
    """The number of the instance an instruction refers to; 0 for none."""
    operand = instruction.operand
    if isinstance(operand, AssetReference):
        return operand.index if operand.kind == "room_instance" else 0
    if isinstance(operand, VariableReference):
        return FIRST + (instruction.value & 0xFFFF) if operand.kind == INSTANCE else 0
    return operand if isinstance(operand, int) else 0
