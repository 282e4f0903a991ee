"""The names that numbers have in one game, by their type.

A type is spelled as in the tables of built-ins (``Asset.GMSprite``, ``Constant.Color``, ``Bool``;
alternatives parted by ``|``).  A name is used only if it means exactly that number.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

from overhaul.gml.builtins import load_variables
from overhaul.gml.builtins.types import (
    ASSET_TYPES,
    INSTANCE_TYPES,
    Signature,
    load_bit_groups,
    load_constant_groups,
    load_enum_members,
    load_signatures,
    load_variable_types,
)
from overhaul.gml.context import Context
from overhaul.gml.decompiler.types.facts import InferredTypes, Location
from overhaul.gml.decompiler.types.habits import Fractions
from overhaul.gml.syntax import tree

INSTANCE: Final = "Asset.GMObject|Id.Instance|Constant.All|Constant.Other|Constant.Self"
ABSENT: Final = "Id.Instance"
"""An instance's number: no object's name, but maybe ``noone``."""
BOOLEAN: Final = "Bool"
STRUCT: Final = "Struct"
"""A struct or an instance of a constructor: what is read of it shows no object."""
OR_FALSE: Final = "OrFalse"
"""An alternative to a type: 0 is ``false``, as conditions ask whether there is a value at all."""
NOONE: Final = -4
_ABSENT_TYPES: Final = frozenset((*ASSET_TYPES, "String"))
"""Types whose -4 is no number: what it says is that there is nothing."""
_CHARACTER: Final = "Constant.Character"
_NAMED_TYPES: Final = frozenset((*ASSET_TYPES, BOOLEAN, _CHARACTER))
_KEYWORDS: Final = {-3: "all", -4: "noone"}
"""``self`` and ``other`` never end up as the numbers -1 and -2 where a value stands."""
_LETTER_KEYS: Final = frozenset((*range(48, 58), *range(65, 91)))
"""Keys that are written ``ord("A")``."""
_CHARACTERS: Final = frozenset((33, *_LETTER_KEYS, *range(97, 123)))
"""Characters that are written ``ord("a")`` where a character's number is wanted."""
_REFERENCES: Final = frozenset(ASSET_TYPES.values()) - {"audio_group"}
_SCRIPTS: Final = frozenset(("script",))
_MOST_BITS: Final = 3


@cache
def kind_of(type_name: str) -> str:
    """The one kind of name a type's numbers have; "" where there is none, or more than one."""
    kinds: set[str] = set()
    for part in type_name.split("|"):
        if part in INSTANCE_TYPES:
            kinds.add(INSTANCE)
        elif part in ASSET_TYPES or part == BOOLEAN or part.startswith(("Constant.", "Enum.")):
            kinds.add(part)
    return kinds.pop() if len(kinds) == 1 else ""


@cache
def _builtin_variables() -> tuple[frozenset[str], frozenset[str]]:
    """Names of the built-in variables, and of those that are arrays without an index."""
    variables = load_variables()
    return frozenset(variables), frozenset(n for n, variable in variables.items() if variable.array)


@cache
def _alternatives(type_name: str) -> tuple[str, ...]:
    return tuple(type_name.split("|"))


