"""``overhaul update``."""

from __future__ import annotations

import click

from overhaul import mods
from overhaul.cli import options
from overhaul.cli.conflicts import report_conflicts
from overhaul.cli.exits import ANSWER_IS_NO, OK
from overhaul.cli.output import Settings, say, say_json, shown
from overhaul.cli.progress import Bar


@click.command("update", epilog=options.examples("overhaul update game update.win"))
@click.argument("folder", metavar="FOLDER")
@click.argument("game", metavar="GAME")
@options.common
def command(folder: str, game: str, settings: Settings) -> int:
    """Bring an unpacked folder, with its edits, to another build of its game.

    FOLDER becomes what unpacking GAME gives, with the edits on top; the old folder is kept as
    FOLDER.bak. Where the update changed the same, texts have both sides between marks, and other
    files are next to the update's as NAME.yours.

    Exit code: 0 all edits are carried over, 1 there are conflicts.
    """
    done = mods.update(folder, game, progress=Bar("files", hidden=settings.quiet))
    if settings.json:
        conflicts = [conflict.to_json() for conflict in done.conflicts]
        say_json({**done._asdict(), "conflicts": conflicts})
    elif not settings.quiet:
        files = "1 edited file" if len(done.kept) == 1 else f"{len(done.kept)} edited files"
        say(f"{shown(done.folder)}: {files} carried over")
        say(f"{shown(done.backup)}: the folder as it was")
    if not settings.json:
        report_conflicts(done.conflicts)
    return ANSWER_IS_NO if done.conflicts else OK
