"""VARI: variables and where code refers to them."""

from __future__ import annotations

from typing import Annotated

from overhaul.gamemaker.data.fields import StringRef
from overhaul.gamemaker.data.version import bytecode
from overhaul.schema import Condition, Record, ToEnd, i32, u32

new: Condition = bytecode(15)


class Variable(Record):
    """A variable.

    ``chain_end`` is what the last reference to it holds instead of the index of its name in
    STRG, None where it is that index.
    """

    name: StringRef = None
    instance_type: Annotated[i32, new, "-1 self, -5 global, -7 local, -16 static, -6 built in"] = -1
    id: Annotated[i32, new, "-6 built in; else its number or, of locals from 2.3, STRG index"] = 0
    occurrences: Annotated[u32, "references in code"] = 0
    first_address: Annotated[i32, "of the first instruction that refers to it; -1 none"] = -1
    chain_end: object = None


class VariableList(Record):
    """All variables."""

    globals_count: Annotated[u32, new, "highest id + 1 (bytecode 15: of global variables)"] = 0
    instance_count: Annotated[u32, new, "highest id + 1 (bytecode 15: of self variables)"] = 0
    max_locals: Annotated[u32, new, "longest list of locals, or more"] = 0
    variables: Annotated[list[Variable], ToEnd(whole=True)] = []
