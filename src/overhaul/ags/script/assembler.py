"""Assembly text back into a compiled script: the inverse of :mod:`.disassembler`."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable
from typing import Final

from overhaul.ags.blocks import Block
from overhaul.ags.script.model import Export, Script, Section
from overhaul.ags.script.tables import (
    BY_NAME,
    CODE_FIXUPS,
    EXPORT_KINDS,
    FUNCTION,
    IMPORT,
    REGISTER_NUMBERS,
    STRING,
)
from overhaul.ags.text import encode, unquote
from overhaul.errors import SourceError

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|;.*|[^\s,;"]+|,')
_FIXUPS: Final = {name: kind for kind, name in CODE_FIXUPS.items()}
_MASK: Final = 0xFFFFFFFF
_EXPORTS: Final = {"other": 0} | {name: kind << 24 for kind, name in EXPORT_KINDS.items()}


def assemble(text: str, *, name: str = "", encoding: str = "utf-8") -> Script:
    """The script of an assembly text.  Raises SourceError with the line that is not valid.

    ``name`` is the file's name for errors, ``encoding`` what its texts are written in.
    """
    assembler = _Assembler(encoding)
    number = 0
    try:
        for number, line in enumerate(text.splitlines(), start=1):
            tokens = [t for t in _TOKEN.findall(line) if t != "," and not t.startswith(";")]
            if tokens:
                assembler.line(tokens, number)
        return assembler.finish()
    except SourceError as error:
        line_number = error.line or assembler.current or number
        raise SourceError(error.message, line_number, 1, name=name) from error


class _Assembler:
    def __init__(self, encoding: str) -> None:
        self.encoding = encoding
        self.script = Script()
        self.data = bytearray()
        self.strings = bytearray()
        self.imports: list[str] = []
        self.import_index: dict[str, int] = {}
        self.string_labels: dict[str, int] = {}
        self.string_texts: dict[str, bytes] = {}
        self.labels: dict[str, int] = {}
        self.words: list[int] = []
        self.fixups: list[tuple[int, int]] = []
        self.listed: list[tuple[int, int]] | None = None
        # Operands that refer to labels are set when all labels are known.
        self.pending: list[tuple[int, int, Callable[[], int]]] = []
        self.after: list[tuple[int, Callable[[], None]]] = []
        self.rows: dict[str, Callable[[list[str]], None] | None] = {
            ".script": None,
            ".data": self._data_row,
            ".strings": self._string_row,
            ".imports": self._import_row,
            ".exports": self._export_row,
            ".sections": self._section_row,
            ".fixups": self._fixup_row,
            ".extension": self._extension_row,
            ".code": self._code_row,
        }
        #: The reader of a line of the current directive.
        self.row: Callable[[list[str]], None] | None = None
        self.number = 0
        self.current = 0
        self.seen: set[str] = set()

    def line(self, tokens: list[str], number: int) -> None:
        self.number = number
        first = tokens[0]
        if first.startswith(".") and first != ".word":
            self._directive(first, tokens[1:])
            return
        if self.row is None:
            raise SourceError("expected a directive")
        self.row(tokens)

    def finish(self) -> Script:
        if ".script" not in self.seen:
            raise SourceError("expected .script at the start of the text")
        for index, line, value in self.pending:
            self.current = line
            self.words[index] = value()
        for line, act in self.after:
            self.current = line
            act()
        self.current = 0
        script = self.script
        fixups = self.fixups if self.listed is None else self.listed
        script.global_data = bytes(self.data)
        script.strings = bytes(self.strings)
        script.imports = self.imports
        script.code = struct.pack(f"<{len(self.words)}I", *(word & _MASK for word in self.words))
        script.fixup_types = bytes(kind for kind, _ in fixups)
        script.fixup_positions = [position for _, position in fixups]
        return script

    def _unquote(self, quoted: str) -> str:
        return unquote(quoted, self.encoding)

    def _directive(self, name: str, rest: list[str]) -> None:
        if name in self.seen and name != ".extension":
            raise SourceError(f"duplicate directive {name}")
        if name not in self.rows:
            raise SourceError(f"unknown directive {name}")
        self.seen.add(name)
        self.row = self.rows[name]
        if name == ".script":
            self.script.version = _integer(_one(rest))
        elif name == ".data":
            self.data = bytearray(_size(_one(rest)))
        elif name == ".imports":
            self.imports = [""] * _size(_one(rest))
        elif name == ".fixups":
            self.listed = []
        elif name == ".extension":
            if len(rest) != 3:
                raise SourceError("expected an id, a number and 16 bytes of name")
            field = b"" if rest[2] == "-" else _hex(rest[2])
            self.script.extensions.append(Block(_integer(rest[1]), field, b""))

    def _data_row(self, tokens: list[str]) -> None:
        offset = _integer(tokens[0].removesuffix(":"))
        row = _hex("".join(tokens[1:]))
        if offset < 0 or offset + len(row) > len(self.data):
            raise SourceError("the row lies outside the data, whose size .data gives")
        self.data[offset : offset + len(row)] = row

    def _string_row(self, tokens: list[str]) -> None:
        if len(tokens) not in (2, 3) or not tokens[0].endswith(":"):
            raise SourceError('expected  label: "text"')
        label, text = tokens[0][:-1], encode(self._unquote(tokens[1]))
        if self.string_texts.setdefault(label, text) != text:
            raise SourceError(f"duplicate string label {label}")
        self.string_labels.setdefault(label, len(self.strings))
        self.strings += text
        if len(tokens) == 2:
            self.strings.append(0)
        elif tokens[2] != "unterminated":
            raise SourceError(f"unexpected {tokens[2]} after a string")

    def _import_row(self, tokens: list[str]) -> None:
        if len(tokens) != 2:
            raise SourceError('expected  slot: "name"')
        slot = _integer(tokens[0].removesuffix(":"))
        if not 0 <= slot < len(self.imports):
            raise SourceError(f"unknown import slot {slot}; .imports gives their number")
        name = self._unquote(tokens[1])
        self.imports[slot] = name
        self.import_index.setdefault(name, slot)

    def _export_row(self, tokens: list[str]) -> None:
        if len(tokens) != 3 or tokens[0] not in _EXPORTS:
            raise SourceError('expected  function|data "name" place')
        export = Export(self._unquote(tokens[1]), 0)
        self.script.exports.append(export)
        base = _EXPORTS[tokens[0]]

        def place() -> None:
            export.address = base | self._place(tokens[2])

        self.after.append((self.number, place))

    def _section_row(self, tokens: list[str]) -> None:
        if len(tokens) != 2:
            raise SourceError('expected  "name" place')
        section = Section(self._unquote(tokens[0]), 0)
        self.script.sections.append(section)

        def place() -> None:
            section.offset = self._place(tokens[1])

        self.after.append((self.number, place))

    def _fixup_row(self, tokens: list[str]) -> None:
        if len(tokens) != 2 or self.listed is None:
            raise SourceError("expected  type position")
        kind = _integer(tokens[0])
        if not 0 <= kind <= 255:
            raise SourceError(f"not a valid fixup type: {kind}")
        self.listed.append((kind, _integer(tokens[1])))

    def _extension_row(self, tokens: list[str]) -> None:
        self.script.extensions[-1].data += _hex("".join(tokens))

    def _code_row(self, tokens: list[str]) -> None:
        first = tokens[0]
        if len(tokens) == 1 and first.endswith(":"):
            label = first[:-1]
            if label in self.labels:
                raise SourceError(f"duplicate label {label}")
            self.labels[label] = len(self.words)
            return
        if first == ".word":
            kinds, is_jump = "i", False
        else:
            opcode = BY_NAME.get(first)
            if opcode is None:
                raise SourceError(f"unknown instruction {first}")
            kinds, is_jump = opcode.arguments, opcode.is_jump
            self.words.append(opcode.number)
        rest = tokens[1:]
        for kind in kinds:
            if not rest:
                raise SourceError(f"expected {len(kinds)} operands of {first}")
            used = self._operand(rest, kind, is_jump)
            rest = rest[used:]
        if rest:
            raise SourceError(f"too many operands of {first}: {' '.join(rest)}")

    def _operand(self, tokens: list[str], kind: str, is_jump: bool) -> int:
        """Append the word of the first operand in ``tokens``; return how many tokens it takes."""
        token = tokens[0]
        index = len(self.words)
        self.words.append(0)
        fixup = _FIXUPS.get(token)
        if fixup is not None:
            if len(tokens) < 2:
                raise SourceError(f"expected a target after {token}")
            target = tokens[1]
            self.fixups.append((fixup, index))
            self.pending.append((index, self.number, lambda: self._target(fixup, target)))
            return 2
        if kind == "r" and token in REGISTER_NUMBERS:
            self.words[index] = REGISTER_NUMBERS[token]
        elif kind == "r":
            if not token.startswith("r"):
                raise SourceError(f"unknown register {token}")
            self.words[index] = _integer(token[1:])
        elif is_jump and token.startswith("L"):
            self.pending.append((index, self.number, lambda: self._place(token) - index - 1))
        else:
            self.words[index] = _integer(token)
        return 1

    def _target(self, fixup: int, target: str) -> int:
        if fixup == FUNCTION:
            return self._place(target)
        if fixup == IMPORT:
            if not target.startswith('"'):
                return _integer(target)
            name = self._unquote(target)
            if name not in self.import_index:
                raise SourceError(f"unknown import {target}")
            return self.import_index[name]
        if fixup == STRING and target.startswith("s"):
            label, _, more = target.partition("+")
            if label not in self.string_labels:
                raise SourceError(f"unknown string {label}")
            return self.string_labels[label] + (_integer(more) if more else 0)
        return _integer(target)

    def _place(self, text: str) -> int:
        """The word index of a code label, or the plain number."""
        if not text.startswith("L"):
            return _integer(text)
        if text not in self.labels:
            raise SourceError(f"unknown label {text}")
        return self.labels[text]


def _one(tokens: list[str]) -> str:
    if len(tokens) != 1:
        raise SourceError("expected one number")
    return tokens[0]


def _size(text: str) -> int:
    value = _integer(text)
    if not 0 <= value <= 1 << 24:
        raise SourceError(f"not a valid size: {text}")
    return value


def _integer(text: str) -> int:
    try:
        value = int(text, 0)
    except ValueError:
        raise SourceError(f"expected a number, got {text}") from None
    if not -(1 << 31) <= value < 1 << 32:
        raise SourceError(f"expected a number of 32 bits, got {text}")
    return value


def _hex(text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        raise SourceError(f"expected hexadecimal digits, got {text}") from None
