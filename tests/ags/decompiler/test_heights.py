"""The height of the stack at each instruction, and what of it is found of jumps."""

from __future__ import annotations

import struct

import pytest

from ags_decompiled import compiled
from overhaul.ags.decompiler.code import JUMP, Code, Function
from overhaul.ags.decompiler.errors import Unstructured
from overhaul.ags.decompiler.heights import heights
from overhaul.ags.decompiler.regions import Branch, Choice, Do, Leave, Loop, regions
from overhaul.ags.script.tables import BY_NAME

_SUBTRACT, _RETURN = BY_NAME["subi"].number, BY_NAME["ret"].number


def function(statements: str) -> Function:
    """The function of some statements of one line."""
    return Code(compiled(f"int g; function f(int a, int b) {{ {statements} }}")).function(0)


def at(made: Function, opcode: int) -> list[int]:
    """The heights before the instructions that have an opcode."""
    found = heights(made.code).before
    return [found[n] for n, instruction in enumerate(made.code) if instruction.opcode == opcode]


def test_a_function_begins_and_ends_at_nothing() -> None:
    made = function("int x = a + 1; short y;")
    found = heights(made.code)
    assert found.before[0] == found.before[-1] == 0
    assert max(found.before) == 6
    assert [made.code[n][:3] for n in found.frees] == [(_SUBTRACT, 1, 6)]


def test_arguments_are_no_variables() -> None:
    made = Code(
        compiled("int g(int a) { return a; } function f(int a) { int x = g(a); }")
    ).function(1)
    found = heights(made.code)
    subtractions = [n for n, i in enumerate(made.code) if i.opcode == _SUBTRACT]
    assert [found.before[n] for n in subtractions] == [4, 4]
    assert found.frees == subtractions[1:]


def test_behind_a_jump_is_the_height_of_the_block() -> None:
    made = function("while (a) { int x; if (b) { short y; break; } g = x; }")
    found = heights(made.code)
    jump = next(n for n, i in enumerate(made.code) if i.opcode == JUMP)
    assert found.before[jump : jump + 3] == [0, 6, 4]
    assert at(made, _SUBTRACT) == [6, 6, 4]


def test_behind_a_return_is_the_height_of_the_block() -> None:
    made = function("int x; { int y; return 2; } g = x;")
    assert at(made, _RETURN) == [0, 0]
    assert at(made, _SUBTRACT) == [8, 8, 4]


def test_code_that_nothing_leads_to_has_the_height_of_what_it_leads_to() -> None:
    made = function("while (a) { int x; break; short y; continue; char z; }")
    assert at(made, _SUBTRACT) == [4, 6, 7]


def test_two_heights_at_one_place_are_refused() -> None:
    script = compiled("function f(int a) { if (a) { int x; } else { int y; } }")
    words = list(script.words)
    place = next(n for n in range(len(words)) if words[n : n + 3] == [_SUBTRACT, 1, 4])
    words[place + 2] = 8
    script.code = struct.pack(f"<{len(words)}i", *words)
    with pytest.raises(Unstructured, match="the stack has two heights at one place"):
        heights(Code(script).function(0).code)


def test_an_expression_that_leaves_its_value_is_refused() -> None:
    script = compiled("function f(int a) { while (a + 1) a = 2; }")
    words = list(script.words)
    place = words.index(BY_NAME["pop"].number)
    words[place : place + 2] = [BY_NAME["callobj"].number, 3]
    script.code = struct.pack(f"<{len(words)}i", *words)
    with pytest.raises(Unstructured, match="an expression leaves another stack"):
        heights(Code(script).function(0).code)


def test_each_jump_is_of_one_statement() -> None:
    code = function(
        "if (a && b) { g = 1; } else { g = 2; } while (a) { if (b) break; continue; } "
        "do { g = 3; } while (b); switch (a) { case 1: g = 4; default: g = 5; break; }"
    ).code
    made = regions(code)
    (one, two), (loop,), (do,), (choice,) = (
        sorted(made.branches), made.loops, made.dos, made.choices
    )  # fmt: skip
    assert len(made.logic) == 1
    first = made.branches[one]
    assert first == Branch(first.then, first.then + 1, first.behind)
    assert code[first.then][:2] == (JUMP, first.behind)
    second = made.branches[two]
    assert second.then == second.otherwise == second.behind
    test, jump = made.loops[loop]
    assert made.loops == {loop: Loop(test, jump)}
    assert (code[test].a, code[jump].a) == (jump + 1, loop)
    assert made.dos[do] == Do(code[do + 1].a - 1)
    table, behind = code[choice].a, code[choice + 1].a
    assert made.choices[choice] == Choice(table, table, behind)
    leaves = sorted(made.leaves.items())
    assert [leave for _, leave in leaves] == [
        Leave(test, 0), Leave(loop, 0), Leave(choice + 1, 0)
    ]  # fmt: skip
    assert leaves[-1][0] == table - 1
    assert not made.frees
    assert not made.old_switches


def test_an_empty_else_is_of_the_innermost_condition() -> None:
    code = function("if (a) { if (b) { g = 1; } else { } }").code
    outer, inner = sorted(regions(code).branches.items())
    assert outer[1].then == outer[1].otherwise == inner[1].otherwise == inner[1].behind
    assert inner[1].then == inner[1].otherwise - 1


def test_what_is_freed_for_a_jump_only_is_said() -> None:
    code = function("while (a) { int x; if (b) { int y; continue; } if (g) return; }").code
    made = regions(code)
    subtractions = [n for n, i in enumerate(code) if i.opcode == _SUBTRACT]
    assert [n in made.frees for n in subtractions] == [True, False, True, False]
    assert list(made.leaves.values()) == [Leave(min(made.loops), 8)]
