"""Unpack and pack: a model as a folder of plain files, and back; verify; search.

The layout of the folder is in docs/guide/folder.md.  The functions are imported when they are
first used.
"""

from overhaul.lazy import attach

TYPE_CHECKING = False
if TYPE_CHECKING:
    from overhaul.folder.comparing import Status as Status
    from overhaul.folder.comparing import status as status
    from overhaul.folder.json_fields import in_file as in_file
    from overhaul.folder.json_fields import read_json as read_json
    from overhaul.folder.opening import open as open
    from overhaul.folder.opening import salvage as salvage
    from overhaul.folder.packing import Packed as Packed
    from overhaul.folder.packing import pack as pack
    from overhaul.folder.parallel import Workers as Workers
    from overhaul.folder.parallel import map_files as map_files
    from overhaul.folder.texts import CODE as CODE
    from overhaul.folder.texts import NAMES as NAMES
    from overhaul.folder.texts import STRINGS as STRINGS
    from overhaul.folder.texts import Match as Match
    from overhaul.folder.texts import find_files as find_files
    from overhaul.folder.texts import find_resources as find_resources
    from overhaul.folder.texts import names_later as names_later
    from overhaul.folder.texts import search as search
    from overhaul.folder.texts import search_folder as search_folder
    from overhaul.folder.texts import uses as uses
    from overhaul.folder.texts import uses_in_folder as uses_in_folder
    from overhaul.folder.texts import uses_of_all as uses_of_all
    from overhaul.folder.unpacking import Unpacked as Unpacked
    from overhaul.folder.unpacking import new as new
    from overhaul.folder.unpacking import unpack as unpack
    from overhaul.folder.verifying import Report as Report
    from overhaul.folder.verifying import verify as verify
    from overhaul.folder.watching import Program as Program
    from overhaul.folder.watching import watch as watch

if not TYPE_CHECKING:  # a name that is not there is an error of types
    __getattr__, __dir__, __all__ = attach(
        __name__,
        {
            "overhaul.folder.unpacking": "unpack Unpacked new",
            "overhaul.folder.packing": "pack Packed",
            "overhaul.folder.verifying": "verify Report",
            "overhaul.folder.watching": "watch Program",
            "overhaul.folder.comparing": "status Status",
            "overhaul.folder.texts": "find_files find_resources names_later search search_folder"
            " uses uses_in_folder uses_of_all Match CODE STRINGS NAMES",
            "overhaul.folder.parallel": "Workers map_files",
            "overhaul.folder.opening": "open salvage",
            "overhaul.folder.json_fields": "in_file read_json",
        },
    )
