"""Every verb of resources on real games: what is written opens again, and is the game it was but
for the edit; code that named a resource still does.

CI takes some kinds of some games; ``OVERHAUL_FULL=1`` takes a resource of every kind of all.
"""

from __future__ import annotations

import os
import random
import re
import zlib
from array import array
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import overhaul
from overhaul.gamemaker.data import GameData
from overhaul.gamemaker.data.chunks import CHUNKS
from overhaul.gamemaker.data.chunks.code import CodeEntry
from overhaul.gamemaker.data.chunks.txtr import Background
from overhaul.gamemaker.data.code.mentions import code_with, roots
from overhaul.gamemaker.data.code.model import CodeModel
from overhaul.gamemaker.data.references import Reference
from overhaul.gamemaker.data.resources.base import Resource, Resources
from overhaul.gamemaker.data.resources.kinds import Kind, ResourceAttributes
from overhaul.gamemaker.data.resources.users import own_code
from overhaul.gamemaker.data.version import Version
from overhaul.schema import Record, fields_of
from real_files import corpus_files, finished, sample

GAMES = finished(corpus_files("datawin*/*.win"))
SOME = sample(GAMES, 5, seed=9)
FULL = bool(os.environ.get("OVERHAUL_FULL"))
KINDS = [
    name
    for name, value in vars(ResourceAttributes).items()
    if isinstance(value, Kind) and name not in ("code", "tile_sets")
]
#: what follows from the rest, and what a game counts
DERIVED = frozenset(
    (
        *("first_address", "occurrences", "chain_end", "block_size", "uid"),
        *("last_object_id", "last_tile_id"),
    )
)
#: where new things are listed behind the others
GROWS = ("GEN8", "TGIN", "TAGS", "TPAG", "TXTR", "AUDO", "GLOB", "EXTN", "FUNC")
#: what makes a new name: it has no letters, as the words of a function's name tell the decompiler
#: whether it gives numbers or booleans
SUFFIX = "_77001"

Model = dict[str, dict[str, object]]


def name_of(path: Path) -> str:
    return path.stem


def open_game(path: Path) -> GameData:
    game = overhaul.open(path)
    assert isinstance(game, GameData)
    return game


def chosen(path: Path, verb: str) -> Iterator[tuple[str, Resource[Any]]]:
    """Resources of a game, one of each kind (in CI of two kinds), the same ones in each run."""
    rnd = random.Random(zlib.crc32(f"{path.stem} {verb}".encode()))
    game = open_game(path)
    found = {}
    for kind in KINDS:
        resources: Resources[Any] = getattr(game, kind)
        whole = [resource for resource in resources if is_whole(resource)]
        if whole:
            found[kind] = rnd.choice(whole)
    kinds = list(found) if FULL else sorted(rnd.sample(list(found), min(2, len(found))))
    yield from ((kind, found[kind]) for kind in kinds)


def is_whole(resource: Resource[Any]) -> bool:
    """Whether a resource is no function inside a script or of an extension."""
    return resource.chunk != "SCPT" or not resource.name.startswith("gml_")


def shown(value: object, release: Version) -> object:
    """A record as plain values: references by name, code by what is in it."""
    if isinstance(value, Reference):
        target = value.target
        name = getattr(target, "name", None)
        number = None if target is None else value.index
        return f"{value.chunk}:{number if name is None else name}"
    if isinstance(value, CodeEntry):
        root = value.root
        return [str(value.name), value.arguments, value.offset, root and str(root.name)]
    if isinstance(value, Record):
        return {
            each.name: shown(getattr(value, each.name), release)
            for each in fields_of(type(value))
            if each.name not in DERIVED and each.counts is None and each.present(release)
        }
    if isinstance(value, (list, tuple)):
        return [shown(each, release) for each in value]
    if isinstance(value, float):
        return float(np.float32(value))  # as most are stored
    if isinstance(value, (array, memoryview, np.ndarray)):
        return value.tobytes()
    return str(value) if isinstance(value, str) else value


