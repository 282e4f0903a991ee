"""Constant folding, as the official compilers do it: bottom-up, and a chain only from its left
end.
"""

from __future__ import annotations

import math
import re
from typing import Final

from overhaul.gml.compiler.names import INSTANCE_WORDS, NameResolver
from overhaul.gml.compiler.nodes import CONSTANTS, Constant, Problem, Truth, number
from overhaul.gml.dialect import Dialect
from overhaul.gml.syntax import tree

_MASK: Final = 0xFFFF_FFFF_FFFF_FFFF
MAX_STRING: Final = 1 << 20


def signed64(value: int) -> int:
    """The 64-bit two's complement value of an integer."""
    value &= _MASK
    return value - (1 << 64) if value >> 63 else value


def truncated(value: int | float) -> int:
    """A number cut to a 64-bit integer."""
    if isinstance(value, int):
        return signed64(value)
    if math.isnan(value) or math.isinf(value):
        return -(1 << 63)
    return signed64(int(value))


def is_true(node: Constant) -> bool:
    """Whether a constant counts as true in a condition."""
    if isinstance(node, tree.String):
        return False
    if isinstance(node, tree.Int64):
        return node.value >= 1
    return float(node.value) > 0.5


def fold_unary(node: tree.Unary, operand: Constant) -> tree.Expression | None:
    """The value of a prefix operator on a constant, None where it is not folded."""
    operator = node.operator
    position = node.position
    if operator == "+":
        return operand
    if isinstance(operand, tree.String):
        return None
    if operator == "!":
        return _inverted(operand, position)
    if isinstance(operand, tree.Int64):
        value = -operand.value if operator == "-" else ~operand.value
        return tree.Int64(signed64(value), position=position)
    if isinstance(operand, tree.Boolean):
        value = int(operand.value)
        return tree.Number(-value if operator == "-" else ~value, position=position)
    if operator == "-":
        return tree.Number(-operand.value, position=position)
    return number(~truncated(operand.value), position)


def _inverted(operand: tree.Number | tree.Int64 | tree.Boolean, position: int) -> tree.Expression:
    """``!`` keeps the kind: of a number it is a number, of a comparison's result a boolean."""
    if isinstance(operand, tree.Boolean):
        return type(operand)(not operand.value, position=position)
    if isinstance(operand, tree.Int64):
        return tree.Int64(int(operand.value < 1), position=position)
    return tree.Number(int(not operand.value > 0.5), position=position)


def fold_binary(node: tree.Binary, left: Constant, right: Constant) -> tree.Expression | None:
    """The value of an operator on two constants, None where it is not folded; Problem on division
    by 0.
    """
    operator = node.operator
    position = node.position
    if isinstance(left, tree.String) or isinstance(right, tree.String):
        return _fold_strings(operator, left, right, position)
    if operator == "??":
        return left
    if operator in ("&&", "||", "^^"):
        a, b = is_true(left), is_true(right)
        truth = (a and b) if operator == "&&" else (a or b) if operator == "||" else a != b
        return tree.Number(int(truth), position=position)
    both64 = isinstance(left, tree.Int64) and isinstance(right, tree.Int64)
    any64 = isinstance(left, tree.Int64) or isinstance(right, tree.Int64)
    x: int | float = int(left.value) if isinstance(left, tree.Boolean) else left.value
    y: int | float = int(right.value) if isinstance(right, tree.Boolean) else right.value
    if operator in _COMPARISONS:
        return Truth(_compare(operator, x < y, x == y), position=position)
    if operator in ("+", "-", "*"):
        value = x + y if operator == "+" else x - y if operator == "-" else x * y
        if both64:
            return tree.Int64(signed64(int(value)), position=position)
        return number(value, position)
    if operator == "/":
        if both64:
            if y == 0:
                raise Problem("division by zero", position)
            return tree.Int64(_cut(int(x), int(y)), position=position)
        if y == 0:
            return tree.Number(_by_zero(x, y), position=position)
        quotient = x / y
        return number(int(quotient) if quotient.is_integer() else quotient, position)
    if operator in ("div", "%"):
        return _fold_division(operator, x, y, any64, position)
    return _fold_bits(operator, x, y, left, any64, position)


