"""Source as a game's code, and definitions that come with it."""

from __future__ import annotations

import re

from overhaul.gml.compiler import compile as compile_source
from overhaul.gml.compiler.compiler import entry_kind
from overhaul.gml.compiler.definitions import add_definitions as add_lines
from overhaul.gml.context import Context
from overhaul.gml.decompiler.types.facts import InferredTypes
from overhaul.gml.vm.code import Code

_DEFINITION = re.compile(r"\s*(#macro|enum|globalvar|#region|#endregion|//|/\*)\b|\s*(//|/\*)")


def compile_entry(
    source: str,
    context: Context,
    name: str,
    previous: Code | None = None,
    inferred: InferredTypes | None = None,
) -> Code:
    """Compile source as the entry of this name; ``previous`` is the code it had, if any, and
    ``inferred`` the types that it is decompiled with.

    Raises SyntaxError_ and CompileError.
    """
    # start-up: importing this module needs no decompiler
    from overhaul.gml.decompiler.unstructured import refuse_listings

    refuse_listings(source, name)
    kind = entry_kind(name, context.dialect)
    return compile_source(
        source, context, kind=kind, name=name, previous=previous, inferred=inferred
    )


def add_definitions(context: Context, text: str) -> None:
    """Make the ``#macro`` and ``enum`` lines of a GML text known to a context.

    Such a text has definitions only, so lines after a ``#macro`` that do not begin another
    definition belong to it, with or without a backslash at the line's end.
    """
    lines = text.splitlines()
    in_macro = False
    for number, line in enumerate(lines):
        if _DEFINITION.match(line):
            in_macro = line.lstrip().startswith("#macro")
        elif in_macro and line.strip():
            before = lines[number - 1].rstrip()
            if not before.endswith("\\"):
                lines[number - 1] = before + " \\"
        else:
            in_macro = False
    add_lines(context, "\n".join(lines))
