"""Assembly text to symbolic code: the inverse of the disassembler, and more forgiving."""

from __future__ import annotations

import re
from typing import Final

from overhaul.gml.context import ASSET_KINDS, Context, asset_types
from overhaul.gml.dialect import Dialect
from overhaul.gml.errors import SyntaxError_
from overhaul.gml.vm.code import (
    AssetReference,
    Child,
    Code,
    FunctionReference,
    Instruction,
    LocalName,
    Operand,
    StringReference,
    VariableReference,
    child_ends,
    listed_order,
)
from overhaul.gml.vm.opcodes import (
    BRANCHES,
    MNEMONICS,
    POPENV_DROP,
    PUSHES,
    TWO_TYPES,
    WORDS,
    DataType,
    InstanceType,
    Opcode,
    ReferenceType,
    dup_value,
)
from overhaul.gml.vm.registration import root_counts
from overhaul.gml.vm.text import (
    COMMENT,
    COMPARISONS,
    EXTENDED,
    TYPES,
    implied_scope,
    read_double,
    read_integer,
    read_name,
    read_variable,
    unquote,
)

MAX_ERRORS: Final = 100
MEMO_LIMIT: Final = 1 << 16

_OPCODES: Final = {name: opcode for opcode, name in MNEMONICS.items()}
_MNEMONIC = re.compile(r"([A-Za-z]+)(?:\.([A-Za-z]))?(?:\.([A-Za-z]))?(?:\{(-?\d+)\})?\Z")
_CHILD = re.compile(r"> *(.*?) *\(locals=(\d+), *arg[cs]=(\d+)(.*)\)\Z", re.DOTALL)
_CHILD_EXTRA = re.compile(r", *(order|offset)=(\d+)")
_LOCAL = re.compile(r"\.localvar +(-?\d+) +(.*?)(?: +(-?\d+))?\Z", re.DOTALL)
_CALL = re.compile(r"(.*)\( *arg[cs] *= *(-?\d+) *\)\Z", re.DOTALL)
_LABEL = re.compile(r":\[(.+)\]\Z")
_TARGET = re.compile(r"\[(.+)\]\Z")
_KINDS: Final = {kind.replace("_", ""): kind for kind in ASSET_KINDS} | {
    "animcurve": "animation_curve", "tileset": "background",
}  # fmt: skip

Row = tuple[int, int, int, int, Operand]
_memo: dict[str, Row] = {}
"""Line -> instruction, for lines that mean the same in every game."""


class _Problem(Exception):
    """A fault of an operand; ``at`` is where in the operand's text."""

    def __init__(self, message: str, at: int = 0) -> None:
        super().__init__(message)
        self.at = at


def assemble(
    text: str, context: Context | Dialect | None = None, *, swaps_in_values: bool = False
) -> Code:
    """Assemble the text of a root code entry with its children.

    ``context`` resolves names of assets and gives the dialect.  ``swaps_in_values``: the second
    number of a dup counts values (as some tools write it), not the bits of the instruction.  The
    root's own counts are not in the text: they are derived.  Raises SyntaxError_ with line and
    column; its ``errors`` holds up to 100 errors.
    """
    reader = _AssemblyReader(context, 8 if swaps_in_values else 1)
    reader.read(text.split("\n"))
    return reader.finish()


