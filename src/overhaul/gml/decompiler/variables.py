"""What variables are called in source, and the state that all readers of instructions share."""

from __future__ import annotations

from typing import Final

from overhaul.gml.context import Context
from overhaul.gml.decompiler.evidence import Evidence
from overhaul.gml.decompiler.fragment import Fragment
from overhaul.gml.decompiler.layout import Layout
from overhaul.gml.decompiler.values import MAXIMUM_DEPTH, PLAIN_ARRAY, StructureError, Value
from overhaul.gml.syntax import tree
from overhaul.gml.vm.code import Code, Instruction, VariableReference
from overhaul.gml.vm.opcodes import DataType, InstanceType, Opcode, ReferenceType

DOUBLE, INT32, INT64 = int(DataType.DOUBLE), int(DataType.INT32), int(DataType.INT64)
BOOLEAN, VARIABLE, STRING = int(DataType.BOOLEAN), int(DataType.VARIABLE), int(DataType.STRING)
INT16 = int(DataType.INT16)
NORMAL, ARRAY, STACKTOP = (
    int(ReferenceType.NORMAL), int(ReferenceType.ARRAY), int(ReferenceType.STACKTOP)
)  # fmt: skip
PUSHAF, POPAF = int(ReferenceType.ARRAY_PUSHAF), int(ReferenceType.ARRAY_POPAF)
INSTANCE = int(ReferenceType.INSTANCE)
ADD, SUB, MUL = int(Opcode.ADD), int(Opcode.SUB), int(Opcode.MUL)
PUSH, PUSHI, POPZ, CALL = int(Opcode.PUSH), int(Opcode.PUSHI), int(Opcode.POPZ), int(Opcode.CALL)
PUSHBLTN, POP = int(Opcode.PUSHBLTN), int(Opcode.POP)

FIRST_ROOM_INSTANCE: Final = 100000
ARRAY_LIMIT: Final = 32000
"""Pre-2.3 arrays hold 32000 elements per row: ``a[i, j]`` is element ``i * 32000 + j``."""


def names_in_scope(instructions: list[Instruction], scope: int) -> set[str]:
    """Names that are used as variables of a scope anywhere in an entry."""
    return {
        instruction.operand.name
        for instruction in instructions
        if instruction.value == scope and type(instruction.operand) is VariableReference
    }


