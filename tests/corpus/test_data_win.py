"""Every data.win of the corpus: identical, nothing opaque, and every pointer understood."""

from __future__ import annotations

import copy
import random
from pathlib import Path
from typing import Any

import pytest

import overhaul
from overhaul.gamemaker.data import GameData
from overhaul.gamemaker.data.chunks.code import CodeEntry
from overhaul.schema import Record
from present import present
from real_files import corpus_files, finished, sample

FILES = corpus_files("datawin*/*.win") + corpus_files("datawin*/side/*.win")
GAMES = finished(FILES)
SOME = sample(GAMES, 6, seed=1)
NAMED = (
    "SPRT", "SOND", "ROOM", "OBJT", "BGND", "FONT", "PATH", "SCPT", "SHDR", "TMLN", "SEQN",
    "ACRV", "CODE",
)  # fmt: skip
MOVED = ("SPRT", "SOND", "ROOM", "OBJT")


def name_of(path: Path) -> str:
    return path.stem


def contents(game: GameData) -> dict[str, Any]:
    """All a game's records, and its strings as text; derived places in the file are left out."""
    game.load_all()
    found: dict[str, Any] = {
        name: slot.record for name, slot in game.chunks.items() if name not in ("STRG", "CODE")
    }
    for chunk in ("VARI", "FUNC"):
        for record in game.named(chunk):
            present(record).first_address = 0
    found["CODE"] = list(game.records.code)
    found["STRG"] = [string.text for string in game.strings]
    return found


def settle(value: object) -> None:
    """Look at every field, so that each holds the entry that its string has now."""
    if isinstance(value, Record):
        for name in value.__struct_fields__:
            settle(getattr(value, name))
    elif isinstance(value, list):
        for each in value:
            settle(each)


def check_equal(first: GameData, second: GameData) -> None:
    mine, theirs = contents(first), contents(second)
    for record in mine.values():
        settle(record)
    assert mine.keys() == theirs.keys()
    for chunk, record in mine.items():
        assert record == theirs[chunk], chunk


def check_written(game: GameData) -> None:
    """The game as written opens without a warning to the same content, and is written so again."""
    data = game.to_bytes()
    again = GameData.from_bytes(data)
    assert again.to_bytes() == data
    assert again.warnings == []
    check_equal(game, again)


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_rebuilt_identically_with_nothing_opaque(path: Path) -> None:
    data = path.read_bytes()
    game = GameData.from_bytes(data)
    assert game.to_bytes() == data
    reported = ["the compiler did not finish" in warning for warning in game.warnings]
    assert reported == [True] * (path not in GAMES)
    coverage = game.coverage()
    assert coverage.opaque == 0
    assert coverage.total == len(data)
    assert all(slot.record is not None for slot in game.chunks.values())


@pytest.mark.parametrize("path", SOME, ids=name_of)
def test_longer_names_and_strings_move_everything(path: Path) -> None:
    game = overhaul.open(path)
    assert isinstance(game, GameData)
    game.load_all()
    renamed: set[int] = set()
    for chunk in NAMED:
        for item in game.named(chunk):
            if item is not None and item.name is not None and item.name.number not in renamed:
                renamed.add(item.name.number)
                item.name.text += "_with_a_longer_name"
    for string in game.strings[::10]:
        if not string.text.startswith("GM"):  # the kind of a track says what it holds
            string.text += " and some more text"
    check_written(game)


@pytest.mark.parametrize("change", ["add", "insert", "remove", "reorder"])
@pytest.mark.parametrize("path", SOME, ids=name_of)
def test_lists_change_and_references_follow(path: Path, change: str) -> None:
    for chunk in MOVED:
        game = overhaul.open(path)
        assert isinstance(game, GameData)
        items = game.named(chunk)
        here = [index for index, item in enumerate(items) if item is not None]
        if len(here) < 2:
            continue
        before = object_sprites(game)
        if change == "remove":
            items.remove(here[len(here) // 2])
        elif change == "reorder":
            order = list(range(len(items)))
            random.Random(1).shuffle(order)
            items.reorder(order)
        else:
            item = copy.copy(items[here[0]])
            item.name = "a_new_one"
            if change == "add":
                items.append(item)
            else:
                items.insert(0, item)
        check_written(game)
        if change != "remove" and chunk != "OBJT":
            assert object_sprites(game) == before


def object_sprites(game: GameData) -> list[tuple[str, str | None]]:
    return [
        (str(item.name), None if item.sprite is None else str(item.sprite.name))
        for item in game.records.objects
        if item is not None and not isinstance(item.sprite, int)
    ]


@pytest.mark.parametrize("change", ["add", "insert", "remove", "reorder"])
@pytest.mark.parametrize("path", SOME, ids=name_of)
def test_code_entries_change(path: Path, change: str) -> None:
    game = overhaul.open(path)
    assert isinstance(game, GameData)
    if game.is_native:
        return
    game.load_all()
    roots = [entry for entry in game.records.code if entry is not None and entry.root is None]
    if not roots:
        pytest.skip("no code in this game")
    if change == "remove":
        game.records.code.remove(roots[len(roots) // 2])
    elif change == "reorder":
        family: dict[int, list[int]] = {}
        for index, entry in enumerate(game.records.code):
            family.setdefault(id(entry and (entry.root or entry)), []).append(index)
        random.Random(1).shuffle(roots)
        game.records.code.reorder([index for root in roots for index in family[id(root)]])
    else:
        first = roots[0]
        entry = CodeEntry(
            game.strings.add("gml_Script_new"),
            first.locals_count,
            first.arguments,
            bytecode=copy.deepcopy(first.bytecode),
            game=game,
        )
        if change == "add":
            game.records.code.append(entry)
        else:
            game.records.code.insert(0, entry)
    check_written(game)


@pytest.mark.parametrize("path", SOME, ids=name_of)
def test_a_new_version_number_is_only_assumed_on_request(path: Path) -> None:
    game = overhaul.open(path)
    assumed = overhaul.open(path, assume_version=game.version)
    assert assumed.version == game.version
    assert assumed.to_bytes() == game.to_bytes()
