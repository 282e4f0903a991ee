"""Rows of tables: what a column takes, and what a text may hold."""

from __future__ import annotations

import pytest

from overhaul.catalog.arrow import from_stream, schema_of, to_arrow, to_stream
from overhaul.catalog.tables import CONTENTS, SHOWN, STORED, STRINGS


def test_rows_become_a_table_and_a_stream() -> None:
    table = to_arrow(CONTENTS, [{"sha256": "a", "counts": {"sprites": 2}, "identical": None}])
    [row] = from_stream(to_stream(table)).to_pylist()
    assert row["counts"] == [("sprites", 2)]
    assert (row["sha256"], row["identical"], row["name"]) == ("a", None, None)
    assert table.schema == schema_of(CONTENTS)


def test_an_unknown_column_is_an_error() -> None:
    with pytest.raises(KeyError, match="strings has no column 'txt'"):
        to_arrow(STRINGS, [{"txt": "x"}])


def test_texts_of_games_are_any_text() -> None:
    long = "x" * (10 << 20)
    texts = ["\udc80a", "é\U0001f600", "a\0b", long, ""]
    table = to_arrow(STRINGS, [{"text": text} for text in texts])
    assert table["text"].to_pylist() == ["\\udc80a", "é\U0001f600", "a\0b", long, ""]


def test_every_table_says_what_it_is() -> None:
    for table in (*STORED.values(), *SHOWN.values()):
        assert table.about.endswith(".")
        assert all(column.about.endswith((".", "...")) for column in table.columns)
        names = [column.name for column in table.columns]
        assert len(set(names)) == len(names)
