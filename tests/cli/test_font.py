"""``overhaul font``, and what ``overhaul translate`` does with fonts: the guide runs."""

from __future__ import annotations

import json
import re
import shlex
from functools import cache
from pathlib import Path

import polib
import pytest
from PIL import Image

import ags_games
from drawn_games import add_object, drawn_game
from overhaul.cli import main
from overhaul.gamemaker.data.game import GameData
from typefaces import typeface

GUIDE = (Path(__file__).resolve().parents[2] / "docs/guide/fonts.md").read_text("utf-8")
ASCII = "".join(map(chr, range(32, 127)))
LETTERS = dict.fromkeys(ASCII + "éЖ", (100, 0, 500, 700, 600)) | {" ": (0, 0, 0, 0, 300)}


@cache
def game_bytes() -> bytes:
    """The game of the guide."""
    made = drawn_game("2024.14")
    made.fonts.add(
        "fnt_main", ttf=typeface(ASCII, outlines=LETTERS), size=12, display_name="Verdana"
    )
    made.sprites.add("spr_digits", frames=[Image.new("RGBA", (4, 6), "white")] * 3)
    add_object(made, "obj_sign", None)
    made.add_event("obj_sign", "Create_0", 'digits = font_add_sprite_ext(spr_digits, "012", 0, 1);')
    made.add_event("obj_sign", "Draw_0", 'draw_set_font(fnt_main); draw_text(0, 0, "Open");')
    return made.to_bytes()


@cache
def face() -> bytes:
    """The typeface of the guide."""
    return typeface(ASCII + "éЖ", outlines=LETTERS)


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GameData:
    """The game of the guide, and the files that its commands name."""
    monkeypatch.chdir(tmp_path)
    data = game_bytes()
    Path("data.win").write_bytes(data)
    Path("DejaVuSans.ttf").write_bytes(face())
    Image.new("RGBA", (7, 12), "white").save("e.png")
    messages = polib.POFile()
    messages.append(polib.POEntry(msgid="Open", msgstr="éЖ Open"))
    messages.save("es.po")
    return GameData.from_bytes(data)


def said(capsys: pytest.CaptureFixture[str], line: str, code: int = 0) -> str:
    assert main(shlex.split(line)) == code, capsys.readouterr().err
    return capsys.readouterr().out


def test_the_guide_runs(game: GameData, capsys: pytest.CaptureFixture[str]) -> None:
    lines = re.findall(r"^    overhaul (.*)$", GUIDE, re.M)
    assert len(lines) == 9
    said_of = {
        line: said(capsys, line, int(" missing " in line or " check " in line)) for line in lines
    }
    blocks = re.findall(r"```text\n(.*?)```", GUIDE, re.S)
    assert said_of["font show data.win"] == blocks[0] + "digits: of spr_digits: 012\n"
    assert (
        said_of["font missing data.win --po es.po"] == blocks[1] + "of spr_digits:   O e n p é Ж\n"
    )
    for name, size, count in (
        ("added", 12, 98), ("rebuilt", 12, 98), ("bigger", 14, 97), ("drawn", 12, 97)
    ):  # fmt: skip
        font = GameData.from_bytes(Path(f"{name}.win").read_bytes()).fonts["fnt_main"]
        assert (font.size, len(font.glyphs)) == (size, count), name
    assert GameData.from_bytes(Path("spanish.win").read_bytes()).fonts[0].covers("éЖ Open")
    assert Path("preview/index.html").exists()
    (block,) = re.findall(r"```python\n(.*?)```", GUIDE, re.S)
    exec(block, {})
    out = capsys.readouterr().out
    assert out.startswith("['é', 'Ж'] True\n[SpriteFont(sprite='spr_digits', characters='012'")
    assert len(GameData.from_bytes(Path("python.win").read_bytes()).fonts["fnt_title"].glyphs) == 97