class TypeNames:
    """The names that the numbers of a type have in one game.

    ``says_self``: whether the game's constructors address their variables with ``self.``;
    ``with_index``: whether its built-in arrays have indices; ``fractions``: how its author writes
    them; ``called``: whether functions are called to read
    lists and maps.
    """

    def __init__(self, context: Context, inferred: InferredTypes) -> None:
        self.context = context
        dialect = context.dialect
        self.inferred: dict[Location, str] = inferred.types
        self.says_self: bool = inferred.says_self
        self.fractions: Fractions = inferred.fractions
        self.called: bool = inferred.called
        self.with_index: bool = inferred.with_index
        self.booleans: bool = not dialect.typed_booleans and not inferred.numbers
        self.v2: bool = dialect.gml_v2
        self.enum_constants: bool = dialect.gms2_or_later and dialect.enums_as_int64
        self.references: frozenset[str] = frozenset()
        """Kinds of assets whose names are no numbers."""
        if dialect.asset_references:
            self.references = _REFERENCES
        elif dialect.gml_v2:
            self.references = _SCRIPTS
        self.groups: dict[str, dict[int | float, str]] = load_constant_groups(
            "gms2" if dialect.gms2_or_later else "gms1"
        )
        self.bits: frozenset[str] = load_bit_groups()
        self.members: dict[str, dict[int, str]] = load_enum_members()
        self.signatures: dict[str, Signature] = load_signatures()
        self.variables: dict[str, str] = load_variable_types()
        self._naming: dict[str, bool] = {}
        names, arrays = _builtin_variables()
        self.builtins: frozenset[str] = names
        self.automatic_arrays: frozenset[str] = arrays

    def builtin_type(self, node: tree.Expression) -> str:
        """The type of a built-in variable or of a built-in function's result; "" for others."""
        if type(node) is tree.Index:
            if node.accessor:
                return self._entry_type([node.object, *node.indices])
            node = node.object
        if type(node) is tree.Name or type(node) is tree.Member:
            return self.variables.get(node.name, "")
        if type(node) is tree.Call and type(node.function) is tree.Name:
            name = node.function.name
            if name == "ds_map_find_value":
                return self._entry_type(node.arguments)
            signature = self.signatures.get(name)
            if signature is not None:
                return signature.result
        return ""

    def _entry_type(self, arguments: Sequence[tree.Expression | None]) -> str:
        """The type of an entry of ``async_load``."""
        if len(arguments) != 2:
            return ""
        map_, entry = arguments
        if not isinstance(map_, tree.Name) or not isinstance(entry, tree.String):
            return ""
        return self.variables.get(f"{map_.name}.{entry.value}", "")

    def is_script(self, name: str) -> bool:
        """Whether a name is one of the game's own functions."""
        if name in self.context.functions:
            return True
        asset = self.context.asset_id(name)
        return asset is not None and asset[0] == "script"

    def name(self, type_name: str, number: int | float) -> tree.Expression | None:
        """The name of a number of this type, or None."""
        for alternative in _alternatives(type_name):
            node = self._name(alternative, number)
            if node is not None:
                return node
        return None

    def may_name(self, type_name: str) -> bool:
        """Whether any number of a type has a name."""
        known = self._naming.get(type_name)
        if known is None:
            tables = (_NAMED_TYPES, _ABSENT_TYPES, INSTANCE_TYPES, self.groups, self.members)
            known = self._naming[type_name] = any(
                alternative in names for alternative in _alternatives(type_name) for names in tables
            )
        return known

    def _name(self, alternative: str, number: int | float) -> tree.Expression | None:
        if alternative == BOOLEAN:
            if self.booleans and number in (0, 1):
                return tree.Boolean(number == 1)
            return None
        if number == NOONE and alternative in _ABSENT_TYPES:
            return tree.Name("noone")
        kind = ASSET_TYPES.get(alternative)
        if kind is not None and isinstance(number, int) and number >= 0:
            if kind in self.references:
                return None
            name = self.context.asset_name(kind, number)
            return self._checked(name, kind, number)
        if alternative in INSTANCE_TYPES and isinstance(number, int):
            if number < 0:
                return tree.Name(_KEYWORDS[number]) if number in _KEYWORDS else None
            if number >= 100000:
                name = self.context.asset_name("room_instance", number)
                return self._checked(name, "room_instance", number)
            return None
        group = self.groups.get(alternative)
        if group is None:
            if alternative == _CHARACTER and number in _CHARACTERS:
                return tree.Call(tree.Name("ord"), [tree.String(chr(int(number)))])
            return self._member(alternative, number)
        name = group.get(number)
        if name is not None:
            return None if name in self.context.asset_ids else tree.Name(name)
        if alternative == "Constant.VirtualKey" and number in _LETTER_KEYS:
            return tree.Call(tree.Name("ord"), [tree.String(chr(int(number)))])
        return _joined(group, number) if alternative in self.bits else None

    def member(self, type_name: str, value: int) -> tree.Expression | None:
        """The member of an enum that is part of the language, for a 64-bit constant."""
        for alternative in _alternatives(type_name):
            node = self._member(alternative, value, True)
            if node is not None:
                return node
        return None

    def _member(
        self, type_name: str, number: int | float, stand_in: bool = False
    ) -> tree.Expression | None:
        """The member of an enum that is part of the language; ``stand_in``: for a constant that
        is a member of some enum."""
        members = self.members.get(type_name)
        own = type_name[5:] in self.context.enums
        if members is None or own or not isinstance(number, int) or not self.v2:
            return None
        if self.enum_constants != stand_in:
            return None
        name = members.get(number)
        return None if name is None else tree.Member(tree.Name(type_name[5:]), name)

    def _checked(self, name: str | None, kind: str, number: int) -> tree.Expression | None:
        """An asset's name, if it means exactly that number."""
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
