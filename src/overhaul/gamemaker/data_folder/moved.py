"""Code that names a resource by its number, where that is another one after an edit."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

import numpy as np

from overhaul.gamemaker.data.code.dialect import KIND_CHUNKS
from overhaul.gamemaker.data.code.following import PLAIN_NUMBERS
from overhaul.gamemaker.data.code.mentions import holds_number, names_in
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data_folder.kinds import kinds_of
from overhaul.gamemaker.data_folder.names import name_of
from overhaul.gamemaker.data_folder.view import CODE, SOURCE, FolderView


class Moved:
    """The resources of a game before an edit, to see afterwards which of them moved."""

    def __init__(self, game: GameData) -> None:
        self.game = game
        self._before: dict[str, list[Any]] = {
            chunk: list(game.named(chunk)) for chunk in KIND_CHUNKS.values() if chunk in game.chunks
        }

    def _of(self, chunk: str) -> tuple[dict[int, str], dict[int, str]]:
        """The resources of a chunk that have another number now or are gone, and those that are
        gone: by the old number."""
        now = {id(record): index for index, record in enumerate(self.game.named(chunk))}
        there = [(n, record) for n, record in enumerate(self._before[chunk]) if record is not None]
        moved = {index: name_of(record) for index, record in there if now.get(id(record)) != index}
        gone = {index: name_of(record) for index, record in there if id(record) not in now}
        return moved, gone

    def warnings(self, told: Collection[str], edited: Collection[str]) -> Iterator[str]:
        """Warnings of code that nobody edited and that says something else now.

        ``told`` are the game's own, that code holds plain numbers: these are here with the code
        concerned.  ``edited`` are the code files that name resources as they are now.
        """
        for kind, chunk in KIND_CHUNKS.items():
            if chunk not in self._before:
                continue
            moved, gone = self._of(chunk)
            if not any(text.startswith(f"{PLAIN_NUMBERS} {kind}s ") for text in told):
                if gone and kind != "script":  # calls of removed code are told of there
                    paths = [path for path in self._concerned(chunk, gone) if path not in edited]
                    if paths:
                        folder = next(
                            k.folder for k in kinds_of(self.game.release) if k.chunk == chunk
                        )
                        places = " and ".join(f"{folder}/{name}" for name in gone.values())
                        yield f"{places} removed, but code names it: {', '.join(paths)}"
                continue
            if not moved:
                continue
            names = ", ".join(list(moved.values())[:3]) + (", ..." if len(moved) > 3 else "")
            paths = [path for path in self._concerned(chunk, moved) if path not in edited]
            found = f"these name others now: {', '.join(paths)}" if paths else "none is concerned"
            yield (
                f"{PLAIN_NUMBERS} {kind}s as plain numbers, of which {len(moved)} are others now "
                f"({names}); as far as the kind of a number is known, {found}"
            )

    def _concerned(self, chunk: str, moved: dict[int, str]) -> Iterator[str]:
        """The code files whose source names other resources than it did."""
        game = self.game
        known = {name_of(record) for record in (*self._before[chunk], *game.named(chunk))}
        with GameData.from_bytes(game.data, source=game.source) as original:
            numbers = np.array(sorted(moved))
            for stem, entry in FolderView(original).roots().items():
                now = game.records.code.get(str(entry.name))
                if now is not None and holds_number(entry, numbers):
                    before, after = (
                        [name for name in names_in(each) if name in known] for each in (entry, now)
                    )
                    if before != after:
                        yield f"{CODE}/{stem}{SOURCE}"
