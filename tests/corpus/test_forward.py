"""Old projects of the corpus as later ones: sound, whole, and with rooms that look the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import overhaul
from overhaul.document.protocol import Document
from overhaul.errors import OverhaulError
from overhaul.gamemaker.classic.documents.project import ProjectDocument
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.forward import forward, project_of
from overhaul.gamemaker.forward.memory import MadeFiles
from overhaul.gamemaker.forward.modern_code import acts_of
from overhaul.gamemaker.ide.document import IdeProjectDocument
from overhaul.gamemaker.ide.values import list_at, read_values
from overhaul.gamemaker.recovery.recovering import Recovered
from overhaul.gml.dialect import Dialect
from overhaul.gml.syntax.parser import parse_all
from real_files import corpus_files, sample

pytestmark = pytest.mark.corpus

CLASSIC = [
    path
    for pattern in ("projects/*.gm*", "projects2/*.gm*", "gm-exe-pairs/*/project/*.gm*")
    for path in corpus_files(pattern)
    if path.suffix.lower() in (".gmd", ".gm6", ".gmk", ".gm81")
]
STUDIO = [
    path
    for pattern in (
        "gmprojects/*/*.project.gmx",
        "gmprojects2/*/project/*.project.gmx",
        "gmprojects2/archives/*/project/*.project.gmx",
        "gmprojects2/archives/*/project/*/*.project.gmx",
    )
    for path in corpus_files(pattern)
]
GAMES = [
    path
    for pattern in ("projects/*.exe", "gm-exe-pairs/*/compiled/*.exe")
    for path in corpus_files(pattern)
]
COMPILED = [
    path
    for folder in ("datawin", "datawin2", "datawin3")
    for path in corpus_files(f"{folder}/*.win")
]
_LATER = Dialect.for_version(17, (2024, 13, 0, 0))
#: The most pixels of a room that is drawn.
_DRAWN = 4_000_000


def opened(found: Recovered) -> IdeProjectDocument:
    data = found.files[found.name]()
    made = IdeProjectDocument.from_bytes(data, source=found.name, siblings=MadeFiles(found.files))
    made.decode()
    assert made.findings == []
    assert made.to_bytes() == data
    return made


def rooms_of(document: Document) -> list[Any]:
    """The rooms in the order of the game."""
    if not isinstance(document, ProjectDocument):
        return list(document.rooms)  # type: ignore[attr-defined]
    by_number = {room.index: room for room in document.rooms}
    ordered = [n for n in dict.fromkeys(document.project.room_order.rooms) if n in by_number]
    return [by_number[n] for n in (*ordered, *(n for n in by_number if n not in ordered))]


def counts(document: Document) -> Counter[str]:
    """Instances, tiles and points; actions of a project of before Studio 2."""
    made: Counter[str] = Counter()
    if isinstance(document, ProjectDocument):
        for room in document.rooms:
            made["instances"] += len(room.instances)
            made["tiles"] += len(room.tiles)
        for line in document.paths:
            made["points"] += len(line.record.points)
        for kind in document.objects:
            for events in kind.record.categories:
                made["actions"] += sum(len(event.actions.actions) for event in events)
        for times in document.timelines:
            made["actions"] += sum(len(each.actions.actions) for each in times.record.moments)
        return made
    assert isinstance(document, IdeProjectDocument)
    for entry in document.entries:
        path = document.path_of(entry)
        if path is not None and path.endswith(".gmx"):
            made += studio_counts(document, path)
        elif path is not None and entry.kind in ("room", "path"):
            made += later_counts(read_values(document.files.read(path).decode("utf-8")))
    return made


def studio_counts(document: IdeProjectDocument, path: str) -> Counter[str]:
    made: Counter[str] = Counter()
    names = {"instance": "instances", "tile": "tiles"}
    root = document.gmx_file(path).root
    for node in root.walk():
        if node.tag in names:
            made[names[node.tag]] += 1
        elif node.tag == "event":
            made["actions"] += len(acts_of(node))
        elif node.tag == "point" and root.tag == "path":
            made["points"] += 1
    return made


def later_counts(value: Any) -> Counter[str]:
    made = Counter(points=len(list_at(value, "points")))
    for layer in list_at(value, "layers"):
        made["instances"] += len(list_at(layer, "instances"))
        made["tiles"] += len(list_at(layer, "assets"))
        tiles = layer.get("tiles") if isinstance(layer, dict) else None
        cells = list_at(tiles, "TileCompressedData")
        made["tiles"] += sum(number >= 0 for number in unpacked(cells))
    return made


def unpacked(cells: Sequence[Any]) -> Iterator[int]:
    at = 0
    while at < len(cells):
        count = cells[at]
        if count < 0:
            yield from [cells[at + 1]] * -count
            at += 2
        else:
            yield from cells[at + 1 : at + 1 + count]
            at += 1 + count


def left_out(found: Recovered) -> bool:
    return any("which is not there" in finding.message for finding in found.findings)


def is_there(document: Document, room: Any) -> bool:
    """Whether the file of a room is there."""
    return not isinstance(document, IdeProjectDocument) or bool(room.is_here)


def check_rooms(document: Document, made: IdeProjectDocument, is_smoothed: bool) -> None:
    """Rooms look the same; of those with smoothed edges or scaled instances nearly."""
    old = [room for room in rooms_of(document) if is_there(document, room)]
    names = {room.name for room in old}
    new = [room for room in made.rooms if len(old) == len(made.rooms) or room.name in names]
    assert len(old) == len(new)
    for before, after in list(zip(old, new, strict=True))[:6]:
        if before.width * before.height > _DRAWN:
            continue
        first, second = (np.asarray(room.image().convert("RGB")) for room in (before, after))
        assert first.shape == second.shape
        differ = int((first != second).any(axis=2).sum())
        assert differ <= (first.size // 40 if is_smoothed else 4), before.name


@pytest.mark.parametrize("path", sample(CLASSIC, 16), ids=lambda path: path.name)
@pytest.mark.parametrize("kind", ["gmx", "yyp"])
def test_classic_projects(path: Path, kind: str) -> None:
    with overhaul.open(path) as document:
        assert isinstance(document, ProjectDocument)
        found = forward(document, kind)
        made = opened(found)
        own, new = counts(document), counts(made)
        for name, count in own.items():
            assert found.tallies[name].total == count, name
        if kind == "yyp":
            assert found.tallies["objects"].total == len(list(document.objects))
            del own["actions"]
        if not left_out(found) and not len(document.project.triggers.slots):
            assert new == own
        is_smoothed = any(
            getattr(resource.record, "smooth_edges", 0)
            for kind_ in (document.sprites, document.backgrounds)
            for resource in kind_
        )
        check_rooms(document, made, is_smoothed)
    if kind == "yyp":
        check_code(found)


@pytest.mark.parametrize("path", sample(STUDIO, 4), ids=lambda path: path.name)
def test_projects_of_studio(path: Path) -> None:
    with overhaul.open(path) as document:
        found = forward(document, "yyp")
        made = opened(found)
        own, new = counts(document), counts(made)
        del own["actions"]
        if not left_out(found):
            assert new == own
        check_rooms(document, made, is_smoothed=False)
    check_code(found)


@pytest.mark.parametrize("path", sample(GAMES, 3), ids=lambda path: path.name)
def test_games(path: Path) -> None:
    try:
        document = overhaul.open(path)
    except OverhaulError:
        pytest.skip("it is no game that is read")
    with document:
        found = forward(document, "yyp")
    opened(found)
    check_code(found)


@pytest.mark.parametrize("path", sample(COMPILED, 4), ids=lambda path: path.name)
def test_compiled_games_of_studio(path: Path) -> None:
    with overhaul.open(path) as document:
        if not isinstance(document, GameData) or document.release.at_least(2):
            pytest.skip("it is no game of Studio 1")
        found = project_of(document, "yyp")
        resources = sum(each.kind in ("sprite", "object", "room") for each in document.tree())
    made = opened(found)
    assert sum(each.kind in ("sprite", "object", "room") for each in made.tree()) >= resources
    check_code(found)


def check_code(found: Recovered) -> None:
    """All code is read by later releases, but for what is reported."""
    reported = {finding.path for finding in found.findings if finding.code == "syntax"}
    for path, read in found.files.items():
        if path.endswith(".gml") and path not in reported:
            _, problems = parse_all(read().decode("utf-8"), _LATER)
            assert problems.found == [], path
