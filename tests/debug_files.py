"""Small debugger files, made by hand: ``from debug_files import debug_file``."""

from __future__ import annotations

from overhaul.gamemaker.debug import DebugData
from overhaul.gamemaker.debug.records import (
    DebugFunction,
    EntryLocals,
    EntryPlaces,
    LocalVariable,
    Place,
    Source,
)


def debug_file(*, modern: bool = True) -> DebugData:
    """Two roots, the first with a function in it, in the layout from 2.3 on or the one before."""
    document = DebugData.empty({"functions": modern})
    add = document.strings.add
    chunks = document.chunks
    source = add("function f(a)\n{\n    return a;\n}\n")
    if modern:
        chunks["SCPT"].sources = [Source(source), Source(source), Source(add("x = 1;"))]
        chunks["DBGI"].roots = [0, 0, 1]
    else:
        chunks["SCPT"].sources = [Source(source), Source(add("x = 1;"))]
    chunks["DBGI"].entries = [
        EntryPlaces([Place(0, 0), Place(4, 25)]),
        EntryPlaces([Place(0, 4)]),
    ]
    chunks["LOCL"].entries = [
        EntryLocals(1, add("gml_GlobalScript_f"), [LocalVariable(2, add("arguments"))]),
        EntryLocals(1, add("gml_Object_o_Create_0"), [LocalVariable(2, add("arguments"))]),
    ]
    if modern:
        chunks["DFNC"].functions = [DebugFunction(1, add("f"), 16, 1, [add("a")], 0, [])]
    return document
