"""The official debugger files: rebuilt from the model, and generated from their own sources."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import overhaul
from overhaul.gamemaker.debug.document import DebugFunctionList, LocalsList, PlaceList, SourceList
from overhaul.gamemaker.debug.generate import generate
from real_files import corpus_files, sample
from sourcepairs import Build, builds

#: the share of official pairs that must be found in what is made from the same source
WANTED = 0.95
GAMES = corpus_files("datawin*/*.win")
BUILDS = [build for build in builds() if build.facts.get("yydebug")]


def side(build: Build) -> Path:
    """The debugger file that belongs to a build."""
    found: Path = build.games / "side" / build.facts["yydebug"]
    return found


def pairs(document: Any, number: int) -> set[tuple[int, int]]:
    """The places of the entry with this number."""
    record = document.record(PlaceList)
    entry = record.entries[record.roots[number] if record.roots else number]
    return {(place.bytecode_offset, place.source_offset) for place in entry.places}


@pytest.mark.parametrize("build", BUILDS, ids=lambda build: build.folder.name)
def test_official_files_are_rebuilt(build: Build) -> None:
    document = overhaul.open(side(build))
    assert document.to_bytes() == side(build).read_bytes()
    assert document.coverage().opaque == 0


@pytest.mark.parametrize("build", BUILDS, ids=lambda build: build.folder.name)
def test_made_from_the_same_sources(build: Build) -> None:
    """Where the source compiles to the game's code, the places are the official ones; where all
    sources do, the whole file is, byte for byte."""
    document: Any = overhaul.open(side(build))
    names = [str(entry.name) for entry in build.game.records.code]
    sources = [str(entry.source) for entry in document.record(SourceList).sources]
    lines = [build.definitions, *(f"globalvar {name};" for name in build.facts["globalvars"])]
    enums = {line for source in sources for line in _enums(source)}
    made = generate(
        build.game, dict(zip(names, sources, strict=True)), definitions="\n".join([*lines, *enums])
    )
    given_up = {warning.partition(":")[0] for warning in made.warnings}
    expected = found = 0
    for number, entry in enumerate(build.game.records.code):
        if entry.root is None and str(entry.name) not in given_up:
            mine, theirs = pairs(made, number), pairs(document, number)
            expected += len(theirs)
            found += len(mine & theirs)
    assert expected
    assert found >= WANTED * expected
    if not given_up:
        assert made.to_bytes() == document.to_bytes()


def _enums(source: str) -> list[str]:
    """The enums that a source declares, which the others know too."""
    return re.findall(r"enum\s+\w+\s*\{[^}]*\}", source)


@pytest.mark.parametrize("build", BUILDS, ids=lambda build: build.folder.name)
def test_made_from_decompiled_code(build: Build) -> None:
    official: Any = overhaul.open(side(build))
    made = generate(build.game)
    assert made.warnings == []
    read = overhaul.open(made.to_bytes())
    assert read.to_bytes() == made.to_bytes()
    assert list(made.chunks) == list(official.chunks)


@pytest.mark.parametrize("path", sample(GAMES, 6, seed=5), ids=lambda path: path.stem)
def test_made_for_any_game(path: Path) -> None:
    """Every place is that of an instruction and of a character; the rest agrees with the game."""
    game: Any = overhaul.open(path)
    if game.is_native:
        pytest.skip("no bytecode in this game")
    made: Any = overhaul.open(generate(game).to_bytes())
    entries = list(game.records.code)
    roots = [entry for entry in entries if entry.root is None]
    sources = [str(source.source) for source in made.record(SourceList).sources]
    assert len(sources) == len(entries)
    places = made.record(PlaceList)
    assert len(places.entries) == len(roots)
    for root, entry in zip(roots, places.entries, strict=True):
        rows = root.instructions
        starts = {*rows.offset.tolist(), root.bytecode.size}
        offsets = [place.bytecode_offset for place in entry.places]
        assert set(offsets) <= starts
        assert offsets == sorted(offsets)
        assert len(offsets) == len(set(offsets)) or game.language.context.dialect.every_place
        assert offsets[:1] in ([], [0])
        text = sources[game.records.code.index(root)]
        for place in entry.places:
            assert place.source_offset <= len(text) or place.source_offset == 0xFFFFFFFF
    if made.layout.functions:
        numbers = {id(root): number for number, root in enumerate(roots)}
        assert places.roots == [numbers[id(entry.root or entry)] for entry in entries]
        inner = [entry for entry in entries if entry.root is not None]
        functions = made.record(DebugFunctionList).functions
        assert [entries[function.code_index] for function in functions] == inner
        assert [function.argument_count for function in functions] == [
            e.argument_count for e in inner
        ]
    if game.release.bytecode >= 15:
        mine = made.record(LocalsList).entries
        assert [str(each.name) for each in mine] == [str(root.name) for root in roots]
        for root, each in zip(roots, mine, strict=True):
            listed = game.language.index.local_names(str(root.name)) or []
            if listed:
                assert [str(local.name) for local in each.locals] == listed
