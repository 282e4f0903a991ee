"""The built-in names of GML: functions, variables and constants, read from the tables next to
this file.

The tables are data (each names its sources); a game that uses a name they lack still works, since
the Context of a game has the names that its code uses.
"""

from __future__ import annotations

import os.path
import re
from functools import cache
from typing import NamedTuple

#: types that GameMaker: Studio 1 does not have, where other types may stand instead
_GMS2_TYPE = re.compile(r"\*?(Array\[)?(Id\.TileMapElement|Struct\b|Function\b)")
#: the types that only functions of GameMaker Studio 2 take or give, whatever may replace them
_GMS2_ONLY = re.compile(
    r"\bId\.(Layer|TileElement|(Text|Sequence|Background|Sprite|Particle)Element|Camera|Dbg|TimeS)"
    r"|\bEnum\.flexpanel|\bPointer\.(FlexpanelNode|DbgControl|View|Section)"
    r"|\bAsset\.GM(Sequence|TileSet|ParticleSystem|AnimCurve)"
)


class BuiltinFunction(NamedTuple):
    """A function of the runner. ``maximum`` -1: any number of arguments.

    ``parameters`` are the types as the source spells them (``Asset.GMSprite``, ``Real`` ...),
    alternatives parted by ``|``, a repeated last one after ``*``; empty where they are not known.
    """

    name: str
    minimum: int
    maximum: int
    parameters: tuple[str, ...]
    result: str

    @property
    def generation(self) -> str:
        """ "gms1" or "gms2" where only that one has it, as far as its types show; else "".

        Types of GameMaker Studio 2 count where they are of the result or of an argument that has to
        be given: others were added to functions that are older.  No game of the corpus calls one of
        the other generation (80 of GameMaker Studio 2, 32 of GameMaker: Studio 1).
        """
        if not self.parameters and not self.result and self.maximum >= 0:
            return "gms1"  # from its manual
        required = (*self.parameters[: self.minimum], self.result)
        return "gms2" if any(map(_is_of_gms2, required)) else ""


@cache
def _is_of_gms2(types: str) -> bool:
    """Whether no function of GameMaker: Studio 1 has these types, alternatives parted by ``|``."""
    if _GMS2_ONLY.search(types):
        return True
    return bool(types) and all(map(_GMS2_TYPE.match, types.split("|")))


class BuiltinVariable(NamedTuple):
    """A variable of the runner: of every instance, or global; ``array``: without an index, index
    0 is meant.
    """

    name: str
    is_global: bool
    readonly: bool
    array: bool


class BuiltinConstant(NamedTuple):
    """A named number; ``generation`` is "gms1" or "gms2" where only one has it, else ""."""

    name: str
    value: int | float
    generation: str


def table_rows(file: str) -> list[list[str]]:
    """The fields of each line of a table next to this file, comments left out."""
    with open(os.path.join(os.path.dirname(__file__), file), encoding="utf-8") as stream:
        text = stream.read()
    return [line.split("\t") for line in text.splitlines() if line and line[0] != "#"]


@cache
def load_functions() -> dict[str, BuiltinFunction]:
    """Name -> function."""
    out = {}
    for name, minimum, maximum, *rest in table_rows("functions.tsv"):
        types = tuple(rest[0].split(",")) if rest and rest[0] else ()
        out[name] = BuiltinFunction(
            name, int(minimum), int(maximum), types, rest[1] if len(rest) > 1 else ""
        )
    return out


@cache
def load_parameters() -> dict[str, tuple[str, ...]]:
    """Function -> the names of its parameters; the last ones may stand for any number, and have
    none."""
    out = {}
    for name, names in table_rows("parameters.tsv"):
        out[name] = tuple(own for own in names.split(",") if own != "...")
    return out


@cache
def load_classic_functions() -> frozenset[str]:
    """The functions that only Game Maker 5 to 8.1 have."""
    return frozenset(row[0] for row in table_rows("classic_functions.tsv"))


@cache
def load_variables() -> dict[str, BuiltinVariable]:
    """Name -> variable."""
    out = {}
    for name, whose, *rest in table_rows("variables.tsv"):
        flags = rest[0] if rest else ""
        out[name] = BuiltinVariable(name, whose == "global", "r" in flags, "a" in flags)
    return out


@cache
def load_constants() -> dict[str, BuiltinConstant]:
    """Name -> constant (``self``, ``true``, ``undefined`` and their like are part of the
    language).
    """
    out = {}
    for name, value, *rest in table_rows("constants.tsv"):
        number = float(value) if "." in value else int(value)
        out[name] = BuiltinConstant(name, number, rest[0] if rest else "")
    return out


@cache
def load_enums() -> dict[str, dict[str, int]]:
    """Enum -> member -> value, of the enums that are part of the language."""
    out: dict[str, dict[str, int]] = {}
    for name, member, value in table_rows("enums.tsv"):
        out.setdefault(name, {})[member] = int(value)
    return out
