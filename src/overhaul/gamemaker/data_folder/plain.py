"""Records as JSON, without the counts that follow from lists."""

from __future__ import annotations

from collections.abc import Collection
from typing import TypeAlias

from overhaul.folder.records import set_counts
from overhaul.folder.records import show_record as show_fields
from overhaul.schema import Counted, CountedBytes, Record, Scheme
from overhaul.schema.jsonable import to_jsonable

#: an object of a JSON file
JsonObject: TypeAlias = dict[str, object]
#: counts that follow from a list beside them
_COUNTS = frozenset({"vertex_count", "tag_count", "owned_count", "track_count"})


def show_record(record: Record, scheme: Scheme, hidden: Collection[str] = ()) -> JsonObject:
    """A resource as JSON: all its own fields, and of nested records what is not the default."""
    shown = show_fields(record, scheme, without={*hidden, *_COUNTS})
    return {key: _without_counts(value) for key, value in shown.items()}


def show_element(record: Record, scheme: Scheme) -> object:
    """An element of a list as JSON: what is not the default."""
    return _without_counts(to_jsonable(record, scheme))


def _without_counts(plain: object) -> object:
    if isinstance(plain, dict):
        return {key: _without_counts(item) for key, item in plain.items() if key not in _COUNTS}
    if isinstance(plain, list) and plain and isinstance(plain[0], (dict, list)):
        return [_without_counts(item) for item in plain]
    return plain


def settle_counts(record: Record, scheme: Scheme) -> None:
    """Set the counts of lists and the lengths of blocks, throughout."""
    set_counts(record, scheme.version, (Counted, CountedBytes))
