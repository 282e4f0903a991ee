"""What the cache knows of parts of the code: the same as if they were read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import overhaul
from modded_games import KEEPER, changed, lantern
from overhaul.document import caches
from overhaul.gamemaker.data.chunks.code import CodeEntry
from overhaul.gamemaker.data.code import learning, parts
from overhaul.gamemaker.data.code.parts import CodeParts
from overhaul.gamemaker.data.game import GameData
from overhaul.gml.decompiler import parcels
from overhaul.gml.decompiler.types.facts import GameFacts
from overhaul.gml.decompiler.types.habits import REDUCED
from small_games import game_of

EDITIONS = ("current", "gms1")


@pytest.fixture(autouse=True)
def folder(with_cache: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(learning, "_MUCH", 0)
    monkeypatch.setattr(parts, "_ROOTS", 3)
    return with_cache


def opened(data: bytes) -> GameData:
    game = overhaul.open(data)
    assert isinstance(game, GameData)
    return game


def sources(data: bytes) -> dict[str, str]:
    """The sources of a game whose code no other process wrote down."""
    with opened(data) as game:
        game.language.decompiled.remembered.inferred = None
        made = {entry.name: entry.gml for entry in game.code}
    for file in caches.cache_folder().glob("*.learned"):
        file.unlink()
    return made


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The names of the roots that are read to learn from them."""
    names: list[str] = []
    known = learning.AllCode._read_to_keep

    def reading(self: learning.AllCode, roots: list[CodeEntry]) -> GameFacts:
        names.extend(str(root.name) for root in roots)
        return known(self, roots)

    monkeypatch.setattr(learning.AllCode, "_read_to_keep", reading)
    yield names


@pytest.mark.parametrize("edition", EDITIONS)
def test_another_build_is_read_where_it_changed(edition: str, read: list[str]) -> None:
    first = lantern(edition)
    edit = {KEEPER: lambda text: 'show_debug_message("a new text");\n' + text}
    with caches.without():
        second = changed(first, edit)
        fresh = sources(first), sources(second)
    read.clear()
    assert sources(first) == fresh[0]
    everything = len(read)
    assert len(set(read)) == everything > 4
    read.clear()
    assert sources(first) == fresh[0]
    assert read == []
    assert sources(second) == fresh[1]
    assert "gml_Object_obj_keeper_Step_0" in read
    assert len(read) < everything
    read.clear()
    assert sources(second) == fresh[1]
    assert sources(first) == fresh[0]
    assert read == []


def test_a_name_that_means_something_else_counts(read: list[str]) -> None:
    data = lantern("current")
    sources(data)
    assert read
    with opened(data) as game:
        game.sprites[0].name = "spr_other"
        renamed = game.to_bytes()
    read.clear()
    sources(renamed)
    assert len(read) == len(opened(data).language.index.roots)


@pytest.mark.parametrize("name", ["gml_Object_obj_keeper_Step_0", "gml_Object_obj_door_Step_0"])
def test_texts_of_other_numbers_are_the_same_code(name: str) -> None:
    first = opened(lantern("current"))
    path = f"code/{name}.gml"
    second = opened(changed(lantern("current"), {path: lambda text: "lives = 3;\n" + text}))
    digests = []
    for game in (first, second):
        language = game.language
        found = parts.RootDigests(game, language.context, language.index).of_roots()
        digests.append(dict(zip([str(r.name) for r in language.index.roots], found, strict=True)))
    assert None not in digests[0].values()
    differ = [name for name, digest in digests[0].items() if digests[1][name] != digest]
    assert differ == [name]
    columns = first.language.index.roots[0].bytecode.columns
    columns.value = columns.value.copy()
    columns.value[0] ^= 1
    found = parts.RootDigests(first, first.language.context, first.language.index).of_roots()
    assert found[0] != next(iter(digests[0].values()))


