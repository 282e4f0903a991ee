"""The texts of GameMaker games, found by following values through the code."""

from overhaul.lazy import attach
from overhaul.translate.gamemaker.extracting import extract as extract
from overhaul.translate.gamemaker.extracting import files as files
from overhaul.translate.gamemaker.shown import explain as explain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from overhaul.translate.gamemaker.applying import apply as apply
    from overhaul.translate.gamemaker.checking import check as check
    from overhaul.translate.gamemaker.pictures import lettering as lettering
    from overhaul.translate.gamemaker.previewing import preview as preview

if not TYPE_CHECKING:  # a name that is not there is an error of types
    __getattr__, __dir__, __all__ = attach(
        __name__,
        {
            "overhaul.translate.gamemaker.applying": "apply",
            "overhaul.translate.gamemaker.checking": "check",
            "overhaul.translate.gamemaker.extracting": "extract files",
            "overhaul.translate.gamemaker.shown": "explain",
            "overhaul.translate.gamemaker.pictures": "lettering",
            "overhaul.translate.gamemaker.previewing": "preview",
        },
    )
