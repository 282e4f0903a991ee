"""Whether code is read without a doubt, remembered by its bytes: a game that was changed elsewhere
has the same code, and what only names its entries need not read it again.

Of much code that is also kept in the user's cache folder.
"""

from __future__ import annotations

from functools import cache
from hashlib import blake2b
from typing import Final

from overhaul.document import caches
from overhaul.gamemaker.data.model import CODE_CHUNKS, GameModel

#: the facts that reading the code depends on
_READ: Final = (*CODE_CHUNKS, "STRG")
_ENDING: Final = "clean"
#: the facts that reading code follows from, besides its bytes
_MODULES: Final = ("gml", "schema", "gamemaker/data")
#: reading fewer bytes of code takes little time
_MUCH: Final = 1 << 20
#: so many games are remembered
_MOST: Final = 64
#: whether reading code gave no finding, by what it was read of, the last one last
_known: dict[bytes, bool] = {}


def note_code(game: GameModel, is_clean: bool) -> None:
    """Remember whether reading the code of a game gave no finding."""
    digest = _digest(game)
    _known[digest] = is_clean
    if _is_much(game):
        caches.write_value(_kept(digest), _ENDING, is_clean)
    if len(_known) > _MOST:
        _known.pop(next(iter(_known)), None)


def is_clean(game: GameModel) -> bool:
    """Whether the code of a game was read before without a finding."""
    digest = _digest(game)
    if digest not in _known and _is_much(game):
        return caches.read_value(_kept(digest), _ENDING) is True
    return _known.get(digest, False)


def _is_much(game: GameModel) -> bool:
    chunk = game.chunks.get("CODE")
    return chunk is not None and chunk.end - chunk.start >= _MUCH and caches.is_allowed()


def _kept(digest: bytes) -> str:
    return blake2b(digest + _modules().encode(), digest_size=20).hexdigest()


@cache
def _modules() -> str:
    return caches.stamp_of(*_MODULES)


def _digest(game: GameModel) -> bytes:
    """Another one where reading code may give another result."""
    chunks = [game.chunks[name] for name in _READ if name in game.chunks]
    places = [(chunk.name, chunk.start, chunk.end) for chunk in chunks]
    rules = game.release, game.strict, game.alignment, game.last_chunk, places
    digest = blake2b(repr(rules).encode(), digest_size=16)
    for chunk in chunks:
        digest.update(memoryview(game.data)[chunk.start : chunk.end])
    return digest.digest()
