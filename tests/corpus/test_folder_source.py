"""Games from their plain files only, code as GML: nothing is kept of the original."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import overhaul
from overhaul.gamemaker.data.game import GameData
from present import opened
from real_files import corpus_files, finished, sample
from same_meaning import differences

GAMES = finished(corpus_files("datawin*/*.win"))


@pytest.mark.parametrize("path", sample(GAMES, 6, seed=3), ids=lambda path: path.stem)
def test_a_folder_with_source_packs_without_the_original(path: Path, tmp_path: Path) -> None:
    folder = tmp_path / "game"
    overhaul.unpack(path, folder)
    kept = tmp_path / "same.win"
    overhaul.pack(folder, kept)
    assert kept.read_bytes() == path.read_bytes()
    shutil.rmtree(folder / ".overhaul")
    made = tmp_path / "new.win"
    overhaul.pack(folder, made)
    with opened(path, GameData) as first, opened(made, GameData) as second:
        found = differences(first, second)
    assert found == []
    assert overhaul.verify(made).identical
