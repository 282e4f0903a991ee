"""The straight-line part: instructions push values, and stores, calls and drops become statements.

Each handler takes an instruction and its index, works on the current block's stack, and returns the
index of the next instruction.  What every operation does to the stack, and the shapes of compound
assignments, increments and array accesses, are described in the bytecode notes of the docs.
"""

from __future__ import annotations

from typing import Final

from overhaul.gml.decompiler.constants import double_node, string_node
from overhaul.gml.decompiler.values import StructureError, Value
from overhaul.gml.decompiler.variables import (
    ADD,
    BOOLEAN,
    DOUBLE,
    INT16,
    INT32,
    INT64,
    MUL,
    PUSH,
    STRING,
    SUB,
    VARIABLE,
    Variables,
)
from overhaul.gml.syntax import tree
from overhaul.gml.vm.code import AssetReference, FunctionReference, Instruction, VariableReference
from overhaul.gml.vm.opcodes import STACK_SIZES, InstanceType, Opcode

OPERATORS: Final[dict[int, str]] = {
    Opcode.MUL: "*", Opcode.DIV: "/", Opcode.REM: "div", Opcode.MOD: "%", Opcode.ADD: "+",
    Opcode.SUB: "-", Opcode.AND: "&", Opcode.OR: "|", Opcode.XOR: "^", Opcode.SHL: "<<",
    Opcode.SHR: ">>",
}  # fmt: skip
LOGICAL: Final = {"&": "&&", "|": "||", "^": "^^"}
COMPARISONS: Final = ("", "<", "<=", "==", "!=", ">=", ">")
COMPOUND: Final = frozenset(OPERATORS) - {Opcode.REM, Opcode.SHL, Opcode.SHR}
"""Operations with an assignment operator."""
EITHER: Final = 16
"""Stands for the type of a difference of strings: compilers take it for a double or a variable."""
_RANK: Final = {VARIABLE: 2, DOUBLE: 1, INT64: 1}
MIXED: Final = frozenset((tree.Number, tree.Conditional, tree.Call, tree.ArrayLiteral))
"""Expressions whose numbers may have names."""


def _result_type(right: int, left: int, opcode: int) -> int:
    """The type an operation leaves (needed because ``dup`` counts bytes)."""
    if (right == STRING or left == STRING) and opcode not in (ADD, MUL):
        return EITHER
    rank_right, rank_left = _RANK.get(right, 0), _RANK.get(left, 0)
    if rank_right != rank_left:
        return right if rank_right > rank_left else left
    return min(right, left)


