"""The difference between two files, asked for again: the same, and nothing is compared."""

from __future__ import annotations

from pathlib import Path

import pytest

from modded_games import CAVE, KEEPER, changed, lantern
from overhaul import mods
from overhaul.document import caches, opening
from overhaul.document.registry import load
from overhaul.errors import FormatError
from overhaul.mods import diffing
from overhaul.mods.view import opened


@pytest.fixture
def pair(tmp_path: Path, with_cache: Path) -> tuple[Path, Path]:
    old, new = tmp_path / "old.win", tmp_path / "new.win"
    old.write_bytes(lantern())
    edits = {
        KEEPER: lambda text: "lives = 3;\n" + text,
        CAVE: lambda text: text.replace("320", "640"),
    }
    new.write_bytes(changed(lantern(), edits))
    return old, new


@pytest.fixture
def compared(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """One element for each comparison."""
    done: list[object] = []

    def loaded(target: str) -> object:
        if target == diffing._COMPARE:
            done.append(target)
        return load(target)

    monkeypatch.setattr(diffing, "load", loaded)
    return done


def test_it_is_the_same(pair: tuple[Path, Path], compared: list[object]) -> None:
    with caches.without():
        fresh = mods.diff(*pair)
    assert len(fresh) == 2
    for only in ((), ("rooms/*",)):
        first, second = mods.diff(*pair, only=only), mods.diff(*pair, only=only)
        assert (
            second.changes
            == first.changes
            == [c for c in fresh.changes if not only or "r" in c.path[0]]
        )
        assert (second.old, second.new) == tuple(map(str, pair))
    assert len(compared) == 3
    assert mods.diff(pair[1], pair[0]).changes != fresh.changes
    assert len(compared) == 4


def test_each_edit_is_another_difference(pair: tuple[Path, Path], compared: list[object]) -> None:
    mods.diff(*pair)
    pair[1].write_bytes(changed(lantern(), {KEEPER: lambda text: "lives = 4;\n" + text}))
    (change,) = mods.diff(*pair).changes
    assert "+lives = 4;" in change.lines()
    with caches.without():
        assert mods.diff(*pair).changes == [change]


def test_files_next_to_a_game_count(pair: tuple[Path, Path], compared: list[object]) -> None:
    noting = diffing._Noting(None)
    assert noting.names() == []
    with pytest.raises(FileNotFoundError):
        noting.read("audiogroup1.dat")
    noted = dict(noting.noted)
    assert diffing._Noting(None).has(noted)
    siblings = opening.find_bytes(pair[0]).siblings
    assert not diffing._Noting(siblings).has(noted)
    other = diffing._Noting(siblings)
    assert other.read("new.win") == pair[1].read_bytes()
    noted = dict(other.noted)
    assert diffing._Noting(siblings).has(noted)
    pair[1].write_bytes(b"other")
    assert not diffing._Noting(siblings).has(noted)


def test_a_damaged_file_is_not_believed(
    pair: tuple[Path, Path], with_cache: Path, compared: list[object]
) -> None:
    fresh = mods.diff(*pair)
    (file,) = with_cache.glob("*.differs")
    good = file.read_bytes()
    for bad in (b"", good[:-1], good[:40] + b"x" + good[41:]):
        file.write_bytes(bad)
        assert mods.diff(*pair).changes == fresh.changes
        assert file.read_bytes() == good
    values: list[object] = [None, [1, 2], [[["changed"], [3]], [], []], "abc", [[], [], [{}]]]
    for value in values:
        caches.write_value(file.stem, "differs", value)
        assert mods.diff(*pair).changes == fresh.changes
    assert len(compared) == 9


def test_what_is_no_file_of_a_game_is_not_kept(tmp_path: Path, with_cache: Path) -> None:
    bad = tmp_path / "bad.win"
    bad.write_bytes(b"FORM" + bytes(12))
    with pytest.raises(FormatError):
        mods.diff(bad, bad)
    assert not mods.diff(lantern(), lantern())
    assert not with_cache.exists() or not list(with_cache.glob("*.differs"))


def test_json_that_seems_the_same_has_the_same_bytes() -> None:
    edits = {CAVE: lambda text: text.replace("320", "640")}
    with opened(lantern()) as one, opened(changed(lantern(), edits)) as two:
        seems, differ = set(), set()
        for path, file in one.files.items():
            if file.seems_same(two.files[path]):
                seems.add(path)
                assert file.read() == two.files[path].read()
            elif path.endswith(".json"):
                differ.add(path)
        assert CAVE in differ
        assert len(seems) > 10 > len(differ)
