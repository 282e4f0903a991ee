"""Unpack and pack: a model as a folder of plain files, and back; and verify.

The layout of the folder is in docs/guide/folder.md.  The functions are imported when they are
first used.
"""

from overhaul.lazy import attach

TYPE_CHECKING = False
if TYPE_CHECKING:
    from overhaul.folder.packing import Packed as Packed
    from overhaul.folder.packing import pack as pack
    from overhaul.folder.unpacking import Unpacked as Unpacked
    from overhaul.folder.unpacking import unpack as unpack
    from overhaul.folder.verifying import Report as Report
    from overhaul.folder.verifying import verify as verify

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "overhaul.folder.unpacking": "unpack Unpacked",
        "overhaul.folder.packing": "pack Packed",
        "overhaul.folder.verifying": "verify Report",
    },
)
