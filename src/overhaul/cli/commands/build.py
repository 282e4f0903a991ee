"""``overhaul build``."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

import overhaul
from overhaul import ags
from overhaul.cli import options
from overhaul.cli.output import (
    ANSWER_IS_NO,
    OK,
    Settings,
    explain_error,
    note,
    say,
    say_json,
    shown,
    size_in_words,
    warn,
)
from overhaul.document.registry import load
from overhaul.errors import OverhaulError

if TYPE_CHECKING:
    from overhaul.ags import BuildError, Built
    from overhaul.gamemaker.ide_game.building import Built as LikeBuilt


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
    (3.1.2 to 3.6.3) does, and packed with sprites, fonts and sounds. audio.vox, speech.vox,
    translations (.tra) and acsetup.cfg are written next to the game. Each error has its file, line
    and column; after one nothing is written. Sounds that are not there are left out, with a
    warning. The project is not changed. A script whose text and headers are those of an earlier
    build is not compiled again. --watch goes on until Ctrl-C, and needs the package watchfiles.
    """
    if watch and like is not None:
        raise click.UsageError("--watch and --like can't be used together")
    if like is not None:
        return _like(project, output, like, force, settings)
    names = os.listdir(project) if os.path.isdir(project) else [project]
    if any(name.lower().endswith((".yyp", ".project.gmx")) for name in names):
        raise click.UsageError(
            "a project of GameMaker is built into a game like another one: --like GAME"
        )
    if not watch:
        return _build(project, output, engine, strict, force, settings)
    folder = project if os.path.isdir(project) else os.path.dirname(project) or "."
    for _ in load("overhaul.folder.watching:saves")(folder, output):
        try:
            if _build(project, output, engine, strict, force, settings) == OK:
                force = True  # this made the files
        except OverhaulError as error:
            explain_error(error)
        sys.stdout.flush()
    return OK


def _build(
    project: str,
    output: str,
    engine: str | None,
    strict: bool,
    force: bool,
    settings: Settings,
) -> int:
    """Build the game of a project of Adventure Game Studio."""
    try:
        built = ags.build(project, output, engine=engine, strict=strict, force=force)
    except ags.BuildError as error:
        return _refused(error, settings)
    if settings.json:
        say_json(_row(built))
        return OK
    warn(built.findings, settings)
    if not settings.quiet:
        members, reused = len(built.members), len(built.scripts.reused)
        scripts = len(built.scripts.names) - reused
        kept = f" ({reused} as before)" if reused else ""
        size = size_in_words(sum(built.members.values()))
        say(f"{shown(built.path)}: {members} files, {scripts} scripts compiled{kept}, {size}")
        for path in built.files[1:]:
            say(f"{shown(path)}")
    return OK


def _like(project: str, output: str, like: str, force: bool, settings: Settings) -> int:
    """Build a project of GameMaker's editor into a game like another one."""
    with overhaul.open(project) as document, overhaul.open_game(like) as game:
        if document.kind != "gamemaker-ide-project":
            raise click.UsageError(f"{project} is not a project of GameMaker's editor")
        made: LikeBuilt = load("overhaul.gamemaker.ide_game.building:build")(document, game)
        game.save(output, force=force)
        size = len(game.to_bytes())
    if settings.json:
        row = {"path": output, "size": size, "changed": made.changed}
        say_json(row | {"findings": made.findings.to_json()})
        return OK
    warn(made.findings, settings)
    if not settings.quiet:
        say(f"{shown(output)}: {len(made.changed)} changes, {size_in_words(size)}")
        for name in made.changed:
            say(f"  {shown(name)}")
    return OK


def _row(built: Built) -> dict[str, object]:
    return {
        "path": built.path,
        "version": built.version,
        "files": built.files,
        "members": [{"name": name, "size": size} for name, size in built.members.items()],
        "scripts": built.scripts.to_json(),
        "reused": built.scripts.reused,
        "findings": built.findings.to_json(),
    }


def _refused(error: BuildError, settings: Settings) -> int:
    """Report the faults of a project."""
    for finding in error.findings:
        note(f"overhaul: {finding.severity}: {shown(finding)}")
    if settings.json:
        say_json(
            {
                "path": None,
                "scripts": error.scripts.to_json(),
                "findings": error.findings.to_json(),
            }
        )
    return ANSWER_IS_NO
