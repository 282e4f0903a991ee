"""The virtual machine's code on every game of the corpus: words, text, tables and linking."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import overhaul
from overhaul import gml
from overhaul.gml.vm.code import Code, Variable
from overhaul.gml.vm.columns import decode, encode
from overhaul.gml.vm.linking import Tables, link
from overhaul.gml.vm.opcodes import OLD_OPCODES, PUSH_WORDS
from overhaul.gml.vm.registration import (
    BUILTIN_ID,
    function_order,
    local_names,
    root_counts,
    string_order,
    variable_ids,
    variable_order,
)
from real_files import corpus_files, sample

pytestmark = pytest.mark.corpus

GAMES = [*corpus_files("datawin*/*.win"), *corpus_files("datawin*/*.[iu][on][sx]")]
GAMES += corpus_files("datawin*/side/*.win")
#: of these, in an ordinary run
COUNT = 12
#: games whose FUNC or STRG does not follow from their code, with the reason
OTHER_TABLES = {
    "quinnnn284": "some of its code calls functions that FUNC does not have",
    "Gatoiq": "the name of a script without a function stands elsewhere among its strings",
}


@pytest.fixture(params=sample(GAMES, COUNT), ids=lambda path: path.name[:40])
def game(request: pytest.FixtureRequest) -> Any:
    """An opened game that has code."""
    document = overhaul.open(request.param)
    if not roots(document):
        pytest.skip("compiled to native code")
    return document


def follows_from_code(game: Any) -> None:
    """Skip a game whose tables do not follow from its code."""
    name = Path(str(game.source)).name.partition("__")[0]
    if name in OTHER_TABLES:
        pytest.skip(OTHER_TABLES[name])


def roots(document: Any) -> list[Any]:
    return [entry for entry in document.records.code if entry is not None and entry.root is None]


def symbolic(document: Any) -> list[Code]:
    return [document.language.code(entry) for entry in roots(document)]


def slow_starts(words: bytes, bytecode: int) -> list[int]:
    """Where instructions start, one by one: the slow twin of the columns' method."""
    old = {number: opcode for opcode, number in OLD_OPCODES.items()}
    starts = []
    at = 0
    while at < len(words):
        starts.append(at)
        (word,) = struct.unpack_from("<I", words, at)
        number, type1 = word >> 24, word >> 16 & 15
        opcode = number if bytecode >= 15 else old.get(number, 0x15)
        size = 1
        if 0xC0 <= opcode <= 0xC3:
            size = PUSH_WORDS[type1]
        elif opcode == 0xD9 or (opcode == 0x45 and type1 != 15) or (opcode == 0xFF and type1 == 2):
            size = 2
        at += 4 * size
    return starts


def test_columns(game: Any) -> None:
    bytecode = game.release.bytecode
    parts = [entry.to_bytes() for entry in roots(game)]
    words = b"".join(parts)
    columns = decode(words, bytecode)
    assert columns.offset.tolist() == slow_starts(words, bytecode)
    assert encode(columns, bytecode) == words
    begins = np.cumsum([0, *(len(part) for part in parts)])[:-1]
    assert decode(words, bytecode, begins).offset.tolist() == columns.offset.tolist()


def test_assembly_text(game: Any) -> None:
    context = game.language.context
    for entry, code in zip(roots(game), symbolic(game), strict=True):
        text = entry.assembly
        again = gml.assemble(text, context)
        assert again.instructions == code.instructions, entry.name
        assert again.children == code.children, entry.name
        assert again.local_names == code.local_names, entry.name
        assert gml.disassemble(again) == text, entry.name


def test_the_tables_follow_from_the_code(game: Any) -> None:
    follows_from_code(game)
    codes = symbolic(game)
    dialect = game.language.context.dialect
    typed = game.release.bytecode >= 15
    order = variable_order(codes, dialect)
    assert order.variables == [
        Variable(str(variable.name), variable.instance_type if typed else -1)
        for variable in game.variables
    ]
    assert function_order(codes) == [str(function.name) for function in game.functions]
    strings = [string.text for string in game.strings]
    first = string_order(codes, dialect)
    assert first == strings[: len(first)]
    if typed:
        ids = [variable.id for variable in game.variables]
        builtins = {str(variable.name) for variable in game.variables if variable.id == BUILTIN_ID}
        assert variable_ids(order, codes, dialect, builtins, strings.index) == ids
    if dialect.code_locals_list:
        assert all(local_names(code) == code.local_names for code in codes)


def test_a_roots_counts_follow_from_its_code(game: Any) -> None:
    """But for variables that are declared and never used (GameMaker: Studio 1 counts them)."""
    dialect = game.language.context.dialect
    for code in symbolic(game):
        locals_count, arguments = root_counts(code, dialect)
        if dialect.gms2_or_later:
            assert (locals_count, arguments) == (code.locals_count, code.arguments_count), code
        else:
            assert locals_count <= code.locals_count, code


def test_the_whole_code_links_from_names_only(game: Any) -> None:
    follows_from_code(game)
    codes = symbolic(game)
    dialect = game.language.context.dialect
    strings = [string.text for string in game.strings]
    first: dict[str, int] = {}
    for index, text in enumerate(strings):
        first.setdefault(text, index)
    tables = Tables(
        dialect,
        variable_order(codes, dialect),
        {name: number for number, name in enumerate(function_order(codes))},
        first,
        strings,
    )
    # Only distances between entries matter: bytecode 13 and 14 have 8 bytes between two.
    gap = 8 if game.release.bytecode <= 14 else 0
    sizes = np.array([len(code) + gap for code in codes])
    linked = link(codes, (np.cumsum(sizes) - sizes).tolist(), tables)
    assert linked.entries == [entry.to_bytes() for entry in roots(game)]


@pytest.mark.parametrize("path", sample(GAMES, 4, seed=1), ids=lambda path: path.name[:40])
def test_assigned_assembly_changes_nothing(path: Path) -> None:
    document = overhaul.open(path)
    before = document.to_bytes()
    for entry in roots(document)[::7]:
        entry.assembly = entry.assembly
    assert document.to_bytes() == before
