"""The table of all texts of a game: its changes by text, as its order means nothing."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

#: Of how many rows one may differ, and it is still the same table with edited texts.
_EDITED = 20
_LONGEST = 1 << 30


class Row(NamedTuple):
    """A row; texts of a ``kind`` can't be edited."""

    text: str
    kind: str


def read_texts(data: bytes) -> list[Row]:
    """The rows of the file that a format makes."""
    limit = csv.field_size_limit(_LONGEST)
    try:
        text = data.decode("utf-8", "surrogateescape")
        rows = list(csv.reader(io.StringIO(text, newline="")))
    finally:
        csv.field_size_limit(limit)
    return [Row(row[1], row[2] if len(row) > 2 else "") for row in rows[1:] if len(row) > 1]


def edited_texts(before: bytes, after: bytes) -> dict[str, str]:
    """The texts that were edited in place, old and new; empty if the tables are of two builds."""
    old, new = read_texts(before), read_texts(after)
    edited = {
        one.text: two.text for one, two in zip(old, new, strict=False) if one.text != two.text
    }
    if not edited or len(new) < len(old) or len(edited) * _EDITED > max(len(old), _EDITED):
        return {}
    kinds = {row.text: row.kind for row in (*old, *new)}
    left, known = {row.text for row in new}, {row.text for row in old}
    if any(kinds[one] or kinds[two] or one in left or two in known for one, two in edited.items()):
        return {}
    return edited


def with_texts(data: bytes, edited: Mapping[str, str]) -> bytes:
    """The file with edited texts."""
    rows = read_texts(data)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL)
    writer.writerow(("index", "text"))
    for index, row in enumerate(rows):
        if not row.kind and row.text in edited:
            writer.writerow((index, edited[row.text]))
        elif "\ufffd" not in row.text:  # rows that are left out stay as they are
            writer.writerow((index, row.text))
    return out.getvalue().encode("utf-8", "surrogateescape")


def text_details(before: bytes, after: bytes) -> dict[str, object] | None:
    """What differs between two tables, for people; None if only the order does."""
    edited = edited_texts(before, after)
    old, new = (Counter(row.text for row in read_texts(data)) for data in (before, after))
    gone, came = sorted((old - new).elements()), sorted((new - old).elements())
    if not gone and not came:
        return None
    fields = [{"path": one, "old": one, "new": two} for one, two in sorted(edited.items())]
    gone = [text for text in gone if text not in edited]
    came = [text for text in came if text not in edited.values()]
    return {"fields": fields} | {
        key: texts for key, texts in (("removed", gone), ("added", came)) if texts
    }
