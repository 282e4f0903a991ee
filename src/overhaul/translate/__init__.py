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
    from overhaul.translate.messages import load as load
    from overhaul.translate.results import Problem as Problem
    from overhaul.translate.results import Translated as Translated
    from overhaul.translate.updating import Updated as Updated
    from overhaul.translate.updating import update as update
    from overhaul.translate.verbs import apply as apply
    from overhaul.translate.verbs import check as check
    from overhaul.translate.verbs import extract as extract

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "overhaul.translate.verbs": "extract apply check",
        "overhaul.translate.updating": "update Updated",
        "overhaul.translate.messages": "load",
        "overhaul.translate.results": "Problem Translated",
    },
)
