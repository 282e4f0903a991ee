"""Block lists as JSON and files, for rooms, game data and translations."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from overhaul.ags.blockdata import Content, DecodedBlock, DecodedBlocks
from overhaul.ags.blocks import Block, BlockId
from overhaul.ags.fields import plain_bytes
from overhaul.ags.script.model import Script
from overhaul.ags.script.tables import unknown_tables
from overhaul.ags_folder import plainfiles
from overhaul.ags_folder.base import Tally
from overhaul.document.names import escape_name
from overhaul.document.protocol import Folder, PlainFile
from overhaul.errors import EncodeError, FormatError, WorkspaceError
from overhaul.schema import Record

OPAQUE_FOLDER = "blocks"
ShowBlock = Callable[[DecodedBlock], dict[str, Any] | None]


def opaque_path(index: int, id: BlockId) -> str:
    """The file of an opaque block."""
    return f"{OPAQUE_FOLDER}/{index}_{escape_name(str(id))}.bin"


def show_blocks(
    blocks: DecodedBlocks, special: ShowBlock, names: Mapping[int, str] | None = None
) -> list[dict[str, Any]]:
    """The blocks as JSON-able data; ``special`` may show one in its own way."""
    rows: list[dict[str, Any]] = []
    for index, block in enumerate(blocks.blocks):
        row: dict[str, Any] = {"id": block.id}
        if names and isinstance(block.id, int) and block.id in names:
            row["name"] = names[block.id]
        if Block.of(block.id).name != block.block.name:
            row["id_bytes"] = block.block.name.hex()
        own = special(block)
        if own is not None:
            row |= own
        elif isinstance(block.content, Record):
            row["fields"] = plainfiles.show(block.content, blocks.version)
        else:
            row["file"] = opaque_path(index, block.id)
            row["reason"] = block.reason
        if block.rest:
            row["rest"] = block.rest.hex()
        rows.append(row)
    return rows


def opaque_files(blocks: DecodedBlocks) -> Iterator[PlainFile]:
    """The files of the opaque blocks."""
    for index, block in enumerate(blocks.blocks):
        content = block.content
        if isinstance(content, bytes):
            yield PlainFile(
                opaque_path(index, block.id),
                lambda content=content: content,  # type: ignore[misc]
                origin=f"block {block.id!r}",
                note=block.reason,
            )


ReadSpecial = Callable[[BlockId, dict[str, Any], Content | None], Content | None]


def read_blocks_json(
    rows: Any,
    old: DecodedBlocks,
    records: Mapping[BlockId, type[Record]],
    folder: Folder,
    path: str,
    special: ReadSpecial,
) -> list[DecodedBlock]:
    """The blocks that a JSON list says; what it leaves out stays as it was in ``old``."""
    if not isinstance(rows, list):
        raise WorkspaceError(f"{path}: blocks must be a list")
    found: list[DecodedBlock] = []
    for index, row in enumerate(rows):
        id = row.get("id") if isinstance(row, dict) else None
        if not isinstance(id, int | str):
            raise WorkspaceError(f"{path}: blocks[{index}] has no id")
        try:
            block = Block.of(id)
            if "id_bytes" in row:
                block.name = plain_bytes(row["id_bytes"])
            rest = plain_bytes(row.get("rest", ""))
        except (EncodeError, FormatError) as error:
            raise WorkspaceError(f"{path}: blocks[{index}]: {error}") from None
        before = old.get(id)
        content = special(id, row, before.content if before is not None else None)
        if content is None:
            content = _content(row, before, old.version, records, folder, f"{path}: block {id!r}")
        found.append(DecodedBlock(block, content, rest, str(row.get("reason", ""))))
    return found


def _content(
    row: dict[str, Any],
    before: DecodedBlock | None,
    version: Any,
    records: Mapping[BlockId, type[Record]],
    folder: Folder,
    place: str,
) -> Content:
    id = row["id"]
    if "fields" in row:
        record = records.get(id)
        if before is not None and isinstance(before.content, Record):
            record = type(before.content)
        if record is None:
            raise WorkspaceError(f"{place} has no fields that Overhaul knows")
        base = before.content if before is not None else None
        return plainfiles.read(
            record, row["fields"], version, place, base=base if isinstance(base, record) else None
        )
    if "file" in row:
        return folder.read(str(row["file"]))
    if before is not None:
        return before.content
    raise WorkspaceError(f"{place} has neither fields nor a file")


def tally_blocks(tally: Tally, blocks: DecodedBlocks) -> None:
    """Count the bytes of blocks that are not understood."""
    for block in blocks.blocks:
        path = f"block {block.id!r}"
        if isinstance(block.content, bytes):
            tally.add_opaque(block.offset, path, len(block.content), block.reason)
        tally.add_opaque(block.offset, path, len(block.rest), "bytes after the block's fields")
        if isinstance(block.content, Script):
            tally_script(tally, block.content, path, block.offset)


def tally_script(tally: Tally, script: Script, path: str, offset: int = 0) -> None:
    """Count the extension blocks of a script that are not understood."""
    for id, size in unknown_tables(script):
        tally.add_opaque(offset, f"{path}.{id}", size, "an unknown block of a script")


def locate_block(blocks: DecodedBlocks, offset: int) -> str:
    """The block that an offset of the file lies in."""
    place = ""
    for block in blocks.blocks:
        if block.offset > offset:
            break
        place = f"block {block.id!r}"
    return place
