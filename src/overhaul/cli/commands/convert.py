"""``overhaul convert``."""

from __future__ import annotations

import click

from overhaul.cli import options, verbs
from overhaul.cli.output import Settings


@click.command(
    "convert",
    epilog=options.examples(
        "overhaul convert old.gm6 --to gm81",
        "overhaul convert game.gmd --to 800 -o game.gmk",
        "overhaul convert game.exe --to gm81 -o recovered.gm81",
        "overhaul convert data.win --to yyp -o recovered",
        "overhaul convert old.gmk --to yyp -o today",
        "overhaul convert game.gm82 --to gm81 -o game.gm81",
        "overhaul convert Game.yyp --release 2023.11 --lossy -o earlier",
        "overhaul convert game.ags --to agf -o project",
        "overhaul convert --json old.gmk --to gm81",
    ),
)
@click.argument("file", metavar="FILE")
@click.option(
    "--to",
    "target",
    metavar="VERSION",
    help="gmd (5.3), gm6, gmk7, gmk (8.0) or gm81, or the number: 530, 600, 701, 800, 810; gm82, "
    "yyp, gmx or agf: a folder with a project of the editor.",
)
@click.option(
    "--release",
    metavar="RELEASE",
    help="The release of GameMaker that the .yyp is for: 2.3.7, 2022.9, 2024.13 …",
)
@click.option("--lossy", is_flag=True, help="Leave out parts that the release can't have.")
@options.output_or_none("The file to write; by default next to FILE.", "PATH")
@options.force_file
@options.common
def command(
    file: str,
    target: str | None,
    release: str | None,
    lossy: bool,
    output: str | None,
    force: bool,
    settings: Settings,
) -> int:
    """Convert a project to a later editor, or a game to a project of its editor.

    A project of Game Maker 5 to 8.1 becomes one of a later version; with --to gmx, one of
    GameMaker: Studio 1; with --to yyp, one of GameMaker 2024, and so does a project of Studio 1.
    Actions become GML there, tiles and views layers and cameras. CONVERTED.md in the folder lists
    what to look at.

    --release makes a .yyp one of another release of GameMaker, earlier or later, and has --to yyp
    make one of that release. What the release can't have is named, and nothing is written without
    --lossy.

    A .gm82 folder of Game Maker 8.2 becomes a .gm81 (or a later project), and with --to gm82 a
    project becomes such a folder. Parts that the other form has no place for are reported.

    For people who own a game and lost its project: an executable of Game Maker 5.3 to 8.1
    becomes the project that it was made of, or a later one. With --to yyp, a data.win becomes a
    folder with a project; with --to gmx, one of Studio 1 does; with --to agf, a game of
    Adventure Game Studio. Parts that compiling threw away are reported, and listed in
    RECOVERED.md of a folder. With agf the exit code is 1 if a script does not compile or lacks a
    function. FILE is not changed.
    """
    if target is None and release is None:
        raise click.UsageError("Missing option '--to' or '--release'.")
    kind = "yyp" if target is None else target.lower().lstrip(".")
    asked = verbs.Conversion(
        file, kind, target is not None, release, lossy, output, force, settings
    )
    family = next((each for each in verbs.families() if each.converts(kind)), None)
    if family is None:
        raise click.BadParameter(f"unknown version {target!r}", param_hint="--to")
    return family.convert(asked)
