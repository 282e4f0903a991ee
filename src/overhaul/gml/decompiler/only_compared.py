"""Variables that code only sets to numbers, compares, tests and shows, such as a state.

Whatever such a number stands for, code does the same as long as all of it keeps the number.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Set
from typing import Final, Literal, TypeGuard

from overhaul.gml.syntax import tree
from overhaul.gml.syntax.node import Node
from overhaul.gml.syntax.tree import Expression
from overhaul.gml.values import called_name
from overhaul.gml.vm.code import Code, VariableReference

READ_AS_TEXT: Final = frozenset(
    (
        "draw_text", "draw_text_color", "draw_text_colour", "draw_text_ext", "draw_text_ext_color",
        "draw_text_ext_colour", "draw_text_ext_transformed", "draw_text_ext_transformed_color",
        "draw_text_ext_transformed_colour", "draw_text_transformed", "draw_text_transformed_color",
        "draw_text_transformed_colour", "is_array", "is_bool", "is_real", "is_string",
        "is_undefined", "real", "string", "show_debug_message", "show_error", "show_message",
    )
)  # fmt: skip
"""Functions that show a value as text, or only ask for its type."""
_INSTANCES: Final = ("all", "global", "noone", "other", "self", "undefined")
_EQUAL: Final = ("==", "!=")
_LOGICAL: Final = ("&&", "||", "^^")


#: The code that a number meets: of one entry, or of several in the game; "set" for that of one
#: entry which sets a variable that nothing reads.
Within = Literal["entry", "game", "set"]


class OnlyCompared:
    """Collects such variables by name, from the trees of all root entries of a game.

    Variables of one name count as one, in all objects and as locals.  A variable that is set to
    another one, or compared with it, is like it.
    """

    def __init__(self) -> None:
        #: the entries that have a name
        self._entries: dict[str, set[str]] = defaultdict(set)
        self._linked: dict[str, set[str]] = defaultdict(set)
        self._others: set[str] = set(_INSTANCES)
        #: what is compared, tested or shown, and not only set
        self._read: set[str] = set()

    def add(self, code: Code, block: Node, is_whole: bool) -> None:
        """Take the variables of an entry; without ``is_whole`` parts of its tree are missing."""
        kept: set[int] = set()
        for node in block.walk():
            for group in _kept(node):
                kept |= {id(part) for part in group}
                names = [part.name for part in group if _is_variable(part)]
                self._link(names)
                if type(node) is not tree.Assignment:
                    self._read.update(names)
            self._take(node, kept)
            if type(node) is tree.Name or type(node) is tree.Member:
                self._entries[node.name].add(code.name)
                if id(node) not in kept:
                    self._others.add(node.name)
        if not is_whole:
            self._others |= {
                instruction.operand.name
                for instruction in code.instructions
                if isinstance(instruction.operand, VariableReference)
            }

    def _link(self, names: list[str]) -> None:
        for name in names[1:]:
            self._linked[names[0]].add(name)
            self._linked[name].add(names[0])

    def _take(self, node: Node, kept: set[int]) -> None:
        """Take the names that a node gives to other values, or may read a variable by."""
        if type(node) is tree.Declarator and node.value is not None:
            values = _values(node.value)
            if values is None:
                self._others.add(node.name)
            else:
                kept |= {id(part) for part in values}
                self._link([node.name, *(part.name for part in values if _is_variable(part))])
        elif type(node) is tree.StructMember or type(node) is tree.Parameter:
            self._others.add(node.name)
        elif type(node) is tree.Function or type(node) is tree.Try:
            self._others.add(node.name or "")
        elif isinstance(node, tree.String):
            self._others.add(node.value)

    def names(self, builtins: Set[str]) -> dict[str, Within]:
        """The variables, with the code that has them; ``builtins`` are read by the runner."""
        done = self._reached(self._others | builtins)
        found: dict[str, Within] = {}
        for name in self._entries:
            if name in done:
                continue
            like = self._reached({name})
            done |= like
            entries = set[str]().union(*(self._entries.get(each, ()) for each in like))
            if not like.isdisjoint(self._read):
                found |= dict.fromkeys(like, "game" if len(entries) > 1 else "entry")
            elif len(entries) == 1:
                found |= dict.fromkeys(like, "set")
        return found

    def like(self, names: Iterable[str], builtins: Set[str]) -> set[str]:
        """Some names with all that are linked with them, as far as these may be such variables."""
        done = self._reached(self._others | builtins)
        return self._reached(set(names) - done)

    def _reached(self, names: Iterable[str]) -> set[str]:
        """Some names, and all that are linked with them."""
        reached: set[str] = set()
        todo = list(names)
        while todo:
            name = todo.pop()
            if name not in reached:
                reached.add(name)
                todo += self._linked.get(name, ())
        return reached


def _kept(node: Node) -> Iterator[list[Expression]]:
    """The expressions in a node that are only set, compared, tested or shown: groups that are like
    each other."""
    tested: tuple[Expression | None, ...] = ()
    group: tuple[Expression | None, ...] = ()
    if type(node) is tree.Assignment and node.operator == "=":
        group = node.target, node.value
    elif type(node) is tree.Binary and node.operator in _EQUAL:
        group = node.left, node.right
    elif type(node) is tree.Switch:
        group = node.value, *(case.value for case in node.cases if case.value is not None)
    elif type(node) is tree.Binary and node.operator in _LOGICAL:
        tested = node.left, node.right
    elif type(node) is tree.Call and called_name(node.function) in READ_AS_TEXT:
        tested = tuple(node.arguments)
    elif type(node) is tree.Unary and node.operator == "!":
        tested = (node.operand,)
    elif isinstance(node, tree.If | tree.While | tree.DoUntil | tree.For | tree.Conditional):
        tested = (node.condition,)
    for part in tested:
        values = _values(part)
        if values is not None:
            yield from ([value] for value in values)
    parts = [_values(part) for part in group]
    if group and None not in parts:
        yield [value for values in parts if values is not None for value in values]


def _values(node: Expression | None) -> list[Expression] | None:
    """The numbers and variables that an expression may be; None if it may be another value.

    Functions such as ``max`` give one of their arguments too, but by its size.
    """
    todo, values = [node], list[Expression]()
    while todo:
        part = todo.pop()
        if type(part) is tree.Conditional:
            todo += [part.then, part.otherwise]
        elif type(part) is tree.Call and called_name(part.function) == "choose":
            todo += part.arguments
        elif part is not None and (type(part) is tree.Number or _is_variable(part)):
            values.append(part)
        else:
            return None
    return values


def _is_variable(node: Expression) -> TypeGuard[tree.Name | tree.Member]:
    return type(node) is tree.Name or type(node) is tree.Member
