"""Every ds string of the corpus: text, bytes and JSON come back; a broken one says so."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from overhaul.errors import FormatError
from overhaul.gamemaker import ds

pytestmark = pytest.mark.corpus


def strings(corpus: Path) -> list[tuple[dict[str, str], str]]:
    folder = corpus / "ds"
    with (folder / "index.tsv").open(newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    return [(row, (folder / row["file"]).read_text("latin-1")) for row in rows]


def test_every_string_comes_back(corpus: Path) -> None:
    known = strings(corpus)
    assert len(known) >= 15
    for row, text in known:
        value = ds.loads(text)
        assert (value.kind, value.generation) == (row["kind"], int(row["magic"]) % 100)
        assert value.trailing == b"" and value.rest == ""
        assert ds.dumps(value) == text, row["file"]
        written = ds.json_text(ds.to_json(value))
        assert ds.dumps(ds.from_json(ds.parse_json(written))) == text, row["file"]
        assert ds.dumps(ds.loads(text.lower())) == text.lower(), row["file"]


def test_every_cut_is_noticed(corpus: Path) -> None:
    for row, text in strings(corpus):
        for length in range(0, len(text), max(1, len(text) // 200)):
            with pytest.raises(FormatError):
                ds.loads(text[:length])
                pytest.fail(f"{row['file']}[:{length}]")


def test_the_largest_string(corpus: Path) -> None:
    row, text = max(strings(corpus), key=lambda pair: len(pair[1]))
    value = ds.loads(text)
    assert isinstance(value, ds.DsList)
    assert len(value) == int(row["count"])
    value.append("one more")
    assert ds.loads(ds.dumps(value)) == value
