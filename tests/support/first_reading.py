"""Code read once, with names put into the trees that learning made, is as code read again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from overhaul.gml.context import Context
from overhaul.gml.decompiler import FirstText, conclude, gather, parcels, read_first, text_of
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


def in_parts(
    codes: Sequence[Code], made: Context
) -> tuple[list[GameFacts], list[FirstText | None]]:
    """Facts and texts with marks, as several other processes send them."""
    names = TypeNames(made, NOTHING)
    parts: list[GameFacts] = []
    texts: list[FirstText | None] = []
    for start in range(0, len(codes), 3):
        facts = GameFacts()
        own = []
        for code in codes[start : start + 3]:
            first = read_first(code, names, facts)
            own.append(None if first is None else text_of(first, made.dialect))
        packed = parcels.pack(facts, own)
        sent, shown = parcels.facts_of(packed), parcels.texts_of(packed)
        parts.append(sent)
        texts += shown
    return parts, texts


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
    parts, marked = in_parts(codes, made)
    assert conclude(parts, made, kept=True) == own
    assert conclude(parts, made) == own
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
