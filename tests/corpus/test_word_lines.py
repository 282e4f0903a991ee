"""The lines with a word, of which only some code is read, are those of the sources."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from overhaul.document import caches
from overhaul.errors import OverhaulError
from overhaul.gamemaker.data.code import needed
from overhaul.gamemaker.data.code.mentions import roots
from overhaul.gamemaker.data.code.spelled import entries_with
from overhaul.gamemaker.data.code.word_lines import lines_in
from overhaul.gamemaker.data.game import GameData
from overhaul.gml.decompiler.wording import finder
from real_files import corpus_files, finished, sample

pytestmark = pytest.mark.corpus

GAMES = finished(corpus_files("datawin*/*.win"))
_WORD = re.compile(r"[A-Za-z0-9_]{2,}")
#: so many words of each game are looked for, so many in a game that was just opened
_WORDS, _AT_ONCE = 24, 4


@pytest.mark.parametrize("path", sample(GAMES, 10), ids=lambda path: path.stem)
def test_lines_with_a_word_are_those_of_the_sources(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(needed, "_MUCH", 0)
    monkeypatch.setattr(needed.Needed, "is_few", lambda self, numbers: True)
    choose = random.Random(path.name)
    data = path.read_bytes()
    with caches.without(), GameData.from_bytes(data) as game:
        if game.is_native or game.record("CODE") is None:
            pytest.skip("native code, or code that can't be read")
        game.language.decompiled.learn()
        sources = {}
        for root in roots(game):
            try:
                sources[str(root.name)] = game.language.decompiled.source(root)[0]
            except OverhaulError:
                sources[str(root.name)] = ""
        strings = [text for text in map(str, game.strings) if _WORD.fullmatch(text)]
        words = sorted(set(strings).union(*map(_WORD.findall, sources.values())))
    for _ in range(_WORDS // _AT_ONCE if words else 0):
        with caches.without(), GameData.from_bytes(data) as game:
            for word in choose.choices(words, k=_AT_ONCE):
                start = choose.randrange(len(word) - 1)
                part = choose.choice((word, word[start:], word.swapcase()))
                _compare(game, part, sources, any_case=part == word.swapcase())


def _compare(game: GameData, word: str, sources: dict[str, str], *, any_case: bool) -> None:
    entries = entries_with(game, word, any_case=any_case)
    if entries is None:
        return
    has = finder(word, any_case)
    found: dict[str, list[tuple[int, str]]] = {}
    for entry, lines in zip(
        entries, lines_in(game, entries, word, any_case=any_case, each=None), strict=True
    ):
        name = str(entry.name)
        if lines is None:
            lines = list(enumerate(sources[name].split("\n"), 1))
        found[name] = [(number, line) for number, line in lines if has(line)]
    for name, source in sources.items():
        having = [(n, line) for n, line in enumerate(source.split("\n"), 1) if has(line)]
        assert having == found.get(name, []), (word, name)
