"""Whether an author reaches what lists and maps hold by accessors or by calling functions.

Both read by the same call; only writing tells them apart.  ``map[? key] = value`` is a
``ds_map_set``, which hardly anybody calls by name; those who call functions say ``ds_map_add`` and
``ds_map_replace``.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from overhaul.gml.dialect import Dialect

_BY_ACCESSOR: Final = ("ds_map_set", "ds_list_set")
_BY_NAME: Final = ("ds_map_replace", "ds_list_replace")
_FILLS: Final = "ds_map_add"
"""What also those call from 2.3 on who read by accessors (2 of 2 who call nothing else)."""
WRITES: Final = frozenset((*_BY_ACCESSOR, *_BY_NAME, _FILLS))
"""Functions that tell."""


def calls_by_name(writes: Counter[str], dialect: Dialect) -> bool:
    """Whether an author calls functions, by how often each of WRITES is called."""
    named = sum(writes[each] for each in _BY_NAME)
    if not dialect.gml_v2:
        named += writes[_FILLS]
    return named > sum(writes[each] for each in _BY_ACCESSOR)
