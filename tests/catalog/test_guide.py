"""The guide to catalogues runs, line by line."""

from __future__ import annotations

import re
import shlex
import tarfile
from pathlib import Path

import pytest

from cataloged import games, lanterns, zipped
from overhaul.catalog.child import Limits
from overhaul.catalog.tables import SHOWN
from overhaul.cli import main
from overhaul.cli.commands.catalog import build_command

GUIDE = (Path(__file__).resolve().parents[2] / "docs/guide/catalog.md").read_text("utf-8")
#: What needs a store, a cluster, or a browser.
ELSEWHERE = ("s3://", "--dask", "overhaul view")


@pytest.mark.usefixtures("here")
def test_the_guide_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    games(Path("games"))
    Path("game.win").write_bytes(lanterns()[0])
    Path("games.zip").write_bytes(zipped({"a/data.win": lanterns()[1]}))
    with tarfile.open("games.tar", "w") as tar:
        tar.add("games/a.win", "a.win")
    lines = [
        line
        for line in re.findall(r"^    (overhaul .*)$", GUIDE, re.M)
        if not any(part in line for part in ELSEWHERE)
    ]
    assert len(lines) > 12
    for line in lines:
        assert main(shlex.split(line)[1:]) == 0, (line, capsys.readouterr().err)
    program = re.search(r"```python\n(.*?)```", GUIDE, re.S)
    assert program is not None
    said = capsys.readouterr().out
    exec(compile(program[1], "catalog.md", "exec"), {})
    said = capsys.readouterr().out
    assert "gamemaker-data" in said


def test_the_guide_names_every_table() -> None:
    for name in SHOWN:
        assert f"| `{name}` |" in GUIDE


def test_the_defaults_of_the_command_are_those_of_the_library() -> None:
    defaults = {option.name: option.default for option in build_command.params}
    limits = Limits()
    assert defaults["time_limit"] == limits.seconds
    assert defaults["memory_limit"] == limits.memory >> 20
