"""Variables, arguments and elements of arrays that code only sets to numbers, compares, tests and
shows, such as a state.

Whatever such a number stands for, code does the same as long as all of it keeps the number.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Set
from typing import Final, Literal

from overhaul.gml.syntax import tree
from overhaul.gml.syntax.node import Node
from overhaul.gml.syntax.tree import Expression
from overhaul.gml.values import called_name, initial_element
from overhaul.gml.vm.code import Code, FunctionReference, VariableReference

READ_AS_TEXT: Final = frozenset(
    (
        "draw_text", "draw_text_color", "draw_text_colour", "draw_text_ext", "draw_text_ext_color",
        "draw_text_ext_colour", "draw_text_ext_transformed", "draw_text_ext_transformed_color",
        "draw_text_ext_transformed_colour", "draw_text_transformed", "draw_text_transformed_color",
        "draw_text_transformed_colour", "is_array", "is_bool", "is_real", "is_string",
        "is_undefined", "real", "string", "show_debug_message", "show_error", "show_message",
        "array_length", "array_length_1d", "array_length_2d", "array_height_2d",
    )
)  # fmt: skip
"""Functions that show a value as text, or only ask for its type or length."""
_INSTANCES: Final = ("all", "global", "noone", "other", "self", "undefined")
_EQUAL: Final = ("==", "!=")
_LOGICAL: Final = ("&&", "||", "^^")


#: The code that a number meets: of one entry, or of several in the game; "set" for that of one
#: entry which sets a variable that nothing reads.
Within = Literal["entry", "game", "set"]


#: a function without a name: its arguments may come from anywhere
_NAMELESS: Final = "?"
_SCRIPT: Final = "gml_Script_"
_ARGUMENT: Final = "argument"
_ARGUMENTS: Final = re.compile(r"(?:argument|arg)(\d+)_*")
#: functions that call a function that a value is
_CALLERS: Final = ("script_execute", "script_execute_ext")
_BY_TEXT: Final = "asset_get_index"


def parameter(function: str, position: int) -> str:
    """The place of a function's argument among the variables."""
    return f"{function}#{position}"


def is_parameter(name: str) -> bool:
    """Whether a name among the variables is that of an argument of a function."""
    return "#" in name


def variable_of(node: Expression | None, function: str) -> str | None:
    """The variable that an expression in a function is, or is an element of; None for others.

    Elements count as their array: it is a reference, and whoever has it has them.
    """
    found = _variable(node, function)
    return None if found is None else found[0]


def _variable(node: Expression | None, function: str) -> tuple[str, tree.Name | tree.Member] | None:
    """Such a variable, with the node that names it."""
    index: tree.Index | None = None
    while type(node) is tree.Index and node.accessor in ("", "@"):
        index, node = node, node.object
    if type(node) is tree.Member:
        return node.name, node
    if type(node) is not tree.Name:
        return None
    if not function:
        return node.name, node
    if node.name == _ARGUMENT:
        number = None if index is None or len(index.indices) != 1 else index.indices[0]
        if type(number) is not tree.Number or type(number.value) is not int:
            return None
        return parameter(function, number.value), node
    match = _ARGUMENTS.fullmatch(node.name)
    return (node.name if match is None else parameter(function, int(match[1]))), node


