"""``overhaul new``."""

from __future__ import annotations

import click

from overhaul import folder as folders
from overhaul.cli import options
from overhaul.cli.exits import OK
from overhaul.cli.output import Settings, note, say, say_json, shown, warn


@click.command(
    "new",
    epilog=options.examples(
        "overhaul new --version 2023.8 mygame",
        "overhaul new --kind gamemaker-project --version 800 mygame",
        "overhaul pack mygame -o data.win",
    ),
)
@click.argument("folder", metavar="FOLDER")
@click.option(
    "--version",
    default="",
    metavar="VERSION",
    help="The release: 2023.8, 2.3.2, 1.0.0.1763; by default the newest.",
)
@click.option(
    "--kind",
    default="gamemaker-data",
    show_default=True,
    metavar="KIND",
    help="gamemaker-data, or gamemaker-project (500 to 810).",
)
@options.common
def command(folder: str, version: str, kind: str, settings: Settings) -> int:
    """Begin a new, empty game as a folder.

    The game has one room and the options of a new project. FOLDER must not exist, or be empty. Put
    files into it (docs/guide/new-games.md says which), and pack it.
    """
    done = folders.new(folder, version=version, kind=kind)
    if settings.json:
        say_json(done._asdict())
    elif not settings.quiet:
        say(f"{shown(done.folder)}: {done.files} files")
        note(f"To make the game's file: overhaul pack {shown(folder)}")
    warn(done.warnings, settings)
    return OK
