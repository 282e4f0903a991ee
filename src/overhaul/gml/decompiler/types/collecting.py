"""Collects facts about a game's own locations while its code is read."""

from __future__ import annotations

from typing import Final

from overhaul.gml.decompiler.types.constants import double_node
from overhaul.gml.decompiler.types.facts import (
    PARAMETER,
    RESULT,
    Facts,
    GameFacts,
    Location,
    located,
)
from overhaul.gml.decompiler.types.habits import WRITES
from overhaul.gml.decompiler.types.locations import Locations, Uses
from overhaul.gml.decompiler.types.names import BOOLEAN, INSTANCE, STRUCT, TypeNames, kind_of
from overhaul.gml.syntax import tree
from overhaul.gml.syntax.tree import Expression
from overhaul.gml.values import STORED, alternatives, arguments_with, initial_element

_LOGICAL: Final = frozenset(("&&", "||", "^^"))
_CONSTANTS: Final = frozenset((tree.Number, tree.String))
"""Expressions that are no location, whatever kind is expected of them."""
_BOOLEAN: Final = frozenset(("==", "!=", "<", "<=", ">", ">=", *_LOGICAL))


class Collector(Uses):
    """Notes each use of a location; shows no names."""

    def __init__(self, locations: Locations, facts: GameFacts) -> None:
        super().__init__()
        self.locations = locations
        self.names: TypeNames = locations.names
        self.facts = facts
        self.structs: bool = self.names.context.dialect.gml_v2
        self.before: dict[int, tuple[Expression, Expression]] = {}
        """Some expressions before they were named, by the id of the name: facts are
        those of the code without names."""

    def assigned(self, target: Expression, node: Expression, operator: str) -> Expression:
        if operator != "=":
            self._count_numeric(target)
            self._count_numeric(node)
            return node
        location = self.locations.of(target)
        if location is not None:
            self._flows(location, node)
        else:
            self._meets(node, kind_of(self.names.builtin_type(target)))
        return node

    def compared(
        self, left: Expression, right: Expression, by_size: bool
    ) -> tuple[Expression, Expression]:
        at_left, at_right = self.locations.of(left), self.locations.of(right)
        if by_size:
            for location in (at_left, at_right):
                if location is not None:
                    self.facts.at(location).ordered += 1
            return left, right
        if at_left is not None:
            self._flows(at_left, right, True)
        if at_right is not None:
            self._flows(at_right, left, True)
            if at_left is None:
                self._meets(right, self._kind(left))
        return left, right

    def double(self, operand: object) -> Expression:
        node = double_node(operand)
        if type(node) is tree.Binary and isinstance(operand, float):
            self.facts.doubles.add(operand)
        return node

    def calculated(self, node: tree.Binary) -> None:
        left, right, operator = node.left, node.right, node.operator
        if operator == "+" and type(left) is not tree.Number and type(right) is not tree.Number:
            return
        self._count_numeric(left, 1)
        self._count_numeric(right, 1)
        if operator == "*" and type(left) is tree.Name and type(right) is tree.Binary:
            self.facts.multiplied(left.name, right)
        elif operator == "*" and type(right) is tree.Name and type(left) is tree.Binary:
            self.facts.multiplied(right.name, left)

    def asked(self, node: Expression) -> None:
        location = self.locations.of(node)
        if location is not None:
            self.facts.at(location).asked += 1

    def addressed(self, node: Expression) -> None:
        if not self.structs:
            self._meets(node, INSTANCE)
            return
        location = self.locations.of(node)
        if location is not None:
            self.facts.at(location).addressed += 1

    def returned(self, node: Expression) -> Expression:
        if self.locations.function:
            self._flows(located(RESULT, self.locations.function), node)
        return node

    def passed(self, name: str, nodes: list[Expression | None]) -> None:
        if name in WRITES:
            self.facts.writes[name] += 1
        signature = self.names.signatures.get(name)
        if signature is None:
            if self.names.is_script(name):
                self.passed_own(name, nodes)
            return
        for position, node in enumerate(nodes):
            if type(node) not in _CONSTANTS:
                self._meets(node, kind_of(signature.parameter(position)))
        location = self.locations.stored(name, nodes) if name in STORED else None
        if location is not None:
            for value in arguments_with(STORED, name, nodes):
                self._flows(location, value)

    def passed_own(self, name: str, nodes: list[Expression | None]) -> None:
        for position, node in enumerate(nodes):
            self._flows(located(PARAMETER, name, "", position), node)

    def unnamed(self, node: Expression) -> Expression:
        """An expression as it was before it was named."""
        known = self.before.get(id(node))
        return node if known is None else known[1]

    # -- facts ---------------------------------------------------------------------------------

    def _count_numeric(self, node: Expression, term: int = 0) -> None:
        location = self.locations.of(node)
        if location is not None:
            facts = self.facts.at(location)
            facts.numeric += 1
            facts.terms += term

    def _meets(self, node: Expression | None, kind: str) -> None:
        """An expression stands where a kind ("": any) is expected."""
        if not kind and type(node) is tree.Index:
            location = self.locations.of(node)
            if location is not None and location.number < 0:
                self.facts.at(location)  # which arguments belong together is of use
        for part in alternatives(node, nullish=False) if kind else ():
            location = self.locations.of(self.unnamed(part) if self.before else part)
            if location is not None:
                self.facts.at(location).add(kind)

    def _flows(self, location: Location, node: Expression | None, compared: bool = False) -> None:
        """A value reaches a location, or (``compared``) is what the location is tested for."""
        facts = self.facts.at(location)
        if type(node) is tree.Number:
            facts.see(node.value, compared=compared)
        elif type(node) is tree.Conditional or type(node) is tree.Call:
            for part in alternatives(node, nullish=False):
                self._flow(location, facts, part, compared)
        elif node is not None:
            self._flow(location, facts, node, compared)

    def _flow(self, location: Location, facts: Facts, part: Expression, compared: bool) -> None:
        """The same for one of the alternatives that a value is."""
        if self.before:
            part = self.unnamed(part)
        if type(part) is tree.Number:
            facts.see(part.value, compared=compared)
            return
        if type(part) is tree.ArrayLiteral:
            for element in part.elements:
                self._flows(location.element_at(), element, compared)
            return
        if type(part) is tree.Call:
            first = initial_element(part)
            if first is not None:
                self._flows(location.element_at(), first, compared)
                return
        other = self.locations.of(part)
        if other is not None:
            self.facts.link(location, other)
            return
        kind = self._kind(part)
        if kind:
            facts.add(kind)
            facts.unknown += kind == STRUCT
        elif type(part) is tree.Binary:
            facts.numeric += part.operator not in _LOGICAL
        elif type(part) is tree.Call or type(part) is tree.String:
            facts.other += 1
        else:
            facts.unknown += 1

    def _kind(self, node: Expression) -> str:
        """The kind of an expression other than a location."""
        if type(node) is tree.Binary:
            return BOOLEAN if node.operator in _BOOLEAN else ""
        if type(node) is tree.Unary:
            return BOOLEAN if node.operator == "!" else ""
        if type(node) is tree.StructLiteral or type(node) is tree.New:
            return STRUCT
        return BOOLEAN if type(node) is tree.Boolean else kind_of(self.names.builtin_type(node))
