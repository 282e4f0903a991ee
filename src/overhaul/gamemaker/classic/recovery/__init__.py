"""Projects made of the game in an executable."""

from overhaul.lazy import attach

TYPE_CHECKING = False
if TYPE_CHECKING:
    from overhaul.gamemaker.classic.recovery.recovering import Recovered as Recovered
    from overhaul.gamemaker.classic.recovery.recovering import recover as recover

if not TYPE_CHECKING:  # a name that is not there is an error of types
    __getattr__, __dir__, __all__ = attach(
        __name__, {f"{__name__}.recovering": "Recovered recover"}
    )
