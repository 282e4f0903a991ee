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
        "overhaul decompile data.win --style plain gml_Object_obj_player_Step_0",
        "overhaul decompile games/*.win 'gml_Script_*' -o sources",
    ),
)
@click.argument("words", nargs=-1, required=True, metavar="FILE... [ENTRY]...")
@options.output_or_none("Write NAME.gml files to this folder.", "FOLDER")
@click.option(
    "--style",
    type=click.Choice(["default", "plain"]),
    default="default",
    help="plain: numbers and functions as the code has them, no for loops.",
)
@options.force
@options.assume_version
@options.jobs
@options.common
def command(
    words: tuple[str, ...],
    output: str | None,
    style: str,
    force: bool,
    settings: Settings,
) -> int:
    """Print a game's code as GML source.

    An ENTRY is the name of a code entry or a glob of names; without one, all entries are printed. A
    script or function may be named without gml_Script_; one inside another entry is printed with
    that entry. After the first, an argument that is a file or an unpacked folder is a FILE too;
    with -o each of several files has a folder in FOLDER. Exit code 1 if an entry is missing or
    can't be decompiled; the others are printed.
    """
    # start-up: not for --help
    from overhaul.cli.entry_texts import show_entries
    from overhaul.gml.decompiler.options import PRESETS

    return show_entries(
        *options.files_and_patterns(words),
        "gml",
        settings,
        output=output,
        force=force,
        style=PRESETS[style],
    )
