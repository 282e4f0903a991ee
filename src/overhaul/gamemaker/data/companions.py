"""Whether a game has files next to it that belong to it, found without decoding its sounds."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from overhaul.errors import FormatError
from overhaul.gamemaker.data.model import GameModel
from overhaul.gamemaker.data.outlines import RECORDS
from overhaul.gamemaker.data.relocation import outline_of
from overhaul.gamemaker.data.strings import name_at

#: the ending of the files of audio groups, whatever else they are called
_GROUP = ".dat"


def may_have_companions(game: GameModel) -> bool:
    """Whether a file next to the game may be of its sounds.

    False is certain; where True, decoding the sounds says which files are meant.
    """
    if game.siblings is None:
        return False
    try:
        there = {name.casefold() for name in game.siblings.names()}
        if any(name.endswith(_GROUP) for name in there) and game.count("AGRP") > 1:
            return True
        return any(text.casefold() in there for text in _texts(game))
    except (OSError, FormatError, struct.error):
        return True


def _texts(game: GameModel) -> Iterator[str]:
    """The texts that the sounds name, the names of their files among them."""
    chunk = game.chunks.get("SOND")
    count = game.count("SOND")
    if chunk is None or not count:
        return
    # the list is a pointer list of records of fixed size
    _, (_, _, (_, sound)) = RECORDS[outline_of("SOND", game.release)]
    _, (_, _, marks, _) = RECORDS[sound]
    for pointer in struct.unpack_from(f"<{count}I", game.data, chunk.start + 4):
        for offset, _ in marks if pointer else ():
            yield name_at(game.data, struct.unpack_from("<I", game.data, pointer + offset)[0])
