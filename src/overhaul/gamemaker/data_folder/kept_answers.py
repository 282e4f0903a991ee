"""Findings about a large game that nobody has edited, kept in the user's cache folder.

It follows from the bytes of the file, from the question, and from this package.  An answer is kept
where finding it reported nothing but sounds whose files are absent: that is looked for again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Final

from overhaul.document import caches
from overhaul.document.plainfiles import PlainFile, UnpackOptions
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.sounds import absent_files
from overhaul.gamemaker.data_folder.code import SourceFile, is_code
from overhaul.gamemaker.data_folder.kept_texts import KeptFile, name_of_game
from overhaul.gamemaker.data_folder.unpacking import plain_files
from overhaul.gamemaker.data_folder.view import ORDER, SOURCE

_ENDING: Final = "answer"
#: a larger answer is not kept
_LARGEST: Final = 1 << 22


class KeptAnswer:
    """The answer to a question about a game: lists of texts and numbers."""

    def __init__(self, game: GameData, question: str) -> None:
        self._game = game
        self.name: str = _name_of(game, question)
        self._reported = len(game.findings)

    def read(self) -> list[list[str | int]] | None:
        """The kept content; None for nothing."""
        value = caches.read_value(self.name, _ENDING)
        if not isinstance(value, list) or not all(map(_is_row, value)):
            return None
        for _ in plain_files(self._game, UnpackOptions(only=[ORDER], whole=False)):
            pass  # the game gets its warnings
        return value

    def keep(self, answer: Sequence[Sequence[str | int]]) -> None:
        """Keep the answer, unless finding it reported something."""
        game = self._game
        absent = absent_files(game.audio_files.absent()) if "SOND" in game.chunks else []
        reported = game.findings[self._reported :]
        if any(finding not in absent for finding in reported):
            return
        if sum(len(str(part)) for row in answer for part in row) <= _LARGEST:
            caches.write_value(self.name, _ENDING, [list(row) for row in answer])


def kept_answer(game: GameData, question: str) -> KeptAnswer | None:
    """The answer to a question about a game; None where something was decoded, which might have
    been edited."""
    touched = game.strict or any(chunk.decoded for chunk in game.chunks.values())
    return KeptAnswer(game, question) if caches.is_allowed() and not touched else None


def kept_source(game: GameData, path: str) -> tuple[PlainFile | None, Callable[[PlainFile], None]]:
    """The source at a path as it was read before, None where it is not kept; and what has a file
    kept once it is read."""
    kept = kept_answer(game, f"source {path}") if is_code(path) and path.endswith(SOURCE) else None
    if kept is None:
        return None, lambda file: None
    name = kept.name
    data = caches.read(name, _ENDING)

    def keep(file: PlainFile) -> None:
        read = file.read

        def reading() -> bytes:
            made = read()
            if isinstance(file, SourceFile) and file.finding() is not None:
                caches.write(name, _ENDING, made)
            return made

        file.read = reading

    return (None if data is None else KeptFile(path, data)), keep


def _name_of(game: GameData, question: str) -> str:
    whole = f"{name_of_game(game)}\0{question}".encode("utf-8", "surrogatepass")
    return hashlib.blake2b(whole, digest_size=20).hexdigest()


def _is_row(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(part, str | int) for part in value)
