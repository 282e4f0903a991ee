"""Parts of a source that people may not mean: names without a meaning in its game, which are
compiled as variables that no one sets, and struct literals that are compiled in another way."""

from __future__ import annotations

from overhaul.gml.builtins import load_enums
from overhaul.gml.compiler.names import INSTANCE_WORDS, NameResolver
from overhaul.gml.context import ChangedLiteral, UnknownName
from overhaul.gml.syntax.errors import LineIndex
from overhaul.gml.vm.code import (
    Code,
    FunctionReference,
    VariableReference,
    child_ends,
    struct_number,
)
from overhaul.gml.vm.opcodes import Opcode
from overhaul.gml.vm.registration import names_given


def unknown_names(names: NameResolver, source: str, code: Code) -> list[UnknownName]:
    """The names in a source that nothing has: not the source, the game, or any release; and the
    functions in it that only the other generation of GameMaker has.

    Of a context that does not know the game's variables only functions that are called count.
    """
    context = names.context
    enums = load_enums()
    places: list[tuple[int, str]] = []
    for name, position in names.loose.items():
        if (
            name in names.builtin_variables
            or name in names.builtin_functions
            or name in names.builtin_constants
            or name in context.functions
            or name in context.extension_functions
            or name in context.macros
            or name in context.enums
            or name in enums
            or name in INSTANCE_WORDS
            or context.asset_id(name) is not None
        ):
            continue
        variables = context.variables
        if name not in names.called if variables is None else name in variables:
            continue
        places.append((position, name))
    places += [(position, name) for name, position in names.lacking.items()]
    if not places:
        return []
    given = names_given(code) - names.lacking.keys()
    lines = LineIndex(source)
    called = names.called | names.lacking.keys()
    return [
        UnknownName(name, *lines.place(position), name in called, context)
        for position, name in sorted(places)
        if name not in given
    ]


def changed_literals(
    literals: list[tuple[int, int, list[str], int]], source: str, code: Code, previous: Code
) -> list[ChangedLiteral]:
    """The struct literals of a source (position, index among the functions, members, and how many
    of the values are passed to it) that are compiled in another way than they were: the same
    members, but other values worked out outside of it.

    A ``+5`` is passed, a ``5`` is not.  Nothing is said where functions were added or removed.
    """
    if not literals or len(code.children) != len(previous.children):
        return []
    before = passed_values(previous)
    lines = LineIndex(source)
    changed = []
    for position, index, members, passed in literals:
        known = before.get(index)
        if known is not None and known[0] == members and known[1] != passed:
            place = lines.place(position)
            changed.append(ChangedLiteral(*place, members, passed, known[1]))
    return changed


def passed_values(code: Code) -> dict[int, tuple[list[str], int]]:
    """The struct literals of a code by their index among its functions: members, and how many of
    the values are passed to each."""
    children, offsets = code.children, code.offsets()
    places = {name: index for index, name in enumerate(child.name for child in children)}
    ends = child_ends(code.instructions, children)
    bounds = sorted(zip([child.offset for child in children], ends, range(len(ends)), strict=True))
    members: dict[int, list[str]] = {
        index: [] for index, child in enumerate(children) if struct_number(child.name) >= 0
    }
    passed: dict[int, int] = {}
    waiting: list[int] = []
    for offset, instruction in zip(offsets, code.instructions, strict=True):
        operand = instruction.operand
        if isinstance(operand, FunctionReference):
            index = places.get(operand.name, -1)
            if index in members and instruction.opcode != Opcode.CALL:
                waiting.append(index)
            elif operand.name == "@@NewGMLObject@@" and waiting:
                passed[waiting.pop()] = instruction.value - 1
        elif instruction.opcode == Opcode.POP and isinstance(operand, VariableReference):
            around = [index for start, end, index in bounds if start <= offset < end]
            keeps_function = operand.name.startswith("___struct___")  # of a literal inside
            if around and around[-1] in members and not keeps_function:
                members[around[-1]].append(operand.name)
    return {index: (members[index], count) for index, count in passed.items()}
