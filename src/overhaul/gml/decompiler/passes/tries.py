"""``try`` statements: whose each ``finally`` part is, and what compilers add around them.

- The code says where a finally part ends, not whose it is.
- An ``exit``, ``return`` or (before 2024.6) ``throw`` inside a try with a finally part has copies
  of the finally parts that it leaves before it; the value of a ``return`` waits in ``copyVar``.
- A ``break`` or ``continue`` that leaves a try sets a variable first; the parts of the try stand in
  loops that end after one round, and what is left to do is asked for behind the statement.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from overhaul.gml.decompiler.choices import FINAL
from overhaul.gml.decompiler.fragment import BREAKING, CONTINUING, Fragment, RootEntry
from overhaul.gml.decompiler.passes.nested import (
    Statements,
    continues,
    lists_inside,
    lists_of,
    statements_of,
)
from overhaul.gml.decompiler.unstructured import MAXIMUM_DEPTH, StructureError
from overhaul.gml.syntax import tree

_COPY: Final = tree.Name("copyVar")
_LEAVING: Final = (tree.Exit, tree.Return)
_Kinds = tuple[type[tree.Statement], ...]
_ESCAPES: Final = (*_LEAVING, tree.Break, tree.Continue)

# -- whose a finally part is -----------------------------------------------------------------------


def close_tries(fragment: Fragment) -> None:
    """Give the tries of a function the finally parts that they must have, or have by choice.

    ``try {} catch (e) {} finally { try {} catch (f) {} }`` and ``try {} catch (e) {} try {} catch
    (f) {} finally {}`` have the same instructions.  Each finally part is read as that of the last
    try before its end, unless

    - a try without a catch has no other finally part;
    - copies of it stand before the ways out of a try;
    - nothing would be in it: the try before has that one in its finally part, as nobody writes an
      empty one;
    - something else is chosen: the variables of ``break`` and ``continue`` are numbered by try, and
      those in the finally part of a try come before it.

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


def _close(statements: Statements, entry: RootEntry) -> None:
    """Raises StructureError for a try that needs a finally part where there is none (unless a part
    behind it could not be read)."""
    for held in reversed(lists_of(statements)):  # copies are inside what they belong to
        for position in range(len(held) - 1, -1, -1):
            statement = held[position]
            if not isinstance(statement, tree.Try) or statement.final is not None:
                continue
            later = [*_finals_of_later(held, position)]
            copied = [final for final in later if has_copies(statement, final[1])]
            needed = copied or (later if statement.handler is None else [])
            possible = needed or later
            if len(needed) == 1:
                _take(held, position, *needed[0])
            elif possible:
                begin = held[max(0, position - 2)].address  # with the variables of its ways out
                at = entry.flow.at_offset.get(begin, 0)
                least = 1 if needed else 0
                taken = entry.choices.take(FINAL, at, least, 1 + len(possible))
                if taken < 2 and not needed and _is_empty(held[possible[0][0]], statement):
                    taken = 1 - taken
                if taken or needed:
                    _take(held, position, *possible[max(taken, least) - 1])
            elif statement.handler is None:
                behind = held[position + 1 :]
                if not any(isinstance(other, tree.Comment) for other in behind):
                    raise StructureError("a try without a catch and a finally part")


def _finals_of_later(statements: Statements, position: int) -> Iterator[tuple[int, Statements]]:
    """The candidates for the finally part of a try: that of a later try, with everything before
    it; and the place of that try."""
    for end in range(position + 1, len(statements)):
        parted = _without_final(statements[end])
        if parted is not None:
            yield end, [*statements[position + 1 : end], parted[0], *parted[1]]


def _is_empty(last: tree.Statement, statement: tree.Try) -> bool:
    """Whether a try after another one has nothing in its finally part, and no way out of both
    shows its owner."""
    if not isinstance(last, tree.Try) or last.handler is None or last.final is None:
        return False
    parts = (statement.body, statement.handler, last.body, last.handler)
    return not last.final.statements and not any(part and _escapes(part) for part in parts)


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
    for position, inner in enumerate(held):
        parted = _without_final(inner, depth + 1)
        if parted is not None:
            made.final = tree.Block([*held[:position], parted[0], *parted[1]])
            return made, held[position + 1 :]
    return None