def test_json(game: GameData, capsys: pytest.CaptureFixture[str]) -> None:
    shown = json.loads(said(capsys, "font show data.win --json"))
    assert shown["fonts"][0]["name"] == "fnt_main" and shown["fonts"][0]["size"] == 12
    assert shown["from_sprites"][0]["sprite"] == "spr_digits"
    lacks = json.loads(said(capsys, "font missing data.win fnt_main --text aé --json", 1))
    assert lacks["fonts"] == [{"font": "fnt_main", "missing": "é"}]
    made = json.loads(
        said(capsys, "font add data.win fnt_main --ttf DejaVuSans.ttf --text é -o a.win --json")
    )
    assert made["path"] == "a.win" and "é" in made["font"]["characters"]
    shown = json.loads(said(capsys, "translate preview data.win es.po -o p --json"))
    (row,) = shown["texts"]
    assert (row["font"], row["missing"], row["evident"]) == ("fnt_main", "éЖ", True)


def test_the_letters_of_the_game_itself(game: GameData, capsys: pytest.CaptureFixture[str]) -> None:
    out = said(capsys, "font missing data.win fnt_main")
    assert out == "fnt_main: nothing is missing\n"
    added = "font add data.win fnt_main --ttf DejaVuSans.ttf --from-strings --chars 233 -o b.win"
    assert said(capsys, added) == "b.win: fnt_main has 97 characters\n"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("font show data.win fnt_man", "there is no font named 'fnt_man'"),
        ("font add data.win fnt_x --ttf DejaVuSans.ttf --text é -o x.win", "no font named"),
        ("font add data.win fnt_main --ttf DejaVuSans.ttf --text 日 -o x.win", "no glyph for 日"),
        ("font add data.win fnt_main --ttf DejaVuSans.ttf --chars q-z -o x.win", "expected ranges"),
        ("font rebuild data.win fnt_main --ttf DejaVuSans.ttf --size 0 -o x.win", "above 0"),
        ("font set data.win fnt_main e.png -o x.win", "expected LETTER=PICTURE, got 'e.png'"),
        ("translate apply data.win es.po --font x -o x.win", "expected NAME=FILE, got 'x'"),
        ("translate apply data.win es.po --font x=DejaVuSans.ttf -o x.win", "no font named 'x'"),
    ],
)
def test_wrong_arguments(
    game: GameData, capsys: pytest.CaptureFixture[str], line: str, message: str
) -> None:
    assert main(shlex.split(line)) == 2
    assert message in capsys.readouterr().err
    assert not Path("x.win").exists()


def test_files_that_are_none(game: GameData, capsys: pytest.CaptureFixture[str]) -> None:
    Path("bad.ttf").write_bytes(b"\0\1\0\0 broken")
    for line in (
        "font rebuild data.win fnt_main --ttf bad.ttf -o x.win",
        "font add data.win fnt_main --ttf bad.ttf --text é -o x.win",
        "font set data.win fnt_main é=bad.ttf -o x.win",
        "translate apply data.win es.po --ttf bad.ttf -o x.win",
    ):
        assert main(shlex.split(line)) == 3, line
        assert "bad.ttf" in capsys.readouterr().err
        assert not Path("x.win").exists()


def test_a_font_for_one_font(game: GameData, capsys: pytest.CaptureFixture[str]) -> None:
    line = "translate apply data.win es.po --font fnt_main=DejaVuSans.ttf --rebuild-fonts -o y.win"
    assert said(capsys, line) == "y.win: 1 texts translated\n"
    font = GameData.from_bytes(Path("y.win").read_bytes()).fonts["fnt_main"]
    assert font.covers("éЖ") and font.display_name == "Boxes"


@pytest.mark.parametrize("words", [["show"], ["missing", "--text", "é"]], ids=" ".join)
def test_fonts_that_name_a_typeface_have_no_letters(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Those of the data of a game of Adventure Game Studio, without the files of its package."""
    path = tmp_path / "game28.dta"
    path.write_bytes(ags_games.game().to_bytes())
    assert main(["font", *words, str(path)]) == 2
    assert "has no fonts whose letters are pictures" in capsys.readouterr().err
