"""Code is changed without learning from all of it, where that makes no difference."""

from __future__ import annotations

import random

import pytest

from modded_games import KEEPER, changed, lantern
from overhaul import mods
from overhaul.gamemaker.data.code.decompiling import GameDecompiler
from overhaul.gamemaker.data_folder.code import SourceFile
from overhaul.mods.view import FileView, opened
from real_files import corpus_files, finished, sample

GAMES = sample(finished(corpus_files("datawin*/*.win")), 4, seed=31)


class Learned(Exception):
    """Raised where code is learned from."""


def unlearned(monkeypatch: pytest.MonkeyPatch) -> None:
    def learn(self: GameDecompiler, each: object = None) -> None:
        raise Learned

    monkeypatch.setattr(GameDecompiler, "learn", learn)


def in_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SourceFile, "alone", lambda self: None)


def inserted(line: int) -> mods.Mod:
    def edit(text: str) -> str:
        lines = text.split("\n")
        return "\n".join([*lines[:line], "zz_new = 1;", *lines[line:]])

    return mods.make(lantern(), changed(lantern(), {KEEPER: edit}), name=f"line {line}")


def test_a_line_is_put_in_without_learning(monkeypatch: pytest.MonkeyPatch) -> None:
    mod = inserted(0)
    expected = changed(lantern(), {KEEPER: lambda text: "zz_new = 1;\n" + text})
    with monkeypatch.context() as patch:
        unlearned(patch)
        assert mods.apply(lantern(), [mod]).data == expected
    with monkeypatch.context() as patch:
        in_full(patch)
        assert mods.apply(lantern(), [mod]).data == expected


def test_twice_is_once() -> None:
    mod = inserted(0)
    once = mods.apply(lantern(), [mod]).data
    assert mods.apply(once, [mod]).data == once


def test_two_that_clash_are_reported_as_ever() -> None:
    one = inserted(0)
    two = mods.make(
        lantern(),
        changed(lantern(), {KEEPER: lambda text: "zz_other = 2;\n" + text}),
        name="other",
    )
    (conflict,) = mods.apply(lantern(), [one, two]).conflicts
    assert conflict.path == KEEPER
    assert sorted(conflict.mods) == ["line 0", "other"]
    settled = mods.apply(lantern(), [one, two], prefer=["other"])
    with opened(settled.data) as view:
        assert view.read(KEEPER).startswith(b"zz_other = 2;")


def test_once_all_is_learned_code_is_read_in_full() -> None:
    with opened(lantern()) as view:
        assert view.files[KEEPER].alone() == view.files[KEEPER].read()
        assert view.files[KEEPER].alone() is None
        assert view.files["rooms/rm_cave.json"].alone() is None


def test_source_that_makes_other_code_does_not_stand_only(monkeypatch: pytest.MonkeyPatch) -> None:
    from overhaul.gamemaker.data_folder import code

    monkeypatch.setattr(code, "why_source_differs", lambda *of: "it does")
    with opened(lantern()) as view:
        assert view.files[KEEPER].alone() is None


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem[:30])
def test_real_games_get_the_same_code_either_way(
    path: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = str(path)
    with opened(game) as view:
        entries = _some(view)
        alone = {entry: view.files[entry].alone() for entry in entries}
    assert any(alone.values()) or not entries
    for entry, text in alone.items():
        if text is None:
            continue
        with opened(game) as view:
            made = _edited(view, entry, text)
        with opened(game) as view:
            assert made == _edited(view, entry, view.read(entry)), entry


def _some(view: FileView) -> list[str]:
    entries = sorted(path for path in view.files if path in view.assembly)
    return random.Random(5).sample(entries, min(4, len(entries)))


def _edited(view: FileView, entry: str, text: bytes) -> bytes:
    from overhaul.mods.building import rebuild

    return rebuild(view, {entry: b"zz_new = 1;\n" + text}).data
