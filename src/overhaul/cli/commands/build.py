"""``overhaul build``."""

from __future__ import annotations

import click

from overhaul.cli import options, verbs
from overhaul.cli.output import Settings


@click.command(
    "build",
    epilog=options.examples(
        "overhaul build MyGame -o MyGame.ags",
        "overhaul build MyGame/Game.agf -o Compiled",
        "overhaul build MyGame -o MyGame.exe --engine acwin.exe",
        "overhaul build --json MyGame -o MyGame.ags",
        "overhaul build recovered -o new.win --like data.win",
    ),
)
@click.argument("project", metavar="FOLDER|PROJECT")
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="PATH",
    help="The game's file (.ags, or .exe with --engine; a data.win), or a folder for it.",
)
@click.option(
    "--engine",
    metavar="FILE",
    help="The engine that an .exe begins with; none comes with Overhaul.",
)
@click.option(
    "--like",
    metavar="GAME",
    help="For a project of GameMaker: a game of the same release, which gives all that the project "
    "does not say.",
)
@click.option(
    "--watch",
    is_flag=True,
    help="For a project of Adventure Game Studio: build it again whenever a file in it is saved.",
)
@options.strict
@options.force
@options.no_cache
@options.common
def command(
    project: str,
    output: str,
    engine: str | None,
    like: str | None,
    watch: bool,
    strict: bool,
    force: bool,
    settings: Settings,
) -> int:
    """Build the game of a project: of Adventure Game Studio, or of GameMaker like a game.

    With --like GAME, what the project and that game say alike stays as it is, byte for byte;
    objects, code, pictures, paths and settings that differ are changed, and other changes are
    refused by name. So a project that was made of a game is judged, and small changes of a project
    reach a game without its editor.

    For Adventure Game Studio scripts, dialogs and rooms are compiled as the editor of the project
    (3.1.0 to 3.6.3) does, and packed with sprites, fonts and sounds. audio.vox, speech.vox,
    translations (.tra) and acsetup.cfg are written next to the game. Each error has its file, line
    and column; after one nothing is written. Sounds that are not there are left out, with a
    warning. The project is not changed. A script whose text and headers are those of an earlier
    build is not compiled again. --watch goes on until Ctrl-C, and needs the package watchfiles.
    """
    asked = verbs.Building(project, output, engine, like, watch, strict, force, settings)
    return next(each for each in verbs.families() if each.builds(asked)).build(asked)
