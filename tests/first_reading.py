"""Code read once, with names put into the trees that learning made, and code read again: the same.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterable
from typing import NamedTuple

from overhaul.gml.context import Context
from overhaul.gml.decompiler import FirstText, conclude, gather, read_first, text_of
from overhaul.gml.decompiler.types.facts import NOTHING, GameFacts, InferredTypes
from overhaul.gml.decompiler.types.names import TypeNames
from overhaul.gml.decompiler.types.provisional import Answers
from overhaul.gml.roundtrip import analyse, analyse_first
from overhaul.gml.syntax.printer import to_source
from overhaul.gml.vm.code import Code


class Once(NamedTuple):
    """What reading a game's entries once gave: how many texts were the same, how many got names,
    and how many have to be read again."""

    same: int
    named: int
    again: int


def texts_in_parts(codes: Iterable[Code], made: Context) -> list[FirstText | None]:
    """The texts with marks, as another process sends them."""
    names = TypeNames(made, NOTHING)
    texts = []
    for code in codes:
        first = read_first(code, names, GameFacts())
        text = None if first is None else text_of(first, made.dialect)
        texts.append(pickle.loads(pickle.dumps(text)))
    return texts


def check_once(codes: Iterable[Code], made: Context, inferred: InferredTypes | None = None) -> Once:
    """Read entries once, and check that the texts are those of reading them again with types:
    those inferred from the same code, or others."""
    codes = list(codes)
    facts = GameFacts()
    names = TypeNames(made, NOTHING)
    readings = [read_first(code, names, facts) for code in codes]
    own = conclude([facts], made)
    assert own == gather(codes, made)
    types = own if inferred is None else inferred
    answers = Answers(made, types)
    counts = [0, 0, 0]
    marked = texts_in_parts(codes, made)
    for code, first, text in zip(codes, readings, marked, strict=True):
        assert first is not None
        spelled = first.asked.spelled(types, answers)
        if spelled is None:
            counts[2] += 1
            continue
        counts[bool(spelled)] += 1
        first.asked.name(spelled)
        wanted = analyse(code, made, inferred=types)
        block = analyse_first(first, lambda code=code: code, made, types)  # type: ignore[misc]
        source = to_source(wanted.block, made.dialect)
        assert to_source(block.block, made.dialect) == source, code.name
        assert block.problems == wanted.problems
        if text is not None:
            again = text.asked.spelled(types, answers)
            assert again is not None
            assert text.asked.fill(text.text, again) == source
    return Once(*counts)
