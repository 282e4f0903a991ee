"""Translations: the texts that a player sees as a PO file, and back into the game.

from overhaul import translate

messages = translate.extract("data.win")
messages.save("es.po")
...
translated = translate.apply("data.win", translate.load("es.po"))
Path("translated.win").write_bytes(translated.data)
"""

from overhaul.lazy import attach

TYPE_CHECKING = False
if TYPE_CHECKING:
    from overhaul.translate.applying import Translated as Translated
    from overhaul.translate.applying import apply as apply
    from overhaul.translate.checking import Problem as Problem
    from overhaul.translate.checking import check as check
    from overhaul.translate.checking import load as load
    from overhaul.translate.extracting import extract as extract
    from overhaul.translate.updating import Updated as Updated
    from overhaul.translate.updating import update as update

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "overhaul.translate.extracting": "extract",
        "overhaul.translate.applying": "apply Translated",
        "overhaul.translate.updating": "update Updated",
        "overhaul.translate.checking": "check load Problem",
    },
)
