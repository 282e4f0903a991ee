"""``overhaul refs``."""

from __future__ import annotations

import click

from overhaul.cli import options
from overhaul.cli.code import show_matches
from overhaul.cli.output import Settings, shown


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
def command(file: str, name: str, assume_version: str | None, settings: Settings) -> int:
    """Say who uses a resource: in code, rooms, objects, sequences.

    Each use is printed as path:line: text, with the paths and lines of the unpacked folder; NAME
    may also be a function or a variable. Exit code 1 if nothing uses it.
    """
    from overhaul.folder.texts import uses

    return show_matches(
        file,
        lambda document, progress: uses(
            file,
            document,
            name,
            jobs=settings.jobs,
            assume_version=assume_version,
            progress=progress,
        ),
        settings,
        assume_version,
        nothing=f"nothing uses {shown(name)}",
    )
