"""SCPT, GLOB and GMEN: scripts, from 2.3 on every function, and lists of code entries."""

from typing import Annotated, NamedTuple

from overhaul.errors import EncodeError
from overhaul.gamemaker.data.fields import CodeRef, Referred, StringRef
from overhaul.schema import Buffer, Inline, Pointers, Reader, Record, Scheme, VariableCodec, Writer
from overhaul.schema.streams import U32

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