class _AssemblyReader:
    def __init__(self, context: Context | Dialect | None, swap_unit: int) -> None:
        self.context: Context | None = None
        if isinstance(context, Dialect):
            self.dialect = context
        elif context is None:
            self.dialect = Dialect()
        else:
            self.context = context
            self.dialect = context.dialect
        self.swap_unit = swap_unit
        self.instructions: list[Instruction] = []
        self.children: list[tuple[int | None, Child]] = []
        self.local_names: list[str] = []
        self.labels: dict[str, int] = {}
        self.jumps: list[tuple[int, int, str, int, int]] = []
        self.at = 0
        self.number = 0
        self.errors: list[SyntaxError_] = []
        if len(_memo) > MEMO_LIMIT:
            _memo.clear()

    # -- lines -----------------------------------------------------------------------------------

    def read(self, lines: list[str]) -> None:
        """Read all lines."""
        append = self.instructions.append
        memo = _memo
        for number, line in enumerate(lines, 1):
            row = memo.get(line)
            if row is None:
                if line:
                    self.line(number, line)
            else:
                append(Instruction(*row))
                self.at += WORDS[row[0] << 4 | row[1]]

    def line(self, number: int, line: str) -> None:
        """Read one line."""
        stripped = line.strip()
        self.number = number
        if COMMENT in stripped:
            stripped = _without_comment(stripped)
        if not stripped or stripped[0] in ";#":
            return
        column = len(line) - len(line.lstrip())
        try:
            if stripped[0] == ":":
                self.label(stripped)
            elif stripped[0] == ">":
                self.child(stripped)
            elif stripped[0] == ".":
                self.local(stripped)
            else:
                self.instruction(line, stripped, column)
        except _Problem as problem:
            self.error(str(problem), number, column + problem.at + 1)

    def error(self, message: str, line: int, column: int) -> None:
        """Note an error; raise when there are too many."""
        self.errors.append(SyntaxError_(message, line, column))
        if len(self.errors) >= MAX_ERRORS:
            self.fail()

    def fail(self) -> None:
        """Raise the first error, with all of them in it."""
        first = self.errors[0]
        raise SyntaxError_(first.message, first.line, first.column, errors=self.errors)

    def label(self, text: str) -> None:
        match = _LABEL.match(text)
        if match is None:
            raise _Problem("expected a label such as :[name]")
        if match[1] in self.labels:
            raise _Problem(f"the label [{match[1]}] is defined twice")
        self.labels[match[1]] = self.at

    def child(self, text: str) -> None:
        match = _CHILD.match(text)
        if match is None:
            raise _Problem("expected > name (locals=N, argc=N)")
        extra = {key: int(value) for key, value in _CHILD_EXTRA.findall(match[4])}
        counts = int(match[2]), int(match[3])
        if max(counts) > 0xFFFF:
            raise _Problem("a count does not fit 16 bits")
        child = Child(read_name(match[1]), extra.get("offset", 4 * self.at), *counts)
        self.children.append((extra.get("order"), child))

    def local(self, text: str) -> None:
        match = _LOCAL.match(text)
        if match is None:
            raise _Problem("expected .localvar INDEX NAME")
        name, number = read_name(match[2]), int(match[1])
        record = None if match[3] is None else int(match[3])
        plain = record is None and number == len(self.local_names)
        self.local_names.append(name if plain else LocalName(name, number, record))

    def add(self, opcode: int, type1: int, type2: int, value: int, operand: Operand) -> None:
        self.instructions.append(Instruction(opcode, type1, type2, value, operand))
        self.at += WORDS[opcode << 4 | type1]

    def instruction(self, line: str, text: str, column: int) -> None:
        head, _, rest = text.partition(" ")
        operand = rest.lstrip()
        start = len(text) - len(operand)
        opcode, type1, type2, value = self.mnemonic(head)
        try:
            if opcode in BRANCHES:
                self.branch(opcode, operand, column + start + 1)
                return
            row, keep = self.operands(opcode, type1, type2, value, operand)
        except _Problem as problem:
            raise _Problem(str(problem), start + problem.at) from None
        except (ValueError, OverflowError) as error:
            raise _Problem(_number_message(error, operand), start) from None
        if keep and self.swap_unit == 1:
            _memo[line] = row
        self.add(*row)

    def mnemonic(self, head: str) -> tuple[int, int, int, int]:
        """(opcode, type1, type2, value) of ``add.i.v{value}``."""
        match = _MNEMONIC.match(head)
        if match is None:
            raise _Problem(f"not an instruction: {head!r}")
        name = match[1].lower()
        value = int(match[4] or 0)
        opcode = _OPCODES.get(name)
        if opcode is None:
            if name not in EXTENDED:
                raise _Problem(f"unknown instruction {name!r}")
            opcode = int(Opcode.BREAK)
            value = EXTENDED[name]
        letters = [letter.lower() for letter in match.group(2, 3) if letter]
        types = []
        for letter in letters:
            if letter not in TYPES:
                raise _Problem(f"unknown type {letter!r}", head.find("." + letter) + 1)
            types.append(TYPES[letter])
        if opcode in BRANCHES:
            if types:
                raise _Problem(f"{name} has no type")
            types = [0]
        elif not types or (len(types) == 1 and (opcode in TWO_TYPES or opcode == Opcode.POP)):
            raise _Problem(f"{name} needs {'a type' if not types else 'two types'}")
        if not -0x8000 <= value < 0x8000:
            raise _Problem(f"{value} does not fit 16 bits")
        return opcode, types[0], types[1] if len(types) > 1 else 0, value

    def branch(self, opcode: int, operand: str, column: int) -> None:
        value = 0
        target = _TARGET.match(operand)
        if target is not None:
            self.jumps.append((len(self.instructions), self.at, target[1], self.number, column))
        elif operand.startswith("$"):
            value = read_integer(operand[1:].replace("+", ""), 24)
        elif opcode == Opcode.POPENV and operand.lower() == "<drop>":
            value = POPENV_DROP
        else:
            raise _Problem("expected [label] or $words")
        self.add(opcode, 0, 0, value, None)

    # -- operands --------------------------------------------------------------------------------

    def operands(
        self, opcode: int, type1: int, type2: int, value: int, text: str
    ) -> tuple[Row, bool]:
        """The instruction, and whether its line means the same everywhere."""
        if opcode == Opcode.BREAK:
            return self.extended(type1, type2, value, text)
        if opcode in PUSHES or opcode == Opcode.PUSHI:
            return self.push(opcode, type1, type2, value, text)
        if opcode == Opcode.CALL:
            name, count = _call(text)
            return (opcode, type1, type2, count, FunctionReference(read_name(name))), True
        if opcode == Opcode.POP and type1 != DataType.INT16:
            return (opcode, type1, type2, *_pop(type1, value, text)), True
        if opcode == Opcode.CMP:
            kind = COMPARISONS.get(text.upper())
            value = read_integer(text, 8) & 0xFF if kind is None else kind
        elif opcode == Opcode.DUP:
            value = self.dup(text)
        elif opcode in (Opcode.CALLV, Opcode.POP):
            value = read_integer(text, 16)
        elif text:
            raise _Problem("unexpected text after the instruction")
        return (opcode, type1, type2, value, None), True

    def dup(self, text: str) -> int:
        if text.startswith("$"):
            return read_integer("0x" + text[1:], 16)
        size, _, swap = text.partition(" ")
        amount = int(size)
        if not swap:
            number = None
        else:
            number = int(swap) * self.swap_unit
            if not 0 <= number < 0x80:
                raise ValueError(f"{swap.strip()} is not in 0…127")
        if not 0 <= amount < 0x100:
            raise ValueError(f"{size} is not in 0…255")
        return dup_value(amount, number)

    def push(self, opcode: int, type1: int, type2: int, value: int, text: str) -> tuple[Row, bool]:
        operand: Operand = None
        keep = True
        if opcode == Opcode.PUSHI or type1 == DataType.INT16:
            value, keep = self.integer(text, 16)
        elif type1 == DataType.VARIABLE:
            value, operand = read_variable(text)
        elif type1 == DataType.STRING:
            operand, keep = self.string(text), False
        elif type1 == DataType.DOUBLE:
            operand = read_double(text)
        elif type1 == DataType.INT32 and text.startswith("["):
            operand = _reference(text)
        else:
            operand, keep = self.integer(text, 64 if type1 == DataType.INT64 else 32)
            if type1 in (DataType.FLOAT, DataType.BOOLEAN):
                operand &= 0xFFFFFFFF
        return (opcode, type1, type2, value, operand), keep

    def string(self, text: str) -> str:
        """``"text"``, ``"text"@41`` or ``@41`` (the text that the game has there)."""
        if text.startswith("@"):
            number = int(text[1:])
            strings = self.context.strings if self.context else ()
            if not 0 <= number < len(strings):
                raise _Problem(f"there is no string number {number}")
            return StringReference(strings[number], number)
        quoted = unquote(text)
        if quoted is None:
            raise _Problem("expected a string in quotes")
        content, rest = quoted
        if not rest:
            return content
        if not re.match(r"@\d{1,9}\Z", rest):
            raise _Problem("unexpected text after the string", len(text) - len(rest))
        return StringReference(content, int(rest[1:]))

    def integer(self, text: str, bits: int) -> tuple[int, bool]:
        """A number, or the index of the asset that is called so."""
        try:
            return read_integer(text, bits), True
        except ValueError:
            asset = self.context.asset_id(read_name(text)) if self.context and text else None
            if asset is None:
                raise
            return asset[1], False

    def extended(self, type1: int, type2: int, value: int, text: str) -> tuple[Row, bool]:
        opcode = int(Opcode.BREAK)
        if not value:
            number, _, text = text.partition(" ")
            value = read_integer(number, 16)
            text = text.lstrip()
        if type1 != DataType.INT32:
            if text:
                raise _Problem("unexpected text after the instruction")
            return (opcode, type1, type2, value, None), True
        return (opcode, type1, type2, value, self.reference(text)), False

    def reference(self, text: str) -> AssetReference | FunctionReference:
        """The operand of a pushref: type and index in one number, ``3 sprite``, or a name."""
        types = asset_types(self.dialect)
        if re.match(r"-?\d+\Z", text):
            raw = read_integer(text, 32) & 0xFFFFFFFF
            number = raw >> 24
            return AssetReference(types.get(number, f"type_{number}"), raw & 0xFFFFFF)
        index, _, kind = text.partition(" ")
        word = _KINDS.get(kind.strip().lower().replace("_", ""))
        if index.isdecimal() and word is not None:
            if int(index) > 0xFFFFFF:
                raise ValueError(f"{index} does not fit 24 bits")
            return AssetReference(word, int(index))
        name = read_name(text.removeprefix("[function]"))
        if not name:
            raise _Problem("pushref needs an asset or a function")
        asset = self.context.asset_id(name) if self.context else None
        if asset is not None and asset[0] != "script":
            return AssetReference(*asset)
        return FunctionReference(name)

    # -- the end ---------------------------------------------------------------------------------

    def finish(self) -> Code:
        """Resolve labels and put the code together."""
        self.labels.setdefault("end", self.at)
        for row, at, label, line, column in self.jumps:
            target = self.labels.get(label)
            if target is None:
                self.error(f"there is no label [{label}]", line, column)
            elif not -(1 << 22) <= target - at < 1 << 22:
                self.error(f"the label [{label}] is too far away", line, column)
            else:
                self.instructions[row].value = target - at
        if self.errors:
            self.fail()
        code = Code("", self.instructions, self.ordered_children(), local_names=self.local_names)
        code.dialect = self.dialect
        code.locals_count, code.arguments_count = root_counts(code, self.dialect)
        return code

    def ordered_children(self) -> list[Child]:
        """The children in the order of the CODE list."""
        children = [child for _, child in self.children]
        if any(order is not None for order, _ in self.children):
            ranked = sorted(
                self.children, key=lambda item: len(children) if item[0] is None else item[0]
            )
            return [child for _, child in ranked]
        return listed_order(children, child_ends(self.instructions, children))


