"""The commands about pictures."""

from __future__ import annotations

import json
import os
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import overhaul
from overhaul.cli import main
from overhaul.media import png
from small_folders import picture
from small_games import game_of

CapSys = pytest.CaptureFixture[str]


@cache
def game_bytes() -> bytes:
    """A game of three pictures, each on its own page."""
    made = game_of("2024.14")
    for number in range(3):
        made.sprites.add(f"spr_{number}", [picture(seed=number)])
        assert len(made.textures) == number + 1
    return made.to_bytes()


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "data.win"
    path.write_bytes(game_bytes())
    return path


def run(capsys: CapSys, *words: str) -> tuple[int, str, str]:
    code = main(list(words))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_repack(game: Path, capsys: CapSys) -> None:
    code, out, err = run(capsys, "repack", "data.win", "-o", "out.win", "--padding", "2")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].startswith("Default (bz2-qoi): 3 pages of 0.00 megapixels, ")
    assert lines[0].endswith(" 3 pictures, 3 of them different")
    assert lines[1].startswith("out.win: 3 pages of ") and "-> 1 page of" in lines[1]
    with overhaul.open("out.win") as read, overhaul.open("data.win") as before:
        for one, two in zip(read.sprites, before.sprites, strict=True):  # type: ignore[attr-defined]
            assert np.array_equal(np.array(one.frames[0].image), np.array(two.frames[0].image))


def test_repack_as_json_and_over_itself(game: Path, capsys: CapSys) -> None:
    words = ("repack", "data.win", "-o", "data.win", "--json", "--group", "Default")
    code, _, err = run(capsys, *words)
    assert code == 2 and "already exists" in err
    code, out, _ = run(capsys, *words, "--force", "--page-size", "64")
    shown = json.loads(out)
    assert code == 0 and shown["after"]["pages"] == 1 and shown["groups"][0]["group"] == "Default"
    assert Path("data.win.bak").exists()
    code, out, _ = run(capsys, "repack", "data.win", "-o", "again.win")
    assert "kept: packing them again saves no space" in out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--group", "Defalt"), "no texture group named 'Defalt'"),
        (("--page-size", "100"), "expected a power of two"),
        (("--extrude", "9"), "extrude: expected 0 to the padding"),
    ],
)
def test_repack_refuses(game: Path, capsys: CapSys, words: tuple[str, ...], message: str) -> None:
    code, _, err = run(capsys, "repack", "data.win", "-o", "out.win", *words)
    assert code == 2 and message in err and not Path("out.win").exists()


def test_repack_is_for_games(tmp_path: Path, capsys: CapSys) -> None:
    path = tmp_path / "x.txt"
    path.write_text("{}")
    code, _, _ = run(capsys, "repack", str(path), "-o", str(tmp_path / "out"))
    assert code in (2, 3) and not (tmp_path / "out").exists()


def put(folder: Path, name: str, pixels: Any) -> None:
    target = folder / name
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(png.encode(pixels))


def shown(path: str, name: str) -> list[Any]:
    with overhaul.open(path) as game:
        frames = game.sprites[name].frames  # type: ignore[attr-defined]
        return [np.array(frame.image) for frame in frames]


