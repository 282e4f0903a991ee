"""``overhaul tiled`` on a small game."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import overhaul
from drawn_games import add_object, add_sprite, drawn_game
from overhaul.cli import main
from overhaul.gamemaker.data import GameData


@pytest.fixture
def game(tmp_path: Path) -> Path:
    made = drawn_game("2.3")
    add_object(made, "obj", add_sprite(made, "spr", "RG"))
    made.rooms["rm"].layers.add("things")
    made.rooms["rm"].instances.add("obj", 10, 20)
    path = tmp_path / "data.win"
    path.write_bytes(made.to_bytes())
    return path


def test_there_and_back(game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    maps, out = tmp_path / "maps", tmp_path / "new.win"
    assert main(["tiled", "export", str(game), "-o", str(maps), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["maps"] == ["rm.tmx"]
    assert main(["tiled", "import", str(maps), str(game), "-o", str(out)]) == 0
    assert "0 of 1 rooms changed" in capsys.readouterr().out
    assert out.read_bytes() == game.read_bytes()
    text = (maps / "rm.tmx").read_text()
    (maps / "rm.tmx").write_text(text.replace('x="10"', 'x="11.4"'))
    words = ["tiled", "import", str(maps), str(game), "-o", str(out), "--json"]
    assert main(words) == 2  # the file is there already
    assert "already exists" in json.loads(capsys.readouterr().out)["error"]
    assert main([*words, "--force"]) == 0
    shown = capsys.readouterr()
    assert json.loads(shown.out)["changed"] == ["rm.tmx"]
    assert "object 1: 11.4, 20 is not a whole pixel (now 11, 20)" in shown.err
    with overhaul.open(str(out)) as changed:
        assert isinstance(changed, GameData)
        assert changed.rooms["rm"].instances[0].x == 11


def test_errors_write_nothing(
    game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    maps, out = tmp_path / "maps", tmp_path / "new.win"
    assert main(["tiled", "export", str(game), "rooms/rmm", "-o", str(maps)]) == 1
    assert "no room matches rooms/rmm" in capsys.readouterr().err
    assert not maps.exists()
    assert main(["tiled", "export", str(game), "-o", str(maps)]) == 0
    (maps / "rm.tmx").write_text("<map")
    assert main(["tiled", "import", str(maps), str(game), "-o", str(out)]) == 3
    assert "rm.tmx:1:" in capsys.readouterr().err and not out.exists()
    assert main(["tiled", "import", str(tmp_path / "none"), str(game), "-o", str(out)]) == 3
    other = tmp_path / "audiogroup1.dat"
    other.write_bytes(b"FORM\x0c\x00\x00\x00AUDO\x04\x00\x00\x00" + bytes(4))
    assert main(["tiled", "export", str(other), "-o", str(maps)]) == 3
    assert main(["tiled", "import", str(maps), str(other), "-o", str(out)]) == 3
