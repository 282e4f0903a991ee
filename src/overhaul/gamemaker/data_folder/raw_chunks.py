"""chunks/NAME.bin: chunks that are carried as bytes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from overhaul.document.plainfiles import PlainFile
from overhaul.errors import WorkspaceError
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data_folder.edits import GameEdits

FOLDER = "chunks"


def chunk_files(game: GameData) -> Iterator[PlainFile]:
    """The chunks of a game that can't be read."""
    for chunk in game.chunks.values():
        game.record(chunk.name)  # a chunk that nothing asked for yet is read or raw now
        if chunk.raw is not None:
            yield PlainFile(
                f"{FOLDER}/{chunk.name}.bin",
                partial(bytes, chunk.raw),
                origin=chunk.name,
                note=chunk.reason,
            )


def take_chunks(edits: GameEdits) -> None:
    """Put changed chunks into the game."""
    for path, change in edits.changes.items():
        head, _, rest = path.partition("/")
        if head != FOLDER or change == "removed":
            continue
        chunk = edits.game.chunks.get(rest.removesuffix(".bin"))
        if chunk is None or (chunk.raw is None and not edits.fresh):
            raise WorkspaceError(f"{path}: the game has no such chunk that is kept as bytes")
        chunk.raw = edits.bytes(path)
        chunk.record = None
        chunk.reason = chunk.reason or "taken from the folder"
        if edits.fresh:
            edits.warnings.append(f"{path} is taken unchanged: what it points to may have moved")
