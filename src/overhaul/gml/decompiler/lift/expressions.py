"""Instructions that push, combine and copy values.

Each handler takes an instruction and its index, works on the current stack, and returns the
index of the next instruction. The effect of every operation on the stack is described in the
bytecode notes of the docs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from overhaul.gml.decompiler import opcodes as op
from overhaul.gml.decompiler.lift.scope import Frame, Scope, Value
from overhaul.gml.decompiler.lift.variables import Variables
from overhaul.gml.decompiler.types.constants import EnumMembers, string_node
from overhaul.gml.decompiler.types.locations import Uses
from overhaul.gml.decompiler.unstructured import StructureError
from overhaul.gml.dialect import Dialect
from overhaul.gml.syntax import tree
from overhaul.gml.vm.code import AssetReference, FunctionReference, Instruction, VariableReference
from overhaul.gml.vm.opcodes import STACK_SIZES, Opcode

OPERATORS: Final[dict[int, str]] = {
    Opcode.MUL: "*", Opcode.DIV: "/", Opcode.REM: "div", Opcode.MOD: "%", Opcode.ADD: "+",
    Opcode.SUB: "-", Opcode.AND: "&", Opcode.OR: "|", Opcode.XOR: "^", Opcode.SHL: "<<",
    Opcode.SHR: ">>",
}  # fmt: skip
_LOGICAL: Final = {"&": "&&", "|": "||", "^": "^^"}
_COMPARISONS: Final = ("", "<", "<=", "==", "!=", ">=", ">")
_EITHER: Final = 16
"""Stands for the type of a difference of strings: compilers take it for a double or a variable."""
_RANK: Final = {op.VARIABLE: 2, op.DOUBLE: 1, op.INT64: 1}
_LEVELS: Final = {op.ADD: 1, op.SUB: 1, op.AND: 2, op.OR: 2, op.XOR: 2, op.SHL: 3, op.SHR: 3}
"""Operators of one precedence level have one number; all others have another."""


def _result_type(right: int, left: int, opcode: int) -> int:
    """The type an operation leaves (needed because ``dup`` counts bytes)."""
    if (right == op.STRING or left == op.STRING) and opcode not in (op.ADD, op.MUL):
        return _EITHER
    rank_right, rank_left = _RANK.get(right, 0), _RANK.get(left, 0)
    if rank_right != rank_left:
        return right if rank_right > rank_left else left
    return min(right, left)


@dataclass
class Expressions:
    """Reads instructions into values."""

    frame: Frame
    scope: Scope
    variables: Variables
    uses: Uses
    enums: EnumMembers
    dialect: Dialect

    # -- booleans ------------------------------------------------------------------------------

    def as_boolean(self, value: Value) -> None:
        """Show a constant 0 or 1 that the code treats as a boolean as ``false`` or ``true``.

        Before booleans had a type, only a comparison folded away made one: of a macro
        (``DEBUG == true``), or whether the game runs in a browser.  The code does not say of what.
        """
        if value.constant not in (0, 1) or type(value.node) is not tree.Number:
            return
        if self.dialect.typed_booleans:
            value.node = tree.Boolean(value.constant == 1)
        else:
            operator = "==" if value.constant == 1 else "!="
            value.node = tree.Binary(operator, tree.Boolean(True), tree.Boolean(True))

    def as_condition(self, value: Value) -> None:
        """Show a constant that is used as a condition without conversion as a boolean."""
        self.uses.asked(value.node)
        if value.converted < 0 and value.constant is not None:
            self.as_boolean(value)

    def pop_condition(self) -> Value:
        """Take a condition from the stack."""
        value = self.frame.stack.pop()
        self.as_condition(value)
        return value

    # -- pushes --------------------------------------------------------------------------------

    def on_push(self, instruction: Instruction, index: int) -> int:
        """push, pushloc, pushglb, pushbltn."""
        kind = instruction.type1
        operand = instruction.operand
        if kind == op.VARIABLE:
            if type(operand) is not VariableReference:
                raise StructureError("a variable access without a variable")
            value = self.variables.variable(instruction, operand)
        elif kind == op.STRING:
            node = string_node(str(operand), self.dialect.gms2_or_later)
            value = Value(node, op.STRING, instruction)
        elif kind == op.INT16:
            return self.on_pushi(instruction, index)
        elif kind == op.INT32:
            value = self._int32(instruction)
        elif kind == op.INT64:
            value = self._int64(instruction)
        elif kind == op.DOUBLE:
            value = Value(self.uses.double(operand), op.DOUBLE, instruction)
        else:
            raise StructureError(f"a push of type {kind}")
        self.frame.stack.append(value)
        return index + 1

    def on_pushi(self, instruction: Instruction, index: int) -> int:
        """pushi.e and push.e."""
        number = instruction.value
        value = Value(tree.Number(number), op.INT32, instruction)
        value.constant = number
        self.frame.stack.append(value)
        return index + 1

    def _int32(self, instruction: Instruction) -> Value:
        operand = instruction.operand
        if type(operand) is FunctionReference:
            return Value(tree.Name(self.scope.function_name(operand.name)), op.INT32, instruction)
        if type(operand) is VariableReference:
            call = tree.Call(tree.Name("variable_get_hash"), [tree.String(operand.name)])
            return Value(call, op.INT32, instruction)
        if not isinstance(operand, int):
            raise StructureError("a push.i without a number")
        value = Value(tree.Number(operand), op.INT32, instruction)
        value.constant = operand
        return value

    def _int64(self, instruction: Instruction) -> Value:
        operand = instruction.operand
        if not isinstance(operand, int):
            raise StructureError("a push.l without a number")
        node: tree.Expression
        if -0x80000000 <= operand <= 0x7FFFFFFF:
            node = self.enums.member(operand) or tree.Int64(operand)
        else:
            node = tree.Number(operand)
        return Value(node, op.INT64, instruction)

    def push_reference(self, instruction: Instruction) -> None:
        """pushref: an asset or a function."""
        operand = instruction.operand
        node: tree.Expression
        if type(operand) is FunctionReference:
            node = tree.Name(self.scope.function_name(operand.name))
        elif type(operand) is AssetReference:
            node = self._asset(*operand)
        else:
            raise StructureError("a pushref of nothing")
        self.frame.stack.append(Value(node, op.VARIABLE, instruction))

    def _asset(self, kind: str, number: int) -> tree.Expression:
        """An asset by its name, where the name by itself means it (not that of a script: a function
        is meant); else as a call that compiles to the reference."""
        context = self.scope.context
        name = context.asset_name(kind, number)
        if name is None and kind == "room_instance":
            return tree.Name(f"inst_{number}")
        if name is None or kind == "script" or context.asset_id(name) != (kind, number):
            return tree.Call(tree.Name(f"@@{kind}@@"), [tree.Number(number)])
        return tree.Name(name)

    def pop_element(self) -> Value:
        """``arrayref idx ->``: the element of an array reference."""
        subscript = self.frame.stack.pop()
        array = self.frame.stack.pop()
        value = Value(tree.Index(array.node, [subscript.node]), op.VARIABLE)
        value.instance = array
        value.index = subscript
        return self.frame.grow(value, array, subscript)

    # -- operators -----------------------------------------------------------------------------

    def on_conv(self, instruction: Instruction, index: int) -> int:
        """conv: changes the type only."""
        value = self.frame.stack[-1]
        origin = instruction.type1
        if origin == op.BOOLEAN:
            self.as_boolean(value)
        value.converted = origin
        value.type = instruction.type2
        return index + 1

    def on_binary(self, instruction: Instruction, index: int) -> int:
        """Arithmetic and bit operators."""
        stack = self.frame.stack
        right = stack.pop()
        left = stack.pop()
        opcode = instruction.opcode
        operator = OPERATORS[opcode]
        right_type, left_type = instruction.type1, instruction.type2
        if right_type == op.BOOLEAN and right.constant is not None and right.converted < 0:
            self.as_boolean(right)
        if right_type == op.BOOLEAN and left_type == op.BOOLEAN and operator in _LOGICAL:
            self.as_condition(left)
            self.as_condition(right)
            node = tree.Binary(_LOGICAL[operator], left.node, right.node)
            self._push_binary(Value(node, op.BOOLEAN), left, right)
            return index + 1
        node = tree.Binary(operator, left.node, right.node)
        if opcode < op.AND:
            self.uses.calculated(node)
        operand = left.node
        if left.operator and type(operand) is tree.Binary:
            # A left operand of the same level is coerced again only if it stood in parentheses.
            same = _LEVELS.get(left.operator) == _LEVELS.get(opcode)
            operand.grouped = 1 if same and left.converted >= 0 else 0
        value = Value(node, _result_type(right_type, left_type, opcode))
        value.operator = opcode
        self._push_binary(value, left, right)
        value.left = left
        value.right = right
        return index + 1

    def on_cmp(self, instruction: Instruction, index: int) -> int:
        """Comparisons."""
        stack = self.frame.stack
        right = stack.pop()
        left = stack.pop()
        kind = instruction.value
        if not 1 <= kind <= 6:
            raise StructureError(f"a comparison of unknown kind {kind}")
        if instruction.type1 == op.BOOLEAN:
            self.as_boolean(right)
        if instruction.type2 == op.BOOLEAN:
            self.as_boolean(left)
        nodes = self.uses.compared(left.node, right.node, kind not in (3, 4))
        value = Value(tree.Binary(_COMPARISONS[kind], nodes[0], nodes[1]), op.BOOLEAN)
        self._push_binary(value, left, right)
        value.left = left
        value.right = right
        return index + 1

    def _push_binary(self, value: Value, left: Value, right: Value) -> None:
        if left.operator:
            self.frame.grow_chain(value, left, right)
        else:
            self.frame.grow(value, left, right)
        self.frame.stack.append(value)

    def on_neg(self, instruction: Instruction, index: int) -> int:
        """Unary minus."""
        return self._unary("-", instruction, index)

    def on_not(self, instruction: Instruction, index: int) -> int:
        """``!`` on a boolean, ``~`` on anything else."""
        return self._unary("!" if instruction.type1 == op.BOOLEAN else "~", instruction, index)

    def _unary(self, operator: str, instruction: Instruction, index: int) -> int:
        operand = self.frame.stack.pop()
        if operator == "!":
            self.as_condition(operand)
        value = Value(tree.Unary(operator, operand.node), instruction.type1)
        self.frame.stack.append(self.frame.grow(value, operand))
        return index + 1

    # -- duplication ---------------------------------------------------------------------------

    def on_dup(self, instruction: Instruction, index: int) -> int:
        """dup: copy values, or (2.3) swap two groups of them; both count bytes."""
        number = instruction.value & 0xFF
        swap = instruction.value >> 8 & 0xFF
        unit = STACK_SIZES[instruction.type1]
        stack = self.frame.stack
        if not swap:
            if instruction.type1 == op.BOOLEAN and stack:
                self.as_boolean(stack[-1])
            start = self._below((number + 1) * unit, len(stack))
            if instruction.type1 == op.INT64:
                self.frame.stepped = stack[-1]
            copies = stack[start:]
            self.frame.copied += [copy.node for copy in copies if copy.constant is not None]
            stack += copies
            return index + 1
        other = (swap & 0x7F) >> 3
        if instruction.type1 == op.INT16:
            unit = STACK_SIZES[op.VARIABLE]
            number, other = other, number
        top = self._below(number * unit, len(stack))
        bottom = self._below(other * unit, top)
        stack[bottom:] = stack[top:] + stack[bottom:top]
        return index + 1

    def _below(self, size: int, end: int) -> int:
        """The index where the ``size`` bytes of values that end before ``end`` begin."""
        stack = self.frame.stack
        while size > 0:
            end -= 1
            if end < 0:
                raise StructureError("dup reaches below the stack")
            kind = stack[end].type
            size -= min(size, STACK_SIZES[op.VARIABLE]) if kind == _EITHER else STACK_SIZES[kind]
        if size < 0:
            raise StructureError("dup takes half a value")
        return end
