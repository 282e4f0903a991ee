"""Real games: their pages packed again, and sprites added; every picture stays as it was."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest

from overhaul.gamemaker.data.game import GameData
from present import present
from real_files import NO_CORPUS, corpus_files, finished, sample
from small_folders import picture

GAMES = sample(finished([*corpus_files("datawin/*.*"), *corpus_files("datawin2/*.*")]), 12, 7)
GAMES = [path for path in GAMES if path.suffix not in (".tsv", ".md")]

pytestmark = [pytest.mark.corpus, pytest.mark.skipif(not GAMES, reason=NO_CORPUS)]


def pictures(game: GameData) -> list[tuple[tuple[int, ...], bytes] | None]:
    found = []
    for item in game.texture_items:
        pixels = None if item is None else game.pictures.frame(item)
        digest = None if pixels is None else hashlib.blake2b(pixels.tobytes()).digest()
        found.append(None if pixels is None or digest is None else (pixels.shape, digest))
    return found


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.name)
def test_every_picture_is_the_same_on_new_pages(path: Path) -> None:
    game = GameData.from_bytes(path.read_bytes())
    before = pictures(game)
    default = game.repack().total("after").area
    report = game.repack(padding=2)
    data = game.to_bytes()
    read = GameData.from_bytes(data)
    assert read.to_bytes() == data and pictures(read) == before
    assert report.total("before").area == default
    assert report.left == []
    listed = [page.index for group in read.records.texture_groups.present() for page in group.pages]
    assert not listed or sorted(listed) == list(range(len(read.textures)))


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.name)
def test_sprites_are_added_and_painted(path: Path) -> None:
    game = GameData.from_bytes(path.read_bytes())
    if not {"SPRT", "TXTR"} <= game.chunks.keys():
        return
    frames = [picture(21, 17, seed) for seed in range(3)]
    old = next(
        (sprite for sprite in game.sprites if sprite.frames and sprite.frames[0].image), None
    )
    game.sprites.add("spr_added_here", frames, origin=(3, 4))
    painted = np.zeros((1, 1, 4), np.uint8)
    if old is not None:
        painted = np.random.default_rng(1).integers(0, 256, (old.height, old.width, 4), np.uint8)
        old.frames[0].image = painted
    read = GameData.from_bytes(game.to_bytes())
    shown = [np.array(present(f.image)) for f in read.sprites["spr_added_here"].frames]
    assert np.array_equal(shown, frames)
    if old is not None:
        assert np.array_equal(np.array(read.sprites[old.name].frames[0].image), painted)
