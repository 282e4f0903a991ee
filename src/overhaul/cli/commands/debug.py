"""``overhaul debug``."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from overhaul.cli import OK, options
from overhaul.cli.code import definitions as definitions_option
from overhaul.cli.code import open_game, read_definitions
from overhaul.cli.output import Settings, say, say_json, shown, warn

if TYPE_CHECKING:
    from overhaul.document.protocol import Document
    from overhaul.gamemaker.data.game import GameData

#: how long the sentence of a warning may be before only their number is told
_TOLD = 10


@click.command(
    "debug",
    epilog=options.examples(
        "overhaul debug data.win",
        "overhaul debug data.win -o debugging --sources project/code",
    ),
)
@click.argument("file", metavar="FILE")
@click.option("-o", "--output", metavar="FOLDER", help="Where to write; else NAME_debug.")
@click.option(
    "--sources", metavar="FOLDER", help="Original sources, ENTRY.gml, to use where they fit."
)
@definitions_option
@click.option("--force", is_flag=True, help="Replace existing files.")
@options.assume_version
@options.jobs
@options.common
def command(
    file: str,
    output: str | None,
    sources: str | None,
    definitions: str | None,
    force: bool,
    assume_version: str | None,
    settings: Settings,
) -> int:
    """Make debugger data, so that GameMaker's debugger steps through a game.

    Two files are written to FOLDER: NAME.yydebug with the decompiled source of all code (or the
    original sources, where they compile to the game's own bytecode), and a copy of the game that
    waits for the debugger when it starts. See docs/formats/yydebug.md for how to connect.
    """
    from overhaul.folder.parallel import learn_code
    from overhaul.gamemaker.debug.generate import enable_debugger, generate

    folder, target, data = _targets(file, output)
    for path in () if force else (target, data):
        if os.path.lexists(path):
            raise FileExistsError(17, "it exists already (--force replaces it)", path)
    with open_game(file, assume_version) as game:
        known = "" if definitions is None else read_definitions(game, definitions)
        progress = None
        if not settings.quiet:
            from overhaul.cli.progress import Bar

            progress = Bar("entries")
        given = {} if sources is None else find_sources(game, sources)
        document: Any = game
        learn_code(file, document, settings.jobs)
        each = partial(
            map_parts_of, file, document, assume_version=assume_version, jobs=settings.jobs
        )
        made = generate(game, given, definitions=known, progress=progress, each=each)
        os.makedirs(folder, exist_ok=True)
        enable_debugger(game)
        game.save(target, force=force)
        made.save(data, force=force)
        warnings = [*game.warnings, *made.warnings]
        info = made.info()
    if settings.json:
        row = {"path": file, "game": target, "debug": data, "warnings": warnings}
        say_json({**row, **{key: info[key] for key in ("code_entries", "places", "functions")}})
        return OK
    warn(warnings if settings.verbose else warnings[:_TOLD], settings)
    if len(warnings) > _TOLD and not settings.verbose:
        warn([f"and {len(warnings) - _TOLD} more like it (-v tells all)"], settings)
    if not settings.quiet:
        say(f"{shown(target)}: waits for a debugger")
        say(f"{shown(data)}: {info['code_entries']} entries, {info['places']} places")
    return OK


def map_parts_of(
    file: str,
    document: Document,
    prepare: Any,
    task: Any,
    items: range,
    *,
    assume_version: str | None,
    jobs: int,
) -> Iterator[Any]:
    """The work of :func:`overhaul.gamemaker.debug.generate.generate`, in several processes."""
    from overhaul.folder.parallel import map_parts

    return map_parts(
        file, prepare, task, items, document=document, assume_version=assume_version, jobs=jobs
    )


def _targets(file: str, output: str | None) -> tuple[str, str, str]:
    """The folder, the copy of the game in it, and the debugger data beside that."""
    name = os.path.basename(file.replace("!", "/"))
    stem = name.rpartition(".")[0] or name
    folder = f"{stem}_debug" if output is None else output
    return folder, os.path.join(folder, name), os.path.join(folder, f"{stem}.yydebug")


def find_sources(game: GameData, folder: str) -> dict[str, str]:
    """The sources in a folder (or its ``code`` folder), by the names of their entries."""
    from overhaul.document.names import unescape_name

    if not os.path.isdir(folder):
        raise NotADirectoryError(20, "it is no folder", folder)
    found: dict[str, str] = {}
    for place in (os.path.join(folder, "code"), folder):
        if not os.path.isdir(place):
            continue
        for file in sorted(os.listdir(place)):
            stem, dot, ending = file.rpartition(".")
            name = unescape_name(stem)
            if dot and ending == "gml" and name in game.code:
                found[name] = _read(os.path.join(place, file))
    return found


def _read(path: str) -> str:
    with open(path, "rb") as stream:
        return stream.read().decode("utf-8-sig", "surrogateescape")
