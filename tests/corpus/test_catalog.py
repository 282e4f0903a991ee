"""Catalogues of real files: the tables agree with the library, and no kill loses anything.

A sample by default; ``OVERHAUL_FULL=1`` takes all files, and kills twenty times.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections import Counter
from hashlib import sha256
from pathlib import Path

import pytest

import overhaul
from cataloged import rows, tables
from overhaul.catalog.building import build
from overhaul.document.protocol import HasSources
from overhaul.errors import OverhaulError
from real_files import corpus_files, sample
from shelves import make_shelf

pytestmark = [pytest.mark.corpus, pytest.mark.slow]

FULL = os.environ.get("OVERHAUL_FULL") == "1"
SMALL = 600 << 10


def real_files(count: int) -> list[Path]:
    """Files of all families."""
    globs = {
        "datawin*/*.win": 5, "projects/*.g*": 4, "ags/*/*.crm": 3, "ags/*/*.dta": 2,
        "ags/*/*.ags": 2, "datawin/side/*.yydebug": 1, "ags*/*/*.tra": 1,
    }  # fmt: skip
    share = count / sum(globs.values())
    files = []
    for pattern, weight in globs.items():
        found = [path for path in corpus_files(pattern) if FULL or path.stat().st_size < SMALL]
        files += sample(found, max(1, round(weight * share)))
    return files


def test_the_tables_agree_with_the_library(corpus: Path, tmp_path: Path) -> None:
    files = real_files(18)
    summary = build(files, tmp_path / "c", jobs=2)
    assert summary.files == len(set(files))
    known = {str(place): digest for place, digest in rows(tmp_path / "c", _FILES)}
    for path in files:
        digest = sha256(path.read_bytes()).hexdigest()
        try:
            document = overhaul.open(path)
        except OverhaulError:
            failed = f"SELECT count(*) FROM errors WHERE place = '{path}'"
            assert rows(tmp_path / "c", failed) == [(1,)] or str(path) not in known
            continue
        with document:
            assert known[str(path)] == digest
            here = f"WHERE file = '{digest}'"
            [(count,)] = rows(tmp_path / "c", f"SELECT count(*) FROM resources {here}")
            assert count == len(list(document.tree())), path
            if document.kind == "gamemaker-data" and isinstance(document, HasSources):
                names = rows(tmp_path / "c", f"SELECT name FROM code {here}")
                assert Counter(name for (name,) in names) == Counter(document.code_names()), path
        identical = f"SELECT DISTINCT identical FROM files WHERE sha256 = '{digest}'"
        assert rows(tmp_path / "c", identical) == [(overhaul.verify(path).identical,)]


_FILES = "SELECT place, sha256 FROM files"


def test_nothing_is_missing_of_a_made_shelf(corpus: Path, tmp_path: Path) -> None:
    files = real_files(18)
    made = make_shelf(files, tmp_path / "shelf", 3000 if FULL else 60)
    summary = build([tmp_path / "shelf"], tmp_path / "c", jobs=2)
    assert summary.files == sum(made.values())
    digests = {sha256(path.read_bytes()).hexdigest() for path in files}
    places = rows(tmp_path / "c", "SELECT place, sha256 FROM files")
    whole = made["copied"] + made["renamed"] + made["zipped"] + made["nested"]
    met = [place for place, digest in places if digest in digests and "!inner!" not in str(place)]
    unknown = rows(tmp_path / "c", "SELECT count(*) FROM latest_places WHERE detected IS NULL")
    assert len(met) + unknown[0][0] >= whole
    assert sum(summary.status.values()) >= summary.files
    again = build([tmp_path / "shelf"], tmp_path / "c", jobs=2)
    assert (again.unchanged, again.status) == (summary.files, {})


def test_a_build_that_is_killed_equals_one_that_is_not(corpus: Path, tmp_path: Path) -> None:
    make_shelf(real_files(18), tmp_path / "shelf", 40)
    build([tmp_path / "shelf"], tmp_path / "whole", jobs=2)
    program = "import sys; from overhaul.catalog import build; build(sys.argv[1:2], sys.argv[2])"
    chance = random.Random(5)
    src = Path(overhaul.__file__).parents[1]
    for _ in range(20 if FULL else 3):
        process = subprocess.Popen(
            [sys.executable, "-c", program, tmp_path / "shelf", tmp_path / "killed"],
            env={**os.environ, "PYTHONPATH": str(src)},
        )
        time.sleep(chance.uniform(0.3, 8))
        process.kill()
        process.wait()
    build([tmp_path / "shelf"], tmp_path / "killed", jobs=2)
    assert tables(tmp_path / "killed") == tables(tmp_path / "whole")
