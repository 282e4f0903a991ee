"""Where values go: what an expression may be, and what calls of built-in functions keep and return.

The decompiler infers types from it, translation finds texts.  Both follow a value from place to
place, each in a graph of its own: that of the decompiler joins the places that hold the same
values; that of translation leads from what is shown back to where it comes from.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from overhaul.gml.builtins.effects import Arguments, chosen, load_effects
from overhaul.gml.syntax import tree
from overhaul.gml.syntax.tree import Expression

STORED: Final = load_effects("stored")
"""Functions that put arguments into what the first one is."""
FETCHED: Final = load_effects("fetched")
"""Functions whose result is something that an argument holds."""
KEYS: Final = {name: numbers[0] for name, numbers in load_effects("field").items()}
"""Functions that put a value under a key of a map, or find it: which argument is the key."""
_HELD: Final = load_effects("held")
_RETURNED: Final = load_effects("returned")


def is_transparent(name: str) -> bool:
    """Whether the result of a function may be one of its arguments, or holds one."""
    return name in _RETURNED or name in _HELD


def called_name(node: Expression | None) -> str:
    """``c`` of ``a.b.c`` and ``c[1]``; "" where there is none."""
    while isinstance(node, tree.Index):
        node = node.object
    return node.name if isinstance(node, tree.Name | tree.Member) else ""


def arguments_with(
    table: Mapping[str, Arguments], name: str, nodes: Sequence[Expression | None]
) -> Iterator[Expression]:
    """The arguments of a call that have an effect, by its table."""
    if name in table:
        for position in chosen(table[name], len(nodes)):
            node = nodes[position]
            if node is not None:
                yield node


def key_of(name: str, nodes: Sequence[Expression | None]) -> Expression | None:
    """The key of a map in the arguments of a call; None where there is none."""
    position = KEYS.get(name, len(nodes))
    return nodes[position] if position < len(nodes) else None


def returned_arguments(node: tree.Call) -> list[int]:
    """The numbers of the arguments that a call may return."""
    function = node.function
    if type(function) is not tree.Name or function.name not in _RETURNED:
        return []
    return chosen(_RETURNED[function.name], len(node.arguments))


def initial_element(node: tree.Call) -> Expression | None:
    """The value that ``array_create(n, value)`` fills its array with; None for other calls."""
    name = node.function.name if type(node.function) is tree.Name else ""
    return next(arguments_with(_HELD, name, node.arguments), None)


def alternatives(node: Expression | None, nullish: bool = True) -> list[Expression]:
    """An expression, or those that its value may be the value of; ``nullish``: also of ``a ?? b``,
    otherwise that is a calculation."""
    if node is None:
        return []
    both: tuple[Expression | None, ...] = ()
    if type(node) is tree.Conditional:
        both = node.then, node.otherwise
    elif type(node) is tree.Binary and nullish and node.operator == "??":
        both = node.left, node.right
    elif type(node) is tree.Call:
        both = tuple(node.arguments[position] for position in returned_arguments(node))
    return [part for choice in both for part in alternatives(choice, nullish)] if both else [node]
