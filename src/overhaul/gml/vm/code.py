"""Symbolic code: instructions that name what they refer to.

An instruction's operand is a name (of a variable, a function, an asset) or a constant, never a
position in a file.  Turning names into words is linking (``vm.linking``), which a game does.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Final, NamedTuple

import msgspec

from overhaul.errors import EncodeError
from overhaul.gml.context import ChangedLiteral, UnknownName
from overhaul.gml.dialect import Dialect
from overhaul.gml.vm.opcodes import (
    MNEMONICS,
    WORDS,
    Opcode,
    instruction_words,
)


class Variable(NamedTuple):
    """A variable record of a game.  ``scope`` is the record's instance type: -1 self (and every
    built-in), -5 global, -6 argument, -7 local, -16 static.  Locals are per root code entry.

    Bytecode 13 and 14 records carry no type: there ``scope`` is -7 or -5 where a normal reference
    says local or global, and -1 otherwise.
    """

    name: str
    scope: int


class VariableReference(NamedTuple):
    """A variable operand: the record (``name``, ``scope``) and how its instance is found
    (``kind``: a ReferenceType)."""

    name: str
    scope: int
    kind: int

    @property
    def variable(self) -> Variable:
        """The record this operand refers to."""
        return Variable(self.name, self.scope)


class FunctionReference(NamedTuple):
    """A function operand: a function record's name (a script's code entry name in 2.3+)."""

    name: str


class AssetReference(NamedTuple):
    """The operand of a ``pushref`` that names an asset.

    ``kind`` is a :class:`~overhaul.gml.context.Context` asset kind, or ``type_N`` for a type number
    that has no meaning in the game's release.
    """

    kind: str
    index: int  # type: ignore[assignment]


class RawDouble(float):
    """A double whose bits a plain float cannot keep (a NaN with payload); compares by bits."""

    bits: int

    def __new__(cls, bits: int) -> RawDouble:
        self = super().__new__(cls, struct.unpack("<d", struct.pack("<Q", bits))[0])
        self.bits = bits
        return self

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RawDouble) and other.bits == self.bits

    def __hash__(self) -> int:
        return hash(self.bits)

    def __reduce__(self) -> tuple[type[RawDouble], tuple[int]]:
        return RawDouble, (self.bits,)


class StringReference(str):
    """A string operand that is not the first of its content in the game's string table:
    ``number`` says which.  Equal to a plain string of the same content."""

    number: int

    def __new__(cls, text: str, number: int) -> StringReference:
        self = super().__new__(cls, text)
        self.number = number
        return self

    def __reduce__(self) -> tuple[type[StringReference], tuple[str, int]]:
        return StringReference, (str(self), self.number)


class LocalName(str):
    """A name of the code locals list, with the numbers that assembly text shows: its ``number``
    in that list, and the position in VARI of the ``record`` that the code refers to."""

    number: int
    record: int | None

    def __new__(cls, name: str, number: int, record: int | None = None) -> LocalName:
        self = super().__new__(cls, name)
        self.number = number
        self.record = record
        return self

    def __reduce__(self) -> tuple[type[LocalName], tuple[str, int, int | None]]:
        return LocalName, (str(self), self.number, self.record)


Operand = None | int | float | str | VariableReference | FunctionReference | AssetReference


def double_from_bits(raw: int) -> Operand:
    """The double of 64 raw bits (signed or not); a RawDouble where a float would lose some."""
    value: float = struct.unpack("<d", struct.pack("<Q", raw & 0xFFFFFFFFFFFFFFFF))[0]
    return value if value == value else RawDouble(raw & 0xFFFFFFFFFFFFFFFF)


def bits_from_double(value: float) -> int:
    """The raw bits of a double as a signed 64-bit number."""
    if isinstance(value, RawDouble):
        return value.bits - (value.bits >> 63 << 64)
    bits: int = struct.unpack("<q", struct.pack("<d", value))[0]
    return bits


class Instruction(msgspec.Struct, gc=False):
    """One instruction.

    ``value`` is the 16-bit low part, signed, where the instruction has one: the number of a pushi
    or push.e, the instance type of a variable access, the argument count of a call, the size word
    of a dup, the number of an extended operation.  ``cmp``: the Comparison.  Branches: the distance
    in 32-bit words from this instruction, signed (``POPENV_DROP`` for that form of popenv).

    ``operand``: push.d a float (:class:`RawDouble` for NaN); push.i and push.l an int; push.s a
    str (bytes that are not UTF-8 as surrogate escapes); a variable access a VariableReference; a
    call a FunctionReference; push.i that names something a FunctionReference or VariableReference;
    pushref an AssetReference or a FunctionReference; push.f its raw 32 bits as an int.  Else None.

    Games have millions of these, and none can be part of a cycle: the collector need not know.
    ``opcode``, and ``type1`` and ``type2``, the types of its operands, are the numbers in the file.
    """

    opcode: int
    type1: int = 0
    type2: int = 0
    value: int = 0
    operand: Operand = None

    @property
    def size(self) -> int:
        """The length in words."""
        return instruction_words(self.opcode, self.type1)

    def key(self) -> tuple[int, int, int, int, Operand]:
        """All fields as a tuple."""
        return self.opcode, self.type1, self.type2, self.value, self.operand

    def __repr__(self) -> str:
        name = MNEMONICS.get(self.opcode, f"{self.opcode:#x}")
        operand = "" if self.operand is None else f", {self.operand!r}"
        return f"Instruction({name}, {self.type1}, {self.type2}, {self.value}{operand})"

    def copy(self) -> Instruction:
        """A new instruction with the same fields."""
        return Instruction(self.opcode, self.type1, self.type2, self.value, self.operand)


class Child(msgspec.Struct, gc=False):
    """A function or struct literal inside a root's code: where it begins, in bytes."""

    name: str
    offset: int
    locals_count: int = 0
    arguments_count: int = 0

    @property
    def locals(self) -> int:
        """The number of the function's local variables."""
        return self.locals_count

    @property
    def arguments(self) -> int:
        """The number of the function's named parameters."""
        return self.arguments_count


