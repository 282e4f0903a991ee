"""Every .gm82 folder of the corpus, and projects of Game Maker 5 to 8.1 as such folders."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

import overhaul
from overhaul.gamemaker.classic import ProjectDocument
from overhaul.gamemaker.forward.memory import MadeFiles
from overhaul.gamemaker.gm82 import Gm82Document, as_gm81, folder_of
from real_files import corpus_files, sample

pytestmark = pytest.mark.corpus

FOLDERS = [path for path in corpus_files("gm82/**/*.gm82") if path.is_file()]
CLASSIC = [
    path
    for pattern in ("projects/*.gm*", "projects2/*.gm*", "gm-exe-pairs/*/project/*.gm*")
    for path in corpus_files(pattern)
    if path.suffix.lower() in (".gmd", ".gm6", ".gmk", ".gm81")
]
#: media that the corpus left out, as they are large
_LEFT_OUT = ("picture is not there", "sound is not there")


@pytest.mark.parametrize("path", FOLDERS, ids=lambda path: path.stem)
def test_every_file_is_written_as_it_was_read(path: Path) -> None:
    with overhaul.open(path) as document:
        assert isinstance(document, Gm82Document)
        document.decode()
        wrong = [str(one) for one in document.findings if one.code in ("unusual", "undeclared")]
        assert wrong == []
        absent = [one for one in document.findings if one.code == "absent-file"]
        assert all(one.message.endswith(_LEFT_OUT) for one in absent)
        assert document.to_bytes() == path.read_bytes()


@pytest.mark.parametrize("path", FOLDERS, ids=lambda path: path.stem)
def test_the_texts_are_the_same_through_gm81(path: Path) -> None:
    with overhaul.open(path) as document:
        assert isinstance(document, Gm82Document)
        document.decode()
        data = as_gm81(document).project.to_bytes()
        absent = {one.path for one in document.findings if one.code == "absent-file"}
        differ = {"settings/settings.txt"} if "settings/loader.bmp" in absent else set()
        lost = {one.path.partition(":")[0] for one in document.findings
                if one.code in ("unsupported", "missing-name")}  # fmt: skip
        made = folder_of(ProjectDocument.from_bytes(data), path.stem)
        names = _names(document)
        compared = 0
        for inner, read in made.files.items():
            folder, _, name = inner.rpartition("/")
            stored = names.get((folder, name[:-4]))
            at = path.parent / (inner if stored is None else f"{folder}/{stored}.gml")
            media = re.sub(r"\.txt$", ".png", inner)
            if at.suffix not in (".txt", ".gml", ".yyd") or inner in lost or media in absent:
                continue
            if at.is_file() and inner not in differ:
                wanted = _numbered(at, folder, names)
                assert read().rstrip(b"\n") == wanted.rstrip(b"\n"), inner
                compared += 1
    assert compared >= len(made.files) // 4


def _names(document: Gm82Document) -> dict[tuple[str, str], str]:
    """The names of instances, by the folder of the room and the number that they get."""
    names = {}
    for slot in document.project.rooms.slots:
        for instance in slot.resource.instances if slot.resource is not None else ():
            name = document.folder.instances[instance.id][0]
            names[f"rooms/{slot.name}", f"{instance.id:08X}"] = name
    return names


def _numbered(path: Path, folder: str, names: dict[tuple[str, str], str]) -> bytes:
    """The bytes of a file with the numbers of instances in the place of their names."""
    data = path.read_bytes()
    if path.name != "instances.txt":
        return data
    numbers = [number for room, number in names if room == folder]
    rows = []
    for row, number in zip(data.decode().splitlines(), numbers, strict=True):
        cells = row.split(",")
        code = path.parent / f"{cells[3]}.gml"
        cells[9:] = [str(int(code.is_file()))]
        cells[3] = number
        rows.append(",".join(cells) + "\n")
    return "".join(rows).encode()


@pytest.mark.parametrize("path", sample(CLASSIC, 12), ids=lambda path: path.name)
def test_old_projects_become_folders_and_come_back(path: Path) -> None:
    with overhaul.open(path) as document:
        made = folder_of(document, "game")
        opened = Gm82Document.from_bytes(
            made.files["game.gm82"](), source="game.gm82", siblings=MadeFiles(made.files)
        )
        opened.decode()
        assert [str(one) for one in opened.findings if one.code == "unusual"] == []
        again = folder_of(ProjectDocument.from_bytes(as_gm81(opened).project.to_bytes()), "game")
        rooms = opened.project.rooms.slots
        ids = [one.id for slot in rooms if slot.resource for one in slot.resource.instances]
        is_renumbered = bool(set(ids) - set(_ids(made.files)))
        paths = [one for one in made.files if not (is_renumbered and one.startswith("rooms/"))]
        assert paths and [one for one in paths if one not in again.files] == []
        assert [one for one in paths if made.files[one]() != again.files[one]()] == []


def _ids(files: Mapping[str, Callable[[], bytes]]) -> Iterator[int]:
    """The names of instances as numbers."""
    for path, read in files.items():
        if path.endswith("/instances.txt"):
            yield from (int(row.split(",")[3], 16) for row in read().decode().splitlines())
