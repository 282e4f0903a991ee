"""Overhaul: take a game's files apart into plain files, and put them back byte for byte.

    import overhaul

    with overhaul.open("data.win") as game:
        print(game.kind, game.version)
    overhaul.unpack("data.win", "game")
    overhaul.pack("game", "new.win")
    report = overhaul.verify("new.win")

Nothing is imported until it is used, so that ``import overhaul`` costs nearly nothing.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from overhaul.document.opening import open
    from overhaul.document.protocol import Coverage, Document, Resource
    from overhaul.errors import (
        EncodeError,
        FormatError,
        OverhaulError,
        SourceError,
        UnsupportedVersion,
        WorkspaceError,
    )
    from overhaul.folder import Report, pack, unpack, verify

__version__ = "0.1.0"

__all__ = [
    "open",
    "unpack",
    "pack",
    "verify",
    "Document",
    "Resource",
    "Coverage",
    "Report",
    "OverhaulError",
    "FormatError",
    "UnsupportedVersion",
    "EncodeError",
    "SourceError",
    "WorkspaceError",
    "__version__",
]

#: Where each public name is; it is imported on first use (PEP 562).
_HOMES = {
    "open": "overhaul.document.opening",
    "unpack": "overhaul.folder",
    "pack": "overhaul.folder",
    "verify": "overhaul.folder",
    "Report": "overhaul.folder",
    "Document": "overhaul.document.protocol",
    "Resource": "overhaul.document.protocol",
    "Coverage": "overhaul.document.protocol",
    "OverhaulError": "overhaul.errors",
    "FormatError": "overhaul.errors",
    "UnsupportedVersion": "overhaul.errors",
    "EncodeError": "overhaul.errors",
    "SourceError": "overhaul.errors",
    "WorkspaceError": "overhaul.errors",
}


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'overhaul' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
