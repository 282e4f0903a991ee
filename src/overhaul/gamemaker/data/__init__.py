"""data.win and its relatives: every chunk of GameMaker: Studio 1.x to GameMaker 2024.x."""

from overhaul.lazy import attach

TYPE_CHECKING = False
if TYPE_CHECKING:
    from overhaul.gamemaker.data.audiogroup import AudioGroup as AudioGroup
    from overhaul.gamemaker.data.game import GameData as GameData

if not TYPE_CHECKING:  # a name that is not there is an error of types
    __getattr__, __dir__, __all__ = attach(
        __name__,
        {
            "overhaul.gamemaker.data.game": "GameData",
            "overhaul.gamemaker.data.audiogroup": "AudioGroup",
        },
    )
