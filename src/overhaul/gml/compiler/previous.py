"""The evidence of an entry's old code about its new source, and the parts of it that are kept.

A game's file does not keep the names of room instances. An original source may name one
(``inst_6B1F54B5``) whose number only the old code has. Such names are found by trial: if the
code stays exactly the same with every unknown name as the number of an instance, they are
numbers of instances. The caller makes sure that the source is not decompiled text in which
someone replaced the numbers by a variable.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Container, Iterator, Set
from copy import copy
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Final

from overhaul.gml.compiler.machine import (
    BUILTIN,
    CALL,
    CALLV,
    GLOBAL,
    INSTANCE,
    NORMAL,
    POP,
    PUSH,
    PUSHBLTN,
    SELF,
    I,
)
from overhaul.gml.vm.code import (
    AssetReference,
    Child,
    Code,
    FunctionReference,
    Instruction,
    VariableReference,
    is_anonymous,
    struct_number,
)

_OWNED: Final = re.compile(r"\b(?:global|self)\s*\.\s*(\w+)")
"""Names written with their owner, as decompilers and people without ``globalvar`` write them."""


class Learned:
    """Facts that neither the tables nor the context have, taken from the entry's old code.

    Functions it calls (with as many arguments), built-in globals it reads and built-in variables
    it writes stay such in the new source, whatever the tables say; so do variables that have the
    name of an asset it does not use (library packages see other assets than the game).  A function
    that the code declares was named or called as such, or as the variable that holds it.  Names
    that were only global variables, and whose owner the source never writes out, may be those of a
    ``globalvar``.
    """

    def __init__(self) -> None:
        self.globals: set[str] = set()
        self.builtins: set[str] = set()
        self.functions: set[str] = set()
        self.calls: set[tuple[str, int]] = set()  # function, number of arguments
        self.writes: set[str] = set()
        self.reads: set[str] = set()  # variables without an owner, as values
        self.called: set[str] = set()  # such variables, called
        self.values: set[str] = set()  # code names of functions as values
        self.children: set[str] = set()
        self.twice: set[str] = set()  # those of ``children`` that are there twice
        self.assets: set[tuple[str, int]] = set()
        self.write_backs: dict[tuple[str, int], set[int]] = {}  # (name, kind) -> scopes


def learn(previous: Code, source: str, builtin_variables: Container[str]) -> Learned:
    """The facts that the old code of an entry shows."""
    learned = Learned()
    written_out = set(_OWNED.findall(source))
    own: set[str] = set()
    for child in previous.children:
        (learned.twice if child.name in learned.children else learned.children).add(child.name)
    instructions = previous.instructions
    for row, instruction in enumerate(instructions):
        operand = instruction.operand
        if operand is None:
            continue
        if type(operand) is VariableReference:
            name, opcode = operand.name, instruction.opcode
            if opcode == PUSHBLTN and name not in builtin_variables:
                learned.builtins.add(name)
            elif operand.kind == NORMAL:
                if instruction.value == GLOBAL and name not in written_out:
                    learned.globals.add(name)
                elif operand.scope == SELF:
                    own.add(name)
                    if opcode == PUSH and instruction.value in (SELF, BUILTIN):
                        after = instructions[row + 1] if row + 1 < len(instructions) else None
                        called = after is not None and after.opcode == CALLV
                        (learned.called if called else learned.reads).add(name)
            if opcode == POP:
                learned.writes.add(name)
                if instruction.type1 == I:
                    place = name, operand.kind
                    learned.write_backs.setdefault(place, set()).add(operand.scope)
        elif type(operand) is AssetReference:
            learned.assets.add(operand)
        elif type(operand) is FunctionReference:
            if instruction.opcode == CALL:
                learned.calls.add((operand.name, instruction.value))
            elif not _makes_method(instructions, row):
                learned.values.add(operand.name)
            if not operand.name.startswith(("gml_", "@@")):
                learned.functions.add(operand.name)
    learned.globals -= own
    return learned


def _makes_method(instructions: list[Instruction], row: int) -> bool:
    """Whether a function is pushed to make the method of its declaration."""
    return any(
        instruction.opcode == CALL
        and isinstance(instruction.operand, FunctionReference)
        and instruction.operand.name == "method"
        for instruction in instructions[row + 2 : row + 5]
    )


def keep_names(code: Code, previous: Code) -> bool:
    """Give inner functions the names they had: the numbers in them cannot be derived.  Whether the
    instructions are the same as they were."""
    _rename_children(code, previous)
    if code.instructions != previous.instructions:
        return False
    # Nothing changed: neither has what instructions do not show (locals never used).
    code.children = [copy(child) for child in previous.children]
    code.locals_count = previous.locals_count
    code.arguments_count = previous.arguments_count
    code.local_names = list(previous.local_names)
    return True


def _rename_children(code: Code, previous: Code) -> None:
    renamed = _matches(code.children, previous.children)
    if not renamed:
        return
    variables = {_own_name(new): _own_name(old) for new, old in renamed.items()}
    for child in code.children:
        child.name = renamed.get(child.name, child.name)
    for instruction in code.instructions:
        operand = instruction.operand
        if isinstance(operand, FunctionReference):
            if operand.name in renamed:
                instruction.operand = FunctionReference(renamed[operand.name])
        elif isinstance(operand, VariableReference) and operand.name in variables:
            instruction.operand = operand._replace(name=variables[operand.name])


def _matches(new: list[Child], old: list[Child]) -> dict[str, str]:
    """New names of generated functions, and the names to give them instead.

    In order when nothing was added or removed; else among those whose names differ in digits
    only.
    """
    if len(new) == len(old):
        return {
            made.name: had.name
            for made, had in zip(new, old, strict=True)
            if made.name != had.name and _same_kind(made.name, had.name)
        }
    made, had = [child.name for child in new], [child.name for child in old]
    pairs: list[tuple[str, str]] = []
    for mine, theirs in _aligned(made, had, _without_digits, pairs):
        for _ in _aligned(mine, theirs, _kind, pairs):
            pass  # the rest has no equal
    return {mine: theirs for mine, theirs in pairs if mine != theirs and _same_kind(mine, theirs)}


def _aligned(
    new: list[str], old: list[str], key: Callable[[str], str], pairs: list[tuple[str, str]]
) -> Iterator[tuple[list[str], list[str]]]:
    """Add to the pairs those names of equal keys that stand in the same order; yields what stands
    between them."""
    matcher = SequenceMatcher(None, [*map(key, new)], [*map(key, old)], autojunk=False)
    for kind, low, high, start, end in matcher.get_opcodes():
        if kind == "equal":
            pairs += zip(new[low:high], old[start:end], strict=True)
        else:
            yield new[low:high], old[start:end]


def _kind(name: str) -> str:
    """The kind of an entry: the same for all anonymous functions, and for all struct literals."""
    if struct_number(name) >= 0:
        return "struct"
    return "function" if is_anonymous(name) else name


def _without_digits(name: str) -> str:
    return "".join(char for char in name if not char.isdigit())


def _same_kind(new: str, old: str) -> bool:
    """Whether both are generated names of the same kind (a long one may be shortened by a hash)."""
    if is_anonymous(new) or is_anonymous(old):
        return is_anonymous(new) and is_anonymous(old)
    return struct_number(new) >= 0 and struct_number(old) >= 0


def _own_name(code_name: str) -> str:
    """The first part of the name of a struct's code entry: the variable it is kept in."""
    number = struct_number(code_name)
    return code_name.removeprefix("gml_Script_") if number < 0 else f"___struct___{number}"


