"""CODE: code entries, their bytecode as instruction columns."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from overhaul.errors import EncodeError, FormatError
from overhaul.gamemaker.data.chunks.bytecode import NO_CODE, Bytecode, join, rows_of
from overhaul.gamemaker.data.chunks.code_rows import Instructions
from overhaul.gamemaker.data.fields import StringRef
from overhaul.gamemaker.data.strings import read_pointers
from overhaul.gamemaker.data.version import Version
from overhaul.gml.context import Context
from overhaul.gml.vm import columns as vm
from overhaul.gml.vm.code import Code
from overhaul.gml.vm.disassembler import Numbering, disassemble
from overhaul.gml.vm.linking import concatenate
from overhaul.gml.vm.stored_code import StoredCode
from overhaul.schema import (
    Buffer,
    NotStored,
    Reader,
    Record,
    VariableCodec,
    Writer,
    codec_for,
    fields_of,
    i32,
    u16,
    u32,
)
from overhaul.schema.record import short_repr
from overhaul.schema.streams import U32
from overhaul.suggest import cut

if TYPE_CHECKING:
    from overhaul.schema.outline import Outline
    from overhaul.schema.outlining import Outliner, SlotOf


class CodeHead(Record):
    """The fields of a code entry in bytecode 15 and later."""

    name: StringRef = None
    length: Annotated[u32, "bytes of bytecode; of a child those of its root"] = 0
    locals_count: u16 = 0
    arguments: Annotated[u16, "low 13 bits; bit 15: a root without locals (2024.2+)"] = 0
    address: Annotated[i32, "of the bytecode, relative to this field"] = 0
    offset: Annotated[u32, "where a child begins in its root's bytecode"] = 0


class OldCodeHead(Record):
    """The fields of a code entry in bytecode 14 and earlier; the bytecode follows at once."""

    name: StringRef = None
    length: Annotated[u32, "bytes of bytecode"] = 0


class CodeSources(Protocol):
    """The sources of a game's code, as code entries use them."""

    def source(self, entry: CodeEntry) -> tuple[str, list[str]]: ...


class CodeTools(Protocol):
    """The language tools of a game, as code entries use them."""

    @property
    def context(self) -> Context: ...
    @property
    def numbering(self) -> Numbering: ...
    def children(self, root: CodeEntry) -> list[CodeEntry]: ...
    def code(self, entry: CodeEntry) -> Code: ...
    @property
    def decompiled(self) -> CodeSources: ...
    def words(self, entry: CodeEntry) -> bytes: ...
    def assemble(self, entry: CodeEntry, text: str) -> None: ...
    def assign_source(self, entry: CodeEntry, source: str) -> None: ...


