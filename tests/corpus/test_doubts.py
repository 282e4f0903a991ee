"""Numbers in compiled code against original sources: what names an asset there is known to be one,
or in doubt.

Each source is compiled twice, the second time with other numbers for all assets: what differs is
an asset in the source.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

import sourcepairs
from overhaul.gamemaker.data.code.compiling import compile_entry
from overhaul.gamemaker.data.code.mentions import roots
from overhaul.gml.context import Context
from overhaul.gml.decompiler.doubts import doubts_of, weigh
from overhaul.gml.errors import CompileError, SyntaxError_
from overhaul.gml.roundtrip import choose
from overhaul.gml.vm.code import Code
from real_files import sample

pytestmark = pytest.mark.corpus

BUILDS = {build.folder.name: build for build in sourcepairs.builds()}
#: what the other numbers are above the real ones
_SHIFT = 20_000
#: In these the source orders objects by size: ``x < obj_explosion_hitbox``.
_MISTAKES = {"gml_Script_scr_hit_by_bat", "gml_Script_scr_boss_hit_by_bat"}


def numbers(code: Code) -> list[object]:
    return [
        instruction.value if instruction.operand is None else instruction.operand
        for instruction in code.instructions
    ]


def assets_in(source: str, context: Context, name: str, before: Code) -> Counter[object]:
    """The numbers that are assets in a source, with how often each is there."""
    plain = numbers(compile_entry(source, context, name, before))
    real = dict(context.asset_ids)
    context.asset_ids.update(
        {each: (kind, number + _SHIFT) for each, (kind, number) in real.items()}
    )
    try:
        moved = numbers(compile_entry(source, context, name, before))
    finally:
        context.asset_ids.update(real)
    pairs = zip(plain, moved, strict=True)
    return Counter(a for a, b in pairs if a != b and isinstance(a, int))


@pytest.mark.parametrize("name", sample(sorted(BUILDS), 12))
def test_assets_in_sources_are_known_or_in_doubt(name: str) -> None:
    build: Any = BUILDS[name]
    game, context = build.game, build.context
    if context.dialect.asset_references:
        pytest.skip("its code refers to assets")
    game.language.decompiled.decompiler.learn()
    inferred = game.language.decompiled.decompiler.inferred
    weighed = weigh([game.language.code(entry) for entry in roots(game)], context, inferred)
    lost = []
    for pair in build.pairs():
        before = game.language.code(game.records.code[pair.entry])
        choices = choose(before, context, inferred)
        shown = doubts_of(before, context, weighed, choices, inferred)
        if not pair.strict or shown.problems or pair.entry in _MISTAKES:
            continue
        try:
            left = assets_in(pair.source, context, pair.entry, before)
        except (CompileError, SyntaxError_):  # it calls what the game's tables do not name
            continue
        left -= assets_in(shown.source, context, pair.entry, before)
        left -= Counter(doubt.value for doubt in shown.doubts)
        lost += [(pair.entry, number) for number in left]
    assert lost == []
