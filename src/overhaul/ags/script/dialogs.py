"""The compiled script of all dialogs (3.1 and later), step by step.

The editor makes a function of each dialog, in a section ``Dialog N``: its argument, the option that
was chosen, is compared with 0 (the dialog begins) and with the number of each option in turn.
Conditions around what an option does are read back as source; what can't be is ``…``.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from overhaul.ags.script.disassembler import instructions
from overhaul.ags.script.model import Script
from overhaul.ags.script.tables import CODE_FIXUPS, IMPORT, REGISTER_NUMBERS, STRING
from overhaul.ags.text import decode

_SECTION: Final = "Dialog "
#: How the comparison with the number of an option is compiled.
_COMPARES: Final = ("load.sp.offs", "memread4", "push", "movl", "pop", "cmpeq")
_SAYS: Final = ("Character::Say", "Character::Think")
#: The return value of a dialog's function.
_ENDS: Final = {-1: "return", -2: "stop", -4: "goto-previous"}
_ELSE: Final = "else"
_MAR, _AX = REGISTER_NUMBERS["mar"], REGISTER_NUMBERS["ax"]
#: The value of an argument that a call leaves out.
_LEFT_OUT: Final = 31998
#: Members at the beginning of what scripts know by a single name.
_FIRST_MEMBERS: Final = {"game": "game.score"}
#: The operators of two registers, and how strongly they bind.
_OPERATORS: Final = {
    "mul": ("*", 7), "div": ("/", 7), "mod": ("%", 7), "add": ("+", 6), "sub": ("-", 6),
    "fmul": ("*", 7), "fdiv": ("/", 7), "fadd": ("+", 6), "fsub": ("-", 6),
    "cmpeq": ("==", 4), "cmpne": ("!=", 4), "streq": ("==", 4), "strne": ("!=", 4),
    "gt": (">", 5), "lt": ("<", 5), "gte": (">=", 5), "lte": ("<=", 5),
    "fgt": (">", 5), "flt": ("<", 5), "fgte": (">=", 5), "flte": ("<=", 5),
    "and": ("&", 3), "or": ("|", 3), "xor": ("^", 3), "land": ("&&", 2), "lor": ("||", 1),
}  # fmt: skip
_WITH_NUMBER: Final = {"addi": ("+", 6), "subi": ("-", 6), "muli": ("*", 7)}


class Block(NamedTuple):
    """Steps that are done in a case only: where their code begins, and ``if (…)`` or ``else``."""

    place: int
    text: str


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a dialog: the number of its option (0 is the beginning), and its line in the
    script.

    ``who`` says ``text``; without ``who``, ``text`` is a call, an assignment, or the way on.
    ``blocks`` are the conditions around it, the outermost first.
    """

    option: int
    line: int
    who: str
    text: str
    blocks: tuple[Block, ...] = ()


def dialog_steps(script: Script) -> dict[int, list[Step]]:
    """The steps of each dialog, by its number, in the order of its script."""
    pairs = zip(script.fixup_positions, script.fixup_types, strict=False)
    size = len(script.words)
    fixups = {at: kind for at, kind in pairs if kind in CODE_FIXUPS and 0 <= at < size}
    words = script.words
    code = [
        (index, opcode.name, words[index + 1 : index + 1 + len(opcode.arguments)])
        for index, opcode in instructions(words, fixups)
        if opcode is not None
    ]
    places = [index for index, _, _ in code]
    starts = sorted({*(section.offset for section in script.sections), size})
    steps: dict[int, list[Step]] = {}
    for section in script.sections:
        number = section.name.removeprefix(_SECTION)
        if section.name.startswith(_SECTION) and number.isascii() and number.isdigit():
            after = bisect_right(starts, section.offset)
            end = starts[after] if after < len(starts) else size
            own = code[bisect_left(places, section.offset) : bisect_left(places, end)]
            steps[int(number[:9])] = _DialogReader(script, fixups).steps(own)
    return steps


class _Value(NamedTuple):
    """The source of a register's value; ``binding`` is how strongly its operator binds."""

    text: str
    is_text: bool = False
    number: int | None = None
    binding: int = 9

    def within(self, binding: int) -> str:
        """The source as an operand of an operator."""
        return self.text if self.binding > binding else f"({self.text})"


