"""Members of enums, which files keep as plain numbers."""

from __future__ import annotations

from typing import Final

from overhaul.gml.context import Context
from overhaul.gml.syntax import tree

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
        found = [
            (name, member)
            for name, members in self.enums.items()
            for member, value in members
            if value == number and name != UNKNOWN_ENUM
        ]
        if len(found) == 1:
            return tree.Member(tree.Name(found[0][0]), found[0][1])
        self.stand_ins.add(number)
        return tree.Member(tree.Name(UNKNOWN_ENUM), enum_member_name(number))
