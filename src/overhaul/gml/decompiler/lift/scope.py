"""The state of reading: the values on the stack, the statements, the function and its names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from overhaul.gml.context import RUNNER, Context
from overhaul.gml.decompiler import opcodes as op
from overhaul.gml.decompiler.fragment import Fragment, RootEntry
from overhaul.gml.decompiler.types.locations import Locations, owner_of
from overhaul.gml.decompiler.unstructured import MAXIMUM_DEPTH, StructureError
from overhaul.gml.syntax import tree
from overhaul.gml.vm.code import FunctionReference, Instruction, VariableReference, struct_number

_PARAMETER: Final = re.compile(r"arg[0-9]+_*")
"""A name that a parameter may have: see Fragment.parameter."""


class Value:
    """A value on the stack: the expression that makes it, and what else the bytecode says.

    ``type`` is its current VM type (a DataType), ``converted`` the type before the last ``conv``
    (-1 without one).  ``source`` is the instruction of a plain push.  A binary operation keeps its
    opcode and both sides, an array or member access the same values it was addressed with: a
    compound assignment is recognised by their identity, never by equal text.
    """

    __slots__ = (
        "constant", "converted", "depth", "index", "instance", "left", "node", "operator",
        "right", "size", "source", "type",
    )  # fmt: skip

    def __init__(self, node: tree.Expression, type: int, source: Instruction | None = None) -> None:
        self.node: tree.Expression = node
        self.type: int = type
        self.source: Instruction | None = source
        self.converted: int = -1
        self.constant: int | None = None
        self.operator: int = 0
        self.left: Value | None = None
        self.right: Value | None = None
        self.instance: Value | None = None
        self.index: Value | None = None
        self.size: int = 1
        self.depth: int = 1


class Frame:
    """The state that all readers of one entry's instructions share.

    ``begin``: index of the first instruction of the statement being read.  ``owner``: the number
    of the owner of arrays for that statement, and ``last_owner``: behind it.  ``budget``: how large
    expressions may grow, by duplicated values.  ``stepped``: the index that the last ``dup.l``
    copied, as only ``++`` and ``--`` of an
    element do before 2.3.  ``copied``: constants that were duplicated.  ``calls``: accessors with
    the calls that they stand for, by their ids.
    """

    __slots__ = (
        "begin", "budget", "calls", "copied", "last_owner", "offsets", "out", "owner", "stack",
        "stepped",
    )  # fmt: skip

    def __init__(self, offsets: list[int]) -> None:
        self.offsets: list[int] = offsets
        self.stack: list[Value] = []
        self.out: list[tree.Statement] = []
        self.begin: int = 0
        self.stepped: Value | None = None
        self.copied: list[tree.Expression] = []
        self.calls: dict[int, tuple[tree.Expression, tree.Call]] = {}
        self.owner: int = -1
        self.last_owner: int = -1
        self.budget: int = 40 * (len(offsets) - 1) + 2000

    def as_call(self, node: tree.Expression) -> tree.Expression:
        """The call that an accessor stands for; other nodes are returned unchanged."""
        known = self.calls.get(id(node))
        return node if known is None else known[1]

    def emit(self, statement: tree.Statement, following: int) -> None:
        """Add a statement that ends before the instruction at ``following``."""
        statement.address = self.offsets[self.begin]
        self.begin = following
        self.owner = self.last_owner
        self.out.append(statement)

    def grow(self, value: Value, *parts: Value) -> Value:
        """Note the size and depth of an expression; refuse what would explode or nest too deep."""
        size = 1
        depth = 0
        for part in parts:
            size += part.size
            if part.depth > depth:
                depth = part.depth
        value.size = size
        value.depth = depth + 1
        if depth >= MAXIMUM_DEPTH:
            raise StructureError(f"an expression nests deeper than {MAXIMUM_DEPTH}")
        if size > self.budget:
            raise StructureError("duplicated values make an expression of unreasonable size")
        return value

    def grow_chain(self, value: Value, left: Value, *parts: Value) -> Value:
        """As :meth:`grow` for a chain of operators of one level: its spine to the left, which is
        walked by loops, costs no depth."""
        self.grow(value, *parts)
        value.depth = max(value.depth, left.depth)
        value.size += left.size
        if value.size > self.budget:
            raise StructureError("duplicated values make an expression of unreasonable size")
        return value

    def mark(self, owner: int, index: int) -> None:
        """The instruction at ``index`` marks an owner of arrays."""
        self.last_owner = owner
        if index == self.begin + 1:
            self.owner = owner

    def go_back(self, owner: int) -> None:
        """Restore the owner of arrays to what it was before another branch."""
        self.owner = owner
        self.last_owner = owner

    def owned(self, target: tree.Expression) -> tree.Expression:
        """The target of a statement: an element that has no owner was written ``a[@ i]``."""
        if not self.owner & 0xFFFF and type(target) is tree.Index and not target.accessor:
            return tree.Index(target.object, target.indices, "@", target.position)
        return target


def names_in_scope(instructions: list[Instruction], scope: int) -> set[str]:
    """Names that are used as variables of a scope anywhere in an entry."""
    return {
        instruction.operand.name
        for instruction in instructions
        if instruction.value == scope and type(instruction.operand) is VariableReference
    }


class Scope:
    """The functions of one root entry, and which of them is being read.

    ``root_locals``: names of local variables anywhere in the entry.  ``with_self``: how much more
    often its constructors say ``self.`` than not, where the code shows it.  ``globals``: names of
    global variables that were declared by ``globalvar``.  ``with_index``: whether a built-in array
    that needs no index has another one than 0; ``lacks_index``: whether one is shown without.
    """

    def __init__(self, entry: RootEntry, locations: Locations) -> None:
        code, flow = entry.code, entry.flow
        self.name: str = code.name
        self.flow = flow
        self.locations = locations
        self.context: Context = locations.context
        self.fragment: Fragment = Fragment(entry, None, 0, len(code.instructions))
        self.root_locals: set[str] = set(code.local_names) or names_in_scope(
            code.instructions, op.LOCAL
        )
        self.with_self: int = 0
        self.with_index = False
        self.lacks_index = False
        self.globals: set[str] = set()
        self._functions: dict[str, Fragment] = {}
        self._read: list[Fragment] = []
        self._declared: dict[str, str] = {}
        self._methods: dict[str, str] = {}
        self._statics: frozenset[str] | None = None
        self._like_parameters = bool(flow.functions) and any(
            type(operand) is VariableReference
            and operand.name.startswith("arg")
            and _PARAMETER.fullmatch(operand.name)
            for operand in [instruction.operand for instruction in code.instructions]
        )
        self._name_functions()
        self.enter(self.fragment)

    def enter(self, fragment: Fragment) -> None:
        """Resolve names in this function from now on."""
        self.fragment = fragment
        locations, child = self.locations, fragment.child
        locations.locals = fragment.locals
        if fragment.taken is None:
            fragment.taken = self._taken(fragment) if child and self._like_parameters else set()
        if child is None:
            locations.function = self.name[11:] if self.name.startswith("gml_Script_") else ""
            locations.place = self.name
            locations.owner = owner_of(self.name)
            return
        locations.function = self._methods.get(child.name) or self.function_name(child.name)
        locations.place = f"{self.name}:{child.name}"
        if fragment.is_struct:
            locations.owner = ""
        elif not locations.owner:
            locations.owner = locations.function

    # -- functions -----------------------------------------------------------------------------

    def _name_functions(self) -> None:
        """Note the source names of functions that are declared in this code, and the names of the
        variables that hold the methods: they are stored right behind their code."""
        flow = self.flow
        for start, child in flow.functions.items():
            after = flow.targets.get(start - 1, -1)
            calls = 0
            duplicated = False
            for instruction in flow.instructions[after : after + 9] if after > 0 else ():
                opcode = instruction.opcode
                if opcode in (op.POPZ, op.B):
                    break
                calls += opcode == op.CALL
                duplicated |= opcode == op.DUP
                if opcode == op.POP:
                    operand = instruction.operand
                    if type(operand) is VariableReference:
                        if duplicated:
                            self._declared[child.name] = operand.name
                        elif calls == 1:
                            self._methods[child.name] = operand.name
                    break

    def function_name(self, code_name: str) -> str:
        """The name in source text of the function with this code entry (or built-in) name."""
        name = self._declared.get(code_name)
        if name is None:
            name = self.context.function_of_code(code_name)
        if name is None:
            if not self.context.dialect.gml_v2:
                return code_name
            if code_name.startswith("gml_Script_"):
                return code_name[11:]
            if code_name in self.context.functions or code_name in self._declared.values():
                if self.context.functions.get(code_name) == code_name:
                    return code_name
                return f"{RUNNER}{code_name}@@"  # the runner's, which the game's function hides
            name = code_name
        return name

    def keep(self, fragment: Fragment) -> None:
        """Note a function that was read in place; the code asks for its value later."""
        self._read.append(fragment)
        if fragment.child is not None:
            self._functions[fragment.child.name] = fragment

    def functions(self) -> list[Fragment]:
        """The functions that were read in place, each behind those inside it."""
        return self._read

    def function(self, value: Value) -> Fragment | None:
        """The function, read in place, that a value refers to; None for other values."""
        source = value.source
        if source is None or type(source.operand) is not FunctionReference:
            return None
        return self._functions.get(source.operand.name)

    def struct_body(self, value: Value) -> tree.Function | None:
        """The body of a struct literal, if that is what a value is."""
        fragment = self.function(value)
        if fragment is None or not fragment.is_struct or not isinstance(value.node, tree.Function):
            return None
        return value.node

    # -- variables -----------------------------------------------------------------------------

    def statics(self) -> frozenset[str]:
        """Names of statics of the entry's functions."""
        if self._statics is None:
            self._statics = frozenset(names_in_scope(self.flow.instructions, op.STATIC))
        return self._statics

    def own_statics(self) -> frozenset[str]:
        """Names of statics of the current function."""
        fragment = self.fragment
        if not self.statics():
            return frozenset()
        if fragment.own_statics is None:
            names: set[str] = set()
            for instruction in self._own_instructions():
                operand = instruction.operand
                if type(operand) is VariableReference and instruction.value == op.STATIC:
                    names.add(operand.name)
            fragment.own_statics = frozenset(names)
        return fragment.own_statics

    def _own_instructions(self) -> Iterator[Instruction]:
        """The instructions of the current function, without those of functions in it."""
        fragment, flow = self.fragment, self.flow
        at = fragment.start
        while at < fragment.end:
            if at in flow.functions and at != fragment.start:
                at = flow.targets.get(at - 1, at + 1)
                continue
            yield flow.instructions[at]
            at += 1

    def all_locals(self) -> set[str]:
        """Names of the current function's local variables."""
        fragment = self.fragment
        if not fragment.looked_ahead:
            fragment.looked_ahead = True
            for instruction in self._own_instructions():
                operand = instruction.operand
                if type(operand) is VariableReference and instruction.value == op.LOCAL:
                    fragment.locals.add(operand.name)
        return fragment.locals

    def argument_name(self, name: str) -> str:
        """The parameter called ``argumentN`` in the bytecode."""
        number = name[8:]
        if self.fragment.child is None or not number.isdecimal():
            return name
        position = int(number)
        if position >= self.fragment.used:
            self.fragment.used = position + 1
        return self.fragment.parameter(position)

    def is_parameter(self, name: str) -> bool:
        """Whether a bare name would mean a parameter of the current function."""
        fragment = self.fragment
        return name.startswith("arg") and any(
            name == fragment.parameter(position) for position in range(fragment.used)
        )

    def _taken(self, fragment: Fragment) -> set[str]:
        """Names like those of parameters that a function, with the struct literals in it, has for
        something else and writes without an owner."""
        flow = self.flow
        taken: set[str] = set()
        struct_end = -1
        at = fragment.start
        while at < fragment.end:
            child = flow.functions.get(at) if at != fragment.start else None
            if child is not None:
                after = flow.targets.get(at - 1, at + 1)
                if struct_number(child.name) < 0:
                    at = after
                    continue
                struct_end = max(struct_end, after)
            instruction = flow.instructions[at]
            operand = instruction.operand
            at += 1
            if type(operand) is VariableReference and _PARAMETER.fullmatch(operand.name):
                member = at <= struct_end and instruction.opcode == op.POP
                if not member and self._is_bare(instruction, operand.kind, at <= struct_end):
                    taken.add(operand.name)
        return taken

    def _is_bare(self, instruction: Instruction, kind: int, in_struct: bool) -> bool:
        """Whether a variable is written without an owner; of the instance, ``self.`` can be said
        where releases make no difference and no struct literal is in between."""
        if kind != op.NORMAL:
            return kind in (op.ARRAY, op.PUSHAF, op.POPAF)  # whose it is stands on the stack
        if instruction.value == op.SELF:
            return in_struct and not self.context.dialect.self_to_builtin
        return instruction.value in (op.BUILTIN, op.LOCAL, op.STATIC)

    def note_self(self, instance: tree.Expression) -> None:
        """Count a ``self`` that the code shows."""
        if type(instance) is tree.Name and instance.name == "self":
            self.with_self += self.fragment.of_constructor
