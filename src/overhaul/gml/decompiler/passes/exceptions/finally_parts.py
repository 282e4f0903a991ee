"""Finds the try of each ``finally`` part.

The code says where a finally part ends, not whose it is: ``try {} catch (e) {} finally { try {}
catch (f) {} }`` and ``try {} catch (e) {} try {} catch (f) {} finally {}`` have the same
instructions.  Each is read as that of the last try before its end, unless

- a try without a catch has no other finally part;
- copies of it stand before the ways out of a try;
- something else is chosen: the variables of ``break`` and ``continue`` are numbered by try, and
  those in the finally part of a try come before it.
"""

from __future__ import annotations

from collections.abc import Iterator

from overhaul.gml.decompiler.choices import FINAL
from overhaul.gml.decompiler.errors import MAXIMUM_DEPTH, StructureError
from overhaul.gml.decompiler.fragment import Entry, Fragment
from overhaul.gml.decompiler.passes.exceptions.finally_copies import has_copies
from overhaul.gml.decompiler.passes.nested import Statements, lists_of
from overhaul.gml.syntax import tree


def close_tries(fragment: Fragment) -> None:
    """Give the tries of a function the finally parts that they must have, or have by choice.

    A function in which a try has neither a catch nor a finally part has no structured form.
    """
    if not fragment.has_try:
        return
    statements = fragment.statements
    try:
        _close(statements, fragment.entry)
    except StructureError as problem:
        end = fragment.end
        statements[:] = [fragment.entry.unstructured(problem, fragment.start, end)]


def _close(statements: Statements, entry: Entry) -> None:
    """Raises StructureError for a try that needs a finally part where there is none (unless a part
    behind it could not be read)."""
    for each in reversed(lists_of(statements)):  # copies are inside what they belong to
        for position in range(len(each) - 1, -1, -1):
            statement = each[position]
            if not isinstance(statement, tree.Try) or statement.final is not None:
                continue
            found = [*_finals_of_later(each, position)]
            copied = [one for one in found if has_copies(statement, one[1])]
            if copied or (found and statement.handler is None):
                _take(each, position, *(copied or found)[0])
            elif found:
                begin = each[max(0, position - 2)].address  # with the variables of its ways out
                at = entry.flow.at_offset.get(begin, 0)
                taken = entry.choices.take(FINAL, at, 0, 1 + len(found))
                if taken:
                    _take(each, position, *found[taken - 1])
            elif statement.handler is None:
                behind = each[position + 1 :]
                if not any(isinstance(other, tree.Comment) for other in behind):
                    raise StructureError("a try without a catch and a finally part")


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
