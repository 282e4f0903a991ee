"""The code that may have a word is all the code that has it."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from overhaul.document import caches
from overhaul.errors import OverhaulError
from overhaul.gamemaker.data.code.mentions import roots
from overhaul.gamemaker.data.code.spelled import entries_with
from overhaul.gamemaker.data.game import GameData
from real_files import corpus_files, finished, sample

pytestmark = pytest.mark.corpus

GAMES = finished(corpus_files("datawin*/*.win"))
_WORD = re.compile(r"[A-Za-z0-9_]{2,}")
#: so many words of each game are looked for
_WORDS = 60


@pytest.mark.parametrize("path", sample(GAMES, 10), ids=lambda path: path.stem)
def test_no_source_with_a_word_is_left_out(path: Path) -> None:
    choose = random.Random(path.name)
    with caches.without(), GameData.from_bytes(path.read_bytes()) as game:
        if game.is_native or game.record("CODE") is None:
            pytest.skip("native code, or code that can't be read")
        sources = {}
        for root in roots(game):
            try:
                sources[str(root.name)] = game.language.decompiled.source(root)[0]
            except OverhaulError:
                continue
        words = sorted(set[str]().union(*map(_WORD.findall, sources.values())))
        for word in choose.sample(words, min(_WORDS, len(words))):
            found = entries_with(game, word)
            if found is not None:
                having = {name for name, text in sources.items() if word in text}
                assert having <= {str(entry.name) for entry in found}, word