class OnlyCompared:
    """Collects such variables by name, from the trees of all root entries of a game.

    Variables of one name count as one, in all objects and as locals.  A variable that is set to
    another one, or compared with it, is like it.  So is an argument of a function and what its
    callers give for it, if all of them call it by its name.  ``is_own`` says whether a name is that
    of a function of the game, ``script`` the name of a script by its number.
    """

    def __init__(self, is_own: Callable[[str], bool], script: Callable[[int], str | None]) -> None:
        self._is_own = is_own
        self._script = script
        #: the entries that have a name
        self._entries: dict[str, set[str]] = defaultdict(set)
        self._linked: dict[str, set[str]] = defaultdict(set)
        self._others: set[str] = set(_INSTANCES)
        #: values that are compared, tested or shown, and not only set
        self._read: set[str] = set()
        #: the functions whose code was seen, and those whose arguments have
        self._functions: set[str] = set()
        self._called: dict[str, set[str]] = defaultdict(set)
        #: functions that may be called from anywhere, or whose arguments may go anywhere
        self._unknown: set[str] = set()
        #: whether code calls functions that can't be known
        self._calls_any = False

    def add(self, code: Code, block: Node, is_whole: bool) -> None:
        """Take the variables of an entry; without ``is_whole`` parts of its tree are missing."""
        kept: set[int] = set()
        root = code.name[len(_SCRIPT) :] if code.name.startswith(_SCRIPT) else ""
        self._functions.add(root)
        for node, function in _walk(block, root):
            for group in _kept(node, function):
                names = [name for name, named in group if self._keep(named, kept)]
                self._mention(names, code.name)
                self._link(names)
                if type(node) is not tree.Assignment:
                    self._read.update(names)
            self._take(node, function, kept, code.name)
            if type(node) is tree.Name or type(node) is tree.Member:
                self._entries[node.name].add(code.name)
                if id(node) not in kept:
                    self._elsewhere(node, function)
        if not is_whole:
            self._take_instructions(code)

    @staticmethod
    def _keep(named: Expression | None, kept: set[int]) -> bool:
        """Note that a node is only compared; False for a number."""
        kept.add(id(named))
        return named is not None

    def _mention(self, names: Iterable[str], entry: str) -> None:
        for name in names:
            self._entries[name].add(entry)
            if self._is_own(name):  # the function as a value
                self._unknown_callers(name)
            function, sign, _ = name.partition("#")
            if sign:
                self._called[function].add(name)

    def _elsewhere(self, node: tree.Name | tree.Member, function: str) -> None:
        """Note a name whose value goes elsewhere."""
        self._others.add(node.name)
        if self._is_own(node.name):
            self._unknown_callers(node.name)
        if type(node) is tree.Name and function:
            name = variable_of(node, function)
            if node.name == _ARGUMENT:
                self._unknown_callers(function)
            elif name is not None:
                self._others.add(name)

    def _unknown_callers(self, function: str) -> None:
        """Note that the arguments of a function come from, or go, anywhere."""
        self._unknown.add(function)

    def _take_instructions(self, code: Code) -> None:
        """Take the names in code whose tree is not whole."""
        for instruction in code.instructions:
            if isinstance(instruction.operand, VariableReference):
                self._others.add(instruction.operand.name)
            elif isinstance(instruction.operand, FunctionReference):
                self._unknown_callers(instruction.operand.name.removeprefix(_SCRIPT))
        for name in (code.name, *(child.name for child in code.children)):
            self._unknown_callers(name.removeprefix(_SCRIPT).partition("@")[0])

    def _link(self, names: list[str]) -> None:
        for name in names[1:]:
            self._linked[names[0]].add(name)
            self._linked[name].add(names[0])

    def _take(self, node: Node, function: str, kept: set[int], entry: str) -> None:
        """Take the names that a node gives to other values, or may read a variable by."""
        given = getattr(node, "value", None)
        if type(given) is tree.Function:  # a method, which is called by the name of a variable
            target = node.target if type(node) is tree.Assignment else node
            self._unknown_callers(str(getattr(target, "name", "")))
        if type(node) is tree.Declarator and node.value is not None:
            self._give(
                variable_of(tree.Name(node.name), function), node.value, function, kept, entry
            )
        elif type(node) is tree.Call:
            self._take_call(node, function, kept, entry)
        elif type(node) is tree.Parameter:
            name = variable_of(tree.Name(node.name), function)
            if name is None or "#" not in name:
                self._others.add(name or node.name)
            elif node.default is not None:
                self._give(name, node.default, function, kept, entry)
        elif type(node) is tree.StructMember:
            self._others.add(node.name)
        elif type(node) is tree.Function or type(node) is tree.Try:
            self._others.add(node.name or "")
            if type(node) is tree.Function:
                self._functions.add(node.name)
        elif isinstance(node, tree.String):
            self._others.add(node.value)
            self._unknown_callers(node.value)

    def _give(
        self, name: str | None, value: Expression, function: str, kept: set[int], entry: str
    ) -> None:
        """A variable is given a value."""
        values = _values(value, function)
        if name is None or values is None:
            self._others.add(name or "")
            return
        names = [name, *(other for other, named in values if self._keep(named, kept))]
        self._mention(names, entry)
        self._link(names)

    def _take_call(self, node: tree.Call, function: str, kept: set[int], entry: str) -> None:
        """Take what a call gives for the arguments of a function of the game."""
        called = node.function
        if type(called) is not tree.Name:
            return
        first = node.arguments[0] if node.arguments else None
        if called.name in _CALLERS:
            self._take_caller(first)
        elif called.name == _BY_TEXT:
            self._calls_any = self._calls_any or type(first) is not tree.String
        elif self._is_own(called.name):
            kept.add(id(called))
            for position, given in enumerate(node.arguments):
                name = parameter(called.name, position)
                self._mention([name], entry)
                if given is not None:
                    self._give(name, given, function, kept, entry)

    def _take_caller(self, called: Expression | None) -> None:
        """Take the function that ``script_execute`` is given."""
        if type(called) is tree.Number and type(called.value) is int:
            self._unknown_callers(self._script(called.value) or "")
        elif type(called) is not tree.Name or not self._is_own(called.name):
            self._calls_any = True

    def _of_unknown_callers(self) -> set[str]:
        """The arguments of functions that may be called from anywhere."""
        return {
            name
            for function, names in self._called.items()
            if self._calls_any
            or function in self._unknown
            or function not in self._functions
            or function == _NAMELESS
            for name in names
        }

    def names(self, builtins: Set[str]) -> dict[str, Within]:
        """The variables, with the code that has them; ``builtins`` are read by the runner."""
        done = self._reached(self._others | self._of_unknown_callers() | builtins)
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


