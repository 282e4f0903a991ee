"""Every page of real files, and its JSON: a sample of the files, all with OVERHAUL_FULL."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from overhaul.viewer.index import Index
from real_files import corpus_files, finished, sample
from viewing import crawl, looking_at

FULL = os.environ.get("OVERHAUL_FULL") == "1"
#: how many files of each family, and pages of each of them, without OVERHAUL_FULL
FAMILIES = {
    "datawin*/*.win": 3,
    "projects/*.g[mb]*": 2,
    "ags/**/*.[cC][rR][mM]": 1,
    "ags/**/*.[dD][tT][aA]": 1,
    "ags/**/*.ags": 1,
    "ags/**/*.spr": 1,
    "ags/**/*.tra": 1,
    "sourcepairs*/*yydebug*/*.yydebug": 1,
}
PAGES = 120


def files() -> Iterator[Path]:
    for pattern, count in FAMILIES.items():
        yield from sample(finished(corpus_files(pattern)), count, seed=14)


@pytest.mark.corpus
@pytest.mark.parametrize("path", list(files()), ids=lambda path: path.name[:40])
def test_every_page_of_a_real_file(
    path: Path, corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Index, "start", lambda index: None)
    with looking_at(path) as client:
        counts = crawl(client, most=1 << 30 if FULL else PAGES)
    assert counts["text/html"] > 2
