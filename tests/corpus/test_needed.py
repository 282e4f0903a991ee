"""The source of one entry, from the code that it needs, is what all code gives."""

from __future__ import annotations

from pathlib import Path

import pytest

from overhaul.document import caches
from overhaul.errors import OverhaulError
from overhaul.gamemaker.data.game import GameData
from real_files import corpus_files, finished, sample

pytestmark = pytest.mark.corpus

GAMES = finished(corpus_files("datawin*/*.win"))
#: of larger games so many entries are read
_ENTRIES = 40


@pytest.mark.parametrize("path", sample(GAMES, 10), ids=lambda path: path.stem)
def test_an_entry_alone_is_what_all_code_gives(path: Path) -> None:
    with caches.without(), GameData.from_bytes(path.read_bytes()) as game:
        try:
            language, decompiler = game.language, game.language.decompiled.decompiler
        except OverhaulError:
            pytest.skip("native code, or code that can't be read")
        needed = decompiler.alone_reader()
        decompiler.needed = None
        roots = language.index.roots
        for root in roots[:: 1 + len(roots) // _ENTRIES]:
            alone = needed.source(root)
            if alone is not None:
                assert (alone.text, alone.problems) == decompiler.source(root), root.name
