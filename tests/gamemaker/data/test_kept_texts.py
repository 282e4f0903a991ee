"""The JSON files of a large game come from the cache, and are those of the game."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

import overhaul
from overhaul.document import caches
from overhaul.document.plainfiles import PlainFile, UnpackOptions
from overhaul.examples import write_example
from overhaul.folder.parallel import Workers
from overhaul.folder.texts import TEXTS, Match, search, uses
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data_folder import kept_texts
from overhaul.gamemaker.data_folder.unpacking import plain_files

#: what a search of JSON decodes only for files that are not kept
RECORDS = ("SPRT", "OBJT", "ROOM", "FONT", "PATH")


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, with_cache: Path) -> Path:
    assert with_cache == tmp_path / "cache"
    monkeypatch.setattr(kept_texts, "_MUCH", 0)
    write_example("lantern", tmp_path / "game.win")
    return tmp_path / "game.win"


def found(
    path: Path, pattern: str, only: Sequence[str] = (), jobs: int = 1
) -> tuple[list[Match], list[str]]:
    """The lines, and which records were decoded."""
    with overhaul.open(path) as game:
        assert isinstance(game, GameData)
        workers = Workers(str(path), game, jobs=jobs)
        lines = list(search(workers, re.compile(pattern), only=only))
        return lines, [name for name in RECORDS if game.chunks[name].decoded]


def used(path: Path, name: str) -> list[Match]:
    with overhaul.open(path) as game:
        return list(uses(Workers(str(path), game), name))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("pattern", ["obj_door", "depth", "spr_", "e", r"x.*y", "lantern|door"])
def test_what_is_found_is_the_same_without_a_cache_with_one_and_with_a_damaged_one(
    path: Path, pattern: str
) -> None:
    with caches.without():
        plain, decoded = found(path, pattern)
    assert plain
    assert decoded == [*RECORDS]
    assert found(path, pattern)[0] == plain
    again, decoded = found(path, pattern)
    assert again == plain
    assert decoded == []
    (kept,) = (path.parent / "cache").glob("*.texts")
    kept.write_bytes(kept.read_bytes()[:-9])
    assert found(path, pattern) == (plain, [*RECORDS])
    assert found(path, pattern, jobs=2) == (plain, [])


def test_content_of_another_shape_counts_as_missing(path: Path) -> None:
    plain, _ = found(path, "depth")
    (kept,) = (path.parent / "cache").glob("*.texts")
    caches.write(kept.stem, "texts", b"\x93\x01\x02\x03")
    assert found(path, "depth") == (plain, [*RECORDS])
    assert found(path, "depth") == (plain, [])


@pytest.mark.parametrize("name", ["obj_door", "spr_player", "oil_left", "rm_well", "nothing_so"])
def test_uses_are_the_same(path: Path, name: str) -> None:
    with caches.without():
        plain = used(path, name)
    assert used(path, name) == plain
    assert used(path, name) == plain


@pytest.mark.parametrize("only", [["rooms/*"], ["*.json"], ["strings.csv"], ["code/*", "*.gml"]])
def test_some_files_are_searched(path: Path, only: list[str]) -> None:
    with caches.without():
        plain, _ = found(path, "a", only)
    assert plain
    assert found(path, "a", only)[0] == plain
    assert found(path, "a", only)[0] == plain


def test_code_alone_writes_no_cache(path: Path) -> None:
    found(path, "oil_left", ["code/*", "*.gml"])
    assert list((path.parent / "cache").glob("*.texts")) == []


def test_an_edit_is_found_at_once(path: Path) -> None:
    found(path, "depth")
    with overhaul.open(path) as game:
        assert isinstance(game, GameData)
        game.objects["obj_door"].depth = 12345
        lines = list(search(Workers(b"", game), re.compile("12345"), only=["objects/*"]))
        assert [(line.path, line.text.strip()) for line in lines] == [
            ("objects/obj_door/object.json", '"depth": 12345,')
        ]
        game.save(path, force=True)
    assert [line.path for line in found(path, "12345", ["objects/*"])[0]] == [
        "objects/obj_door/object.json"
    ]


def test_a_small_game_is_not_kept(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_texts, "_MUCH", 1 << 20)
    found(path, "depth")
    assert list((path.parent / "cache").glob("*.texts")) == []


def test_the_files_are_those_that_unpacking_writes_in_its_order(path: Path) -> None:
    options = UnpackOptions(whole=False, code="asm")
    with overhaul.open(path) as game:
        assert isinstance(game, GameData)
        files = plain_files(game, options)
        plain = [(file.path, file.read()) for file in files if file.path.endswith(TEXTS)]
    for _ in range(2):
        with overhaul.open(path) as game:
            assert isinstance(game, GameData)
            made = [(file.path, file.read()) for file in kept_texts.text_files(game, options)]
        assert [file for file in made if file[0].endswith(TEXTS)] == plain


def test_a_game_gets_its_warnings_in_any_case(path: Path) -> None:
    with overhaul.open(path) as game:
        assert isinstance(game, GameData)
        sound = next(iter(game.records.sounds.present()))
        sound.flags, sound.audio = sound.flags & ~0x3, -1
        game.save(path, force=True)
    shown = []
    for _ in range(3):
        with overhaul.open(path) as game:
            list(search(Workers(str(path), game), re.compile("depth"), only=["*.json"]))
            shown.append([str(finding) for finding in game.findings])
    assert len(shown[0]) == 1
    assert shown[1] == shown[2] == shown[0]


def _by_process(game: GameData, paths: list[str]) -> list[bytes]:
    return [f"process {os.getpid()}\n".encode() for _ in paths]


def _reporting(game: GameData, paths: list[str]) -> None:
    return None


def test_other_processes_make_the_texts_that_are_kept(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with caches.without():
        plain, _ = found(path, "e", ["*.json"])
    monkeypatch.setattr(kept_texts, "_PART", 3)
    assert found(path, "e", ["*.json"], jobs=2)[0] == plain
    assert found(path, "e", ["*.json"])[0] == plain
    (kept,) = (path.parent / "cache").glob("*.texts")
    kept.unlink()
    monkeypatch.setattr(kept_texts, "_read_here", _by_process)
    lines, _ = found(path, "process", ["*.json"], jobs=2)
    assert {line.path for line in plain} <= {line.path for line in lines}
    assert f"process {os.getpid()}" not in {line.text for line in lines}
    assert found(path, "process", ["*.json"])[0] == lines


def test_what_decoding_reports_is_found_by_the_process_that_asked(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with caches.without():
        plain, _ = found(path, "e", ["*.json"])
    with overhaul.open(path) as game:
        assert isinstance(game, GameData)

        def reporting() -> bytes:
            game.findings.warn("unusual", "an unusual layout", "OBJT")
            return b"{}"

        kept_texts._listed[game] = {"a.json": PlainFile("a.json", reporting)}
        assert kept_texts._read_here(game, ["a.json"]) is None
    monkeypatch.setattr(kept_texts, "_read_here", _reporting)
    assert found(path, "e", ["*.json"], jobs=2)[0] == plain
