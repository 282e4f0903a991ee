"""Official sources compile to official code: the compiler's measure, in every version group."""

from __future__ import annotations

from collections import Counter

import pytest

from overhaul import gml
from overhaul.gml.syntax.parser import parse
from overhaul.gml.syntax.printer import to_source
from real_files import NO_CORPUS
from sourcepairs import Build, builds, closed, same

pytestmark = pytest.mark.corpus

BUILDS = builds()
EVERY_GROUP = 0.99
OVERALL = 0.995

#: sources that are not what was compiled: the code has other statements or functions
OTHERS = {
    "gml_GlobalScript_lib_InternalFunctions",
    "gml_GlobalScript_scr_netdata_abstract_class",
    "gml_GlobalScript_Quaternions",
}


def measure(build: Build) -> tuple[int, list[str], list[str]]:
    """How many strict pairs a build has, which of them compile to something else, and the
    warnings about their names."""
    tried = 0
    different = []
    doubts: list[str] = []
    for pair in build.pairs():
        if not pair.strict or pair.entry in OTHERS:
            continue
        tried += 1
        official = build.official(pair.entry)
        try:
            code = build.compiled(pair, official)
            good = same(code, official)
            doubts += [f"{pair.entry}:{each}" for each in code.unknown]
        except gml.SyntaxError_:
            good = False
        if not good:
            different.append(pair.entry)
    return tried, different, doubts


def test_strict_pairs_compile_to_the_official_code() -> None:
    """... and none of their names is unknown."""
    if not BUILDS:
        pytest.skip(NO_CORPUS)
    tried: Counter[str] = Counter()
    identical: Counter[str] = Counter()
    for build in BUILDS:
        count, different, doubts = measure(build)
        assert doubts == [], build.folder.name
        tried[build.group()] += count
        identical[build.group()] += count - len(different)
    shares = {group: identical[group] / tried[group] for group in tried}
    assert sum(tried.values()) > 6000
    assert {group: share for group, share in shares.items() if share < EVERY_GROUP} == {}
    assert identical.total() / tried.total() >= OVERALL


@pytest.mark.parametrize("build", BUILDS[::6], ids=lambda build: build.folder.name[:30])
def test_compiled_code_links_to_the_bytes_of_the_game(build: Build) -> None:
    game = build.game
    pairs = [pair for pair in build.pairs() if pair.strict][:4]
    for pair in pairs:
        code = game.compile(pair.entry, pair.source, build.definitions)
        assert code.to_bytes() == game.records.code[pair.entry].to_bytes(), pair.entry


@pytest.mark.parametrize("build", BUILDS, ids=lambda build: build.folder.name[:30])
def test_every_source_prints_back_to_its_tree(build: Build) -> None:
    dialect = build.game.language.context.dialect
    for pair in build.pairs():
        block = parse(closed(pair.source, dialect), dialect)
        assert parse(to_source(block, dialect), dialect) == block, pair.entry
