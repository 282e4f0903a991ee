"""The block that is being written: code, tables, and the depth of the stack."""

from __future__ import annotations

from typing import Final

from overhaul.ags.language.opcodes import (
    FIX_IMPORT,
    LINE,
    LITERAL,
    LOCAL_ADDRESS,
    MAR,
    MOVE,
    POP,
    PUSH,
    SP,
    SUBI,
)
from overhaul.ags.language.templates import Template

FUNCTION_EXPORT: Final = 1
DATA_EXPORT: Final = 2
#: Exports have 24 bits for the place of a function.
LARGEST_CODE: Final = 0xFFFFFF


class Chunk:
    """Code that was cut out, to be written later: once or more often."""

    __slots__ = ("fixups", "start", "words")

    def __init__(self, words: list[int], fixups: list[int], start: int) -> None:
        self.words: list[int] = words
        self.fixups: list[int] = fixups
        self.start: int = start


class Emitter:
    """Writes instructions.

    ``depth`` counts the bytes on the stack, ``line`` is the line number that goes in front of the
    next word (0: none).
    """

    def __init__(self) -> None:
        self.words: list[int] = []
        #: Position * 8 + kind of each word, or byte of the data, that the loader adjusts.
        self.fixups: list[int] = []
        self.data: bytearray = bytearray()
        self.strings: bytearray = bytearray()
        self.imports: list[str] = []
        self.used: set[int] = set()
        self.exports: dict[str, int] = {}
        self.functions: list[tuple[str, int, int]] = []
        self.sections: list[tuple[str, int]] = []
        self.depth: int = 0
        self.line: int = 0
        #: The word with the distance of the last address of a local.
        self.hole: int = -1
        #: Addresses of locals take two instructions.
        self.old = False
        #: All sections are listed, also those without code.
        self.listing = False

    def copy(self) -> Emitter:
        """The same state, to continue with something else."""
        other = Emitter()
        other.words = self.words.copy()
        other.fixups = self.fixups.copy()
        other.data = self.data.copy()
        other.strings = self.strings.copy()
        other.imports = self.imports.copy()
        other.used = self.used.copy()
        other.exports = self.exports.copy()
        other.functions = self.functions.copy()
        other.sections = self.sections.copy()
        other.depth = self.depth
        other.line = self.line
        other.old = self.old
        other.listing = self.listing
        return other

    def flush(self) -> None:
        """Write the line number that waits."""
        if self.line:
            self.words += (LINE, self.line)
            self.line = 0

    def op(self, code: int) -> None:
        """An instruction without arguments."""
        if self.line:
            self.flush()
        self.words.append(code)

    def op1(self, code: int, first: int) -> None:
        """An instruction with one argument."""
        if self.line:
            self.flush()
        self.words += (code, first)

    def op2(self, code: int, first: int, second: int) -> None:
        """An instruction with two arguments."""
        if self.line:
            self.flush()
        self.words += (code, first, second)

    def op3(self, code: int, first: int, second: int, third: int) -> None:
        """An instruction with three arguments."""
        if self.line:
            self.flush()
        self.words += (code, first, second, third)

    def ops(self, words: tuple[int, ...]) -> None:
        """Several instructions."""
        if self.line:
            self.flush()
        self.words += words

    def fixed(
        self, before: tuple[int, ...], value: int, fixup: int, after: tuple[int, ...]
    ) -> None:
        """Several instructions with a word among them that the loader adjusts."""
        if self.line:
            self.flush()
        words = self.words
        words += before
        self.fixups.append(len(words) << 3 | fixup)
        words.append(value)
        words += after
        if fixup == FIX_IMPORT:
            self.used.add(value)

    def push(self, register: int) -> None:
        """Push a register."""
        self.op1(PUSH, register)
        self.depth += 4

    def pop(self, register: int) -> None:
        """Pop a register."""
        self.op1(POP, register)
        self.depth -= 4

    def load(self, register: int, value: int, fixup: int = 0) -> None:
        """Load a literal, which the loader adjusts if ``fixup`` says how."""
        if self.line:
            self.flush()
        words = self.words
        words += (LITERAL, register, value)
        if fixup:
            self.fixups.append(len(words) - 1 << 3 | fixup)
            if fixup == FIX_IMPORT:
                self.used.add(value)

    def local(self, distance: int) -> None:
        """The address of what is so far below the top of the stack, to MAR."""
        if self.old:
            self.ops((MOVE, SP, MAR, SUBI, MAR, distance))
        else:
            if self.line:
                self.flush()
            words = self.words
            self.hole = len(words) + 1
            words += (LOCAL_ADDRESS, distance)

    def jump(self, code: int, target: int) -> None:
        """A jump back to ``target``; the distance counts from here, before a line number."""
        self.op1(code, target - len(self.words) - 2)

    def patch(self, position: int) -> None:
        """Let the jump whose argument is at ``position`` lead to here."""
        self.words[position] = len(self.words) - position - 1

    def template(self, start: int, fixups: int) -> Template:
        """The code that was written since the word ``start`` and the fixup ``fixups``."""
        moved = start << 3
        made = Template(
            tuple(self.words[start:]), tuple(fixup - moved for fixup in self.fixups[fixups:])
        )
        if self.hole >= start:
            made.hole = self.hole - start
            made.distance = self.words[self.hole] - self.depth
        return made

    def write(self, template: Template, offset: int = 0) -> None:
        """Write the code of a template, for a local variable with an offset."""
        if self.line:
            self.flush()
        words = self.words
        start = len(words)
        words += template.words
        if template.hole >= 0:
            words[start + template.hole] = self.depth + template.distance - offset
        if template.fixups:
            moved = start << 3
            for fixup in template.fixups:
                self.fixups.append(fixup + moved)
        if template.used:
            self.used |= template.used

    def cut(self, start: int, fixups: int) -> Chunk:
        """Take the code from ``start`` on away, with the fixups from number ``fixups`` on."""
        chunk = Chunk(self.words[start:], self.fixups[fixups:], start)
        del self.words[start:]
        del self.fixups[fixups:]
        return chunk

    def paste(self, chunk: Chunk) -> None:
        """Write code that was cut out."""
        self.flush()
        moved = len(self.words) - chunk.start
        self.words += chunk.words
        moved <<= 3
        self.fixups += [fixup + moved for fixup in chunk.fixups]

    def add_import(self, name: str) -> int:
        """A new slot of the import table."""
        self.imports.append(name)
        return len(self.imports) - 1

    def add_export(self, name: str, kind: int, address: int) -> None:
        """Export a name, once."""
        self.exports.setdefault(name, kind << 24 | address)

    def add_data(self, content: bytes) -> int:
        """Append to the global data; returns where."""
        offset = len(self.data)
        self.data += content
        return offset

    def start_section(self, name: str) -> None:
        """The code of a source file begins; a section without code is replaced, if not old."""
        here = len(self.words)
        if not self.listing and self.sections and self.sections[-1][1] == here:
            self.sections.pop()
        self.sections.append((name, here))
