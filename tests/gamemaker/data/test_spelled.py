"""Which code may have a word in its source."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import overhaul
from overhaul.examples import write_example
from overhaul.gamemaker.data.code.mentions import roots
from overhaul.gamemaker.data.code.spelled import entries_with
from overhaul.gamemaker.data.game import GameData

_WORD = re.compile(r"[A-Za-z0-9_]{2,}")


@pytest.fixture(scope="module", params=["lantern", "lantern-old"])
def path(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("spelled") / "game.win"
    write_example(str(request.param), made)
    return made


def opened(path: Path) -> GameData:
    game = overhaul.open(path)
    assert isinstance(game, GameData)
    return game


def names(game: GameData, word: str, *, any_case: bool = False) -> list[str] | None:
    found = entries_with(game, word, any_case=any_case)
    return None if found is None else [str(entry.name) for entry in found]


def test_every_word_of_every_source_is_found(path: Path) -> None:
    with opened(path) as game:
        sources = {
            str(entry.name): game.language.decompiled.source(entry)[0] for entry in roots(game)
        }
        words = set[str]().union(*map(_WORD.findall, sources.values()))
        known = 0
        for word in words:
            for part, any_case in ((word, False), (word[1:], False), (word.swapcase(), True)):
                found = names(game, part, any_case=any_case) if len(part) > 1 else None
                if found is not None:
                    known += 1
                    flags = re.IGNORECASE if any_case else 0
                    having = [n for n, text in sources.items() if re.search(part, text, flags)]
                    assert set(having) <= set(found), part
        assert known > 80


def test_few_others_are_found(path: Path) -> None:
    with opened(path) as game:
        sources = {
            str(entry.name): game.language.decompiled.source(entry)[0] for entry in roots(game)
        }
        is_new = game.release.major >= 2  # before, a number may be that of any asset
        for word in ("oil_left", "spr_door_open", "rm_well") if is_new else ("oil_left",):
            having = [name for name, text in sources.items() if word in text]
            assert names(game, word) == having, word
        assert names(game, "qq_nothing") == []


def test_all_code_may_have_a_word_of_the_language(path: Path) -> None:
    with opened(path) as game:
        assert names(game, "self") is None
        assert names(game, "constructo") is None
        game.language.context.macros["MY_MACRO"] = "1"
        game.language.context.enums["Kinds"] = [("first_kind", 0)]
        assert [names(game, word) for word in ("MY_MAC", "Kinds", "first_k")] == [None] * 3


def test_escapes_in_a_text_are_a_part_of_it(path: Path) -> None:
    with opened(path) as game:
        entry = next(iter(roots(game)))
        entry.game.code[str(entry.name)].gml = 'show_debug_message("qq\\nzz_text");'
        assert names(game, "zz_text") == [str(entry.name)]
        assert names(game, "nzz_text") == [str(entry.name)]
        assert names(game, "ZZ_text") == []
        assert names(game, "ZZ_text", any_case=True) == [str(entry.name)]


def test_code_that_changed_is_looked_at_again(path: Path) -> None:
    with opened(path) as game:
        entry = next(iter(roots(game)))
        assert names(game, "zz_new") == []
        game.code[str(entry.name)].gml = "zz_new = 1;"
        assert names(game, "zz_new") == [str(entry.name)]
