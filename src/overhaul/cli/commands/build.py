"""``overhaul build``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from overhaul import ags
from overhaul.cli import options
from overhaul.cli.output import (
    ANSWER_IS_NO,
    OK,
    Settings,
    note,
    say,
    say_json,
    shown,
    size_in_words,
    warn,
)

if TYPE_CHECKING:
    from overhaul.ags import BuildError, Built


@click.command(
    "build",
    epilog=options.examples(
        "overhaul build MyGame -o MyGame.ags",
        "overhaul build MyGame/Game.agf -o Compiled",
        "overhaul build MyGame -o MyGame.exe --engine acwin.exe",
        "overhaul build --json MyGame -o MyGame.ags",
    ),
)
@click.argument("project", metavar="FOLDER|Game.agf")
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="PATH",
    help="The game's file (.ags, or .exe with --engine), or a folder for it.",
)
@click.option(
    "--engine",
    metavar="FILE",
    help="The engine that an .exe begins with; none comes with Overhaul.",
)
@options.strict
@options.force
@options.common
def command(
    project: str,
    output: str,
    engine: str | None,
    strict: bool,
    force: bool,
    settings: Settings,
) -> int:
    """Build the game of a project of Adventure Game Studio, on any system.

    Scripts, dialogs and rooms are compiled as the editor of the project (3.2 to 3.6.3) does, and
    packed with sprites, fonts and sounds. audio.vox, speech.vox, translations (.tra) and
    acsetup.cfg are written next to the game. Each error has its file, line and column; after one
    nothing is written. Sounds that are not there are left out, with a warning. The project is not
    changed.
    """
    try:
        built = ags.build(project, output, engine=engine, strict=strict, force=force)
    except ags.BuildError as error:
        return _refused(error, settings)
    if settings.json:
        say_json(_row(built))
        return OK
    warn(built.findings, settings)
    if not settings.quiet:
        members, scripts = len(built.members), len(built.scripts.names)
        size = size_in_words(sum(built.members.values()))
        say(f"{shown(built.path)}: {members} files, {scripts} scripts compiled, {size}")
        for path in built.files[1:]:
            say(f"{shown(path)}")
    return OK


def _row(built: Built) -> dict[str, object]:
    return {
        "path": built.path,
        "version": built.version,
        "files": built.files,
        "members": [{"name": name, "size": size} for name, size in built.members.items()],
        "scripts": built.scripts.to_json(),
        "findings": built.findings.to_json(),
    }


def _refused(error: BuildError, settings: Settings) -> int:
    """Report what is wrong in a project."""
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
