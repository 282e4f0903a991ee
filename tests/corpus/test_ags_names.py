"""The law of names on real games and rooms: see ``tests/edit_law/ags_names.py``."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from edit_law.ags_names import Game, cases, judge, sample_of
from overhaul.errors import OverhaulError
from real_files import NO_CORPUS, corpus_files, sample

ROOMS = corpus_files("ags/*/*.crm") + corpus_files("ags2/*.crm")
GAMES = [
    path
    for path in corpus_files("ags/*/*.ags") + corpus_files("ags2/*.ags")
    if path.stat().st_size < 8_000_000
]


@pytest.mark.parametrize(("files", "count"), [(ROOMS, 40), (GAMES, 2)], ids=["rooms", "games"])
def test_no_name_disappears_without_a_word(files: list[Path], count: int) -> None:
    if not files:
        pytest.skip(NO_CORPUS)
    found: Counter[str] = Counter()
    for path in sample(files, count, seed=2):
        try:
            game = Game(path.name, path.read_bytes())
        except OverhaulError:
            continue  # damaged by its makers
        for case in sample_of(cases(game), 1, 2):
            result = judge(game, case)
            assert result.outcome != "silent", (path, result)
            found[result.outcome] += 1
    assert found["refused"] > 3
