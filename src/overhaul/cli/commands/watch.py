"""``overhaul watch``."""

from __future__ import annotations

import sys

import click

from overhaul import folder as folders
from overhaul.cli import options
from overhaul.cli.exits import OK
from overhaul.cli.output import (
    Settings,
    explain_error,
    say,
    say_json,
    shown,
    size_in_words,
    warn,
)
from overhaul.errors import OverhaulError


@click.command(
    "watch",
    epilog=options.examples(
        "overhaul watch game -o new.win",
        "overhaul watch game -o new.win --run 'runner -game new.win'",
    ),
)
@click.argument("folder", metavar="FOLDER")
@options.output("The game to write.")
@click.option("--run", metavar="COMMAND", help="A program to start again for each new game.")
@options.force_backup
@options.common
def command(folder: str, output: str, run: str | None, force: bool, settings: Settings) -> int:
    """Pack a folder whenever a file in it is saved.

    The game is written when it is complete. Errors are reported with file, line and column, and the
    last good game stays. Ctrl-C ends it.

    Needs the package watchfiles: pip install 'overhaul[watch]'
    """
    program = None if run is None else folders.Program(run)
    try:
        for made in folders.watch(folder, output, force=force):
            _tell(made, settings)
            if program is not None and not isinstance(made, OverhaulError):
                program.restart()
    finally:
        if program is not None:
            program.end()
    return OK


def _tell(made: folders.Packed | OverhaulError, settings: Settings) -> None:
    if isinstance(made, OverhaulError):
        explain_error(made)
        return
    if settings.json:
        say_json(made._asdict())
    elif not settings.quiet:
        changed = ", ".join(map(shown, made.changes)) if len(made.changes) < 4 else ""
        said = changed or (f"{len(made.changes)} files changed" if made.changes else "as unpacked")
        say(f"{shown(made.path)}: {size_in_words(made.size)}, {said}")
    warn(made.warnings, settings)
    sys.stdout.flush()
