"""``overhaul tiled``: rooms as maps of the editor Tiled, and back."""

from __future__ import annotations

import click

from overhaul import folder as folders
from overhaul import gamemaker
from overhaul.cli import options
from overhaul.cli.output import ANSWER_IS_NO, OK, Settings, note, row_of, say, say_json, shown, warn
from overhaul.cli.progress import Bar
from overhaul.errors import FormatError


@click.group(
    "tiled",
    epilog=options.examples(
        'overhaul tiled export data.win "rooms/*" -o maps',
        "overhaul tiled import maps data.win -o new.win",
    ),
)
def command() -> None:
    """Write rooms as maps of the editor Tiled, and bring changed maps back into a game.

    See docs/guide/rooms.md for what a map shows.
    """


@command.command(
    "export",
    epilog=options.examples(
        "overhaul tiled export data.win -o maps",
        "overhaul tiled export data.win rooms/rm_first rooms/rm_second -o maps",
    ),
)
@click.argument("file", metavar="GAME")
@click.argument("patterns", nargs=-1, metavar="[PATTERN...]")
@options.output("Where to write.", "FOLDER")
@options.force
@options.assume_version
@options.common
def export(
    file: str, patterns: tuple[str, ...], output: str, force: bool, settings: Settings
) -> int:
    """Write rooms as maps (TMX), with the tile sets (TSX) and pictures they need.

    PATTERN is a glob of rooms/NAME; without one, all rooms are written.
    """
    with folders.open(file, assume_version=settings.assume_version) as game:
        if not isinstance(game, gamemaker.GameData):
            raise FormatError(f"{file}: a {game.kind} has no rooms to export")
        done = gamemaker.export_rooms(
            game,
            patterns or ("rooms/*",),
            output,
            force=force,
            progress=Bar("files", hidden=settings.quiet),
        )
        warn(game.findings, settings, file)
    if not done.maps:
        note(f"overhaul: no room matches {shown(' '.join(patterns))}")
        return ANSWER_IS_NO
    if settings.json:
        say_json({"path": file, "folder": output, **done._asdict()})
    elif not settings.quiet:
        count = len(done.maps)
        say(f"{count} map{'' if count == 1 else 's'}, {done.files} files in {shown(output)}")
    return OK


@command.command(
    "import", epilog=options.examples("overhaul tiled import maps data.win -o new.win")
)
@click.argument("folder", metavar="FOLDER")
@click.argument("file", metavar="GAME")
@options.output("The game to write.", "OUT")
@options.force_backup
@options.assume_version
@options.common
def import_(folder: str, file: str, output: str, force: bool, settings: Settings) -> int:
    """Write a copy of GAME with what was changed in the maps of FOLDER.

    Parts that no map changes stay as they are; untouched maps give the identical game.
    """
    with folders.open(file, assume_version=settings.assume_version) as game:
        if not isinstance(game, gamemaker.GameData):
            raise FormatError(f"{file}: a {game.kind} has no rooms to change")
        bar = Bar("maps", hidden=settings.quiet)
        done = gamemaker.import_rooms(game, folder, progress=bar)
        warn(done.findings, settings)
        game.save(output, force=force)
    if settings.json:
        say_json({"path": file, "folder": folder, "output": output, **row_of(done)})
    elif not settings.quiet:
        say(f"{len(done.changed)} of {len(done.maps)} rooms changed; {shown(output)} written")
    return OK
