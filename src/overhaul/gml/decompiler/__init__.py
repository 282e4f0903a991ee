"""From instructions to trees.

:func:`read` gives the tree of an entry; :mod:`overhaul.gml.roundtrip` checks it, and prints it.
The stages:

options    how source is written where the bytes allow several texts
choices    what the instructions leave open, and which reading is taken
cfg        where branches lead, where loops and functions begin
lift       the stack machine: values, and simple statements
regions    loops, ifs, switches, tries and functions, by descent over the instructions
passes     what is rewritten in the tree afterwards (``passes.pipeline`` lists it)
types      what numbers mean, with what is learned from a whole game
"""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from overhaul.gml.context import Context
from overhaul.gml.decompiler.choices import Choices
from overhaul.gml.decompiler.options import DEFAULT, DecompileOptions
from overhaul.gml.decompiler.passes.pipeline import ENTRY_PASSES, run
from overhaul.gml.decompiler.regions.reader import Reader
from overhaul.gml.decompiler.types.collecting import Collector
from overhaul.gml.decompiler.types.facts import NOTHING, GameFacts, inferred_types, learn
from overhaul.gml.decompiler.types.infer import infer
from overhaul.gml.decompiler.types.locations import Locations
from overhaul.gml.decompiler.types.names import TypeNames
from overhaul.gml.decompiler.types.naming import Naming
from overhaul.gml.decompiler.types.uses import Uses
from overhaul.gml.syntax import tree
from overhaul.gml.syntax.printer import to_source
from overhaul.gml.vm.code import Code


@dataclass
class Decompiled:
    """An entry's tree, and why parts of it have no structured form (empty: all has)."""

    block: tree.Block
    problems: list[str]


@contextmanager
def _without_collector() -> Iterator[None]:
    """Pause the collector of cycles: a reader makes many small objects and no cycles, and twice the
    time would go into walking over all of them again and again."""
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()


def read(
    code: Code, context: Context, choices: Choices, options: DecompileOptions = DEFAULT
) -> Decompiled:
    """The tree of a root entry with its functions in place, and what could not be structured, with
    one reading of what the instructions leave open."""
    with _without_collector():
        locations = Locations(TypeNames(context, inferred_types(context)))
        uses = Naming(locations, options) if options.names else Uses(options)
        reader = Reader(code, locations, uses, choices, options)
        fragment = reader.read()
        run(ENTRY_PASSES, fragment)
    return Decompiled(tree.Block(fragment.statements), reader.blocks.problems)


def decompile_as_likely(code: Code, context: Context) -> str:
    """The source of a root entry as most people write it; it may compile to other instructions,
    as nothing of it was checked."""
    return to_source(read(code, context, Choices()).block, context.dialect)


# -- types of a whole game -----------------------------------------------------------------------


def gather(codes: Iterable[Code], context: Context) -> None:
    """Learn the types of a game's own variables, parameters and results from all of its code, and
    whether its constructors say ``self.``.

    What is decompiled with the same context afterwards shows more of its numbers as names.  Costs
    one reading of the code; call it again when the code has changed.
    """
    conclude([read_facts(codes, context)], context)


def read_facts(codes: Iterable[Code], context: Context) -> GameFacts:
    """The reading of :func:`gather`, for a part of the code: in a process of its own, say."""
    facts = GameFacts()
    names = TypeNames(context, NOTHING)
    for code in codes:
        locations = Locations(names)
        with _without_collector():
            reader = Reader(code, locations, Collector(locations, facts), Choices())
            reader.read()
        facts.with_self += reader.scope.with_self
        facts.with_index |= reader.scope.with_index
    return facts


def conclude(parts: Iterable[GameFacts], context: Context) -> None:
    """The end of :func:`gather`: infer types from all parts of the code, in their order.  The
    parts are used up."""
    facts = GameFacts()
    for part in parts:
        facts.join(part)
    with _without_collector():
        learn(context, infer(facts, context.dialect))


def keep_learned(before: Context, after: Context) -> None:
    """Use what was learned with a context for another one of the same game."""
    learn(after, inferred_types(before))
