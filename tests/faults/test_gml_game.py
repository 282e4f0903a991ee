"""Broken code of real games, and hostile code and source: every tool of the language ends soon.

The CI breaks a few games a little; ``OVERHAUL_FULL=1`` all of them, much.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from code_mutations import check_game

from overhaul import gml
from overhaul.errors import OverhaulError
from overhaul.gamemaker.data.game import GameData
from overhaul.gml.vm.code import (
    Code,
    FunctionReference,
    Instruction,
    Operand,
    VariableReference,
)
from overhaul.gml.vm.opcodes import Opcode
from present import opened
from real_files import NO_CORPUS, corpus_files, sample
from steps import at_most

FULL = os.environ.get("OVERHAUL_FULL") == "1"
FILES, ENTRIES = (300, 3000) if FULL else (12, 100)
GAMES = sample([p for p in corpus_files("datawin*/*.win") if p.stat().st_size > 9000], 6, seed=1)
STEPS = 6_000_000  # the longest takes half of it
DIALECTS = {
    "1.4": gml.Dialect.for_version(16, (1, 0, 0, 1773)),
    "2.3.2": gml.Dialect.for_version(17, (2, 3, 2, 0)),
    "2024.14": gml.Dialect(),
}


@pytest.mark.corpus
@pytest.mark.skipif(not GAMES, reason=NO_CORPUS)
@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited as Linux does it")
@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_broken_code_is_refused_or_read(path: Path) -> None:
    if opened(path, GameData).is_native:
        pytest.skip("no bytecode in this game")
    result = check_game(path, FILES, ENTRIES)
    assert result["failures"] == []
    assert result["read"] + result["opaque"] + result["refused"] == FILES
    assert result["entries"] >= ENTRIES


def row(
    opcode: Opcode, type1: int = 0, type2: int = 0, value: int = 0, operand: Operand = None
) -> Instruction:
    return Instruction(int(opcode), type1, type2, value, operand)


PUSH = row(Opcode.PUSH, 5, 0, -1, VariableReference("a", -1, 0xA0))
POP = row(Opcode.POP, 5, 5, -1, VariableReference("a", -1, 0xA0))
MEMBER = row(Opcode.PUSH, 5, 0, -9, VariableReference("b", -1, 0x80))
CALL = row(Opcode.CALL, 2, 0, 1, FunctionReference("string"))

#: hostile instructions, by a size
STREAMS: dict[str, Callable[[int], list[Instruction]]] = {
    "values to the right": lambda n: [PUSH] * n + [row(Opcode.ADD, 5, 5)] * (n - 1) + [POP],
    "values to the left": lambda n: [PUSH] + [PUSH, row(Opcode.ADD, 5, 5)] * n + [POP],
    "negations": lambda n: [PUSH] + [row(Opcode.NEG, 5)] * n + [POP],
    "pushes": lambda n: [PUSH] * n,
    "pops": lambda n: [POP] * n,
    "doubling": lambda n: [PUSH] + [row(Opcode.DUP, 5), row(Opcode.ADD, 5, 5)] * n + [POP],
    "ten copied": lambda n: [PUSH] * 10 + [row(Opcode.DUP, 5, 0, 9)] * n,
    "calls": lambda n: [PUSH] + [CALL] * n + [POP],
    "members": lambda n: [PUSH] + [row(Opcode.CONV, 5, 2), MEMBER] * n + [POP],
    "nested if": lambda n: (
        [
            each
            for k in range(n)
            for each in (PUSH, row(Opcode.CONV, 5, 4), row(Opcode.BF, 0, 0, (n - k) * 5))
        ]
        + [POP] * 5
    ),
    "nested with": lambda n: (
        [each for k in range(n) for each in (PUSH, row(Opcode.PUSHENV, 0, 0, 1 + 2 * (n - k)))]
        + [row(Opcode.POPENV, 0, 0, -1)] * n
    ),
    "loops into one another": lambda n: [
        each
        for k in range(n)
        for each in (PUSH, row(Opcode.CONV, 5, 4), row(Opcode.BT, 0, 0, -(k + 1) * 2))
    ],
    "branches to themselves": lambda n: [row(Opcode.B)] * n,
    "branches anywhere": lambda n: [row(Opcode.B, 0, 0, 7919 * k % n - k) for k in range(n)],
    "conditions anywhere": lambda n: [
        each
        for k in range(n)
        for each in (
            PUSH,
            row(Opcode.CONV, 5, 4),
            row(Opcode.BF, 0, 0, (7919 * k % n - k) * 4),
        )
    ],
    "a ladder": lambda n: [PUSH, row(Opcode.CONV, 5, 4), row(Opcode.BT, 0, 0, 8)] * n,
    "cases": lambda n: (
        [PUSH]
        + [
            each
            for k in range(n)
            for each in (
                row(Opcode.DUP, 5),
                row(Opcode.PUSHI, 15, 0, k % 30000),
                row(Opcode.CMP, 2, 5, 3),
                row(Opcode.BT, 0, 0, 4 * (n - k)),
            )
        ]
        + [row(Opcode.B, 0, 0, 5)]
    ),
}


@pytest.mark.sampled(6)
@pytest.mark.parametrize("version", DIALECTS)
@pytest.mark.parametrize("name", STREAMS)
@pytest.mark.parametrize("size", [30, 300, 6000])
def test_hostile_instructions_end_soon(name: str, size: int, version: str) -> None:
    context = gml.Context(DIALECTS[version])
    code = Code("hostile", STREAMS[name](size))
    with at_most(STEPS):
        source = gml.decompile(code, context)
        try:
            gml.compile(source, context, name="hostile")
        except OverhaulError as error:
            assert str(error)
    assert len(source) < 100 * len(code.instructions) + 2000


#: hostile sources, by a size
SOURCES: dict[str, Callable[[int], str]] = {
    "parentheses": lambda n: "a = " + "(" * n + "1" + ")" * n,
    "open parentheses": lambda n: "a = " + "(" * n,
    "arrays": lambda n: "a = " + "[" * n + "]" * n,
    "indices": lambda n: "a" + "[0]" * n + " = 1",
    "members": lambda n: "a = a" + ".b" * n,
    "negations": lambda n: "a = " + "!" * n + "b",
    "sums": lambda n: "a = 1" + " + b" * n,
    "sums of numbers": lambda n: "a = 1" + " + 1" * n,
    "sums of strings": lambda n: 'a = "x"' + ' + "y"' * n,
    "choices": lambda n: "a = " + "b ? " * n + "1" + " : 2" * n,
    "later choices": lambda n: "a = " + "b ? 1 : " * n + "2",
    "nullish": lambda n: "a = b" + " ?? c" * n,
    "ands": lambda n: "a = b" + " && c" * n,
    "blocks": lambda n: "{" * n + "}" * n,
    "ifs": lambda n: "if a " * n + "b = 1",
    "else ifs": lambda n: "if a b = 1 else " * n + "b = 1",
    "functions": lambda n: "a = " + "function() { return " * n + "1" + "}" * n,
    "structs": lambda n: "a = " + "{ a: " * n + "1" + "}" * n,
    "templates": lambda n: "a = " + '$"{' * n + "1" + '}"' * n,
    "calls": lambda n: "a = " + "string(" * n + "1" + ")" * n,
    "tries": lambda n: "try { " * n + "a = 1" + " } catch (e) { }" * n,
    "assignments": lambda n: "a = " * n + "1",
    "a macro of itself": lambda n: "#macro A A A\nb = A",
    "macros of macros": lambda n: (
        "\n".join(f"#macro M{k} M{k + 1} + M{k + 1}" for k in range(min(n, 16))) + "\na = M0"
    ),
    "empty macros of macros": lambda n: (
        "\n".join(f"#macro M{k} M{k + 1} M{k + 1}" for k in range(min(n, 45)))
        + f"\n#macro M{min(n, 45)}\na = M0"
    ),
    "many long macros": lambda n: "#macro M " + "1 + " * n + "1\na = " + "M + " * n + "1",
    "an enum of itself": lambda n: "enum E { A = E.A, B = E.A } a = E.B",
    "digits": lambda n: "a = " + "9" * n + " + 0x" + "f" * n + " + 1." + "9" * n,
    "shifts": lambda n: f"a = 1 << {n}0000; b = 1 << -1; c = 1 div 0; d = 1 mod 0; e = 1 / 0",
    "cases": lambda n: "switch a { " + "".join(f"case {k}: b = 1; break; " for k in range(n)) + "}",
    "open comments": lambda n: "/*" * n,
    "open strings": lambda n: '"' * (2 * n + 1),
    "regions": lambda n: "#region x\n" * n,
}


@pytest.mark.sampled(8)
@pytest.mark.parametrize("version", DIALECTS)
@pytest.mark.parametrize("name", SOURCES)
def test_hostile_sources_end_soon(name: str, version: str) -> None:
    context = gml.Context(DIALECTS[version])
    for size in (40, 4000):
        with at_most(STEPS):
            try:
                code = gml.compile(SOURCES[name](size), context, name="hostile")
                assert gml.decompile(code, context) is not None
            except OverhaulError as error:
                assert str(error)
