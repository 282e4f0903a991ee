"""``overhaul render`` on a small game."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image

from drawn_games import add_background, add_object, add_sprite, drawn_game
from overhaul.cli import main
from overhaul.media import canvas
from overhaul.media.png import same_pixels


@pytest.fixture
def game(tmp_path: Path) -> Path:
    made = drawn_game("2.3")
    sprite = add_sprite(made, "spr_a", "RG", "BW")
    add_object(made, "obj", sprite)
    add_background(made, "bg", "RGB")
    made.rooms["rm"].layers.add("things")
    made.rooms["rm"].instances.add("obj", 1, 1)
    made.rooms.add("rm_two", width=3)
    path = tmp_path / "data.win"
    path.write_bytes(made.to_bytes())
    return path


def render(game: Path, folder: Path, *words: str) -> int:
    return main(["render", str(game), *words, "-o", str(folder)])


def files_in(folder: Path) -> list[str]:
    return sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())


def test_rooms_sprites_and_backgrounds(
    game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert render(game, out, "*/*", "--json") == 0
    rows = json.loads(capsys.readouterr().out)["pictures"]
    assert rows[0] == {"path": "rooms/rm.png", "width": 6, "height": 4}
    assert files_in(out) == [
        "backgrounds/bg.png",
        "rooms/rm.png",
        "rooms/rm_two.png",
        "sprites/spr_a/0.png",
        "sprites/spr_a/1.png",
    ]
    with Image.open(out / "rooms/rm.png") as image:
        assert image.mode == "RGBA" and image.getpixel((1, 1)) == (255, 0, 0, 255)
    assert sorted(row["path"] for row in rows) == files_in(out)


def test_a_large_room_is_written_in_strips(
    game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert render(game, tmp_path / "whole", "rooms/*") == 0
    monkeypatch.setattr(canvas, "_STRIP", 6)  # a row
    monkeypatch.setattr(canvas, "LARGEST", 12)  # more than an image may have
    assert render(game, tmp_path / "strips", "rooms/*") == 0
    for name in ("rm.png", "rm_two.png"):
        one, two = (tmp_path / each / "rooms" / name for each in ("whole", "strips"))
        assert same_pixels(one.read_bytes(), two.read_bytes())


def test_how_a_room_is_drawn(game: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    words = ["rooms/rm", "--layers", "things", "--region", "1,1,2,1", "--scale", "3"]
    assert render(game, out, *words) == 0
    with Image.open(out / "rooms/rm.png") as image:
        assert image.size == (6, 3)
        assert image.getpixel((5, 2)) == (0, 255, 0, 255)
    assert render(game, out, "rooms/rm", "--view", "2", "--force") == 0
    with Image.open(out / "rooms/rm.png") as image:
        assert image.size == (1024, 768)


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (["rooms/rmm"], 1, "nothing matches rooms/rmm (did you mean 'rooms/rm'?)"),
        (["rooms/rm", "--layers", "thing"], 3, "rooms/rm.png: there is no layer named 'thing'"),
        (["rooms/*", "--layers", "things"], 3, "rooms/rm_two.png: there is no layer"),
        (["rooms/rm", "--scale", "0"], 2, "--scale"),
        (["rooms/rm", "--region", "1,2"], 2, "expected X,Y,WIDTH,HEIGHT"),
        (["rooms/rm", "--region", "0,0,-1,5"], 3, "region: expected left, top"),
        (["rooms/rm", "--region", "0,0,1,1", "--view", "0"], 2, "can't be together"),
        (["rooms/rm", "--region", "0,0,99999,99999"], 3, "exceeds"),
    ],
)
def test_errors_leave_nothing(
    game: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    code: int,
    says: str,
) -> None:
    out = tmp_path / "out"
    assert render(game, out, *words) == code
    assert says in capsys.readouterr().err
    assert not out.exists()


def test_existing_files_are_kept(
    game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    (out / "rooms").mkdir(parents=True)
    (out / "rooms/rm.png").write_text("mine")
    assert render(game, out, "rooms/*") == 2
    assert "already exists (--force replaces it)" in capsys.readouterr().err
    assert files_in(out) == ["rooms/rm.png"]
    assert render(game, out, "rooms/*", "--force") == 0
    assert files_in(out) == ["rooms/rm.png", "rooms/rm_two.png"]


def test_a_page_that_cannot_be_read_is_told(
    game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = drawn_game("2.3")
    add_object(made, "obj", add_sprite(made, "spr_a", "RG"))
    made.rooms["rm"].layers.add("things")
    made.rooms["rm"].instances.add("obj", 1, 1)
    blob = bytes(made.textures[0].blob or b"")
    made.textures[0].blob = blob[:33] + b"\xff" * 8 + blob[41:]
    game.write_bytes(made.to_bytes())
    assert render(game, tmp_path / "out", "rooms/rm") == 0
    assert "a texture page can't be read" in capsys.readouterr().err
    assert render(game, tmp_path / "two", "sprites/*") == 3
    assert "its texture can't be read" in capsys.readouterr().err
    assert not (tmp_path / "two").exists()


def test_other_kinds_of_files_have_no_rooms(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "audiogroup1.dat"
    path.write_bytes(b"FORM\x0c\x00\x00\x00AUDO\x04\x00\x00\x00" + bytes(4))
    assert render(path, tmp_path / "out", "rooms/*") == 3
    assert "has no rooms to draw" in capsys.readouterr().err
