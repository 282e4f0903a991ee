"""Block lists as JSON and files, for rooms, game data and translations."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Final

from overhaul.ags.blockdata import Content, DecodedBlock, DecodedBlocks
from overhaul.ags.blocks import Block, BlockId
from overhaul.ags.folder import file_io
from overhaul.document.names import escape_name
from overhaul.document.plainfiles import Change, Folder, PlainFile
from overhaul.errors import FormatError, PlainFileError, WorkspaceError
from overhaul.folder.json_fields import (
    at_key,
    expect_bytes,
    expect_list,
    expect_object,
    in_file,
    show_value,
)
from overhaul.schema import Record

#: Shows a block in a way of its own, or gives None.
ShowBlock = Callable[[DecodedBlock], dict[str, object] | None]
#: Reads the content of a block that was shown so: its id, its row, and the content before.
ReadBlock = Callable[[BlockId, dict[str, object], Content | None, str], Content | None]
#: The values that the row of a block can have.
_ROW: Final = {"id", "name", "id_bytes", "fields", "file", "reason", "rest", "aside", "empty_texts"}


def opaque_path(index: int, block: DecodedBlock) -> str:
    """The file of an opaque block."""
    return f"blocks/{index}_{escape_name(str(block.id))}.bin"


def opaque_blocks(blocks: DecodedBlocks) -> Iterator[tuple[str, DecodedBlock, bytes]]:
    """(path, block, bytes) of each block that is kept as bytes."""
    for index, block in enumerate(blocks.blocks):
        if isinstance(block.content, bytes):
            yield opaque_path(index, block), block, block.content


def opaque_files(blocks: DecodedBlocks) -> Iterator[PlainFile]:
    """The files of the opaque blocks."""
    for path, block, data in opaque_blocks(blocks):
        yield file_io.bytes_file(path, data, f"block {block.id!r}", block.reason)


def take_opaque_files(blocks: DecodedBlocks, folder: Folder, changes: Mapping[str, Change]) -> None:
    """Take the files of opaque blocks that were changed."""
    for path, block, _ in opaque_blocks(blocks):
        if path in changes:
            block.content = folder.read(path)


def show_nothing(block: DecodedBlock) -> None:
    """No way of its own to show a block."""
    return


def _read_nothing(id: BlockId, row: dict[str, object], before: Content | None, place: str) -> None:
    return


def show_blocks(
    blocks: DecodedBlocks,
    special: ShowBlock = show_nothing,
    names: Mapping[BlockId, str] | None = None,
    without: Mapping[BlockId, Collection[str]] | None = None,
) -> list[dict[str, object]]:
    """The blocks as JSON-able values; ``special`` may show one in its own way.

    ``without``: the fields of blocks that are shown elsewhere.
    """
    rows: list[dict[str, object]] = []
    for index, block in enumerate(blocks.blocks):
        row: dict[str, object] = {"id": block.id}
        if names and block.id in names:
            row["name"] = names[block.id]
        if Block.of(block.id).name != block.block.name:
            row["id_bytes"] = block.block.name.hex()
        own = special(block)
        if own is not None:
            row |= own
        elif isinstance(block.content, Record):
            hidden = without.get(block.id, ()) if without else ()
            fields = _without(file_io.show(block.content, blocks.version), hidden)
            if fields or not hidden:
                row["fields"] = fields
        else:
            row["file"] = opaque_path(index, block)
            row["reason"] = block.reason
        if block.rest:
            row["rest"] = block.rest.hex()
        rows.append(row)
    return rows


def _without(fields: dict[str, object], hidden: Iterable[str]) -> dict[str, object]:
    """The fields without some, whose names may have dots before those of their own fields."""
    for path in hidden:
        owner: dict[str, object] = fields
        *way, last = path.split(".")
        for name in way:
            owner = expect_object(owner[name])
        del owner[last]
    return fields


def read_blocks(
    shown: object,
    old: DecodedBlocks,
    records: Mapping[BlockId, type[Record]],
    folder: Folder,
    path: str,
    special: ReadBlock = _read_nothing,
    names: Mapping[BlockId, str] | None = None,
) -> list[DecodedBlock]:
    """The blocks of a JSON list; content that the list leaves out stays as it was in ``old``.

    Raises WorkspaceError.
    """
    with in_file(path), at_key("blocks"):
        rows = expect_list(shown)
    blocks: list[DecodedBlock] = []
    owners: dict[str, int] = {}
    for index, item in enumerate(rows):
        place = f"{path}: blocks[{index}]"
        with in_file(place):
            row = expect_object(item)
            id = row.get("id")
            if not isinstance(id, int | str):
                raise FormatError("it has no id")
            usual = (names or {}).get(id)
            with at_key("name"):
                if row.get("name", usual) != usual:
                    raise FormatError(f"{show_value(row['name'])} is not the name of block {id!r}")
            block = Block.of(id)
            if "id_bytes" in row:
                block.name = expect_bytes(row["id_bytes"])
            rest = expect_bytes(row.get("rest", ""))
            unknown = row.keys() - _ROW
            if unknown:
                raise FormatError(f"unknown field {min(unknown)!r}")
        before = old.get(id)
        content = special(id, row, before.content if before is not None else None, place)
        if content is None:
            content = _content(row, before, old.version, records.get(id), folder, place)
        owner = owners.setdefault(str(row.get("file", f"blocks[{index}]")), index)
        if owner != index:
            raise WorkspaceError(
                f"{place}.file: {show_value(row['file'])} is the file of blocks[{owner}]"
            )
        blocks.append(DecodedBlock(block, content, rest, str(row.get("reason", ""))))
    return blocks


def _content(
    row: dict[str, object],
    before: DecodedBlock | None,
    version: int | None,
    record: type[Record] | None,
    folder: Folder,
    place: str,
) -> Content:
    if "fields" in row:
        base = before.content if before is not None and isinstance(before.content, Record) else None
        if base is not None:
            record = type(base)
        if record is None:
            raise PlainFileError("Overhaul knows no fields of this block", place)
        return file_io.read(record, row["fields"], version, f"{place}.fields", base=base)
    if "file" in row:
        file = row["file"]
        if not isinstance(file, str) or file not in folder:
            raise WorkspaceError(f"{place}.file: {show_value(file)} is missing")
        return folder.read(file)
    if before is not None:
        return before.content
    if record is not None:
        return record()  # its values are shown with the things they belong to
    raise PlainFileError("it has neither fields nor a file", place)
