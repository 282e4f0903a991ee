"""``overhaul view``."""

from __future__ import annotations

import sys
import webbrowser

import click

from overhaul import viewer
from overhaul.cli import options
from overhaul.cli.output import INTERRUPTED, OK, Settings, note, say, say_json


@click.command(
    "view",
    epilog=options.examples(
        "overhaul view data.win",
        "overhaul view game",
        "overhaul view --diff old.win new.win",
        "overhaul view data.win --runner game.exe",
    ),
)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--no-open", is_flag=True, help="Only print the address; don't open the browser.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    metavar="N",
    help="The port to listen on (by default one that follows from the names of the files).",
)
@click.option("--diff", is_flag=True, help="Show what differs between two files.")
@click.option(
    "--runner",
    default="",
    metavar="PROGRAM",
    help="The program that starts the game: pages offer to run a copy of it as it is edited.",
)
@options.common
def command(
    files: tuple[str, ...], no_open: bool, port: int, diff: bool, runner: str, settings: Settings
) -> int:
    """See, hear and edit a whole game in the browser.

    FILE is any file that Overhaul opens, an unpacked folder, a folder of games, or a catalogue. The
    first line printed is the address of the page, with the token that opens it; only this computer
    can see it. Edits are steps that can be undone; a file is written when you save it there. Ctrl-C
    ends the viewer.

    Needs some packages: pip install 'overhaul[view]'
    """

    if diff and len(files) != 2:
        raise click.UsageError("--diff needs two files")

    def ready(address: viewer.Address) -> None:
        if settings.json:
            say_json({"address": str(address)})
        else:
            say(str(address))
        sys.stdout.flush()
        if not no_open:
            webbrowser.open(str(address))
        if not settings.quiet:
            note("overhaul: Ctrl-C ends the viewer")

    try:
        viewer.serve(files, port=port, diff=diff, runner=runner, ready=ready)
    except KeyboardInterrupt:
        if sys.stderr.isatty():
            note("")  # behind the ^C of the terminal
        note("overhaul: the viewer has ended")
        return INTERRUPTED
    return OK