class Variables:
    """What all readers of instructions share: the state, and what variables are called."""

    def __init__(self, code: Code, context: Context, layout: Layout, evidence: Evidence) -> None:
        self.code = code
        self.context = context
        self.dialect = context.dialect
        self.instructions = code.instructions
        self.layout = layout
        self.evidence = evidence
        self.stack: list[Value] = []
        self.out: list[tree.Statement] = []
        self.unowned = self.last_unowned = False
        """Whether the owner of arrays is nobody: for the statement being read, and behind it."""
        self.begin = 0
        """Index of the first instruction of the statement being read."""
        self.fragment = Fragment(None, 0, len(code.instructions))
        self.made: dict[str, tree.Function] = {}
        """Functions read in place, by code name, until ``method`` asks for them."""
        self.made_fragments: dict[str, Fragment] = {}
        self.budget = 40 * len(code.instructions) + 2000
        self.with_self = 0
        self.without_self = 0
        """How often constructors say ``self.`` where the code tells, and how often they don't."""
        self.statics: set[str] = set()
        self.root_locals = set(code.local_names) or names_in_scope(code.instructions, -7)
        self.old = self.dialect.bytecode14_or_lower
        self.v2 = self.dialect.gml_v2
        self.typed = self.dialect.typed_booleans

    # -- building ------------------------------------------------------------------------------

    def emit(self, statement: tree.Statement, index: int) -> None:
        """Add a statement that ends before instruction ``index``."""
        statement.address = self.layout.offsets[self.begin]
        self.begin = index
        self.unowned = self.last_unowned
        self.out.append(statement)

    def grow(self, value: Value, *parts: Value) -> Value:
        """Note the size and depth of an expression; refuse what would explode or nest too deep."""
        size = 1
        depth = 0
        arrays = 0
        for part in parts:
            size += part.size
            arrays |= part.arrays
            if part.depth > depth:
                depth = part.depth
        value.size = size
        value.depth = depth + 1
        value.arrays = arrays
        if depth >= MAXIMUM_DEPTH:
            raise StructureError(f"an expression nests deeper than {MAXIMUM_DEPTH}")
        if size > self.budget:
            raise StructureError("duplicated values make an expression of unreasonable size")
        return value

    # -- variables -----------------------------------------------------------------------------

    def variable(self, instruction: Instruction, reference: VariableReference) -> Value:
        """The variable an instruction accesses; takes its instance and index from the stack."""
        kind = reference.kind
        name = reference.name
        if kind == NORMAL:
            if instruction.value == -9:
                instance = self.stack.pop()
                found = tree.Member(instance.node, name)
                self.note_self(instance.node)
                return self.grow(Value(found, VARIABLE, instruction), instance)
            scope = instruction.value
            if scope == -1 and instruction.opcode == PUSHBLTN:
                return Value(tree.Name(name), VARIABLE, instruction)
            if scope == -1 and instruction.opcode == PUSH and self.is_parameter(name):
                return Value(tree.Name(self.argument_name(name)), VARIABLE, instruction)
            if self.v2 and instruction.opcode == POP and self.is_own(name, scope):
                if scope == -1 and self.is_refused(name):
                    return Value(tree.Member(tree.Name("self"), name), VARIABLE, instruction)
                return Value(self.own(name, set()), VARIABLE, instruction)
            return Value(self.plain(name, scope), VARIABLE, instruction)
        if kind == INSTANCE:
            number = FIRST_ROOM_INSTANCE + (instruction.value & 0xFFFF)
            room_instance = None
            if not self.dialect.room_instance_references:
                room_instance = self.context.asset_name("room_instance", number)
            owner: tree.Expression = (
                tree.Name(room_instance) if room_instance else tree.Number(number)
            )
            return Value(tree.Member(owner, name), VARIABLE, instruction)
        stack = self.stack
        if kind == STACKTOP:
            instance = stack.pop()
            node, part = self.member(instance, name)
            value = self.grow(Value(node, VARIABLE, instruction), part)
            value.instance = instance
            return value
        if kind in (ARRAY, PUSHAF, POPAF):
            subscript = stack.pop()
            instance = stack.pop()
            node, part = self.member(instance, name)
            indices = self.subscripts(subscript, name)
            if indices:
                node = tree.Index(node, indices)
            value = self.grow(Value(node, VARIABLE, instruction), part, subscript)
            value.arrays |= PLAIN_ARRAY
            value.instance = instance
            value.index = subscript
            return value
        raise StructureError(f"a variable reference of unknown kind {kind:#x}")

    def plain(self, name: str, scope: int) -> tree.Expression:
        """A variable whose instance stands in the instruction."""
        if scope == -1:
            if self.must_say_self(name, scope):
                self.with_self += self.fragment.of_constructor
                return tree.Member(tree.Name("self"), name)
            return self.own(name, self.methods() if self.evidence.says_self else set())
        if scope == -7:
            self.fragment.locals.add(name)
            return tree.Name(name)
        if scope == -5:
            if name in self.context.globals:
                return tree.Name(name)
            return tree.Member(tree.Name("global"), name)
        if scope == -6:
            if self.must_say_self(name, scope):
                return tree.Member(tree.Name("self"), name)
            return tree.Name(name)
        if scope == -15:
            return tree.Name(self.argument_name(name))
        if scope == -16:
            return tree.Name(name)
        if scope in (-2, -3, -4):
            return tree.Member(tree.Name(("other", "all", "noone")[-2 - scope]), name)
        if scope >= 0:
            return tree.Member(self.object_node(scope), name)
        raise StructureError(f"a variable of unknown instance type {scope}")

    def own(self, name: str, bare: set[str]) -> tree.Expression:
        """A variable of the instance, which the author may have addressed either way; the names in
        ``bare`` always stand without ``self.``"""
        if self.evidence.says_self and self.fragment.of_constructor and name not in bare:
            return tree.Member(tree.Name("self"), name)
        return tree.Name(name)

    def methods(self) -> set[str]:
        """Names of statics of the entry's functions."""
        if not self.statics:
            self.statics = {"", *names_in_scope(self.instructions, InstanceType.STATIC)}
        return self.statics

    def note_self(self, instance: tree.Expression) -> None:
        """Count a ``self`` that the code tells of."""
        if type(instance) is tree.Name and instance.name == "self" and self.fragment.of_constructor:
            self.with_self += 1

    def is_parameter(self, name: str) -> bool:
        """Whether ``argumentN`` of the instance means a named parameter that is being changed, as
        it did in the first 2.3 builds."""
        if not self.dialect.builtin_globals_as_self or self.fragment.child is None:
            return False
        number = name[8:]
        return (
            name.startswith("argument")
            and number.isdigit()
            and int(number) < self.fragment.child.arguments_count
        )

    def is_own(self, name: str, scope: int) -> bool:
        """Whether a name, as an assignment's target, can only mean the instance's variable, even if
        a function is called so."""
        if scope != (-6 if self.dialect.self_to_builtin else -1):
            return False
        return name not in self.root_locals and name not in self.fragment.taken

    def must_say_self(self, name: str, scope: int) -> bool:
        """Whether a bare name would mean something else than the instance's variable."""
        if name in self.root_locals and name in self.fragment_locals():
            return True
        if name in self.fragment.taken:
            return True
        if self.v2 and (name in self.context.functions):
            return True
        if scope != -1:
            return False
        if self.v2 and (
            name in self.context.builtin_functions or name in self.context.extension_functions
        ):
            return True
        if self.dialect.self_to_builtin and not self.fragment.is_struct:
            return True
        return self.is_refused(name)

    def is_refused(self, name: str) -> bool:
        """Whether a bare name is something of the game that is no variable of instances: an
        asset, a constant, a macro, a global variable."""
        context = self.context
        asset = context.asset_ids.get(name)
        if asset is not None:
            return not self.v2 or asset[0] != "script"
        if name in context.macros or name in context.globals:
            return True
        constant = context.builtin_constants.get(name)
        if constant is not None:
            return constant.generation in ("", "gms2" if self.dialect.gms2_or_later else "gms1")
        if not self.v2 or self.dialect.builtin_globals_as_self:
            return False  # there the built-in ones are said to be the instance's
        variable = context.builtin_variables.get(name)
        return variable is not None and variable.is_global

    def fragment_locals(self) -> set[str]:
        """Names of the current fragment's local variables (found by looking ahead, once)."""
        fragment = self.fragment
        if "" not in fragment.locals:
            functions = self.layout.functions
            at = fragment.start
            while at < fragment.end:
                if at in functions and at != fragment.start:
                    at = self.layout.targets.get(at - 1, at + 1)
                    continue
                instruction = self.instructions[at]
                operand = instruction.operand
                if type(operand) is VariableReference and instruction.value == -7:
                    fragment.locals.add(operand.name)
                at += 1
            fragment.locals.add("")
        return fragment.locals

    def argument_name(self, name: str) -> str:
        """The parameter called ``argumentN`` in the bytecode."""
        number = name[8:]
        if self.fragment.child is None or not number.isdigit():
            return name
        position = int(number)
        if position >= self.fragment.parameters:
            self.fragment.parameters = position + 1
        return f"arg{position}"

    def object_node(self, number: int) -> tree.Expression:
        """An object by number, as the left side of a dot; its name would be a reference where the
        release has them."""
        name = None
        if not self.dialect.asset_references:
            name = self.context.asset_name("object", number)
        return tree.Name(name) if name is not None else tree.Number(number)

    def member(self, instance: Value, name: str) -> tuple[tree.Expression, Value]:
        """``name`` of an instance on the stack, and the value the instance really came from."""
        number = instance.constant if instance.converted < 0 else None
        if self.evidence.gathering:
            if number is None:
                self.evidence.note_instance(instance.node)
            elif number == -9 and self.stack:
                self.evidence.note_instance(self.stack[-1].node)
        if number is None:
            return tree.Member(instance.node, name), instance
        if number == -9:
            if not self.stack:
                raise StructureError("an instance is missing on the stack")
            real = self.stack.pop()
            instance.instance = real
            self.note_self(real.node)
            return tree.Member(self.evidence.as_kind(real.node, "object"), name), real
        if number == -7:
            self.root_locals.add(name)
            return self.plain(name, -7), instance
        if number == -1:
            self.without_self += self.fragment.of_constructor
            number = -6  # an array left of a dot is addressed so without a `self.` in the source
        return self.plain(name, number), instance

    def subscripts(self, subscript: Value, name: str) -> list[tree.Expression]:
        """The indices between the brackets; none for a built-in array used without one."""
        if subscript.operator == ADD and not self.v2:
            row, column = subscript.left, subscript.right
            if row is not None and row.operator == MUL and column is not None:
                limit = row.right
                if limit is not None and limit.constant == ARRAY_LIMIT and row.left is not None:
                    return [row.left.node, column.node]
        source = subscript.source
        if source is not None and name in self.evidence.automatic_arrays:
            if source.type1 == INT64 and source.operand == 0:
                return []
            if self.dialect.bytecode <= 13 and subscript.constant == 0:
                return []  # in bytecode 14 only an index that was written is known to be so
        return [subscript.node]
