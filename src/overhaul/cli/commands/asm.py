"""``overhaul asm``."""

from __future__ import annotations

import click

from overhaul.cli import options
from overhaul.cli.output import Settings


@click.command(
    "asm",
    epilog=options.examples(
        "overhaul asm data.win gml_Object_obj_player_Create_0.asm",
        "overhaul asm data.win create.asm --entry gml_Object_obj_player_Create_0 -o new.win",
    ),
)
@click.argument("file", metavar="FILE")
@click.argument("texts", nargs=-1, required=True, metavar="TEXT...")
@options.entry
@options.output_or_none("Write a changed copy of the game.", "PATH")
@options.force_backup
@options.assume_version
@options.jobs
@options.common
def command(
    file: str,
    texts: tuple[str, ...],
    entry: str | None,
    output: str | None,
    force: bool,
    settings: Settings,
) -> int:
    """Check assembly text against a game, or write a copy of the game with it.

    Each TEXT (- is stdin), as disasm shows it, is assembled as the code entry it is named after,
    and compared with what the game has; without -o the game stays as it is. New entries may be
    given as for compile. Exit code 1 if a text does not assemble; then nothing is written.
    """
    from overhaul.cli.entry_sources import put_entries  # start-up: not for --help

    return put_entries(
        file,
        texts,
        entry,
        settings,
        assembly=True,
        output=output,
        force=force,
    )
