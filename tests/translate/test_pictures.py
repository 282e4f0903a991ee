"""Sprites that may have lettering: reported, saved, put back."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from drawn_games import add_object, drawn_game
from overhaul import translate
from overhaul.ags.documents.translation import TranslationDocument
from overhaul.cli import main
from overhaul.errors import FormatError
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.pictures import PageImages
from overhaul.translate.rules import read_rules

SIZES = {
    "spr_title_screen": (8, 8, 1),
    "spr_wall": (8, 8, 1),
    "spr_wide": (32, 8, 1),
    "spr_wide_moving": (32, 8, 2),
    "spr_wide_unused": (32, 8, 1),
    "spr_square_drawn": (8, 8, 1),
    "spr_letters_x": (4, 4, 2),
    "spr_numbers": (4, 4, 3),
    "sprPlayButton": (4, 4, 1),
    "spr_shown": (4, 4, 1),
    "spr_other": (4, 4, 1),
}
CODE = """
draw_sprite(spr_wide, 0, x, y);
draw_sprite_ext(spr_wide_moving, 0, x, y, 1, 1, 0, 0, 1);
draw_sprite(spr_square_drawn, 0, x, y);
fnt = font_add_sprite(spr_numbers, 48, true, 0);
"""


@pytest.fixture
def game() -> GameData:
    made = drawn_game("2023.4")
    for number, (name, (width, height, frames)) in enumerate(SIZES.items()):
        colour = (20 * number, 99, 200, 255)
        pictures = [Image.new("RGBA", (width, height), colour) for _ in range(frames)]
        for count, picture in enumerate(pictures):
            picture.putpixel((0, 0), (count, 0, 0, 255))
        made.sprites.add(name, pictures)
    add_object(made, "obj_start", None)
    add_object(made, "obj_ball", None)
    made.objects["obj_start"].sprite = "spr_shown"
    made.objects["obj_ball"].sprite = "spr_other"
    made.add_event("obj_ball", "Draw_0", CODE)
    return made


WANTED = {
    "spr_title_screen": ["its name has 'title'"],
    "spr_wide": [
        "it is wide, has one frame, and draw_sprite in gml_Object_obj_ball_Draw_0 draws it"
    ],
    "spr_letters_x": ["its name has 'letters'"],
    "spr_numbers": ["a font is made of it in gml_Object_obj_ball_Draw_0"],
    "sprPlayButton": ["its name has 'play' and 'button'"],
    "spr_shown": ["obj_start shows it"],
}


def test_reasons(game: GameData) -> None:
    found = {each.name: each for each in translate.pictures(game)}
    assert {name: each.reasons for name, each in found.items()} == WANTED
    letters = found["spr_letters_x"]
    assert (letters.width, letters.height, letters.frames) == (4, 4, 2)


def test_rules(game: GameData) -> None:
    rules = read_rules(b'[include]\nsprites = ["*_wall"]\n[exclude]\nsprites = ["spr_title*"]')
    found = {each.name: each.reasons for each in translate.pictures(game, rules=rules)}
    assert found == {
        "spr_wall": ["the rules include it"],
        **{name: reasons for name, reasons in WANTED.items() if name != "spr_title_screen"},
    }


def test_a_sprite_without_a_picture_is_left_out(game: GameData) -> None:
    game.sprites["spr_title_screen"].record.textures.clear()
    assert "spr_title_screen" not in [each.name for each in translate.pictures(game)]


def test_pictures_come_back(
    game: GameData,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("data.win").write_bytes(game.to_bytes())
    assert main(["translate", "pictures", "data.win", "-o", "pictures"]) == 0
    said = capsys.readouterr().out.split("\n")
    assert said[0] == "spr_title_screen: its name has 'title'"
    assert said[-2] == "pictures: 6 sprites"
    names = sorted(path.name for path in Path("pictures").iterdir())
    assert names == sorted(
        ["index.html", *(f"{name}_strip{SIZES[name][2]}.png" for name in WANTED)]
    )
    page = Path("pictures/index.html").read_text("utf-8")
    assert page.count("<img ") == 6 and 'src="spr_letters_x_strip2.png"' in page
    assert "its name has &#x27;title&#x27;" in page
    # nothing changed: the same game
    back = ["sprites", "add", "data.win", "pictures", "--replace", "-o"]
    assert main([*back, "same.win"]) == 0
    assert Path("same.win").read_bytes() == Path("data.win").read_bytes()
    # one changed: that one
    Image.new("RGBA", (8, 8), "red").save("pictures/spr_title_screen_strip1.png")
    capsys.readouterr()
    assert main([*back, "new.win", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["replaced"] == ["spr_title_screen"]
    new = GameData.from_bytes(Path("new.win").read_bytes())
    for name in SIZES:
        pixels = np.array(new.sprites[name].frames[0].image)
        old = np.array(game.sprites[name].frames[0].image)
        assert (name == "spr_title_screen") != np.array_equal(pixels, old)
    # nothing is written over
    assert main(["translate", "pictures", "data.win", "-o", "pictures"]) == 2
    assert main(["translate", "pictures", "data.win", "-o", "pictures", "--force", "--json"]) == 0


def test_the_page_is_escaped(game: GameData, tmp_path: Path) -> None:
    game.sprites["spr_title_screen"].record.name = game.strings.add('title"<b>&')
    translate.save_pictures(game, tmp_path / "out")
    page = (tmp_path / "out/index.html").read_text("utf-8")
    assert "<b>title&quot;&lt;b&gt;&amp;</b>" in page and 'title"<b>' not in page


def test_other_files_are_refused(tmp_path: Path) -> None:

    (tmp_path / "es.tra").write_bytes(TranslationDocument().to_bytes())
    with pytest.raises(FormatError, match="expected"):
        translate.pictures(tmp_path / "es.tra")


def test_a_page_that_can_not_be_decoded(
    game: GameData, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "data.win").write_bytes(game.to_bytes())
    monkeypatch.setattr(PageImages, "page", lambda *_: None)
    with pytest.raises(FormatError, match="spr_title_screen has a frame without a picture"):
        translate.save_pictures(tmp_path / "data.win", tmp_path / "out")
    assert not (tmp_path / "out").exists()
