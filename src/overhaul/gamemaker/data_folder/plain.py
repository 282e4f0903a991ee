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


def show_record(record: Record, scheme: Scheme, hidden: Collection[str] = ()) -> JsonObject:
    """A resource as JSON: all its own fields, and of nested records what is not the default."""
    return show_fields(record, scheme, without=hidden)


def show_element(record: Record, scheme: Scheme) -> object:
    """An element of a list as JSON: what is not the default."""
    return to_jsonable(record, scheme)


def settle_counts(record: Record, scheme: Scheme) -> None:
    """Set the counts of lists and the lengths of blocks, throughout."""
    set_counts(record, scheme.version, (Counted, CountedBytes))