def model_of(game: GameData) -> Model:
    """What a game holds: by chunk, and by name where there are names."""
    game.load_all()
    model: Model = {}
    for name, slot in game.chunks.items():
        if name in ("STRG", "VARI", "AUDO") or slot.record is None:
            continue
        if not CHUNKS[name].items:
            model[name] = {"": shown(slot.record, game.release)}
            continue
        model[name] = {}
        for number, record in enumerate(game.named(name)):
            text = getattr(record, "name", None)
            # emitters are known by their number: many have the same name
            key = str(number if text is None or name == "PSEM" else text)
            model[name][key if key not in model[name] else f"{key} {number}"] = shown(
                record, game.release
            )
    return model


def written(game: GameData) -> GameData:
    """The game as it is written: it opens without a warning, to the same content."""
    data = game.to_bytes()
    again = GameData.from_bytes(data)
    again.load_all()
    assert again.warnings == []
    assert again.to_bytes() == data
    check_same(model_of(again), model_of(game), "")
    return again


def check_same(one: Any, other: Any, place: str) -> None:
    """Two models are equal; the message says where they are not."""
    if isinstance(one, dict) and isinstance(other, dict):
        assert one.keys() == other.keys(), place
        for key, value in one.items():
            check_same(value, other[key], f"{place}.{key}")
    elif isinstance(one, list) and isinstance(other, list):
        assert len(one) == len(other), place
        for number, value in enumerate(one):
            check_same(value, other[number], f"{place}[{number}]")
    else:
        assert one == other, place


def first(value: Any, like: Any) -> Any:
    """A value without what its lists have behind those of another."""
    if isinstance(value, dict) and isinstance(like, dict):
        return {key: first(each, like.get(key)) for key, each in value.items()}
    if isinstance(value, list) and isinstance(like, list):
        return [first(each, old) for each, old in zip(value, like, strict=False)]
    return value


def check_extended(before: Model, after: Model) -> None:
    """All that was there is there, as it was."""
    for chunk, records in before.items():
        for key, record in records.items():
            now = after[chunk].get(key)
            check_same(first(now, record) if chunk in GROWS else now, record, f"{chunk}.{key}")


def texts(game: CodeModel, names: set[str] | None = None) -> dict[str, str]:
    """The source of code, by the names of the entries (None: all)."""
    return {
        str(entry.name): game.language.decompiled.source(entry)[0]
        for entry in roots(game)
        if names is None or str(entry.name) in names
    }


def about(resource: Resource[Any]) -> set[str]:
    """The code that names a resource, or is its own."""
    game, record = resource.game, resource.record
    found = code_with(game, resource.chunk, resource.index, resource.name)
    own = [reference.target for reference in own_code(resource.chunk, record)]
    return {str(entry.name) for entry in (*found, *own) if entry is not None}


def of(path: Path, kind: str) -> tuple[GameData, Any]:
    game = open_game(path)
    return game, getattr(game, kind)


@pytest.mark.parametrize("path", SOME, ids=name_of)
def test_add(path: Path) -> None:
    before = model_of(open_game(path))
    for kind, resource in chosen(path, "add"):
        game, resources = of(path, kind)
        record = type(resource.record)()
        if isinstance(record, Background) and not game.release.at_least(2023, 8):
            record.exported_sprite = 0
        added = resources._add(record, "a_new_one")
        assert added.index == len(resources.records) - 1
        again = written(game)
        after = model_of(again)
        check_extended(before, after)
        assert getattr(again, kind).names()[-1] == "a_new_one"
        assert len(after[resource.chunk]) == len(before[resource.chunk]) + 1


