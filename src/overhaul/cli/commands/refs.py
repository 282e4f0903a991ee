"""``overhaul refs``."""

from __future__ import annotations

import click

from overhaul.cli import options
from overhaul.cli.matches import show_matches
from overhaul.cli.output import Settings, shown
from overhaul.folder.texts import uses


@click.command(
    "refs",
    epilog=options.examples(
        "overhaul refs data.win spr_player",
        "overhaul refs data.win snd_jump -j 0 --json",
    ),
)
@click.argument("file", metavar="FILE")
@click.argument("name", metavar="NAME")
@options.assume_version
@options.jobs
@options.common
def command(file: str, name: str, settings: Settings) -> int:
    """Show what uses a resource: code, rooms, objects, sequences.

    Each use is printed as path:line: text, with the paths and lines of the unpacked folder; NAME
    may also be a function or a variable. Exit code 1 if nothing uses it.
    """
    return show_matches(
        file,
        lambda workers, progress: uses(workers, name, progress=progress),
        settings,
        nothing=f"nothing uses {shown(name)}",
    )
