"""The strings that ``ds_map_write`` and GameMaker's other ``ds_*_write`` functions return.

>>> from overhaul.gamemaker import ds
>>> save = ds.loads("9201000001000000010000000300000067656D00000000000000000000F03F")
>>> save["gem"]
1.0
>>> save["gem"] = 99
>>> ds.dumps(save)
'9201000001000000010000000300000067656D000000000000000000C05840'
"""

from overhaul.document.jsontext import json_text, parse_json
from overhaul.gamemaker.ds.codec import decode_bytes, encode_bytes
from overhaul.gamemaker.ds.embedded import Found, extract, find, locate, replaced
from overhaul.gamemaker.ds.jsonform import from_json, to_json
from overhaul.gamemaker.ds.structures import (
    DsGrid,
    DsList,
    DsMap,
    DsPriority,
    DsQueue,
    DsStack,
    Prioritized,
    Structure,
)
from overhaul.gamemaker.ds.text import dump, dumps, file_bytes, load, loads
from overhaul.gamemaker.ds.values import (
    Boolean,
    Int32,
    Int64,
    Legacy,
    Mark,
    Pointer,
    Reference,
    Rows,
)

__all__ = [
    "Boolean",
    "DsGrid",
    "DsList",
    "DsMap",
    "DsPriority",
    "DsQueue",
    "DsStack",
    "Found",
    "Int32",
    "Int64",
    "Legacy",
    "Mark",
    "Pointer",
    "Prioritized",
    "Reference",
    "Rows",
    "Structure",
    "decode_bytes",
    "dump",
    "dumps",
    "encode_bytes",
    "extract",
    "file_bytes",
    "find",
    "from_json",
    "json_text",
    "load",
    "loads",
    "locate",
    "parse_json",
    "replaced",
    "to_json",
]
