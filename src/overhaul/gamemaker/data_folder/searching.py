"""How the texts of a game are searched: those of a large one are kept in the cache."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Set
from typing import TYPE_CHECKING, Final

from overhaul.document.format_parts import TextSearch
from overhaul.document.plainfiles import KeptAnswer, PlainFile, SeenLines, UnpackOptions
from overhaul.document.protocol import Each
from overhaul.gamemaker.data.game import GameData
from overhaul.lazy import LazyModule

if TYPE_CHECKING:
    from overhaul.gamemaker.data_folder import kept_answers, kept_texts
else:  # start-up: one text of a small game needs neither
    kept_answers = LazyModule("overhaul.gamemaker.data_folder.kept_answers")
    kept_texts = LazyModule("overhaul.gamemaker.data_folder.kept_texts")

#: so many bytes of code and records are many
_MUCH: Final = 1 << 20
#: the chunks that are neither code nor records
_OTHERS: Final = ("STRG", "TXTR", "AUDO")


class GameSearch(TextSearch[GameData]):
    """How the texts of a game are searched."""

    def files(
        self, game: GameData, options: UnpackOptions, each: Each | None = None
    ) -> Iterator[PlainFile]:
        """The texts."""
        return kept_texts.text_files(game, options, each)

    def sources_with(self, game: GameData, word: str, *, any_case: bool) -> Set[str] | None:
        """The paths of code that names, or has in a text, what has the word."""
        return kept_texts.sources_with(game, word, any_case=any_case)

    def lines_with(
        self, game: GameData, word: str, paths: Set[str], *, any_case: bool, each: Each | None
    ) -> Mapping[str, SeenLines | None] | None:
        """The lines of this code with the word."""
        return kept_texts.lines_with(game, word, paths, any_case=any_case, each=each)

    def kept_answer(self, game: GameData, question: str) -> KeptAnswer | None:
        """An answer that was kept for a large game."""
        return kept_answers.kept_answer(game, question) if _is_large(game) else None

    def kept_source(
        self, game: GameData, path: str
    ) -> tuple[PlainFile | None, Callable[[PlainFile], None]]:
        """The source of an entry of a large game that was read before."""
        if not _is_large(game):
            return super().kept_source(game, path)
        return kept_answers.kept_source(game, path)


def _is_large(game: GameData) -> bool:
    """Whether finding something in a game takes long enough for the answer to be kept."""
    chunks = game.chunks.values()
    return sum(chunk.end - chunk.start for chunk in chunks if chunk.name not in _OTHERS) >= _MUCH


SEARCH: Final = GameSearch()
