"""What must hold for a random program (``gml_writer``) in a release of the compiler.

It compiles, its stack is sound, it assembles to itself, and what the decompiler makes of it
compiles to the same code.  ``tests/properties/test_gml_programs.py`` looks at some programs of
each release, ``python3 dev.py programs`` at as many as one likes.
"""

from __future__ import annotations

import random
from itertools import zip_longest

from gml_programs import Release, plain
from gml_stack import check_stack
from gml_writer import Writer, context
from overhaul import gml
from overhaul.gml.decompiler import analyse
from overhaul.gml.dialect import Dialect
from overhaul.gml.syntax.printer import to_source
from overhaul.gml.vm.code import Code

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


def compiled(source: str, dialect: Dialect, kind: str, previous: Code | None = None) -> Code:
    return gml.compile(source, context(dialect), kind=kind, name=NAMES[kind], previous=previous)


def failure(release: Release, seed: int) -> str | None:
    """None if all of it holds for the program of a seed; else what does not, with the program."""
    dialect = varied(release, seed)
    source = Writer(seed, dialect).program()
    other = "global_script" if dialect.gml_v2 else "script"
    kind = "event" if seed % 2 else other
    shown = f"seed {seed}, {kind}: {source}"
    try:
        code = compiled(source, dialect, kind)
        # Newest releases leave a switch's value behind on purpose.
        tidy = dialect.replace(switch_default_exit_keeps_value=False)
        check_stack(code if tidy == dialect else compiled(source, tidy, kind), tidy)
        back = gml.assemble(gml.disassemble(code), context(dialect))
        if back.instructions != code.instructions:
            return f"assembles to something else: {shown}"
        made = analyse(code, context(dialect))
        if made.problems:
            return f"not structured, {made.problems[0]}: {shown}"
        text = to_source(made.block, dialect)
    except Exception as error:
        error.add_note(shown)
        raise
    try:
        again = compiled(text, dialect, kind, code)
    except gml.SyntaxError_ as error:
        return f"its text does not compile, {error}: {shown}\n{text}"
    if plain(again) == plain(code):
        return None
    pairs = zip_longest(plain(code), plain(again))
    first = next((at, old, new) for at, (old, new) in enumerate(pairs) if old != new)
    return f"its text compiles to something else, from {first} on: {shown}\n{text}"
