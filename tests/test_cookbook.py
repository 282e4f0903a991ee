"""Every recipe of the cookbook runs on the example game, and does what it says.

Comments in the page say what a recipe leaves: ``makes`` (a file that was not there), ``differs`` (a
game that is not the original, and verifies), ``prints`` (a part of what it prints), ``exits`` (an
exit code other than 0). ``waits`` and ``shell`` are not run: one does not end, the others need git
or a network.
"""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest

import overhaul
from modded_games import lantern
from overhaul.cli import main

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "guide" / "cookbook.md"
CapSys = pytest.CaptureFixture[str]


def recipes() -> dict[str, str]:
    """The text of each recipe, by its title."""
    parts = re.split(r"^### (.+)$", PAGE.read_text("utf-8"), flags=re.M)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def marks(text: str) -> dict[str, str]:
    """The comments of a recipe."""
    return {name: value.strip() for name, value in re.findall(r"<!-- (\w+):? ?(.*?) ?-->", text)}


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the games that recipes take."""
    folder = tmp_path_factory.mktemp("games")
    (folder / "data.win").write_bytes(lantern("current"))
    with overhaul.open_game(folder / "data.win") as game:
        game.objects["obj_keeper"].events["Create_0"].append("lives_left = 3;")
        game.save(folder / "new.win")
    overhaul.unpack(folder / "data.win", folder / "game")
    return folder


def test_there_are_forty() -> None:
    assert len(recipes()) >= 40


@pytest.mark.parametrize("title", recipes())
def test_a_recipe(
    title: str, games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: CapSys
) -> None:
    text = recipes()[title]
    mark = marks(text)
    if mark.keys() & {"waits", "shell"}:
        for line in re.findall(r"^    overhaul (\S+)", text, re.M):
            assert main([line, "--help"]) == 0
        return
    for source in games.iterdir():
        if source.is_dir():
            shutil.copytree(source, tmp_path / source.name)
        else:
            shutil.copy(source, tmp_path)
    if "es.po" in text and "translate" not in text:
        main(["translate", "extract", str(tmp_path / "data.win"), "-o", str(tmp_path / "es.po")])
    monkeypatch.chdir(tmp_path)
    before = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*")}
    capsys.readouterr()
    commands = re.findall(r"^    (overhaul .+)$", text, re.M)
    blocks = re.findall(r"^```python\n(.+?)^```$", text, re.M | re.S)
    assert commands or blocks
    codes = [main(shlex.split(command)[1:]) for command in commands]
    assert set(codes) <= {0, int(mark.get("exits", 0))}, capsys.readouterr().err
    for block in blocks:
        exec(compile(block, str(PAGE), "exec"), {"__name__": "__main__"})
    if "prints" in mark:
        assert mark["prints"] in capsys.readouterr().out
    if "makes" in mark:
        assert mark["makes"] not in before
        assert (tmp_path / mark["makes"]).is_file()
    if "differs" in mark:
        made = tmp_path / mark["differs"]
        assert made.read_bytes() != (tmp_path / "data.win").read_bytes()
        assert overhaul.verify(made).identical
