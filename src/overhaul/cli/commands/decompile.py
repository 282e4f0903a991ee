"""``overhaul decompile``."""

from __future__ import annotations

import click

from overhaul.cli import options
from overhaul.cli.output import Settings


@click.command(
    "decompile",
    epilog=options.examples(
        "overhaul decompile data.win gml_Object_obj_player_Create_0",
        "overhaul decompile data.win '*obj_player*' | less",
        "overhaul decompile data.win -j 0 -o source",
    ),
)
@click.argument("file", metavar="FILE")
@click.argument("entries", nargs=-1, metavar="[ENTRY]...")
@click.option("-o", "--output", metavar="FOLDER", help="Write NAME.gml files to this folder.")
@options.force
@options.assume_version
@options.jobs
@options.common
def command(
    file: str,
    entries: tuple[str, ...],
    output: str | None,
    force: bool,
    settings: Settings,
) -> int:
    """Print a game's code as GML source.

    An ENTRY is the name of a code entry or a glob of names; without one, all entries are printed. A
    script or function may be named without gml_Script_; one inside another entry is printed with
    that entry. Exit code 1 if an entry is missing or can't be decompiled; the others are printed.
    """
    from overhaul.cli.entry_texts import show_entries  # start-up: not for --help

    return show_entries(
        file,
        entries,
        "gml",
        settings,
        output=output,
        force=force,
    )
