"""The literals of doubles, strings and members of enums: what compilers worked out, written again.

People do not write 0.016666666666666666: in 3,493 entries of real games all but one of the 101
doubles of more than twelve digits are quotients of small whole numbers (``1 / 60``) or of them and
``pi``.
"""

from __future__ import annotations

import math
import re
from functools import lru_cache
from typing import Final

from overhaul.gml.context import Context
from overhaul.gml.decompiler.unstructured import StructureError
from overhaul.gml.syntax import tree

_LARGEST: Final = 2000
"""The largest number that a quotient is looked for with."""
_DIGITS: Final = 15
"""A double that takes at least so many digits to write was not typed as a decimal."""
_BOUNCE: Final = 2.75
_BOUNCES: Final = frozenset((1.0, 1.5, 2.0, 2.25, 2.5, 2.625))
"""The numbers that Penner's bouncing curve, which is in many games, divides by 2.75 (12 of 12 in
those of two authors)."""
_TYPED: Final = re.compile(r"[^\x00-\x08\x0b\x0c\x0e-\x1f]+|[\x00-\x1f]", re.S)


def double_node(
    operand: object, denominator: int = 0, *, fractions: bool = True
) -> tree.Expression:
    """The literal of a push.d; where it is a fraction, with this ``denominator`` if there is one.
    Without ``fractions`` it is a decimal.

    Raises StructureError for what source text cannot write: no number, an infinity.
    """
    if not isinstance(operand, float):
        raise StructureError("a push.d without a number")
    if math.isnan(operand) or math.isinf(operand):
        raise StructureError(f"the constant {operand} has no literal")
    if not fractions:
        return tree.Number(operand)
    if denominator and is_worked_out(operand):
        node = fraction(operand, denominator)
        if node is not None:
            return node
    top, circles, bottom = quotient(abs(operand))
    if not bottom:
        return tree.Number(operand)
    if not circles and operand * _BOUNCE in _BOUNCES:
        node = fraction(operand, _BOUNCE)
        if node is not None:
            return node
    parts: list[tree.Expression] = []
    if top != 1 or circles != 1:
        parts.append(tree.Number(top))
    if circles == 1:
        parts.append(tree.Name("pi"))
    node = parts[0]
    if operand < 0:
        node = tree.Number(-top) if type(node) is tree.Number else tree.Unary("-", node)
    if len(parts) == 2:
        node = tree.Binary("*", node, parts[1])
    if circles == -1:
        return tree.Binary("/", node, tree.Name("pi"))
    return node if bottom == 1 else tree.Binary("/", node, tree.Number(bottom))


def fraction(number: float, denominator: float, decimals: int = 3) -> tree.Expression | None:
    """A number as a quotient with this denominator; None where its other part has more decimals."""
    top = round(number * denominator, decimals)
    if top / denominator != number:
        return None
    whole = int(top)
    return tree.Binary("/", tree.Number(whole if whole == top else top), tree.Number(denominator))


def is_quotient(node: tree.Expression) -> bool:
    """Whether a literal of a double is one number divided by another."""
    sides = (type(node.left), type(node.right)) if type(node) is tree.Binary else ()
    return sides == (tree.Number, tree.Number)


def is_worked_out(number: float) -> bool:
    """Whether a double was not typed as a decimal."""
    return len(repr(abs(number)).partition("e")[0].replace(".", "").strip("0")) >= _DIGITS


@lru_cache(maxsize=1024)
def quotient(number: float) -> tuple[int, int, int]:
    """(a, 0, b) of a / b, (a, 1, b) of a * pi / b, (a, -1, 1) of a / pi, or (0, 0, 0)."""
    if not is_worked_out(number):
        return 0, 0, 0
    top, bottom = _near(number)
    if top and top / bottom == number:
        return top, 0, bottom
    top, bottom = _near(number / math.pi)
    if top and top * math.pi / bottom == number:
        return top, 1, bottom
    top, bottom = _near(number * math.pi)
    if bottom == 1 and top / math.pi == number:
        return top, -1, 1
    return 0, 0, 0


def _near(number: float) -> tuple[int, int]:
    """The simplest fraction that is as close as doubles can be; (0, 0) if none is simple."""
    before, top = 0, 1
    under, bottom = 1, 0
    rest = number
    while rest <= _LARGEST:  # an infinity, too, ends it
        whole = int(rest)
        before, top = top, whole * top + before
        under, bottom = bottom, whole * bottom + under
        if top > _LARGEST or bottom > _LARGEST:
            break
        if top and abs(top / bottom - number) <= number * 1e-15:
            return top, bottom
        rest = 1.0 / (rest - whole)
    return 0, 0


def string_node(text: str, escapes: bool) -> tree.Expression:
    """The literal of a push.s.

    Where strings have no ``escapes``, ``chr`` makes characters that cannot be typed, and line
    breaks that stand by themselves.
    """
    if escapes or text.isprintable():
        return tree.String(text)
    pieces: list[str] = _TYPED.findall(text)
    if len(pieces) == 1 and len(text) > 1 and text.strip("\r\n"):
        return tree.String(text)
    if not text.strip("\r\n"):
        pieces = list(text)
    node: tree.Expression | None = None
    for piece in pieces:
        part: tree.Expression = tree.String(piece)
        if len(piece) == 1 and piece < " ":
            part = tree.Call(tree.Name("chr"), [tree.Number(ord(piece))])
        node = part if node is None else tree.Binary("+", node, part)
    assert node is not None
    return node


# -- members of enums, which files keep as plain numbers -------------------------------------------

UNKNOWN_ENUM: Final = "UnknownEnum"
"""The enum of all members whose names are not in the file."""


def enum_member_name(number: int) -> str:
    """The stand-in for an enum member whose names are not in the file."""
    return f"Value_{number}" if number >= 0 else f"Value_m{-number}"


def stand_in_value(node: tree.Expression | None) -> int | None:
    """The value of a stand-in for an enum member; None for anything else."""
    if type(node) is not tree.Member or type(node.object) is not tree.Name:
        return None
    if node.object.name != UNKNOWN_ENUM:
        return None
    return int(node.name.removeprefix("Value_").replace("m", "-"))


class EnumMembers:
    """The members that one code entry's 64-bit constants were.

    ``stand_ins``: values of the members of ``UNKNOWN_ENUM`` that its source needs.
    """

    def __init__(self, context: Context) -> None:
        self.enums: dict[str, list[tuple[str, int]]] = context.enums
        self.constants: bool = context.dialect.gms2_or_later and context.dialect.enums_as_int64
        self.stand_ins: set[int] = set()

    def member(self, number: int) -> tree.Expression | None:
        """The only member of this value that the context knows, or a stand-in; None where the
        release makes plain numbers of enum members."""
        if not self.constants:
            return None
        matches = [
            (name, member)
            for name, members in self.enums.items()
            for member, value in members
            if value == number and name != UNKNOWN_ENUM
        ]
        if len(matches) == 1:
            return tree.Member(tree.Name(matches[0][0]), matches[0][1])
        self.stand_ins.add(number)
        return tree.Member(tree.Name(UNKNOWN_ENUM), enum_member_name(number))
