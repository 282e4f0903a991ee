"""Sources of a game's code: known ones, and first texts as processes send them."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import msgspec

from overhaul.gamemaker.data.chunks.bytecode import Bytecode
from overhaul.gamemaker.data.chunks.code import CodeEntry
from overhaul.gml.decompiler import FirstText, parcels
from overhaul.gml.decompiler.types.facts import GameFacts

logger: logging.Logger = logging.getLogger(__name__)

#: so many characters of sources are kept, for the functions inside entries
_REMEMBERED = 16_000_000


class Sheet(NamedTuple):
    """The texts of so many neighbouring roots, as a parcel has them: as objects, which need much
    memory, they are made when they are used."""

    roots: int
    parcel: parcels.Parcel

    def texts(self) -> list[FirstText | None]:
        """A text for each root, None where there is none."""
        try:
            texts = parcels.texts_of(self.parcel)
        except (LookupError, msgspec.DecodeError) as error:
            logger.debug("texts in a cache are no longer understood: %s", error)
            texts = []
        return texts or [None] * self.roots


def noting(
    spans: list[tuple[int, int]],
    parts: Iterable[bytes],
    texts: list[Sheet | list[FirstText | None]],
) -> Iterator[GameFacts]:
    """The facts of parts that were sent; their texts are appended to ``texts``."""
    for (start, stop), part in zip(spans, parts, strict=True):
        texts.append(Sheet(stop - start, part))
        yield parcels.facts_of(part)


class Sources:
    """The latest sources of root entries, up to a size."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[CodeEntry, Bytecode, tuple[str, list[str]]]] = {}
        self._size = 0

    def get(self, root: CodeEntry) -> tuple[str, list[str]] | None:
        """The source of a root, if its code is still the same."""
        known = self._known.get(id(root))
        if known is None or known[0] is not root or known[1] is not root.bytecode:
            return None
        return known[2][0], list(known[2][1])

    def keep(self, root: CodeEntry, source: tuple[str, list[str]]) -> None:
        """Keep a source; the oldest go."""
        before = self._known.pop(id(root), None)
        self._size += len(source[0]) - (0 if before is None else len(before[2][0]))
        self._known[id(root)] = root, root.bytecode, source
        while self._size > _REMEMBERED and len(self._known) > 1:
            oldest = self._known.pop(next(iter(self._known)))
            self._size -= len(oldest[2][0])