NAN: Final = math.nan


def _by_zero(x: float, y: float) -> float:
    """The result of a division by zero, which is not an error for plain numbers."""
    if x == 0 or math.isnan(x):
        return NAN
    return math.copysign(math.inf, x) * math.copysign(1.0, y)


_COMPARISONS: Final = frozenset({"==", "!=", "<", "<=", ">", ">="})


def _compare(operator: str, less: bool, equal: bool) -> bool:
    if operator == "==":
        return equal
    if operator == "!=":
        return not equal
    if operator == "<":
        return less
    if operator == "<=":
        return less or equal
    return not (less or equal) if operator == ">" else not less


def _fold_strings(
    operator: str, left: Constant, right: Constant, position: int
) -> tree.Expression | None:
    if isinstance(left, tree.String) and isinstance(right, tree.String):
        if operator == "+":
            return tree.String(left.value + right.value, position=position)
        if operator in _COMPARISONS:
            a, b = left.value, right.value
            return Truth(_compare(operator, a < b, a == b), position=position)
        return None
    if operator == "*" and isinstance(right, tree.String) and isinstance(left, tree.Number):
        count = truncated(left.value)
        if 0 <= count * len(right.value) <= MAX_STRING:
            return tree.String(right.value * count, position=position)
    return None


def _cut(x: int, y: int) -> int:
    quotient = abs(x) // abs(y)
    return signed64(quotient if (x < 0) == (y < 0) else -quotient)


def _fold_division(
    operator: str, x: int | float, y: int | float, any64: bool, position: int
) -> tree.Expression:
    if operator == "div" or any64:
        a, b = truncated(x), truncated(y)
        if b == 0:
            raise Problem("division by zero", position)
        value = _cut(a, b) if operator == "div" else a - b * _cut(a, b)
        return tree.Int64(value, position=position) if any64 else number(value, position)
    if y == 0 or math.isinf(x):
        return tree.Number(NAN, position=position)
    rest = math.fmod(x, y)
    return number(int(rest) if rest.is_integer() else rest, position)


def _fold_bits(
    operator: str, x: int | float, y: int | float, left: Constant, any64: bool, position: int
) -> tree.Expression:
    a, b = truncated(x), truncated(y)
    wide = any64
    if operator == "&":
        value = a & b
    elif operator == "|":
        value = a | b
    elif operator == "^":
        value = a ^ b
    else:
        wide = isinstance(left, tree.Int64)
        if not 0 <= b < 64:
            value = 0
        else:
            value = signed64(a << b) if operator == "<<" else a >> b
    if wide or value & 0x80000000 or not -(1 << 53) <= value <= 1 << 53:
        return tree.Int64(value, position=position)
    return tree.Number(value, position=position)


_DECIMAL: Final = re.compile(r"-?[0-9]{1,15}(\.[0-9]{1,15})?")


COLOR_PARTS: Final = {
    f"{word}_get_{part}": 8 * index
    for word in ("color", "colour")
    for index, part in enumerate(("red", "green", "blue"))
}
"""Functions of a colour's part -> its lowest bit."""


