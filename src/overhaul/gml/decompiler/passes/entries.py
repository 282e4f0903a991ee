"""What only root entries need."""

from __future__ import annotations

from functools import cache

from overhaul.gml.builtins import load_enums
from overhaul.gml.decompiler.fragment import Fragment
from overhaul.gml.decompiler.types.enums import UNKNOWN_ENUM, enum_member_name
from overhaul.gml.syntax import tree


def drop_exit_of_nothing(fragment: Fragment) -> None:
    """Drop the ``exit`` that a text without statements (with comments, perhaps) compiles to."""
    if fragment.end == 1 and fragment.dialect.empty_code_exits:
        statements = fragment.statements
        statements[:] = [each for each in statements if not isinstance(each, tree.Exit)]


def declare_globals(fragment: Fragment) -> None:
    """Declare the globals that the code names without ``global.`` before the other statements."""
    if fragment.globals:
        names = [tree.Declarator(name) for name in sorted(fragment.globals)]
        fragment.statements.insert(0, tree.GlobalVar(names))


def declare_unknown_enum(fragment: Fragment) -> None:
    """Declare the stand-in members behind the other statements."""
    values = _shown(fragment.statements, fragment.enum_values)
    members = []
    following = 0
    for value in sorted(values):
        shown = None if value == following else tree.Number(value)
        members.append(tree.EnumMember(enum_member_name(value), shown))
        following = value + 1
    if members:
        fragment.statements.append(tree.Enum(UNKNOWN_ENUM, members))


@cache
def _built_in_values() -> frozenset[int]:
    """The values of the enums that are part of the language, 0 and 1 among them."""
    return frozenset(value for members in load_enums().values() for value in members.values())


def _shown(statements: list[tree.Statement], values: set[int]) -> set[int]:
    """Those of the stand-in members' values that the source still shows.

    Some may not be: the 1 that stands for no condition in ``for (;;)``, the index 0 of a built-in
    array without index, colours, and members of enums that are part of the language.
    """
    built_in = _built_in_values()
    doubtful = {
        enum_member_name(value): value for value in values if value in built_in or value > 31
    }
    if not doubtful:
        return values
    for node in tree.Block(statements).walk():
        if type(node) is tree.Member and node.object == tree.Name(UNKNOWN_ENUM):
            doubtful.pop(node.name, None)
            if not doubtful:
                break
    return values - set(doubtful.values())
