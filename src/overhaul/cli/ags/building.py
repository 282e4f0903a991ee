"""``build`` for projects of Adventure Game Studio."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from overhaul import ags
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
from overhaul.cli.verbs import Building
from overhaul.document.registry import load
from overhaul.errors import OverhaulError

if TYPE_CHECKING:
    from overhaul.ags import BuildError, Built


def builds(asked: Building) -> bool:
    """Whether it is built here: what another family does not build."""
    return asked.like is None


def build(asked: Building) -> int:
    """Build the game of a project, again and again with ``--watch``."""
    if not asked.watch:
        return _build(asked, force=asked.force)
    project, force = asked.project, asked.force
    folder = project if os.path.isdir(project) else os.path.dirname(project) or "."
    for _ in load("overhaul.folder.watching:saves")(folder, asked.output):
        try:
            if _build(asked, force=force) == OK:
                force = True  # this made the files
        except OverhaulError as error:
            explain_error(error)
        sys.stdout.flush()
    return OK


def _build(asked: Building, *, force: bool) -> int:
    settings = asked.settings
    try:
        built = ags.build(
            asked.project, asked.output, engine=asked.engine, strict=asked.strict, force=force
        )
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