def _take(statements: Statements, position: int, end: int, final: Statements) -> None:
    """Make everything after a try, up to ``end``, its finally part."""
    statement = statements[position]
    if isinstance(statement, tree.Try):
        statement.final = tree.Block(final)
        del statements[position + 1 : end + 1]


# -- copies of finally parts -----------------------------------------------------------------------


def remove_finally_copies(fragment: Fragment) -> None:
    """Drop the copies of all finally parts of a function, in place."""
    for held in lists_of(fragment.statements):
        for statement in held:
            if isinstance(statement, tree.Try):
                _remove_copies(statement, fragment)


def _remove_copies(statement: tree.Try, fragment: Fragment) -> None:
    """Drop the copies of a try's finally part from its other parts."""
    final = statement.final
    if final is None or not final.statements:
        return
    copy = _plain(final.statements)
    for part in (statement.body, statement.handler):
        if part is None:
            continue
        # A throw in the handler counts as a way out by itself.
        always = statement.handler is None or part is statement.handler
        throws = fragment.dialect.finally_before_throw and (always or _escapes(part))
        pending: list[tuple[Statements, _Kinds]] = [
            (part.statements, (*_LEAVING, tree.Throw) if throws else _LEAVING)
        ]
        while pending:
            statements, kinds = pending.pop()
            _remove_before(statements, copy, kinds)
            for inner in statements:
                pending += _inside(inner, kinds)
        if throws and not always and not _escapes(part):
            # Only the copies had one, so that of a throw is there for one that left no code.
            part.statements.append(tree.If(tree.Number(0), tree.Block([tree.Exit()])))


def has_copies(statement: tree.Try, final: Statements) -> bool:
    """Whether a copy of a finally part stands before a way out of a try that has none yet."""
    kinds: _Kinds = (*_LEAVING, tree.Throw)
    pending = [(part.statements, kinds) for part in (statement.body, statement.handler) if part]
    places: list[tuple[Statements, int]] = []
    while pending:
        statements, kinds = pending.pop()
        for position, inner in enumerate(statements):
            if position and isinstance(inner, kinds):
                places.append((statements, position))
            pending += _inside(inner, kinds)
    copy = _plain(final) if places else []
    return bool(copy) and any(_copy_before(held, at, copy)[0] < at for held, at in places)


def _escapes(part: tree.Block) -> bool:
    """Whether there is a way out in a part, also in its functions."""
    return any(isinstance(node, _ESCAPES) for node in part.walk())


def _inside(statement: tree.Statement, kinds: _Kinds) -> list[tuple[Statements, _Kinds]]:
    """The lists in a statement, and what has copies before it there: only a try with a finally part
    of its own passes on those of the others, and not before a throw."""
    if not isinstance(statement, tree.Try):
        return [(inner, kinds) for inner in lists_inside(statement)]
    final = statement.final
    passed = () if final is None else _LEAVING
    lists: list[tuple[Statements, _Kinds]] = [(statement.body.statements, passed)]
    if statement.handler is not None:
        lists.append((statement.handler.statements, passed))
    if final is not None:
        lists.append((final.statements, kinds))
    return lists


def _remove_before(statements: Statements, copy: Statements, kinds: _Kinds) -> None:
    """Drop the copies of a finally part that stand right before statements of some kinds."""
    position = len(statements) - 1
    while position > 0:
        if isinstance(statements[position], kinds):
            start, kept = _copy_before(statements, position, copy)
            statements[start:position] = kept
            position = start + len(kept)
        position -= 1


def _copy_before(statements: Statements, end: int, copy: Statements) -> tuple[int, Statements]:
    """Where the copy that ends at ``end`` begins (there, if there is none), and what stays of the
    statement there."""
    left = len(copy)
    start = end
    kept: Statements = []
    while left > 0:
        if start == 0:
            return end, []
        start -= 1
        plain = _plain(statements[start : start + 1])
        count = min(len(plain), left)
        before = len(plain) - count
        if plain[before:] != copy[left - count : left]:
            return end, []
        left -= count
        if before:
            # The loop that the copy begins with has taken what stands before it into its header.
            loop = statements[start]
            header = statements_of(loop.initial) if isinstance(loop, tree.For) else []
            if before > len(header):
                return end, []
            kept = header[:before]
    return start, kept


