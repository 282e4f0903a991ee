"""Game Maker 5.0-8.1: projects, libraries, extensions, exports and executables.

>>> from overhaul.gamemaker import classic
>>> with open("game.gmk", "rb") as file:  # doctest: +SKIP
...     project = classic.read_project(file.read())
>>> project.scripts.slots[0].resource.code = "return 1;"  # doctest: +SKIP
>>> data = classic.write_project(project)  # doctest: +SKIP
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from overhaul.gamemaker.classic.conversion import convert
    from overhaul.gamemaker.classic.describing import describe
    from overhaul.gamemaker.classic.documents.project import ProjectDocument
    from overhaul.gamemaker.classic.documents.project import ProjectDocument as ProjectFile
    from overhaul.gamemaker.classic.fields import Section, Slot
    from overhaul.gamemaker.classic.kinds import empty_project
    from overhaul.gamemaker.classic.records import Project, read_project, write_project

__all__ = [
    "Project",
    "ProjectDocument",
    "ProjectFile",
    "Section",
    "Slot",
    "convert",
    "describe",
    "empty_project",
    "read_project",
    "write_project",
]

_HOMES = {
    "Project": "records:Project",
    "ProjectDocument": "documents.project:ProjectDocument",
    "ProjectFile": "documents.project:ProjectDocument",  # its name before
    "Section": "fields:Section",
    "Slot": "fields:Slot",
    "convert": "conversion:convert",
    "describe": "describing:describe",
    "empty_project": "kinds:empty_project",
    "read_project": "records:read_project",
    "write_project": "records:write_project",
}


if not TYPE_CHECKING:  # a name that is not there is an error of types

    def __getattr__(name: str) -> object:
        from overhaul.document.registry import load  # start-up: detecting a kind needs none of this

        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return load(f"{__name__}.{_HOMES[name]}")
