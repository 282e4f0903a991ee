"""Whether code is read without a doubt, remembered by its bytes: a game that was changed elsewhere
has the same code, and what only names its entries need not read it again.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, Final

from overhaul.gamemaker.data.model import CODE_CHUNKS

if TYPE_CHECKING:
    from overhaul.gamemaker.data.model import GameModel

#: what reading the code depends on
_READ: Final = (*CODE_CHUNKS, "STRG")
#: so many games are remembered
_MOST: Final = 64
#: whether reading code gave no finding, by what it was read of, the last one last
_known: dict[bytes, bool] = {}


def note_code(game: GameModel, is_clean: bool) -> None:
    """Remember whether reading the code of a game gave no finding."""
    _known[_digest(game)] = is_clean
    if len(_known) > _MOST:
        _known.pop(next(iter(_known)), None)


def is_clean(game: GameModel) -> bool:
    """Whether the code of a game was read before without a finding."""
    return _known.get(_digest(game), False)


def _digest(game: GameModel) -> bytes:
    """Another one where reading code may give another result."""
    chunks = [game.chunks[name] for name in _READ if name in game.chunks]
    places = [(chunk.name, chunk.start, chunk.end) for chunk in chunks]
    rules = game.release, game.strict, game.alignment, game.last_chunk, places
    digest = blake2b(repr(rules).encode(), digest_size=16)
    for chunk in chunks:
        digest.update(memoryview(game.data)[chunk.start : chunk.end])
    return digest.digest()
