"""Symbolic code as plain values, which one process sends to another: they take less time than
objects."""

from __future__ import annotations

from typing import TypeAlias

from overhaul.gml.vm.code import Child, Code, Instruction, Operand

#: name, instructions, children, counts of locals and arguments, names of locals
PlainCode: TypeAlias = tuple[
    str,
    list[tuple[int, int, int, int, Operand]],
    list[tuple[str, int, int, int]],
    int,
    int,
    list[str],
]


def pack_code(code: Code) -> PlainCode | None:
    """Code as plain values; None where it has warnings, which know more than themselves."""
    if code.unknown:
        return None
    children = [
        (child.name, child.offset, child.locals_count, child.arguments_count)
        for child in code.children
    ]
    return (
        code.name,
        [instruction.key() for instruction in code.instructions],
        children,
        code.locals_count,
        code.arguments_count,
        code.local_names,
    )


def unpack_code(plain: PlainCode) -> Code:
    """The code that :func:`pack_code` made plain, without a dialect and a linker."""
    name, instructions, children, locals_count, arguments_count, local_names = plain
    return Code(
        name,
        [Instruction(*key) for key in instructions],
        [Child(*child) for child in children],
        locals_count,
        arguments_count,
        local_names,
    )