def test_a_folder_of_pictures_becomes_sprites(game: Path, capsys: CapSys) -> None:
    folder = Path("pictures")
    put(folder, "spr_one.png", picture(20, 10, 1))
    put(folder, "spr_four_strip4.png", np.hstack([picture(8, 8, n) for n in range(4)]))
    for number in (2, 10, 1):
        put(folder, f"spr_many/walk_{number}.png", picture(9, 9, number))
    (folder / "notes.txt").write_text("no picture")
    (folder / "empty").mkdir()
    words = ("sprites", "add", "data.win", "pictures", "-o", "new.win", "--origin", "centre")
    code, out, err = run(capsys, *words)
    assert (code, out, err) == (0, "new.win: 3 sprites added, 0 replaced\n", "")
    assert np.array_equal(shown("new.win", "spr_one"), [picture(20, 10, 1)])
    assert np.array_equal(shown("new.win", "spr_four"), [picture(8, 8, n) for n in range(4)])
    assert np.array_equal(shown("new.win", "spr_many"), [picture(9, 9, n) for n in (1, 2, 10)])
    with overhaul.open("new.win") as read:
        assert read.sprites["spr_one"].origin == (10, 5)  # type: ignore[attr-defined]
    put(folder, "spr_one.png", picture(30, 30, 7))
    code, _, err = run(capsys, "sprites", "add", "new.win", "pictures", "-o", "x.win")
    assert code == 2 and "pictures/spr_" in err and "is taken by the sprite" in err
    again = ("sprites", "add", "new.win", "pictures", "-o", "x.win", "--replace", "--json")
    code, out, _ = run(capsys, *again)
    assert json.loads(out) == {
        "path": "x.win",
        "added": [],
        "replaced": ["spr_one"],
    }
    assert np.array_equal(shown("x.win", "spr_one"), [picture(30, 30, 7)])
    with overhaul.open("x.win") as read:
        assert read.sprites["spr_one"].origin == (10, 5)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"spr_a.png": b"\x89PNG\r\n\x1a\n" + bytes(50)}, "spr_a.png"),
        ({"spr_a_strip3.png": png.encode(picture(10, 10))}, "a multiple of 3 pixels wide, got 10"),
        ({"spr_a.gif": b"GIF89a" + bytes(20)}, "spr_a.gif"),
        ({"1st.png": png.encode(picture())}, "1st.png: '1st' is not a valid name"),
        ({"obj_a.png": png.encode(picture())}, "taken by the object"),
        (
            {"spr_a.png": png.encode(picture()), "spr_a_strip1.png": png.encode(picture())},
            "are both for the sprite 'spr_a'",
        ),
        (
            {"spr_a/1.png": png.encode(picture()), "spr_a/2.png": png.encode(picture(9, 9))},
            "2.png: the frames of a sprite are of one size, got 9 x 9 after 16 x 16",
        ),
        ({"spr_a.png": png.encode(np.full((1, 9000, 4), 9, np.uint8))}, "larger than a texture"),
        ({"x.txt": b"x"}, "there are no pictures"),
    ],
)
def test_pictures_that_can_not_be_used(
    game: Path, capsys: CapSys, files: dict[str, bytes], message: str
) -> None:
    folder = Path("pictures")
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    code, out, err = run(capsys, "sprites", "add", "data.win", "pictures", "-o", "new.win")
    assert code in (2, 3) and out == "" and message in err and "Traceback" not in err
    assert not Path("new.win").exists()


def test_sprites_are_saved_and_come_back(game: Path, capsys: CapSys) -> None:
    code, out, _ = run(capsys, "sprites", "save", "data.win", "-o", "strips")
    assert (code, out) == (0, "strips: 3 sprites\n")
    assert sorted(os.listdir("strips")) == [f"spr_{n}_strip1.png" for n in range(3)]
    words = ("sprites", "save", "data.win", "spr_1", "-o", "gifs", "--format", "gif", "--json")
    code, out, _ = run(capsys, *words)
    assert json.loads(out) == {"written": ["gifs/spr_1.gif"], "left": []}
    code, _, err = run(capsys, "sprites", "save", "data.win", "-o", "strips")
    assert code == 2 and "already exists" in err
    code, _, err = run(capsys, "sprites", "save", "data.win", "spr_9", "-o", "strips")
    assert code == 2 and "there is no sprite named 'spr_9'" in err
    code, _, _ = run(capsys, "sprites", "add", "data.win", "strips", "-o", "new.win", "--replace")
    assert code == 0
    for number in range(3):
        assert np.array_equal(shown("new.win", f"spr_{number}"), [picture(seed=number)])


def test_names_of_sprites_stay_in_the_folder(game: Path, capsys: CapSys) -> None:
    with overhaul.open("data.win") as made:
        made.records.sprites[0].name = made.strings.add("../../out")  # type: ignore[attr-defined]
        made.save("bad.win")
    assert run(capsys, "sprites", "save", "bad.win", "-o", "deep/strips")[0] == 0
    assert len(os.listdir("deep/strips")) == 3 and os.listdir("deep") == ["strips"]
