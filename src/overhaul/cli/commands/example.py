"""``overhaul example``."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from overhaul.cli import options
from overhaul.cli.output import (
    OK,
    Settings,
    note,
    row_of,
    say,
    say_json,
    shown,
    size_in_words,
    warn,
)
from overhaul.document.registry import load

if TYPE_CHECKING:
    from overhaul.examples import Example
    from overhaul.folder import Packed


@click.command(
    "example",
    epilog=options.examples(
        "overhaul example",
        "overhaul example park -o game.ags",
        "overhaul example --list",
    ),
)
@click.argument("name", default="lantern", metavar="[NAME]")
@options.output_or_none("The file to write; by default NAME here.")
@options.force_file
@click.option("--list", "listed", is_flag=True, help="List the games instead.")
@options.common
def command(name: str, output: str | None, force: bool, listed: bool, settings: Settings) -> int:
    """Write a small game to try Overhaul on.

    NAME is lantern (of GameMaker, by default), lantern-old (the same, of GameMaker: Studio 1.4) or
    park (of Adventure Game Studio). The games are Overhaul's own; do with them what you like.
    """
    if listed:
        games: tuple[Example, ...] = load("overhaul.examples:EXAMPLES")
        if settings.json:
            say_json([game._asdict() for game in games])
        else:
            for game in games:
                say(f"{game.name:12} {game.about}")
        return OK
    done: Packed = load("overhaul.examples:write_example")(name, output, force=force)
    if settings.json:
        say_json(row_of(done))
    elif not settings.quiet:
        file = shown(output or os.path.basename(done.path))
        say(f"{file}: {size_in_words(done.size)}")
        note(f"To look at it: overhaul view {file}")
    warn(done.findings, settings)
    return OK
