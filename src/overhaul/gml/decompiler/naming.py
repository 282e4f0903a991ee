"""The names that numbers have in one game, by their type.

A type is spelled as in the tables of built-ins (``Asset.GMSprite``, ``Constant.Color``, ``Bool``;
alternatives parted by ``|``).  Only a name that means the very number is given.
"""

from __future__ import annotations

from typing import Final
from weakref import WeakKeyDictionary

from overhaul.gml.builtins import load_variables
from overhaul.gml.builtins.types import (
    ASSET_TYPES,
    INSTANCE_TYPES,
    load_bit_groups,
    load_constant_groups,
    load_enum_members,
    load_signatures,
    load_variable_types,
)
from overhaul.gml.context import Context
from overhaul.gml.decompiler.knowledge import NOONE, Knowledge
from overhaul.gml.syntax import tree

ABSENT_TYPES: Final = frozenset((*ASSET_TYPES, "String"))
"""Types whose -4 is no number: what it says is that there is nothing."""
KEYWORDS: Final = {-3: "all", -4: "noone"}
"""``self`` and ``other`` never end up as the numbers -1 and -2 where a value stands."""
LETTER_KEYS: Final = frozenset((*range(48, 58), *range(65, 91)))
"""Keys that are written ``ord("A")``."""
CHARACTERS: Final = frozenset((33, *LETTER_KEYS, *range(97, 123)))
"""Characters that are written ``ord("a")`` where a character's number is wanted."""
UNKNOWN_ENUM: Final = "UnknownEnum"
_MOST_BITS: Final = 3


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
        self.v2 = dialect.gml_v2
        self.references: frozenset[str] = frozenset()
        """Kinds of assets whose names are no numbers."""
        if dialect.asset_references:
            self.references = frozenset(ASSET_TYPES.values()) - {"audio_group"}
        elif dialect.gml_v2:
            self.references = frozenset(("script",))
        self.groups = load_constant_groups("gms2" if dialect.gms2_or_later else "gms1")
        self.bits = load_bit_groups()
        self.members = load_enum_members()
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
            return self._member(each, number)
        name = group.get(number)
        if name is not None:
            return None if name in self.context.asset_ids else tree.Name(name)
        if each == "Constant.VirtualKey" and number in LETTER_KEYS:
            return tree.Call(tree.Name("ord"), [tree.String(chr(int(number)))])
        return _joined(group, number) if each in self.bits else None

    def _member(self, type_name: str, number: int | float) -> tree.Expression | None:
        """The member of an enum that is part of the language."""
        members = self.members.get(type_name)
        own = type_name[5:] in self.context.enums
        if members is None or own or not isinstance(number, int) or not self.v2:
            return None
        name = members.get(number)
        return None if name is None else tree.Member(tree.Name(type_name[5:]), name)

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
