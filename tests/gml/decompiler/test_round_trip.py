"""Compile, decompile, compile: the second code is the first, for every release."""

from __future__ import annotations

import pytest

from gml_programs import NEW_PROGRAMS, PROGRAMS, RELEASES, context
from overhaul.gml.compiler import compile as compile_source
from overhaul.gml.decompiler import analyse, decompile
from overhaul.gml.dialect import Dialect
from overhaul.gml.errors import SyntaxError_

NAME = "gml_Object_obj_Create_0"


def check(source: str, bytecode: int, version: tuple[int, ...]) -> bool:
    """Whether the program exists in the release; then it must survive."""
    game = context(bytecode, version)
    try:
        code = compile_source(source, game, kind="event", name=NAME)
    except SyntaxError_:
        return False
    game.enums.clear()
    assert not analyse(code, game).problems, source
    text = decompile(code, game)
    again = compile_source(text, game, kind="event", name=NAME, previous=code)
    assert again.instructions == code.instructions, f"{source}\n{version}:\n{text}"
    return True


@pytest.mark.parametrize("source", PROGRAMS)
def test_programs_of_every_release(source: str) -> None:
    assert sum(check(source, *release) for release in RELEASES) >= 3


@pytest.mark.parametrize("source", NEW_PROGRAMS)
def test_programs_of_2_3_and_later(source: str) -> None:
    releases = [each for each in RELEASES if Dialect.for_version(*each).gml_v2]
    assert sum(check(source, *release) for release in releases) >= 3


@pytest.mark.parametrize("short_circuit", [False, True])
def test_without_short_circuits(short_circuit: bool) -> None:
    game = context(13, (1, 0, 0, 1000))
    game.dialect = game.dialect.replace(logical_short_circuit=short_circuit)
    source = "a = b && c || !d; e = (f && g) && h;"
    code = compile_source(source, game, kind="event", name=NAME)
    text = decompile(code, game)
    again = compile_source(text, game, kind="event", name=NAME)
    assert again.instructions == code.instructions
