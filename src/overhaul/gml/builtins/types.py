"""The types of the arguments, results and variables of GML: the tables that let numbers become
names.

A type is spelled as in ``functions.tsv`` (``Asset.GMSprite``, ``Constant.Color``, ``Bool``;
alternatives parted by ``|``).  ``argument_types.tsv`` completes that table, ``variable_types.tsv``
has the built-in variables, ``constant_groups.tsv`` the constants each ``Constant`` type means.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import cache
from typing import Final

from overhaul.gml.builtins import load_constants, load_enums, load_functions, table_rows

ASSET_TYPES: Final[dict[str, str]] = {
    "Asset.GMObject": "object", "Asset.GMSprite": "sprite", "Asset.GMSound": "sound",
    "Asset.GMRoom": "room", "Asset.GMTileSet": "background", "Asset.GMPath": "path",
    "Asset.GMScript": "script", "Asset.GMFont": "font", "Asset.GMTimeline": "timeline",
    "Asset.GMShader": "shader", "Asset.GMSequence": "sequence",
    "Asset.GMAnimCurve": "animation_curve", "Asset.GMParticleSystem": "particle_system",
    "Asset.GMAudioGroup": "audio_group",
}  # fmt: skip
"""Type -> asset kind of a Context."""

INSTANCE_TYPES: Final = frozenset(
    ("Asset.GMObject", "Id.Instance", "Constant.All", "Constant.Other", "Constant.Self")
)
"""Types whose small negative numbers are ``noone``, ``all``, ``self`` and ``other``."""


class Signature:
    """Types of a function's parameters and result ("" where unknown)."""

    __slots__ = ("parameters", "repeated", "result")

    def __init__(self, parameters: list[str], result: str) -> None:
        self.repeated: str = ""
        if parameters and parameters[-1].startswith("*"):
            self.repeated = parameters.pop()[1:]
        self.parameters: list[str] = parameters
        self.result: str = result

    def parameter(self, position: int) -> str:
        """The type of a parameter by position."""
        if position < len(self.parameters):
            return self.parameters[position]
        return self.repeated


@cache
def load_signatures() -> dict[str, Signature]:
    """Function -> types, both tables together."""
    out = {
        name: Signature(list(function.parameters), function.result)
        for name, function in load_functions().items()
    }
    for name, *rest in table_rows("argument_types.tsv"):
        before = out.get(name)
        result = rest[1] if len(rest) > 1 else before.result if before is not None else ""
        if rest and rest[0] != "-":
            out[name] = Signature(rest[0].split(",") if rest[0] else [], result)
    return out


@cache
def load_variable_types() -> dict[str, str]:
    """Built-in variable -> type."""
    return dict(table_rows("variable_types.tsv"))


#: sorts after all letters of names
_LAST: Final = "\x7f"


@cache
def load_constant_groups(generation: str) -> dict[str, dict[int | float, str]]:
    """Type -> value -> name, for ``generation`` "gms1" or "gms2"."""
    constants = load_constants()
    places = {name: number for number, name in enumerate(constants)}
    ordered = sorted(constants)
    groups: dict[str, dict[int | float, str]] = {}
    for type_name, names, *_ in table_rows("constant_groups.tsv"):
        group: dict[int | float, str] = {}
        patterns = names.split(",")
        without = tuple(pattern[1:] for pattern in patterns if pattern.startswith("-"))
        for pattern in patterns:
            if pattern.startswith("-"):
                continue
            if pattern.endswith("*"):
                stem = pattern[:-1]
                ends = bisect_left(ordered, stem), bisect_left(ordered, stem + _LAST)
                members = sorted(ordered[slice(*ends)], key=places.__getitem__)
            else:
                members = [pattern] if pattern in constants else []
            for name in members:
                constant = constants[name]
                if constant.generation in ("", generation) and not name.startswith(without or "\0"):
                    group.setdefault(constant.value, name)
        groups[type_name] = group
    return groups


@cache
def load_bit_groups() -> frozenset[str]:
    """The types whose numbers may be several constants joined by ``|``."""
    return frozenset(row[0] for row in table_rows("constant_groups.tsv") if row[2:] == ["bits"])


@cache
def load_enum_members() -> dict[str, dict[int, str]]:
    """Type (``Enum.`` and the name) -> value -> member, of the enums that are part of the language;
    where two members have one value, the first.
    """
    out: dict[str, dict[int, str]] = {}
    for name, members in load_enums().items():
        group = out[f"Enum.{name}"] = {}
        for member, value in members.items():
            group.setdefault(value, member)
    return out