def join_returns(fragment: Fragment) -> None:
    """``copyVar = e; return copyVar`` -> ``return e``"""
    for statements in lists_of(fragment.statements):
        for position in range(len(statements) - 1, 0, -1):
            last, before = statements[position], statements[position - 1]
            if (
                isinstance(last, tree.Return)
                and isinstance(before, tree.Assignment)
                and before.operator == "="
                and before.target == _COPY
                and last.value == _COPY
            ):
                last.value = before.value
                last.address = before.address
                del statements[position - 1]


# -- what copies have in common --------------------------------------------------------------------

_Way = type[tree.Break] | type[tree.Continue] | None
_Stretch = tuple[Statements, _Way, bool, Statements]
"""Statements, the jump that leads to their end (as to the end of a loop's body), whether they
stand in a ``for``, and the list that takes their plain form."""


def _plain(statements: Statements) -> Statements:
    """The same code in one of the forms in which it may have been read.

    Inside a try of an older release a jump to the end of a body is taken for that of an ``if`` with
    an ``else``, as a ``break`` or ``continue`` would set a flag; and without a ``continue`` a
    ``for`` may look like a ``while``.  So here all such are ``if`` with ``else``, and ``while``.
    """
    result: Statements = []
    pending: list[_Stretch] = [(statements, None, False, result)]
    while pending:
        source, way, stepped, out = pending.pop()
        for position, statement in enumerate(source):
            if isinstance(statement, tree.If):
                rest = source[position + 1 :]
                if _plain_if(statement, rest, (way, stepped), out, pending):
                    break
            elif isinstance(statement, tree.Continue) and stepped:
                out.append(tree.Block([statement]))  # it leads to the step, no other does
            else:
                _plain_other(statement, stepped, out, pending)
    return result


def _plain_if(
    statement: tree.If,
    rest: Statements,
    around: tuple[_Way, bool],
    out: Statements,
    pending: list[_Stretch],
) -> bool:
    """Plain form of an ``if`` before ``rest``; whether that has become its ``else`` part."""
    way, stepped = around
    then = statements_of(statement.then)
    otherwise = statement.otherwise
    if way is not None and otherwise is None and not rest:
        then = _unfolded(then, way)
    body = tree.Block([])
    made = tree.If(statement.condition, body)
    out.append(made)
    if way is not None and otherwise is None and then and type(then[-1]) is way:
        last = tree.Block([])
        made.otherwise = last
        pending.append((then[:-1], None, stepped, body.statements))
        pending.append((rest, way, stepped, last.statements))
        return True
    ending = None if rest else way
    pending.append((then, ending if otherwise is None else None, stepped, body.statements))
    if otherwise is not None:
        last = tree.Block([])
        made.otherwise = last
        pending.append((statements_of(otherwise), ending, stepped, last.statements))
    return False


def _unfolded(statements: Statements, way: type[tree.Break] | type[tree.Continue]) -> Statements:
    """``if (a) { b; } else { c; continue; }`` at the end of a list that ends where a ``continue``
    leads: the same as ``if (a) { b; continue; } c; continue;``."""
    result: Statements = []
    left = statements
    while left:
        last = left[-1]
        result += left[:-1]
        if type(last) is way:
            return [*result, last]
        if not isinstance(last, tree.If) or last.otherwise is None:
            break
        result.append(tree.If(last.condition, tree.Block([*statements_of(last.then), way()])))
        left = statements_of(last.otherwise)
    return statements


def _plain_other(
    statement: tree.Statement, stepped: bool, out: Statements, pending: list[_Stretch]
) -> None:
    """Plain form of what is no ``if``."""
    held = tree.Block([])
    body: tree.Statement | None = None
    way: _Way = tree.Continue
    made = statement
    if isinstance(statement, tree.For):
        out += statements_of(statement.initial)
        made = tree.While(statement.condition or tree.Int64(1), held)
        # The last is taken first.
        pending.append((statements_of(statement.step), None, False, held.statements))
        pending.append((statements_of(statement.body), way, True, held.statements))
    elif isinstance(statement, tree.While):
        made, body, way = tree.While(statement.condition, held), statement.body, None
    elif isinstance(statement, tree.DoUntil):
        made, body = tree.DoUntil(held, statement.condition), statement.body
    elif isinstance(statement, tree.Repeat):
        made, body = tree.Repeat(statement.count, held), statement.body
    elif isinstance(statement, tree.With):
        made, body = tree.With(statement.target, held), statement.body
    elif isinstance(statement, tree.Switch):
        made = _plain_switch(statement, stepped, pending)
    elif isinstance(statement, tree.Try):
        made = tree.Try(statement.body, statement.name, statement.handler, statement.final)
        if statement.final is not None:
            made.final = held
            pending.append((statement.final.statements, None, stepped, held.statements))
    if body is not None:
        pending.append((statements_of(body), way, False, held.statements))
    out.append(made)