_UNKNOWN: Final = _Value("…")


class _DialogReader:
    """Follows the calls and conditions of a function: their texts, and their dialogs."""

    def __init__(self, script: Script, fixups: dict[int, int]) -> None:
        self.script, self.fixups = script, fixups
        self.option = self.line = 0
        self.ended = -1
        #: how many steps there were before the line
        self.line_steps = 0
        self.registers: dict[int, _Value] = {}
        self.stack: list[_Value] = []
        self.owner = ""
        #: the arguments of the next call, the last one first
        self.arguments: list[_Value] = []
        #: conditions that are open, with the place where each ends
        self.open: list[tuple[Block, int]] = []
        #: where the next option is compared
        self.next_option = 0
        self.found: list[Step] = []

    def steps(self, code: Sequence[tuple[int, str, Sequence[int]]]) -> list[Step]:
        """The steps of instructions: the place, the name and the numbers of each."""
        names = [name for _, name, _ in code]
        before: tuple[int, str, Sequence[int]] = (0, "", ())
        compares = -1
        for at, (index, name, values) in enumerate(code):
            self._close(index, before)
            if name == "sourceline":
                self.line, self.line_steps = values[0], len(self.found)
            if self._is_option(index, names[at : at + len(_COMPARES)]):
                self.option, compares = code[at + 3][2][1], at + len(_COMPARES)
            elif name == "ret" and self.line != self.ended:
                self._end(before[1])
                self.ended = self.line
            elif name in ("jzi", "jnzi"):
                after = names[at + 1] if at + 1 < len(names) else ""
                if compares <= at <= compares + 1:
                    self.next_option = _target(index, values)
                elif after != "push":  # else a part of the condition was enough
                    self._branch(name, index, values)
            else:
                self._do(name, index, values)
            before = (index, name, values)
        # The editor ends every function so, after the last option.
        if self.found and self.found[-1].text == _ENDS[-1] and not self.found[-1].blocks:
            self.found.pop()
        return self.found

    def _is_option(self, index: int, names: Sequence[str]) -> bool:
        """Whether the chosen option is compared: nowhere within the code of another one."""
        return tuple(names) == _COMPARES and not self.open and index >= self.next_option

    def _add(self, who: str, text: str) -> None:
        blocks = tuple(block for block, _ in self.open)
        self.found.append(Step(self.option, self.line, who, text, blocks))

    def _branch(self, name: str, index: int, values: Sequence[int]) -> None:
        """The following code runs only if the accumulator is (not) 0."""
        end = _target(index, values)
        if end <= index:
            return
        value = self.registers.get(_AX, _UNKNOWN)
        text = value.text if name == "jzi" else f"!{value.within(8)}"
        del self.found[self.line_steps :]  # calls that the condition is made of
        self.open.append((Block(index, f"if ({text})"), end))

    def _close(self, index: int, before: tuple[int, str, Sequence[int]]) -> None:
        """Leave the conditions that end before an instruction."""
        while self.open and self.open[-1][1] <= index:
            block, end = self.open.pop()
            if end == index and before[1] == "jmpi" and block.text != _ELSE:
                after = _target(before[0], before[2])
                if after > index:
                    self.open.append((Block(index, _ELSE), after))
                    return
                if after <= block.place:  # back to the condition
                    self._loop(block)

    def _loop(self, block: Block) -> None:
        """A condition that its steps lead back to is that of a loop."""
        looped = Block(block.place, f"while{block.text.removeprefix('if')}")
        self.found = [
            replace(run, blocks=tuple(looped if b == block else b for b in run.blocks))
            if block in run.blocks
            else run
            for run in self.found
        ]

    def _do(self, name: str, index: int, values: Sequence[int]) -> None:
        """An instruction other than a jump."""
        registers, stack = self.registers, self.stack
        register = values[0] if values else 0
        if name == "movl":
            registers[register] = self._loaded(index + 2, values[1])
        elif name == "mov":
            registers[values[1]] = registers.get(register, _UNKNOWN)
        elif name == "push":
            stack.append(registers.get(register, _UNKNOWN))
        elif name == "pop":
            registers[register] = stack.pop() if stack else _UNKNOWN
        elif name == "load.sp.offs":
            registers[_MAR] = _UNKNOWN
        elif name == "addi" and register == _MAR:
            shown = registers.get(_MAR, _UNKNOWN).text
            registers[_MAR] = _Value(f"{shown}[{values[1]}]" if values[1] else shown)
        elif name in _WITH_NUMBER:
            left, (word, binding) = registers.get(register, _UNKNOWN), _WITH_NUMBER[name]
            text = f"{left.within(binding - 1)} {word} {values[1]}"
            registers[register] = _Value(text, binding=binding)
        elif name.startswith("memread"):
            shown = registers.get(_MAR, _UNKNOWN).text
            registers[register] = _Value(_FIRST_MEMBERS.get(shown, shown))
        elif name in ("memwrite1", "memwrite2", "memwrite4"):
            self._assign(registers.get(register, _UNKNOWN))
        elif name in _OPERATORS:
            self._operate(*_OPERATORS[name], *values)
        elif name == "not":
            value = registers.get(register, _UNKNOWN)
            registers[register] = _Value(f"!{value.within(8)}", binding=8)
        elif name == "farpush":
            self.arguments.append(registers.get(register, _UNKNOWN))
        elif name == "callobj":
            self.owner = registers.get(register, _UNKNOWN).text
        elif name in ("farcall", "call"):
            self._call(registers.get(register, _UNKNOWN).text)

    def _operate(self, word: str, binding: int, one: int, two: int) -> None:
        """One register becomes what an operator makes of it and another."""
        left, right = (self.registers.get(register, _UNKNOWN) for register in (one, two))
        text = f"{left.within(binding - 1)} {word} {right.within(binding)}"
        self.registers[one] = _Value(text, binding=binding)

    def _loaded(self, index: int, value: int) -> _Value:
        kind, imports = self.fixups.get(index), self.script.imports
        if kind == STRING:
            strings = self.script.strings
            end = strings.find(b"\0", max(0, value))
            return _Value(decode(strings[max(0, value) : end]) if end >= 0 else "", True)
        if kind == IMPORT:
            known = 0 <= value < len(imports)
            return _Value(imports[value].partition("^")[0] if known else "…")
        return _Value(str(value), number=value) if kind is None else _UNKNOWN

    def _assign(self, value: _Value) -> None:
        """Take a variable of the game that is set; not those of the editor and of the function."""
        name = self.registers.get(_MAR, _UNKNOWN).text
        name = _FIRST_MEMBERS.get(name, name)
        if name[:1] in ("…", "-") or name[:1].isdigit() or name.startswith("__"):
            return
        shown = f'"{value.text}"' if value.is_text else value.text
        self._add("", f"{name} = {shown}")

    def _call(self, function: str) -> None:
        owner, arguments = self.owner, self.arguments
        self.owner, self.arguments = "", []
        if function in _SAYS and arguments:
            self._add(owner, arguments[-1].text)
            return
        while arguments and arguments[0].number == _LEFT_OUT:
            del arguments[0]
        member = function.rpartition("::")[2]
        called = f"{owner}.{member}" if owner else member
        # The last argument is pushed first.
        shown = [
            f'"{argument.text}"' if argument.is_text else argument.text
            for argument in reversed(arguments)
        ]
        text = f"{called}({', '.join(shown)})"
        word, _, attribute = member.partition("_")
        if owner and word == "get" and not shown:
            text = f"{owner}.{attribute}"
        elif owner and word == "set" and len(shown) == 1:
            text = f"{owner}.{attribute} = {shown[0]}"
        self.registers[_AX] = _Value(text)
        self._add("", text)

    def _end(self, before: str) -> None:
        """The meaning of a value that the function returns."""
        value = self.registers.get(_AX, _UNKNOWN).number
        if before == "movl" and value is not None:
            word = _ENDS.get(value) or (f"goto-dialog {value}" if value >= 0 else "")
            if word:
                self._add("", word)


def _target(index: int, values: Sequence[int]) -> int:
    """Where a jump leads."""
    return index + 2 + values[0]
