"""The demo game packs, and comes apart and together again, as the README says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import overhaul

ROOT = Path(__file__).resolve().parents[1]
LANTERN = ROOT / "examples" / "lantern"


def test_the_demo_runs(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(LANTERN / "demo.py"), str(tmp_path / "out")],
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "warning" not in done.stdout
    assert done.stdout.count("packed again, untouched: the identical file") == 2
    assert (tmp_path / "out/lantern-current-sprites.png").is_file()
    assert re.search(r" -m overhaul view \S+/lantern-current\.win\n$", done.stdout)


@pytest.mark.parametrize("edition", ["gms1", "current"])
def test_the_game_is_what_its_files_say(edition: str, tmp_path: Path) -> None:
    packed = overhaul.pack(LANTERN / edition, tmp_path / "game.win")
    assert packed.from_scratch
    assert packed.warnings == []
    report = overhaul.verify(tmp_path / "game.win", code=True)
    assert report.identical
    assert report.coverage is not None
    assert report.coverage.opaque == 0
    assert report.code is not None
    assert report.code.failed == []
    overhaul.unpack(tmp_path / "game.win", tmp_path / "folder", code="gml")
    for source in (LANTERN / edition / "sprites").rglob("*.png"):
        again = tmp_path / "folder" / source.relative_to(LANTERN / edition)
        assert pixels(again) == pixels(source)
    for source in (LANTERN / edition / "sounds").rglob("*.wav"):
        again = tmp_path / "folder" / source.relative_to(LANTERN / edition)
        assert again.read_bytes() == source.read_bytes()


def pixels(path: Path) -> tuple[tuple[int, int], bytes]:
    from PIL import Image

    with Image.open(path) as picture:
        return picture.size, picture.convert("RGBA").tobytes()
