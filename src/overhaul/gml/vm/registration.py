"""The tables of a game that follow from its code, in the order official tools write them.

Pure functions over root code entries in the order of the CODE list: the variable records (VARI),
the function records (FUNC), the strings of code (the beginning of STRG) and the code locals.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass, field

from overhaul.gml.dialect import Dialect
from overhaul.gml.vm.code import Code, FunctionReference, Variable, VariableReference, child_ends
from overhaul.gml.vm.opcodes import WORDS, InstanceType, Opcode

ARGUMENTS = "arguments"
FIRST_VARIABLES = ("prototype", "@@array@@")
BUILTIN_ID = -6

_LOCAL = int(InstanceType.LOCAL)
_SELF = int(InstanceType.SELF)
_GLOBAL = int(InstanceType.GLOBAL)
_POP = int(Opcode.POP)


@dataclass(slots=True)
class VariableOrder:
    """The variable records of a game, and where to find each.

    ``shared``: record of every variable that is not a local (in bytecode 13 and 14 of every
    variable, with scope -1).  ``locals``: per root, the record of each of its local names.
    """

    variables: list[Variable] = field(default_factory=list)
    shared: dict[Variable, int] = field(default_factory=dict)
    locals: list[dict[str, int]] = field(default_factory=list)

    def record(self, root: int, reference: VariableReference) -> int:
        """The record of an operand of root number ``root``.  Raises KeyError."""
        if reference.scope == _LOCAL and self.locals:
            return self.locals[root][reference.name]
        scope = reference.scope if self.locals else _SELF
        return self.shared[Variable(reference.name, scope)]

    def _add(self, variable: Variable) -> int:
        number = self.shared.get(variable)
        if number is None:
            number = self.shared[variable] = len(self.variables)
            self.variables.append(variable)
        return number


def variable_order(codes: Iterable[Code], dialect: Dialect) -> VariableOrder:
    """The records of VARI.

    Each root has its own local records, ``arguments`` first; the records of one name stand
    together, where the root first mentions that name.  Bytecode 13 and 14: one record per name.
    """
    order = VariableOrder()
    if dialect.bytecode14_or_lower:
        for code in codes:
            for reference in _variables(code):
                order._add(Variable(reference.name, _SELF))
        return order
    for name in FIRST_VARIABLES:
        order._add(Variable(name, _SELF))
    for code in codes:
        own = {ARGUMENTS: len(order.variables)}
        order.variables.append(Variable(ARGUMENTS, _LOCAL))
        order.locals.append(own)
        scopes: dict[str, dict[int, None]] = {}
        for reference in _variables(code):
            scopes.setdefault(reference.name, {})[reference.scope] = None
        for name, types in scopes.items():
            for scope in types:
                if scope != _LOCAL:
                    order._add(Variable(name, scope))
                elif name not in own:
                    own[name] = len(order.variables)
                    order.variables.append(Variable(name, _LOCAL))
    return order


def variable_ids(
    order: VariableOrder,
    codes: Sequence[Code],
    dialect: Dialect,
    builtins: Container[str],
    string_index: Callable[[str], int],
) -> list[int]:
    """The id of each variable record (bytecode 15 and later).

    ``builtins``: the names of built-in variables.  From 2.3 on an id is the string index of the
    name, or 0 for a named argument; before, the next number of a pool, or a local's place in the
    code locals of its entry.
    """
    ids: list[int] = []
    if dialect.gml_v2:
        for number, (name, scope) in enumerate(order.variables):
            if number < len(FIRST_VARIABLES):
                ids.append(number)
            elif scope == InstanceType.BUILTIN:
                ids.append(0)
            elif scope == _SELF and name in builtins:
                ids.append(BUILTIN_ID)
            else:
                ids.append(string_index(name))
        return ids
    places: dict[int, int] = {}
    for code, own in zip(codes, order.locals, strict=True):
        for place, name in enumerate(code.local_names or local_names(code)):
            if name in own:
                places[own[name]] = place
    separate = dialect.bytecode == 15 and not dialect.gms2_or_later
    pools = {_SELF: 0, _GLOBAL: 0}
    for number, (name, scope) in enumerate(order.variables):
        if scope == _LOCAL:
            ids.append(places.get(number, 0))  # 0: no code has this one
        elif scope == _SELF and name in builtins:
            ids.append(BUILTIN_ID)
        else:
            pool = _GLOBAL if separate and scope == _GLOBAL else _SELF
            ids.append(pools[pool])
            pools[pool] += 1
    return ids


def function_order(codes: Iterable[Code]) -> list[str]:
    """The names of FUNC: in order of first occurrence in the whole code."""
    return list(
        dict.fromkeys(
            instruction.operand.name
            for code in codes
            for instruction in code.instructions
            if type(instruction.operand) is FunctionReference
        )
    )


def names_given(code: Code) -> set[str]:
    """The names of the variables that a code sets, and its strings, which may name others."""
    names: set[str] = set()
    for instruction in code.instructions:
        operand = instruction.operand
        if isinstance(operand, str):
            names.add(str(operand))
        elif instruction.opcode == _POP and isinstance(operand, VariableReference):
            names.add(operand.name)
    return names


def string_order(codes: Iterable[Code], dialect: Dialect) -> list[str]:
    """The strings that begin STRG: names and literals of code, each content once."""
    strings: dict[str, None] = {}
    if not dialect.bytecode14_or_lower:
        strings = dict.fromkeys((*FIRST_VARIABLES, ARGUMENTS))
    for code in codes:
        for instruction in code.instructions:
            operand = instruction.operand
            if isinstance(operand, str):
                strings[str(operand)] = None
            elif isinstance(operand, VariableReference | FunctionReference):
                strings[operand.name] = None
    return list(strings)


def local_names(code: Code) -> list[str]:
    """The code locals list of a root: ``arguments``, then the names used as locals anywhere in it,
    in the order in which the *names* first appear, whatever their scope there."""
    scopes: dict[str, bool] = {}
    for reference in _variables(code):
        scopes[reference.name] = scopes.get(reference.name, False) or reference.scope == _LOCAL
    scopes.pop(ARGUMENTS, None)
    return [ARGUMENTS, *(name for name, is_local in scopes.items() if is_local)]


def root_counts(code: Code, dialect: Dialect) -> tuple[int, int]:
    """(locals count, argument word) of a root, as far as its code shows: a ``var`` that is never
    used leaves no trace."""
    if dialect.bytecode14_or_lower:
        return 0, 0
    used = root_locals(code)
    used.discard(ARGUMENTS)
    count = len(used) + dialect.arguments_counted_as_local
    return count, 0 if count else 0x8000


def keep_unused_locals(code: Code, previous: Code | None, dialect: Dialect) -> None:
    """Give code that takes the place of ``previous`` (None: it can't be read) the locals that only
    the count knows of: declared, never used, and in no text but the source."""
    if previous is None:
        return
    unused = previous.locals_count - root_counts(previous, dialect)[0]
    if unused > 0 and not dialect.bytecode14_or_lower:
        code.locals_count += unused
        code.arguments_count = 0


def root_locals(code: Code) -> set[str]:
    """The names of locals that the root itself uses, outside its children."""
    ends = child_ends(code.instructions, code.children)
    ranges = sorted((child.offset, end) for child, end in zip(code.children, ends, strict=True))
    if not ranges:
        return {reference.name for reference in _variables(code) if reference.scope == _LOCAL}
    names = set()
    at = 0
    inside = 0  # where the children that began so far end
    following = 0
    for instruction in code.instructions:
        while following < len(ranges) and ranges[following][0] <= at:
            inside = max(inside, ranges[following][1])
            following += 1
        operand = instruction.operand
        if at >= inside and type(operand) is VariableReference and operand.scope == _LOCAL:
            names.add(operand.name)
        at += 4 * WORDS[instruction.opcode << 4 | instruction.type1]
    return names


def _variables(code: Code) -> Iterable[VariableReference]:
    for instruction in code.instructions:
        operand = instruction.operand
        if type(operand) is VariableReference:
            yield operand
