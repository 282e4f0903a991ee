"""``overhaul debug``."""

from __future__ import annotations

import os

import click

from overhaul import folder as folders
from overhaul.cli import options
from overhaul.cli.output import OK, Settings, note, say, say_json, shown, warn
from overhaul.cli.progress import Bar

#: How many warnings are shown without -v.
_SHOWN = 10


@click.command(
    "debug",
    epilog=options.examples(
        "overhaul debug data.win",
        "overhaul debug data.win -o debugging --sources project/code",
    ),
)
@click.argument("file", metavar="FILE")
@options.output_or_none("Where to write; by default NAME_debug.", "FOLDER")
@click.option(
    "--sources", metavar="FOLDER", help="Original sources, ENTRY.gml, to use where they match."
)
@options.definitions
@options.force
@options.assume_version
@options.jobs
@options.common
def command(
    file: str,
    output: str | None,
    sources: str | None,
    definitions: str | None,
    force: bool,
    settings: Settings,
) -> int:
    """Make debugger data, so that GameMaker's debugger steps through a game.

    Two files are written to FOLDER: NAME.yydebug with the decompiled source of all code (or the
    original sources, where they compile to the game's own bytecode), and a copy of the game that
    waits for the debugger when it starts. See docs/formats/yydebug.md for how to connect.
    """
    from overhaul.cli.gamemaker.entry_sources import read_definitions  # start-up: not for --help
    from overhaul.gamemaker.data_folder import entry_texts  # start-up: not for --help

    target, data = _targets(file, output)
    with entry_texts.open_game(file, settings.assume_version) as game:
        workers = folders.Workers(
            file, game, assume_version=settings.assume_version, jobs=settings.jobs
        )
        info, findings = entry_texts.write_debugger_files(
            workers,
            target,
            data,
            sources=sources,
            definitions=read_definitions(game, definitions),
            force=force,
            progress=Bar("entries", hidden=settings.quiet),
        )
    if settings.json:
        row = {
            "path": file,
            "game": target,
            "debug": data,
            "warnings": findings.texts(),
            "findings": findings.to_json(),
        }
        say_json({**row, **{key: info[key] for key in ("code_entries", "places", "functions")}})
        return OK
    warn(findings if settings.verbose else findings[:_SHOWN], settings)
    if len(findings) > _SHOWN and not settings.verbose:
        note(f"overhaul: and {len(findings) - _SHOWN} more warnings like it (-v shows all)")
    if not settings.quiet:
        say(f"{shown(target)}: waits for a debugger")
        say(f"{shown(data)}: {info['code_entries']} entries, {info['places']} places")
    return OK


def _targets(file: str, output: str | None) -> tuple[str, str]:
    """The copy of the game, and the debugger data next to it."""
    name = os.path.basename(file.replace("!", "/"))
    stem = name.rpartition(".")[0] or name
    folder = f"{stem}_debug" if output is None else output
    return os.path.join(folder, name), os.path.join(folder, f"{stem}.yydebug")
