"""Small debugger files, made by hand: ``from debug_files import debug_file``."""

from __future__ import annotations

from overhaul.gamemaker.debug import DebugData
from overhaul.gamemaker.debug.document import (
    DebugFunction,
    DebugFunctionList,
    EntryLocals,
    EntryPlaces,
    LocalsList,
    LocalVariable,
    PlaceList,
    Source,
    SourceList,
    SourcePlace,
)
from overhaul.gamemaker.debug_folder import FORMAT as debug_folder


def debug_file(*, modern: bool = True) -> DebugData:
    """Two roots, the first with a function in it, in the layout from 2.3 on or the one before."""
    document = debug_folder.empty({"functions": modern})
    add = document.strings.add
    source = add("function f(a)\n{\n    return a;\n}\n")
    if modern:
        document.record(SourceList).sources = [
            Source(source),
            Source(source),
            Source(add("x = 1;")),
        ]
        document.record(PlaceList).roots = [0, 0, 1]
    else:
        document.record(SourceList).sources = [Source(source), Source(add("x = 1;"))]
    document.record(PlaceList).entries = [
        EntryPlaces([SourcePlace(0, 0), SourcePlace(4, 25)]),
        EntryPlaces([SourcePlace(0, 4)]),
    ]
    document.record(LocalsList).entries = [
        EntryLocals(add("gml_GlobalScript_f"), [LocalVariable(2, add("arguments"))]),
        EntryLocals(add("gml_Object_o_Create_0"), [LocalVariable(2, add("arguments"))]),
    ]
    if modern:
        document.record(DebugFunctionList).functions = [
            DebugFunction(1, add("f"), 16, [add("a")], [])
        ]
    return document
