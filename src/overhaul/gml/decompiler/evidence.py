"""What tells a number's meaning: the functions it is given to, the variables it meets.

Bytecode before 2023.8 has only numbers where the source had asset names; named constants are plain
numbers in all of it.  A number is given a name only where something says what type it has, and only
a name that means that number.
"""

from __future__ import annotations

from typing import Final

from overhaul.gml.builtins.types import Signature
from overhaul.gml.context import Context
from overhaul.gml.decompiler.knowledge import INSTANCE, OR_FALSE, general_key
from overhaul.gml.decompiler.naming import UNKNOWN_ENUM, enum_member_name
from overhaul.gml.decompiler.places import STORED, Places, element_key, initial_element
from overhaul.gml.syntax import tree

_KINDS: Final = {"object": INSTANCE, "with": INSTANCE}
OTHER_ID: Final = tree.Member(tree.Name("other"), "id")
"""What ``other`` as a value compiles to before 2.3."""
_EVENT_NUMBERS: Final = {"event_perform": 1, "event_perform_object": 2}
"""Functions that take the number of an event, behind its type, and where."""
_EVENTS_OF: Final = {
    "ev_collision": "Asset.GMObject", "ev_keyboard": "Constant.VirtualKey",
    "ev_keypress": "Constant.VirtualKey", "ev_keyrelease": "Constant.VirtualKey",
}  # fmt: skip
"""Types of the numbers of events; the others have groups of constants."""
_SERIES: Final = {"Constant.VirtualKey": (48, 49, 65, 96, 112), "EventNumber.ev_other": (10,)}
"""Numbers that people add something to by name: ``ord("0") + i``, ``ev_user0 + i``."""
PASSED: Final = {"choose": 0, "ini_read_real": 2}
"""Functions that may return what they were given, from this argument on."""
COMPOSED: Final = frozenset((tree.Conditional, tree.Call, tree.ArrayLiteral, tree.Binary))
"""Expressions that may have numbers inside which mean what the whole means."""
AMBIGUOUS_ZERO: Final = frozenset((INSTANCE, "Asset.GMObject"))
"""Types whose 0 may as well be ``false`` or a plain 0."""


