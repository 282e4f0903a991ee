"""The names in the lists of a game's resources, read without their records where that is certain.

Each record begins with its name, so that nothing else of the records has to be known.
"""

from __future__ import annotations

import struct
from typing import Final

from overhaul.document.registry import load
from overhaul.errors import FormatError
from overhaul.gamemaker.data.chunks import CHUNKS, KIND_CHUNKS
from overhaul.gamemaker.data.model import Chunk, GameModel
from overhaul.gamemaker.data.strings import AddressTable

# start-up: for large games only
_IS_SOUND: Final = "overhaul.gamemaker.data.relocation:is_sound"
_IS_CLEAN: Final = "overhaul.gamemaker.data.clean_code:is_clean"
#: the chunks whose records begin with their names
_NAMED_FIRST: Final = frozenset((*KIND_CHUNKS.values(), "CODE"))
#: decoding a chunk of fewer bytes takes little time
_LARGE: Final = 1 << 18


def string_addresses(game: GameModel) -> AddressTable | None:
    """The addresses by which :func:`resource_names` finds texts, for several lists; None if
    all are decoded."""
    if all(chunk.decoded for chunk in game.chunks.values()):
        return None
    return game.addresses


def resource_names(
    game: GameModel, name: str, table: AddressTable | None = None
) -> list[str | None]:
    """The names of a list of resources; None for an empty place.

    Of a list that is not decoded yet only the names are read: each record begins with its own.
    """
    chunk = game.chunks.get(name)
    if chunk is not None and not chunk.decoded and not game.strict:
        try:
            return _stored_names(game, chunk, table or string_addresses(game))
        except (FormatError, struct.error):
            pass  # the records' own reader reports the error, or keeps the chunk as bytes
    return [None if item is None else str(item.name) for item in game.named(name)]


def _stored_names(game: GameModel, chunk: Chunk, table: AddressTable | None) -> list[str | None]:
    """The names of a chunk's records, by its list of pointers.  Raises FormatError."""
    data, start, end = game.data, chunk.start, chunk.end
    at = CHUNKS[chunk.name].list_start(start)
    (count,) = struct.unpack_from("<I", data, at)
    if 4 * count > end - at - 4:
        raise FormatError("more pointers than the chunk has bytes", offset=at)
    if table is None:
        table = game.addresses
    names: list[str | None] = []
    for pointer in struct.unpack_from(f"<{count}I", data, at + 4):
        if pointer and not start < pointer <= end - 4:
            raise FormatError("a pointer outside the chunk", offset=at)
        name = table[struct.unpack_from("<I", data, pointer)[0]] if pointer else None
        names.append(None if name is None else str(name))
    return names


def stored_names(game: GameModel, name: str) -> list[str] | None:
    """The names in the list of a large chunk that is not decoded yet; None of other chunks, and
    where an element has no name or is not there."""
    chunk = game.chunks.get(name)
    if (
        chunk is None
        or name not in _NAMED_FIRST
        or chunk.decoded
        or chunk.end - chunk.start < _LARGE
        or not load(_IS_SOUND)(game, name)
        or (name == "CODE" and not load(_IS_CLEAN)(game))
    ):
        return None
    names = [known for known in resource_names(game, name) if known is not None]
    return names if len(names) == game.count(name) else None
