"""Definitions that hold in a whole game: the ``#macro`` and ``enum`` lines of a text, put in a
Context.
"""

from __future__ import annotations

from overhaul.gml.compiler.errors import Problem
from overhaul.gml.compiler.folding import truncated
from overhaul.gml.compiler.functions import Functions
from overhaul.gml.context import Context
from overhaul.gml.errors import CompileError
from overhaul.gml.syntax import tree
from overhaul.gml.syntax.errors import ProblemList
from overhaul.gml.syntax.parser import parse


def add_definitions(context: Context, text: str) -> None:
    """Make the macros, enums and ``globalvar`` names of a GML text known to a context.

    Members of an enum may refer to macros, to other enums, and to themselves in any order. Raises
    SyntaxError_ and CompileError.
    """
    block = parse(text, context.dialect)
    for node in block.walk():
        if isinstance(node, tree.Macro) and node.name:
            context.add_macro(node.name, node.text, node.configuration)
    if context.macros:
        block = parse(text, context.dialect, macros=context.macros)
    problems = ProblemList(text)
    add_enums(context, block, problems)
    for node in block.walk():
        if isinstance(node, tree.GlobalVar):
            for declarator in node.declarators:
                context.add_global(declarator.name)
    if problems.found:
        found = problems.problems()
        first = found[0]
        raise CompileError(first.message, first.line, first.column, errors=found)


def add_enums(context: Context, block: tree.Block, problems: ProblemList) -> None:
    """Work out the enums of a tree; those that refer to later ones are tried again."""
    waiting = [node for node in block.walk() if isinstance(node, tree.Enum)]
    resolver = Functions(context)
    while waiting:
        left: list[tuple[tree.Enum, Problem]] = []
        for node in waiting:
            try:
                context.add_enum(node.name, _members(resolver, node))
            except Problem as problem:
                left.append((node, problem))
        if len(left) == len(waiting):
            for _, found in left:
                problems.add(found.message, found.position)
            return
        waiting = [node for node, _ in left]


def _members(resolver: Functions, node: tree.Enum) -> list[tuple[str, int]]:
    members: list[tuple[str, int]] = []
    known = resolver.context.enums.get(node.name)
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
                # What stands above in the same enum may be used below.
                resolver.context.enums[node.name] = members
                value = _constant(resolver, member.value)
            members.append((member.name, value))
    finally:
        if known is None:
            resolver.context.enums.pop(node.name, None)
        else:
            resolver.context.enums[node.name] = known
    return members


def _constant(resolver: Functions, value: tree.Expression) -> int:
    folded = resolver.fold(value)
    if isinstance(folded, (tree.Number, tree.Int64, tree.Boolean)):
        return truncated(folded.value)
    raise Problem("the value of an enum's member must be constant", value.position)
