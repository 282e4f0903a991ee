"""``overhaul disasm``."""

from __future__ import annotations

import click

from overhaul.cli import options
from overhaul.cli.output import Settings


@click.command(
    "disasm",
    epilog=options.examples(
        "overhaul disasm data.win gml_Object_obj_player_Create_0 > create.asm",
        "overhaul disasm data.win 'gml_Script_*' -o assembly",
    ),
)
@click.argument("words", nargs=-1, required=True, metavar="FILE... [ENTRY]...")
@options.output_or_none("Write NAME.asm files to this folder.", "FOLDER")
@options.force
@options.assume_version
@options.jobs
@options.common
def command(
    words: tuple[str, ...],
    output: str | None,
    force: bool,
    settings: Settings,
) -> int:
    """Print a game's code as assembly text.

    An ENTRY is the name of a code entry or a glob of names; without one, all entries are printed.
    The text assembles back to the same bytecode (overhaul asm). Several FILEs are as for decompile.
    """
    from overhaul.cli.entry_texts import show_entries  # start-up: not for --help

    return show_entries(
        *options.files_and_patterns(words),
        "asm",
        settings,
        output=output,
        force=force,
    )
