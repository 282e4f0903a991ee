"""Overhaul: take a game's files apart into plain files, and put them back byte for byte.

    import overhaul

    with overhaul.open("data.win") as game:
        print(game.kind, game.version)
    overhaul.unpack("data.win", "game")
    overhaul.pack("game", "new.win")
    report = overhaul.verify("new.win")
    overhaul.new("mine", version="2023.8")

Nothing is imported until it is used, so that ``import overhaul`` costs nearly nothing.
"""

from overhaul.lazy import attach
from overhaul.version import __version__ as __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from overhaul.ags.opening import open_ags_game as open_ags_game
    from overhaul.ags.opening import open_package as open_package
    from overhaul.ags.opening import open_room as open_room
    from overhaul.document.opening import open as open
    from overhaul.document.protocol import Coverage as Coverage
    from overhaul.document.protocol import Document as Document
    from overhaul.document.protocol import Resource as Resource
    from overhaul.errors import EncodeError as EncodeError
    from overhaul.errors import FormatError as FormatError
    from overhaul.errors import OverhaulError as OverhaulError
    from overhaul.errors import SourceError as SourceError
    from overhaul.errors import UnsupportedVersion as UnsupportedVersion
    from overhaul.errors import WorkspaceError as WorkspaceError
    from overhaul.folder import Report as Report
    from overhaul.folder import new as new
    from overhaul.folder import pack as pack
    from overhaul.folder import unpack as unpack
    from overhaul.folder import verify as verify
    from overhaul.gamemaker.data.game import open_game as open_game
    from overhaul.gamemaker.projects import open_project as open_project

if not TYPE_CHECKING:  # a name that is not there is an error of types
    __getattr__, __dir__, __all__ = attach(
        __name__,
        {
            "overhaul.document.opening": "open",
            "overhaul.gamemaker.data.game": "open_game",
            "overhaul.gamemaker.projects": "open_project",
            "overhaul.ags.opening": "open_ags_game open_package open_room",
            "overhaul.folder": "unpack new pack verify Report",
            "overhaul.document.protocol": "Document Resource Coverage",
            "overhaul.errors": "OverhaulError FormatError UnsupportedVersion EncodeError"
            " SourceError WorkspaceError",
        },
    )
    __all__ += ["__version__"]
