"""Adventure Game Studio: rooms, games, packages, scripts, sprites, translations.

overhaul.ags.compile_project("MyGame", "MyGame/room1.asc")
overhaul.ags.build("MyGame", "MyGame.ags")
overhaul.ags.decompile(Path("room1.asc.o").read_bytes())
"""

from overhaul.lazy import attach

TYPE_CHECKING = False
if TYPE_CHECKING:
    from overhaul.ags.agf.built import BuildError as BuildError
    from overhaul.ags.agf.built import Built as Built
    from overhaul.ags.agf.built import build as build
    from overhaul.ags.agf.compiling import compile_project as compile_project
    from overhaul.ags.decompiler.source import decompile as decompile

if not TYPE_CHECKING:  # a name that is not there is an error of types
    __getattr__, __dir__, __all__ = attach(
        __name__,
        {
            "overhaul.ags.decompiler.source": "decompile",
            "overhaul.ags.agf.built": "BuildError Built build",
            "overhaul.ags.agf.compiling": "compile_project",
        },
    )
