"""Kinds of names that numbers have: types as the tables of built-ins spell them."""

from __future__ import annotations

from functools import cache
from typing import Final

from overhaul.gml.builtins.types import ASSET_TYPES, INSTANCE_TYPES

INSTANCE: Final = "Asset.GMObject|Id.Instance|Constant.All|Constant.Other|Constant.Self"
ABSENT: Final = "Id.Instance"
"""An instance's number: no object's name, but maybe ``noone``."""
BOOLEAN: Final = "Bool"
OR_FALSE: Final = "OrFalse"
"""An alternative to a type: 0 is ``false``, as conditions ask whether there is a value at all."""
NOONE: Final = -4


@cache
def kind_of(type_name: str) -> str:
    """The one kind of name a type's numbers have; "" where there is none, or more than one."""
    kinds: set[str] = set()
    for each in type_name.split("|"):
        if each in INSTANCE_TYPES:
            kinds.add(INSTANCE)
        elif each in ASSET_TYPES or each == BOOLEAN or each.startswith(("Constant.", "Enum.")):
            kinds.add(each)
    return kinds.pop() if len(kinds) == 1 else ""
