"""The texts of a game's code entries, as ``decompile`` and ``disasm`` show them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import partial

from overhaul.document.files import already_exists
from overhaul.document.names import FileNames, unescape_name
from overhaul.document.protocol import Document
from overhaul.errors import FormatError
from overhaul.findings import Findings
from overhaul.folder.opening import open as open_document
from overhaul.folder.parallel import FEW_ENTRIES, Progress, Workers, tracked
from overhaul.gamemaker.data.code.context import GLOBAL_SCRIPT_PREFIX, SCRIPT_PREFIX
from overhaul.gamemaker.data.code.texts import (
    EntryText,
    chosen_entries,
    decompiled,
    disassembled,
    itself,
    learned,
)
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data_folder.searching import SEARCH
from overhaul.gml.decompiler.options import DecompileOptions


def open_game(path: str, assume_version: str | None = None) -> GameData:
    """Open a compiled GameMaker game.  Raises FormatError for a file of another kind."""
    document = open_document(path, assume_version=assume_version)
    try:
        return as_game(document, path)
    except FormatError:
        document.close()
        raise


def as_game(document: Document, path: str) -> GameData:
    """A document as a compiled GameMaker game.  Raises FormatError for another one."""
    if isinstance(document, GameData):
        return document
    raise FormatError(f"expected a compiled GameMaker game, got {document.kind}", source=path)


def entry_texts(
    workers: Workers[GameData],
    patterns: Sequence[str] = (),
    code: str = "gml",
    progress: Progress | None = None,
    options: DecompileOptions | None = None,
) -> tuple[list[EntryText], list[str]]:
    """The texts of code entries, ``"gml"`` or ``"asm"``, and the patterns that match no entry.

    ``patterns``: names, or globs of names (all, without).  ``options``: how source is written.  An
    entry that has no text says why.
    """
    question = repr(["entries", *patterns, options])
    kept = SEARCH.kept_answer(workers.document, question) if patterns and code == "gml" else None
    known = None if kept is None else kept.read()
    if known is not None:
        rows = ([str(part) for part in row] for row in known)
        return [EntryText(name, text, problems) for name, text, *problems in rows], []
    made, missing = _made(workers, patterns, code, progress, options)
    if kept is not None and len(made) <= FEW_ENTRIES and not missing:
        found = [[name, text, *problems] for name, text, problems in made if text is not None]
        if len(found) == len(made):
            kept.keep(found)
    return made, missing


def _made(
    workers: Workers[GameData],
    patterns: Sequence[str],
    code: str,
    progress: Progress | None,
    options: DecompileOptions | None,
) -> tuple[list[EntryText], list[str]]:
    """As :func:`entry_texts`, from the code."""
    game = workers.document
    chosen, missing = chosen_entries(game, patterns)
    if code == "gml":
        texts = _sources(workers, chosen, options)
    else:
        texts = workers.map(itself, disassembled, chosen)
    names = [str(game.records.code[index].name) for index in chosen]
    return list(tracked(names, texts, progress)), missing


def _sources(
    workers: Workers[GameData], chosen: Sequence[int], options: DecompileOptions | None
) -> Iterator[EntryText]:
    """The sources of entries; those that are known are not asked of other processes."""
    game = workers.document
    language = game.language
    unknown = [
        root for root in chosen if not language.decompiled.knows(game.records.code[root], options)
    ]
    workers.learn_code(entries=len(unknown))
    task = partial(decompiled, options=options)
    others: Iterator[EntryText]
    if len(unknown) <= FEW_ENTRIES:
        others = (task(game, root) for root in unknown)
    else:
        others = workers.map(learned, task, unknown)
    waiting = set(unknown)
    for root in chosen:
        if root not in waiting:
            yield decompiled(game, root, options)
            continue
        made = next(others)
        if made.text is not None:
            language.decompiled.note_source(
                game.records.code[root], (made.text, made.problems), options
            )
        yield made


def spoken_names(game: GameData) -> list[str]:
    """The names of all code entries, those of scripts also without their prefix."""
    names = [str(entry.name) for entry in game.records.code.present()]
    prefixes = (SCRIPT_PREFIX, GLOBAL_SCRIPT_PREFIX)
    short = [name[len(p) :] for p in prefixes for name in names if name.startswith(p)]
    return [*names, *short]


def file_names(texts: Sequence[EntryText], ending: str) -> list[str]:
    """The file name of each text (``ending``: ``".gml"``)."""
    names = FileNames()
    return [names(text.name) + ending for text in texts]


def entry_of_file(path: str) -> str:
    """The code entry that a file is for, by its name."""
    name = os.path.basename(path)
    return unescape_name(name.rpartition(".")[0] or name)


def sources_in(game: GameData, folder: str) -> dict[str, str]:
    """The sources in a folder (or its ``code`` folder), by the names of their entries."""
    if not os.path.isdir(folder):
        raise NotADirectoryError(20, "not a folder", folder)
    texts: dict[str, str] = {}
    for place in (os.path.join(folder, "code"), folder):
        for file in sorted(os.listdir(place)) if os.path.isdir(place) else ():
            name = entry_of_file(file)
            if file.endswith(".gml") and name in game.records.code:
                with open(os.path.join(place, file), "rb") as stream:
                    texts[name] = stream.read().decode("utf-8-sig", "surrogateescape")
    return texts


def write_debugger_files(
    workers: Workers[GameData],
    target: str,
    data: str,
    *,
    sources: str | None = None,
    definitions: str = "",
    force: bool = False,
    progress: Progress | None = None,
) -> tuple[dict[str, object], Findings]:
    """Write a copy of a game that waits for the debugger, and the debugger data for it.

    ``target`` and ``data`` are the paths of the two; ``sources`` is a folder with original
    sources.  The game of ``workers`` is changed.  Returns what ``info`` says of the debugger data,
    and the warnings.
    """
    # start-up: decompile and disasm need no compiler
    from overhaul.gamemaker.debug.generate import enable_debugger, generate

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
    return made.info(), Findings([*game.findings, *made.findings])
