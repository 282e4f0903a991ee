"""Old projects made into those of later editors."""

from overhaul.lazy import attach

TYPE_CHECKING = False
if TYPE_CHECKING:
    from overhaul.gamemaker.forward.forwarding import forward as forward
    from overhaul.gamemaker.forward.forwarding import project_of as project_of

if not TYPE_CHECKING:  # a name that is not there is an error of types
    __getattr__, __dir__, __all__ = attach(
        __name__, {f"{__name__}.forwarding": "forward project_of"}
    )
