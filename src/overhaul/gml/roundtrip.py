"""Decompile code, and compile what was read to see that it is right.

Where the instructions leave open what was written (:mod:`overhaul.gml.decompiler.choices`), what
most people write is compiled.  If that gives other instructions, other choices are tried at the
points nearest to the first that differs.  Only code whose instructions depend on a choice is
compiled: code with marks of array owners, which a compiler leaves out where it knows the owner, and
code with ``try`` statements.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple

from overhaul.gml.compiler.compiler import recompile
from overhaul.gml.context import Context
from overhaul.gml.decompiler import Decompiled, FirstReading, read
from overhaul.gml.decompiler.choices import Choices, Point, begins_try, matter_in
from overhaul.gml.decompiler.options import DEFAULT, DecompileOptions
from overhaul.gml.decompiler.types.facts import NOTHING, InferredTypes
from overhaul.gml.errors import SyntaxError_
from overhaul.gml.syntax import tree
from overhaul.gml.syntax.printer import to_source
from overhaul.gml.vm.code import Code, Instruction
from overhaul.gml.vm.opcodes import BRANCHES, Opcode

_MOST: Final = 20_000
"""So many instructions are compiled at most to find the reading of an entry, and _FEW readings."""
_FEW: Final = 12
_NEAR: Final = 16
"""So many choices are also tried in pairs."""
_SAME: Final = 1 << 60


class _Reading(NamedTuple):
    """A reading: its tree, what was asked for it, and the index of the first instruction that
    differs when it is compiled (_SAME: none does; -1: it can't be compiled)."""

    made: Decompiled
    asked: Mapping[Point, tuple[int, int]]
    given: Mapping[Point, int]
    differs: int


def analyse(
    code: Code,
    context: Context,
    options: DecompileOptions = DEFAULT,
    inferred: InferredTypes = NOTHING,
) -> Decompiled:
    """The tree of a root entry with its functions in place, and what could not be structured.

    It is the reading that compiles to the same instructions, or else the one whose instructions
    agree longest.  ``options``: how it is written.  ``inferred``: what the code of the whole game
    shows (:func:`overhaul.gml.decompiler.gather`).
    """
    return _reading(code, context, options, inferred)[0]


def analyse_first(
    first: FirstReading, code: Callable[[], Code], context: Context, inferred: InferredTypes
) -> Decompiled:
    """As :func:`analyse` with default options, from a first reading that the types do
    not change (:meth:`~overhaul.gml.decompiler.types.provisional.Asked.answer`).  ``code`` gives
    the code, where it has to be read again."""
    if not first.is_open:
        return first.made
    search = _Search(code(), context, DEFAULT, inferred)
    return search.best(first.made, first.choices).made


def choose(code: Code, context: Context, inferred: InferredTypes = NOTHING) -> Choices:
    """The choices of :func:`analyse`, for another reading of the code."""
    return Choices(_reading(code, context, DEFAULT, inferred)[1])


def _reading(
    code: Code, context: Context, options: DecompileOptions, inferred: InferredTypes
) -> tuple[Decompiled, Mapping[Point, int]]:
    choices = Choices()
    made = read(code, context, choices, options, inferred)
    if not choices.asked or not matter_in(code, context.dialect):
        return made, choices.given
    best = _Search(code, context, options, inferred).best(made, choices)
    return best.made, best.given


def decompile_tree(
    code: Code,
    context: Context,
    options: DecompileOptions = DEFAULT,
    inferred: InferredTypes = NOTHING,
) -> tree.Block:
    """The tree of a root entry, its functions in place; as :func:`analyse`."""
    return analyse(code, context, options, inferred).block


def decompile(
    code: Code,
    context: Context,
    options: DecompileOptions = DEFAULT,
    inferred: InferredTypes = NOTHING,
) -> str:
    """The source of a root entry, as :func:`analyse` reads it; ``options`` say how it is written
    (``PRESETS["plain"]`` of :mod:`overhaul.gml.decompiler.options`: as literally as source can)."""
    return to_source(analyse(code, context, options, inferred).block, context.dialect)


class _Search:
    """Looks for the reading of an entry that compiles to its instructions."""

    def __init__(
        self, code: Code, context: Context, options: DecompileOptions, inferred: InferredTypes
    ) -> None:
        self._code = code
        self._context = context
        self._options = options
        self._inferred = inferred
        self._left = _FEW + _MOST // (len(code.instructions) + 1)
        self._seen: set[frozenset[tuple[Point, int]]] = set()

    def best(self, made: Decompiled, choices: Choices) -> _Reading:
        best = self._judged(made, choices)
        while best.differs < _SAME and self._left > 0:
            better = self._better(best)
            if better is None:
                break
            best = better
        return best

    def _better(self, best: _Reading) -> _Reading | None:
        """The first reading of those nearest that agrees longer; None if there is none."""
        for given in _others(best):
            key = frozenset(given.items())
            if key in self._seen:
                continue
            self._seen.add(key)
            if self._left <= 0:
                return None
            choices = Choices(given)
            made = read(self._code, self._context, choices, self._options, self._inferred)
            reading = self._judged(made, choices)
            if reading.differs > best.differs:
                return reading
        return None

    def _judged(self, made: Decompiled, choices: Choices) -> _Reading:
        self._left -= 1
        return _Reading(made, choices.asked, choices.given, self._differs(made))

    def _differs(self, made: Decompiled) -> int:
        """The index of the first instruction that differs when a reading is compiled."""
        if made.problems:
            return -1
        source = to_source(made.block, self._context.dialect)
        try:
            compiled = recompile(source, self._context, self._code)
        except SyntaxError_:
            return -1
        return first_difference(compiled.instructions, self._code.instructions)


def first_difference(made: list[Instruction], wanted: list[Instruction]) -> int:
    """The index of the first instruction that differs; how far a branch leads, or where the parts
    of a ``try`` begin, only counts where nothing else does."""
    if made == wanted:
        return _SAME
    places = -1
    for index, (old, new) in enumerate(zip(made, wanted, strict=False)):
        if old != new:
            if old.opcode != new.opcode or not _is_place(wanted, index):
                return index
            places = index if places < 0 else places
    return min(len(made), len(wanted)) if len(made) != len(wanted) else places


def _is_place(instructions: list[Instruction], index: int) -> bool:
    """Whether an instruction has the place of another one: a branch, or an argument of the call
    that begins a ``try``."""
    if instructions[index].opcode in BRANCHES:
        return True
    behind = instructions[index + 1 : index + 5]
    return instructions[index].opcode == Opcode.PUSH and any(map(begins_try, behind))


def _others(best: _Reading) -> Iterator[dict[Point, int]]:
    """Other readings: another choice at each point, first at those before the first instruction
    that differs, nearest first; then at two of them."""
    at = max(0, best.differs)
    singles = [
        (point, value)
        for point in sorted(best.asked, key=lambda point: (point.at > at, abs(point.at - at)))
        for value in range(best.asked[point][1])
        if value != best.asked[point][0]
    ]
    for point, value in singles:
        yield {**best.given, point: value}
    near = singles[:_NEAR]
    for number, (point, value) in enumerate(near):
        for other, second in near[:number]:
            if other != point:
                yield {**best.given, point: value, other: second}
