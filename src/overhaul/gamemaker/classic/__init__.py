"""Game Maker 5.0-8.1: projects, libraries, extensions, exports and executables.

>>> from overhaul.gamemaker import classic
>>> with open("game.gmk", "rb") as file:  # doctest: +SKIP
...     project = classic.read_project(file.read())
>>> project.scripts.slots[0].resource.code = "return 1;"  # doctest: +SKIP
>>> data = classic.write_project(project)  # doctest: +SKIP
"""

from overhaul.lazy import attach

TYPE_CHECKING = False
if TYPE_CHECKING:
    from overhaul.gamemaker.classic.conversion import EXTENSIONS as EXTENSIONS
    from overhaul.gamemaker.classic.conversion import TARGETS as TARGETS
    from overhaul.gamemaker.classic.conversion import convert as convert
    from overhaul.gamemaker.classic.describing import describe as describe
    from overhaul.gamemaker.classic.documents.converted import Converted as Converted
    from overhaul.gamemaker.classic.documents.converted import converted as converted
    from overhaul.gamemaker.classic.documents.project import ProjectDocument as ProjectDocument
    from overhaul.gamemaker.classic.fields import Section as Section
    from overhaul.gamemaker.classic.fields import Slot as Slot
    from overhaul.gamemaker.classic.kinds import empty_project as empty_project
    from overhaul.gamemaker.classic.records import Project as Project
    from overhaul.gamemaker.classic.records import read_project as read_project
    from overhaul.gamemaker.classic.records import write_project as write_project

    ProjectFile = ProjectDocument  # its name before

if not TYPE_CHECKING:  # a name that is not there is an error of types
    __getattr__, __dir__, __all__ = attach(
        __name__,
        {
            f"{__name__}.conversion": "EXTENSIONS TARGETS convert",
            f"{__name__}.describing": "describe",
            f"{__name__}.documents.converted": "Converted converted",
            f"{__name__}.documents.project": "ProjectDocument ProjectFile=ProjectDocument",
            f"{__name__}.fields": "Section Slot",
            f"{__name__}.kinds": "empty_project",
            f"{__name__}.records": "Project read_project write_project",
        },
    )
