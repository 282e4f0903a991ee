"""Definitions that hold in a whole game: the ``#macro`` and ``enum`` lines of a text, put in a
Context.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple, TypeAlias

from overhaul.gml.compiler.folding import Folder, truncated
from overhaul.gml.compiler.names import NameResolver, Scopes
from overhaul.gml.compiler.nodes import Problem
from overhaul.gml.compiler.previous import Learned
from overhaul.gml.context import Context
from overhaul.gml.dialect import Dialect
from overhaul.gml.errors import CompileError
from overhaul.gml.syntax import tree
from overhaul.gml.syntax.errors import ProblemList
from overhaul.gml.syntax.parser import parse

Definition = tree.Macro | tree.Enum | tree.GlobalVar
#: The definitions of a text, and whether it has nothing but macros, which replace nothing in it.
_Found: TypeAlias = "tuple[list[Definition], bool]"
_MOST: Final = 256
#: The definitions of texts, those used last at the end.
_KEPT: dict[tuple[str, Dialect, tuple[tuple[str, str], ...]], _Found] = {}


class Defined(NamedTuple):
    """A macro or an enum of a text, and what it means: a text, or the members with their values."""

    what: str
    name: str
    configuration: str
    line: int
    meaning: str | tuple[tuple[str, int], ...]


def add_definitions(context: Context, text: str) -> None:
    """Make the macros, enums and ``globalvar`` names of a GML text known to a context.

    Members of an enum may refer to macros, to other enums, and to themselves in any order. Raises
    SyntaxError_ and CompileError.
    """
    found, is_whole = _definitions_in(text, context)
    for node in found:
        if isinstance(node, tree.Macro) and node.name:
            context.add_macro(node.name, node.text, node.configuration)
    if context.macros and not is_whole:
        found, _ = _definitions_in(text, context, tuple(context.macros.items()))
    problems = ProblemList(text)
    _add_enums(context, [node for node in found if isinstance(node, tree.Enum)], problems)
    for node in found:
        if isinstance(node, tree.GlobalVar):
            for declarator in node.declarators:
                context.add_global(declarator.name)
    if problems.found:
        errors = problems.problems()
        first = errors[0]
        raise CompileError(first.message, first.line, first.column, errors=errors)


def defined_in(context: Context, text: str) -> Iterator[Defined]:
    """The macros and enums of a text that was added to the context just before."""
    for node in _definitions_in(text, context, tuple(context.macros.items()))[0]:
        line = text.count("\n", 0, max(node.position, 0)) + 1
        if isinstance(node, tree.Macro):
            yield Defined("macro", node.name, node.configuration, line, node.text.strip())
        elif isinstance(node, tree.Enum):
            yield Defined("enum", node.name, "", line, tuple(context.enums[node.name]))


def _definitions_in(
    text: str, context: Context, macros: tuple[tuple[str, str], ...] = ()
) -> _Found:
    """The definitions of a text with macros replaced; kept, as a game that is packed again has most
    of its texts as before."""
    key = text, context.dialect, macros
    found = _KEPT.pop(key, None)
    if found is None:
        block = parse(text, context.dialect, macros=dict(macros) if macros else None)
        kinds = (tree.Macro, tree.Enum, tree.GlobalVar)
        definitions = [node for node in block.walk() if isinstance(node, kinds)]
        found = definitions, all(isinstance(node, tree.Macro) for node in block.statements)
        if not all(map(_stays, definitions)):
            return found
        while len(_KEPT) >= _MOST:
            del _KEPT[next(iter(_KEPT))]
    _KEPT[key] = found
    return found


def _stays(node: Definition) -> bool:
    """Whether working out a definition does not change its tree."""
    if not isinstance(node, tree.Enum):
        return True
    return all(
        member.value is None or isinstance(member.value, (tree.Number, tree.Int64, tree.Name))
        for member in node.members
    )


def add_enums(context: Context, block: tree.Block, problems: ProblemList) -> None:
    """Work out the enums of a tree; those that refer to later ones are retried."""
    _add_enums(context, [node for node in block.walk() if isinstance(node, tree.Enum)], problems)


def _add_enums(context: Context, waiting: list[tree.Enum], problems: ProblemList) -> None:
    folder = Folder(NameResolver(context, Scopes(), Learned()))
    while waiting:
        left: list[tuple[tree.Enum, Problem]] = []
        for node in waiting:
            try:
                context.add_enum(node.name, _members(context, folder, node))
            except Problem as problem:
                left.append((node, problem))
        if len(left) == len(waiting):
            for _, error in left:
                problems.add(error.message, error.position)
            return
        waiting = [node for node, _ in left]


def _members(context: Context, folder: Folder, node: tree.Enum) -> list[tuple[str, int]]:
    members: list[tuple[str, int]] = []
    known = context.enums.get(node.name)
    value = -1
    try:
        names: set[str] = set()
        for member in node.members:
            if member.name in names:
                raise Problem(f"{node.name}.{member.name} is defined twice", member.position)
            names.add(member.name)
            if member.value is None:
                value += 1
            else:
                # Members may use those above them.
                context.enums[node.name] = members
                value = _constant(folder, member.value)
            members.append((member.name, value))
    finally:
        if known is None:
            context.enums.pop(node.name, None)
        else:
            context.enums[node.name] = known
    return members


def _constant(folder: Folder, value: tree.Expression) -> int:
    folded = folder.fold(value)
    if isinstance(folded, (tree.Number, tree.Int64, tree.Boolean)):
        return truncated(folded.value)
    raise Problem("the value of an enum's member must be constant", value.position)
