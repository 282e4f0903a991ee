"""The straight-line part: instructions push values, and stores, calls and drops become statements.

Each handler takes an instruction and its index, works on the current block's stack, and returns the
index of the next instruction.  What every operation does to the stack, and the shapes of compound
assignments, increments and array accesses, are described in the bytecode notes of the docs.
"""

from __future__ import annotations

import math
from typing import Final

from overhaul.gml.context import Context
from overhaul.gml.decompiler.evidence import Evidence
from overhaul.gml.decompiler.fragment import Fragment
from overhaul.gml.decompiler.layout import Layout
from overhaul.gml.decompiler.values import MAXIMUM_DEPTH, PLAIN_ARRAY, StructureError, Value
from overhaul.gml.syntax import tree
from overhaul.gml.vm.code import (
    AssetReference,
    Code,
    FunctionReference,
    Instruction,
    VariableReference,
)
from overhaul.gml.vm.opcodes import STACK_SIZES, DataType, Opcode, ReferenceType

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

OPERATORS: Final[dict[int, str]] = {
    Opcode.MUL: "*", Opcode.DIV: "/", Opcode.REM: "div", Opcode.MOD: "%", Opcode.ADD: "+",
    Opcode.SUB: "-", Opcode.AND: "&", Opcode.OR: "|", Opcode.XOR: "^", Opcode.SHL: "<<",
    Opcode.SHR: ">>",
}  # fmt: skip
LOGICAL: Final = {"&": "&&", "|": "||", "^": "^^"}
COMPARISONS: Final = ("", "<", "<=", "==", "!=", ">=", ">")
COMPOUND: Final = frozenset(OPERATORS) - {Opcode.REM, Opcode.SHL, Opcode.SHR}
"""Operations with an assignment operator."""
_RANK: Final = {VARIABLE: 2, DOUBLE: 1, INT64: 1}
MIXED: Final = frozenset((tree.Number, tree.Conditional, tree.Call, tree.ArrayLiteral))
"""Expressions whose numbers may have names."""
FIRST_ROOM_INSTANCE: Final = 100000
ARRAY_LIMIT: Final = 32000
"""Pre-2.3 arrays hold 32000 elements per row: ``a[i, j]`` is element ``i * 32000 + j``."""


def _result_type(right: int, left: int, opcode: int) -> int:
    """The type an operation leaves (needed because ``dup`` counts bytes)."""
    if right == STRING or left == STRING:
        if opcode not in (ADD, MUL):
            return DOUBLE
    rank_right, rank_left = _RANK.get(right, 0), _RANK.get(left, 0)
    if rank_right != rank_left:
        return right if rank_right > rank_left else left
    return min(right, left)


