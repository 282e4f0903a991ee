"""A game with functions, macros, enums and parents, unpacked."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import overhaul
from modded_games import lantern
from overhaul.gamemaker.data.game import GameData


@pytest.fixture(scope="session")
def lantern_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo game with an object that has a parent, and more code."""
    path = tmp_path_factory.mktemp("lantern") / "lantern.win"
    path.write_bytes(lantern("current"))
    with overhaul.open_game(path) as game:
        _furnish(game)
        game.save(path, force=True)
    return path


def _furnish(game: GameData) -> None:
    child = game.objects.add("obj_child")
    child.parent = game.objects["obj_keeper"]
    child.events.add("Create_0", "own_speed = walk_speed * 2;\nglobal.children = 1;")
    child.events.add("Step_0", "var step = scr_flicker(own_speed);\nx += step;")
    game.scripts.add(
        "scr_tools",
        "function clamp_light(value, most)\n{\n    var low = 0.4;\n"
        "    return clamp(value, low, most);\n}\n\n"
        "function Box(w, h) constructor\n{\n    width = w;\n    height = h;\n"
        "    static area = function()\n    {\n        return width * height;\n    };\n}",
    )


@pytest.fixture(scope="session")
def unpacked(lantern_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The game, unpacked, to be copied."""
    path = tmp_path_factory.mktemp("unpacked") / "game"
    overhaul.unpack(lantern_file, path)
    return path


@pytest.fixture
def folder(unpacked: Path, tmp_path: Path) -> Path:
    """The game, unpacked, to be changed."""
    return shutil.copytree(unpacked, tmp_path / "game")
