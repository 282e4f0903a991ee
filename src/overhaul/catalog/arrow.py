"""Rows as tables of Arrow, as the declarations of :mod:`overhaul.catalog.tables` say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import pyarrow as pa

from overhaul.catalog.tables import Table

#: The types of columns by the names that declarations have.
TYPES: Final[dict[str, pa.DataType]] = {
    "text": pa.large_string(),
    "texts": pa.list_(pa.large_string()),
    "number": pa.int64(),
    "bits": pa.uint64(),
    "seconds": pa.float64(),
    "flag": pa.bool_(),
    "counts": pa.map_(pa.string(), pa.int64()),
}


def schema_of(table: Table) -> pa.Schema:
    """The schema of a table."""
    return pa.schema([(column.name, TYPES[column.type]) for column in table.columns])


def to_arrow(table: Table, rows: Sequence[Mapping[str, object]]) -> pa.Table:
    """Rows as an Arrow table; a column that a row lacks is null there.

    Raises KeyError for a row with a column that the table does not have.
    """
    names = [column.name for column in table.columns]
    for row in rows:
        if unknown := row.keys() - names:
            raise KeyError(f"{table.name} has no column {sorted(unknown)[0]!r}")
    columns = [
        pa.array([_plain(row.get(column.name)) for row in rows], TYPES[column.type])
        for column in table.columns
    ]
    return pa.Table.from_arrays(columns, schema=schema_of(table))


def to_stream(table: pa.Table) -> bytes:
    """An Arrow table as the bytes of a stream."""
    out = pa.BufferOutputStream()
    with pa.ipc.new_stream(out, table.schema) as writer:
        writer.write_table(table)
    return bytes(out.getvalue())


def from_stream(data: bytes) -> pa.Table:
    """The Arrow table in a stream."""
    return pa.ipc.open_stream(data).read_all()


def _plain(value: object) -> object:
    """A value that Arrow takes: texts of games may have halves of characters."""
    if isinstance(value, str):
        return plain_text(value)
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return [(plain_text(key), number) for key, number in value.items()]
    return value


def raw_text(text: str) -> bytes:
    """A text as bytes, lone surrogates included, which msgpack does not take in texts."""
    return text.encode("utf-8", "surrogatepass")


def text_of(raw: bytes) -> str:
    """The text that :func:`raw_text` made bytes of."""
    return raw.decode("utf-8", "surrogatepass")


def plain_text(text: str) -> str:
    """A text without lone surrogates: these are written as ``\\udc80``."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
