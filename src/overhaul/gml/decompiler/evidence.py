"""What tells a number's meaning: the functions it is given to, the variables it meets.

Bytecode before 2023.8 has only numbers where the source had asset names; named constants are plain
numbers in all of it.  A number is given a name only where something says what type it has, and only
a name that means that number.
"""

from __future__ import annotations

import re
from typing import Final
from weakref import WeakKeyDictionary

from overhaul.gml.builtins import load_variables
from overhaul.gml.builtins.types import (
    ASSET_TYPES,
    INSTANCE_TYPES,
    Signature,
    load_bit_groups,
    load_constant_groups,
    load_signatures,
    load_variable_types,
)
from overhaul.gml.context import Context
from overhaul.gml.decompiler.knowledge import INSTANCE, NOONE, OR_FALSE, Knowledge, general_key
from overhaul.gml.syntax import tree

ABSENT_TYPES: Final = frozenset((*ASSET_TYPES, "String"))
"""Types whose -4 is no number: what it says is that there is nothing."""
KEYWORDS: Final = {-3: "all", -4: "noone"}
"""``self`` and ``other`` never end up as the numbers -1 and -2 where a value stands."""
_KINDS: Final = {"object": INSTANCE, "with": INSTANCE}


OTHER_ID: Final = tree.Member(tree.Name("other"), "id")
"""What ``other`` as a value compiles to before 2.3."""
LETTER_KEYS: Final = frozenset((*range(48, 58), *range(65, 91)))
"""Keys that are written ``ord("A")``."""
CHARACTERS: Final = frozenset((33, *LETTER_KEYS, *range(97, 123)))
"""Characters that are written ``ord("a")`` where a character's number is wanted."""
_MOST_BITS: Final = 3
_EVENT_NUMBERS: Final = {"event_perform": 1, "event_perform_object": 2}
"""Functions that take the number of an event, behind its type, and where."""
_EVENTS_OF: Final = {
    "ev_collision": "Asset.GMObject", "ev_keyboard": "Constant.VirtualKey",
    "ev_keypress": "Constant.VirtualKey", "ev_keyrelease": "Constant.VirtualKey",
}  # fmt: skip
"""Types of the numbers of events; the others have groups of constants."""
_SERIES: Final = {"Constant.VirtualKey": (48, 49, 65, 96, 112), "EventNumber.ev_other": (10,)}
"""Numbers that people add something to by name: ``ord("0") + i``, ``ev_user0 + i``."""
COMPOSED: Final = frozenset((tree.Conditional, tree.Call, tree.ArrayLiteral, tree.Binary))
"""Expressions that may have numbers inside which mean what the whole means."""
AMBIGUOUS_ZERO: Final = frozenset((INSTANCE, "Asset.GMObject"))
"""Types whose 0 may as well be ``false`` or a plain 0."""
_EVENT: Final = re.compile(
    r"gml_Object_(.+)_(?:Create|PreCreate|Destroy|CleanUp|Alarm|Step|Draw|Mouse|Keyboard|KeyPress"
    r"|KeyRelease|Gesture|Trigger|Other|Collision)_[^_]*"
)
UNKNOWN_ENUM: Final = "UnknownEnum"


def owner_of(code_name: str) -> str:
    """The object that the code of an event belongs to; "" for other code."""
    found = _EVENT.match(code_name)
    return found[1] if found is not None else ""


def element_key(array: str) -> str:
    """The key of an array's elements; those of arrays inside arrays have the same."""
    return array if array[0] == "[" else "[]" + array


def initial_element(node: tree.Expression) -> tree.Expression | None:
    """What ``array_create(n, value)`` fills its array with; None for other calls."""
    assert isinstance(node, tree.Call)
    function = node.function
    if type(function) is tree.Name and function.name == "array_create" and len(node.arguments) == 2:
        return node.arguments[1]
    return None


def enum_member_name(number: int) -> str:
    """The stand-in for an enum member whose name the file does not tell."""
    return f"Value_{number}" if number >= 0 else f"Value_m{-number}"


def shown_enum_values(statements: list[tree.Statement], values: set[int]) -> set[int]:
    """Those of the stand-in members' values that the source still shows.

    Two were taken for one that were none: the 1 that stands for no condition in ``for (;;)``, and
    the index 0 of a built-in array without index.
    """
    doubtful = {enum_member_name(value): value for value in values & {0, 1}}
    if not doubtful:
        return values
    for node in tree.Block(statements).walk():
        if (
            type(node) is tree.Member
            and node.name in doubtful
            and type(node.object) is tree.Name
            and node.object.name == UNKNOWN_ENUM
        ):
            del doubtful[node.name]
            if not doubtful:
                return values
    return values - set(doubtful.values())


