"""What was found in a large game that nobody has touched, kept in the user's cache folder.

It follows from the bytes of the file, from the question, and from this package.  An answer is kept
where finding it reported nothing but sounds whose files are absent: that is looked for again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence, Set
from typing import Final

from overhaul.document import caches
from overhaul.document.format_parts import TextSearch
from overhaul.document.plainfiles import PlainFile, UnpackOptions
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.sounds import absent_files
from overhaul.gamemaker.data_folder import kept_texts
from overhaul.gamemaker.data_folder.code import SourceFile, is_code
from overhaul.gamemaker.data_folder.unpacking import plain_files
from overhaul.gamemaker.data_folder.view import ORDER, SOURCE

_ENDING: Final = "answer"
#: a larger answer is not kept
_LARGEST: Final = 1 << 22
#: so many bytes of code and records are many
_MUCH: Final = 1 << 20
#: the chunks that are neither code nor records
_OTHERS: Final = ("STRG", "TXTR", "AUDO")


class KeptAnswer:
    """The answer to a question about a game: lists of texts and numbers."""

    def __init__(self, game: GameData, question: str) -> None:
        self._game = game
        self.name: str = _name_of(game, question)
        self._reported = len(game.findings)

    def read(self) -> list[list[str | int]] | None:
        """What is kept; None for nothing."""
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


class GameSearch(TextSearch[GameData]):
    """How the texts of a game are searched: those of a large one are kept in the cache."""

    def files(self, game: GameData, options: UnpackOptions) -> Iterator[PlainFile]:
        """The texts."""
        return kept_texts.text_files(game, options)

    def sources_with(self, game: GameData, word: str, *, any_case: bool) -> Set[str] | None:
        """The paths of code that names, or has in a text, what has the word."""
        return kept_texts.sources_with(game, word, any_case=any_case)

    def kept_answer(self, game: GameData, question: str) -> KeptAnswer | None:
        """What was found in a large game before."""
        return _kept_answer(game, question) if _is_large(game) else None

    def kept_source(
        self, game: GameData, path: str
    ) -> tuple[PlainFile | None, Callable[[PlainFile], None]]:
        """The source of an entry of a large game that was read before."""
        kept = None
        if is_code(path) and path.endswith(SOURCE) and _is_large(game):
            kept = _kept_answer(game, f"source {path}")
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

        return (None if data is None else kept_texts.KeptFile(path, data)), keep


def _kept_answer(game: GameData, question: str) -> KeptAnswer | None:
    """The answer to a question about a game; None where something was decoded, which might have
    been edited."""
    touched = game.strict or any(chunk.decoded for chunk in game.chunks.values())
    return KeptAnswer(game, question) if caches.is_allowed() and not touched else None


def _is_large(game: GameData) -> bool:
    """Whether finding something in a game takes long enough for the answer to be kept."""
    chunks = game.chunks.values()
    return sum(chunk.end - chunk.start for chunk in chunks if chunk.name not in _OTHERS) >= _MUCH


def _name_of(game: GameData, question: str) -> str:
    whole = f"{kept_texts.name_of_game(game)}\0{question}".encode("utf-8", "surrogatepass")
    return hashlib.blake2b(whole, digest_size=20).hexdigest()


def _is_row(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(part, str | int) for part in value)


SEARCH: Final = GameSearch()
