"""The project that a game of Adventure Game Studio becomes."""

from __future__ import annotations

from overhaul.ags import project
from overhaul.document.protocol import Document
from overhaul.viewer.pages.recovered import Made, RecoveredKind


def projects_of(document: Document) -> tuple[str, ...]:
    """The kind of projects that a game becomes."""
    return ("agf",)


def made(document: Document, kind: str) -> Made:
    """The project."""
    found = project.convert(document)
    failed = [f"{script} does not compile: {why}" for script, why in found.scripts.failed.items()]
    missing = [f"missing: {line}" for line in found.missing]
    rows = [RecoveredKind("scripts", len(found.scripts.names), len(failed), 0)]
    return Made(found.files, rows, [*failed, *missing, *found.report])
