"""The texts of a script, and what each is used for: who says it, which function gets it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from overhaul.ags.script.disassembler import instructions, string_pieces
from overhaul.ags.script.model import Script
from overhaul.ags.script.tables import CODE_FIXUPS, IMPORT, REGISTERS, STRING, Opcode
from overhaul.ags.text import decode
from overhaul.schema.record import short_repr

_SOURCE_MARK: Final = b"__NEWSCRIPTSTART_"
_COMPARED: Final = frozenset(("streq", "strne", "cmpeq", "cmpne"))
#: instructions that copy a register, or the value that it points to
_KEEPS: Final = frozenset(("memread4", "memread.ptr", "newstring", "checknull", "addi", "subi"))
_STAYS: Final = frozenset(("memwrite4", "memwrite.ptr", "memwrite1", "memwrite2", "meminit.ptr"))
_LITERAL = re.compile(r'//[^\n]*|/\*.*?\*/|\'(?:[^\'\\\n]|\\.)\'|"((?:[^"\\\n]|\\.)*)"', re.DOTALL)
_ESCAPES: Final = {"n": "\n", "r": "\r", "t": "\t"}


@dataclass
class ScriptText:
    """A text of a script: where it is first used, and what for (``cEgo: Say``, ``Display``)."""

    text: str
    section: str = ""
    line: int = 0
    uses: list[str] = field(default_factory=list)

    __repr__ = short_repr


def script_texts(script: Script) -> list[ScriptText]:
    """The texts of a script's table, in its order, which is that of the source."""
    walk = _Walk(script)
    walk.run()
    texts = []
    for offset, stored, _ in string_pieces(script.strings):
        if stored and not stored.startswith(_SOURCE_MARK):
            place = walk.places.get(offset, ("", 0))
            uses = list(dict.fromkeys(walk.uses.get(offset, ())))
            texts.append(ScriptText(decode(stored), *place, uses))
    return texts


def source_texts(source: bytes) -> list[ScriptText]:
    """The texts in double quotes of a script's source, in its order."""
    text = decode(source)
    return [
        ScriptText(_unescaped(match[1]), "", text.count("\n", 0, match.start()) + 1)
        for match in _LITERAL.finditer(text)
        if match[1]
    ]


def _unescaped(literal: str) -> str:
    return re.sub(
        r"\\(.)",
        lambda match: match[0] if match[1] == "[" else _ESCAPES.get(match[1], match[1]),
        literal,
        flags=re.DOTALL,
    )


class _Walk:
    """Follows what registers hold through the code: the offset of a text, or an imported name."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.words = script.words
        pairs = zip(script.fixup_positions, script.fixup_types, strict=False)
        size = len(self.words)
        self.fixups = {at: kind for at, kind in pairs if kind in CODE_FIXUPS and 0 <= at < size}
        self.places: dict[int, tuple[str, int]] = {}
        self.uses: dict[int, list[str]] = {}
        self.held: dict[str, int | str | None] = {}
        self.pushed: list[int | str | None] = []
        self.arguments: list[int | str | None] = []
        self.count = 0
        self.object = ""

    def run(self) -> None:
        """Walk over all of the code, in the order of its words."""
        sections = sorted(self.script.sections, key=lambda section: section.offset)
        starts = [section.offset for section in sections]
        line = 0
        for index, opcode in instructions(self.words, self.fixups):
            if opcode is None:
                continue
            if opcode.name == "sourceline":
                line = self.words[index + 1]
            for offset in self._step(index, opcode):
                at = bisect_right(starts, index) - 1
                self.places.setdefault(offset, (sections[at].name if at >= 0 else "", line))

    def _step(self, index: int, opcode: Opcode) -> Iterator[int]:
        """Carry out an instruction; yields the offset of a text that it loads."""
        values = self.words[index + 1 : index + 1 + len(opcode.arguments)]
        names = [
            REGISTERS.get(value, "") if kind == "r" else ""
            for kind, value in zip(opcode.arguments, values, strict=True)
        ]
        first = names[0] if names else ""
        match opcode.name:
            case "movl":
                kind = self.fixups.get(index + 2)
                self.held[first] = None
                if kind == STRING:
                    self.held[first] = values[1]
                    yield values[1]
                elif kind == IMPORT and 0 <= values[1] < len(self.script.imports):
                    self.held[first] = self.script.imports[values[1]]
            case "mov":
                self.held[names[1]] = self.held.get(first)
            case "push":
                self.pushed.append(self.held.get(first))
            case "pop":
                self.held[first] = self.pushed.pop() if self.pushed else None
            case "farpush":
                self.arguments.append(self.held.get(first))
            case "farsubsp":
                del self.arguments[max(0, len(self.arguments) - values[0]) :]
            case "setfuncargs":
                self.count = values[0]
            case "callobj":
                held = self.held.get(first)
                self.object = held if isinstance(held, str) else ""
            case "farcall":
                self._call(self.held.get(first))
            case name if name in _COMPARED:
                for register in names:
                    self._note(self.held.get(register), "compared")
                self.held[first] = None
            case name if name in _KEEPS:
                if name.startswith("memread"):
                    self.held[first] = self.held.get("mar")
            case name if first and name not in _STAYS:
                self.held[first] = None

    def _call(self, function: int | str | None) -> None:
        if isinstance(function, str):
            name = function.partition("^")[0]
            owner, _, member = name.rpartition("::")
            who = f"{self.object}: {member}" if self.object and owner else name
            count = min(self.count, len(self.arguments))
            for argument in self.arguments[len(self.arguments) - count :]:
                self._note(argument, who)
        self.object = ""
        self.held["ax"] = None

    def _note(self, held: int | str | None, use: str) -> None:
        if isinstance(held, int):
            self.uses.setdefault(held, []).append(use)
