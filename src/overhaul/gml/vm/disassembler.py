"""Instructions to the community's assembly text (see docs/formats/bytecode.md)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Protocol

from overhaul.gml.context import asset_types
from overhaul.gml.dialect import Dialect
from overhaul.gml.vm.children import child_ends, listed_order
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
)
from overhaul.gml.vm.opcodes import (
    MNEMONICS,
    POPENV_DROP,
    PUSH_FIRST,
    PUSH_LAST,
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

    def local_names(self, code: Code) -> Sequence[str]:
        """The entry's code locals; a LocalName where it has numbers of its own."""


_MEMO_LIMIT = 1 << 16

_EXIT = int(Opcode.EXIT)
_RET = int(Opcode.RET)
_B = int(Opcode.B)
_POPENV = int(Opcode.POPENV)
_BREAK = int(Opcode.BREAK)
_DIGITS = tuple("0123456789-")
_POP = int(Opcode.POP)
_CALL = int(Opcode.CALL)
_DOUBLE = int(DataType.DOUBLE)
_INT16 = int(DataType.INT16)
_INT32 = int(DataType.INT32)
_STRING = int(DataType.STRING)
_VARIABLE = int(DataType.VARIABLE)
_CONSTANTS = (_STRING, _DOUBLE)
_VALUED = frozenset((Opcode.PUSHI, Opcode.CALLV, Opcode.CMP, Opcode.DUP))

_mnemonics: dict[int, str] = {}

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
    instructions = code.instructions
    places, starts = _layout(instructions)
    labels = {places[row]: f"[{number}]" for number, row in enumerate(starts)}
    labels[places[-1]] = "[end]"
    texts = writer.texts(instructions, places, labels)
    plain = code.children == listed_order(code.children, child_ends(instructions, code.children))
    return writer.listing(code, places, starts, texts, plain)


def _layout(instructions: list[Instruction]) -> tuple[list[int], list[int]]:
    """The address in words of each instruction and of the end; and the rows where blocks start."""
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
    places.append(at)
    rows = [row for row in (_row_of(places, place) for place in sorted(starts)) if row >= 0]
    return places, rows


def _row_of(places: list[int], place: int) -> int:
    """The row of the instruction at an address, or -1; the last of ``places`` is the end."""
    row = bisect_left(places, place)
    return row if row < len(places) - 1 and places[row] == place else -1