def _plain_switch(statement: tree.Switch, stepped: bool, pending: list[_Stretch]) -> tree.Switch:
    """Plain form of a ``switch``: the last body with statements ends where a ``break`` leads."""
    cases: list[tree.Case] = []
    continued = any(continues(case.body) for case in statement.cases)
    ends = not continued
    for case in reversed(statement.cases):
        body: Statements = []
        pending.append((case.body, tree.Break if ends else None, stepped, body))
        cases.append(tree.Case(case.value, body))
        ends = ends and not case.body
    return tree.Switch(statement.value, cases[::-1])


# -- the flags of break and continue ---------------------------------------------------------------


def number_of(statement: tree.Statement) -> str:
    """The number of a rewritten try, from ``__yy_breakExN = 0``; "" of any other statement."""
    if (
        isinstance(statement, tree.Assignment)
        and isinstance(statement.target, tree.Name)
        and statement.value in (tree.Number(0), tree.Boolean(False))
    ):
        name = statement.target.name
        if name.startswith(BREAKING):
            return name[len(BREAKING) :]
    return ""


def asked(statements: Statements, position: int, number: str) -> int:
    """How many of ``if (continuing) continue; if (breaking) break;`` follow a try."""
    count = 0
    for name, kind in ((CONTINUING, tree.Continue), (BREAKING, tree.Break)):
        if position + count >= len(statements):
            break
        following = statements[position + count]
        if not isinstance(following, tree.If) or following.condition != tree.Name(name + number):
            continue
        then = statements_of(following.then)
        count += len(then) == 1 and isinstance(then[0], kind)
    return count


def is_guard(statements: Statements, number: str) -> bool:
    """Whether a loop's body begins and ends as a rewritten part does."""
    if len(statements) < 2 or not isinstance(statements[-1], tree.Break):
        return False
    first = statements[0]
    return isinstance(first, tree.If) and first.condition == tree.Name(CONTINUING + number)


def is_flag(statement: tree.Assignment, number: str) -> bool:
    """Whether a statement sets a flag of this try ("": of any)."""
    target = statement.target
    if not isinstance(target, tree.Name):
        return False
    if not number:
        return target.name.startswith((BREAKING, CONTINUING))
    return target.name in (BREAKING + number, CONTINUING + number)


def restore_jumps(fragment: Fragment) -> None:
    """Make the try statements of a function what they were, in place."""
    pending = [fragment.statements]
    while pending:
        held = pending.pop()
        _unwrap(held)
        for statement in held:
            pending += lists_inside(statement)


def _unwrap(statements: Statements) -> None:
    """Undo the rewriting of ``break`` and ``continue`` around the tries of one list."""
    position = 0
    while position < len(statements):
        statement = statements[position]
        number = number_of(statements[position - 2]) if position >= 2 else ""
        if isinstance(statement, tree.Try) and number:
            position -= 2
            del statements[position : position + 2]
            del statements[position + 1 : position + 1 + asked(statements, position + 1, number)]
            for part in (statement.body, statement.handler, statement.final):
                if part is not None:
                    _unwrap_part(part, number)
        position += 1


def _unwrap_part(part: tree.Block, number: str) -> None:
    """Take a part of a try out of its loop, and the variables out of its jumps."""
    held = part.statements
    if len(held) == 1 and isinstance(held[0], tree.While):
        inside = statements_of(held[0].body)
        if is_guard(inside, number):
            part.statements = inside[1:-1]
    for inner in lists_of(part.statements):
        for position in range(len(inner) - 1, 0, -1):
            if isinstance(inner[position], (tree.Break, tree.Continue)):
                _remove_flags(inner, position, number)


def _remove_flags(statements: Statements, position: int, number: str) -> None:
    """Drop a try's flags from those that are set before a jump (one for each try it leaves)."""
    before = position - 1
    while before >= 0:
        statement = statements[before]
        if not isinstance(statement, tree.Assignment) or not is_flag(statement, ""):
            break
        if is_flag(statement, number):
            del statements[before]
        before -= 1
