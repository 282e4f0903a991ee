"""Constant folding, as the official compilers do it: bottom-up, and a chain only from its left
end.
"""

from __future__ import annotations

import math
from typing import Final

from overhaul.gml.compiler.errors import Problem
from overhaul.gml.compiler.nodes import Truth
from overhaul.gml.syntax import tree

Constant = tree.Number | tree.Int64 | tree.String | tree.Boolean

CONSTANTS: Final = (tree.Number, tree.Int64, tree.String, tree.Boolean)
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


def number(value: int | float, position: int) -> tree.Number:
    """A constant double; integral ones are kept as int when a double holds them."""
    if isinstance(value, int) and abs(value) > 1 << 53:
        value = float(value)
    return tree.Number(value, position=position)


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
    """What is left of a division by zero, which is no error for plain numbers."""
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
