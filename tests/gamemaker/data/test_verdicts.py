"""A source that compiled to its code in one build is not compiled in the next one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import overhaul
from modded_games import DOOR, KEEPER, changed, lantern
from overhaul.document import caches
from overhaul.gamemaker.data.chunks.code import CodeEntry
from overhaul.gamemaker.data.code import checking, knowledge, verdicts
from overhaul.gamemaker.data.code.language import Language
from overhaul.gamemaker.data.code.plain_names import PlainlyNamed
from overhaul.gamemaker.data.game import GameData
from overhaul.gml.vm.code import Code

EDITIONS = ["current", "gms1"]


@pytest.fixture(autouse=True)
def folder(with_cache: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(knowledge, "_MUCH", 0)
    monkeypatch.setattr(verdicts, "_FEW", 0)
    return with_cache


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The entries whose source was compiled to be checked."""
    names: list[str] = []
    compile_new = Language.compile_new

    def compiling(
        self: Language, root: CodeEntry, source: str, before: Code | None, more: str = ""
    ) -> Code:
        names.append(str(root.name))
        return compile_new(self, root, source, before, more)

    monkeypatch.setattr(Language, "compile_new", compiling)
    yield names


def opened(data: bytes) -> GameData:
    game = overhaul.open(data)
    assert isinstance(game, GameData)
    return game


def stem(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(".gml")


@pytest.mark.parametrize("edition", EDITIONS)
def test_only_changed_code_of_another_build_is_compiled(
    edition: str, tmp_path: Path, compiled: list[str]
) -> None:
    first = lantern(edition)
    with caches.without():
        second = changed(first, {KEEPER: lambda text: f"zz = 1;\n{text}"})
        overhaul.unpack(second, tmp_path / "fresh")
    del compiled[:]
    overhaul.unpack(first, tmp_path / "first")
    assert len(compiled) > 10
    del compiled[:]
    overhaul.unpack(second, tmp_path / "second")
    assert stem(KEEPER) in compiled and len(compiled) <= 3  # and what named two things in one way
    fresh, made = (
        {
            str(path.relative_to(tmp_path / name)): path.read_bytes()
            for path in (tmp_path / name).rglob("*")
            if path.is_file() and ".overhaul/original" not in path.as_posix()
        }
        for name in ("fresh", "second")
    )
    assert fresh == made
    del compiled[:]
    overhaul.verify(second, code=True)
    assert len(compiled) <= 3


def test_another_source_or_another_name_counts(compiled: list[str]) -> None:
    data = lantern("current")
    with opened(data) as game:
        root = game.code[stem(DOOR)].record
        source = game.language.decompiled.source(root)[0]
        assert checking.difference(game, root, source) is None
        game.note_check(stem(DOOR), None, (source, []))
    with opened(data) as game:
        root = game.code[stem(DOOR)].record
        del compiled[:]
        assert checking.difference(game, root, source) is None
        assert compiled == []
        assert checking.difference(game, root, f"{source}\nzz = 2;") is not None
        assert compiled == [stem(DOOR)]
        game.code[stem(DOOR)].gml = f"zz = 1;\n{source}"
        assert game.language.decompiled.verdicts is None
    with opened(data) as game:
        game.records.sprites["spr_wall"].name = game.strings.add("spr_stone")
        renamed = game.to_bytes()
    with opened(renamed) as game:
        del compiled[:]
        root = game.code[stem(DOOR)].record
        assert checking.difference(game, root, source) is None
        assert compiled == [stem(DOOR)]


def test_a_few_sources_are_compiled(
    compiled: list[str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = lantern("gms1")
    for few, kept, read in ((1, False, True), (0, True, True), (1, True, True), (0, True, False)):
        monkeypatch.setattr(verdicts, "_FEW", few)
        with opened(data) as game:
            source = game.code[stem(DOOR)].gml
            assert checking.difference(game, game.code[stem(DOOR)].record, source) is None
            game.note_check(stem(DOOR), None, (source, []))
        assert bool([*folder.glob("*.compiled")]) is kept
        assert bool(compiled) is read
        del compiled[:]


def test_a_failure_is_not_kept(folder: Path) -> None:
    with opened(lantern("current")) as game:
        game.note_check(stem(DOOR), "it differs", ("a = 1;", []))
    assert [*folder.glob("*.compiled")] == []


def test_a_damaged_file_is_not_believed(folder: Path, compiled: list[str]) -> None:
    data = lantern("gms1")
    with opened(data) as game:
        source = game.code[stem(DOOR)].gml
        game.note_check(stem(DOOR), None, (source, []))
    (file,) = folder.glob("*.compiled")
    assert verdicts._SIZE <= file.stat().st_size < 3 * verdicts._SIZE + 20
    file.write_bytes(file.read_bytes()[:-1])
    with opened(data) as game:
        assert checking.difference(game, game.code[stem(DOOR)].record, source) is None
    assert compiled == [stem(DOOR)]


def test_code_that_names_two_things_in_one_way_is_not_kept() -> None:
    game = opened(lantern("current"))
    index, context = game.language.index, game.language.context
    plain = PlainlyNamed(game, context, index)
    assert all(root in plain for root in index.roots)
    root = next(root for root in index.roots if len(np.unique(root.bytecode.record)) > 3)
    used = np.unique(root.bytecode.record[root.bytecode.record >= 0])
    variables = [number for number in used.tolist() if number < len(game.variables.items)]
    first, second = (game.variables.items[number] for number in variables[:2])
    assert first is not None and second is not None
    second.name, second.instance_type = first.name, first.instance_type
    game.language.forget()
    assert root not in PlainlyNamed(game, game.language.context, game.language.index)
    assert made_verdicts(game)._key(root, "x = 1;") is None


def made_verdicts(game: GameData) -> verdicts.Verdicts:
    made = game.language.decompiled.verdicts
    assert made is not None
    return made