class Machine:
    """Reads instructions into values and statements; the structure around them is a subclass's."""

    def __init__(self, code: Code, context: Context, layout: Layout, evidence: Evidence) -> None:
        self.code = code
        self.context = context
        self.dialect = context.dialect
        self.instructions = code.instructions
        self.layout = layout
        self.evidence = evidence
        self.stack: list[Value] = []
        self.out: list[tree.Statement] = []
        self.begin = 0
        """Index of the first instruction of the statement being read."""
        self.fragment = Fragment(None, 0, len(code.instructions))
        self.made: dict[str, tree.Function] = {}
        """Functions read in place, by code name, until ``method`` asks for them."""
        self.made_fragments: dict[str, Fragment] = {}
        self.budget = 40 * len(code.instructions) + 2000
        self.root_locals: set[str] = set(code.local_names)
        self.old = self.dialect.bytecode14_or_lower
        self.v2 = self.dialect.gml_v2
        self.typed = self.dialect.typed_booleans
        self.enum_values: set[int] = set()

    # -- building ------------------------------------------------------------------------------

    def emit(self, statement: tree.Statement, index: int) -> None:
        """Add a statement that ends before instruction ``index``."""
        statement.address = self.layout.offsets[self.begin]
        self.begin = index
        self.out.append(statement)

    def grow(self, value: Value, *parts: Value) -> Value:
        """Note the size and depth of a new expression; refuse what would explode or nest too deep."""
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
            self.stack.append(Value(tree.String(str(operand)), STRING, instruction))
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

    # -- variables -----------------------------------------------------------------------------

    def variable(self, instruction: Instruction, reference: VariableReference) -> Value:
        """The variable an instruction accesses; takes its instance and index from the stack."""
        kind = reference.kind
        name = reference.name
        if kind == NORMAL:
            if instruction.value == -9:
                instance = self.stack.pop()
                node = tree.Member(instance.node, name)
                return self.grow(Value(node, VARIABLE, instruction), instance)
            scope = instruction.value
            if scope == -1 and instruction.opcode == PUSHBLTN:
                return Value(tree.Name(name), VARIABLE, instruction)
            if scope == -1 and self.v2 and instruction.opcode == POP and self.is_own(name):
                return Value(tree.Name(name), VARIABLE, instruction)
            return Value(self.plain(name, scope), VARIABLE, instruction)
        if kind == INSTANCE:
            number = FIRST_ROOM_INSTANCE + (instruction.value & 0xFFFF)
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
                return tree.Member(tree.Name("self"), name)
            return tree.Name(name)
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

    def is_own(self, name: str) -> bool:
        """Whether a function's name, as the target of an assignment, means the instance's variable."""
        return not self.dialect.self_to_builtin and name not in self.root_locals and (
            name not in self.fragment.taken
        )

    def must_say_self(self, name: str, scope: int) -> bool:
        """Whether a bare name would mean something else than the instance's variable."""
        if name in self.root_locals and name in self.fragment_locals():
            return True
        if name in self.fragment.taken:
            return True
        if self.v2 and (name in self.context.functions):
            return True
        return (
            scope == -1
            and self.dialect.self_to_builtin
            and not self.fragment.is_struct
        )

    def fragment_locals(self) -> set[str]:
        """Names of the current fragment's local variables (found by looking ahead, once)."""
        fragment = self.fragment
        if not fragment.locals:
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
        """An object by number, as the left side of a dot."""
        name = self.context.asset_name("object", number)
        return tree.Name(name) if name is not None else tree.Number(number)

    def member(self, instance: Value, name: str) -> tuple[tree.Expression, Value]:
        """``name`` of an instance on the stack, and the value the instance really came from."""
        number = instance.constant
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
            return tree.Member(self.evidence.as_kind(real.node, "object"), name), real
        if number == -7:
            self.root_locals.add(name)
            return self.plain(name, -7), instance
        if number == -1:
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
            if self.old and subscript.constant == 0:
                return []
        return [subscript.node]

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
            if left.converted < 0 and value.operator in COMPOUND and not kept:
                if value.operator != Opcode.DIV or right.converted < 0:
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
        """Whether a store of ``X + 1`` or ``X - 1`` is a ``++`` or ``--``, and if so, make it one."""
        source = right.source
        if source is None or right.constant != 1 or value.operator not in (ADD, SUB):
            return False
        if source.opcode != PUSH or source.type1 != INT16:
            return False
        operator = "++" if value.operator == ADD else "--"
        if self.evidence.gathering:
            self.evidence.note_assigned(target.node, target.node, False)
        stack = self.stack
        if kept or (stack and stack[-1] is left):
            node = tree.Increment(operator, target.node, prefix=kept)
            stack[-1] = self.grow(Value(node, VARIABLE), target)
            return True
        if self.old:
            return False
        statement = tree.ExpressionStatement(tree.Increment(operator, target.node))
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
        self.emit(tree.Assignment(target.node, operator, node), following)

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
        if right_type == BOOLEAN and left_type == BOOLEAN and operator in LOGICAL:
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
        if type(right_node) is tree.Number:
            right_node = self.evidence.compared(left_node, right_node)
        elif type(left_node) is tree.Number:
            left_node = self.evidence.compared(right_node, left_node)
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
            size -= STACK_SIZES[stack[end].type]
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
        if value.operator and left is not None and left.instance is array and left.index is subscript:
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
        raise NotImplementedError


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


def double_node(operand: object) -> tree.Expression:
    """The literal of a push.d."""
    if not isinstance(operand, float):
        raise StructureError("a push.d without a number")
    if operand == math.pi:
        return tree.Name("pi")
    if math.isnan(operand) or math.isinf(operand):
        raise StructureError(f"the constant {operand} has no literal")
    return tree.Number(operand)
