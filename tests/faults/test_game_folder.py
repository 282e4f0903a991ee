"""Damaged and nonsensical files in a game's folder: a clear error or a sound game, nothing else."""

from __future__ import annotations

import json
import os
import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import overhaul
from modded_games import lantern
from overhaul.errors import OverhaulError
from real_files import corpus_files

#: small games of the corpus that have much of what a folder can hold
REAL = [
    path
    for pattern in ("VVoytec*", "SPowellTho*", "ScottV*")
    for path in corpus_files(f"datawin/{pattern}")
]
FULL = os.environ.get("OVERHAUL_FULL") == "1"
TIMES = 200 if FULL else 15
TIMES_REAL = 200 if FULL else 6
VALUES: list[Any] = [
    None, True, -1, 0, 2**31, -(2**70), 1.5, float("inf"), "", "x", "nan:1", [], {}, [1],
    {"index": 0}, {"a": 1}, [[1]], [None],
]  # fmt: skip


@pytest.fixture(scope="module", params=["gms1", "current", *[path.name for path in REAL]])
def game(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a game, with its originals kept."""
    place = tmp_path_factory.mktemp("game")
    source = next((path for path in REAL if path.name == request.param), place / "data.win")
    if source not in REAL:
        source.write_bytes(lantern(request.param))
    overhaul.unpack(source, place / "folder")
    return place / "folder"


@pytest.mark.parametrize("from_scratch", [False, True], ids=["edited", "from scratch"])
def test_damaged_files(game: Path, from_scratch: bool) -> None:
    chance = random.Random(7)
    files = sorted(path for path in game.rglob("*") if path.is_file() and plain(path, game))
    families: dict[str, list[Path]] = {}
    for path in files:
        families.setdefault(path.relative_to(game).parts[0], []).append(path)
    out = game.with_name("out.win")
    made_here = (game.parent / "data.win").exists()
    for _ in range(TIMES if made_here else TIMES_REAL):
        path = chance.choice(families[chance.choice(sorted(families))])
        good = path.read_bytes()
        damage(path, good, chance)
        try:
            overhaul.pack(game, out, force=True, from_scratch=from_scratch)
            assert overhaul.verify(out).identical, path
        except OverhaulError:
            pass  # what is wrong was said
        finally:
            path.write_bytes(good)


def plain(path: Path, game: Path) -> bool:
    return ".overhaul" not in path.parts and path != game / "overhaul.toml"


def damage(path: Path, data: bytes, chance: random.Random) -> None:
    if path.suffix == ".json" and chance.random() < 0.85:
        path.write_text(json.dumps(mutated(json.loads(data), chance)), "utf-8")
        return
    kind = chance.randrange(4)
    if kind == 0:
        path.unlink()
    elif kind == 1:
        path.write_bytes(data[: chance.randrange(len(data) + 1)])
    else:
        changed = bytearray(data)
        for _ in range(kind):
            if changed:
                changed[chance.randrange(len(changed))] = chance.randrange(256)
        path.write_bytes(bytes(changed))


def mutated(value: Any, chance: random.Random) -> Any:
    """JSON with one place replaced, removed, or with a key more."""
    place = chance.choice(list(places(value)))
    if not place:
        return chance.choice(VALUES)
    holder = value
    for key in place[:-1]:
        holder = holder[key]
    kind = chance.random()
    if kind < 0.2 and isinstance(holder, dict):
        holder[chance.choice(["name", "layer", "details", "x"])] = chance.choice(VALUES)
    elif kind < 0.35:
        del holder[place[-1]]
    else:
        holder[place[-1]] = chance.choice(VALUES)
    return value


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield at
    if isinstance(value, dict):
        for key in value:
            yield from places(value[key], (*at, key))
    elif isinstance(value, list):
        for index in range(min(len(value), 5)):
            yield from places(value[index], (*at, index))


def test_deep_and_endless_json(game: Path, tmp_path: Path) -> None:
    folder = tmp_path / "game"
    shutil.copytree(game, folder)
    target = next((folder / "objects").glob("*/object.json"))
    for text in ("[" * 100_000, '{"a":' * 5000 + "1" + "}" * 5000, "1e999", "\0", "{}" * 9):
        target.write_text(text, "utf-8")
        with pytest.raises(OverhaulError, match=r"object\.json"):
            overhaul.pack(folder, tmp_path / "out.win", force=True)
