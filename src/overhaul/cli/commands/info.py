"""``overhaul info``."""

from __future__ import annotations

import click

from overhaul.cli import options
from overhaul.cli.output import Settings
from overhaul.cli.reports import info_files


@click.command(
    "info",
    epilog=options.examples(
        "overhaul info data.win",
        "overhaul info --json *.win",
        "overhaul info --short games/* game",
        "overhaul info 'game.zip!data.win'",
    ),
)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--short", is_flag=True, help="A line for each file: kind and version.")
@options.assume_version
@options.common
def command(files: tuple[str, ...], short: bool, settings: Settings) -> int:
    """Show what files are: kind, version, contents.

    The kind is found from the content, never from the name. A file inside a container is named
    with an exclamation mark: game.zip!data.win, game.ags!room1.crm. An unpacked folder is shown
    as the file that packing it gives.
    """
    return info_files(list(files), settings, short=short)
