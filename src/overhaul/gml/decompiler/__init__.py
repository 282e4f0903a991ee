"""From instructions to source.

:func:`decompile_tree` gives the tree of an entry, :func:`decompile` its text.  The stages:
``layout`` (where branches lead); ``variables``, ``machine`` and ``calls`` (values and simple
statements by simulating the stack); ``blocks``, ``functions``, ``structure`` and ``switches``
(constructs by descent over the instructions); ``finish`` (for headers, functions, struct literals);
``locals`` (``var``).  ``evidence`` names numbers, with what ``gathering`` learns of a whole game.
"""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from overhaul.gml.context import Context
from overhaul.gml.decompiler.evidence import Evidence
from overhaul.gml.decompiler.gathering import Gathering
from overhaul.gml.decompiler.knowledge import Knowledge
from overhaul.gml.decompiler.layout import Layout
from overhaul.gml.decompiler.locals import declare
from overhaul.gml.decompiler.naming import shown_enum_values, types_of, unknown_enum
from overhaul.gml.decompiler.structure import Structure
from overhaul.gml.decompiler.tries import restore
from overhaul.gml.syntax import tree
from overhaul.gml.vm.code import Code


class Decompiled:
    """An entry's tree, and why parts of it have no structured form (empty: all has)."""

    __slots__ = ("block", "problems")

    def __init__(self, block: tree.Block, problems: list[str]) -> None:
        self.block = block
        self.problems = problems


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


def analyse(code: Code, context: Context) -> Decompiled:
    """The tree of a root entry with its functions in place, and what could not be structured."""
    evidence = Evidence(context)
    with _without_collector():
        reader = Structure(code, context, Layout(code), evidence)
        statements = reader.statements(0, len(code.instructions))
        if reader.fragment.has_try:
            restore(statements, context.dialect)
        declare(statements, reader.fragment.locals, context.dialect)
        if len(code.instructions) == 1 and context.dialect.empty_code_exits:
            # What a text without statements (with comments, perhaps) compiles to.
            statements = [each for each in statements if not isinstance(each, tree.Exit)]
        values = shown_enum_values(statements, evidence.enum_values)
        if values:
            statements.append(unknown_enum(values))
        reader.close()
    return Decompiled(tree.Block(statements), reader.problems)


def gather(codes: Iterable[Code], context: Context) -> None:
    """Learn the types of a game's own variables, parameters and results from all of its code, and
    whether its constructors say ``self.``.

    What is decompiled with the same context afterwards shows more of its numbers as names.  Costs
    one reading of the code; call it again when the code has changed.
    """
    conclude([read_facts(codes, context)], context)


def read_facts(codes: Iterable[Code], context: Context) -> tuple[Knowledge, int]:
    """The reading of :func:`gather`, for a part of the code: in a process of its own, say."""
    knowledge = Knowledge()
    types = types_of(context)
    types.learn(None)
    types.says_self = False
    with_self = 0
    for code in codes:
        evidence = Gathering(context, knowledge)
        with _without_collector():
            reader = Structure(code, context, Layout(code), evidence)
            reader.statements(0, len(code.instructions))
            reader.close()
        with_self += reader.with_self - reader.without_self
    return knowledge, with_self


def conclude(parts: Iterable[tuple[Knowledge, int]], context: Context) -> None:
    """The end of :func:`gather`: what all parts of the code, in their order, tell together."""
    knowledge, with_self = Knowledge(), 0
    types = types_of(context)
    types.learn(None)
    types.says_self = False
    for part, count in parts:
        with_self += count
        if not knowledge.facts:
            knowledge = part
            continue
        for key, facts in part.facts.items():
            known = knowledge.facts.setdefault(key, facts)
            if known is not facts:
                known.join(facts, facts.neighbours)
    with _without_collector():
        knowledge.conclude()
    types.learn(knowledge)
    types.says_self = with_self > 0 and not context.dialect.self_to_builtin


def decompile_tree(code: Code, context: Context) -> tree.Block:
    """The tree of a root entry, its functions in place."""
    return analyse(code, context).block


def decompile(code: Code, context: Context) -> str:
    """The source of a root entry."""
    from overhaul.gml.syntax.printer import to_source

    return to_source(analyse(code, context).block, context.dialect)
