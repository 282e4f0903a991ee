"""DAFL: data files; always empty."""

from overhaul.binary import Record


class DataFiles(Record):
    """Nothing: the chunk exists and holds no data."""
