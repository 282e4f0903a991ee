"""``overhaul render`` on a game of Adventure Game Studio: views, and rooms with overlays."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

import ags_games
import overhaul
from ags_folders import sprite_set
from overhaul import folder as folders
from overhaul.ags.game.game import Game
from overhaul.ags.game.resources import Frame, Loop, View
from overhaul.ags.library.package import Package
from overhaul.cli import main


def render(game: Path, pattern: str, folder: Path, *words: str) -> int:
    return main(["render", str(game), pattern, "-o", str(folder), *words])


def test_views_of_a_package_are_animations(tmp_path: Path) -> None:
    made = Package.read(ags_games.package())
    game = Game.read(made["game28.dta"].read())
    assert game.content is not None
    frames = [Frame(picture=1, speed=4), Frame(picture=1, flags=1), Frame(picture=99)]
    game.content.views, game.content.view_names = [View([Loop(0, frames), Loop()])], ["vEgo"]
    game.recompute_counts()
    made.replace("game28.dta", game.to_bytes())
    made.add("acsprset.spr", sprite_set(6).to_bytes())
    file = tmp_path / "game.ags"
    file.write_bytes(made.to_bytes())
    assert render(file, "views/*", tmp_path / "out") == 0
    assert [path.name for path in (tmp_path / "out/views/vEgo").iterdir()] == ["0.gif"]
    with Image.open(tmp_path / "out/views/vEgo/0.gif") as shown:
        assert shown.format == "GIF" and shown.info["duration"] >= 150


def test_rooms_with_overlays(tmp_path: Path) -> None:
    file = tmp_path / "game.ags"
    file.write_bytes(ags_games.package())
    plain, over = tmp_path / "plain", tmp_path / "over"
    assert render(file, "rooms/*", plain) == 0
    assert render(file, "rooms/*", over, "--overlays", "hotspots,edges") == 0
    one, two = (
        Image.open(path / "rooms/room1.png").convert("RGB").tobytes() for path in (plain, over)
    )
    assert len(one) == len(two) and one != two
    assert render(file, "rooms/*", tmp_path / "no", "--overlays", "zz") != 0


def test_a_room_is_called_by_its_number_in_all_commands(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, folder = tmp_path / "game.ags", tmp_path / "game"
    made = ags_games.game()
    assert made.content is not None
    made.content.characters[1].room = 2
    made.content.characters[0].room = 12
    file.write_bytes(ags_games.package(made, rooms=2))
    assert main(["unpack", str(file), str(folder), "-q"]) == 0
    for source in (file, folder):
        assert render(source, "rooms/2", tmp_path / f"of {source.name}") == 0
        assert (tmp_path / f"of {source.name}/rooms/room2.png").is_file()
        assert not (tmp_path / f"of {source.name}/rooms/room1.png").exists()
        assert main(["cat", str(source), "rooms/2/room.json"]) == 0
        assert main(["grep", "lamp", str(source), "--only", "rooms/2"]) == 0
        capsys.readouterr()
        assert main(["ls", str(source), "rooms/2"]) == 0
        assert capsys.readouterr().out.split()[::2] == ["room", "rooms/2"]
        assert main(["refs", str(source), "rooms/2"]) == 0
        (line,) = capsys.readouterr().out.splitlines()
        assert line.startswith("characters/1.json:") and line.endswith('"StartingRoom": 2,')
    assert render(file, "rooms/room2", tmp_path / "old") == 0
    assert render(file, "rooms/3", tmp_path / "none") == 1
    assert "did you mean 'rooms/2'?" in capsys.readouterr().err


def test_scripts_use_the_rooms_that_they_enter(tmp_path: Path) -> None:
    file, folder = tmp_path / "game.ags", tmp_path / "game"
    file.write_bytes(ags_games.package(rooms=2))
    overhaul.unpack(file, folder)
    text = "cEgo.ChangeRoom(2, 3);\nNewRoom ( 2);\nChangeRoom(22);\nNewRoomEx(x, 2);\nRoom(2);\n"
    (folder / "scripts/Enters.asc").write_text(text)
    (folder / "dialogs/9.ads").write_text("@1\nnew-room 2\nnew-room 12\n")
    found = [(use.path, use.line) for use in folders.uses_in_folder(str(folder), "rooms/2")]
    assert found == [("dialogs/9.ads", 2), ("scripts/Enters.asc", 1), ("scripts/Enters.asc", 2)]
