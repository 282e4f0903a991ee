"""Random programs over the whole language, for every release: what the compiler makes of them is
sound, comes back from assembly as it was, and decompiles to source that compiles to the same.
"""

from __future__ import annotations

import os

import pytest

from gml_chains import ChainWriter
from gml_fixed_point import compiled, failure
from gml_flow import FlowWriter
from gml_grafts import GraftWriter
from gml_programs import RELEASES, Release
from gml_reducer import reduced
from gml_stack import Unsound, check_stack
from gml_writer import context
from overhaul.gamemaker.data.game import GameData
from overhaul.gml.dialect import Dialect
from present import opened
from real_files import NO_CORPUS, corpus_files, corpus_folder, sample

#: of each release; ``python3 dev.py programs`` goes on
PROGRAMS = 1000 if os.environ.get("OVERHAUL_FULL") else 50
_LEFT_BEHIND = "gml_Script_nsp_execute_master"


@pytest.mark.sampled(3)
@pytest.mark.parametrize("release", RELEASES, ids=lambda release: f"{release[0]}-{release[1]}")
def test_programs(release: Release) -> None:
    assert [each for seed in range(PROGRAMS) if (each := failure(release, seed))] == []


@pytest.mark.sampled(3)
@pytest.mark.parametrize("release", RELEASES, ids=lambda release: f"{release[0]}-{release[1]}")
def test_control_flow(release: Release) -> None:
    found = (failure(release, seed, FlowWriter) for seed in range(2 * PROGRAMS))
    assert [each for each in found if each] == []


@pytest.mark.sampled(3)
@pytest.mark.parametrize("release", RELEASES, ids=lambda release: f"{release[0]}-{release[1]}")
def test_chains(release: Release) -> None:
    found = (failure(release, seed, ChainWriter) for seed in range(PROGRAMS))
    assert [each for each in found if each] == []


@pytest.mark.skipif(corpus_folder() is None, reason=NO_CORPUS)
@pytest.mark.sampled(3)
@pytest.mark.parametrize("release", RELEASES, ids=lambda release: f"{release[0]}-{release[1]}")
def test_grafts(release: Release) -> None:
    found = (failure(release, seed, GraftWriter) for seed in range(PROGRAMS // 5))
    assert [each for each in found if each] == []


def test_the_stack_is_looked_at() -> None:
    dialect = Dialect.for_version(17, (2023, 4, 0, 0))
    code = compiled("x = 1 + y; if (x) { z = [1, 2]; }", dialect, "event")
    for index in range(len(code.instructions)):
        broken = compiled("x = 1 + y; if (x) { z = [1, 2]; }", dialect, "event")
        del broken.instructions[index]
        if broken.instructions[index - 1 : index] and index < len(broken.instructions):
            with pytest.raises(Unsound):
                check_stack(broken, dialect)
    check_stack(code, dialect)


def test_a_program_is_reduced_to_what_shows_something() -> None:
    source = (
        "a = 1; if (b) { c = d(e + 1, [f, g]); h(); } else { i = 2; } switch (j) { case 1: k(); }"
    )
    dialect = Dialect()
    assert reduced(source, context(dialect), lambda text: "f" in text and "d" in text).split() == [
        "c",
        "=",
        "d(f);",
    ]
    kept = reduced(
        source, context(dialect), lambda text: compiled(text, dialect, "event") is not None
    )
    assert kept.split() == []


@pytest.mark.skipif(not corpus_files("datawin*/*.win"), reason=NO_CORPUS)
def test_official_code_is_sound() -> None:
    """The model of the stack holds for what the official compilers made."""
    checked = 0
    for path in sample(corpus_files("datawin*/*.win"), 8):
        game = opened(path, GameData)
        # Newest releases undo switches before an exit in the wrong order, or leave one out.
        undone = not game.language.context.dialect.switch_default_exit_keeps_value
        for entry in game.records.code if undone and not game.is_native else ():
            # One official script of the corpus leaves the counter of a repeat behind.
            if entry is not None and entry.root is None and entry.name != _LEFT_BEHIND:
                check_stack(game.language.code(entry), game.language.context.dialect)
                checked += 1
    assert checked > 100
