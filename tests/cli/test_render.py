"""``overhaul render`` on a small game."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image

from ags_rooms import bgra, sprites, with_object
from drawn_games import add_background, add_object, add_sprite, drawn_game
from drawn_projects import RED as RED_PIXEL
from drawn_projects import Made, pixels
from overhaul.ags.library.package import Asset, Package
from overhaul.ags.pictures import Pixels
from overhaul.cli import main
from overhaul.gamemaker.classic.actions import Object
from overhaul.gamemaker.classic.resources import Instance, Room, View
from overhaul.media import canvas
from overhaul.media.png import same_pixels

GREY, RED = (100, 100, 100, 255), (200, 0, 0, 255)


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


def test_a_page_that_cannot_be_read_is_reported(
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


def test_rooms_of_a_project(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = Made(701)
    made.sprite("spr", pixels([RED_PIXEL, RED_PIXEL]), pixels([RED_PIXEL, RED_PIXEL]))
    made.background("bg sky", pixels([RED_PIXEL]))
    made.sprite("spr_none")
    made.add("objects", "obj", Object(version=430, sprite=0))
    room = Room(version=541, width=4, height=2, instances=[Instance(x=1, y=1, object=0, id=1)])
    room.views = [View() for _ in range(8)]
    made.add("rooms", "rm/1", room)
    file = tmp_path / "game.gmk"
    file.write_bytes(made.document.to_bytes())
    out = tmp_path / "out"
    assert render(file, out, "*") == 0
    assert files_in(out) == [
        "backgrounds/bg sky.png",
        "rooms/rm%2F1.png",
        "sprites/spr/0.png",
        "sprites/spr/1.png",
    ]
    with Image.open(out / "rooms/rm%2F1.png") as image:
        assert image.size == (4, 2)
    assert render(file, out, "rooms/*", "--layers", "instance", "--force") == 3
    assert "there is no layer named 'instance' (did you mean 'instances'?)" in (
        capsys.readouterr().err
    )
    assert render(file, out, "rooms/rm_1") == 1
    assert render(file, out, "rooms/*", "--region", "1,1,2,1", "--scale", "2", "--force") == 0
    with Image.open(out / "rooms/rm%2F1.png") as image:
        assert image.size == (4, 2)


def test_rooms_in_a_package(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    room = with_object(on=1)
    red = Pixels(2, 1, 4, bgra((200, 0, 0, 0), (200, 0, 0, 0)))
    package = Package(version=30)
    package.assets = [
        asset("room1.crm", room.to_bytes()),
        asset("Room2.CRM", with_object(on=0).to_bytes()),
        asset("acsprset.spr", sprites(None, red)),
        asset("note.txt", b"nothing to draw"),
    ]
    file = tmp_path / "game.ags"
    file.write_bytes(package.to_bytes())
    out = tmp_path / "out"
    assert render(file, out, "*/*") == 0
    assert files_in(out) == ["rooms/Room2.png", "rooms/room1.png", "sprites/1.png"]
    with Image.open(out / "rooms/room1.png") as image:
        assert (image.mode, image.size) == ("RGBA", (4, 3))
        assert [image.getpixel((x, 1)) for x in range(4)] == [GREY, RED, RED, GREY]
    with Image.open(out / "rooms/Room2.png") as image:
        assert image.getpixel((1, 1)) == GREY
    alone = tmp_path / "alone"
    assert main(["render", f"{file}!room1.crm", "rooms/*", "-o", str(alone)]) == 0
    picture = "rooms/room1.png"
    assert (alone / picture).read_bytes() == (out / picture).read_bytes()
    words = ["--layers", "objects", "--region", "1,1,3,2", "--scale", "2", "--force"]
    assert main(["render", f"{file}!room1.crm", "rooms/*", "-o", str(alone), *words]) == 0
    with Image.open(alone / picture) as image:
        assert image.size == (6, 4)
        assert [image.getpixel((x, 1)) for x in range(6)] == [RED] * 4 + [(0, 0, 0, 0)] * 2
        assert image.getpixel((0, 2)) == (0, 0, 0, 0)
    for words, says in (
        (["--view", "0"], "have no views"),
        (["--layers", "object"], "there is no layer named 'object' (did you mean 'objects'?)"),
        (["--region", "0,0,99999,99999"], "exceeds"),
    ):
        assert render(file, out, "rooms/*", *words, "--force") == 3
        assert says in capsys.readouterr().err


def asset(name: str, data: bytes) -> Asset:
    return Asset(name=name, data=data, size=len(data))