class Folder:
    """Works out the constant parts of expressions."""

    def __init__(self, names: NameResolver) -> None:
        self.names = names
        self.dialect: Dialect = names.dialect
        #: names in conditions and operations, which would be other code if they were constants
        self.weighed: set[str] = set()

    def fold(self, node: tree.Expression) -> tree.Expression:
        """The expression with its constant parts worked out (the tree is changed in place)."""
        if type(node) is tree.Name:
            return self.names.constant(node) or node
        if type(node) is tree.Binary:
            return self.fold_chain(node)
        if isinstance(node, tree.Unary):
            operand = self.weigh(node.operand)
            if isinstance(operand, CONSTANTS):
                folded = fold_unary(node, operand)
                if folded is not None:
                    return folded
            node.operand = operand
        elif isinstance(node, tree.Member):
            return self.names.enum_value(node) or node
        elif isinstance(node, tree.Call):
            return self.fold_call(node) or node
        elif isinstance(node, tree.TemplateString):
            texts = [part.value for part in node.parts if type(part) is tree.String]
            if self.dialect.template_strings and len(texts) == len(node.parts):
                return tree.String("".join(texts), position=node.position)
        elif isinstance(node, tree.Conditional):
            node.condition = self.weigh(node.condition)
            if isinstance(node.condition, CONSTANTS):
                return self.fold(node.then if is_true(node.condition) else node.otherwise)
        return node

    def weigh(self, node: tree.Expression) -> tree.Expression:
        """Fold what decides how the code around it is folded."""
        folded = self.fold(node)
        if type(folded) is tree.Name:
            self.weighed.add(folded.name)
        return folded

    def fold_chain(self, node: tree.Binary) -> tree.Expression:
        spine: list[tree.Binary] = []
        left: tree.Expression = node
        while isinstance(left, tree.Binary):
            spine.append(left)
            left = left.left
        left = self.weigh(left)
        for operation in reversed(spine):
            right = self.weigh(operation.right)
            operation.left = left
            operation.right = right
            left = operation
            if isinstance(operation.left, CONSTANTS) and isinstance(right, CONSTANTS):
                folded = fold_binary(operation, operation.left, right)
                if folded is not None:
                    left = folded
        return left

    def fold_call(self, node: tree.Call) -> tree.Expression | None:
        """The few functions that are worked out when their argument is constant."""
        if not isinstance(node.function, tree.Name) or len(node.arguments) != 1:
            return None
        name = node.function.name
        if name not in ("ord", "chr", "int64", "real", "string") and name not in COLOR_PARTS:
            return None
        argument = node.arguments[0]
        if argument is None:
            return None
        value = self.weigh(argument)
        position = node.position
        if name == "ord" and isinstance(value, tree.String) and self.dialect.ord_folds:
            return tree.Number(ord(value.value[0]) if value.value else 0, position=position)
        if name == "chr" and isinstance(value, tree.Number) and self.dialect.chr_folds:
            code = truncated(value.value)
            if 0 <= code < 0x110000:
                return tree.String(chr(code), position=position)
        if name in COLOR_PARTS:
            if isinstance(value, tree.Number) and self.dialect.color_parts_fold:
                part = truncated(value.value) >> COLOR_PARTS[name] & 0xFF
                return tree.Number(part, position=position)
            return None
        if name == "int64" and isinstance(value, (tree.Number, tree.Int64)):
            return tree.Int64(truncated(value.value), position=position)
        if self.dialect.string_real_optimizations:
            if name == "real":
                return value if isinstance(value, tree.Number) else _number_in(value)
            if name == "string" and self.dialect.string_call_folds:
                if isinstance(value, tree.Number) and isinstance(value.value, int):
                    return tree.String(str(value.value), position=position)
                return value if isinstance(value, tree.String) else None
        return None

    def instance_number(self, node: tree.Expression) -> int | None:
        """The instance a dot's left side names at compile time, None where it is computed."""
        if isinstance(node, tree.Name):
            word = INSTANCE_WORDS.get(node.name)
            if word is not None and node.name not in self.names.scopes.current.locals:
                return word
            constant = self.names.constant(node)
            if constant is not None and isinstance(constant, tree.Number):
                return int(constant.value)
            return None
        folded = self.fold(node)
        if isinstance(folded, tree.Number) and isinstance(folded.value, int):
            return folded.value
        return None


def _number_in(node: tree.Expression) -> tree.Expression | None:
    """The number a constant string spells, None where it spells none."""
    if not isinstance(node, tree.String) or not _DECIMAL.fullmatch(node.value):
        return None
    value = float(node.value)
    return tree.Number(int(value) if value.is_integer() else value, position=node.position)
