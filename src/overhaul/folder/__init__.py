"""Unpack and pack: a model as a folder of plain files, and back; and verify.

The layout of the folder is in docs/guide/folder.md.  The functions are imported when they are
first used.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from overhaul.folder.packing import Packed, pack
    from overhaul.folder.unpacking import Unpacked, unpack
    from overhaul.folder.verifying import Report, verify

__all__ = ["unpack", "pack", "verify", "Unpacked", "Packed", "Report"]

_HOMES = {
    "unpack": "overhaul.folder.unpacking",
    "Unpacked": "overhaul.folder.unpacking",
    "pack": "overhaul.folder.packing",
    "Packed": "overhaul.folder.packing",
    "verify": "overhaul.folder.verifying",
    "Report": "overhaul.folder.verifying",
}


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'overhaul.folder' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(home), name)
    globals()[name] = value
    return value
