"""A wheel of the project has all that the viewer needs."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
#: what is no Python: pages, their looks and behaviour, licences
PARTS = {".html", ".css", ".js", ".svg", ".txt"}


@pytest.mark.skipif(not (ROOT / "src").is_dir(), reason="the sources are not here")
def test_a_wheel_has_the_pages_and_their_licences(tmp_path: Path) -> None:
    pytest.importorskip("hatchling", reason="hatchling, which builds wheels, is not installed")
    build = "from hatchling.build import build_wheel; import sys; build_wheel(sys.argv[1])"
    made = subprocess.run(
        [sys.executable, "-c", build, str(tmp_path)],
        cwd=ROOT,
        env={**os.environ, "HATCH_BUILD_HOOKS_ENABLE": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode == 0, made.stderr
    (wheel,) = tmp_path.glob("*.whl")
    viewer = ROOT / "src" / "overhaul" / "viewer"
    wanted = {
        f"overhaul/viewer/{path.relative_to(viewer).as_posix()}": path.read_bytes()
        for path in viewer.rglob("*")
        if path.suffix in PARTS
    }
    assert {"templates", "static"} == {name.split("/")[2] for name in wanted}
    assert "overhaul/viewer/static/htmx.LICENSE.txt" in wanted
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        assert wanted.keys() <= names
        assert {name: archive.read(name) for name in wanted} == wanted
    assert not any(name.startswith("tests") for name in names)
