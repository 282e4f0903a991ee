"""The bytes that resources of real files are stored as: every one is of a field, or padding."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import overhaul
from real_files import corpus_files, finished, sample
from stored_bytes import breaches

#: how many files of each family, without OVERHAUL_FULL; and resources of each kind of them
FAMILIES = {"datawin*/*.win": 8, "projects/*.g[mb]*": 4, "ags/**/*.[cC][rR][mM]": 4,
            "ags/**/*.[dD][tT][aA]": 4}  # fmt: skip
MOST = 6


def files() -> Iterator[Path]:
    for pattern, count in FAMILIES.items():
        yield from sample(finished(corpus_files(pattern)), count, seed=28)


@pytest.mark.corpus
@pytest.mark.parametrize("path", list(files()), ids=lambda path: path.name[:40])
def test_every_byte_of_a_resource_is_a_field_or_padding(path: Path, corpus: Path) -> None:
    with overhaul.open(path) as document:
        assert breaches(document, MOST) == []
