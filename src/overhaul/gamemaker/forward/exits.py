"""Code that ends before its end, and with nothing else.

In Game Maker 5 to 8.1 ``exit`` in an action's code ends that code, and the actions behind it
follow.  Later the code of all actions of an event is one.
"""

from __future__ import annotations

from overhaul.gamemaker.forward.texts import Edit, edited, tokens_of
from overhaul.gml.dialect import Dialect
from overhaul.gml.syntax import tree
from overhaul.gml.syntax.parser import parse_all

_STUDIO = Dialect.for_version(16, (1, 4, 9999, 0))
#: Statements that a ``break`` would end.
_INNER = (tree.While, tree.For, tree.Repeat, tree.DoUntil, tree.Switch, tree.With)
_WORDS = ("exit", "return")


def has_exit(source: str) -> bool:
    """Whether code may end before its end."""
    return any(kind in _WORDS for kind in tokens_of(source).kinds)


def ending_alone(source: str) -> str | None:
    """Code that ends alone where it ends: in a loop of one turn, which a ``break`` leaves.

    None where that is not possible: an ``exit`` in a loop, or a value that is returned.
    """
    block, problems = parse_all(source, _STUDIO)
    if problems.found:
        return None
    places: set[int] = set()
    stack: list[tuple[tree.Node, bool]] = [(block, False)]
    while stack:
        node, is_inner = stack.pop()
        if isinstance(node, tree.Return) or (isinstance(node, tree.Exit) and is_inner):
            return None
        if isinstance(node, tree.Exit):
            places.add(node.position)
        inner = is_inner or isinstance(node, _INNER)
        stack += [(child, inner) for child in node.children()]
    tokens = tokens_of(source)
    edits = [
        Edit(position, position + len(value), "break")
        for value, position in zip(tokens.values, tokens.positions, strict=True)
        if position in places and value in _WORDS
    ]
    if len(edits) != len(places):
        return None
    body = edited(source, edits).strip("\n")
    lines = [f"    {line}" if line.strip() else line for line in body.split("\n")]
    return "\n".join(["repeat (1)  // a break leaves this code alone", "{", *lines, "}"])
