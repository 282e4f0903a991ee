"""Sprites of a game of Adventure Game Studio that may have lettering."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image

import overhaul
from ags_package import small_game
from ags_rooms import bgra, sprites
from overhaul import translate
from overhaul.ags.game.game import Game
from overhaul.ags.game.gui import Button, Gui
from overhaul.ags.game.resources import Frame, Loop, View
from overhaul.ags.library.package import Package
from overhaul.ags.pictures import Pixels
from overhaul.cli import main
from overhaul.translate.rules import read_rules


def game_with(**changes: object) -> bytes:
    """The small package with a window of a button, and a view."""
    made = small_game()
    content = made.content
    assert content is not None
    content.gui.buttons = [Button(name="b", text=str(changes.get("text", "")), picture=1)]
    content.gui.buttons[0].mouse_over_picture = 99  # there is no such sprite
    content.gui.guis = [
        Gui(name=str(changes.get("window", "gBar")), control_references=[1 << 16], control_count=1)
    ]
    content.gui.guis[0].background_picture = int(str(changes.get("background", 0)))
    content.view_names = [str(changes.get("view", "vEgo"))]
    content.views = [View([Loop(1, [Frame(picture=0)])])]
    return package_of(made)


def package_of(game: Game) -> bytes:
    """A package of the game with two sprites of 2 by 1 pixels."""
    made = Package(version=30, parts=["small.ags"])
    made.add("game28.dta", game.to_bytes())
    picture = Pixels(2, 1, 4, bgra((200, 0, 0, 255), (0, 255, 0, 255)))
    made.add("acsprset.spr", sprites(picture, picture))
    return made.to_bytes()


def found(tmp_path: Path, **changes: object) -> dict[str, list[str]]:
    path = tmp_path / "small.ags"
    path.write_bytes(game_with(**changes))
    return {each.name: each.reasons for each in translate.pictures(path)}


def test_a_button_without_a_text(tmp_path: Path) -> None:
    assert found(tmp_path) == {"1": ["a button of gBar without a text shows it"]}
    assert found(tmp_path, text="Save") == {}


def test_windows_and_views_by_their_names(tmp_path: Path) -> None:
    assert found(tmp_path, text="x", background=1) == {}
    assert found(tmp_path, text="x", background=1, window="gTitle") == {
        "1": ["it is the background of gTitle"]
    }
    assert found(tmp_path, text="x", view="vLogo") == {"0": ["the name of view vLogo has 'logo'"]}


def test_rules_add_and_leave_out(tmp_path: Path) -> None:
    (tmp_path / "small.ags").write_bytes(game_with())
    rules = read_rules(b'[include]\nsprites = ["0"]\n[exclude]\nsprites = ["1"]\n')
    made = translate.pictures(tmp_path / "small.ags", rules=rules)
    assert [(each.name, each.reasons) for each in made] == [("0", ["the rules include it"])]


def test_they_are_saved_as_the_folder_of_the_game_has_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game, pictures = tmp_path / "small.ags", tmp_path / "pictures"
    game.write_bytes(game_with())
    assert main(["translate", "pictures", str(game), "-o", str(pictures), "--json"]) == 0
    [row] = json.loads(capsys.readouterr().out)["sprites"]
    assert (row["name"], row["frames"], row["width"], row["height"]) == ("1", 1, 2, 1)
    assert sorted(each.name for each in pictures.iterdir()) == ["00001.png", "index.html"]
    overhaul.unpack(game, tmp_path / "folder")
    own = next((tmp_path / "folder").rglob("00001.png"))
    with Image.open(own) as one, Image.open(pictures / "00001.png") as two:
        assert one.convert("RGBA").tobytes() == two.convert("RGBA").tobytes()
