"""What must hold for a random program (``gml_writer``) in a release of the compiler.

It compiles, its stack is sound, it assembles to itself, and what the decompiler makes of it
compiles to the same code.  ``tests/properties/test_gml_programs.py`` looks at some programs of
each release, ``python3 dev.py programs`` at as many as one likes.
"""

from __future__ import annotations

import random
from functools import lru_cache
from itertools import zip_longest

from gml_flow import FlowWriter
from gml_grafts import GraftWriter
from gml_programs import Release, plain
from gml_stack import Unsound, check_stack
from gml_writer import Writer, context
from overhaul import gml
from overhaul.gml.dialect import Dialect
from overhaul.gml.roundtrip import analyse
from overhaul.gml.syntax.printer import to_source
from overhaul.gml.vm.code import Code

ProgramWriter = type[Writer] | type[FlowWriter] | type[GraftWriter]

#: by what is compiled: the name of the entry
NAMES = {
    "event": "gml_Object_obj_player_Step_0",
    "script": "gml_Script_tools",
    "global_script": "gml_GlobalScript_tools",
}


def varied(release: Release, seed: int) -> Dialect:
    """A release's dialect, at times with what projects choose turned over."""
    chance = random.Random(seed)
    dialect = Dialect.for_version(*release)
    if chance.random() < 0.15:
        dialect = dialect.replace(logical_short_circuit=False)
    if dialect.gml_v2 and chance.random() < 0.2:
        dialect = dialect.replace(array_copy_on_write=not dialect.array_copy_on_write)
    if dialect.gml_v2 and chance.random() < 0.1:
        dialect = dialect.replace(reentrant_static=not dialect.reentrant_static)
    if dialect.gms2_or_later and not dialect.gml_v2 and chance.random() < 0.5:
        dialect = dialect.replace(enums_as_int64=not dialect.enums_as_int64)
    return dialect


game = lru_cache(64)(context)
"""A game with what the programs name, by its dialect; nothing changes it."""


def compiled(source: str, dialect: Dialect, kind: str, previous: Code | None = None) -> Code:
    return gml.compile(source, game(dialect), kind=kind, name=NAMES[kind], previous=previous)


def failure(release: Release, seed: int, writer: ProgramWriter = Writer) -> str | None:
    """None if all of it holds for the program of a seed; else what does not, with the program."""
    dialect, kind, source = program(release, seed, writer)
    try:
        problem = broken(source, dialect, kind, assembled=seed % 4 == 0)
    except Exception as error:
        error.add_note(f"seed {seed}, {kind}: {source}")
        raise
    return None if problem is None else f"{problem[0]}{problem[1]}: seed {seed}, {kind}: {source}"


def program(
    release: Release, seed: int, writer: ProgramWriter = Writer
) -> tuple[Dialect, str, str]:
    """The program of a seed: its dialect, what it is compiled as, and its text."""
    dialect = varied(release, seed)
    other = "global_script" if dialect.gml_v2 else "script"
    return dialect, "event" if seed % 2 else other, writer(seed, dialect).program()


def broken(
    source: str, dialect: Dialect, kind: str, assembled: bool = True
) -> tuple[str, str] | None:
    """What does not hold for a program, and how; None if all does.

    Whether it assembles to itself is looked at if ``assembled``.  Raises what the compiler or the
    decompiler raises.
    """
    code = compiled(source, dialect, kind)
    try:
        check_stack(code, dialect)
    except Unsound:  # newest releases leave a switch's value behind on purpose
        tidy = dialect.replace(switch_default_exit_keeps_value=False)
        if tidy == dialect:
            raise
        check_stack(compiled(source, tidy, kind), tidy)
    if (
        assembled
        and gml.assemble(gml.disassemble(code), game(dialect)).instructions != code.instructions
    ):
        return "assembles to something else", ""
    made = analyse(code, game(dialect))
    if made.problems:
        return "not structured", f", {made.problems[0]}"
    text = to_source(made.block, dialect)
    try:
        again = compiled(text, dialect, kind, code)
    except gml.SyntaxError_ as error:
        return "its text does not compile", f", {error}\n{text}\n"
    if plain(again) == plain(code):
        return None
    pairs = zip_longest(plain(code), plain(again))
    first = next((at, old, new) for at, (old, new) in enumerate(pairs) if old != new)
    return "its text compiles to something else", f", from {first} on\n{text}\n"
