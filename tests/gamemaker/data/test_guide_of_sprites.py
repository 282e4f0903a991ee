"""The examples in docs/guide/sprites.md run."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

import overhaul
from small_folders import picture
from small_games import game_of

GUIDE = Path(__file__).resolve().parents[3] / "docs/guide/sprites.md"


def test_the_guide_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    game = game_of("2024.14")
    game.sprites.add("spr_player", [picture(16, 16, 1), picture(16, 16, 2)])
    game.save("data.win")
    os.mkdir("out")
    names: dict[str, object] = {}
    blocks = re.findall(r"```python\n(.*?)```", GUIDE.read_text(), re.S)
    assert len(blocks) == 4
    for block in blocks:
        exec(block, names)
    assert os.path.exists("out/player_strip3.png") and os.path.exists("out/player.apng")
    with overhaul.open("new.win") as read:
        (frame, *others) = read.sprites["spr_new"].frames  # type: ignore[attr-defined]
        assert frame.image.size == (64, 64) and len(others) == 3
