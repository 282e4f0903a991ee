"""``overhaul new``, ``status``, ``update`` and ``watch``: an unpacked folder."""

from __future__ import annotations

import sys

import click

from overhaul import folder as folders
from overhaul import mods
from overhaul.cli import options
from overhaul.cli.conflicts import report_conflicts
from overhaul.cli.output import (
    ANSWER_IS_NO,
    OK,
    Settings,
    explain_error,
    note,
    row_of,
    say,
    say_json,
    shown,
    size_in_words,
    warn,
)
from overhaul.cli.progress import Bar
from overhaul.errors import OverhaulError


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
def new_command(folder: str, version: str, kind: str, settings: Settings) -> int:
    """Begin a new, empty game as a folder.

    The game has one room and the options of a new project. FOLDER must not exist, or be empty. Put
    files into it (docs/guide/new-games.md says which), and pack it.
    """
    done = folders.new(folder, version=version, kind=kind)
    if settings.json:
        say_json(row_of(done))
    elif not settings.quiet:
        say(f"{shown(done.folder)}: {done.files} files")
        note(f"To make the game's file: overhaul pack {shown(folder)}")
    warn(done.findings, settings)
    return OK


@click.command(
    "status",
    epilog=options.examples("overhaul status game", "overhaul status --json game"),
)
@click.argument("names", nargs=-1, required=True, metavar="FOLDER...")
@options.common
def status_command(names: tuple[str, ...], settings: Settings) -> int:
    """Show the changes in a folder since it was unpacked.

    Each file that packing would read is printed as added, changed or removed, with its path.
    """
    rows: list[dict[str, object]] = []
    worst = OK
    for folder in names:
        try:
            status = folders.status(folder)
        except Exception as error:  # noqa: BLE001 - the other folders are shown all the same
            worst = max(worst, explain_error(error, settings))
            rows.append({"folder": folder, "error": str(error)})
            continue
        rows.append(status._asdict())
        if settings.json:
            continue
        prefix = f"{shown(folder)}: " if len(names) > 1 else ""
        for path, change in status.changes.items():
            say(f"{prefix}{change:8} {shown(path)}")
        if not status.changes and not settings.quiet:
            say(f"{shown(folder)}: as it was unpacked")
    if settings.json:
        say_json({"folders": rows})
    return worst


@click.command("update", epilog=options.examples("overhaul update game update.win"))
@click.argument("folder", metavar="FOLDER")
@click.argument("game", metavar="GAME")
@options.common
def update_command(folder: str, game: str, settings: Settings) -> int:
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


@click.command(
    "watch",
    epilog=options.examples(
        "overhaul watch game -o new.win",
        'overhaul watch game -o new.win --run "runner -game new.win"',
    ),
)
@click.argument("folder", metavar="FOLDER")
@options.output("The game to write.")
@click.option("--run", metavar="COMMAND", help="A program to start again for each new game.")
@options.force_backup
@options.no_cache
@options.common
def watch_command(
    folder: str, output: str, run: str | None, force: bool, settings: Settings
) -> int:
    """Pack a folder whenever a file in it is saved.

    The game is written when it is complete. Errors are reported with file, line and column, and the
    last good game stays. Ctrl-C ends it.

    Needs the package watchfiles: pip install 'overhaul[watch]'
    """
    program = None if run is None else folders.Program(run)
    try:
        for made in folders.watch(folder, output, force=force):
            _report(made, settings)
            if program is not None and not isinstance(made, OverhaulError):
                program.restart()
    finally:
        if program is not None:
            program.end()
    return OK


def _report(made: folders.Packed | OverhaulError, settings: Settings) -> None:
    if isinstance(made, OverhaulError):
        explain_error(made)
        return
    if settings.json:
        say_json(row_of(made))
    elif not settings.quiet:
        changed = ", ".join(map(shown, made.changes)) if len(made.changes) < 4 else ""
        said = changed or (f"{len(made.changes)} files changed" if made.changes else "as unpacked")
        say(f"{shown(made.path)}: {size_in_words(made.size)}, {said}")
    warn(made.findings, settings)
    sys.stdout.flush()