@pytest.mark.parametrize("path", SOME, ids=name_of)
def test_rename(path: Path) -> None:
    before = model_of(open_game(path))
    for kind, resource in chosen(path, "rename"):
        old, new = resource.name, f"{resource.name}{SUFFIX}"
        source = texts(resource.game, about(resource))
        game, resources = of(path, kind)
        resources.rename(resource.index, new)
        again = written(game)
        assert new in getattr(again, kind).names()
        assert old not in getattr(again, kind).names() or kind == "emitters"
        after = restored(model_of(again), new, old)
        if resource.chunk == "SCPT":  # the order of what is called "old" and "old_renamed"
            before_functions = before.get("FUNC", {})
            assert after.pop("FUNC", {}).keys() >= {*before_functions} - {old}
            check_same(after, {key: v for key, v in before.items() if key != "FUNC"}, "")
        else:
            check_same(after, before, "")
        now = {str(entry.name) for entry in roots(again)}
        now = {name for name in now if name.replace(new, old) in source}
        found = {
            name.replace(new, old): text.replace(new, old)
            for name, text in texts(again, now).items()
        }
        for name, text in source.items():
            assert found[name] == text, name


def restored(value: Any, new: str, old: str) -> Any:
    """A model with a name put back."""
    if isinstance(value, dict):
        return {key.replace(new, old): restored(each, new, old) for key, each in value.items()}
    if isinstance(value, list):
        return [restored(each, new, old) for each in value]
    return value.replace(new, old) if isinstance(value, str) else value


@pytest.mark.parametrize("path", SOME, ids=name_of)
def test_remove(path: Path) -> None:
    before = model_of(open_game(path))
    for kind, resource in chosen(path, "remove"):
        game, resources = of(path, kind)
        users = resources[resource.index].users()
        source = texts(resource.game, {str(user.name) for user in users}) if users else {}
        own = about(resource) - source.keys()
        if users:
            data = game.to_bytes()
            with pytest.raises(ValueError, match="used by"):
                if kind == "audio_groups":
                    raise ValueError("used by: audio groups are dissolved")
                resources.remove(resource.index)
            assert game.to_bytes() == data
        try:
            resources.remove(resource.index, force=bool(users))
        except ValueError as error:  # the first audio group, the only texture group
            assert kind in ("audio_groups", "texture_groups")
            assert re.search("stays|no group is left", str(error))
            continue
        again = written(game)
        if kind == "emitters":  # many have the same name
            assert len(getattr(again, kind)) == len(getattr(resource.game, kind)) - 1
            continue
        assert resource.name not in getattr(again, kind).names()
        after = model_of(again)
        assert f"'{resource.chunk}:{resource.name}'" not in repr(after)
        kept = {str(user.name) for user in users}
        for chunk, records in before.items():
            if chunk in (*GROWS, "CODE", "ROOM", "SOND"):
                continue
            for key, record in records.items():
                if record is None:
                    continue
                if key not in kept and (chunk, key) != (resource.chunk, resource.name):
                    assert key in after[chunk] or is_function_of(key, own), (chunk, key)
                    assert after[chunk].get(key, record) == record, (chunk, key)


def is_function_of(name: str, entries: set[str]) -> bool:
    """Whether a script is a function of removed code."""
    return name.startswith("gml_Script_") or name in entries


@pytest.mark.parametrize("path", SOME, ids=name_of)
def test_duplicate(path: Path) -> None:
    before = model_of(open_game(path))
    for kind, resource in chosen(path, "duplicate"):
        new = f"{resource.name}{SUFFIX}"
        own = {str(each.name) for each in own_code(resource.chunk, resource.record)}
        source = texts(resource.game, own)
        game, resources = of(path, kind)
        try:
            resources.duplicate(resource.index, new)
        except ValueError as error:
            assert re.search("can't be there twice", str(error))
            continue
        again = written(game)
        after = model_of(again)
        check_extended(before, after)
        assert new in getattr(again, kind).names()
        found = texts(again, {name.replace(resource.name, new, 1) for name in source})
        for name, text in source.items():
            copy = name.replace(resource.name, new, 1)
            shown = found[copy].replace(new, resource.name)
            # what arguments are is inferred from calls, and nothing calls the copy
            assert same_but_zero(shown, text, "false", "false"), copy