def test_the_numbers_of_texts_do_not_count() -> None:
    """A text that was there before the code has the code's texts behind it."""
    found, counts = [], []
    for text in ("", "before all others"):
        game = game_of("2023.8")
        if text:
            game.strings.append(text)
        game.add_script("hello", 'show_debug_message("hello");')
        language = game.language
        found.append(parts.RootDigests(game, language.context, language.index).of_roots())
        counts.append(len(game.strings))
    assert None not in found[0]
    assert found[0] == found[1]
    assert counts[0] != counts[1]


def test_code_that_names_a_place_in_the_file_is_not_kept() -> None:
    game = opened(lantern("current"))
    language = game.language
    root = next(root for root in language.index.roots if (root.bytecode.record >= 0).any())
    root.bytecode.record = np.full_like(root.bytecode.record, -1)
    digests = parts.RootDigests(game, language.context, language.index)
    assert digests.of_roots()[language.index.roots.index(root)] is None
    known = CodeParts(language.context, language.index, digests, REDUCED)
    part = next(part for part in known.begin(None)
                if part.start <= language.index.roots.index(root) < part.stop)  # fmt: skip
    assert part.digest is None


def test_a_script_by_its_number_may_be_the_number_of_a_text() -> None:
    """Such code is not kept; other resources are known by their numbers alone."""
    for kind, is_kept in ((0, True), (1, True), (5, False)):  # object, sprite, script
        game = game_of("2024.13")
        game.add_script("helper", "function helper() { return 1; }")
        game.add_event("obj_a", "Create_0", "x = obj_a;")
        name = "gml_Object_obj_a_Create_0"
        text = game.code[name].assembly
        assert "pushref.i 0\n" in text
        game.code[name].assembly = text.replace("pushref.i 0\n", f"pushref.i {kind << 24}\n")
        language = game.language
        found = parts.RootDigests(game, language.context, language.index).of_roots()
        digests = dict(zip([str(root.name) for root in language.index.roots], found, strict=True))
        assert (digests[name] is not None) == is_kept


def test_all_ways_of_reading_show_the_same() -> None:
    with opened(lantern("current")) as game:
        made = game.language.decompiled.decompiler.code
        span = (0, len(game.language.index.roots))
        joined = parcels.pack(made.read_joined(span), [])
        kept = parcels.pack(made._read_to_keep(made.roots), [])
        facts, texts = made.read_span(span)
        assert _plain(joined) == _plain(kept) == _plain(parcels.pack(facts, []))
        assert parcels.texts_of(parcels.pack(facts, texts)) != []


def _plain(packed: bytes) -> dict[object, object]:
    facts = parcels.facts_of(packed)
    known: dict[object, object] = {
        location: _values(fact) for location, fact in facts.table.items()
    }
    return known | {name: value for name, value in _values(facts).items() if name != "table"}


def _values(thing: object) -> dict[str, object]:
    """The attributes of an object, which a compiled class does not list."""
    values = {name: getattr(thing, name) for name in dir(thing) if not name.startswith("_")}
    return {name: value for name, value in values.items() if not callable(value)}


def test_a_damaged_file_is_not_believed(folder: Path, read: list[str]) -> None:
    data = lantern("current")
    fresh = sources(data)
    everything = len(read)
    (file,) = folder.glob("*.parts")
    good = file.read_bytes()
    for bad in (good[:-1], good[:40] + b"x" + good[41:]):
        file.write_bytes(bad)
        read.clear()
        assert sources(data) == fresh
        assert len(read) == everything
        assert file.read_bytes() == good
    caches.write(file.stem, "parts", b"\xc1")
    assert sources(data) == fresh


def test_old_builds_go(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "_BUILDS", 1)
    first = lantern("current")
    with caches.without():
        second = changed(first, {KEEPER: lambda text: "lives = 3;\n" + text})
    sources(first)
    (file,) = folder.glob("*.parts")
    before = file.read_bytes()
    sources(second)
    sources(first)
    assert file.read_bytes() == before
