"""Which variables, parameters and results of a game its expressions mean, and how they are used."""

from __future__ import annotations

import re
from typing import Final

from overhaul.gml.context import Context
from overhaul.gml.decompiler.options import DEFAULT, DecompileOptions
from overhaul.gml.decompiler.types.constants import UNKNOWN_ENUM, double_node
from overhaul.gml.decompiler.types.facts import (
    FIELD,
    GLOBAL,
    LOCAL,
    PARAMETER,
    RESULT,
    Location,
    located,
)
from overhaul.gml.decompiler.types.names import TypeNames
from overhaul.gml.syntax import tree
from overhaul.gml.syntax.tree import Binary, Expression
from overhaul.gml.values import FETCHED, key_of

_TOGETHER: Final = 8
"""So many arguments belong together, at most."""
_ARGUMENT: Final = tree.Name("argument")
_EVENT: Final = re.compile(
    r"gml_Object_(.+)_(?:Create|PreCreate|Destroy|CleanUp|Alarm|Step|Draw|Mouse|Keyboard|KeyPress"
    r"|KeyRelease|Gesture|Trigger|Other|Collision)_[^_]*"
)


def owner_of(code_name: str) -> str:
    """The object that the code of an event belongs to; "" for other code."""
    match = _EVENT.match(code_name)
    return match[1] if match is not None else ""


def _argument_number(index: tree.Expression) -> int | None:
    """The number of the argument in ``argument[index]``: -1 where it is computed, -2 and so on for
    those behind that one (``argument[i + 1]``)."""
    if type(index) is tree.Number:
        return int(index.value)
    if type(index) is tree.Name:
        return -1
    if type(index) is not tree.Binary or index.operator != "+" or type(index.left) is not tree.Name:
        return None
    behind = index.right.value if type(index.right) is tree.Number else 0
    return -1 - int(behind) if 0 < behind < _TOGETHER else None


class Locations:
    """The locations that the expressions of one code entry mean, while it is read.

    ``function``: the one being read, "" in an event.  ``place``: the entry and function that local
    variables belong to.  ``owner``: the object or constructor whose variables plain names are, ""
    where that is unknown.  ``locals``: names of the local variables.
    """

    def __init__(self, names: TypeNames) -> None:
        self.context: Context = names.context
        self.names = names
        self.function = ""
        self.place = ""
        self.owner = ""
        self.locals: set[str] = set()

    def of(self, node: tree.Expression) -> Location | None:
        """The location that an expression reads; None for anything but the game's own."""
        if type(node) is tree.Index:
            return self._of_index(node)
        if type(node) is tree.Name:
            return self._of_name(node.name)
        if type(node) is tree.Member:
            name, owner = node.name, node.object
            if name in self.names.builtins:
                return None
            if type(owner) is tree.Name:
                if owner.name == "global":
                    return located(GLOBAL, name)
                if owner.name == UNKNOWN_ENUM or owner.name in self.context.enums:
                    return None  # a constant: whoever holds it has no more in common
            return located(FIELD, name, self.object_of(owner))
        if type(node) is tree.Call:
            function = node.function
            if type(function) is tree.Name:
                if function.name in FETCHED:
                    return self.stored(function.name, node.arguments)
                if not self.names.is_script(function.name):
                    return None
            if isinstance(function, (tree.Name, tree.Member)):
                return located(RESULT, function.name)
        return None

    def _of_index(self, node: tree.Index) -> Location | None:
        if not node.indices:
            return None
        index = node.indices[0]
        if self.function and node.object == _ARGUMENT:
            number = _argument_number(index)
            return None if number is None else located(PARAMETER, self.function, "", number)
        array = self.of(node.object)
        if array is None:
            return None
        return array.element_at(index if node.accessor in ("?", "$") else None)

    def _of_name(self, name: str) -> Location | None:
        if name in self.locals:
            return located(LOCAL, name, self.place)
        builtin = name in self.names.variables or name in self.names.builtins
        if self.function and name.startswith("argument" if builtin else "arg"):
            number = name[8:] if builtin else name[3:].rstrip("_")
            if number.isdecimal():
                return located(PARAMETER, self.function, "", int(number))
        if builtin:
            return None
        if name in self.context.globals:
            return located(GLOBAL, name)
        return located(FIELD, name, self.owner)

    def object_of(self, node: tree.Expression) -> str:
        """The object that an instance is of; "" where that is unknown."""
        if type(node) is tree.Number and isinstance(node.value, int):
            return self.context.asset_name("object", node.value) or ""
        if type(node) is not tree.Name:
            return ""
        if node.name == "self":
            return self.owner
        asset = self.context.asset_ids.get(node.name)
        return node.name if asset is not None and asset[0] == "object" else ""

    def stored(self, function: str, arguments: list[tree.Expression | None]) -> Location | None:
        """The value that a function stores in or fetches from its first argument."""
        structure = arguments[0] if arguments else None
        location = self.of(structure) if structure is not None else None
        if location is None:
            return None
        return location.element_at(key_of(function, arguments))


class Uses:
    """Receives each use of a value; what a method returns is shown in its place.

    This one shows everything unchanged.
    """

    def __init__(self, options: DecompileOptions = DEFAULT) -> None:
        self.options = options

    def assigned(self, target: Expression, node: Expression, operator: str) -> Expression:
        """``target = node``, or with another operator; for ``++`` and ``--`` both are the same."""
        return node

    def compared(
        self, left: Expression, right: Expression, by_size: bool
    ) -> tuple[Expression, Expression]:
        """``left == right``, or (``by_size``) ``left < right``."""
        return left, right

    def double(self, operand: object) -> Expression:
        """A double, which may have been worked out."""
        return double_node(operand, fractions=self.options.fractions)

    def calculated(self, node: Binary) -> None:
        """``left - right``, whose sides may be replaced; a sum may also join strings."""

    def asked(self, node: Expression) -> None:
        """A condition."""

    def addressed(self, node: Expression) -> None:
        """Left of a dot, or in a ``with``."""

    def as_instance(self, node: Expression) -> Expression:
        """Where only an instance or object may stand."""
        return node

    def returned(self, node: Expression) -> Expression:
        """The result of the current function."""
        return node

    def passed(self, name: str, nodes: list[Expression | None]) -> None:
        """Arguments of a function, which may be replaced in the list."""

    def passed_own(self, name: str, nodes: list[Expression | None]) -> None:
        """The same for a function, constructor or method of the game's own."""
