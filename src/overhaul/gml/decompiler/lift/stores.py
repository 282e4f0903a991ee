"""Instructions that store values: assignments, compound assignments, increments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from overhaul.gml.decompiler import opcodes as op
from overhaul.gml.decompiler.lift.expressions import OPERATORS, Expressions
from overhaul.gml.decompiler.lift.scope import Frame, Scope, Value
from overhaul.gml.decompiler.types.locations import Uses
from overhaul.gml.decompiler.unstructured import StructureError
from overhaul.gml.dialect import Dialect
from overhaul.gml.syntax import tree
from overhaul.gml.syntax.language import has_array_literal
from overhaul.gml.vm.code import Instruction, VariableReference

_COMPOUND: Final = frozenset(OPERATORS) - {op.REM, op.SHL, op.SHR}
"""Operations with an assignment operator."""
_UNDECLARED: Final = 0xFFFA
"""The lower half of the owner's number of a variable that is not declared where it is stored, as
compilers write it that take plain variables for those of the instance (-6)."""


@dataclass
class Stores:
    """Reads stores into statements.

    The shapes of compound assignments and increments are described in the bytecode notes of the
    docs.
    """

    frame: Frame
    scope: Scope
    expressions: Expressions
    uses: Uses
    dialect: Dialect

    def on_pop(self, instruction: Instruction, index: int) -> int:
        """pop: a store, or (pre-2.3) a swap."""
        stack, variables = self.frame.stack, self.expressions.variables
        if instruction.type1 == op.INT16:
            self._swap(instruction.value)
            return index + 1
        reference = instruction.operand
        if type(reference) is not VariableReference:
            raise StructureError("a store without a variable")
        if instruction.type1 == op.INT32:
            value = stack.pop()
            target = variables.variable(instruction, reference)
        else:
            target = variables.variable(instruction, reference)
            value = stack.pop()
        if instruction.type2 == op.BOOLEAN:
            self.expressions.as_boolean(value)
        self._store(target, value, index + 1)
        return index + 1

    def _shows_declared(self) -> bool:
        """Whether owners of arrays show which variables are declared."""
        return self.dialect.array_copy_on_write and self.dialect.self_to_builtin

    def _swap(self, words: int) -> None:
        """``inst a b -> b inst a`` (5), ``inst idx a b -> b inst idx a`` (6)."""
        stack = self.frame.stack
        depth = words - 3
        if depth not in (2, 3) or len(stack) <= depth:
            raise StructureError(f"a swap of {words} words")
        stack.insert(len(stack) - 1 - depth, stack.pop())

    def _store(self, target: Value, value: Value, following: int) -> None:
        """An assignment, compound assignment, increment or the naming of a function."""
        stack = self.frame.stack
        kept = bool(stack) and stack[-1] is value
        node = value.node
        if kept and isinstance(node, tree.Function):
            if not isinstance(target.node, (tree.Name, tree.Member)):
                raise StructureError("a function is stored in an array and kept")
            if self.scope.struct_body(value) is None:
                node.name = target.node.name
            return
        left, right = value.left, value.right
        if value.operator and left is not None and right is not None and self._same(left, target):
            if self._increment(target, value, left, right, kept, following):
                return
            # The divisor of `x = x / y` becomes a double, that of `x /= y` does not.
            written = right.converted >= 0 and right.type == op.DOUBLE
            if left.converted < 0 and value.operator in _COMPOUND and not kept and not written:
                target.node = self._changed(target, left)
                self._assign(target, OPERATORS[value.operator] + "=", right, following)
                return
            if target.source is not None and target.source.type1 == op.INT32:
                raise StructureError("a compound assignment of an unknown shape")
        if kept:
            raise StructureError("a value is stored and used again")
        self._assign(target, "=", value, following)

    def store_element(self, following: int) -> None:
        """popaf: ``value arrayref idx ->``."""
        stack = self.frame.stack
        target = self.expressions.pop_element()
        value = stack.pop()
        left, right = value.left, value.right
        kept = bool(stack) and stack[-1] is value
        if (
            value.operator and left is not None and right is not None
            and left.instance is target.instance and left.index is target.index
        ):  # fmt: skip
            if not self._increment(target, value, left, right, kept, following):
                self._assign(target, OPERATORS[value.operator] + "=", right, following)
            return
        if kept:
            raise StructureError("a value is stored and used again")
        self._assign(target, "=", value, following)

    def _increment(
        self, target: Value, value: Value, left: Value, right: Value, kept: bool, following: int
    ) -> bool:
        """Whether a store of ``X + 1`` or ``X - 1`` is an increment; if so, make it one."""
        source = right.source
        if source is None or right.constant != 1 or value.operator not in (op.ADD, op.SUB):
            return False
        if source.opcode != op.PUSH or source.type1 != op.INT16:
            return False
        operator = "++" if value.operator == op.ADD else "--"
        target.node = self._changed(target, left)
        self.uses.assigned(target.node, target.node, operator)
        stack = self.frame.stack
        if kept or (stack and stack[-1] is left):
            node = tree.Increment(operator, target.node, prefix=kept)
            stack[-1] = self.frame.grow(Value(node, op.VARIABLE), target)
            return True
        if self.dialect.bytecode14_or_lower and (
            left.index is None or left.index is not self.frame.stepped
        ):
            return False  # the same code as `+= 1`
        node = tree.Increment(operator, self.frame.owned(target.node))
        self.frame.emit(tree.ExpressionStatement(node), following)
        return True

    def _changed(self, target: Value, left: Value) -> tree.Expression:
        """The place that is read and stored again, as source writes it: the name of a function
        means that function only where it is just read."""
        bare = type(target.node) is tree.Name and type(left.node) is tree.Member
        source = target.source
        if bare and source is not None and source.value == op.BUILTIN:
            return target.node
        return left.node

    def _same(self, left: Value, target: Value) -> bool:
        """Whether a value was read from just where it is now stored."""
        read, write = left.source, target.source
        if read is None or write is None or type(read.operand) is not VariableReference:
            return False
        reference, other = read.operand, write.operand
        if type(other) is not VariableReference or reference.name != other.name:
            return False
        if left.instance is not None or target.instance is not None:
            if self.dialect.compound_reads_again and left.node == target.node:
                return True
            return left.instance is target.instance and left.index is target.index
        if reference.kind != other.kind or read.value != write.value:
            return False
        if self.dialect.builtin_globals_as_self and read.value == op.ARGUMENT:
            return False  # `argument += 1` changes one of the instance in these builds
        return self.dialect.bytecode14_or_lower or read.opcode == op.PUSH

    def _assign(self, target: Value, operator: str, value: Value, following: int) -> None:
        frame, place = self.frame, target.node
        node = self.uses.assigned(place, value.node, operator)
        frame.budget -= value.size
        if frame.budget < 0:
            raise StructureError("duplicated values make code of unreasonable size")
        owner = target.source.value if target.source is not None else 0
        own = owner == op.SELF and type(node) is tree.Function
        if own and isinstance(place, tree.Member) and self.scope.locations.names.says_self:
            place = tree.Name(place.name)  # a method stands without
        if operator != "=":
            changed = tree.Assignment(frame.owned(place), operator, node)
            self._note_owner(changed, owner)
            frame.emit(changed, following)
            return
        if type(node) is tree.Name and place == node and not self.dialect.bytecode14_or_lower:
            # ``x = x`` compiles to nothing: this was written otherwise
            if owner == op.LOCAL:
                frame.emit(tree.Var([tree.Declarator(node.name, node)]), following)
                return
            if not (self.dialect.builtin_default_arguments and node.name.startswith("argument")):
                place = tree.Member(tree.Name("self"), node.name)  # else it is a default value
        statement = tree.Assignment(place, operator, node)
        self._note_owner(statement, owner)
        frame.emit(statement, following)
        if owner == op.STATIC and self.dialect.static_marker_everywhere:
            self.scope.fragment.static_stores.append(statement)
        if owner == op.LOCAL and self._shows_declared() and has_array_literal(node):
            declared = frame.owner & 0xFFFF != _UNDECLARED
            self.scope.fragment.array_stores.append((statement, declared))

    def _note_owner(self, statement: tree.Assignment, scope: int) -> None:
        """Keep the owner of an array and the variable that is its owner."""
        if not self.dialect.array_copy_on_write:
            return
        target = statement.target
        if type(target) is not tree.Index and not has_array_literal(statement.value):
            return
        variable = target
        while isinstance(variable, tree.Index):
            variable = variable.object
        if not self.dialect.new_array_owners:
            return
        fragment = self.scope.fragment
        if isinstance(variable, tree.Member):
            fragment.dotted_owners.add((variable.name, self.frame.owner))
        elif isinstance(variable, tree.Name) and (variable is not target or scope == op.SELF):
            fragment.owned_stores.append((statement, variable.name, self.frame.owner))
