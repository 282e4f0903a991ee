"""From instructions to trees.

:func:`read` gives the tree of an entry; :mod:`overhaul.gml.roundtrip` checks it, and prints it.
The stages:

cfg        where branches lead, where loops and functions begin
lift       the stack machine: values, and simple statements
regions    loops, ifs, switches, tries and functions, by descent over the instructions
fragment   what these give: a tree for each function, with marks where a pass decides
passes     decide, and rewrite the tree (``passes.pipeline`` lists them)

Their parts:

options    how source is written where the bytes allow several texts
choices    what the instructions leave open, and which reading is taken
types      what numbers mean, with what is inferred from a whole game
"""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple

from overhaul.gml.context import Context
from overhaul.gml.decompiler.choices import Choices, matter_in
from overhaul.gml.decompiler.fragment import RootEntry
from overhaul.gml.decompiler.options import DEFAULT, DecompileOptions
from overhaul.gml.decompiler.passes.pipeline import run
from overhaul.gml.decompiler.regions.reader import Reader
from overhaul.gml.decompiler.types.collecting import Collector
from overhaul.gml.decompiler.types.facts import NOTHING, GameFacts, InferredTypes
from overhaul.gml.decompiler.types.infer import infer
from overhaul.gml.decompiler.types.locations import Locations, Uses
from overhaul.gml.decompiler.types.names import TypeNames
from overhaul.gml.decompiler.types.naming import Naming
from overhaul.gml.decompiler.types.provisional import Asked, Contents, Provisional
from overhaul.gml.dialect import Dialect
from overhaul.gml.syntax import tree
from overhaul.gml.syntax.printer import to_source
from overhaul.gml.vm.code import Code


@dataclass
class Decompiled:
    """An entry's tree, and why parts of it have no structured form (empty: all has)."""

    block: tree.Block
    problems: list[str]


@contextmanager
def without_collector() -> Iterator[None]:
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
    code: Code,
    context: Context,
    choices: Choices,
    options: DecompileOptions = DEFAULT,
    inferred: InferredTypes = NOTHING,
) -> Decompiled:
    """The tree of a root entry with its functions in place, and what could not be structured, with
    one reading of what the instructions leave open."""
    with without_collector():
        locations = Locations(TypeNames(context, inferred))
        uses = Naming(locations, options) if options.names else Uses(options)
        entry = RootEntry(code, context.dialect, choices, options)  # cfg
        fragments = Reader(entry, locations, uses).read()  # lift and regions: trees with marks
        run(fragments)  # passes: the meaning of the marks, and the writing of people
    return Decompiled(tree.Block(fragments[-1].statements), entry.problems)


def decompile_as_likely(code: Code, context: Context, inferred: InferredTypes | None = None) -> str:
    """The source of a root entry as most people write it; it may compile to other instructions,
    as nothing of it was checked."""
    made = read(code, context, Choices(), DEFAULT, inferred or NOTHING)
    return to_source(made.block, context.dialect)


# -- types of a whole game -----------------------------------------------------------------------


def gather(codes: Iterable[Code], context: Context) -> InferredTypes:
    """Infer the types of a game's own variables, parameters and results from all of its code, and
    some habits of its author.

    Code that is decompiled with them shows more of its numbers as names. Costs one reading of
    the code; call it again when the code has changed.
    """
    return conclude([read_facts(codes, context)], context)


def read_facts(codes: Iterable[Code], context: Context) -> GameFacts:
    """The reading of :func:`gather`, for a part of the code: in a process of its own, say."""
    facts = GameFacts()
    names = TypeNames(context, NOTHING)
    for code in codes:
        locations = Locations(names)
        with without_collector():
            entry = RootEntry(code, context.dialect, Choices())
            reader = Reader(entry, locations, Collector(locations, facts))
            reader.read()
        facts.with_self += reader.scope.with_self
        facts.with_index |= reader.scope.with_index
    return facts


@dataclass
class FirstReading:
    """An entry as it is read while facts are collected, before the types of its game are known.

    ``asked``: what of its tree may change with them.  ``choices``: what its instructions leave
    open, and ``is_open``: whether they may depend on it.
    """

    made: Decompiled
    asked: Asked
    choices: Choices
    is_open: bool


def read_first(code: Code, names: TypeNames, facts: GameFacts) -> FirstReading | None:
    """Collect facts from a root entry as :func:`read_facts` does, and keep its tree. ``names``:
    those of a game without any known types. None where that fails, which is reported when the
    entry is asked for."""
    context = names.context
    locations = Locations(names)
    uses = Provisional(locations, facts)
    with without_collector():
        entry = RootEntry(code, context.dialect, Choices())
        reader = Reader(entry, locations, uses)
        fragments = reader.read()
        facts.with_self += reader.scope.with_self
        facts.with_index |= reader.scope.with_index
        try:
            run(fragments)
        except Exception:  # noqa: BLE001 - see above
            return None
    made = Decompiled(tree.Block(fragments[-1].statements), entry.problems)
    scope, names_taken = reader.scope, reader.scope.root_locals | reader.scope.statics()
    contents = Contents(
        bool(code.children), reader.calls.reads_elements, scope.lacks_index,
        uses.fractions, uses.factors, names_taken,
    )  # fmt: skip
    is_plain = not any(fragment.has_try for fragment in fragments)
    asked = uses.asked_of(contents, reader.frame.copied, is_plain)
    is_open = bool(entry.choices.asked) and matter_in(code, context.dialect)
    return FirstReading(made, asked, entry.choices, is_open)


class FirstText(NamedTuple):
    """The text of a first reading, with marks for numbers that may be named: see
    :meth:`~overhaul.gml.decompiler.types.provisional.Asked.fill`."""

    text: str
    problems: list[str]
    asked: Asked


def text_of(first: FirstReading, dialect: Dialect) -> FirstText | None:
    """The text of a first reading, which is used up; None if its instructions leave something
    open, and it has to be compiled, and where printing fails."""
    if first.is_open:
        return None
    first.asked.mark()
    try:
        text = to_source(first.made.block, dialect)
    except Exception:  # noqa: BLE001 - reported when the entry is asked for
        return None
    return FirstText(text, first.made.problems, first.asked)


def conclude(parts: Iterable[GameFacts], context: Context, *, kept: bool = False) -> InferredTypes:
    """The end of :func:`gather`: infer types from all parts of the code, in their order.  The
    parts are used up, unless they are ``kept``."""
    facts = GameFacts()
    for part in parts:
        facts.join(part, kept=kept)
    with without_collector():
        return infer(facts, context.dialect)
