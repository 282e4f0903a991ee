"""How many lines the author of a script leaves around ``else``.

Code has the lines of statements and none of braces.  Where an ``else`` has braces for certain, the
lines around it show the author's way to write them, which decides about the others of the script.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

from overhaul.ags.decompiler.nodes import Block, Braces, If, children

#: The lines from a statement to the first one behind ``}``, ``else`` and ``{`` in lines of their
#: own, and where one of these stands in the line of another.
_MOST, _LEAST = 4, 3


class _Last(NamedTuple):
    """The line of the last statement in a block, and how many braces end behind it."""

    line: int
    braces: int


class Habits:
    """The evidence about ``else`` in the line numbers of a script's functions."""

    def __init__(self, functions: Iterable[Block]) -> None:
        self._functions = list(functions)

    @cached_property
    def _gaps(self) -> tuple[Counter[int], Counter[int]]:
        """How often so many lines are from the last statement before ``else`` to the first behind
        it: where it is one ``if``, and where there are more statements, in braces."""
        chained, braced = Counter[int](), Counter[int]()
        for statement in _conditions(self._functions):
            gap = _gap(statement)
            if gap and statement.otherwise is not None:
                if chained_if(statement.otherwise) is not None:
                    chained[gap] += 1
                elif len(statement.otherwise.statements) > 1:
                    braced[gap] += 1
        return chained, braced

    @cached_property
    def with_braces(self) -> int:
        """The lines between the statements around an ``else`` with braces."""
        usual = _usual(self._gaps[1]) or _LEAST
        return min(max(usual, _LEAST), _MOST)

    def is_nested(self, statement: If, after: int) -> bool:
        """Whether the ``if`` in an ``else`` is in braces: it begins as many lines behind as the
        statements in other braces do, and more than other ``else if``, and before the line
        ``after`` is room for one brace more."""
        chained, braced = self._gaps
        usual = _usual(braced)
        last = None if statement.otherwise is None else _last(statement.otherwise)
        if usual < _MOST or last is None or not after:
            return False
        return _gap(statement) >= max(usual, _usual(chained) + 1) and (
            after - last.line > last.braces + 1
        )


def chained_if(block: Block) -> If | None:
    """The ``if`` that is all that a block has."""
    inner = block.statements
    return inner[0] if len(inner) == 1 and isinstance(inner[0], If) else None


def _usual(gaps: Counter[int]) -> int:
    """The most frequent number; 0 without any."""
    return gaps.most_common(1)[0][0] if gaps else 0


def _gap(statement: If) -> int:
    """The lines from the last statement before an ``else`` to the first behind it, but for those
    of braces that end before it; 0 if they do not show."""
    last = _last(statement.then)
    otherwise = statement.otherwise
    if last is None or otherwise is None or not otherwise.statements:
        return 0
    first = otherwise.statements[0]
    return max(first.line - last.line - last.braces, 0) if first.marked else 0


def _last(block: Block) -> _Last | None:
    """The last statement in a block; None if its line does not show."""
    if not block.statements:
        return None
    statement = block.statements[-1]
    inner = list(children(statement))
    if not inner:
        return _Last(statement.line, 0) if statement.marked else None
    if not isinstance(statement, (If, Braces)):
        return None
    last = _last(inner[-1])
    if last is None:
        return None
    is_chained = len(inner) > 1 and chained_if(inner[-1]) is not None
    return last if is_chained else _Last(last.line, last.braces + 1)


def _conditions(blocks: Iterable[Block]) -> Iterator[If]:
    """The conditions in blocks."""
    for block in blocks:
        for statement in block.statements:
            if isinstance(statement, If):
                yield statement
            yield from _conditions(children(statement))
