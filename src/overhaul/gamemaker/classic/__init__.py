"""Game Maker 5.0-8.1: projects, libraries, extensions, exports and executables.

>>> from overhaul.gamemaker import classic as project
>>> with open("game.gmk", "rb") as file:  # doctest: +SKIP
...     game = project.read_project(file.read())
>>> game.scripts.slots[0].resource.code = "return 1;"  # doctest: +SKIP
>>> data = project.write_project(game)  # doctest: +SKIP
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from overhaul.gamemaker.classic.conversion import convert
    from overhaul.gamemaker.classic.document import ProjectFile
    from overhaul.gamemaker.classic.kinds import empty_project
    from overhaul.gamemaker.classic.records import Project, read_project, write_project

__all__ = [
    "Project",
    "ProjectFile",
    "convert",
    "empty_project",
    "read_project",
    "write_project",
]

_MODULES = {
    "Project": "records",
    "ProjectFile": "document",
    "convert": "conversion",
    "empty_project": "kinds",
    "read_project": "records",
    "write_project": "records",
}


def __getattr__(name: str) -> Any:
    """Import what is asked for: telling a file's kind needs none of it."""
    from importlib import import_module

    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
