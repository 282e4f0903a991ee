"""Names for the numbers of one code entry: by the functions they are given to and the variables
they meet.

Bytecode before 2023.8 has only numbers where the source had asset names; named constants are plain
numbers in all of it.  A number is given a name only where something says what type it has, and only
a name that means that number.
"""

from __future__ import annotations

from typing import Final

from overhaul.gml.builtins.effects import chosen
from overhaul.gml.builtins.types import Signature
from overhaul.gml.decompiler.options import DEFAULT, DecompileOptions
from overhaul.gml.decompiler.types.constants import double_node, stand_in_value
from overhaul.gml.decompiler.types.facts import PARAMETER, RESULT, Location, located, words_of
from overhaul.gml.decompiler.types.habits import Fractions
from overhaul.gml.decompiler.types.locations import Locations, Uses
from overhaul.gml.decompiler.types.names import (
    BOOLEAN,
    INSTANCE,
    NOONE,
    OR_FALSE,
    TypeNames,
    kind_of,
)
from overhaul.gml.syntax import tree
from overhaul.gml.syntax.tree import Expression
from overhaul.gml.values import STORED, initial_element, returned_arguments

_EFFECTS: Final = frozenset(("effect_create_above", "effect_create_below"))
"""Functions that visual actions call with a number where people name a constant."""
_EVENT_NUMBERS: Final = {"event_perform": 1, "event_perform_object": 2}
"""Functions that take the number of an event, behind its type, and where."""
_EVENTS_OF: Final = {
    "ev_collision": "Asset.GMObject", "ev_keyboard": "Constant.VirtualKey",
    "ev_keypress": "Constant.VirtualKey", "ev_keyrelease": "Constant.VirtualKey",
}  # fmt: skip
"""Types of the numbers of events; the others have groups of constants."""
_SERIES: Final = {"Constant.VirtualKey": (48, 49, 65, 96, 112), "EventNumber.ev_other": (10,)}
"""Numbers that people add something to by name: ``ord("0") + i``, ``ev_user0 + i``."""
_OPAQUE: Final = 0xFF000000
_COLOR: Final = 0xFFFFFF
_ASSIGNED: Final = frozenset(
    (tree.Number, tree.Conditional, tree.Call, tree.ArrayLiteral, tree.Member)
)
"""Expressions whose numbers may have names where they are assigned or returned."""
_ARGUMENTS: Final = frozenset(
    (tree.Number, tree.Conditional, tree.Call, tree.ArrayLiteral, tree.Binary, tree.Member)
)
"""Expressions whose numbers may have names as arguments."""
_NUMBERED: Final[dict[int | float, str]] = {-1: "self", -2: "other"}
"""Instances that are numbers where a value stands, before they were ``id``."""
_AMBIGUOUS_ZERO: Final = frozenset((INSTANCE, "Asset.GMObject"))
"""Types whose 0 may as well be ``false`` or a plain 0."""


