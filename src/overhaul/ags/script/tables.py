"""The tables at the end of scripts of version 95 (AGS 4): types, and the script's contents.

``rtti`` describes the types that a script knows, ``sctoc`` its variables and functions.  Both
are a header of offsets, tables of fixed-size entries and a string table, one after another.
Source: AGS 4's ``Common/script/cc_reflect.cpp``; see docs/formats/ags-scripts.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Final

from overhaul.ags.blocks import Block
from overhaul.ags.fields import if_equal, new_reader, record_bytes
from overhaul.ags.script.model import Script
from overhaul.errors import FormatError
from overhaul.schema import Counted, CountedBytes, Record, codec_for, i32, u32


class Location(Record):
    """Where types are declared: a source file."""

    id: u32 = 0
    name: Annotated[u32, "offset in the strings"] = 0
    flags: u32 = 0


class Type(Record):
    """A type."""

    id: u32 = 0
    name: Annotated[u32, "offset in the strings"] = 0
    location: u32 = 0
    parent: u32 = 0
    flags: Annotated[u32, "1 struct, 2 managed, 4 array"] = 0
    size: u32 = 0
    field_count: u32 = 0
    first_field: u32 = 0


class ArrayType(Type):
    """A type, in the newer form that knows arrays."""

    base: u32 = 0
    dimensions: u32 = 0


class TypeField(Record):
    """A field of a struct."""

    offset: u32 = 0
    name: Annotated[u32, "offset in the strings"] = 0
    type: u32 = 0
    flags: Annotated[u32, "1 managed pointer, 2 array"] = 0
    elements: u32 = 0


class TypeTable(Record):
    """Block rtti."""

    format: Annotated[u32, "0, or 4000022"] = 0
    header_size: u32 = 0
    full_size: u32 = 0
    location_size: u32 = 12
    location_offset: u32 = 0
    location_count: u32 = 0
    type_size: u32 = 32
    type_offset: u32 = 0
    type_count: u32 = 0
    field_size: u32 = 20
    field_offset: u32 = 0
    field_count: u32 = 0
    strings_offset: u32 = 0
    strings_size: u32 = 0
    locations: Annotated[list[Location], Counted("location_count")] = []
    types: Annotated[list[Type], Counted("type_count"), if_equal("type_size", 32)] = []
    array_types: Annotated[list[ArrayType], Counted("type_count"), if_equal("type_size", 40)] = []
    fields: Annotated[list[TypeField], Counted("field_count")] = []
    strings: Annotated[bytes, CountedBytes("strings_size")] = b""


class Variable(Record):
    """A variable, global or of a function."""

    offset: i32 = 0
    name: Annotated[u32, "offset in the strings"] = 0
    location: u32 = 0
    scope_begin: u32 = 0
    scope_end: u32 = 0
    flags: Annotated[u32, "1 import, 2 local, 4 parameter"] = 0
    type: u32 = 0
    type_flags: u32 = 0
    elements: u32 = 0


class Function(Record):
    """A function."""

    name: Annotated[u32, "offset in the strings"] = 0
    location: u32 = 0
    scope_begin: u32 = 0
    scope_end: u32 = 0
    type: u32 = 0
    flags: Annotated[u32, "1 import, 2 variadic"] = 0
    return_type: u32 = 0
    return_flags: u32 = 0
    return_elements: u32 = 0
    parameter_count: u32 = 0
    first_parameter: u32 = 0
    local_count: u32 = 0
    first_local: u32 = 0


class Parameter(Record):
    """A function's parameter."""

    offset: i32 = 0
    name: Annotated[u32, "offset in the strings"] = 0
    type: u32 = 0
    flags: u32 = 0
    elements: u32 = 0


class ContentsTable(Record):
    """Block sctoc."""

    format: u32 = 0
    header_size: u32 = 0
    full_size: u32 = 0
    global_size: u32 = 36
    global_offset: u32 = 0
    global_count: u32 = 0
    function_size: u32 = 52
    function_offset: u32 = 0
    function_count: u32 = 0
    parameter_size: u32 = 20
    parameter_offset: u32 = 0
    parameter_count: u32 = 0
    local_size: u32 = 36
    local_offset: u32 = 0
    local_count: u32 = 0
    strings_offset: u32 = 0
    strings_size: u32 = 0
    globals: Annotated[list[Variable], Counted("global_count")] = []
    functions: Annotated[list[Function], Counted("function_count")] = []
    parameters: Annotated[list[Parameter], Counted("parameter_count")] = []
    locals: Annotated[list[Variable], Counted("local_count")] = []
    strings: Annotated[bytes, CountedBytes("strings_size")] = b""


