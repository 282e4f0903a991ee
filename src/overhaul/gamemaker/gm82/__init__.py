"""Projects as the community's Game Maker 8.2 saves them: folders of text with a ``.gm82`` file.

>>> from overhaul.gamemaker import gm82
>>> with overhaul.open("game.gm82") as document:  # doctest: +SKIP
...     made = gm82.as_gm81(document)
...     made.project.save("game.gm81")
"""

from overhaul.lazy import attach

TYPE_CHECKING = False
if TYPE_CHECKING:
    from overhaul.gamemaker.gm82.converting import as_gm81 as as_gm81
    from overhaul.gamemaker.gm82.converting import folder_of as folder_of
    from overhaul.gamemaker.gm82.document import Gm82Document as Gm82Document

if not TYPE_CHECKING:  # a name that is not there is an error of types
    __getattr__, __dir__, __all__ = attach(
        __name__,
        {
            f"{__name__}.converting": "as_gm81 folder_of",
            f"{__name__}.document": "Gm82Document",
        },
    )
