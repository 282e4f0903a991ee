"""Blocks with their content decoded, for rooms, game data and translations.

A block whose content is unknown, or does not parse, is kept as bytes with the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from overhaul.ags.blocks import Block, BlockFormat, BlockId, BlockList, first_of, id_key
from overhaul.ags.fields import new_reader, record_bytes
from overhaul.ags.script.model import Script, read_script
from overhaul.errors import FormatError
from overhaul.findings import Findings
from overhaul.schema import Record, codec_for
from overhaul.schema.record import short_repr

Content = Record | Script | bytes
C = TypeVar("C", bound=Record)


@dataclass(slots=True)
class DecodedBlock:
    """A block: its id, and its content as a record, a script, or bytes with the reason.

    ``rest`` are bytes after the content that the record does not know; ``offset`` is where the
    block's data stood in the file.
    """

    __repr__ = short_repr

    block: Block
    content: Content
    rest: bytes = b""
    reason: str = ""
    offset: int = 0

    @property
    def id(self) -> BlockId:
        """The block's number or text."""
        return self.block.id

    def encode(self, version: int | None) -> Block:
        """The block with its content written."""
        content = self.content
        if isinstance(content, bytes):
            data = content
        elif isinstance(content, Script):
            data = content.to_bytes()
        else:
            data = record_bytes(content, version)
        return Block(self.block.number, self.block.name, data + self.rest)


@dataclass(slots=True)
class DecodedBlocks:
    """A list of decoded blocks, by id."""

    __repr__ = short_repr

    format: BlockFormat
    version: int | None = None
    blocks: list[DecodedBlock] = field(default_factory=list)
    findings: Findings = field(default_factory=Findings)

    def get(self, id: BlockId) -> DecodedBlock | None:
        """The first block of that id, or None; case is disregarded."""
        return first_of(self.blocks, id)

    def content(self, id: BlockId) -> Content | None:
        """The content of the first block of that id, or None."""
        block = self.get(id)
        return None if block is None else block.content

    def find(self, id: BlockId, content_type: type[C]) -> C | None:
        """The content of the first block of that id, if it is of this type."""
        content = self.content(id)
        return content if isinstance(content, content_type) else None

    def add(self, id: BlockId, content: Content) -> DecodedBlock:
        """Add a block at the end."""
        block = DecodedBlock(Block.of(id), content)
        self.blocks.append(block)
        return block

    def locate(self, offset: int) -> str:
        """The block that an offset of the file lies in; "" before the first."""
        place = ""
        for block in self.blocks:
            if block.offset > offset:
                break
            place = f"block {block.id!r}"
        return place

    def to_list(self) -> BlockList:
        """The blocks, encoded."""
        return BlockList(self.format, [block.encode(self.version) for block in self.blocks])


def decode_blocks(
    blocks: BlockList,
    offset: int,
    version: int | None,
    records: Mapping[BlockId, type[Record]],
    *,
    scripts: frozenset[BlockId] = frozenset(),
    refuse: Callable[[BlockId], str] | None = None,
    strict: bool = False,
    source: str | None = None,
) -> DecodedBlocks:
    """Decode every block whose id ``records`` or ``scripts`` knows.

    ``offset`` is where the list starts in the file.  ``refuse`` may give a reason not to decode
    a block.  With ``strict``, a block that does not parse is a FormatError.
    """
    found = DecodedBlocks(blocks.format, version, findings=Findings(blocks.findings))
    known = {id_key(id): record for id, record in records.items()}
    position = offset
    for block in blocks:
        position += block.header_size(blocks.format)
        id = block.id
        reason = refuse(id) if refuse is not None else ""
        decoded = DecodedBlock(block, block.data, reason=reason, offset=position)
        position += len(block.data)
        found.blocks.append(decoded)
        record = known.get(id_key(id))
        if reason:
            continue
        if record is None and id not in scripts:
            decoded.reason = "unknown block"
            found.findings.warn("kept-as-bytes", f"unknown block {id!r} is kept as bytes")
            continue
        reader = new_reader(version, source)
        try:
            if record is None:
                decoded.content, end = read_script(block.data, 0, reader)
            else:
                decoded.content, end = codec_for(record, version).read(block.data, 0, reader)
        except FormatError as error:
            if error.offset is not None:
                error.offset += decoded.offset
            error.source = source
            error.within(f"block {id!r}")
            if strict:
                raise
            decoded.content, decoded.reason = block.data, f"does not parse: {error.message}"
            found.findings.append(error.as_warning("kept-as-bytes", "; the block is kept as bytes"))
            continue
        if end < len(block.data):
            decoded.rest = block.data[end:]
            found.findings.warn(
                "kept-as-bytes",
                f"{len(decoded.rest)} bytes at its end are not understood",
                f"block {id!r}",
            )
        # The record holds everything now.
        decoded.block = Block(block.number, block.name, b"")
    return found
