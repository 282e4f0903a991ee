"""``convert`` for games of Adventure Game Studio."""

from __future__ import annotations

import click

import overhaul
from overhaul.ags import project
from overhaul.cli.output import ANSWER_IS_NO, OK, note, say, say_json, shown
from overhaul.cli.verbs import Conversion


def converts(kind: str) -> bool:
    """Whether projects of a kind are made here."""
    return kind == "agf"


def convert(asked: Conversion) -> int:
    """Make the folder of a project."""
    if asked.release is not None or asked.lossy:
        raise click.UsageError("--release and --lossy are for projects of the kind .yyp")
    settings = asked.settings
    with overhaul.open(asked.file) as document:
        made = project.convert(document)
        folder = asked.output or f"{asked.stem}-project"
        project.write_project(made, folder, force=asked.force)
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
