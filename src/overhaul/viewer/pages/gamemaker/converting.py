"""The projects that games, executables and old projects of GameMaker become."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from overhaul.document.protocol import Document
from overhaul.gamemaker import forward
from overhaul.viewer.pages.recovered import Made, RecoveredKind

if TYPE_CHECKING:
    from overhaul.gamemaker.data.game import GameData
    from overhaul.gamemaker.ide.document import IdeProjectDocument


def of_game(document: Document) -> tuple[str, ...]:
    """The kinds of projects that a game becomes, its own first."""
    return ("yyp",) if cast("GameData", document).release.at_least(2) else ("gmx", "yyp")


def of_ide_project(document: Document) -> tuple[str, ...]:
    """The kinds that a project becomes: the editor converts a later one itself."""
    return ("yyp",) if cast("IdeProjectDocument", document).is_studio else ()


def of_classic(document: Document) -> tuple[str, ...]:
    """The kinds that a project of Game Maker 5 to 8.2 becomes, or the game in an executable."""
    return ("yyp", "gmx")


def made(document: Document, kind: str) -> Made:
    """The project of a kind."""
    found = forward.project_of(document, kind)
    rows = [
        RecoveredKind(name.replace("_", " "), tally.total, tally.lossy, tally.lost)
        for name, tally in found.tallies.items()
        if tally.total
    ]
    return Made(found.files, rows, found.findings.texts())
