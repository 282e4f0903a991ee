"""Broken versions of real files of every format: only our errors, in time, in bounds.

The CI tries a few of each; ``OVERHAUL_FULL=1`` tries 200 truncations and 2,000 corruptions of
every file under 1 MB, which takes hours.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from mutations import check_file

from overhaul.document.registry import Probe, find
from real_files import corpus_files

FULL = os.environ.get("OVERHAUL_FULL") == "1"
LARGEST = 1 << 20
#: Files of each kind that the CI tries: the smallest ones, which are quick.
FILES_OF_A_KIND = 4
TRUNCATED, CORRUPTED = (200, 2000) if FULL else (12, 40)


def files() -> list[Path]:
    by_kind: dict[str, list[Path]] = {}
    for path in sorted(corpus_files("**/*"), key=lambda p: (p.stat().st_size, p)):
        if path.stat().st_size < LARGEST:
            with path.open("rb") as file:
                probe = Probe(file.read(), path.name)
            entry = find(probe)
            if entry is not None:
                by_kind.setdefault(entry.kind, []).append(path)
    chosen = by_kind.values() if FULL else (paths[:FILES_OF_A_KIND] for paths in by_kind.values())
    return [path for paths in chosen for path in paths]


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited as Linux does it")
@pytest.mark.parametrize("path", files(), ids=lambda path: path.name)
def test_broken_files_are_refused(path: Path) -> None:
    result = check_file(path, TRUNCATED, CORRUPTED)
    assert result["failures"] == []
    assert result["tried"] == TRUNCATED + CORRUPTED
