"""Extension blocks: the list at the end of game data; rooms and translations consist of one.

Every block has an id, a length and that many bytes.  An id byte above 0 is a number, 0 announces
a string id of 16 bytes (NUL-padded; all 16 may be used), and 0xFF ends the list.  A string id is
always followed by an 8-byte length; the length after a number depends on the kind of file, and is
part of a :class:`BlockFormat`.  Translations use the same list with 4-byte ids.

    blocks = read_blocks(data, ROOM)
    for block in blocks: ...
    blocks.get("ext_sopts").data
    blocks.replace(7, script); blocks.add("my_block", b"..."); blocks.remove(2)
    data = blocks.to_bytes()

Unknown ids, the order, duplicates and bytes after the NUL of a string id are kept.
Sources: the engine's notes on "Extending game and room data format" and
``Common/data/data_ext.cpp``.  The engine reads an id byte as signed, so numbers above 127 end
the list for it although the notes call them ids; here they are read as ids, with a warning.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, Protocol, TypeVar

from overhaul.errors import EncodeError, FormatError
from overhaul.findings import Findings
from overhaul.schema.record import short_repr

#: a number above 0, or a text of at most 16 bytes
BlockId = int | str


class HasId(Protocol):
    """Something with a block's id."""

    @property
    def id(self) -> BlockId:
        """The block's number or text."""


B = TypeVar("B", bound=HasId)

#: the bytes of an id that is a text
STRING_ID_SIZE: Final = 16
_STRING_LENGTH_SIZE: Final = 8


@dataclass(frozen=True, slots=True)
class BlockFormat:
    """How a block list is laid out: the sizes in bytes of ids (``id_size``) and of lengths after
    numeric ids (``length_size``).
    """

    id_size: int = 1
    length_size: int = 8

    @property
    def end_marker(self) -> bytes:
        """The id that ends a list: all bits set."""
        return b"\xff" * self.id_size

    @property
    def largest_number(self) -> int:
        """The largest numeric id the list can hold."""
        return 0xFE if self.id_size == 1 else 0x7FFFFFFF


GAME: Final = BlockFormat()
"""Game data of 3.6.0 and later (string ids only in use), and scripts of version 95."""

OLD_ROOM: Final = BlockFormat(length_size=4)
"""Rooms before room version 32 (AGS 3.5.0)."""

ROOM: Final = BlockFormat()
"""Rooms of version 32 and later."""

TRANSLATION: Final = BlockFormat(id_size=4, length_size=4)
"""Compiled translations (.tra)."""


@dataclass(slots=True)
class Block:
    """One block: ``number`` above 0, or 0 and ``name`` of exactly 16 bytes; and its bytes,
    ``data``.
    """

    __repr__ = short_repr

    number: int
    name: bytes
    data: bytes

    @classmethod
    def of(cls, id: BlockId, data: bytes = b"") -> Block:
        """A block of a numeric id (int) or a string id (str of at most 16 Latin-1 characters)."""
        if isinstance(id, int):
            if id <= 0:
                raise EncodeError(f"expected a numeric block id above 0, got {id}")
            return cls(id, b"", data)
        try:
            name = id.encode("latin-1")
        except UnicodeEncodeError as error:
            raise EncodeError(f"the string id {id!r} is not Latin-1") from error
        if len(name) > STRING_ID_SIZE:
            raise EncodeError(f"the string id {id!r} is longer than {STRING_ID_SIZE} bytes")
        return cls(0, name.ljust(STRING_ID_SIZE, b"\0"), data)

    @property
    def id(self) -> BlockId:
        """The number, or the text of the string id up to its NUL."""
        return self.number or self.name.split(b"\0", 1)[0].decode("latin-1")

    def reader(self) -> BlockReader:
        """A reader of the block's bytes that refuses to run past their end."""
        return BlockReader(self)

    def header_size(self, format: BlockFormat) -> int:
        """The bytes before the block's data in a list of ``format``."""
        if self.number:
            return format.id_size + format.length_size
        return format.id_size + STRING_ID_SIZE + _STRING_LENGTH_SIZE


class BlockReader:
    """Reads one block's bytes front to back, under the engine's two rules.

    Reading past the end raises FormatError; bytes that are not read give a warning (:meth:`finish`)
    and are skipped.  ``position`` is the offset of what is read next.
    """

    __slots__ = ("block", "position")

    def __init__(self, block: Block) -> None:
        self.block: Block = block
        self.position: int = 0

    @property
    def remaining(self) -> int:
        """The bytes not read yet."""
        return len(self.block.data) - self.position

    def read(self, size: int) -> bytes:
        """The next ``size`` bytes; raises FormatError where the block holds fewer."""
        if size < 0 or size > self.remaining:
            raise FormatError(
                f"reading {size} bytes runs past the end of the block, which has "
                f"{self.remaining} of {len(self.block.data)} left",
                offset=self.position,
                path=f"block {self.block.id!r}",
            )
        start = self.position
        self.position = start + size
        return self.block.data[start : self.position]

    def integer(self, size: int = 4, *, signed: bool = True) -> int:
        """The next little-endian integer of ``size`` bytes."""
        return int.from_bytes(self.read(size), "little", signed=signed)

    def finish(self) -> list[str]:
        """Skip the bytes left; return a list of no or one warning about them."""
        left = self.remaining
        self.position = len(self.block.data)
        if not left:
            return []
        return [f"block {self.block.id!r}: {left} bytes at its end were not read and are skipped"]


