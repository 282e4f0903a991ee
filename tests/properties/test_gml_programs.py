"""Random programs over the whole language, for every release: what the compiler makes of them is
sound, comes back from assembly as it was, and decompiles to source that compiles to the same.
"""

from __future__ import annotations

import os
import random

import pytest

from gml_programs import RELEASES, plain
from gml_stack import Unsound, check_stack
from gml_writer import Writer, context
from overhaul import gml
from overhaul.gamemaker.data.game import GameData
from overhaul.gml.decompiler import analyse
from overhaul.gml.dialect import Dialect
from overhaul.gml.syntax.printer import to_source
from overhaul.gml.vm.code import Code
from present import opened
from real_files import NO_CORPUS, corpus_files, sample

PROGRAMS = 1000 if os.environ.get("OVERHAUL_FULL") else 25
EVENT, NAME = "event", "gml_Object_obj_player_Step_0"
_LEFT_BEHIND = "gml_Script_nsp_execute_master"


def varied(release: tuple[int, tuple[int, ...]], seed: int) -> Dialect:
    """A release's dialect, at times with what projects choose turned over."""
    chance = random.Random(seed)
    dialect = Dialect.for_version(*release)
    if chance.random() < 0.15:
        dialect = dialect.replace(logical_short_circuit=False)
    if dialect.gml_v2 and chance.random() < 0.2:
        dialect = dialect.replace(array_copy_on_write=not dialect.array_copy_on_write)
    if dialect.gml_v2 and chance.random() < 0.1:
        dialect = dialect.replace(reentrant_static=not dialect.reentrant_static)
    return dialect


def compiled(source: str, dialect: Dialect, kind: str, previous: Code | None = None) -> Code:
    name = {"script": "gml_Script_tools", "global_script": "gml_GlobalScript_tools"}.get(kind, NAME)
    return gml.compile(source, context(dialect), kind=kind, name=name, previous=previous)


@pytest.mark.parametrize("release", RELEASES, ids=lambda release: f"{release[0]}-{release[1]}")
def test_programs(release: tuple[int, tuple[int, ...]]) -> None:
    different: list[str] = []
    for seed in range(PROGRAMS):
        dialect = varied(release, seed)
        source = Writer(seed, dialect).program()
        other = "global_script" if dialect.gml_v2 else "script"
        kind = EVENT if seed % 2 else other
        code = compiled(source, dialect, kind)
        # Newest releases leave a switch's value behind on purpose.
        tidy = dialect.replace(switch_default_exit_keeps_value=False)
        check_stack(code if tidy == dialect else compiled(source, tidy, kind), tidy)
        back = gml.assemble(gml.disassemble(code), context(dialect))
        assert back.instructions == code.instructions
        made = analyse(code, context(dialect))
        text = to_source(made.block, dialect)
        if made.problems or plain(compiled(text, dialect, kind, code)) != plain(code):
            different.append(f"{source}\n{text}")
    # What is known not to come back (docs/formats/gml.md) is rarer than this, and in none of the
    # first 25 programs.
    assert len(different) <= PROGRAMS // 100, different[0]


def test_the_stack_is_looked_at() -> None:
    dialect = Dialect.for_version(17, (2023, 4, 0, 0))
    code = compiled("x = 1 + y; if (x) { z = [1, 2]; }", dialect, EVENT)
    for index in range(len(code.instructions)):
        broken = compiled("x = 1 + y; if (x) { z = [1, 2]; }", dialect, EVENT)
        del broken.instructions[index]
        if broken.instructions[index - 1 : index] and index < len(broken.instructions):
            with pytest.raises(Unsound):
                check_stack(broken, dialect)
    check_stack(code, dialect)


@pytest.mark.skipif(not corpus_files("datawin*/*.win"), reason=NO_CORPUS)
def test_official_code_is_sound() -> None:
    """The model of the stack holds for what the official compilers made."""
    checked = 0
    for path in sample(corpus_files("datawin*/*.win"), 8):
        game = opened(path, GameData)
        for entry in () if game.is_native else game.code:
            # One official script of the corpus leaves the counter of a repeat behind.
            if entry is not None and entry.root is None and entry.name != _LEFT_BEHIND:
                check_stack(game.language.code(entry), game.language.context.dialect)
                checked += 1
    assert checked > 100
