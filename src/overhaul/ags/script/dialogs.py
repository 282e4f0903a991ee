"""What the compiled script of all dialogs (3.1 and later) does, step by step.

The editor makes a function of each dialog, in a section ``Dialog N``: its argument, the option that
was chosen, is compared with 0 (the dialog begins) and with the number of each option in turn.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from overhaul.ags.script.disassembler import instructions
from overhaul.ags.script.opcodes import CODE_FIXUPS, IMPORT, STRING
from overhaul.ags.text import decode

if TYPE_CHECKING:
    from collections.abc import Sequence

    from overhaul.ags.script.model import Script

_SECTION: Final = "Dialog "
#: How the comparison with the number of an option is compiled.
_COMPARES: Final = ("load.sp.offs", "memread4", "push", "movl", "pop", "cmpeq")
_SAYS: Final = ("Character::Say", "Character::Think")
#: What the function of a dialog returns.
_ENDS: Final = {-1: "return", -2: "stop", -3: "goto-previous"}


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a dialog: of which option (0 is its beginning), in which line of its script.

    ``who`` says ``text``; where nobody does, ``text`` is a call or how it goes on.
    """

    option: int
    line: int
    who: str
    text: str


def dialog_steps(script: Script) -> dict[int, list[Step]]:
    """What each dialog does, by its number, in the order of its script."""
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
    found: dict[int, list[Step]] = {}
    for section in script.sections:
        number = section.name.removeprefix(_SECTION)
        if section.name.startswith(_SECTION) and number.isascii() and number.isdigit():
            after = bisect_right(starts, section.offset)
            end = starts[after] if after < len(starts) else size
            own = code[bisect_left(places, section.offset) : bisect_left(places, end)]
            found[int(number[:9])] = _Reader(script, fixups).steps(own)
    return found


class _Reader:
    """Follows the calls of a function: their texts, and whose they are."""

    def __init__(self, script: Script, fixups: dict[int, int]) -> None:
        self.script, self.fixups = script, fixups
        self.strings = script.strings
        self.option = self.line = 0
        self.ended = -1
        self.loaded: str | int = ""
        self.is_text = False
        self.name = self.owner = ""
        #: those of the next call: what each is, and whether it is a text
        self.arguments: list[tuple[str, bool]] = []

    def steps(self, code: Sequence[tuple[int, str, Sequence[int]]]) -> list[Step]:
        """The steps of instructions: the place, the name and the numbers of each."""
        names = [name for _, name, _ in code]
        found: list[Step] = []
        for at, (index, name, values) in enumerate(code):
            if tuple(names[at : at + len(_COMPARES)]) == _COMPARES:
                self.option = code[at + 3][2][1]
            elif name == "ret" and self.line != self.ended:
                found += self._end(names[at - 1] if at else "")
                self.ended = self.line
            found += self._step(name, index, values)
        # The editor ends every function so, after the last option.
        return found[:-1] if found and found[-1].text == _ENDS[-1] else found

    def _step(self, name: str, index: int, values: Sequence[int]) -> list[Step]:
        if name == "sourceline":
            self.line = values[0]
        elif name == "movl":
            self._load(index + 2, values[1])
        elif name == "farpush":
            self.arguments.append((str(self.loaded), self.is_text))
        elif name == "callobj":
            self.owner = self.name
        elif name == "farcall":
            return [self._call()]
        return []

    def _load(self, index: int, value: int) -> None:
        kind, imports = self.fixups.get(index), self.script.imports
        self.loaded, self.is_text = value, kind == STRING
        if kind == STRING:
            end = self.strings.find(b"\0", max(0, value))
            self.loaded = decode(self.strings[max(0, value) : end]) if end >= 0 else ""
        elif kind == IMPORT:
            self.name = imports[value].partition("^")[0] if 0 <= value < len(imports) else ""
            self.loaded = self.name

    def _call(self) -> Step:
        function, owner, arguments = self.name, self.owner, self.arguments
        self.owner, self.arguments, self.name = "", [], ""
        if function in _SAYS and arguments:
            return Step(self.option, self.line, owner, arguments[-1][0])
        member = function.rpartition("::")[2]
        called = f"{owner}.{member}" if owner else member
        # The last argument is pushed first.
        shown = [f'"{each}"' if is_text else each for each, is_text in reversed(arguments)]
        return Step(self.option, self.line, "", f"{called}({', '.join(shown)})")

    def _end(self, before: str) -> list[Step]:
        """What a value that the function returns means."""
        value = self.loaded
        if before != "movl" or not isinstance(value, int):
            return []
        word = _ENDS.get(value) or (f"goto-dialog {value}" if value >= 0 else "")
        return [Step(self.option, self.line, "", word)] if word else []
