"""What a later process knows of the code of a game: the same as if it read the code again."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

import overhaul
from modded_games import KEEPER, changed, lantern
from overhaul.document import caches
from overhaul.folder.parallel import Workers
from overhaul.folder.texts import search
from overhaul.folder.unpacking import unpack
from overhaul.gamemaker.data.chunks.extn import Extension, ExtensionFile, ExtensionFunction
from overhaul.gamemaker.data.code.decompiling import GameDecompiler
from overhaul.gamemaker.data.code.remembered import digest_of
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data_folder.entry_texts import entry_texts
from overhaul.gml.decompiler.options import PRESETS
from overhaul.gml.syntax.printer import to_source
from small_games import game_of

EDITIONS = ("current", "gms1")


@pytest.fixture(autouse=True)
def folder(with_cache: Path) -> Path:
    return with_cache


def opened(data: bytes) -> GameData:
    game = overhaul.open(data)
    assert isinstance(game, GameData)
    return game


def sources(data: bytes) -> dict[str, str]:
    with opened(data) as game:
        return {entry.name: entry.gml for entry in game.code}


def files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.learned"))


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_second_process_shows_the_same(edition: str, folder: Path) -> None:
    data = lantern(edition)
    with caches.without():
        fresh = sources(data)
        with opened(data) as game:
            game.language.decompiled.learn()
            inferred = game.language.decompiled.inferred
    assert files(folder) == []
    assert sources(data) == fresh
    (file,) = files(folder)
    assert sources(data) == fresh
    assert files(folder) == [file]
    with opened(data) as game:
        assert game.language.decompiled.remembered.inferred == inferred
        for root in game.language.index.roots:
            assert game.language.decompiled.source(root)[0] == fresh[str(root.name)]
        assert game.language.decompiled.inferred == inferred


@pytest.mark.parametrize("edition", EDITIONS)
def test_what_is_known_is_not_read_again(edition: str, monkeypatch: pytest.MonkeyPatch) -> None:
    data = lantern(edition)
    fresh = sources(data)
    with monkeypatch.context() as patch:
        patch.setattr("overhaul.gml.decompiler.Reader.read", _fails)
        assert sources(data) == fresh
    with opened(data) as game:  # types are known, too
        root = game.language.index.roots[0]
        plain = game.language.decompiled.source(root, PRESETS["plain"])
    with caches.without(), opened(data) as game:
        assert (
            game.language.decompiled.source(game.language.index.roots[0], PRESETS["plain"]) == plain
        )


@pytest.mark.parametrize("edition", EDITIONS)
def test_much_code_is_kept_as_text(edition: str, monkeypatch: pytest.MonkeyPatch) -> None:
    data = lantern(edition)
    with caches.without():
        fresh = sources(data)
        monkeypatch.setattr("overhaul.gamemaker.data.code.learning._KEPT", 0)
        assert sources(data) == fresh
        with opened(data) as game:  # trees are made from the code
            root = game.language.index.roots[0]
            assert (
                to_source(game.language.decompiled.tree(root).block, game.language.context.dialect)
                == (fresh[str(root.name)])
            )


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_folder_is_written_without_compiling_again(
    edition: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = lantern(edition)
    with caches.without():
        overhaul.unpack(data, tmp_path / "fresh")
    overhaul.unpack(data, tmp_path / "first")
    monkeypatch.setattr("overhaul.gamemaker.data_folder.code.why_source_differs", _fails)
    monkeypatch.setattr("overhaul.gml.decompiler.Reader.read", _fails)
    overhaul.unpack(data, tmp_path / "second")
    fresh, first, second = (
        {
            path.relative_to(tmp_path / name): path.read_bytes()
            for path in (tmp_path / name).rglob("*")
            if path.is_file()
        }
        for name in ("fresh", "first", "second")
    )
    assert fresh == first == second


def _fails(*_: object) -> None:
    raise AssertionError("the code is read")


def test_a_damaged_file_is_replaced(folder: Path) -> None:
    data = lantern("current")
    fresh = sources(data)
    (file,) = files(folder)
    good = file.read_bytes()
    for bad in (b"", good[:-1], good[:40] + b"x" + good[41:]):
        file.write_bytes(bad)
        assert sources(data) == fresh
        assert sources(data) == fresh
        assert file.read_bytes() == good
    caches.write(file.stem, "learned", b"\x93\x01\x02")  # whole, but of another shape
    assert sources(data) == fresh


def test_a_damaged_file_of_names_is_replaced(folder: Path) -> None:
    data = lantern("current")

    def kept_names() -> list[frozenset[str] | None]:
        with opened(data) as game:
            remembered, roots = game.language.decompiled.remembered, game.language.index.roots
            known = [remembered.names(root) for root in roots]
            for root in roots:
                remembered.keep_names(root, frozenset({"hp", str(root.name)}))
            remembered.save_names()
            return known

    assert {*kept_names()} == {None}
    good = kept_names()
    assert None not in good
    (file,) = folder.glob("*.names")
    for bad in (
        msgspec.msgpack.encode([[b"hp"], {0: [7]}]),  # whole, but a name is not there
        msgspec.msgpack.encode([[b"\xff"], {0: [0]}]),
        msgspec.msgpack.encode([1, 2]),
    ):
        caches.write(file.stem, "names", bad)
        assert {*kept_names()} == {None}
        assert kept_names() == good


def test_each_change_of_the_code_is_another_file(folder: Path) -> None:
    data = lantern("current")
    sources(data)
    other = changed(data, {KEEPER: lambda text: "hits = 1234;\n" + text})
    with caches.without():
        fresh = sources(other)
    assert sources(other) == fresh
    assert len(files(folder)) == 2


def test_names_count_as_code_does() -> None:
    data = lantern("current")
    game = opened(data)
    before = digest_of(game)
    assert digest_of(opened(data)) == before
    game.sprites[0].name = "spr_other"
    assert digest_of(game) != before


def test_the_functions_of_extensions_count_as_code_does() -> None:
    game = game_of("2024.14")
    text = game.strings.add("shout")
    function = ExtensionFunction(text, 1, external_name=text, arguments=[1])
    files = [ExtensionFile(text, text, text, functions=[function])]
    game.records.extensions.append(Extension(text, text, text, text, files=files))
    other = game.strings.add("whisper")
    before = digest_of(game)
    function.arguments.append(2)
    with_two = digest_of(game)
    function.name = other
    assert len({before, with_two, digest_of(game)}) == 3
    function.name, function.arguments = text, [2]  # what arguments are is not in code
    assert digest_of(game) == before


def test_code_that_changes_places_is_other_code() -> None:
    game = opened(lantern("current"))
    before = digest_of(game)
    roots = game.language.index.roots
    one, two = roots[0], roots[1]
    one.bytecode, two.bytecode = two.bytecode, one.bytecode
    assert digest_of(game) != before
    one.bytecode, two.bytecode = two.bytecode, one.bytecode
    assert digest_of(game) == before
    columns = one.bytecode.columns
    columns.value = columns.value.copy()
    columns.value[0] ^= 1
    assert digest_of(game) != before


@pytest.mark.parametrize("edition", EDITIONS)
def test_assigned_code_is_never_answered_from_the_cache(edition: str, folder: Path) -> None:
    data = lantern(edition)
    fresh = sources(data)
    stored = [path.read_bytes() for path in files(folder)]
    with opened(data) as game:
        name = str(game.language.index.roots[0].name)
        assert game.code[name].gml == fresh[name]
        game.code[name].gml = "global.changed = 5;"
        assert game.code[name].gml == "global.changed = 5;"
    assert [path.read_bytes() for path in files(folder)] == stored


def test_games_edited_in_one_process_show_what_they_did_without(folder: Path) -> None:
    """Types are those that were inferred when code was first shown, with the cache and without."""
    data = lantern("current")

    def edited() -> list[str]:
        with opened(data) as game:
            roots = game.language.index.roots
            shown = [game.language.decompiled.source(roots[0])[0]]
            game.language.assign_source(roots[0], "var a = 1; a += 2;\n" + shown[0])
            return shown + [game.language.decompiled.source(root)[0] for root in roots]

    with caches.without():
        fresh = edited()
    sources(data)
    assert edited() == fresh


@pytest.mark.parametrize("edition", EDITIONS)
def test_code_shows_the_texts_of_its_own_game(edition: str, folder: Path) -> None:
    """Two games whose code differs in no instruction, and in one text."""
    data = lantern(edition)
    other = data.replace(b"Thank you for playing.", b"Thank you for nothing.")
    assert other != data
    before = sources(data)
    after = sources(other)
    assert len(files(folder)) == 2
    (name,) = [name for name, text in before.items() if after[name] != text]
    assert after[name] == before[name].replace("for playing.", "for nothing.")
    assert sources(data) == before


@pytest.mark.parametrize("edition", EDITIONS)
def test_what_entries_are_counts_besides_their_code(edition: str) -> None:
    game = opened(lantern(edition))
    before = digest_of(game)
    entry = game.language.index.roots[1]
    for field, other in (
        ("name", f"{entry.name}_other"),
        ("locals_count", entry.locals_count + 1),
        ("arguments", entry.arguments + 1),
    ):
        kept = getattr(entry, field)
        setattr(entry, field, other)
        assert digest_of(game) != before
        setattr(entry, field, kept)
        assert digest_of(game) == before


@pytest.mark.parametrize("edition", EDITIONS)
def test_assigned_code_counts_by_what_it_is(edition: str) -> None:
    """And not by where it lies in memory."""
    before = digest_of(opened(lantern(edition)))
    found = []
    for text in ("lives = 3;", "lives = 4;", "lives = 3;"):
        game = opened(lantern(edition))
        game.language.assign_source(game.language.index.roots[1], text)
        found.append(digest_of(game))
    assert found[0] == found[2]
    assert len({before, *found}) == 3


# -- what other processes decompiled ---------------------------------------------------------------


def saved_scripts(path: Path) -> Path:
    """A game of so many scripts that several processes read them."""
    game = game_of("2024.14")
    for number in range(40):
        game.add_script(f"scr_{number}", f"function scr_{number}(a) {{ return a + {number}; }}")
    game.save(path)
    return path


def by_entries(path: str, game: GameData) -> None:
    texts, _ = entry_texts(Workers(path, game, jobs=2))
    assert len(texts) == len(game.language.index.roots)


def by_search(path: str, game: GameData) -> None:
    matches = list(
        search(Workers(path, game, jobs=2), re.compile("return|nothing"), only=["*.gml"])
    )
    assert len(matches) == 40


def by_unpacking(path: str, game: GameData) -> None:
    del game
    unpack(path, f"{path} unpacked", jobs=2)


@pytest.mark.skipif("linux" not in sys.platform, reason="elsewhere processes inherit nothing")
@pytest.mark.parametrize("reading", [by_entries, by_search, by_unpacking])
def test_sources_that_other_processes_made_are_kept(
    reading: Callable[[str, GameData], None],
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = str(saved_scripts(tmp_path / "game.win"))
    here = os.getpid()
    analyse = GameDecompiler._analyse

    def elsewhere(self: GameDecompiler, *given: Any, **named: Any) -> Any:
        assert os.getpid() != here
        self.code.first.clear()
        return analyse(self, *given, **named)

    with monkeypatch.context() as patch:
        patch.setattr(GameDecompiler, "_analyse", elsewhere)
        patch.setattr(GameDecompiler, "knows", lambda self, root, options: False)
        with GameData.from_bytes(Path(path).read_bytes(), source=path) as game:
            reading(path, game)
    assert len(files(folder)) == 1
    with GameData.from_bytes(Path(path).read_bytes(), source=path) as game:
        remembered = game.language.decompiled.remembered
        sources = [remembered.source(root) for root in game.language.index.roots]
        assert None not in sources
        remembered.inferred = None
        assert sources == [
            game.language.decompiled.source(root) for root in game.language.index.roots
        ]