class _Writer:
    """Writes the lines of entries; what an instruction looks like, and how lines stand together."""

    def __init__(self, dialect: Dialect, numbering: Numbering | None = None) -> None:
        self.dialect = dialect
        self.numbering = numbering

    def texts(
        self, instructions: list[Instruction], places: list[int], labels: dict[int, str]
    ) -> list[str]:
        """The text of each instruction.  ``labels``: address in words -> label."""
        result: list[str] = []
        append = result.append
        memo = _memo
        if len(memo) > _MEMO_LIMIT:
            memo.clear()
        for row, instruction in enumerate(instructions):
            opcode = instruction.opcode
            if _B <= opcode <= _POPENV:
                value = instruction.value
                append(_branch_text(opcode, value, labels.get(places[row] + value)))
                continue
            operand = instruction.operand
            type1 = instruction.type1
            if operand is not None and (type1 in _CONSTANTS or opcode == _BREAK):
                append(self.text(instruction))
                continue
            key = opcode, type1, instruction.type2, instruction.value, operand
            text = memo.get(key)
            if text is None:
                text = memo[key] = _text(instruction)
            append(text)
        return result

    def listing(
        self, code: Code, places: list[int], starts: list[int], texts: list[str], plain: bool
    ) -> str:
        """The whole text of an entry.

        ``starts``: the rows where blocks start, ascending.  ``plain``: the children are listed in
        the order that follows from the code.  The code's instructions are not looked at.
        """
        lines = self.locals_lines(code)
        children = self.child_lines(code.children, places, plain) if code.children else {}
        lines.extend(children.pop(-1, ()))
        number = 0
        rows = [*starts, len(texts)]
        if children:
            rows = sorted({*rows, *children})
        for row, following in pairwise(rows):
            if lines:
                lines.append("")
            if row in children:
                lines.extend(children[row])
            if number < len(starts) and starts[number] == row:
                lines.append(f":[{number}]")
                number += 1
            lines.extend(texts[row:following])
        if lines:
            lines.append("")
        lines.append(":[end]")
        return "\n".join(lines)

    def locals_lines(self, code: Code) -> list[str]:
        """The lines of the code locals."""
        names = code.local_names if self.numbering is None else self.numbering.local_names(code)
        return [_local_text(place, name) for place, name in enumerate(names)]

    def child_lines(
        self, children: list[Child], places: list[int], plain: bool
    ) -> dict[int, list[str]]:
        """Row -> the lines of the children that begin there (-1: at no instruction)."""
        result: dict[int, list[str]] = {}
        for order, child in sorted(enumerate(children), key=lambda item: item[1].offset):
            row = -1 if child.offset % 4 else _row_of(places, child.offset // 4)
            extra = "" if plain else f", order={order}"
            if row < 0:
                extra += f", offset={child.offset}"
            result.setdefault(row, []).append(_child_text(child, extra))
        return result

    def text(self, instruction: Instruction) -> str:
        """The text of an instruction that is no branch."""
        operand = instruction.operand
        if isinstance(operand, str):
            number: int | None = None
            if isinstance(operand, StringReference):
                number = operand.number
            elif self.numbering is not None:
                number = self.numbering.string_index(operand)
            text = f"{_head(instruction)} {quote(operand)}"
            return text if number is None else f"{text}@{number}"
        if isinstance(operand, AssetReference):
            return f"{_break_head(instruction)} {self.asset(operand)}"
        return _text(instruction)

    def asset(self, operand: AssetReference) -> str:
        for number, kind in asset_types(self.dialect).items():
            if kind == operand.kind:
                return str(number << 24 | operand.index)
        if operand.kind.startswith("type_"):
            return str(int(operand.kind[5:]) << 24 | operand.index)
        return f"{operand.index} {operand.kind}"


def _local_text(place: int, name: str) -> str:
    if not isinstance(name, LocalName):
        return f".localvar {place} {name_text(name)}"
    text = f".localvar {name.number} {name_text(str(name))}"
    return text if name.record is None else f"{text} {name.record}"


def _child_text(child: Child, extra: str) -> str:
    counts = f"locals={child.locals_count}, argc={child.arguments_count}{extra}"
    return f"> {name_text(child.name)} ({counts})"


def _branch_text(opcode: int, value: int, label: str | None) -> str:
    """The text of a branch; without a label its distance."""
    if value == POPENV_DROP:
        return MNEMONICS[opcode] + " <drop>"
    return f"{MNEMONICS[opcode]} {label or f'${value}'}"


def _mnemonic(opcode: int, type1: int, type2: int) -> str:
    key = opcode << 8 | type1 << 4 | type2
    text = _mnemonics.get(key)
    if text is None:
        text = f"{MNEMONICS[opcode]}.{TYPE_LETTERS[type1]}"
        if type2 or opcode in TWO_TYPES or opcode == Opcode.POP:
            text += "." + TYPE_LETTERS[type2]
        _mnemonics[key] = text
    return text


def _head(instruction: Instruction, shown: bool = False) -> str:
    """Mnemonic and types; ``shown``: the value has its own place in the text."""
    text = _mnemonic(instruction.opcode, instruction.type1, instruction.type2)
    return text if shown or not instruction.value else f"{text}{{{instruction.value}}}"


def _text(instruction: Instruction) -> str:
    """The text of an instruction that is no branch and means the same in every game."""
    opcode = instruction.opcode
    type1 = instruction.type1
    value = instruction.value
    operand = instruction.operand
    push = PUSH_FIRST <= opcode <= PUSH_LAST
    if isinstance(operand, VariableReference) and not (push and type1 == _INT32):
        shown = opcode != _POP or type1 == _VARIABLE
        return f"{_head(instruction, shown)} {variable_text(operand, value if shown else 0)}"
    if opcode == _CALL and isinstance(operand, FunctionReference):
        return f"{_head(instruction, shown=True)} {name_text(operand.name)}(argc={value})"
    if opcode in _VALUED or (type1 == _INT16 and (push or opcode == _POP)):
        return f"{_head(instruction, shown=True)} {_value_text(opcode, value)}"
    if opcode == _BREAK:
        return _break_text(instruction)
    if operand is None:
        return _head(instruction)
    if push and type1 == _DOUBLE:
        return f"{_head(instruction)} {double_text(operand)}"
    return f"{_head(instruction)} {_operand_text(operand)}"


def _value_text(opcode: int, value: int) -> str:
    """A value that has its own place in the text."""
    if opcode == Opcode.CMP:
        return COMPARISON_NAMES.get(value) or str(value)
    return _dup_text(value) if opcode == Opcode.DUP else str(value)


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
    letters = _mnemonic(instruction.opcode, instruction.type1, instruction.type2)
    if name is None or not usual:
        return f"{letters} {value}"
    return name + letters.removeprefix("break")


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
