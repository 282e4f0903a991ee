"""The commands about pictures."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import overhaul
from overhaul.cli import main
from small_folders import picture
from small_games import game_of

CapSys = pytest.CaptureFixture[str]


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    made = game_of("2024.14")
    for number in range(3):
        made.sprites.add(f"spr_{number}", [picture(seed=number)])
        assert len(made.textures) == number + 1
    made.save("data.win")
    return tmp_path / "data.win"


def run(capsys: CapSys, *words: str) -> tuple[int, str, str]:
    code = main(list(words))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_repack(game: Path, capsys: CapSys) -> None:
    code, out, err = run(capsys, "repack", "data.win", "-o", "out.win", "--padding", "2")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].startswith("Default (bz2-qoi): 3 pages of 0.00 megapixels, ")
    assert lines[0].endswith(" 3 of 3 pictures differ")
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
    assert "kept: packing them anew wins nothing" in out


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
