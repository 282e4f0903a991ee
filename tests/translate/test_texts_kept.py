"""The texts of a game, extracted again: the same, and no code is read."""

from __future__ import annotations

from pathlib import Path

import pytest

import overhaul
from modded_games import KEEPER, changed, lantern
from overhaul import translate
from overhaul.document import caches
from overhaul.document.registry import load
from overhaul.gamemaker.data.game import GameData
from overhaul.translate.gamemaker import listed
from overhaul.translate.rules import read_rules

EDITIONS = ("current", "gms1")


@pytest.fixture(autouse=True)
def folder(with_cache: Path) -> Path:
    return with_cache


def extracted(data: bytes, rules: str = "") -> str:
    with overhaul.open(data) as game:
        return str(translate.extract(game, rules=read_rules(rules.encode()) if rules else None))


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """One element for each time that texts are found in the code."""
    done: list[str] = []

    def loaded(target: str) -> object:
        done.append(target)
        return load(target)

    monkeypatch.setattr(listed, "load", loaded)
    return done


@pytest.mark.parametrize("edition", EDITIONS)
def test_they_are_the_same(edition: str, found: list[str]) -> None:
    data = lantern(edition)
    with caches.without():
        fresh = extracted(data)
    assert fresh.count("msgid") > 2
    assert extracted(data) == fresh
    assert extracted(data) == fresh
    assert len(found) == 2
    with overhaul.open(data) as game:
        translate.game_files(game)
    assert len(found) == 2
    other = changed(data, {KEEPER: lambda text: 'draw_text(0, 0, "quite new");\n' + text})
    with caches.without():
        fresh = extracted(other)
    assert "quite new" in fresh
    assert extracted(other) == extracted(other) == fresh
    assert len(found) == 4


def test_rules_count(found: list[str]) -> None:
    data = lantern()
    without = extracted(data)
    entry = '[exclude]\nentries = ["*"]'
    assert extracted(data, entry) == extracted(data, entry) != without
    assert len(found) == 2


def test_a_game_that_may_be_edited_is_read(folder: Path, found: list[str]) -> None:
    extracted(lantern())
    with overhaul.open(lantern()) as game:
        assert isinstance(game, GameData)
        game.code["gml_Object_obj_keeper_Step_0"].gml = 'draw_text(0, 0, "quite new");'
        assert "quite new" in str(translate.extract(game))
    assert len(found) == 2
    assert len(list(folder.glob("*.texts"))) == 1


def test_a_damaged_file_is_not_believed(folder: Path, found: list[str]) -> None:
    fresh = extracted(lantern())
    (file,) = folder.glob("*.texts")
    good = file.read_bytes()
    for bad in (b"", good[:-1], good[:40] + b"x" + good[41:]):
        file.write_bytes(bad)
        assert extracted(lantern()) == fresh
        assert file.read_bytes() == good
    values: list[object] = [None, 3, ["", [["", [[1]]]], {}, [], []], [[], [], [], [], [[1]]]]
    for value in values:
        caches.write_value(file.stem, "texts", value)
        assert extracted(lantern()) == fresh
    assert len(found) == 8
