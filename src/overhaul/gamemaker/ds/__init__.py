"""The strings that ``ds_map_write`` and GameMaker's other ``ds_*_write`` functions return.

>>> from overhaul.gamemaker import ds
>>> save = ds.loads("9201000001000000010000000300000067656D00000000000000000000F03F")
>>> save["gem"]
1.0
>>> save["gem"] = 99
>>> ds.dumps(save)
'9201000001000000010000000300000067656D000000000000000000C05840'
"""

from overhaul.lazy import attach

TYPE_CHECKING = False
if TYPE_CHECKING:
    from overhaul.document.jsontext import json_text as json_text
    from overhaul.document.jsontext import parse_json as parse_json
    from overhaul.document.jsontext import place_of as place_of
    from overhaul.gamemaker.ds.codec import decode_bytes as decode_bytes
    from overhaul.gamemaker.ds.codec import encode_bytes as encode_bytes
    from overhaul.gamemaker.ds.jsonform import from_json as from_json
    from overhaul.gamemaker.ds.jsonform import to_json as to_json
    from overhaul.gamemaker.ds.structures import Boolean as Boolean
    from overhaul.gamemaker.ds.structures import DsGrid as DsGrid
    from overhaul.gamemaker.ds.structures import DsList as DsList
    from overhaul.gamemaker.ds.structures import DsMap as DsMap
    from overhaul.gamemaker.ds.structures import DsPriority as DsPriority
    from overhaul.gamemaker.ds.structures import DsQueue as DsQueue
    from overhaul.gamemaker.ds.structures import DsStack as DsStack
    from overhaul.gamemaker.ds.structures import Int32 as Int32
    from overhaul.gamemaker.ds.structures import Int64 as Int64
    from overhaul.gamemaker.ds.structures import Legacy as Legacy
    from overhaul.gamemaker.ds.structures import Mark as Mark
    from overhaul.gamemaker.ds.structures import Pointer as Pointer
    from overhaul.gamemaker.ds.structures import Prioritized as Prioritized
    from overhaul.gamemaker.ds.structures import Reference as Reference
    from overhaul.gamemaker.ds.structures import Rows as Rows
    from overhaul.gamemaker.ds.structures import Structure as Structure
    from overhaul.gamemaker.ds.text import Found as Found
    from overhaul.gamemaker.ds.text import dump as dump
    from overhaul.gamemaker.ds.text import dumps as dumps
    from overhaul.gamemaker.ds.text import extract as extract
    from overhaul.gamemaker.ds.text import file_bytes as file_bytes
    from overhaul.gamemaker.ds.text import find as find
    from overhaul.gamemaker.ds.text import load as load
    from overhaul.gamemaker.ds.text import loads as loads
    from overhaul.gamemaker.ds.text import locate as locate
    from overhaul.gamemaker.ds.text import replaced as replaced

if not TYPE_CHECKING:  # a name that is not there is an error of types
    __getattr__, __dir__, __all__ = attach(
        __name__,
        {
            "overhaul.document.jsontext": "json_text parse_json place_of",
            "overhaul.gamemaker.ds.codec": "decode_bytes encode_bytes",
            "overhaul.gamemaker.ds.jsonform": "from_json to_json",
            "overhaul.gamemaker.ds.structures": "Boolean DsGrid DsList DsMap DsPriority DsQueue"
            " DsStack Int32 Int64 Legacy Mark Pointer Prioritized Reference Rows Structure",
            "overhaul.gamemaker.ds.text": "Found dump dumps extract file_bytes find load loads"
            " locate replaced",
        },
    )
