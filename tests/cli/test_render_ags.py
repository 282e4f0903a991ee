"""``overhaul render`` on a game of Adventure Game Studio: views, and rooms with overlays."""

from __future__ import annotations

from pathlib import Path

from PIL import Image

import ags_games
from ags_folders import sprite_set
from overhaul.ags.game.game import Game
from overhaul.ags.game.things import Frame, Loop, View
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
