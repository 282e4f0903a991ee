"""DAFL: data files; always empty."""

from __future__ import annotations

from ....binary import Record


class DataFiles(Record):
    """Nothing: the chunk exists and holds no data."""
