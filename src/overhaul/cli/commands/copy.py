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
        "overhaul copy other.win sprites/spr_hero data.win --rename spr_hero=spr_knight -o new.win",
    ),
)
@click.argument("source", metavar="FROM")
@click.argument("patterns", nargs=-1, required=True, metavar="PATTERN...")
@click.argument("into", metavar="INTO")
@options.output("The game to write.")
@click.option(
    "--with-dependencies", is_flag=True, help="Also what these name: sprites, scripts, sounds."
)
@click.option(
    "--rename",
    "renames",
    multiple=True,
    metavar="OLD=NEW",
    help="What a copied resource is called in INTO.",
)
@options.force_backup
@options.common
def command(
    source: str,
    patterns: tuple[str, ...],
    into: str,
    output: str,
    with_dependencies: bool,
    renames: tuple[str, ...],
    force: bool,
    settings: Settings,
) -> int:
    """Copy resources from one game into another.

    PATTERN is a glob of what `overhaul ls` lists. Objects bring their code. A name that INTO has
    already is a conflict: it is reported, and nothing is written; --rename gives it another one.

    Exit code: 0 written, 1 there are conflicts.
    """
    names = {}
    for rename in renames:
        old, equals, new = rename.partition("=")
        if not (old and equals and new):
            raise click.UsageError(f"--rename: expected OLD=NEW, got {rename!r}")
        names[old] = new
    result = mods.copy(source, patterns, into, with_dependencies=with_dependencies, rename=names)
    return write_merged(result, output, settings, force=force)