@pytest.mark.parametrize("path", SOME, ids=name_of)
def test_move(path: Path) -> None:
    before = model_of(open_game(path))
    for kind, resource in chosen(path, "move"):
        game, resources = of(path, kind)
        count = len(resources.records)
        if count < 2 or kind == "audio_groups":
            continue
        index = count - 1 if resource.index < count // 2 else 0
        source = texts(resource.game, about(resource))
        names = [str(getattr(record, "name", None)) for record in resources.records]
        names.insert(index, names.pop(resource.index))
        resources.move(resource.index, index)
        again = written(game)
        moved = [str(getattr(record, "name", None)) for record in getattr(again, kind).records]
        assert moved == names
        after = model_of(again)
        for chunk in before.keys() - {"EXTN"}:
            check_same(by_name(after[chunk]), by_name(before[chunk]), chunk)
        old_first = str(getattr(resource._list.items[0], "name", None))
        for name, text in texts(again, set(source)).items():
            assert same_but_zero(text, source[name], names[0], old_first), name


def same_but_zero(text: str, source: str, first: str, old_first: str) -> bool:
    """Whether texts before and after a move are the same, but for what has number 0 now or had it:
    where its kind is only inferred, 0 may mean anything, and is shown as 0 or ``false``."""
    new, old = (re.findall(r"\w+|\W", each) for each in (text, source))
    return len(new) == len(old) and all(
        one == other
        or (one in ("0", "false") and other == first)
        or (other in ("0", "false") and one == old_first)
        for one, other in zip(new, old, strict=True)
    )


def by_name(records: dict[str, object]) -> dict[str, object]:
    """Records without those that only a number tells from others."""
    return {key: value for key, value in records.items() if not re.search(r" |^\d+$", key)}


@pytest.mark.parametrize("path", SOME, ids=name_of)
def test_copy_to_a_game_of_another_version(path: Path) -> None:
    other = random.Random(zlib.crc32(path.stem.encode())).choice(GAMES)
    before = model_of(open_game(other))
    for kind, resource in chosen(path, "copy"):
        game, resources = of(other, kind)
        name = f"{resource.name}_of_another"
        data = game.to_bytes()
        try:
            made = resources.copy_from(resource, name)
        except ValueError as error:
            assert re.search(REFUSED, str(error)), str(error)
            assert game.to_bytes() == data
            continue
        again = written(game)
        check_extended(before, model_of(again))
        assert name in getattr(again, kind).names()
        left = "\n".join(made.warnings)
        if resource.chunk == "OBJT":
            places = made.resource.record.events
            expected = [event for events in resource.record.events for event in events]
            here = sum(len(events) for events in places)
            assert here == len(expected) or "left out" in left or "no such event" in left
        check_copied = CHECKS.get(resource.chunk)
        if check_copied is not None:
            check_copied(again, resource, name)


REFUSED = "since GameMaker 2|has no |function of an extension|no code to copy|already|can't|plays"


def check_sprite(again: GameData, original: Resource[Any], name: str) -> None:
    copy = again.records.sprites[name]
    for mine, theirs in zip(copy.textures, original.record.textures, strict=True):
        if theirs is not None:
            assert np.array_equal(np.asarray(mine.image), np.asarray(theirs.image))


def check_sound(again: GameData, original: Resource[Any], name: str) -> None:
    data = original.game.audio_files.files.bytes_of(original.record)
    if data is not None and not again.records.sounds[name].group:
        assert again.sound_bytes(name) == bytes(data)


def check_room(again: GameData, original: Resource[Any], name: str) -> None:
    copy, old = again.records.rooms[name], original.record
    assert [str(instance.object.name) for instance in copy.instances] == [
        str(instance.object.name) for instance in old.instances if instance.object is not None
    ]
    ids = [instance.id for room in again.records.rooms.present() for instance in room.instances]
    assert len({instance.id for instance in copy.instances}) == len(copy.instances)
    assert all(ids.count(instance.id) == 1 for instance in copy.instances)


CHECKS: dict[str, Callable[[GameData, Resource[Any], str], None]] = {
    "SPRT": check_sprite,
    "SOND": check_sound,
    "ROOM": check_room,
}