def id_key(id: BlockId) -> BlockId:
    """The key that ids are compared by: text ids without regard to case."""
    return id if isinstance(id, int) else id.casefold()


def first_of(blocks: Iterable[B], id: BlockId) -> B | None:
    """The first block of that id, or None."""
    key = id_key(id)
    return next((block for block in blocks if id_key(block.id) == key), None)


@dataclass(slots=True)
class BlockList:
    """Blocks in file order.  Text ids are found without regard to case.

    ``format`` is how they are stored, ``blocks`` are all of them, ``findings`` what reading found.
    """

    __repr__ = short_repr

    format: BlockFormat = GAME
    blocks: list[Block] = field(default_factory=list)
    findings: Findings = field(default_factory=Findings)

    def __iter__(self) -> Iterator[Block]:
        return iter(self.blocks)

    def __len__(self) -> int:
        return len(self.blocks)

    def __contains__(self, id: object) -> bool:
        return isinstance(id, int | str) and self.get(id) is not None

    @property
    def ids(self) -> list[BlockId]:
        """The ids in file order, doubles included."""
        return [block.id for block in self.blocks]

    @property
    def size(self) -> int:
        """The bytes the list takes in a file, the end marker included."""
        sizes = (block.header_size(self.format) + len(block.data) for block in self.blocks)
        return sum(sizes) + self.format.id_size

    def get(self, id: BlockId) -> Block | None:
        """The first block of that id, or None."""
        return first_of(self.blocks, id)

    def __getitem__(self, id: BlockId) -> Block:
        block = self.get(id)
        if block is None:
            raise KeyError(id)
        return block

    def add(self, id: BlockId, data: bytes, *, at: int | None = None) -> Block:
        """Add a block at the end (or before index ``at``); raises EncodeError on a known id."""
        if self.get(id) is not None:
            raise EncodeError(f"there is a block {id!r} already")
        block = Block.of(id, data)
        self._check(block)
        self.blocks.insert(len(self.blocks) if at is None else at, block)
        return block

    def replace(self, id: BlockId, data: bytes) -> Block:
        """Replace the bytes of the first block of that id; raises KeyError."""
        block = self[id]
        block.data = data
        return block

    def remove(self, id: BlockId) -> Block:
        """Remove the first block of that id; raises KeyError."""
        block = self[id]
        index = next(i for i, other in enumerate(self.blocks) if other is block)
        return self.blocks.pop(index)

    def to_bytes(self) -> bytes:
        """The list as stored in a file, end marker included."""
        pieces: list[bytes] = []
        id_size, length_size = self.format.id_size, self.format.length_size
        for block in self.blocks:
            self._check(block)
            pieces.append(block.number.to_bytes(id_size, "little"))
            length = len(block.data)
            if block.number:
                pieces.append(length.to_bytes(length_size, "little"))
            else:
                pieces += (block.name, length.to_bytes(_STRING_LENGTH_SIZE, "little"))
            pieces.append(block.data)
        pieces.append(self.format.end_marker)
        return b"".join(pieces)

    def _check(self, block: Block) -> None:
        if not 0 <= block.number <= self.format.largest_number:
            raise EncodeError(f"not a valid block id here: {block.number}")
        if not block.number and len(block.name) != STRING_ID_SIZE:
            raise EncodeError(f"expected an id of {STRING_ID_SIZE} bytes, got {len(block.name)}")
        if block.number and len(block.data) >= 1 << 8 * self.format.length_size:
            raise EncodeError(f"block {block.id!r} is too large for its length field")


def read_blocks(data: bytes | memoryview, format: BlockFormat = GAME, offset: int = 0) -> BlockList:
    """Read the list that starts at ``offset``, to its end marker.

    :attr:`BlockList.size` then says where the list ends.  Raises FormatError where the data
    ends before the end marker, or a block's length passes the end of the data.
    """
    result = BlockList(format)
    position = offset
    end_marker = format.end_marker
    while True:
        id_bytes = _take(data, position, format.id_size, "a block id or the end of the list")
        if id_bytes == end_marker:
            return result
        number = int.from_bytes(id_bytes, "little", signed=format.id_size > 1)
        start = position
        position += format.id_size
        name = b""
        length_size = format.length_size
        if number < 0:
            raise FormatError(f"not a valid block id: {number}", offset=start)
        if number == 0:
            name = _take(data, position, STRING_ID_SIZE, "a string id")
            position += STRING_ID_SIZE
            length_size = _STRING_LENGTH_SIZE
        elif number > 0x7F and format.id_size == 1:
            result.findings.warn(
                "unusual",
                f"the block id {number} at offset {start:#x} ends the list for the engine",
            )
        length = int.from_bytes(_take(data, position, length_size, "a block length"), "little")
        position += length_size
        if length > len(data) - position:
            block = Block(number, name, b"")
            raise FormatError(
                f"block {block.id!r} says {length} bytes where {len(data) - position} are left",
                offset=start,
            )
        result.blocks.append(Block(number, name, bytes(data[position : position + length])))
        position += length


def _take(data: bytes | memoryview, position: int, size: int, what: str) -> bytes:
    piece = bytes(data[position : position + size])
    if len(piece) != size:
        raise FormatError(f"expected {what}, got the end of the data", offset=position)
    return piece
