"""The texts of games of Adventure Game Studio, and their compiled translations (.tra)."""

from overhaul.lazy import attach
from overhaul.translate.ags.extracting import check as check
from overhaul.translate.ags.extracting import explain as explain
from overhaul.translate.ags.extracting import extract as extract
from overhaul.translate.ags.extracting import files as files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from overhaul.translate.ags.applying import apply as apply
    from overhaul.translate.ags.pictures import lettering as lettering
    from overhaul.translate.ags.previewing import preview as preview

if not TYPE_CHECKING:  # a name that is not there is an error of types
    __getattr__, __dir__, __all__ = attach(
        __name__,
        {
            "overhaul.translate.ags.applying": "apply",
            "overhaul.translate.ags.extracting": "check explain extract files",
            "overhaul.translate.ags.pictures": "lettering",
            "overhaul.translate.ags.previewing": "preview",
        },
    )
