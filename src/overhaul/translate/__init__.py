"""Translations: the texts that a player sees as a PO file or table, and back into the game.

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
    from overhaul.translate.families import letters as letters
    from overhaul.translate.files import file_bytes as file_bytes
    from overhaul.translate.files import load as load
    from overhaul.translate.lettering import Lettering as Lettering
    from overhaul.translate.previews import write_previews as write_previews
    from overhaul.translate.results import Explanation as Explanation
    from overhaul.translate.results import GameFile as GameFile
    from overhaul.translate.results import Preview as Preview
    from overhaul.translate.results import Problem as Problem
    from overhaul.translate.results import Translated as Translated
    from overhaul.translate.rules import Rules as Rules
    from overhaul.translate.rules import load_rules as load_rules
    from overhaul.translate.sprite_pages import pictures as pictures
    from overhaul.translate.sprite_pages import save_pictures as save_pictures
    from overhaul.translate.verbs import Updated as Updated
    from overhaul.translate.verbs import apply as apply
    from overhaul.translate.verbs import check as check
    from overhaul.translate.verbs import explain as explain
    from overhaul.translate.verbs import extract as extract
    from overhaul.translate.verbs import game_files as game_files
    from overhaul.translate.verbs import preview as preview
    from overhaul.translate.verbs import update as update

if not TYPE_CHECKING:  # a name that is not there is an error of types
    __getattr__, __dir__, __all__ = attach(
        __name__,
        {
            "overhaul.translate.verbs": (
                "extract apply check explain game_files preview update Updated"
            ),
            "overhaul.translate.families": "letters",
            "overhaul.translate.files": "load file_bytes",
            "overhaul.translate.lettering": "Lettering",
            "overhaul.translate.sprite_pages": "pictures save_pictures",
            "overhaul.translate.rules": "Rules load_rules",
            "overhaul.translate.results": "Explanation GameFile Preview Problem Translated",
            "overhaul.translate.previews": "write_previews",
        },
    )