def _call(text: str) -> tuple[str, int]:
    match = _CALL.match(text)
    name, count = (match[1], match[2]) if match else (*text.rpartition(" ")[::2],)
    if not name or not count:
        raise _Problem("expected a call such as name(argc=N)")
    return name.strip(), read_integer(count, 16)


def _pop(type1: int, value: int, text: str) -> tuple[int, VariableReference]:
    instance, reference = read_variable(text)
    if type1 == DataType.VARIABLE:
        return instance, reference
    if instance and value:
        raise _Problem("there are two instance types")
    if instance and reference.kind == ReferenceType.NORMAL:
        reference = reference._replace(scope=implied_scope(instance))
    return instance or value, reference


def _reference(text: str) -> FunctionReference | VariableReference:
    word, _, name = text[1:].partition("]")
    if not name:
        raise _Problem("a reference needs a name")
    if word.lower() == "function":
        return FunctionReference(read_name(name))
    if word.lower() != "variable":
        raise _Problem(f"[{word}] is neither [function] nor [variable]")
    if name.startswith("["):
        return read_variable(name)[1]
    return VariableReference(read_name(name), int(InstanceType.SELF), int(ReferenceType.ARRAY))


def _without_comment(text: str) -> str:
    """The text before a comment that is not inside quotes."""
    at = 0
    while at < len(text):
        if text.startswith(COMMENT, at):
            return text[:at].rstrip()
        if text[at] == '"':
            quoted = unquote(text[at:])
            if quoted is None:
                break
            at = len(text) - len(quoted[1])
        else:
            at += 1
    return text


def _number_message(error: Exception, text: str) -> str:
    message = str(error)
    if message.startswith(("invalid literal", "could not convert")):
        return f"{text!r} is not a number" if text else "the operand is missing"
    return message
