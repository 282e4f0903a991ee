"""The demo game to be looked at."""

from __future__ import annotations

import os
import re
import shutil
import zlib
from pathlib import Path

import pytest

import overhaul
from modded_games import lantern as packed_lantern

#: Of the tests on the older edition of the demo game, and of those in Chromium, one in so many runs
#: without OVERHAUL_FULL.
SAMPLED, IN_CHROMIUM = 6, 6
#: all of these run
WHOLE = "test_pictures.py"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Take a fixed sample of the tests on both editions of the demo game, and in Chromium."""
    if os.environ.get("OVERHAUL_FULL") == "1":
        return
    here = os.path.join(os.path.dirname(__file__), "")

    def is_left(item: pytest.Item) -> bool:
        if not str(item.path).startswith(here):
            return False
        if item.path.name == WHOLE:
            return False
        number = zlib.crc32(item.name.encode())
        if re.search(r"[\[-]gms1[\]-]", item.name) and number % SAMPLED:
            return True
        return "browser" in getattr(item, "fixturenames", ()) and bool(number % IN_CHROMIUM)

    left = {item for item in items if is_left(item)}
    if left:
        config.hook.pytest_deselected(items=[*left])
        items[:] = [item for item in items if item not in left]


@pytest.fixture(scope="session", params=["gms1", "current"])
def lantern(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo game as a file; each of its editions."""
    path = tmp_path_factory.mktemp("lantern") / f"lantern-{request.param}.win"
    path.write_bytes(packed_lantern(request.param))
    return path


@pytest.fixture(scope="session")
def unpacked(lantern: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo game's folder, to be copied."""
    path = tmp_path_factory.mktemp("unpacked") / "folder"
    overhaul.unpack(lantern, path)
    return path


@pytest.fixture
def folder(unpacked: Path, tmp_path: Path) -> Path:
    """The demo game's folder, to be changed."""
    return shutil.copytree(unpacked, tmp_path / "folder")


@pytest.fixture(autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of indexes: never that of the user."""
    folder = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("OVERHAUL_CACHE", str(folder))
    return folder


@pytest.fixture(autouse=True)
def data(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """The journals of each test are its own."""
    monkeypatch.setenv("OVERHAUL_DATA", str(tmp_path_factory.mktemp("data")))


@pytest.fixture
def game(lantern: Path, tmp_path: Path) -> Path:
    """The demo game, to be changed."""
    path = tmp_path / "game.win"
    path.write_bytes(lantern.read_bytes())
    return path
