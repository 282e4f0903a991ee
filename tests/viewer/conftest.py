"""The demo game, to be looked at."""

from __future__ import annotations

from pathlib import Path

import pytest

import overhaul

LANTERN = Path(__file__).resolve().parents[2] / "examples" / "lantern"


@pytest.fixture(scope="session", params=["gms1", "current"])
def lantern(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo game as a file; each of its editions."""
    path = tmp_path_factory.mktemp("lantern") / f"lantern-{request.param}.win"
    overhaul.pack(LANTERN / request.param, path)
    return path


@pytest.fixture(autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of indexes: never that of the user."""
    folder = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("OVERHAUL_CACHE", str(folder))
    return folder
