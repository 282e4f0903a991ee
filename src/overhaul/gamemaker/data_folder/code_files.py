"""What the commands about code do: texts of a game's code entries, and texts put into it.

The functions that take :class:`~overhaul.folder.parallel.Workers` share the entries among its
processes.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import partial

from overhaul.document.files import already_exists
from overhaul.document.names import FileNames, unescape_name
from overhaul.document.opening import open as open_document
from overhaul.errors import FormatError, SourceError, WorkspaceError
from overhaul.folder.parallel import Progress, Workers, tracked
from overhaul.gamemaker.data.code.compiling import add_definitions
from overhaul.gamemaker.data.code.context import game_context
from overhaul.gamemaker.data.code.texts import (
    EntryText,
    chosen_entries,
    decompiled,
    disassembled,
    itself,
    learned,
    root_entries,
)
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data_folder.batch import Batch, EntrySource, Outcome, prepare
from overhaul.gamemaker.debug.generate import enable_debugger, generate


def open_game(path: str, assume_version: str | None = None) -> GameData:
    """Open a compiled GameMaker game.  Raises FormatError for a file of another kind."""
    document = open_document(path, assume_version=assume_version)
    if isinstance(document, GameData):
        return document
    document.close()
    raise FormatError(f"expected a compiled GameMaker game, got {document.kind}", source=path)


def entry_texts(
    workers: Workers[GameData],
    patterns: Sequence[str] = (),
    code: str = "gml",
    progress: Progress | None = None,
) -> tuple[list[EntryText], list[str]]:
    """The texts of code entries, ``"gml"`` or ``"asm"``, and the patterns that match no entry.

    ``patterns``: names, or globs of names (all, without).  An entry that has no text says why.
    """
    game = workers.document
    chosen, missing = chosen_entries(game, patterns)
    if code == "gml":
        workers.learn_code()
        texts = workers.map(learned, decompiled, chosen)
    else:
        texts = workers.map(itself, disassembled, chosen)
    names = [str(game.code[index].name) for index in chosen]
    return list(tracked(names, texts, progress)), missing


def file_names(texts: Sequence[EntryText], ending: str) -> list[str]:
    """The file name of each text (``ending``: ``".gml"``)."""
    names = FileNames()
    return [names(text.name) + ending for text in texts]


def entry_of_file(path: str) -> str:
    """The code entry that a file is for, by its name."""
    name = os.path.basename(path)
    return unescape_name(name.rpartition(".")[0] or name)


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


# ------------------------------------------------------------------------------- debugger data


def sources_in(game: GameData, folder: str) -> dict[str, str]:
    """The sources in a folder (or its ``code`` folder), by the names of their entries."""
    if not os.path.isdir(folder):
        raise NotADirectoryError(20, "not a folder", folder)
    found: dict[str, str] = {}
    for place in (os.path.join(folder, "code"), folder):
        for file in sorted(os.listdir(place)) if os.path.isdir(place) else ():
            name = entry_of_file(file)
            if file.endswith(".gml") and name in game.code:
                with open(os.path.join(place, file), "rb") as stream:
                    found[name] = stream.read().decode("utf-8-sig", "surrogateescape")
    return found


def write_debugger_files(
    workers: Workers[GameData],
    target: str,
    data: str,
    *,
    sources: str | None = None,
    definitions: str = "",
    force: bool = False,
    progress: Progress | None = None,
) -> tuple[dict[str, object], list[str]]:
    """Write a copy of a game that waits for the debugger, and the debugger data for it.

    ``target`` and ``data`` are the paths of the two; ``sources`` is a folder with original
    sources.  The game of ``workers`` is changed.  Returns what ``info`` says of the debugger data,
    and the warnings.
    """
    for path in () if force else (target, data):
        if os.path.lexists(path):
            raise already_exists(path)
    game = workers.document
    given = {} if sources is None else sources_in(game, sources)
    workers.learn_code()
    made = generate(game, given, definitions=definitions, progress=progress, each=workers.map)
    os.makedirs(os.path.dirname(target) or ".", exist_ok=True)
    enable_debugger(game)
    game.save(target, force=force)
    made.save(data, force=force)
    return made.info(), [*game.warnings, *made.warnings]