class Machine(Variables):
    """Reads instructions into values and statements; the structure around them is a subclass's."""

    def as_boolean(self, value: Value) -> None:
        """Show a constant 0 or 1 that the code treats as a boolean as ``false`` or ``true``.

        Before booleans had a type, only a comparison folded away made one: in real games always the
        question whether the game runs in a browser.
        """
        if value.constant not in (0, 1) or type(value.node) is not tree.Number:
            return
        if self.typed:
            value.node = tree.Boolean(value.constant == 1)
        else:
            operator = "==" if value.constant == 1 else "!="
            browser, none = tree.Name("os_browser"), tree.Name("browser_not_a_browser")
            value.node = tree.Binary(operator, browser, none)

    def as_condition(self, value: Value) -> None:
        """Show a constant that is used as a condition without conversion as a boolean."""
        if self.evidence.gathering:
            self.evidence.note_asked(value.node)
        if value.converted < 0 and value.constant is not None:
            self.as_boolean(value)

    # -- pushes --------------------------------------------------------------------------------

    def on_push(self, instruction: Instruction, index: int) -> int:
        """push, pushloc, pushglb, pushbltn."""
        kind = instruction.type1
        operand = instruction.operand
        if kind == VARIABLE:
            if type(operand) is not VariableReference:
                raise StructureError("a variable access without a variable")
            self.stack.append(self.variable(instruction, operand))
        elif kind == STRING:
            node = string_node(str(operand), self.dialect.gms2_or_later)
            self.stack.append(Value(node, STRING, instruction))
        elif kind == INT16:
            return self.on_pushi(instruction, index)
        elif kind == INT32:
            self.stack.append(self._int32(instruction))
        elif kind == INT64:
            self.stack.append(self._int64(instruction))
        elif kind == DOUBLE:
            self.stack.append(Value(double_node(operand), DOUBLE, instruction))
        else:
            raise StructureError(f"a push of type {kind}")
        return index + 1

    def on_pushi(self, instruction: Instruction, index: int) -> int:
        """pushi.e and push.e."""
        number = instruction.value
        value = Value(tree.Number(number), INT32, instruction)
        value.constant = number
        self.stack.append(value)
        return index + 1

    def _int32(self, instruction: Instruction) -> Value:
        operand = instruction.operand
        if type(operand) is FunctionReference:
            return Value(tree.Name(self.function_name(operand.name)), INT32, instruction)
        if type(operand) is VariableReference:
            call = tree.Call(tree.Name("variable_get_hash"), [tree.String(operand.name)])
            return Value(call, INT32, instruction)
        if not isinstance(operand, int):
            raise StructureError("a push.i without a number")
        value = Value(tree.Number(operand), INT32, instruction)
        value.constant = operand
        return value

    def _int64(self, instruction: Instruction) -> Value:
        operand = instruction.operand
        if not isinstance(operand, int):
            raise StructureError("a push.l without a number")
        node: tree.Expression
        if -0x80000000 <= operand <= 0x7FFFFFFF:
            node = self.evidence.enum_member(operand) or tree.Int64(operand)
        else:
            node = tree.Number(operand)
        return Value(node, INT64, instruction)

    def function_name(self, code_name: str) -> str:
        """What source text calls a function."""
        return self.evidence.function_name(code_name)

    # -- stores --------------------------------------------------------------------------------

    def on_pop(self, instruction: Instruction, index: int) -> int:
        """pop: a store, or (pre-2.3) a swap."""
        stack = self.stack
        if instruction.type1 == INT16:
            self._old_swap(instruction.value)
            return index + 1
        reference = instruction.operand
        if type(reference) is not VariableReference:
            raise StructureError("a store without a variable")
        if instruction.type1 == INT32:
            value = stack.pop()
            target = self.variable(instruction, reference)
        else:
            target = self.variable(instruction, reference)
            value = stack.pop()
        if instruction.type2 == BOOLEAN:
            self.as_boolean(value)
        self.store(target, value, index + 1)
        return index + 1

    def _old_swap(self, words: int) -> None:
        """``inst a b -> b inst a`` (5), ``inst idx a b -> b inst idx a`` (6)."""
        stack = self.stack
        depth = words - 3
        if depth not in (2, 3) or len(stack) <= depth:
            raise StructureError(f"a swap of {words} words")
        stack.insert(len(stack) - 1 - depth, stack.pop())

    def store(self, target: Value, value: Value, following: int) -> None:
        """An assignment, compound assignment, increment or the naming of a function."""
        stack = self.stack
        kept = bool(stack) and stack[-1] is value
        node = value.node
        if kept and isinstance(node, tree.Function):
            if not isinstance(target.node, (tree.Name, tree.Member)):
                raise StructureError("a function is stored in an array and kept")
            if not self.is_struct_function(value):
                node.name = target.node.name
            return
        left = value.left
        if value.operator and left is not None and self._same_place(left, target):
            right = value.right
            assert right is not None
            if self._crement(target, value, left, right, kept, following):
                return
            # The divisor of `x = x / y` becomes a double, that of `x /= y` does not.
            written = right.converted >= 0 and right.type == DOUBLE
            if left.converted < 0 and value.operator in COMPOUND and not kept and not written:
                target.node = left.node
                self._assign(target, OPERATORS[value.operator] + "=", right, following)
                return
            if target.source is not None and target.source.type1 == INT32:
                raise StructureError("a compound assignment of an unknown shape")
        if kept:
            raise StructureError("a value is stored and used again")
        self._assign(target, "=", value, following)

    def _crement(
        self, target: Value, value: Value, left: Value, right: Value, kept: bool, following: int
    ) -> bool:
        """Whether a store of ``X + 1`` or ``X - 1`` is an increment; if so, make it one."""
        source = right.source
        if source is None or right.constant != 1 or value.operator not in (ADD, SUB):
            return False
        if source.opcode != PUSH or source.type1 != INT16:
            return False
        operator = "++" if value.operator == ADD else "--"
        target.node = left.node
        if self.evidence.gathering:
            self.evidence.note_assigned(target.node, target.node, False)
        stack = self.stack
        if kept or (stack and stack[-1] is left):
            node = tree.Increment(operator, target.node, prefix=kept)
            stack[-1] = self.grow(Value(node, VARIABLE), target)
            return True
        if self.old:
            return False
        statement = tree.ExpressionStatement(tree.Increment(operator, self.owned(target.node)))
        self.emit(statement, following)
        return True

    def _same_place(self, left: Value, target: Value) -> bool:
        """Whether a value was read from just where it is now stored."""
        read, write = left.source, target.source
        if read is None or write is None or type(read.operand) is not VariableReference:
            return False
        reference, other = read.operand, write.operand
        if type(other) is not VariableReference or reference.name != other.name:
            return False
        if left.instance is not None or target.instance is not None:
            return left.instance is target.instance and left.index is target.index
        if reference.kind != other.kind or read.value != write.value:
            return False
        return self.old or read.opcode == PUSH

    def owned(self, place: tree.Expression) -> tree.Expression:
        """What a statement changes: an element that has no owner was written ``a[@ i]``."""
        if self.unowned and type(place) is tree.Index and not place.accessor:
            return tree.Index(place.object, place.indices, "@", place.position)
        return place

    def _assign(self, target: Value, operator: str, value: Value, following: int) -> None:
        node = value.node
        evidence = self.evidence
        if evidence.gathering:
            evidence.note_assigned(target.node, node, operator == "=")
        if operator == "=" and type(node) in MIXED:
            node = evidence.assigned(target.node, node)
        self.budget -= value.size
        if self.budget < 0:
            raise StructureError("duplicated values make code of unreasonable size")
        source = target.source
        if type(node) is tree.Function and evidence.says_self:
            own = source is not None and source.value == InstanceType.SELF
            if own and isinstance(target.node, tree.Member):
                target.node = tree.Name(target.node.name)  # a method stands without
        place = target.node if operator == "=" else self.owned(target.node)
        statement = tree.Assignment(place, operator, node)
        if type(node) is tree.Name and operator == "=" and target.node == node and not self.old:
            # ``x = x`` compiles to nothing: this was written otherwise
            if source is not None and source.value == InstanceType.LOCAL:
                self.emit(tree.Var([tree.Declarator(node.name, node)]), following)
                return
            statement.target = tree.Member(tree.Name("self"), node.name)
        self.emit(statement, following)
        if source is not None and source.value == -16 and self.dialect.static_marker_everywhere:
            self.fragment.static_stores.append(statement)

    # -- operators -----------------------------------------------------------------------------

    def on_conv(self, instruction: Instruction, index: int) -> int:
        """conv: changes the type only."""
        value = self.stack[-1]
        origin = instruction.type1
        if origin == BOOLEAN:
            self.as_boolean(value)
        value.converted = origin
        value.type = instruction.type2
        return index + 1

    def on_binary(self, instruction: Instruction, index: int) -> int:
        """Arithmetic and bit operators."""
        stack = self.stack
        right = stack.pop()
        left = stack.pop()
        opcode = instruction.opcode
        operator = OPERATORS[opcode]
        right_type, left_type = instruction.type1, instruction.type2
        if right_type == BOOLEAN and right.constant is not None and right.converted < 0:
            self.as_boolean(right)
        if right_type == BOOLEAN and left_type == BOOLEAN and operator in LOGICAL:
            self.as_condition(left)
            self.as_condition(right)
            node = tree.Binary(LOGICAL[operator], left.node, right.node)
            value = Value(node, BOOLEAN)
        else:
            node = tree.Binary(operator, left.node, right.node)
            if self.evidence.gathering and opcode < Opcode.AND:
                self.evidence.note_arithmetic(left.node, right.node, opcode == ADD)
            if type(left.node) is tree.Binary and left.operator:
                node.left.grouped = self._grouped(left, opcode)  # type: ignore[attr-defined]
            value = Value(node, _result_type(right_type, left_type, opcode))
            value.operator = opcode
            value.left = left
            value.right = right
        # A spine to the left is walked by loops and costs no depth.
        if left.operator:
            self.grow(value, right)
            value.depth = max(value.depth, left.depth)
            value.size += left.size
            value.arrays |= left.arrays
            if value.size > self.budget:
                raise StructureError("duplicated values make an expression of unreasonable size")
        else:
            self.grow(value, left, right)
        stack.append(value)
        return index + 1

    def _grouped(self, left: Value, opcode: int) -> int:
        """Whether the left operand of an operator of the same level stood in parentheses: it was
        coerced again only then."""
        if left.converted < 0:
            return 0
        return 1 if _level(left.operator) == _level(opcode) else 0

    def on_cmp(self, instruction: Instruction, index: int) -> int:
        """Comparisons."""
        stack = self.stack
        right = stack.pop()
        left = stack.pop()
        kind = instruction.value
        if not 1 <= kind <= 6:
            raise StructureError(f"a comparison of unknown kind {kind}")
        if instruction.type1 == BOOLEAN:
            self.as_boolean(right)
        if instruction.type2 == BOOLEAN:
            self.as_boolean(left)
        left_node, right_node = left.node, right.node
        if self.evidence.gathering:
            self.evidence.note_compared(left_node, right_node, kind not in (3, 4))
        meet = self.evidence.equal if kind in (3, 4) else self.evidence.compared
        if type(right_node) is tree.Number:
            right_node = meet(left_node, right_node)
        elif type(left_node) is tree.Number:
            left_node = meet(right_node, left_node)
        value = Value(tree.Binary(COMPARISONS[kind], left_node, right_node), BOOLEAN)
        value.left = left
        value.right = right
        if left.operator:
            self.grow(value, right)
            value.size += left.size
            value.arrays |= left.arrays
            value.depth = max(value.depth, left.depth)
        else:
            self.grow(value, left, right)
        stack.append(value)
        return index + 1

    def on_neg(self, instruction: Instruction, index: int) -> int:
        """Unary minus."""
        return self._unary("-", instruction, index)

    def on_not(self, instruction: Instruction, index: int) -> int:
        """``!`` on a boolean, ``~`` on anything else."""
        return self._unary("!" if instruction.type1 == BOOLEAN else "~", instruction, index)

    def _unary(self, operator: str, instruction: Instruction, index: int) -> int:
        operand = self.stack.pop()
        if operator == "!":
            self.as_condition(operand)
        value = self.grow(Value(tree.Unary(operator, operand.node), instruction.type1), operand)
        self.stack.append(value)
        return index + 1

    # -- duplication ---------------------------------------------------------------------------

    def on_dup(self, instruction: Instruction, index: int) -> int:
        """dup: copy values, or (2.3) swap two groups of them; both count bytes."""
        number = instruction.value & 0xFF
        swap = instruction.value >> 8 & 0xFF
        unit = STACK_SIZES[instruction.type1]
        stack = self.stack
        if not swap:
            if instruction.type1 == BOOLEAN and stack:
                self.as_boolean(stack[-1])
            start = self._below((number + 1) * unit, len(stack))
            stack.extend(stack[start:])
            return index + 1
        other = (swap & 0x7F) >> 3
        if instruction.type1 == INT16:
            unit = STACK_SIZES[VARIABLE]
            number, other = other, number
        top = self._below(number * unit, len(stack))
        bottom = self._below(other * unit, top)
        stack[bottom:] = stack[top:] + stack[bottom:top]
        return index + 1

    def _below(self, size: int, end: int) -> int:
        """The index where the ``size`` bytes of values that end before ``end`` begin."""
        stack = self.stack
        while size > 0:
            end -= 1
            if end < 0:
                raise StructureError("dup reaches below the stack")
            kind = stack[end].type
            size -= min(size, STACK_SIZES[VARIABLE]) if kind == EITHER else STACK_SIZES[kind]
        if size < 0:
            raise StructureError("dup takes half a value")
        return end

    # -- extended operations -------------------------------------------------------------------

    def push_reference(self, instruction: Instruction) -> None:
        """pushref: an asset or a function."""
        operand = instruction.operand
        node: tree.Expression
        if type(operand) is FunctionReference:
            node = tree.Name(self.function_name(operand.name))
        elif type(operand) is AssetReference:
            name = self.context.asset_name(operand.kind, operand.index)
            node = tree.Name(name if name is not None else f"{operand.kind}_{operand.index}")
        else:
            raise StructureError("a pushref of nothing")
        self.stack.append(Value(node, VARIABLE, instruction))

    def read_element(self) -> None:
        """pushaf, pushac: ``arrayref idx -> element`` (or the reference of an inner array)."""
        stack = self.stack
        subscript = stack.pop()
        array = stack.pop()
        value = self.grow(Value(index_node(array.node, subscript.node), VARIABLE), array, subscript)
        value.instance = array
        value.index = subscript
        stack.append(value)

    def write_element(self, following: int) -> None:
        """popaf: ``value arrayref idx ->``."""
        stack = self.stack
        subscript = stack.pop()
        array = stack.pop()
        value = stack.pop()
        target = self.grow(
            Value(index_node(array.node, subscript.node), VARIABLE), array, subscript
        )
        target.instance = array
        target.index = subscript
        left = value.left
        if (
            value.operator
            and left is not None
            and left.instance is array
            and left.index is subscript
        ):
            right = value.right
            assert right is not None
            kept = bool(stack) and stack[-1] is value
            if self._crement(target, value, left, right, kept, following):
                return
            self._assign(target, OPERATORS[value.operator] + "=", right, following)
            return
        if stack and stack[-1] is value:
            raise StructureError("a value is stored and used again")
        self._assign(target, "=", value, following)

    def is_struct_function(self, value: Value) -> bool:
        """Whether a function value is the body of a struct literal."""
        raise StructureError("the layer that knows the structure is missing")


def _level(opcode: int) -> int:
    """Operators of one precedence level have one number."""
    if opcode in (ADD, SUB):
        return 1
    if opcode in (Opcode.AND, Opcode.OR, Opcode.XOR):
        return 2
    if opcode in (Opcode.SHL, Opcode.SHR):
        return 3
    return 4


def index_node(array: tree.Expression, subscript: tree.Expression) -> tree.Index:
    """``array[subscript]``"""
    return tree.Index(array, [subscript])