class Evidence(Places):
    """Names for one code entry's numbers."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        types = self.types
        self.automatic_arrays = types.automatic_arrays
        self.says_self = types.says_self
        self.signatures = types.signatures
        self.enum_values: set[int] = set()
        """Values that the stand-in enum needs."""
        self.gathering = False
        knowledge = types.knowledge
        self.known: dict[str, str] = {} if knowledge is None else knowledge.types

    # -- names that are known ------------------------------------------------------------------

    def enum_member(self, number: int) -> tree.Expression | None:
        """The enum member that a small 64-bit constant was: the only one of this value that the
        context knows, or one of an enum that stands in for what the file does not tell.

        None where the language's release makes plain numbers of enum members.
        """
        if not self.types.enums:
            return None
        if self.context.enums:
            known = self.types.enum_member(number)
            if known is not None:
                return known
        self.enum_values.add(number)
        return tree.Member(tree.Name(UNKNOWN_ENUM), enum_member_name(number))

    # -- types ---------------------------------------------------------------------------------

    def known_type(self, key: str) -> str:
        """What the game tells of a place of its own; "" for nothing."""
        found = self.known.get(key)
        if found is None:
            found = self.known.get(general_key(key), "")
        return found

    def type_of(self, node: tree.Expression) -> str:
        """The type of an expression; "" where nothing tells."""
        found = self.builtin_type(node)
        if not found and self.known:
            key = self.key(node)
            if key:
                return self.known_type(key)
        return found

    def assumed(self, node: tree.Expression, type_name: str) -> tree.Expression:
        """Like :meth:`named` where the type is only inferred: 0 may then mean anything."""
        if type(node) is tree.Number and node.value == 0:
            if type_name.startswith(OR_FALSE):
                return tree.Boolean(False) if self.types.booleans else node
            if type_name in AMBIGUOUS_ZERO:
                return node
        return self.named(node, type_name)

    def builtin_type(self, node: tree.Expression) -> str:
        """The type of a built-in variable or of a built-in function's result; "" for others."""
        kind = type(node)
        if kind is tree.Index:
            assert isinstance(node, tree.Index)
            if node.accessor:
                return self._entry_type([node.object, *node.indices])
            node = node.object
            kind = type(node)
        if kind is tree.Name or kind is tree.Member:
            return self.types.variables.get(node.name, "")  # type: ignore[attr-defined]
        if kind is tree.Call:
            function = node.function  # type: ignore[attr-defined]
            if type(function) is tree.Name:
                if function.name == "ds_map_find_value":
                    return self._entry_type(node.arguments)  # type: ignore[attr-defined]
                signature = self.signatures.get(function.name)
                if signature is not None:
                    return signature.result
        return ""

    def _entry_type(self, arguments: list[tree.Expression | None]) -> str:
        """The type of an entry of ``async_load``."""
        if len(arguments) != 2 or not isinstance(arguments[0], tree.Name):
            return ""
        entry = arguments[1]
        if not isinstance(entry, tree.String):
            return ""
        return self.types.variables.get(f"{arguments[0].name}.{entry.value}", "")

    def named(self, node: tree.Expression, type_name: str) -> tree.Expression:
        """An expression whose value has this type, with its numbers named."""
        kind = type(node)
        if kind is tree.Number:
            name = self.types.name(type_name, node.value)  # type: ignore[attr-defined]
            if name is None or (type(name) is tree.Name and name.name in self.locals):
                return node  # a local of that name hides what it means
            return name
        if kind is tree.Conditional:
            assert isinstance(node, tree.Conditional)
            node.then = self.named(node.then, type_name)
            node.otherwise = self.named(node.otherwise, type_name)
        elif kind is tree.Call:
            assert isinstance(node, tree.Call)
            function = node.function
            passed = PASSED.get(function.name) if type(function) is tree.Name else None
            if passed is not None:
                node.arguments[passed:] = [
                    None if each is None else self.named(each, type_name)
                    for each in node.arguments[passed:]
                ]
        elif kind is tree.ArrayLiteral:
            assert isinstance(node, tree.ArrayLiteral)
            node.elements = [self.named(each, type_name) for each in node.elements]
        elif kind is tree.Binary:
            assert isinstance(node, tree.Binary)
            if node.operator == "??":
                node.left = self.named(node.left, type_name)
                node.right = self.named(node.right, type_name)
            elif node.operator == "+" and type_name in _SERIES:
                first = node.left
                if type(first) is tree.Number and first.value in _SERIES[type_name]:
                    node.left = self.named(first, type_name)
        return node

    def as_kind(self, node: tree.Expression, kind: str) -> tree.Expression:
        """An expression that stands where an instance is expected."""
        if kind == "with":
            old = not self.context.dialect.gml_v2
            if old and type(node) is tree.Number and node.value in (-1, -2):
                return tree.Name("self" if node.value == -1 else "other")
            if old and node == OTHER_ID:
                return tree.Name("other")
        return self.named(node, _KINDS[kind])

    def assigned(self, target: tree.Expression, node: tree.Expression) -> tree.Expression:
        """What is assigned to a variable."""
        return self._meeting(target, node)

    def compared(self, other: tree.Expression, node: tree.Expression) -> tree.Expression:
        """What is compared with another expression."""
        return self._meeting(other, node)

    def equal(self, other: tree.Expression, node: tree.Expression) -> tree.Expression:
        """What is tested for equality with another expression: -4 is then hardly a number."""
        found = self._meeting(other, node)
        if found is node and type(node) is tree.Number and node.value == -4 and not self.gathering:
            return tree.Name("noone")
        return found

    def _meeting(self, other: tree.Expression, node: tree.Expression) -> tree.Expression:
        type_name = self.builtin_type(other)
        if type_name:
            return self.named(node, type_name)
        key = self.key(other) if self.known else ""
        return self._known_as(key, node) if key else node

    def _known_as(self, key: str, node: tree.Expression) -> tree.Expression:
        """What is stored in a place of the game's own, or compared with it."""
        kind = type(node)
        if kind is tree.ArrayLiteral:
            key = element_key(key)
        elif kind is tree.Call:
            element = initial_element(node)
            if element is not None:
                node.arguments[1] = self._known_as(element_key(key), element)  # type: ignore[attr-defined]
                return node
        type_name = self.known_type(key)
        return self.assumed(node, type_name) if type_name else node

    def type_arguments(self, name: str, nodes: list[tree.Expression | None]) -> None:
        """The arguments of a function."""
        signature = self.signatures.get(name)
        if signature is None:
            if self.known and self.types.is_script(name):
                self.type_own_arguments(name, nodes)
            return
        for position, node in enumerate(nodes):
            kind = type(node)
            if kind is tree.Number or kind in COMPOSED:
                type_name = self._parameter(name, signature, position, nodes)
                if type_name:
                    assert node is not None
                    nodes[position] = self.named(node, type_name)
        if self.known and name in STORED:
            self._type_stored(name, nodes)

    def _type_stored(self, name: str, nodes: list[tree.Expression | None]) -> None:
        """What a function stores in an array or data structure of the game's own."""
        key = self.stored_key(name, nodes)
        first, end = STORED[name]
        for position in range(first, min(end, len(nodes))) if key else ():
            node = nodes[position]
            if type(node) is tree.Number or type(node) in COMPOSED:
                assert node is not None
                nodes[position] = self._known_as(key, node)

    def type_own_arguments(self, name: str, nodes: list[tree.Expression | None]) -> None:
        """The arguments of one of the game's functions, constructors or methods."""
        for position, node in enumerate(nodes):
            kind = type(node)
            if kind is tree.Number or kind in COMPOSED:
                assert node is not None
                nodes[position] = self._known_as(f"a:{name}:{position}", node)

    def returned(self, node: tree.Expression) -> tree.Expression:
        """What the current function returns."""
        in_event = self.place and not self.function  # code without a name may be anything
        if in_event and type(node) is tree.Number and node.value in (0, 1):
            # Nobody takes what an event returns: such a return only ends it, with a word.
            return node if self.context.dialect.typed_booleans else tree.Boolean(node.value == 1)
        if self.function and self.known:
            return self._known_as(f"r:{self.function}", node)
        return node

    # -- notes, taken only where a whole game is read --------------------------------------------

    def note_assigned(self, target: tree.Expression, node: tree.Expression, plain: bool) -> None:
        """An assignment."""

    def note_compared(self, left: tree.Expression, right: tree.Expression, order: bool) -> None:
        """A comparison."""

    def note_arithmetic(self, left: tree.Expression, right: tree.Expression, plus: bool) -> None:
        """A calculation."""

    def note_asked(self, node: tree.Expression) -> None:
        """A condition."""

    def note_instance(self, node: tree.Expression) -> None:
        """An instance."""

    def note_returned(self, node: tree.Expression) -> None:
        """A result."""

    def _parameter(
        self, name: str, signature: Signature, position: int, nodes: list[tree.Expression | None]
    ) -> str:
        """The type of an argument; that of an event's number depends on the one before."""
        if _EVENT_NUMBERS.get(name) == position:
            event = nodes[position - 1]
            if type(event) is not tree.Name:
                return ""
            return _EVENTS_OF.get(event.name, f"EventNumber.{event.name}")
        return signature.parameter(position)