class Naming(Uses):
    """Puts names in the place of numbers."""

    def __init__(self, locations: Locations, options: DecompileOptions = DEFAULT) -> None:
        super().__init__(options)
        self.locations = locations
        self.names: TypeNames = locations.names
        self.inferred: dict[Location, str] = self.names.inferred
        self.knows: bool = bool(self.inferred)
        """Whether a location may have a type."""
        self.fractions: Fractions = self.names.fractions
        dialect = self.names.context.dialect
        self.typed: bool = dialect.typed_booleans
        self.numbered: bool = not dialect.gml_v2 and not dialect.instance_keywords_as_id

    # -- uses ----------------------------------------------------------------------------------

    def double(self, operand: object) -> Expression:
        written = self.options.fractions
        return double_node(operand, self.fractions.denominator, fractions=written)

    def calculated(self, node: tree.Binary) -> None:
        if node.operator == "*" and self.fractions.factors:
            if type(node.left) is tree.Name:
                node.right = self._part(node.left.name, node.right)
            elif type(node.right) is tree.Name:
                node.left = self._part(node.right.name, node.left)

    def _part(self, name: str, node: Expression) -> Expression:
        """The factor of a variable, as a fraction where it always is one."""
        if type(node) is not tree.Number or type(node.value) is not float:
            return node
        return self.fractions.of_factor(name, node.value) or node

    def assigned(self, target: Expression, node: Expression, operator: str) -> Expression:
        return self._met(target, node) if operator == "=" and type(node) in _ASSIGNED else node

    def compared(
        self, left: Expression, right: Expression, by_size: bool
    ) -> tuple[Expression, Expression]:
        if type(right) is tree.Number:
            return left, self._compared(left, right, by_size)
        if type(left) is tree.Number:
            return self._compared(right, left, by_size), right
        return left, right

    def _compared(self, other: Expression, node: tree.Number, by_size: bool) -> Expression:
        named = self._met(other, node)
        if by_size and type(named) is tree.Name and named.name in self.names.context.asset_ids:
            return node  # assets have no order
        if named is node and node.value == NOONE and not by_size:
            return tree.Name("noone")  # a value that is tested for -4 is hardly a number
        return named

    def as_instance(self, node: Expression) -> Expression:
        return self.named(node, INSTANCE)

    def returned(self, node: Expression) -> Expression:
        if type(node) not in _ASSIGNED:
            return node
        locations = self.locations
        in_event = locations.place and not locations.function  # code without a name may be anything
        if in_event and type(node) is tree.Number and node.value in (0, 1):
            # The result of an event is not used: such a return only ends it, with a word.
            return node if self.typed else tree.Boolean(node.value == 1)
        if locations.function and self.knows:
            return self._stored(located(RESULT, locations.function), node)
        return node

    def passed(self, name: str, nodes: list[Expression | None]) -> None:
        signature = self.names.signatures.get(name)
        if signature is None:
            if self.knows and self.names.is_script(name):
                self.passed_own(name, nodes)
            return
        dragged = name in _EFFECTS and nodes and stand_in_value(nodes[-1]) is not None
        for position, node in enumerate(nodes):
            if node is not None and type(node) in _ARGUMENTS:
                type_name = _parameter_type(name, signature, position, nodes)
                if not type_name or not self.names.may_name(type_name):
                    continue
                if not (dragged and type(node) is tree.Number):
                    nodes[position] = self._instance(node, type_name) or self.named(node, type_name)
        if self.knows and name in STORED:
            location = self.locations.stored(name, nodes)
            for position in chosen(STORED[name], len(nodes)) if location is not None else ():
                node = nodes[position]
                if location is not None and node is not None and type(node) in _ARGUMENTS:
                    nodes[position] = self._stored(location, node)

    def passed_own(self, name: str, nodes: list[Expression | None]) -> None:
        for position, node in enumerate(nodes) if self.knows else ():
            if node is not None and type(node) in _ARGUMENTS:
                nodes[position] = self._stored(located(PARAMETER, name, "", position), node)

    def _instance(self, node: Expression, type_name: str) -> Expression | None:
        """``self`` or ``other`` where releases made numbers of them and an instance is expected."""
        if not self.numbered or type(node) is not tree.Number or kind_of(type_name) != INSTANCE:
            return None
        word = _NUMBERED.get(node.value)
        return None if word is None else tree.Name(word)

    # -- naming --------------------------------------------------------------------------------

    def _met(self, other: Expression, node: Expression) -> Expression:
        """A value that is stored in another expression's place, or compared with it."""
        type_name = self.names.builtin_type(other)
        answer = type_name == BOOLEAN and type(other) is tree.Call and not self.typed
        if answer and type(node) is tree.Number and node.value in (0, 1):
            # Who writes numbers for flags compares answers with words (61 of 61).
            return tree.Boolean(node.value == 1)
        if type_name:
            return self.named(node, type_name) if self.names.may_name(type_name) else node
        location = self.locations.of(other) if self.knows else None
        return self._stored(location, node) if location is not None else node

    def _stored(self, location: Location, node: Expression) -> Expression:
        """The value that is stored in a location, or compared with it."""
        if type(node) is tree.ArrayLiteral:
            location = location.element_at()
        elif type(node) is tree.Call:
            element = initial_element(node)
            if element is not None:
                node.arguments[1] = self._stored(location.element_at(), element)
                return node
        type_name = self.type_of(location, node)
        return node if type_name is None else self.stored_as(location, node, type_name)

    def stored_as(self, location: Location, node: Expression, type_name: str) -> Expression:
        """The value that is stored in a location of this type, or compared with it."""
        if type(node) is tree.Number and node.value == 0:
            # The type is only inferred: 0 may mean anything.
            if type_name.startswith(OR_FALSE):
                return tree.Boolean(False) if self.names.booleans else node
            if type_name in _AMBIGUOUS_ZERO and not _expects_object(location):
                return node
        return self.named(node, type_name)

    def type_of(self, location: Location, node: Expression) -> str | None:
        """The type inferred of a location, or else of those it shares its name with; ``node`` is
        what is stored there."""
        type_name = self.inferred.get(location)
        return self.inferred.get(location.shared()) if type_name is None else type_name

    def named(self, node: Expression, type_name: str) -> Expression:
        """An expression whose value has this type, with its numbers named."""
        if type(node) is tree.Number:
            name = self.names.name(type_name, node.value)
            if name is None or (type(name) is tree.Name and name.name in self.locations.locals):
                return node  # a local of that name hides what it means
            return name
        if type(node) is tree.Member:
            if type_name == "Constant.Color":
                return _masked_color(node)
            value = stand_in_value(node)
            return node if value is None else self.names.member(type_name, value) or node
        if type(node) is tree.Conditional:
            node.then = self.named(node.then, type_name)
            node.otherwise = self.named(node.otherwise, type_name)
        elif type(node) is tree.Call:
            for position in returned_arguments(node):
                argument = node.arguments[position]
                if argument is not None:
                    node.arguments[position] = self.named(argument, type_name)
        elif type(node) is tree.ArrayLiteral:
            node.elements = [self.named(element, type_name) for element in node.elements]
        elif type(node) is tree.Binary:
            if node.operator == "??":
                node.left = self.named(node.left, type_name)
                node.right = self.named(node.right, type_name)
            elif node.operator == "+" and adds_to(type_name):
                base = node.left
                if type(base) is tree.Number and base.value in _SERIES[type_name]:
                    node.left = self.named(base, type_name)
        return node


