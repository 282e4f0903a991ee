"""Every attribute of every kind of resource, in real games: read, set to what it is, changed."""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import Any

import pytest

import overhaul
from overhaul.errors import EncodeError, FormatError
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.resources.base import Resource
from real_files import corpus_files, finished, sample
from surfaces import KINDS, SLOW, Attribute, attributes, others, plain, surfaces

pytestmark = pytest.mark.corpus
#: attributes that are one field in early releases
ALIKE = {
    f"size_{word}_x": {("ParticleEmitter", f"size_{word}_y")}
    for word in ("min", "max", "increase", "wiggle")
}
#: how many resources of a kind are looked at
EACH = 1_000_000 if os.environ.get("OVERHAUL_FULL") == "1" else 25


GAMES = sample(finished(corpus_files("datawin*/*.win")), 10, seed=11)


def opened(path: Path) -> GameData:
    game = overhaul.open(path)
    assert isinstance(game, GameData)
    return game


def chosen(game: GameData, kind: str, seed: str) -> list[Any]:
    found = list(getattr(game, kind))
    if len(found) > EACH:
        found = random.Random(seed).sample(found, EACH)
    return found


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem[:40])
def test_what_is_read_can_be_set(path: Path) -> None:
    game = opened(path)
    before = game.to_bytes()
    read = 0
    for kind in KINDS:
        listed = repr(getattr(game, kind))
        assert max(map(len, listed.splitlines())) < 220
        for resource in chosen(game, kind, path.name):
            for surface in surfaces(resource):
                assert len(repr(surface)) < 200 and "\n" not in repr(surface)
                for attribute in attributes(surface):
                    value = attribute.read() if attribute.name not in SLOW - {"image"} else None
                    read += 1
                    if attribute.settable and attribute.name not in SLOW:
                        setattr(attribute.holder, attribute.name, value)
    assert read or game.is_native or not list(game.objects)
    assert game.to_bytes() == before


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem[:40])
def test_what_is_set_is_what_is_read_again(path: Path) -> None:
    """One attribute of each name is given another value: saved and opened it has that value, and
    nothing else has another."""
    game = opened(path)
    start = game.to_bytes()
    changed: dict[tuple[str, str], tuple[Any, str]] = {}
    touched: dict[str, set[int]] = {kind: set() for kind in KINDS}
    before: dict[tuple[str, int], list[Any]] = {}
    for kind in KINDS:
        resources = chosen(game, kind, path.name)
        random.Random(path.name).shuffle(resources)
        for resource in resources:
            for surface in list(surfaces(resource)):
                for attribute in attributes(surface):
                    if attribute.where in changed or not is_tried(attribute):
                        continue
                    number = resource.index
                    known = before.setdefault((kind, number), seen(resource))
                    value = change(attribute)
                    if value is not None:
                        changed[attribute.where] = (value, f"{kind}[{number}]")
                        touched[kind].add(number)
                        now = seen(resource)
                        before[kind, number] = now
                        expected = {attribute.where} | ALIKE.get(attribute.where[1], set())
                        assert attribute.where in difference(known, now) <= expected
    data = game.to_bytes()
    assert (data == start) == (not changed)
    again = GameData.from_bytes(data)
    assert again.to_bytes() == data
    old = opened(path)
    for kind in KINDS:
        for number in touched[kind]:
            assert seen(getattr(again, kind)[number]) == before[kind, number], (kind, number)
        mine, theirs = getattr(old, kind).records, getattr(again, kind).records
        assert len(mine) == len(theirs)
        for number in range(len(mine)):
            if number not in touched[kind]:
                assert mine[number] == theirs[number], (kind, number)


def is_tried(attribute: Attribute) -> bool:
    if not attribute.settable or attribute.name in SLOW:
        return False
    return attribute.name != "name" or not isinstance(attribute.holder, Resource)


def seen(resource: Any) -> list[tuple[tuple[str, str], Any]]:
    """What can be set in a resource and its parts, with what it is."""
    return [
        (attribute.where, plain(attribute.read()))
        for surface in surfaces(resource)
        for attribute in attributes(surface)
        if is_tried(attribute)
    ]


def difference(one: list[Any], two: list[Any]) -> set[Any]:
    return {mine[0] for mine, theirs in zip(one, two, strict=True) if mine != theirs}


def change(attribute: Attribute) -> Any:
    """Give an attribute another value; None where it can't have one in this game."""
    for value in others(attribute):
        before = plain(attribute.read())
        try:
            setattr(attribute.holder, attribute.name, value)
        except (ValueError, TypeError, EncodeError, FormatError):
            assert plain(attribute.read()) == before
            continue
        if plain(attribute.read()) != before:
            return plain(attribute.read())
    return None
