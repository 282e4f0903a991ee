"""What code leaves open is decided by compiling it."""

from __future__ import annotations

from typing import Any

import pytest

from gml_programs import context
from overhaul import gml
from overhaul.gml import roundtrip
from overhaul.gml.compiler.compiler import recompile
from overhaul.gml.context import Context
from overhaul.gml.decompiler import decompile_as_likely
from overhaul.gml.decompiler.choices import ELSE, FINAL, LOOP, Choices, Point
from overhaul.gml.vm.code import Code, Instruction
from overhaul.gml.vm.opcodes import Opcode

NAME = "gml_Object_obj_Create_0"
#: marks of array owners are left out where the owner is known; ways out of tries set flags
MARKED, FLAGGED = (17, (2, 3, 7, 0)), (17, (2024, 11, 0, 0))


def compiled(source: str, game: Context) -> Code:
    return gml.compile(source, game, name=NAME)


@pytest.mark.parametrize(
    ("release", "source", "kinds"),
    [
        (MARKED, "for (; a; b[0] = 1) { b[1] = 2; } b[2] = 3;", {LOOP}),
        (MARKED, "while (a) { b[1] = 2; b[0] = 1; } b[2] = 3;", set()),
        (MARKED, "b[0] = 1; repeat (a) { if (c) { d(); continue; } e(); } b[1] = 2;", {ELSE}),
        (MARKED, "b[0] = 1; repeat (a) { if (c) { d(); } else { e(); } } b[1] = 2;", set()),
        (FLAGGED, "for (i = 0; a; ++j) { try { b(); if (c) break; } catch (e) { d(); } }", set()),
        (
            FLAGGED,
            "while (a) { try { } catch (e) { break; } finally { try { } catch (f) { } } }",
            {FINAL},
        ),
        (
            FLAGGED,
            "do { try { continue; } finally { try { } catch (e) { x = 1; } finally { } "
            "try { } catch (e) { } } } until (b);",
            {FINAL},
        ),
    ],
)
def test_another_choice_is_made_where_what_most_people_write_differs(
    release: tuple[int, tuple[int, ...]], source: str, kinds: set[str]
) -> None:
    game = context(*release)
    code = compiled(source, game)
    choices = roundtrip.choose(code, game)
    assert {point.kind for point in choices.given} == kinds
    text = roundtrip.decompile(code, game)
    assert compiled(text, game).instructions == code.instructions
    likely = decompile_as_likely(code, game)
    assert (likely != text) == bool(kinds)
    assert (compiled(likely, game).instructions != code.instructions) == bool(kinds)


@pytest.mark.parametrize(
    "source",
    [
        "for (i = 0; i < 3; i++) { if (a) continue; b(); }",  # nothing depends on the choice
        "b[0] = 1; b[1] = 2;",  # nothing is open
        "try { a(); } catch (e) { }",
    ],
)
def test_code_is_not_compiled_where_nothing_depends_on_a_choice(
    source: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = context(*MARKED)
    code = compiled(source, game)

    def refuse(*_: object) -> Code:
        raise AssertionError("it was compiled")

    monkeypatch.setattr(roundtrip, "recompile", refuse)
    assert "{" in roundtrip.decompile(code, game) or "b[1]" in roundtrip.decompile(code, game)


@pytest.mark.parametrize("loops", [1, 40])
def test_code_that_no_choice_explains_is_given_up(
    loops: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = context(*MARKED)
    code = compiled("while (a) { b[0] = 1; if (c) { d(); } else { e(); } }" * loops, game)
    tried = []

    def other(source: str, *_: object) -> Code:
        tried.append(source)
        return Code(NAME, [Instruction(Opcode.EXIT, 2)])

    monkeypatch.setattr(roundtrip, "recompile", other)
    text = roundtrip.decompile(code, game)
    assert text == decompile_as_likely(code, game)
    assert 1 < len(tried) <= 12 + 20_000 / len(code.instructions)


def test_text_that_does_not_compile_is_no_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    game = context(*MARKED)
    code = compiled("for (; a; b[0] = 1) { b[1] = 2; } b[2] = 3;", game)
    given: list[str] = []

    def first_fails(source: str, *rest: Any) -> Code:
        given.append(source)
        if len(given) == 1:
            raise gml.CompileError("refused", 1, 1)
        return recompile(source, *rest)

    monkeypatch.setattr(roundtrip, "recompile", first_fails)
    assert "for (; a; b[0] = 1)" in roundtrip.decompile(code, game)


def test_a_choice_that_there_is_not_is_the_default() -> None:
    choices = Choices({Point(LOOP, 3): 7, Point(ELSE, 5): -1})
    assert choices.take(LOOP, 3, 1, 7) == 1
    assert choices.take(LOOP, 3, 1, 8) == 7
    assert choices.take(ELSE, 5, 0, 2) == 0
    assert choices.take(ELSE, 6, 1, 2) == 1
    assert choices.asked == {
        Point(LOOP, 3): (7, 8), Point(ELSE, 5): (0, 2), Point(ELSE, 6): (1, 2)
    }  # fmt: skip


def test_how_far_a_branch_leads_counts_last() -> None:
    game = context(*MARKED)
    short, long = (compiled(f"if (a) {{ b(); {more} }} c();", game) for more in ("", "d();"))
    one, two = short.instructions, long.instructions
    branch = next(at for at, instruction in enumerate(one) if instruction.opcode == Opcode.BF)
    assert one[branch] != two[branch]
    assert roundtrip.first_difference(one, two) > branch
    assert roundtrip.first_difference(one, one[:-1]) == len(one) - 1
    moved = [*one]
    moved[branch] = two[branch]
    assert roundtrip.first_difference(one, moved) == branch
    assert roundtrip.first_difference(one, [*one]) > len(one)
