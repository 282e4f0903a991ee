"""The words of the language: names, operators and numbers; and what of it the parser and printer
need.
"""

from __future__ import annotations

import re
from typing import Final, Protocol

from overhaul.gml.syntax import tree

_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def is_name(text: str) -> bool:
    """Whether a text could be the name of a variable."""
    return _NAME.fullmatch(text) is not None


class Language(Protocol):
    """The parts of a dialect that the parser needs."""

    @property
    def gms2_or_later(self) -> bool:
        """GMS2 strings (escapes) instead of GMS1's."""
        ...

    @property
    def gml_v2(self) -> bool:
        """Functions, structs, methods (2.3 and later)."""
        ...


class Newest:
    """The newest language."""

    gms2_or_later = True
    gml_v2 = True


PRECEDENCE: Final[dict[str, int]] = {
    "??": 1, "||": 2, "&&": 3, "^^": 4,
    "==": 5, "=": 5, "!=": 5, "<": 5, "<=": 5, ">": 5, ">=": 5,
    "&": 6, "|": 6, "^": 6, "<<": 7, ">>": 7,
    "+": 8, "-": 8, "*": 9, "/": 9, "%": 9, "div": 9,
}  # fmt: skip


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
        part = stack.pop()
        if isinstance(part, tree.ArrayLiteral):
            return True
        if part is None or isinstance(part, _CLOSED):
            continue
        stack.extend(part.children())
    return False


def starts_with_call(node: tree.Expression) -> bool:
    """Whether the method that is called on ``node`` gets its arguments before its instance.

    So it is in ``f().g(a)`` and along ``f().g(a).h(b)``: the official compilers push ``a``, then
    call ``f``. In ``x.g(a)``, ``x.f().g(a)``, ``f().x.g(a)`` and ``(f()).g(a)`` the instance
    comes first. A tree made otherwise sets ``Call.grouped`` where the instance comes first
    although this is true.
    """
    while isinstance(node, tree.Call):
        function = node.function
        if node.grouped:
            return False
        if not isinstance(function, tree.Member):
            return isinstance(function, (tree.Name, tree.Call, tree.Index))
        node = function.object
    return isinstance(node, (tree.ArrayLiteral, tree.StructLiteral))
