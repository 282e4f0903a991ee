"""Small files that ask for a lot: some of ``tools/fuzz/hostile_files.py``, each measured."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from hostile import MOST_MEMORY, main, measure
from hostile_files import LARGEST, MAKERS, SEED, files

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="memory is measured as on Linux")


@pytest.mark.slow
@pytest.mark.parametrize("kind", MAKERS)
def test_what_hostile_files_take(kind: str, tmp_path: Path) -> None:
    if kind == "xlsx":
        pytest.importorskip("openpyxl")
    one = min(files(3, SEED, [kind]), key=lambda file: len(file.data))
    assert len(one.data) <= LARGEST
    found = measure(one, str(tmp_path))
    assert not found.broken, (one.about, found)
    assert 5 << 20 < found.memory < MOST_MEMORY


def test_the_same_files_come_of_a_seed() -> None:
    one, two = ([file.data for file in files(20, 5, ["tmx"])] for _ in range(2))
    assert one == two and len(one) == 2
    assert one != [file.data for file in files(20, 6, ["tmx"])]


def test_what_is_beyond_the_bounds_is_reported(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("hostile.MOST_MEMORY", 1 << 20)
    assert main(["--count", "1", "--kind", "patch", "--keep", str(tmp_path)]) == 1
    said = capsys.readouterr().out
    assert "BROKEN" in said and "1 files, 1 broken; at most " in said
    assert [path.name for path in tmp_path.iterdir()] == ["0-p.bin"]
