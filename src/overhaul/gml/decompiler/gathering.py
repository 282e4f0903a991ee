"""Collects facts about a game's own names while its code is read (see ``knowledge``)."""

from __future__ import annotations

from overhaul.gml.context import Context
from overhaul.gml.decompiler.evidence import PASSED, Evidence
from overhaul.gml.decompiler.knowledge import BOOLEAN, INSTANCE, Knowledge, kind_of
from overhaul.gml.decompiler.places import STORED, element_key, initial_element
from overhaul.gml.syntax import tree

_COMPARING = frozenset(("==", "!=", "<", "<=", ">", ">="))
_LOGICAL = frozenset(("&&", "||", "^^"))


class Gathering(Evidence):
    """Evidence that takes notes instead of naming."""

    def __init__(self, context: Context, knowledge: Knowledge) -> None:
        super().__init__(context)
        self.gathering = True
        self.collected = knowledge

    # -- facts ---------------------------------------------------------------------------------

    def _meets(self, node: tree.Expression | None, kind: str) -> None:
        """An expression stands where a kind is expected."""
        for part in _parts(node):
            key = self.key(part)
            if key:
                self.collected.of(key).add(kind)

    def _flows(self, key: str, node: tree.Expression | None, compared: bool = False) -> None:
        """A value reaches a place, or (``compared``) is what the place is tested for."""
        facts = self.collected.of(key)
        for part in _parts(node):
            kind = type(part)
            if kind is tree.ArrayLiteral:
                for element in part.elements:  # type: ignore[attr-defined]
                    self._flows(element_key(key), element, compared)
                continue
            if kind is tree.Call:
                first = initial_element(part)
                if first is not None:
                    self._flows(element_key(key), first, compared)
                    continue
            if kind is tree.Number:
                numbers = facts.equal if compared else facts.given
                numbers.add(part.value)  # type: ignore[attr-defined]
                continue
            other = self.key(part)
            if other:
                self.collected.link(key, other)
                continue
            found = self._kind(part)
            if found:
                facts.add(found)
            elif kind is tree.Binary:
                if part.operator not in _LOGICAL:  # type: ignore[attr-defined]
                    facts.numeric += 1
            elif kind is tree.Call or kind is tree.String:
                facts.other += 1
            else:
                facts.unknown += 1

    def _kind(self, node: tree.Expression) -> str:
        """The kind of an expression that is no place of the game's own."""
        kind = type(node)
        if kind is tree.Binary:
            operator = node.operator  # type: ignore[attr-defined]
            return BOOLEAN if operator in _COMPARING or operator in _LOGICAL else ""
        if kind is tree.Boolean:
            return BOOLEAN
        if kind is tree.Unary:
            return BOOLEAN if node.operator == "!" else ""  # type: ignore[attr-defined]
        return kind_of(self.builtin_type(node))

    def _numeric(self, node: tree.Expression) -> None:
        key = self.key(node)
        if key:
            self.collected.of(key).numeric += 1

    # -- what the reader tells -----------------------------------------------------------------

    def note_assigned(self, target: tree.Expression, node: tree.Expression, plain: bool) -> None:
        """``target = node`` (``plain``), or a compound assignment or increment."""
        if not plain:
            self._numeric(target)
            self._numeric(node)
            return
        key = self.key(target)
        if key:
            self._flows(key, node)
            return
        kind = kind_of(self.builtin_type(target))
        if kind:
            self._meets(node, kind)

    def note_compared(self, left: tree.Expression, right: tree.Expression, order: bool) -> None:
        """``left == right``, or (``order``) ``left < right``."""
        if order:
            for node in (left, right):
                key = self.key(node)
                if key:
                    self.collected.of(key).ordered += 1
            return
        left_key, right_key = self.key(left), self.key(right)
        if left_key:
            self._flows(left_key, right, True)
        if right_key:
            self._flows(right_key, left, True)
        if not left_key and not right_key:
            return
        if not left_key:
            kind = self._kind(left)
            if kind:
                self._meets(right, kind)

    def note_arithmetic(self, left: tree.Expression, right: tree.Expression, plus: bool) -> None:
        """``left - right``; a sum may also join strings."""
        if plus and type(left) is not tree.Number and type(right) is not tree.Number:
            return
        self._numeric(left)
        self._numeric(right)

    def note_asked(self, node: tree.Expression) -> None:
        """A condition."""
        key = self.key(node)
        if key:
            self.collected.of(key).asked += 1

    def note_instance(self, node: tree.Expression) -> None:
        """Left of a dot, or in a ``with``; where there are structs that says little."""
        if not self.context.dialect.gml_v2:
            self._meets(node, INSTANCE)

    def note_returned(self, node: tree.Expression) -> None:
        """What the current function returns."""
        if self.function:
            self._flows(f"r:{self.function}", node)

    def type_arguments(self, name: str, nodes: list[tree.Expression | None]) -> None:
        """Arguments of a call."""
        signature = self.signatures.get(name)
        if signature is not None:
            for position, node in enumerate(nodes):
                kind = kind_of(signature.parameter(position))
                if kind:
                    self._meets(node, kind)
            self._note_elements(name, nodes)
        elif self.types.is_script(name):
            self.type_own_arguments(name, nodes)

    def type_own_arguments(self, name: str, nodes: list[tree.Expression | None]) -> None:
        """Arguments of a call of a function of the game's own."""
        for position, node in enumerate(nodes):
            self._flows(f"a:{name}:{position}", node)

    def _note_elements(self, name: str, nodes: list[tree.Expression | None]) -> None:
        """What is put into an array or data structure by a function."""
        stored = STORED.get(name)
        if stored is not None and len(nodes) > stored[0]:
            key = self.stored_key(name, nodes)
            if key:
                for node in nodes[stored[0] : stored[1]]:
                    self._flows(key, node)

    # -- no names yet --------------------------------------------------------------------------

    def named(self, node: tree.Expression, type_name: str) -> tree.Expression:
        return node


def _parts(node: tree.Expression | None) -> list[tree.Expression]:
    """An expression, or the alternatives it may be."""
    if node is None:
        return []
    kind = type(node)
    if kind is tree.Conditional:
        assert isinstance(node, tree.Conditional)
        return _parts(node.then) + _parts(node.otherwise)
    if kind is tree.Call:
        assert isinstance(node, tree.Call)
        function = node.function
        passed = PASSED.get(function.name) if isinstance(function, tree.Name) else None
        if passed is not None:
            return [part for argument in node.arguments[passed:] for part in _parts(argument)]
    return [node]
