"""Compiled scripts as assembly text, from which :mod:`.assembler` gives the same bytes.

Every position that may move has a label (see :mod:`.labels`): code (``L_on_event_3f0d12``),
strings (``s_Hello_185f8d``).  A literal that the loader adjusts is written with what it refers to:
``@string s_Hello_185f8d``, ``@function L_on_event``, ``@import "Character::Say^101"``,
``@data 200``, ``@stack 8``.  Words that are not instructions are written ``.word``.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from typing import Final

from overhaul.ags.script.labels import code_labels, string_labels
from overhaul.ags.script.model import Script
from overhaul.ags.script.tables import (
    CODE_FIXUPS,
    EXPORT_KINDS,
    FUNCTION,
    IMPORT,
    OPCODES,
    REGISTERS,
    STRING,
    Opcode,
)
from overhaul.ags.text import decode, quote

_COMMENT_LENGTH: Final = 60
_ROW: Final = 16


def string_pieces(strings: bytes) -> Iterator[tuple[int, bytes, bool]]:
    """The string table as (offset, bytes, whether a NUL ends it)."""
    offset = 0
    while offset < len(strings):
        end = strings.find(b"\0", offset)
        if end < 0:
            yield offset, strings[offset:], False
            return
        yield offset, strings[offset:end], True
        offset = end + 1


def instructions(
    words: tuple[int, ...], fixups: Mapping[int, int]
) -> Iterator[tuple[int, Opcode | None]]:
    """(index of its first word, opcode) for each instruction; None for another word.

    A word that the loader adjusts (an index in ``fixups``) is not an opcode.
    """
    index = 0
    end = len(words)
    while index < end:
        opcode = OPCODES.get(words[index])
        if opcode is None or index + len(opcode.arguments) >= end or index in fixups:
            yield index, None
            index += 1
        else:
            yield index, opcode
            index += 1 + len(opcode.arguments)


def inline_fixups(script: Script) -> dict[int, int] | None:
    """The fixups as {code word index: type}, if their list follows from the code.

    It does if positions ascend within the code and every type applies to code words; otherwise
    the result is None, and the list is written out.
    """
    size = len(script.code) // 4
    last = -1
    fixups: dict[int, int] = {}
    for kind, position in zip(script.fixup_types, script.fixup_positions, strict=True):
        if not last < position < size or kind not in CODE_FIXUPS:
            return None
        fixups[position] = kind
        last = position
    return fixups


def instruction_count(script: Script) -> int:
    """The number of instructions of a script, as its assembly text lists them."""
    words = script.words
    pairs = zip(script.fixup_positions, script.fixup_types, strict=True)
    fixups = {at: kind for at, kind in pairs if kind in CODE_FIXUPS and 0 <= at < len(words)}
    return sum(opcode is not None for _, opcode in instructions(words, fixups))


def disassemble(script: Script, encoding: str = "utf-8") -> str:
    """The assembly text of a script; ``assemble`` gives the same script back.

    Texts are shown in ``encoding``, which assembling needs again.
    """
    return "\n".join(_Disassembler(script, encoding).lines()) + "\n"


class _Disassembler:
    def __init__(self, script: Script, encoding: str) -> None:
        self.script = script
        self.encoding = encoding
        self.words = script.words
        fixups = inline_fixups(script)
        self.listed = fixups is None
        if fixups is None:
            pairs = zip(script.fixup_positions, script.fixup_types, strict=True)
            size = len(self.words)
            fixups = {at: kind for at, kind in pairs if kind in CODE_FIXUPS and 0 <= at < size}
        self.fixups = fixups
        self.found = list(instructions(self.words, fixups))
        pieces = list(string_pieces(script.strings))
        self.strings = {offset: text for offset, text, _ in pieces}
        self.string_labels = string_labels(pieces)
        self.string_starts = sorted(self.strings)
        targets = self._targets({*(index for index, _ in self.found), len(self.words)})
        self.labels = code_labels(script, self.found, fixups, targets)
        self.import_index: dict[str, int] = {}
        for index, name in enumerate(script.imports):
            self.import_index[name] = -1 if name in self.import_index else index

    def _quote(self, text: str) -> str:
        return quote(text, self.encoding)

    def lines(self) -> Iterator[str]:
        script = self.script
        yield f".script {script.version}"
        yield f".data {len(script.global_data)}"
        for offset in range(0, len(script.global_data), _ROW):
            row = script.global_data[offset : offset + _ROW]
            if any(row):
                yield f"    {offset:#06x}: {row.hex(' ')}"
        yield ".strings"
        for offset, text, ended in string_pieces(script.strings):
            label = self.string_labels[offset]
            yield f"    {label}: {self._quote(decode(text))}{'' if ended else ' unterminated'}"
        yield f".imports {len(script.imports)}"
        for index, name in enumerate(script.imports):
            if name:
                yield f"    {index}: {self._quote(name)}"
        yield ".exports"
        for export in script.exports:
            yield f"    {self._export(export.name, export.address)}"
        yield ".sections"
        for section in script.sections:
            yield f"    {self._quote(section.name)} {self._place(section.offset)}"
        if self.listed:
            yield ".fixups"
            for kind, position in zip(script.fixup_types, script.fixup_positions, strict=True):
                yield f"    {kind} {position}"
        for block in script.extensions:
            id, field = self._quote(str(block.id)), block.name.hex() or "-"
            yield f".extension {id} {block.number} {field}"
            for offset in range(0, len(block.data), 2 * _ROW):
                yield f"    {block.data[offset : offset + 2 * _ROW].hex()}"
        yield ".code"
        yield from self._code()

    def _code(self) -> Iterator[str]:
        words = self.words
        for index, opcode in self.found:
            if index in self.labels:
                yield f"{self.labels[index]}:"
            if opcode is None:
                yield f"    .word {self._literal(index)}"
                continue
            comment = ""
            operands: list[str] = []
            for number, kind in enumerate(opcode.arguments, start=index + 1):
                value = words[number]
                if number in self.fixups:
                    operands.append(self._literal(number))
                    comment = comment or self._comment(number)
                elif kind == "r":
                    operands.append(REGISTERS.get(value, f"r{value}"))
                elif opcode.is_jump and index + 2 + value in self.labels:
                    operands.append(self.labels[index + 2 + value])
                else:
                    operands.append(str(value))
            line = f"    {opcode.name} {', '.join(operands)}".rstrip()
            yield f"{line:<40} ; {comment}" if comment else line
        if len(words) in self.labels:
            yield f"{self.labels[len(words)]}:"

    def _targets(self, places: set[int]) -> set[int]:
        """The word indexes, of those between instructions, that need a label."""
        words, script = self.words, self.script
        targets: set[int] = set()
        for index, opcode in self.found:
            if opcode is not None and opcode.is_jump and index + 1 not in self.fixups:
                targets.add(index + 2 + words[index + 1])
        targets.update(words[at] for at, kind in self.fixups.items() if kind == FUNCTION)
        targets.update(e.address & 0xFFFFFF for e in script.exports if e.address >> 24 == 1)
        targets.update(section.offset for section in script.sections)
        return targets & places

    def _place(self, index: int) -> str:
        return self.labels.get(index, str(index))

    def _export(self, name: str, address: int) -> str:
        kind = EXPORT_KINDS.get(address >> 24)
        low = address & 0xFFFFFF
        if kind is None:
            return f"other {self._quote(name)} {address}"
        return f"{kind} {self._quote(name)} {self._place(low) if kind == 'function' else low}"

    def _literal(self, index: int) -> str:
        value = self.words[index]
        kind = self.fixups.get(index)
        if kind is None:
            return str(value)
        if kind == FUNCTION:
            target = self._place(value)
        elif kind == IMPORT:
            target = self._import(value)
        elif kind == STRING:
            target = self._string(value)
        else:
            target = str(value)
        return f"{CODE_FIXUPS[kind]} {target}"

    def _import(self, slot: int) -> str:
        imports = self.script.imports
        name = imports[slot] if 0 <= slot < len(imports) else ""
        return self._quote(name) if name and self.import_index[name] == slot else str(slot)

    def _string(self, offset: int) -> str:
        place = bisect_right(self.string_starts, offset) - 1
        if not 0 <= offset < len(self.script.strings) or place < 0:
            return str(offset)
        start = self.string_starts[place]
        return self.string_labels[start] + (f"+{offset - start}" if offset > start else "")

    def _comment(self, index: int) -> str:
        text = self.strings.get(self.words[index]) if self.fixups[index] == STRING else None
        if text is None:
            return ""
        quoted = self._quote(decode(text))
        return quoted if len(quoted) <= _COMMENT_LENGTH else quoted[:_COMMENT_LENGTH] + "…"
