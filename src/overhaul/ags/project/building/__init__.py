"""Projects of the editor of Adventure Game Studio, built to games on any system.

    overhaul.ags.build("MyGame", "MyGame.ags")

The order of building, and what each section of the game data follows from, are those of the
editor.  Source: the editor's ``AGSEditor.cs``, ``DataFileWriter.cs`` and ``agsnative.cpp`` of 3.3.0
to 3.6.3, and games that authors published with their projects.
"""

from overhaul.lazy import attach

TYPE_CHECKING = False
if TYPE_CHECKING:
    from overhaul.ags.project.building.steps import build as build

if not TYPE_CHECKING:  # a name that is not there is an error of types
    __getattr__, __dir__, __all__ = attach(
        __name__, {"overhaul.ags.project.building.steps": "build"}
    )