TABLES: Final[dict[str, type[TypeTable] | type[ContentsTable]]] = {
    "rtti": TypeTable,
    "sctoc": ContentsTable,
}


def read_table(block: Block) -> TypeTable | ContentsTable:
    """The table in an extension block of a script.

    Raises FormatError for an unknown block, and for a table whose parts do not follow one another
    in the usual order: its offsets would not follow from its contents.
    """
    record = TABLES.get(str(block.id).casefold())
    if record is None:
        raise FormatError(f"unknown block {block.id!r} of a script")
    table, end = codec_for(record, None).read(block.data, 0, new_reader())
    if end != len(block.data) or write_table(table) != block.data:
        raise FormatError("expected the table's parts to fill it", offset=end)
    names = [name for name in record.__struct_fields__ if name.endswith("_offset")]
    expected = 4 * (record.__struct_fields__.index("strings_size") + 1)
    for name in names:
        part = name.removesuffix("_offset")
        if getattr(table, name) != expected:
            raise FormatError(f"expected it to begin at {expected}", path=name)
        expected += getattr(table, f"{part}_size") * getattr(table, f"{part}_count", 1)
    return table


def unknown_tables(script: Script) -> Iterator[tuple[str, int]]:
    """(id, size) of each extension block of a script that is not understood."""
    for block in script.extensions:
        try:
            read_table(block)
        except FormatError:
            yield str(block.id), len(block.data)


def write_table(table: TypeTable | ContentsTable) -> bytes:
    """The bytes of a table."""
    return record_bytes(table)


@dataclass(frozen=True, slots=True)
class Opcode:
    """An instruction: its name, and its arguments, ``r`` for a register, ``i`` for a literal."""

    number: int
    name: str
    arguments: str
    is_jump: bool = False


_TABLE: Final = (
    "addi ri|subi ri|mov rr|memwritelit ii|ret|movl ri|memread4 r|memwrite4 r|mul rr|div rr|"
    "add rr|sub rr|and rr|or rr|cmpeq rr|cmpne rr|gt rr|lt rr|gte rr|lte rr|land rr|lor rr|"
    "call r|memread1 r|memread2 r|memwrite1 r|memwrite2 r|jzi i|push r|pop r|jmpi i|muli ri|"
    "farcall r|farpush r|farsubsp i|sourceline i|callscr r|thisaddr i|setfuncargs i|mod rr|"
    "xor rr|not r|shl rr|shr rr|callobj r|checkbounds ri|memwrite.ptr r|memread.ptr r|"
    "memwrite.ptr.0|meminit.ptr r|load.sp.offs i|checknull.ptr|faddi ri|fsubi ri|fmul rr|"
    "fdiv rr|fadd rr|fsub rr|fgt rr|flt rr|fgte rr|flte rr|zeromem i|newstring r|streq rr|"
    "strne rr|checknull r|loopcheckoff|memwrite.ptr.0.nd|jnzi i|dynamicbounds r|newarray rii|"
    "newuserobject ri|newuserobject2 rii|newarray2 rii|dynamiccast i"
)

_JUMPS: Final = frozenset({"jzi", "jmpi", "jnzi"})


def _opcodes() -> dict[int, Opcode]:
    opcodes: dict[int, Opcode] = {}
    for number, text in enumerate(_TABLE.split("|"), start=1):
        name, _, arguments = text.partition(" ")
        opcodes[number] = Opcode(number, name, arguments, name in _JUMPS)
    return opcodes


OPCODES: Final = _opcodes()
"""The instructions by number, 1 to 76."""

BY_NAME: Final = {opcode.name: opcode for opcode in OPCODES.values()}
"""The instructions by name."""

DATA, FUNCTION, STRING, IMPORT, DATA_DATA, STACK = 1, 2, 3, 4, 5, 6
"""The types of fixups: what a word that the loader adjusts refers to."""

CODE_FIXUPS: Final = {
    DATA: "@data",
    FUNCTION: "@function",
    STRING: "@string",
    IMPORT: "@import",
    STACK: "@stack",
}
"""The fixups of code words, as assembly names them; DATA_DATA applies to the global data."""

EXPORT_KINDS: Final = {1: "function", 2: "data"}
"""The kinds of exports."""

REGISTERS: Final = {1: "sp", 2: "mar", 3: "ax", 4: "bx", 5: "cx", 6: "op", 7: "dx"}
"""The names of the registers by number."""

REGISTER_NUMBERS: Final = {name: number for number, name in REGISTERS.items()}
"""The numbers of the registers by name."""