def adds_to(type_name: str) -> bool:
    """Whether people add something to numbers of this type by name."""
    return type_name in _SERIES


def _expects_object(location: Location) -> bool:
    """Whether a 0 is an object, not ``false``: that is what is passed to a script that makes
    instances, and what a variable holds that is called so (7 of 7 original sources, of both)."""
    return location.kind == PARAMETER or words_of(location)[-1:] in (["obj"], ["object"])


def _masked_color(node: tree.Member) -> tree.Expression:
    """A colour that GameMaker's visual actions wrote: ``$FF0000FF & $ffffff`` makes a 64-bit
    constant, which is not a member of an enum."""
    value = stand_in_value(node)
    if value is None or not 0 <= value <= _COLOR:
        return node
    color = tree.Int64(_OPAQUE | value, f"${_OPAQUE | value:X}")
    return tree.Binary("&", color, tree.Number(_COLOR, "$ffffff"))


def _parameter_type(
    name: str, signature: Signature, position: int, nodes: list[Expression | None]
) -> str:
    """The type of an argument; that of an event's number depends on the one before."""
    if _EVENT_NUMBERS.get(name) == position:
        event = nodes[position - 1]
        if type(event) is not tree.Name:
            return ""
        return _EVENTS_OF.get(event.name, f"EventNumber.{event.name}")
    return signature.parameter(position)
