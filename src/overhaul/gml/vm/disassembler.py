"""Instructions to the community's assembly text (see docs/formats/bytecode.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from overhaul.gml.context import asset_types
from overhaul.gml.dialect import Dialect
from overhaul.gml.vm.children import listed_order
from overhaul.gml.vm.code import (
    AssetReference,
    Child,
    Code,
    FunctionReference,
    Instruction,
    Operand,
    StringReference,
    VariableReference,
)
from overhaul.gml.vm.opcodes import (
    MNEMONICS,
    POPENV_DROP,
    PUSHES,
    TWO_TYPES,
    TYPE_LETTERS,
    WORDS,
    DataType,
    Extended,
    InstanceType,
    Opcode,
    ReferenceType,
)
from overhaul.gml.vm.text import (
    COMPARISON_NAMES,
    EXTENDED_NAMES,
    double_text,
    name_text,
    quote,
    variable_text,
)

if TYPE_CHECKING:
    from overhaul.gml.context import Context


class Numbering(Protocol):
    """A game's numbers, for text that shows them (``"text"@41``, ``.localvar 31 total 118``)."""

    def string_index(self, text: str) -> int | None:
        """The index of a string in the game's table."""

    def local_variables(self, code: Code) -> list[tuple[int, str, int | None]]:
        """The entry's code locals: index, name, and the position in VARI of the record that the
        code refers to (None if it does not)."""


_MEMO_LIMIT = 1 << 16

_EXIT = int(Opcode.EXIT)
_RET = int(Opcode.RET)
_B = int(Opcode.B)
_POPENV = int(Opcode.POPENV)
_BREAK = int(Opcode.BREAK)
_DIGITS = tuple("0123456789-")
_CONSTANTS = (int(DataType.STRING), int(DataType.DOUBLE))
_INT16 = int(DataType.INT16)

_memo: dict[tuple[int, int, int, int, Operand], str] = {}


def disassemble(
    code: Code, context: Context | Dialect | None = None, *, numbering: Numbering | None = None
) -> str:
    """The assembly text of a root code entry and its children.

    ``context``: for the asset numbering of its dialect; without one, the code's own dialect, or
    the newest.  ``numbering``: a game's numbers; without them strings and locals show none.
    """
    dialect = context if isinstance(context, Dialect) or context is None else context.dialect
    writer = _Writer(dialect or code.dialect or Dialect(), numbering)
    lines = writer.locals_lines(code)
    places, labels = _layout(code.instructions)
    writer.body(code, places, labels, lines)
    if lines:
        lines.append("")
    lines.append(":[end]")
    return "\n".join(lines)


def _layout(instructions: list[Instruction]) -> tuple[list[int], dict[int, str]]:
    """The address of each instruction and of the end, in words; and the label of every address
    where a block starts, and of the end."""
    places = []
    starts = {0}
    at = 0
    words = WORDS
    for instruction in instructions:
        places.append(at)
        opcode = instruction.opcode
        after = at + words[opcode << 4 | instruction.type1]
        if _RET <= opcode <= _POPENV:
            if opcode >= _B:
                value = instruction.value
                if value != POPENV_DROP:
                    starts.add(at + value)
                if opcode != _POPENV:
                    starts.add(after)
            elif opcode <= _EXIT:
                starts.add(after)
        at = after
    starts &= set(places)
    labels = {place: f"[{number}]" for number, place in enumerate(sorted(starts))}
    places.append(at)
    labels[at] = "[end]"
    return places, labels


class _Writer:
    def __init__(self, dialect: Dialect, numbering: Numbering | None) -> None:
        self.dialect = dialect
        self.numbering = numbering

    def locals_lines(self, code: Code) -> list[str]:
        if self.numbering is None:
            return [
                f".localvar {index} {name_text(name)}"
                for index, name in enumerate(code.local_names)
            ]
        return [
            f".localvar {index} {name_text(name)}" + ("" if record is None else f" {record}")
            for index, name, record in self.numbering.local_variables(code)
        ]

    def body(self, code: Code, places: list[int], labels: dict[int, str], lines: list[str]) -> None:
        """Append the lines of all instructions."""
        instructions = code.instructions
        children = self.child_lines(code, places)
        lines.extend(children.pop(-1, ()))
        append = lines.append
        memo = _memo
        if len(memo) > _MEMO_LIMIT:
            memo.clear()
        for place, instruction in zip(places, instructions, strict=False):
            if place in labels or place in children:
                if lines:
                    append("")
                lines.extend(children.get(place, ()))
                if place in labels:
                    append(":" + labels[place])
            opcode = instruction.opcode
            if _B <= opcode <= _POPENV:
                append(_branch_text(instruction, place, labels))
                continue
            operand = instruction.operand
            type1 = instruction.type1
            if operand is not None and (type1 in _CONSTANTS or opcode == _BREAK):
                append(self.constant(instruction))
                continue
            key = opcode, type1, instruction.type2, instruction.value, operand
            text = memo.get(key)
            if text is None:
                text = memo[key] = _text(instruction)
            append(text)

    def child_lines(self, code: Code, places: list[int]) -> dict[int, list[str]]:
        """Address in words -> the lines of the children that begin there (-1: at no
        instruction)."""
        result: dict[int, list[str]] = {}
        if not code.children:
            return result
        known = set(places[:-1])
        plain = code.children == listed_order(code.instructions, code.children)
        for order, child in sorted(enumerate(code.children), key=lambda item: item[1].offset):
            place = child.offset // 4
            extra = "" if plain else f", order={order}"
            if child.offset % 4 or place not in known:
                place = -1
                extra += f", offset={child.offset}"
            result.setdefault(place, []).append(_child_text(child, extra))
        return result

    def constant(self, instruction: Instruction) -> str:
        """An instruction whose text depends on the game, or is not worth keeping."""
        operand = instruction.operand
        if isinstance(operand, AssetReference):
            return f"{_break_head(instruction)} {self.asset(operand)}"
        head = _head(instruction)
        if isinstance(operand, str):
            number: int | None = None
            if isinstance(operand, StringReference):
                number = operand.number
            elif self.numbering is not None:
                number = self.numbering.string_index(operand)
            return f"{head} {quote(operand)}" + ("" if number is None else f"@{number}")
        if instruction.opcode in PUSHES and instruction.type1 == DataType.DOUBLE:
            return f"{head} {double_text(operand)}"
        return _text(instruction)

    def asset(self, operand: AssetReference) -> str:
        for number, kind in asset_types(self.dialect).items():
            if kind == operand.kind:
                return str(number << 24 | operand.index)
        if operand.kind.startswith("type_"):
            return str(int(operand.kind[5:]) << 24 | operand.index)
        return f"{operand.index} {operand.kind}"


