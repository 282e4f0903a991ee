"""``overhaul copy``."""

from __future__ import annotations

import click

from overhaul import mods
from overhaul.cli import options
from overhaul.cli.conflicts import write_merged
from overhaul.cli.output import Settings


@click.command(
    "copy",
    epilog=options.examples(
        "overhaul copy other.win sprites/spr_hero data.win -o new.win",
        "overhaul copy other.win objects/obj_hero data.win --with-dependencies -o new.win",
    ),
)
@click.argument("source", metavar="FROM")
@click.argument("patterns", nargs=-1, required=True, metavar="PATTERN...")
@click.argument("into", metavar="INTO")
@options.output("The game to write.")
@click.option(
    "--with-dependencies", is_flag=True, help="Also what these name: sprites, scripts, sounds."
)
@options.force_backup
@options.common
def command(
    source: str,
    patterns: tuple[str, ...],
    into: str,
    output: str,
    with_dependencies: bool,
    force: bool,
    settings: Settings,
) -> int:
    """Copy resources from one game into another.

    PATTERN is a glob of what `overhaul ls` lists. Objects bring their code. A name that INTO has
    already is a conflict: it is told, and nothing is written.

    Exit code: 0 written, 1 there are conflicts.
    """
    result = mods.copy(source, patterns, into, with_dependencies=with_dependencies)
    return write_merged(result, output, settings, force=force)
