"""The decompiler on every game of the corpus, and next to the sources people wrote."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import overhaul
from first_reading import check_once
from overhaul.gamemaker.data.game import GameData
from overhaul.gml.compiler import compile as compile_source
from overhaul.gml.decompiler import gather
from overhaul.gml.decompiler.types.facts import NOTHING
from overhaul.gml.errors import SyntaxError_
from overhaul.gml.roundtrip import analyse, decompile
from overhaul.gml.vm.code import Code
from present import opened
from real_files import corpus_files, sample

pytestmark = pytest.mark.corpus

GAMES = [*corpus_files("datawin*/*.win"), *corpus_files("datawin*/*.[iu][on][sx]")]
GAMES += corpus_files("datawin*/side/*.win")
#: of these, in an ordinary run
COUNT = 11


@pytest.fixture(params=sample(GAMES, COUNT), ids=lambda path: path.name[:40])
def game(request: pytest.FixtureRequest) -> Any:
    """An opened game that has code."""
    document = overhaul.open(request.param)
    if not codes(document):
        pytest.skip("compiled to native code")
    return document


def codes(document: Any) -> list[Code]:
    return [
        document.language.code(entry)
        for entry in document.records.code
        if entry is not None and entry.root is None
    ]


def kind(name: str) -> str:
    if name.startswith("gml_GlobalScript_"):
        return "global_script"
    return "script" if name.startswith("gml_Script_") else "event"


def test_every_entry_is_structured(game: Any) -> None:
    context = game.language.context
    found = {code.name: analyse(code, context).problems for code in codes(game)}
    assert {name: problems for name, problems in found.items() if problems} == {}


@pytest.mark.parametrize("whole_game", [False, True], ids=["alone", "whole game"])
def test_the_source_compiles_to_the_same_code(game: Any, whole_game: bool) -> None:
    context = game.language.context
    entries = codes(game)
    inferred = gather(entries, context) if whole_game else NOTHING
    different = []
    for code in entries:
        text = decompile(code, context, inferred=inferred)
        try:
            again = compile_source(
                text, context, kind=kind(code.name), name=code.name, previous=code
            )
        except SyntaxError_ as error:
            different.append(f"{code.name}: {error}")
            continue
        if again.instructions != code.instructions:
            different.append(code.name)
    assert len(different) <= len(entries) // 1000, different


def test_statement_addresses_ascend_within_a_block(game: Any) -> None:
    context = game.language.context
    for code in codes(game):
        addresses = [statement.address for statement in analyse(code, context).block.statements]
        known = [address for address in addresses if address >= 0]
        assert known == sorted(known), code.name


def test_gathering_twice_gives_the_same_text(corpus: Path) -> None:
    document = opened(sample(GAMES, 1, seed=3)[0], GameData)
    context = document.language.context
    entries = codes(document)
    texts = []
    for _ in range(2):
        inferred = gather(entries, context)
        texts.append([decompile(code, context, inferred=inferred) for code in entries])
    assert texts[0] == texts[1]


def test_code_read_once_is_as_code_read_twice(game: Any) -> None:
    read = codes(game)
    assert sum(check_once(read, game.language.context)) == len(read)
