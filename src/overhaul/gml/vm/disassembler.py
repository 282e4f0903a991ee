"""Instructions to the community's assembly text (see docs/formats/bytecode.md)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Protocol

from msgspec.structs import astuple

from overhaul.gml.context import Context, asset_types
from overhaul.gml.dialect import Dialect
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
_CMP = int(Opcode.CMP)
_DUP = int(Opcode.DUP)
_VALUED = (int(Opcode.PUSHI), int(Opcode.CALLV), _CMP, _DUP)

_mnemonics: dict[int, str] = {}


class _Line:
    """The text of one instruction in whatever entry it is."""

    __slots__ = ("branches", "distance", "ends", "text", "words")

    def __init__(self, text: str, words: int, ends: bool, branches: bool, distance: int) -> None:
        self.text = text  # of a branch: without its label
        self.words = words
        self.ends = ends  # a block ends here
        self.branches = branches
        self.distance = distance  # in words


_Key = tuple[int, int, int, int, Operand]
_memo: dict[_Key, _Line] = {}  # by an instruction's fields


def disassemble(
    code: Code, context: Context | Dialect | None = None, *, numbering: Numbering | None = None
) -> str:
    """The assembly text of a root code entry and its children.

    ``context``: for the asset numbering of its dialect; without one, the code's own dialect, or
    the newest.  ``numbering``: a game's numbers; without them strings and locals show none.
    """
    dialect = context if isinstance(context, Dialect) or context is None else context.dialect
    writer = _Writer(dialect or code.dialect or Dialect(), numbering)
    return writer.listing(code)


class _Layout:
    """Where the instructions of an entry stand."""

    __slots__ = ("blocks", "branches", "places", "targets", "texts")

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.places: list[int] = []  # address in words; after the last instruction: of the end
        self.branches: list[int] = []  # rows
        self.targets: list[int] = []  # the addresses they lead to
        self.blocks: list[int] = []  # rows where blocks start, ascending


def _row_of(places: list[int], place: int) -> int:
    """The row of the instruction at an address, or -1; the last of ``places`` is the end."""
    row = bisect_left(places, place)
    return row if row < len(places) - 1 and places[row] == place else -1


class _Writer:
    """Writes the lines of entries; the text of an instruction, and how lines stand together."""

    def __init__(self, dialect: Dialect, numbering: Numbering | None = None) -> None:
        self.dialect = dialect
        self.numbering = numbering

    def layout(self, instructions: list[Instruction]) -> _Layout:
        """The texts of the instructions, branches without their labels, and where they stand."""
        memo = _memo
        if len(memo) > _MEMO_LIMIT:
            memo.clear()
        layout = _Layout()
        texts = layout.texts
        places = layout.places
        branches = layout.branches
        targets = layout.targets
        starts = [0]
        at = 0
        for row, key in enumerate(map(astuple, instructions)):
            line = memo.get(key)
            if line is None:
                line = self.line(key)
            texts.append(line.text)
            places.append(at)
            if line.branches:
                branches.append(row)
                targets.append(at + line.distance)
            if line.ends:
                starts.append(row + 1)
            at += line.words
        places.append(at)
        starts += [_row_of(places, target) for target in set(targets)]
        layout.blocks = [row for row in sorted(set(starts)) if 0 <= row < len(instructions)]
        return layout

    def line(self, key: _Key) -> _Line:
        """A new line, remembered where it means the same in every game."""
        opcode, type1, type2, value, operand = key
        line = self.new_line(opcode, type1, type2, value, operand)
        if operand is None or not (type1 in _CONSTANTS or opcode == _BREAK):
            _memo[key] = line
        return line

    def new_line(self, opcode: int, type1: int, type2: int, value: int, operand: Operand) -> _Line:
        """The line of an instruction of these fields."""
        words = WORDS[opcode << 4 | type1]
        if not _B <= opcode <= _POPENV:
            text = self.text(opcode, type1, type2, value, operand)
            return _Line(text, words, _RET <= opcode <= _EXIT, False, 0)
        if value == POPENV_DROP:
            return _Line(f"{MNEMONICS[opcode]} <drop>", words, opcode != _POPENV, False, 0)
        return _Line(f"{MNEMONICS[opcode]} ", words, opcode != _POPENV, True, value)

    def listing(self, code: Code) -> str:
        """The whole text of an entry."""
        layout = self.layout(code.instructions)
        texts = layout.texts
        places = layout.places
        labels = {places[-1]: "[end]"}
        for number, row in enumerate(layout.blocks):
            label = f"[{number}]"
            labels[places[row]] = label
            texts[row] = f"\n:{label}\n{texts[row]}"
        for row, target in zip(layout.branches, layout.targets, strict=True):
            texts[row] += labels.get(target) or f"${target - places[row]}"
        texts.append("\n:[end]")
        head = self.locals_lines(code)
        if code.children:
            children = self.child_lines(code, places)
            head += children.pop(-1, ())
            for row, lines in children.items():
                texts[row] = "\n".join(("", *lines, texts[row].removeprefix("\n")))
        if head:
            texts[:0] = head
        else:
            texts[0] = texts[0][1:]
        return "\n".join(texts)

    def locals_lines(self, code: Code) -> list[str]:
        """The lines of the code locals."""
        names = code.local_names if self.numbering is None else self.numbering.local_names(code)
        return [_local_text(place, name) for place, name in enumerate(names)]

    def child_lines(self, code: Code, places: list[int]) -> dict[int, list[str]]:
        """Row -> the lines of the children that begin there (-1: at no instruction)."""
        result: dict[int, list[str]] = {}
        children = code.children
        plain = children == listed_order(children, child_ends(code.instructions, children))
        for order, child in sorted(enumerate(children), key=lambda item: item[1].offset):
            row = -1 if child.offset % 4 else _row_of(places, child.offset // 4)
            extra = "" if plain else f", order={order}"
            if row < 0:
                extra += f", offset={child.offset}"
            result.setdefault(row, []).append(_child_text(child, extra))
        return result

    def text(self, opcode: int, type1: int, type2: int, value: int, operand: Operand) -> str:
        """The text of an instruction other than a branch."""
        mnemonic = _mnemonic(opcode, type1, type2)
        if isinstance(operand, str):
            return f"{_head(mnemonic, value)} {self.string(operand)}"
        if isinstance(operand, AssetReference):
            return f"{_break_head(mnemonic, type1, value)} {self.asset(operand)}"
        return _text(mnemonic, opcode, type1, value, operand)

    def string(self, operand: str) -> str:
        number: int | None = None
        if isinstance(operand, StringReference):
            number = operand.number
        elif self.numbering is not None:
            number = self.numbering.string_index(operand)
        return quote(operand) if number is None else f"{quote(operand)}@{number}"

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


def _mnemonic(opcode: int, type1: int, type2: int) -> str:
    key = opcode << 8 | type1 << 4 | type2
    text = _mnemonics.get(key)
    if text is None:
        text = f"{MNEMONICS[opcode]}.{TYPE_LETTERS[type1]}"
        if type2 or opcode in TWO_TYPES or opcode == Opcode.POP:
            text += "." + TYPE_LETTERS[type2]
        _mnemonics[key] = text
    return text


def _head(mnemonic: str, value: int) -> str:
    """The mnemonic, and a value that has no other place in the text."""
    return f"{mnemonic}{{{value}}}" if value else mnemonic


def _text(mnemonic: str, opcode: int, type1: int, value: int, operand: Operand) -> str:
    """The text of an instruction other than a branch that means the same in every game."""
    push = PUSH_FIRST <= opcode <= PUSH_LAST
    if isinstance(operand, VariableReference) and not (push and type1 == _INT32):
        if opcode != _POP or type1 == _VARIABLE:
            return f"{mnemonic} {variable_text(operand, value)}"
        return f"{_head(mnemonic, value)} {variable_text(operand, 0)}"
    if opcode == _CALL and isinstance(operand, FunctionReference):
        return f"{mnemonic} {name_text(operand.name)}(argc={value})"
    if opcode in _VALUED or (type1 == _INT16 and (push or opcode == _POP)):
        return f"{mnemonic} {_value_text(opcode, value)}"
    if opcode == _BREAK:
        return _break_text(mnemonic, type1, value, operand)
    if operand is None:
        return _head(mnemonic, value)
    if push and type1 == _DOUBLE:
        return f"{_head(mnemonic, value)} {double_text(operand)}"
    return f"{_head(mnemonic, value)} {_operand_text(operand)}"


def _value_text(opcode: int, value: int) -> str:
    """A value that has its own place in the text."""
    if opcode == _CMP:
        return COMPARISON_NAMES.get(value) or str(value)
    return _dup_text(value) if opcode == _DUP else str(value)


def _dup_text(value: int) -> str:
    high = value >> 8 & 0xFF
    if not high:
        return str(value & 0xFF)
    if high & 0x80:
        return f"{value & 0xFF} {high & 0x7F}"
    return f"${value & 0xFFFF:04X}"


def _break_head(mnemonic: str, type1: int, value: int) -> str:
    name = EXTENDED_NAMES.get(value)
    pushref = value == Extended.PUSHREF
    if name is None or type1 != (_INT32 if pushref else _INT16):
        return f"{mnemonic} {value}"
    return name + mnemonic.removeprefix("break")


def _break_text(mnemonic: str, type1: int, value: int, operand: Operand) -> str:
    head = _break_head(mnemonic, type1, value)
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