def _child_text(child: Child, extra: str) -> str:
    counts = f"locals={child.locals_count}, argc={child.arguments_count}{extra}"
    return f"> {name_text(child.name)} ({counts})"


def _branch_text(instruction: Instruction, place: int, labels: dict[int, str]) -> str:
    name = MNEMONICS[instruction.opcode]
    if instruction.value == POPENV_DROP:
        return name + " <drop>"
    label = labels.get(place + instruction.value)
    return f"{name} {label or f'${instruction.value}'}"


def _letters(instruction: Instruction, two: bool) -> str:
    first = TYPE_LETTERS[instruction.type1]
    if two or instruction.type2:
        return f".{first}.{TYPE_LETTERS[instruction.type2]}"
    return "." + first


def _head(instruction: Instruction, shown: bool = False) -> str:
    """Mnemonic and types; ``shown``: the value has its own place in the text."""
    opcode = instruction.opcode
    two = opcode in TWO_TYPES or opcode == Opcode.POP
    rest = "" if shown or not instruction.value else f"{{{instruction.value}}}"
    return MNEMONICS[opcode] + _letters(instruction, two) + rest


def _text(instruction: Instruction) -> str:
    """The text of an instruction that is neither a branch nor a string nor a double."""
    opcode = instruction.opcode
    value = instruction.value
    operand = instruction.operand
    if isinstance(operand, VariableReference) and not _is_integer_push(instruction):
        shown = opcode != Opcode.POP or instruction.type1 == DataType.VARIABLE
        return f"{_head(instruction, shown)} {variable_text(operand, value if shown else 0)}"
    if opcode == Opcode.CALL and isinstance(operand, FunctionReference):
        return f"{_head(instruction, shown=True)} {name_text(operand.name)}(argc={value})"
    if opcode == Opcode.CMP:
        return f"{_head(instruction, shown=True)} {COMPARISON_NAMES.get(value) or value}"
    if opcode == Opcode.DUP:
        return f"{_head(instruction, shown=True)} {_dup_text(value)}"
    if opcode == Opcode.BREAK:
        return _break_text(instruction)
    if operand is None:
        if opcode in (Opcode.PUSHI, Opcode.CALLV) or (
            instruction.type1 == _INT16 and (opcode in PUSHES or opcode == Opcode.POP)
        ):
            return f"{_head(instruction, shown=True)} {value}"
        return _head(instruction)
    return f"{_head(instruction)} {_operand_text(operand)}"


def _is_integer_push(instruction: Instruction) -> bool:
    return instruction.opcode in PUSHES and instruction.type1 == DataType.INT32


def _dup_text(value: int) -> str:
    high = value >> 8 & 0xFF
    if not high:
        return str(value & 0xFF)
    if high & 0x80:
        return f"{value & 0xFF} {high & 0x7F}"
    return f"${value & 0xFFFF:04X}"


def _break_head(instruction: Instruction) -> str:
    value = instruction.value
    name = EXTENDED_NAMES.get(value)
    pushref = value == Extended.PUSHREF
    usual = instruction.type1 == (DataType.INT32 if pushref else DataType.INT16)
    letters = _letters(instruction, two=False)
    return f"break{letters} {value}" if name is None or not usual else name + letters


def _break_text(instruction: Instruction) -> str:
    head = _break_head(instruction)
    operand = instruction.operand
    if operand is None:
        return head
    if isinstance(operand, FunctionReference):
        name = operand.name  # a number here would be an asset
        return f"{head} {quote(name) if name[:1] in _DIGITS else name_text(name)}"
    return f"{head} {_operand_text(operand)}"


def _operand_text(operand: Operand) -> str:
    if isinstance(operand, FunctionReference):
        return f"[function]{name_text(operand.name)}"
    if isinstance(operand, VariableReference):
        usual = operand.kind == ReferenceType.ARRAY and operand.scope == InstanceType.SELF
        name = name_text(operand.name) if usual else variable_text(operand, 0, explicit=True)
        return f"[variable]{name}"
    return str(operand)
