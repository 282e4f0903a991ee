"""Random scripts: what they compile to is decompiled, and compiles to the same bytes."""

from __future__ import annotations

import os

import pytest

from ags_decompiled import compiled
from ags_programs import flow, layout, program
from overhaul.ags.decompiler.proof import prove

EDITORS = ("3.4.1.15", "3.5.1.22", "3.6.1.26", "3.6.2.21")
OLDER = ("3.0.2.0", "3.2.1.0", "3.4.0.14")
NEWER = ("3.4.1.15", "3.5.1.22", "3.6.0.50", "3.6.1.26", "3.6.2.21")
SEEDS = range(1000 if os.environ.get("OVERHAUL_FULL") == "1" else 60)


@pytest.mark.parametrize("editor", EDITORS)
def test_random_scripts_compile_to_their_bytes(editor: str) -> None:
    seeds = [seed for seed in SEEDS if seed % len(EDITORS) == EDITORS.index(editor)]
    assert [seed for seed in seeds if prove(compiled(program(seed), editor=editor))] == []


@pytest.mark.parametrize("editor", [*OLDER, *NEWER])
def test_random_flow_compiles_to_its_bytes(editor: str) -> None:
    """Loops, switches, conditions and braces in each other, with declarations around each."""
    failed = [seed for seed in SEEDS if prove(compiled(flow(seed, editor), editor=editor))]
    assert failed == []


def test_what_failed_before_comes_back() -> None:
    """Seeds that found something."""
    for editor, seed in (
        ("3.5.1.22", 536), ("3.4.0.14", 562), ("3.4.0.14", 248), ("3.5.1.22", 2123),
        ("3.4.0.14", 1074), ("3.4.0.14", 4231), ("3.6.2.21", 5696), ("3.4.0.14", 437),
        ("3.4.0.14", 21), ("3.4.0.14", 27), ("3.4.0.14", 251), ("3.5.1.22", 100829),
        ("3.4.0.14", 100187), ("3.5.1.22", 208878), ("3.5.1.22", 207419),
    ):  # fmt: skip
        assert prove(compiled(flow(seed, editor), editor=editor)) == [], (editor, seed)


def test_random_structs_compile_to_their_bytes() -> None:
    """Variables of structs; one of a thousand has its variables in other places."""
    failed = [seed for seed in range(len(SEEDS) * 2) if prove(compiled(layout(seed)))]
    assert [seed for seed in failed if seed < 900] == []
    assert len(failed) <= 2
