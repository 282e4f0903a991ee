"""FUNC, VARI and SCPT: functions, variables and scripts; GLOB and GMEN: lists of code entries."""

from typing import TYPE_CHECKING, Annotated, ClassVar, NamedTuple

from overhaul.errors import EncodeError
from overhaul.gamemaker.data.fields import CodeRef, Referred, StringRef
from overhaul.gamemaker.data.version import bytecode
from overhaul.schema import (
    Buffer,
    Condition,
    Counted,
    Either,
    Inline,
    Pointers,
    Reader,
    Record,
    Scheme,
    ToEnd,
    VariableCodec,
    Writer,
    count_of,
    i32,
    u32,
)
from overhaul.schema.streams import U32

if TYPE_CHECKING:
    from overhaul.schema.outline import Outline
    from overhaul.schema.outlining import Outliner, SlotOf


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


NO_CODE = 0xFFFFFFFF
CONSTRUCTOR = 0x80000000


class ScriptCode(NamedTuple):
    """The code entry of a script, and whether it is a constructor (2.3+)."""

    entry: Referred = None
    constructor: bool = False


class ScriptCodeField(VariableCodec[ScriptCode]):
    """The index of a code entry with bit 31 as the constructor mark; all bits set: no code."""

    minimum = 4

    def type_name(self) -> str:
        return "u32: code entry, bit 31 constructor"

    def outline(self, outliner: "Outliner", slot_of: "SlotOf") -> "Outline":
        return ("fixed", 4, (), ())

    def read(self, data: Buffer, position: int, reader: Reader) -> tuple[ScriptCode, int]:
        reader.take(data, position, 4)
        (word,) = U32.unpack_from(data, position)
        if word == NO_CODE:
            return ScriptCode(), position + 4
        entry = reader.tables["CODE"][word & 0x7FFFFFFF]
        return ScriptCode(entry, word >= CONSTRUCTOR), position + 4

    def write(self, writer: Writer, value: ScriptCode) -> None:
        number = writer.encoders["CODE"](value.entry)
        if number < 0:
            writer.out += U32.pack(NO_CODE)
        elif number >= CONSTRUCTOR:
            raise EncodeError(f"{number} is not an index of a code entry")
        else:
            writer.out += U32.pack(number | (CONSTRUCTOR if value.constructor else 0))

    def to_jsonable(self, value: ScriptCode, scheme: Scheme) -> object:
        entry = scheme.show["CODE"](value.entry)
        return {"constructor": entry} if value.constructor else entry

    def from_jsonable(self, value: object, scheme: Scheme) -> ScriptCode:
        constructor = isinstance(value, dict)
        entry = value.get("constructor") if isinstance(value, dict) else value
        return ScriptCode(scheme.read["CODE"](entry), constructor)


class Script(Record):
    """A script, or from 2.3 on a function."""

    name: StringRef = None
    code: Annotated[ScriptCode, ScriptCodeField()] = ScriptCode()


class ScriptList(Record):
    """All scripts."""

    scripts: Annotated[list[Script], Pointers()] = []


class CodeList(Record):
    """Code entries, run in this order."""

    code: Annotated[list[CodeRef], Inline()] = []
