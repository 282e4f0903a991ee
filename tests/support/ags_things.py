"""Files made for tests: lists that run next to each other get as many elements."""

from __future__ import annotations

from overhaul.ags.parallel import Stored, Tables
from overhaul.schema import Embedded, ListCodec


def make_even(tables: Tables) -> None:
    """Give each list that is too short or too long for its things new elements."""
    for kind in tables.kinds.values():
        for stored, even in tables.columns(kind):
            if not even and not stored.column.spread:
                total = sum(tables.count(name) for name in stored.column.joined or (kind.name,))
                stored.start, stored.count = 0, len(stored.all_values)
                stored.replace(_element(stored) for _ in range(total - stored.column.first))


def _element(stored: Stored) -> object:
    codec = stored.field.codec
    element = codec.element if isinstance(codec, ListCodec) else None
    if isinstance(element, Embedded):
        return element.record()
    return [] if isinstance(element, ListCodec) else ""
