"""FUNC and VARI: functions and variables that code refers to, and locals of code entries."""

from typing import Annotated, ClassVar

from overhaul.gamemaker.data.fields import StringRef
from overhaul.gamemaker.data.version import bytecode
from overhaul.schema import Condition, Counted, Either, Inline, Record, ToEnd, count_of, i32, u32


class Function(Record):
    """A function that code refers to.

    ``chain_end`` is what the last reference to it holds instead of what the rule gives.
    """

    name: StringRef = None
    occurrences: Annotated[u32, "references in code"] = 0
    first_address: Annotated[
        i32, "of the first instruction that refers to it (from 2.3 on + 4); -1 none"
    ] = -1
    chain_end: object = None


class Local(Record):
    """A local variable of a code entry."""

    index: Annotated[u32, "position; from 2.3 on the index of the name in STRG"] = 0
    name: StringRef = None


class CodeLocals(Record):
    """The locals of the root code entry of this name."""

    count: ClassVar[u32] = count_of("locals")
    name: StringRef = None
    locals: Annotated[list[Local], Counted("count")] = []


has_locals: Condition = Condition(
    lambda version: version.bytecode >= 15 and version.number < (2024, 8),
    "bytecode 15 to 2024.6",
)


class FunctionList(Record):
    """All functions, and before 2024.8 the locals of every root entry."""

    functions: Annotated[list[Function], Either(bytecode(15), Inline(), ToEnd(whole=True))] = []
    code_locals: Annotated[list[CodeLocals], Inline(), has_locals] = []


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
