"""Finds the try of each ``finally`` part.

The code says where a finally part ends, not whose it is: ``try {} catch (e) {} finally { try {}
catch (f) {} }`` and ``try {} catch (e) {} try {} catch (f) {} finally {}`` have the same
instructions.  Each is read as that of the last try before its end.  What tells otherwise:

- a try without a catch has a finally part;
- before the ways out of a try stand copies of its finally part;
- the variables of ``break`` and ``continue`` are numbered by try: those in the finally part of a
  try come before it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from overhaul.gml.decompiler.errors import MAXIMUM_DEPTH, StructureError
from overhaul.gml.decompiler.fragment import Fragment
from overhaul.gml.decompiler.passes.exceptions.finally_copies import has_copies
from overhaul.gml.decompiler.passes.exceptions.jumps import number_of
from overhaul.gml.decompiler.passes.nested import Statements, lists_inside, lists_of
from overhaul.gml.syntax import tree

_MOST_TRIES: Final = 30
"""In a function whose finally parts are moved: all moves of each are tried."""


def close_tries(statements: Statements) -> None:
    """Give the tries of a body the finally parts that they must have, in place.

    StructureError where there is none for a try without a catch (but for what could not be read).
    """
    for each in reversed(lists_of(statements)):  # copies are inside what they belong to
        for position in range(len(each) - 1, -1, -1):
            statement = each[position]
            if not isinstance(statement, tree.Try) or statement.final is not None:
                continue
            found = [*_finals_of_later(each, position)]
            copied = [one for one in found if has_copies(statement, one[1])]
            if copied or (found and statement.handler is None):
                _take(each, position, *(copied or found)[0])
            elif statement.handler is None:
                behind = each[position + 1 :]
                if not any(isinstance(other, tree.Comment) for other in behind):
                    raise StructureError("a try without a catch and a finally part")


def place_by_number(fragment: Fragment) -> None:
    """Give the tries of a function the finally parts that the numbers of their variables want, in
    place, when the copies of finally parts are gone."""
    while _move_one(fragment.statements):
        pass


# -- taking a finally part -------------------------------------------------------------------------


def _finals_of_later(statements: Statements, position: int) -> Iterator[tuple[int, Statements]]:
    """What the finally part of a try may be: that of a later try, with all that stands before it;
    and where that try stands."""
    for end in range(position + 1, len(statements)):
        parted = _without_final(statements[end])
        if parted is not None:
            yield end, [*statements[position + 1 : end], parted[0], *parted[1]]


def _without_final(statement: tree.Statement, depth: int = 0) -> tuple[tree.Try, Statements] | None:
    """A try without its finally part, and this; None if it has none, or none to spare.

    One without a catch gets in its place that of a try in it.
    """
    if not isinstance(statement, tree.Try) or statement.final is None:
        return None
    if depth > MAXIMUM_DEPTH:
        raise StructureError(f"tries nest deeper than {MAXIMUM_DEPTH}")
    made = tree.Try(statement.body, statement.name, statement.handler)
    made.address = statement.address
    held = statement.final.statements
    if statement.handler is not None:
        return made, held
    for position, each in enumerate(held):
        parted = _without_final(each, depth + 1)
        if parted is not None:
            made.final = tree.Block([*held[:position], parted[0], *parted[1]])
            return made, held[position + 1 :]
    return None


def _take(statements: Statements, position: int, end: int, final: Statements) -> None:
    """Make what stands behind a try, up to ``end``, its finally part."""
    statement = statements[position]
    if isinstance(statement, tree.Try):
        statement.final = tree.Block(final)
        del statements[position + 1 : end + 1]


# -- numbers ---------------------------------------------------------------------------------------


@dataclass
class _Numbered:
    """A try, the list and position that it stands at, and whether its variables have the number
    that it has as it was read."""

    node: tree.Try
    among: Statements
    position: int
    right: bool


def _move_one(statements: Statements) -> bool:
    """Move the finally part that gives most tries their numbers; whether there was one."""
    tries = _numbered(statements)
    wrong = _count_wrong(tries)
    best: tuple[_Numbered, int, Statements] | None = None
    if not wrong or len(tries) > _MOST_TRIES:
        return False
    for each in tries:
        if each.node.handler is None or each.node.final is not None:
            continue
        among, position = each.among, each.position
        for end, part in [*_finals_of_later(among, position)]:
            before = among[:]
            _take(among, position, end, part)
            left = _count_wrong(_numbered(statements))
            among[:], each.node.final = before, None
            if left < wrong:
                wrong, best = left, (each, end, part)
    if best is not None:
        _take(best[0].among, best[0].position, best[1], best[2])
    return best is not None


def _count_wrong(tries: list[_Numbered]) -> int:
    return sum(not each.right for each in tries)


def _numbered(statements: Statements, tries: list[_Numbered] | None = None) -> list[_Numbered]:
    """The tries in the order in which compilers number them: behind those in their finally
    parts."""
    found = [] if tries is None else tries
    for position, statement in enumerate(statements):
        if not isinstance(statement, tree.Try):
            for inside in lists_inside(statement):
                _numbered(inside, found)
            continue
        if statement.final is not None:
            _numbered(statement.final.statements, found)
        told = number_of(statements[position - 2]) if position >= 2 else ""
        right = told in ("", str(len(found)))
        found.append(_Numbered(statement, statements, position, right))
        for part in (statement.body, statement.handler):
            if part is not None:
                _numbered(part.statements, found)
    return found