def unknown_enum(values: set[int]) -> tree.Enum:
    """The declaration of the stand-in members."""
    members = []
    following = 0
    for value in sorted(values):
        shown = None if value == following else tree.Number(value)
        members.append(tree.EnumMember(enum_member_name(value), shown))
        following = value + 1
    return tree.Enum(UNKNOWN_ENUM, members)


class Types:
    """The names that the numbers of a type have in one game."""

    def __init__(self, context: Context) -> None:
        self.context = context
        dialect = context.dialect
        self.booleans = not dialect.typed_booleans
        self.enums = dialect.gms2_or_later
        self.references: frozenset[str] = frozenset()
        """Kinds of assets whose names are no numbers."""
        if dialect.asset_references:
            self.references = frozenset(ASSET_TYPES.values()) - {"audio_group"}
        elif dialect.gml_v2:
            self.references = frozenset(("script",))
        self.groups = load_constant_groups("gms2" if dialect.gms2_or_later else "gms1")
        self.bits = load_bit_groups()
        self.signatures = load_signatures()
        self.variables = load_variable_types()
        self.alternatives: dict[str, tuple[str, ...]] = {}
        self.builtins = frozenset(load_variables())
        self.automatic_arrays = frozenset(
            name for name, variable in load_variables().items() if variable.array
        )
        self.function_names: dict[str, str] = {}
        self.knowledge: Knowledge | None = None
        self.says_self = False
        """Whether constructors of the game address their variables with ``self.``"""

    def learn(self, knowledge: Knowledge | None) -> None:
        """Use what a whole game tells, from now on."""
        self.knowledge = knowledge
        numbers = knowledge is not None and knowledge.habit == 2
        self.booleans = not self.context.dialect.typed_booleans and not numbers

    def is_script(self, name: str) -> bool:
        """Whether a name is one of the game's own functions."""
        if name in self.context.functions:
            return True
        asset = self.context.asset_id(name)
        return asset is not None and asset[0] == "script"

    def name(self, type_name: str, number: int | float) -> tree.Expression | None:
        """What a number of this type is called, or None."""
        alternatives = self.alternatives.get(type_name)
        if alternatives is None:
            alternatives = self.alternatives[type_name] = tuple(type_name.split("|"))
        for each in alternatives:
            found = self._name(each, number)
            if found is not None:
                return found
        return None

    def _name(self, each: str, number: int | float) -> tree.Expression | None:
        if each == "Bool":
            if self.booleans and number in (0, 1):
                return tree.Boolean(number == 1)
            return None
        if number == NOONE and each in ABSENT_TYPES:
            return tree.Name("noone")
        kind = ASSET_TYPES.get(each)
        if kind is not None and isinstance(number, int) and number >= 0:
            if kind in self.references:
                return None
            name = self.context.asset_name(kind, number)
            return self._checked(name, kind, number)
        if each in INSTANCE_TYPES and isinstance(number, int):
            if number < 0:
                return tree.Name(KEYWORDS[number]) if number in KEYWORDS else None
            if number >= 100000:
                name = self.context.asset_name("room_instance", number)
                return self._checked(name, "room_instance", number)
            return None
        group = self.groups.get(each)
        if group is None:
            if each == "Constant.Character" and number in CHARACTERS:
                return tree.Call(tree.Name("ord"), [tree.String(chr(int(number)))])
            return None
        name = group.get(number)
        if name is not None:
            return tree.Name(name)
        if each == "Constant.VirtualKey" and number in LETTER_KEYS:
            return tree.Call(tree.Name("ord"), [tree.String(chr(int(number)))])
        return _joined(group, number) if each in self.bits else None

    def enum_member(self, number: int) -> tree.Expression | None:
        """The only enum member of this value, or None."""
        found = [
            (name, member)
            for name, members in self.context.enums.items()
            for member, value in members
            if value == number and name != UNKNOWN_ENUM
        ]
        if len(found) != 1:
            return None
        return tree.Member(tree.Name(found[0][0]), found[0][1])

    def _checked(self, name: str | None, kind: str, number: int) -> tree.Expression | None:
        """An asset's name, if it leads back to the very number."""
        if name is None or self.context.asset_id(name) != (kind, number):
            return None
        return tree.Name(name)