FIRST: Final = 100000  # the least number of an instance
_TRIAL: Final = 0x7000_0000  # numbers that no instance has; their low 16 bits count the names
MAX_NAMES: Final = 1000


# -- names of room instances -----------------------------------------------------------------------


def unknown_names(code: Code, previous: Code) -> list[str]:
    """Plain variables the new code uses and the old one knows nothing of."""
    known = {
        instruction.operand.name
        for instruction in previous.instructions
        if isinstance(instruction.operand, VariableReference)
    }
    names: dict[str, None] = {}
    for instruction in code.instructions:
        operand = instruction.operand
        if isinstance(operand, VariableReference) and operand.name not in known:
            if operand.scope != SELF or operand.kind != NORMAL:
                return []
            names[operand.name] = None
    return list(names) if len(names) <= MAX_NAMES else []


def may_be_instances(code: Code, previous: Code, names: Collection[str], weighed: Set[str]) -> bool:
    """Whether the old code may be that of the same source, if ``names`` are those of instances.

    ``weighed`` are names that decide what is compiled; of a source whose unknown names decide
    nothing, the other variables, functions and strings are the same in the same order.
    """
    if not weighed.isdisjoint(names):
        return True
    pairs = zip_longest(_mentioned(code, names), _mentioned(previous, ()))
    return all(mine == theirs for mine, theirs in pairs)


def _mentioned(code: Code, names: Container[str]) -> Iterator[str]:
    """The variables, functions and strings of code, without those that it hands on by itself."""
    for instruction in code.instructions:
        operand = instruction.operand
        if isinstance(operand, str):
            yield operand
        elif isinstance(operand, VariableReference):
            if operand.name not in names and not operand.name.startswith("argument"):
                yield operand.name
        elif isinstance(operand, FunctionReference) and not operand.name.startswith("@@"):
            yield operand.name


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
