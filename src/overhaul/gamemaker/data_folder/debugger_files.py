"""A game that waits for the debugger, and the debugger data for it, as files."""

from __future__ import annotations

import os

from overhaul.document.files import already_exists
from overhaul.folder.parallel import Progress, Workers
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data_folder.entry_texts import entry_of_file
from overhaul.gamemaker.debug.generate import enable_debugger, generate


def sources_in(game: GameData, folder: str) -> dict[str, str]:
    """The sources in a folder (or its ``code`` folder), by the names of their entries."""
    if not os.path.isdir(folder):
        raise NotADirectoryError(20, "not a folder", folder)
    found: dict[str, str] = {}
    for place in (os.path.join(folder, "code"), folder):
        for file in sorted(os.listdir(place)) if os.path.isdir(place) else ():
            name = entry_of_file(file)
            if file.endswith(".gml") and name in game.records.code:
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