def _joined(group: dict[int | float, str], number: int | float) -> tree.Expression | None:
    """Two or three constants, one bit each, that make a number together."""
    if not isinstance(number, int) or not 0 < number.bit_count() <= _MOST_BITS or number < 0:
        return None
    names = [group.get(1 << bit) for bit in range(number.bit_length()) if number >> bit & 1]
    node: tree.Expression | None = None
    for name in names:
        if name is None:
            return None
        part = tree.Name(name)
        node = part if node is None else tree.Binary("|", node, part)
    return node


_TYPES: WeakKeyDictionary[Context, Types] = WeakKeyDictionary()


def types_of(context: Context) -> Types:
    """The tables for a context, made once."""
    found = _TYPES.get(context)
    if found is None:
        found = _TYPES[context] = Types(context)
    return found


class Evidence:
    """Names for one code entry's numbers."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.types = types = types_of(context)
        self.automatic_arrays = types.automatic_arrays
        self.says_self = types.says_self
        self.own_names: dict[str, str] = {}
        """Source names of the functions that the entry itself declares, by code name."""
        self.methods: dict[str, str] = {}
        """Names of the variables that methods of the entry are stored in, by code name."""
        self.signatures = types.signatures
        self.enum_values: set[int] = set()
        """Values that the stand-in enum needs."""
        self.gathering = False
        self.entry = ""
        self.function = ""
        """The function being read, "" in an event."""
        self.place = ""
        """The entry and function that local variables belong to."""
        self.owner = ""
        """The object or constructor whose variables plain names are; "" where that is unknown."""
        self.locals: set[str] = set()
        knowledge = types.knowledge
        self.known: dict[str, str] = {} if knowledge is None else knowledge.types

    # -- names that are known ------------------------------------------------------------------

    def function_name(self, code_name: str) -> str:
        """What source text calls the function with this code entry (or built-in) name."""
        own = self.own_names.get(code_name)
        if own is not None:
            return own
        names = self.types.function_names
        name = names.get(code_name)
        if name is None:
            name = self.context.function_of_code(code_name)
            if name is None:
                name = code_name
                if self.context.dialect.gml_v2 and code_name.startswith("gml_Script_"):
                    name = code_name[11:]
            names[code_name] = name
        return name

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

    def key(self, node: tree.Expression) -> str:
        """The key of a variable, parameter or result of the game's own; "" for anything else."""
        kind = type(node)
        if kind is tree.Index:
            assert isinstance(node, tree.Index)
            if node.accessor not in ("", "@"):
                return ""
            array = self.key(node.object)
            return element_key(array) if array else ""
        if kind is tree.Name:
            name: str = node.name  # type: ignore[attr-defined]
            if name in self.locals:
                return f"l:{self.place}:{name}"
            if name in self.types.variables or name in self.types.builtins:
                if self.function and name.startswith("argument") and name[8:].isdigit():
                    return f"a:{self.function}:{name[8:]}"
                return ""
            if self.function and name.startswith("arg") and name[3:].isdigit():
                return f"a:{self.function}:{name[3:]}"
            if name in self.context.globals:
                return "g:" + name
            return f"s:{name}@{self.owner}" if self.owner else "s:" + name
        if kind is tree.Member:
            assert isinstance(node, tree.Member)
            if node.name in self.types.builtins:
                return ""
            owner = node.object
            if type(owner) is tree.Name and owner.name == "global":
                return "g:" + node.name
            whose = self.object_of(owner)
            return f"s:{node.name}@{whose}" if whose else "s:" + node.name
        if kind is tree.Call:
            function = node.function  # type: ignore[attr-defined]
            if type(function) is tree.Name and self.types.is_script(function.name):
                return "r:" + function.name
            if type(function) is tree.Member:
                return "r:" + function.name
        return ""

    def object_of(self, node: tree.Expression) -> str:
        """The object that an instance is of; "" where that is unknown."""
        kind = type(node)
        if kind is tree.Number:
            value = node.value  # type: ignore[attr-defined]
            return self.context.asset_name("object", value) or ""
        if kind is not tree.Name:
            return ""
        name: str = node.name  # type: ignore[attr-defined]
        if name == "self":
            return self.owner
        asset = self.context.asset_ids.get(name)
        return name if asset is not None and asset[0] == "object" else ""

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
            return node if name is None else name
        if kind is tree.Conditional:
            assert isinstance(node, tree.Conditional)
            node.then = self.named(node.then, type_name)
            node.otherwise = self.named(node.otherwise, type_name)
        elif kind is tree.Call:
            assert isinstance(node, tree.Call)
            if isinstance(node.function, tree.Name) and node.function.name == "choose":
                node.arguments = [
                    None if each is None else self.named(each, type_name) for each in node.arguments
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