class Code:
    """A root code entry with its children, in the order of the CODE list.

    ``arguments_count`` is the raw 16-bit word.  ``local_names`` is the entry's code locals list in
    order, ``[]`` where the game's version keeps none.  ``dialect`` is that of the game or context
    the code was made for, if any.  ``linker`` is installed by a game: it turns the code into that
    game's bytes.  ``unknown`` are the names in its source that mean nothing, and other warnings.
    ``name`` is that of the entry, ``instructions`` are those of the root and its children, in
    order; ``locals_count`` is the number of local variables that the file states.
    """

    __slots__ = (
        "arguments_count", "children", "dialect", "instructions", "known_offsets", "linker",
        "local_names", "locals_count", "name", "unknown",
    )  # fmt: skip

    def __init__(
        self,
        name: str = "",
        instructions: list[Instruction] | None = None,
        children: list[Child] | None = None,
        locals_count: int = 0,
        arguments_count: int = 0,
        local_names: list[str] | None = None,
    ) -> None:
        self.name: str = name
        self.instructions: list[Instruction] = [] if instructions is None else instructions
        self.children: list[Child] = [] if children is None else children
        self.locals_count: int = locals_count
        self.arguments_count: int = arguments_count
        self.local_names: list[str] = [] if local_names is None else local_names
        self.dialect: Dialect | None = None
        self.linker: Callable[[Code], bytes] | None = None
        self.unknown: list[UnknownName | ChangedLiteral] = []
        #: the result of :meth:`offsets`, of code that nobody changes
        self.known_offsets: list[int] | None = None

    def offsets(self) -> list[int]:
        """The byte offset of each instruction."""
        if self.known_offsets is not None:
            return list(self.known_offsets)
        words = WORDS
        sizes = [
            4 * words[instruction.opcode << 4 | instruction.type1]
            for instruction in self.instructions
        ]
        return list(accumulate(sizes[:-1], initial=0)) if sizes else []

    def __len__(self) -> int:
        words = WORDS
        return 4 * sum(
            [
                words[instruction.opcode << 4 | instruction.type1]
                for instruction in self.instructions
            ]
        )

    def __bool__(self) -> bool:
        return True

    def to_bytes(self) -> bytes:
        """The words of a game.

        Raises EncodeError where the code belongs to no game, or names what the game can't resolve.
        """
        if self.linker is None:
            raise EncodeError("the code is not linked to a game", path=self.name)
        return self.linker(self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Code):
            return NotImplemented
        return (
            self.instructions == other.instructions
            and self.children == other.children
            and self.locals_count == other.locals_count
            and self.arguments_count == other.arguments_count
            and self.local_names == other.local_names
        )

    def __repr__(self) -> str:
        return (
            f"<Code {self.name!r}: {len(self.instructions)} instructions, "
            f"{len(self.children)} children>"
        )


_B = int(Opcode.B)
_STRUCT: Final = re.compile(r"gml_Script_(?:\w+_(?=___struct___\d+@))?___struct___(\d+)")
_ANONYMOUS: Final = re.compile(r"gml_Script_(?:anon_|(?:\w+_)?anon@|(\w+)@anon@\d)")


def struct_number(name: str) -> int:
    """The number in the name of a struct literal's entry, -1 for other entries.

    In the code of a library package (2024.11 and later) the package's name stands before it.
    """
    match = _STRUCT.match(name) if "___struct___" in name else None
    return -1 if match is None else int(match[1])


def is_anonymous(name: str) -> bool:
    """Whether an entry is a function without a name of its own."""
    return _ANONYMOUS.match(name) is not None


def child_ends(instructions: Sequence[Instruction], children: Sequence[Child]) -> list[int]:
    """The byte offset where each child's code ends: the target of the ``b`` before it, or the end
    of the code where there is none."""
    if not children:
        return []
    wanted = {child.offset for child in children}
    ends: dict[int, int] = {}
    at = 0
    for instruction in instructions:
        opcode = instruction.opcode
        after = at + 4 * WORDS[opcode << 4 | instruction.type1]
        if opcode == _B and after in wanted:
            target = at + 4 * instruction.value
            if target > after:
                ends[after] = target
        at = after
    return [ends.get(child.offset, at) for child in children]


def listed_order(children: Sequence[Child], ends: Sequence[int]) -> list[Child]:
    """The children in the order of the CODE list, by where their bodies end."""
    order = sorted(range(len(children)), key=lambda at: (ends[at], -children[at].offset, at))
    return [children[at] for at in order]
