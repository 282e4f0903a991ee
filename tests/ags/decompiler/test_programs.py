"""Random scripts: what they compile to is decompiled, and compiles to the same bytes."""

from __future__ import annotations

import os
import re

import pytest

from ags_decompiled import compiled
from ags_programs import flow, layout, program, switches
from ags_worlds import whole
from overhaul.ags.decompiler import decompile_block
from overhaul.ags.decompiler.proof import prove
from overhaul.ags.language import ScriptError

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


@pytest.mark.parametrize("editor", ["3.4.0.14", *NEWER])
def test_random_switches_compile_to_their_bytes(editor: str) -> None:
    """Labels without code, empty blocks, and line ends anywhere between them."""
    failed = [seed for seed in SEEDS if prove(compiled(switches(seed), editor=editor))]
    assert failed == []


@pytest.mark.parametrize("editor", [*OLDER, *NEWER])
def test_random_declarations_compile_to_their_bytes(editor: str) -> None:
    """Structs, methods, attributes, arrays and functions of all kinds, in a script of its own."""
    tried = 0
    for seed in range(len(SEEDS) // 2):
        try:
            script = compiled(whole(seed, editor), editor=editor)
        except ScriptError as error:
            assert "it has dynamic arrays" in str(error), seed
            continue
        assert prove(script) == [], seed
        tried += 1
    assert tried > len(SEEDS) // 3


def test_names_of_pointers_are_no_names_of_built_in_parameters() -> None:
    """Pointers are released in the order in which their names stand first in the whole text."""
    borrowed = r"\*?\b(?:format|stringToCheck|appendText|extraChar|otherString)\b"
    for seed in (12, 18, 27, 38, 41, 52, 63, 68, 82):
        script = compiled(flow(seed, "3.5.1.22"), editor="3.5.1.22")
        assert re.search(borrowed, decompile_block(script).text) is None, seed


def test_what_failed_before_comes_back() -> None:
    """Seeds that found something."""
    for editor, seed in (
        ("3.5.1.22", 536), ("3.4.0.14", 562), ("3.4.0.14", 248), ("3.5.1.22", 2123),
        ("3.4.0.14", 1074), ("3.4.0.14", 4231), ("3.6.2.21", 5696), ("3.4.0.14", 437),
        ("3.4.0.14", 21), ("3.4.0.14", 27), ("3.4.0.14", 251), ("3.5.1.22", 100829),
        ("3.4.0.14", 100187), ("3.5.1.22", 208878), ("3.5.1.22", 207419), ("3.4.0.14", 39365),
        ("3.4.0.14", 2593), ("3.5.1.22", 710657), ("3.4.0.14", 8008867),
    ):  # fmt: skip
        assert prove(compiled(flow(seed, editor), editor=editor)) == [], (editor, seed)


def test_declarations_that_failed_before_come_back() -> None:
    """Seeds that found something: arrays of pointers to structs with dynamic arrays, structs that
    release some of their pointers, bases of which only methods show, structs of several heirs,
    fields of bases that end at no multiple of 4, sizes of arrays, local arrays of pointers to
    structs that extend one with dynamic arrays, and bases whose methods use more bytes than those
    of their heirs."""
    for editor, seed in (
        ("3.6.1.26", 581), ("3.6.1.26", 821), ("3.6.1.26", 1189), ("3.6.1.26", 560),
        ("3.6.1.26", 267), ("3.6.1.26", 419), ("3.6.1.26", 1422), ("3.6.1.26", 1646),
        ("3.0.2.0", 62), ("3.0.2.0", 68), ("3.0.2.0", 806), ("3.0.2.0", 844), ("3.0.2.0", 1488),
        ("3.0.2.0", 2735), ("3.0.2.0", 2978), ("3.6.2.21", 2308), ("3.4.0.14", 1714),
        ("3.6.1.26", 3100097), ("3.4.1.15", 4301015), ("3.0.2.0", 7005211), ("3.2.1.0", 7005211),
        ("3.4.0.14", 7006141), ("3.0.2.0", 7011827), ("3.2.1.0", 7011827), ("3.4.0.14", 7013945),
        ("3.4.1.15", 93000314), ("3.6.2.21", 93000314), ("3.4.1.15", 7016690),
        ("3.6.2.21", 7016690),
    ):  # fmt: skip
        assert prove(compiled(whole(seed, editor), editor=editor)) == [], (editor, seed)


def test_random_structs_compile_to_their_bytes() -> None:
    """Variables of structs."""
    failed = [seed for seed in range(len(SEEDS) * 2) if prove(compiled(layout(seed)))]
    assert failed == []


def test_structs_that_did_not_come_back_before_do() -> None:
    """Seeds whose structs got more fields by what came behind them."""
    seeds = (300319, 300624, 300725, 304709, 309266, 310133, 311496, 312894, 313470, 314314)
    assert [seed for seed in seeds if prove(compiled(layout(seed), editor="3.0.2.0"))] == []
