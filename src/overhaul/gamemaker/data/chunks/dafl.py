"""DAFL: data files; always empty."""

from overhaul.schema import Record


class DataFiles(Record):
    """Nothing: the chunk exists and holds no data."""
