"""Source and assembly files that are checked against a game's code entries, or put into it.

The functions that take :class:`~overhaul.folder.parallel.Workers` share the entries among its
processes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from overhaul.errors import SourceError, WorkspaceError
from overhaul.folder.parallel import Progress, Workers, tracked
from overhaul.gamemaker.data.code.compiling import add_definitions
from overhaul.gamemaker.data.code.context import game_context
from overhaul.gamemaker.data.code.texts import root_entries
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data_folder.batch import Batch, EntrySource, Mistake, Outcome, prepare


def source_text(data: bytes, path: str) -> str:
    """The text of a source or assembly file.  Raises WorkspaceError if it is not UTF-8."""
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise WorkspaceError(f"{path}: not UTF-8: {error}") from None


def check_definitions(game: GameData, text: str, path: str) -> None:
    """Read ``#macro`` and ``enum`` lines.  Raises SourceError, naming the file."""
    try:
        add_definitions(game_context(game), text)
    except SourceError as error:
        error.name = path
        raise


def check_sources(
    workers: Workers[GameData],
    texts: Sequence[EntrySource],
    *,
    assembly: bool = False,
    definitions: str = "",
    progress: Progress | None = None,
) -> Iterator[Outcome]:
    """Compile (or assemble) texts and compare them with the game, which stays as it is."""
    root_entries(workers.document)  # there must be bytecode
    ready = partial(prepare, texts=texts, assembly=assembly, definitions=definitions)
    outcomes = workers.map(ready, Batch.check, range(len(texts)))
    return tracked([text.name for text in texts], outcomes, progress)


def unknown_names(outcomes: Sequence[Outcome]) -> list[list[Mistake]]:
    """What is to be said of names in each text that nothing has, none of the texts either."""
    given = {name for outcome in outcomes for name in outcome.given}
    return [
        [said for name, said in outcome.unknown.items() if name not in given]
        for outcome in outcomes
    ]


def put_sources(
    game: GameData,
    texts: Sequence[EntrySource],
    outcomes: Sequence[Outcome],
    *,
    assembly: bool = False,
    definitions: str = "",
) -> None:
    """Put the texts that differ from the game's, and have no errors, into the game."""
    changed = [n for n, found in enumerate(outcomes) if not found.identical and not found.mistakes]
    if changed:
        prepare(game, texts=texts, assembly=assembly, definitions=definitions).put(changed)