#: numbers, and variables with the nodes that name them
_Values = list[tuple[str, Expression | None]]


def _walk(node: Node, function: str) -> Iterator[tuple[Node, str]]:
    """All nodes, each with the function that it is in."""
    todo = [(node, function)]
    while todo:
        part, inside = todo.pop()
        yield part, inside
        if type(part) is tree.Function:
            inside = part.name or _NAMELESS
        todo += [(child, inside) for child in part.children()]


def _kept(node: Node, function: str) -> Iterator[_Values]:
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
        values = _values(part, function)
        if values is not None:
            yield from ([value] for value in values)
    parts = [_values(part, function) for part in group]
    if group and None not in parts:
        yield [value for values in parts if values is not None for value in values]


def _values(node: Expression | None, function: str) -> _Values | None:
    """The numbers and variables that an expression may be, or that an array in it has; None if it
    may be another value.

    Functions such as ``max`` give one of their arguments too, but by its size.
    """
    todo: list[Expression | None] = [node]
    values: _Values = []
    while todo:
        part = todo.pop()
        variable = _variable(part, function)
        if type(part) is tree.Conditional:
            todo += [part.then, part.otherwise]
        elif type(part) is tree.ArrayLiteral:
            todo += part.elements
        elif type(part) is tree.Call and called_name(part.function) == "choose":
            todo += part.arguments
        elif type(part) is tree.Call and initial_element(part) is not None:
            todo.append(initial_element(part))
        elif variable is not None:
            values.append(variable)
        elif type(part) is tree.Number:
            values.append(("", None))
        else:
            return None
    return values