class CodeEntry(Record, eq=False):
    """A code entry: a root with bytecode of its own, or a child that begins inside its root.

    ``arguments`` is the raw word (bits 0–12 the number of arguments).  ``game`` is set by the game
    the entry belongs to, for what needs names.  ``name`` refers to the table of strings,
    ``locals_count`` is the number of local variables, ``offset`` is where a child begins in the
    root's bytecode.
    """

    name: StringRef = None
    locals_count: u16 = 0
    arguments: u16 = 0
    offset: u32 = 0
    root: Annotated[CodeEntry | None, NotStored()] = None
    bytecode: Bytecode = NO_CODE
    game: Any = None

    @property
    def _language(self) -> CodeTools:
        tools: CodeTools = self.game.language
        return tools

    @property
    def code(self) -> Bytecode:
        """The instructions: the root's, for a child."""
        return self.bytecode if self.root is None else self.root.bytecode

    @property
    def instructions(self) -> Instructions:
        """The instructions as columns and as rows: all of the root's, for a child."""
        return Instructions(
            str(self.name), self.code.columns, lambda: list(self.symbolic.instructions)
        )

    @property
    def unreadable(self) -> str:
        """Why the instructions can't be read; empty for readable ones. ``to_bytes()`` returns them,
        and they are kept until other code is assigned."""
        return self.code.unreadable

    @property
    def locals(self) -> int:
        """How many local variables there are, as the game counts them."""
        return self.locals_count

    @property
    def argument_count(self) -> int:
        """How many arguments the function has."""
        return self.arguments & 0x1FFF

    @property
    def children(self) -> list[CodeEntry]:
        """The functions inside this root entry, in the order of the list."""
        return self._language.children(self)

    @property
    def symbolic(self) -> Code:
        """The code as the functions of :mod:`overhaul.gml` take it; of a child: its root's."""
        return self._language.code(self)

    @property
    def assembly(self) -> str:
        """The entry as assembly text; of a child: its root's.  Assigning assembles."""
        language = self._language
        return disassemble(language.code(self), language.context, numbering=language.numbering)

    @assembly.setter
    def assembly(self, text: str) -> None:
        self._language.assemble(self, text)

    @property
    def gml(self) -> str:
        """The entry as source; of a child: its root's.  Assigning compiles."""
        return self._language.decompiled.source(self)[0]

    @gml.setter
    def gml(self, source: str) -> None:
        self._language.assign_source(self, source)

    def to_bytes(self) -> bytes:
        """The bytecode as stored in the game; of a child its own part."""
        return self._language.words(self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CodeEntry):
            return NotImplemented
        same_root = (self.root is None) == (other.root is None)
        return (
            same_root
            and self.name == other.name
            and self.locals_count == other.locals_count
            and self.arguments == other.arguments
            and self.offset == other.offset
            and (self.root is not None or self.bytecode == other.bytecode)
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        if self.root is not None:
            return f"<function {cut(str(self.name), 80)} in {cut(str(self.root.name), 80)}>"
        return f"<code entry {cut(str(self.name), 120)}: {len(self.bytecode)} instructions>"


class CodeEntries(VariableCodec["CodeArea"]):
    """Bytecode 15+: pointers, the bytecode of all roots, then a 20-byte record for each entry.

    Before, each record is followed by its bytecode.
    """

    def type_name(self) -> str:
        return "pointer list of CodeHead, the bytecode between pointers and records"

    def outline(self, outliner: Outliner, slot_of: SlotOf) -> Outline:
        return ("own", "code", (), -1)

    def read(self, data: Buffer, position: int, reader: Reader) -> tuple[CodeArea, int]:
        pointers, position = read_pointers(data, position, reader)
        if reader.version.bytecode <= 14:
            return self._read_old(data, position, reader, pointers)
        head = codec_for(CodeHead, reader.version)
        found = self._read_regular(data, reader, pointers)
        heads, begins, end = found or self._read_heads(data, position, reader, pointers)
        first = next((pointer for pointer in pointers if pointer), position)
        entries, spans = self._group(reader, heads, begins, position, first)
        area = _decode(data, reader, spans, entries)
        self._check_heads(reader, pointers, first, head.flat_size)
        return area, max(end, first)

    @staticmethod
    def _read_regular(
        data: Buffer, reader: Reader, pointers: tuple[int, ...]
    ) -> tuple[list[CodeHead | None], list[int], int] | None:
        """The heads of entries that stand one after another, where their bytecode begins, and where
        they end; None where one breaks a rule."""
        head = codec_for(CodeHead, reader.version)
        size, count = head.flat_size, len(pointers)
        if not count or not size:
            return None
        first, end = pointers[0], pointers[0] + size * count
        if first < reader.base or end > len(data) or pointers != tuple(range(first, end, size)):
            return None
        try:
            heads: list[CodeHead | None] = list(head.read_flat(data, first, count, reader))
        except FormatError:
            return None
        stored = np.frombuffer(data, "<u4", 5 * count, first).reshape(count, 5)
        begins = stored[:, 3].view(np.int32) + np.arange(first + 12, end + 12, size)
        lengths = stored[:, 1].astype(np.int64)
        if begins.min() < reader.base or (begins + lengths).max() > len(data):
            return None
        return heads, begins.tolist(), end

    @staticmethod
    def _read_heads(
        data: Buffer, position: int, reader: Reader, pointers: tuple[int, ...]
    ) -> tuple[list[CodeHead | None], list[int], int]:
        """The heads of all entries, where their bytecode begins, and where the last head ends."""
        head = codec_for(CodeHead, reader.version)
        heads: list[CodeHead | None] = []
        begins: list[int] = []
        end = position
        for index, pointer in enumerate(pointers):
            if not pointer:
                heads.append(None)
                begins.append(0)
                continue
            try:
                if not reader.base <= pointer < len(data):
                    raise reader.fail(f"the pointer {pointer:#x} is outside the chunk", position)
                entry, end = head.read(data, pointer, reader)
                begin = pointer + 12 + entry.address
                if not reader.base <= begin <= len(data) - entry.length:
                    raise reader.fail("the bytecode lies outside the chunk", pointer)
            except FormatError as error:
                raise error.within("", index) from None
            heads.append(entry)
            begins.append(begin)
        return heads, begins, end

    @staticmethod
    def _check_heads(reader: Reader, pointers: tuple[int, ...], first: int, size: int) -> None:
        expected = first
        for pointer in pointers:
            if pointer:
                if pointer != expected:
                    reader.note("a code entry out of order", pointer)
                expected = pointer + size

    @staticmethod
    def _group(
        reader: Reader, heads: list[CodeHead | None], begins: list[int], start: int, stop: int
    ) -> tuple[list[CodeEntry | None], list[tuple[int, int]]]:
        """The entries, children with their roots, and (address, length) of each root."""
        roots: dict[int, CodeEntry] = {}
        lengths: dict[int, int] = {}
        entries: list[CodeEntry | None] = []
        spans: list[tuple[int, int]] = []
        expected = start
        for index, (head, begin) in enumerate(zip(heads, begins, strict=True)):
            if head is None:
                entries.append(None)
                continue
            root = roots.get(begin) if head.length else None
            entry = CodeEntry(head.name, head.locals_count, head.arguments, head.offset, root)
            entries.append(entry)
            if root is not None:
                if head.length != lengths[begin]:
                    reader.note("a child entry of another length than its root", begin)
                continue
            if begin != expected:
                if begin < expected and head.length:
                    raise reader.fail("the bytecode of two entries overlaps", begin).within(
                        "", index
                    )
                reader.note("bytecode out of order", begin)
            if head.offset:
                reader.note("a root entry with an offset", begin)
            spans.append((begin, head.length))
            if head.length:
                roots[begin] = entry
                lengths[begin] = head.length
                expected = begin + head.length
        if expected != stop:
            reader.note("bytes between the bytecode and the records", expected)
        return entries, spans

    def _read_old(
        self, data: Buffer, position: int, reader: Reader, pointers: tuple[int, ...]
    ) -> tuple[CodeArea, int]:
        head = codec_for(OldCodeHead, reader.version)
        entries: list[CodeEntry | None] = []
        spans = []
        for index, pointer in enumerate(pointers):
            try:
                position = reader.follow(data, pointer, position, 1)
                entry, position = head.read(data, position, reader)
                if entry.length > len(data) - position:
                    raise reader.fail("the bytecode lies outside the chunk", pointer)
            except FormatError as error:
                raise error.within("", index) from None
            entries.append(CodeEntry(entry.name))
            spans.append((position, entry.length))
            position += entry.length
        return _decode(data, reader, spans, entries), position

    def write(self, writer: Writer, value: CodeArea) -> None:
        out = writer.out
        entries = value.entries
        out += U32.pack(len(entries))
        table = len(out)
        out += bytes(4 * len(entries))
        roots = [e for e in entries if e is not None and e.root is None]
        codes = [e.bytecode for e in roots]
        sizes = [code.size for code in codes]
        old = writer.version.bytecode <= 14
        begins: list[int] = []
        position = writer.position
        for size in sizes:
            position += 8 if old else 0
            begins.append(position)
            position += size
        linked: Any = writer.encoders["chains"]
        written = None
        if begins and not old:  # older code has gaps between entries
            written = linked.splice(value, codes, begins[0], writer.source)
        if written is None:
            columns, record = _to_link(codes)
            linked(Bytecode(columns, record), addresses_of(columns.size, sizes, begins))
            written = vm.encode(columns, writer.version.bytecode)
        if old:
            self._write_old(writer, roots, sizes, written, table)
        else:
            self._write_new(
                writer,
                entries,
                dict(zip(map(id, roots), begins, strict=True)),
                dict(zip(map(id, roots), sizes, strict=True)),
                written,
                table,
            )

    @staticmethod
    def _write_old(
        writer: Writer, entries: list[CodeEntry], sizes: list[int], written: bytes, table: int
    ) -> None:
        head = codec_for(OldCodeHead, writer.version)
        at = 0
        for index, (entry, size) in enumerate(zip(entries, sizes, strict=True)):
            writer.point(table + 4 * index, writer.position)
            head.write(writer, OldCodeHead(entry.name, size))
            writer.out += written[at : at + size]
            at += size

    @staticmethod
    def _write_new(
        writer: Writer,
        entries: list[CodeEntry | None],
        begins: dict[int, int],
        sizes: dict[int, int],
        written: Buffer,
        table: int,
    ) -> None:
        head = codec_for(CodeHead, writer.version)
        writer.add(written)
        position = writer.position
        heads: list[CodeHead] = []
        pointers = [0] * len(entries)
        for index, entry in enumerate(entries):
            if entry is None:
                continue
            root = id(entry if entry.root is None else entry.root)
            if root not in begins:
                raise EncodeError(f"the root of the code entry {entry.name} is not in the game")
            pointers[index] = position
            address = begins[root] - (position + 12)
            counts = entry.locals_count, entry.arguments
            heads.append(CodeHead(entry.name, sizes[root], *counts, address, entry.offset))
            position += head.flat_size
        struct.pack_into(f"<{len(entries)}I", writer.out, table, *pointers)
        places = range(table, table + 4 * len(entries), 4)
        writer.noted("pointer").extend(
            place for place, pointer in zip(places, pointers, strict=True) if pointer
        )
        head.write_flat(writer, heads)


@dataclass(slots=True)
class CodeArea:
    """All code entries, and where their instructions stood in the file they were read from.

    ``addresses`` has that until the chains are followed. ``begin`` is their beginning, if there
    is no gap between them and nothing unusual about them; -1 elsewhere.
    """

    __repr__ = short_repr

    entries: list[CodeEntry | None]
    code: Bytecode
    addresses: npt.NDArray[np.uint32]
    begin: int = -1


def unreadable_entries(
    area: CodeArea | None, version: Version, start: int
) -> Iterator[tuple[CodeEntry, int, int]]:
    """The entries that can't be read, with the address and size of their bytecode in a file that
    has the content of CODE at ``start``."""
    entries = [] if area is None else area.entries
    head = codec_for(OldCodeHead, version).flat_size if version.bytecode <= 14 else 0
    position = start + 4 + 4 * len(entries)
    for entry in entries:
        if entry is not None and entry.root is None:
            position += head
            if entry.unreadable:
                yield entry, position, entry.bytecode.size
            position += entry.bytecode.size


def _to_link(codes: list[Bytecode]) -> tuple[vm.Columns, npt.NDArray[np.int32]]:
    """The instructions of all entries and their records.  Linking writes to the operands, which
    are copied."""
    code = join(codes, views=True)
    return replace(code.columns, operand=code.columns.operand.copy()), code.record


def addresses_of(
    size: npt.NDArray[np.uint8], sizes: list[int], begins: list[int]
) -> npt.NDArray[np.uint32]:
    """The file address of every instruction of joined entries, by the ``size`` of each in words."""
    addresses = np.cumsum(size, dtype=np.uint32)
    addresses -= size
    addresses *= 4
    starts = np.cumsum([0, *sizes])[:-1]
    moves = (np.array(begins, np.int64) - starts).astype(np.uint32)  # one below 0 wraps around
    if (moves == moves[:1]).all():
        addresses += moves[:1]
    else:
        # entries of no length own no instruction
        first = np.append(np.searchsorted(addresses, starts), len(addresses))
        addresses += np.repeat(moves, np.diff(first))
    return addresses


class _Decoded(NamedTuple):
    """The instructions that stand at some addresses, of some lengths."""

    spans: list[tuple[int, int]]
    columns: StoredCode


def _decode(
    data: Buffer,
    reader: Reader,
    spans: list[tuple[int, int]],
    entries: list[CodeEntry | None],
) -> CodeArea:
    """The instructions of all root entries, by entry. The code of a few unreadable entries is kept
    word for word; FormatError if most entries are unreadable."""
    view = memoryview(data)
    roots = [entry for entry in entries if entry is not None and entry.root is None]
    filled = [span for span in spans if span[1]]
    contiguous = all(first[0] + first[1] == second[0] for first, second in pairwise(filled))
    if contiguous and filled:
        blob: Buffer = view[filled[0][0] : filled[-1][0] + filled[-1][1]]
    else:
        blob = b"".join([view[begin : begin + length] for begin, length in filled])
    sizes = [length for _, length in filled]
    begins = [begin for begin, _ in filled]
    starts = np.cumsum([0, *sizes])[:-1]
    unreadable: dict[int, str] = {}
    columns: vm.Columns | StoredCode
    found = reader.found.get("columns")
    if isinstance(found, _Decoded) and found.spans == filled:
        columns = found.columns
    else:
        try:
            columns = StoredCode(blob, reader.version.bytecode, starts)
            reader.found["columns"] = _Decoded(filled, columns)
        except FormatError as error:
            if error.offset is not None and filled:
                owner = int(np.searchsorted(starts, error.offset, side="right")) - 1
                error.offset += begins[owner] - int(starts[owner])
            error.source = reader.source
            columns, unreadable = _decode_each(view, reader, filled, error)
            columns.lock()  # a write in place would be lost where the stored words are taken
    area = CodeArea(entries, Bytecode.of(columns), addresses_of(columns.size, sizes, begins))
    if contiguous and filled and not unreadable:
        area.begin = filled[0][0]
    parts = rows_of(area.code, [length for _, length in spans])
    for entry, (begin, length), part in zip(roots, spans, parts, strict=True):
        part.unreadable = unreadable.get(begin, "") if length else ""
        entry.bytecode = part
    return area


def _decode_each(
    view: memoryview, reader: Reader, spans: list[tuple[int, int]], problem: FormatError
) -> tuple[vm.Columns, dict[int, str]]:
    """Decode entries one by one, and say by the place of each why it can't be read.

    Raises the ``problem`` of all of them if none or few can.
    """
    parts: list[vm.Columns] = []
    reasons: dict[int, str] = {}
    for begin, length in spans:
        words = view[begin : begin + length]
        try:
            parts.append(vm.decode(words, reader.version.bytecode))
        except FormatError as error:
            if length % 4:
                raise problem from None
            parts.append(vm.unreadable(words))
            reasons[begin] = f"{error.message} at byte {error.offset} of its code"
    if 2 * len(reasons) > len(spans):
        raise problem
    return concatenate(parts), reasons


class CodeChunk(Record, eq=False):
    """All code entries."""

    area: Annotated[CodeArea, CodeEntries()] = None  # type: ignore[assignment]

    @property
    def entries(self) -> list[CodeEntry | None]:
        """The entries, in file order."""
        return self.area.entries


# Entries are made by hand, not by a codec, which would see to this: names show later texts.
fields_of(CodeEntry)
