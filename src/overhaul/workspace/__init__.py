"""Unpack and pack: a model as a folder of plain files, and back; and verify.

The layout of the folder is in docs/guide/folder.md.  The functions are imported when they are
first used.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from overhaul.workspace.packing import Packed, pack
    from overhaul.workspace.unpacking import Unpacked, unpack
    from overhaul.workspace.verifying import Report, verify

__all__ = ["unpack", "pack", "verify", "Unpacked", "Packed", "Report"]

_HOMES = {
    "unpack": "overhaul.workspace.unpacking",
    "Unpacked": "overhaul.workspace.unpacking",
    "pack": "overhaul.workspace.packing",
    "Packed": "overhaul.workspace.packing",
    "verify": "overhaul.workspace.verifying",
    "Report": "overhaul.workspace.verifying",
}


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'overhaul.workspace' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(home), name)
    globals()[name] = value
    return value
