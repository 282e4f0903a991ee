"""``overhaul doctor`` says what is there, and what keeps Overhaul from working."""

from __future__ import annotations

import importlib.metadata
import json
from pathlib import Path

import pytest

from overhaul import doctor
from overhaul.cli import main
from overhaul.version import __version__

CapSys = pytest.CaptureFixture[str]


def test_it_shows_versions(capsys: CapSys, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("OVERHAUL_CACHE", str(tmp_path))
    (tmp_path / "types").write_bytes(bytes(1_500_000))
    assert main(["doctor"]) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"overhaul {__version__} (package)\n")
    assert f"Cache: {tmp_path} (1.5 MB used, " in out
    assert f"numpy {importlib.metadata.version('numpy')}" in out
    assert "Trouble" not in out


def test_json_has_the_same(capsys: CapSys) -> None:
    assert main(["doctor", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["version"] == __version__
    assert {"name": "msgspec", "extra": "", "version": importlib.metadata.version("msgspec")} in (
        report["packages"]
    )
    assert report["compiled"] <= report["modules"]
    assert report["modules"] > 500
    assert report["trouble"] == []


def test_what_is_missing_is_named(capsys: CapSys, monkeypatch: pytest.MonkeyPatch) -> None:
    version = importlib.metadata.version

    def without(name: str) -> str:
        if name in ("openpyxl", "polib"):
            raise importlib.metadata.PackageNotFoundError(name)
        return version(name)

    monkeypatch.setattr(importlib.metadata, "version", without)
    assert main(["doctor"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert "[xlsx] openpyxl - - missing: pip install 'overhaul[xlsx]'" in lines
    assert lines[-1] == "Trouble: polib is not installed"  # an optional part is no trouble


def test_a_cache_that_can_t_be_written_is_trouble(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setenv("OVERHAUL_CACHE", str(tmp_path / "file" / "cache"))
    report = doctor.examine()
    assert report.cache.trouble
    assert report.trouble == [f"{report.cache.path}: {report.cache.trouble}"]
