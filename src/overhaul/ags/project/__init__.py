"""Projects of the editor of Adventure Game Studio: read, edited, compared with games, made from
games, and built to games."""

from overhaul.lazy import attach

TYPE_CHECKING = False
if TYPE_CHECKING:
    from overhaul.ags.project.converting import Converted as Converted
    from overhaul.ags.project.converting import convert as convert
    from overhaul.ags.project.converting import write_project as write_project

if not TYPE_CHECKING:  # a name that is not there is an error of types
    __getattr__, __dir__, __all__ = attach(
        __name__, {"overhaul.ags.project.converting": "Converted convert write_project"}
    )
