"""Names in a source that mean nothing in its game: compiled as variables that no one sets."""

from __future__ import annotations

from overhaul.gml.builtins import load_enums
from overhaul.gml.compiler.names import INSTANCE_WORDS, Names
from overhaul.gml.context import UnknownName
from overhaul.gml.syntax.errors import LineIndex
from overhaul.gml.vm.code import Code
from overhaul.gml.vm.registration import names_given


def unknown_names(names: Names, source: str, code: Code) -> list[UnknownName]:
    """The names in a source that nothing has: not the source, the game, or any release; and the
    functions in it that only the other generation of GameMaker has.

    Of a context that does not know the game's variables only functions that are called count.
    """
    context = names.context
    enums = load_enums()
    found: list[tuple[int, str]] = []
    for name, position in names.loose.items():
        if (
            name in names.builtin_variables
            or name in names.builtin_functions
            or name in names.builtin_constants
            or name in context.functions
            or name in context.extension_functions
            or name in context.macros
            or name in context.enums
            or name in enums
            or name in INSTANCE_WORDS
            or context.asset_id(name) is not None
        ):
            continue
        variables = context.variables
        if name not in names.called if variables is None else name in variables:
            continue
        found.append((position, name))
    found += [(position, name) for name, position in names.lacking.items()]
    if not found:
        return []
    given = names_given(code) - names.lacking.keys()
    lines = LineIndex(source)
    called = names.called | names.lacking.keys()
    return [
        UnknownName(name, *lines.place(position), name in called, context)
        for position, name in sorted(found)
        if name not in given
    ]
