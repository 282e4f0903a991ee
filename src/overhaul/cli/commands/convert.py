"""``overhaul convert``."""

from __future__ import annotations

import click

import overhaul
from overhaul import ags_project
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
)


@click.command(
    "convert",
    epilog=options.examples(
        "overhaul convert old.gm6 --to gm81",
        "overhaul convert game.gmd --to 800 -o game.gmk",
        "overhaul convert game.ags --to agf -o project",
        "overhaul convert --json old.gmk --to gm81",
    ),
)
@click.argument("file", metavar="FILE")
@click.option(
    "--to",
    "target",
    required=True,
    metavar="VERSION",
    help="gm6, gmk7, gmk (8.0) or gm81, or the number: 530, 600, 701, 800, 810; agf: a project.",
)
@options.output_or_none("The file to write; by default next to FILE.", "PATH")
@options.force_file
@options.common
def command(file: str, target: str, output: str | None, force: bool, settings: Settings) -> int:
    """Convert a Game Maker project to a later version, or a game to a project of its editor.

    With --to agf, a game of Adventure Game Studio becomes a folder with Game.agf, scripts, rooms
    and all else; RECOVERED.md in it says what compiling lost, and the exit code is 1 if a script of
    it does not compile or lacks a function. What a later version of Game Maker has no equivalent
    for is reported on stderr. FILE is not changed.
    """
    if target.lower().lstrip(".") == "agf":
        return _to_agf(file, output, force, settings)
    from overhaul.gamemaker.classic import ProjectDocument, conversion  # start-up: not for --help

    version = conversion.TARGETS.get(target.lower().lstrip("."))
    if version is None:
        raise click.BadParameter(f"unknown version {target!r}", param_hint="--to")
    with overhaul.open(file) as document:
        if not isinstance(document, ProjectDocument):
            raise click.UsageError(f"{file} is not a Game Maker project, but {document.kind}")
        project, report = conversion.convert(document.project, version)
        made = ProjectDocument.of(project)
        made.findings += report
        stem = file.rpartition(".")[0] or file
        path = output or stem + conversion.EXTENSIONS.get(version, ".gm81")
        made.save(path, force=force)
        size = len(made.to_bytes())
    if settings.json:
        say_json({"path": path, "version": version, "size": size, "report": report.texts()})
        return OK
    say(f"{shown(path)}: version {version}, {size_in_words(size)}")
    if not settings.quiet:
        for line in report:
            note(f"overhaul: {shown(line)}")
    return OK


def _to_agf(file: str, output: str | None, force: bool, settings: Settings) -> int:
    """Make the folder of a project."""
    with overhaul.open(file) as document:
        made = ags_project.convert(document)
        folder = output or (file.rpartition(".")[0] or file) + "-project"
        ags_project.write_project(made, folder, force=force)
    code = OK if made.is_whole else ANSWER_IS_NO
    if settings.json:
        say_json(
            {
                "path": folder,
                "version": made.version,
                "files": sorted(made.files),
                "report": made.report,
                "scripts": made.scripts.to_json(),
                "missing": made.missing,
            }
        )
        return code
    say(f"{shown(folder)}: a project of the editor {made.version}, {len(made.files)} files")
    if not settings.quiet:
        for line in made.report:
            note(f"overhaul: {shown(line)}")
        for script, finding in made.scripts.failed.items():
            note(f"overhaul: {shown(script)} does not compile: {shown(finding)}")
        for line in made.missing:
            note(f"overhaul: missing: {shown(line)}")
    return code
