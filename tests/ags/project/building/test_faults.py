"""Damaged projects: each is built or refused with an error that names a file, and nothing else."""

from __future__ import annotations

import os
import random
import re
from pathlib import Path

import pytest

import ags_built
import overhaul
from overhaul import ags
from overhaul.ags import project as ags_project
from overhaul.errors import OverhaulError

TIMES = 1000 if os.environ.get("OVERHAUL_FULL") == "1" else 16
_ELEMENT = re.compile(rb"<(\w+)[^<>]*>([^<>]*)</\1>")
_VALUES = (
    *b"-1 99999999999999999999 abc 1e999 &#0; \xff ../x 65536 1,2,3,4 <b/>".split(),
    b"",
    b"x" * 70_000,
)
_TOKENS = (
    *b'struct { } ( [ ] ; " #ifdef /* import 9999999999 new extends case \xe9 :: \0'.split(),
    b"#define X X\r\n",
)


def damaged(name: str, data: bytes, chance: random.Random) -> bytes:
    """A file of a project with one thing wrong."""
    at = chance.randrange(len(data) + 1)
    if chance.random() < 0.1:
        return data[:at]
    if name == "Game.agf":
        element = chance.choice(list(_ELEMENT.finditer(data)))
        start, end = element.span(2) if chance.random() < 0.7 else element.span()
        return data[:start] + chance.choice(_VALUES) + data[end:]
    if name.endswith((".asc", ".ash", ".trs")):
        return data[:at] + chance.choice(_TOKENS) + data[at + chance.randrange(3) :]
    return data[:at] + bytes([chance.randrange(256)]) + data[at + 1 :]


def test_a_value_that_game_data_has_no_room_for_is_one_of_the_project(tmp_path: Path) -> None:
    project = ags_built.write(tmp_path / "project", ags_built.project())
    path = project / "Game.agf"
    data = path.read_bytes()
    (found,) = re.finditer(rb"<GUIDAsString>([^<>]*)<", data)
    path.write_bytes(data[: found.start(1)] + b"x" * 300 + data[found.end(1) :])
    with pytest.raises(OverhaulError, match=r"Game\.agf.*save.*300 bytes.*40"):
        ags.build(project, tmp_path / "game")


@pytest.mark.parametrize("tag", ["GameFileName", "FileName", "SourceFileName", "Name"])
def test_names_that_no_system_takes_are_refused(tmp_path: Path, tag: str) -> None:
    project = ags_built.write(tmp_path / "project", ags_built.project())
    path = project / "Game.agf"
    data, name = path.read_bytes(), b"<%b>%b</%b>" % (tag.encode(), b"x" * 300, tag.encode())
    found = list(re.finditer(rb"<%b>[^<>]*</%b>" % (tag.encode(), tag.encode()), data))
    refused = 0
    for each in found:
        path.write_bytes(data[: each.start()] + name + data[each.end() :])
        try:
            ags.build(project, tmp_path / "game", force=True)
        except OverhaulError as error:
            refused += "x" * 300 in str(error) or "more than 180 bytes" in str(error)
    assert refused or tag == "SourceFileName"  # a clip may lack its source


@pytest.mark.parametrize(("editor", "index"), [("3.6.2.12", "3060209"), ("3.4.1", "15")])
def test_damaged_projects(tmp_path: Path, editor: str, index: str) -> None:
    project = ags_built.write(tmp_path / "project", ags_built.project(editor, index))
    files = {path: path.read_bytes() for path in sorted(project.rglob("*")) if path.is_file()}
    chance = random.Random(43)
    refused = 0
    for _ in range(TIMES):
        path = project / "Game.agf" if chance.random() < 0.4 else chance.choice(list(files))
        path.write_bytes(damaged(path.name, files[path], chance))
        try:
            ags.build(project, tmp_path / "game", force=True)
        except OverhaulError as error:
            refused += 1
            assert re.search(r"\.(agf|asc|ash|crm|spr|trs|ogg|wfn)\b", str(error), re.I), error
        path.write_bytes(files[path])
    assert 0 < refused < TIMES


def test_damaged_games_become_projects_or_are_refused(tmp_path: Path) -> None:
    project = ags_built.write(tmp_path / "project", ags_built.project())
    game = Path(ags.build(project, tmp_path / "game").path).read_bytes()
    chance = random.Random(44)
    made = 0
    for _ in range(TIMES):
        broken = bytearray(game)
        for _ in range(chance.choice((1, 1, 2, 5))):
            broken[chance.randrange(len(game))] = chance.choice((0, 1, 127, 128, 255))
        try:
            with overhaul.open(bytes(broken)) as document:
                made += bool(ags_project.convert(document).files["Game.agf"]())
        except OverhaulError:
            continue
    assert made > 0
