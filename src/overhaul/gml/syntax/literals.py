"""The values of number tokens, and which expressions have array literals."""

from __future__ import annotations

from typing import Final

from overhaul.gml.syntax import tree

_CLOSED: Final = (tree.Call, tree.New, tree.Function, tree.StructLiteral)


def number(text: str, position: int) -> tree.Expression:
    """The node of a numeric literal.

    Decimals become doubles unless a double cannot hold them; hexadecimal beyond 32 bits, and
    decimal integers that do not survive a double, become 64-bit integers.
    """
    digits = text.replace("_", "")
    first = digits[0]
    if first == "$":
        value = int(digits[1:] or "0", 16)
    elif first == "#":
        rgb = int(digits[1:], 16)
        value = (rgb & 0xFF) << 16 | rgb & 0xFF00 | rgb >> 16
    elif digits[:2] in ("0x", "0X"):
        value = int(digits[2:] or "0", 16)
    elif digits[:2] in ("0b", "0B"):
        value = int(digits[2:] or "0", 2)
    elif digits.isdigit():
        if len(digits) > 19:
            return tree.Number(float(digits), text, position=position)
        value = int(digits)
        if value < 1 << 53 or value >= 1 << 63 or int(float(value)) == value:
            return tree.Number(value, text, position=position)
        return tree.Int64(_signed(value), text, position=position)
    else:
        real = float(digits)
        return tree.Number(int(real) if real.is_integer() else real, text, position=position)
    if value > 0x7FFFFFFF:
        return tree.Int64(_signed(value), text, position=position)
    return tree.Number(value, text, position=position)


def _signed(value: int) -> int:
    value &= 0xFFFF_FFFF_FFFF_FFFF
    return value - (1 << 64) if value >> 63 else value


def has_array_literal(node: tree.Expression | None) -> bool:
    """Whether a value contains an array literal (outside calls, functions and structs)."""
    stack: list[tree.Node | None] = [node]
    while stack:
        each = stack.pop()
        if isinstance(each, tree.ArrayLiteral):
            return True
        if each is None or isinstance(each, _CLOSED):
            continue
        stack.extend(each.children())
    return False
