"""Random games as authors write them: several rooms that share structs and functions, headers with
parts for other editors, handlers and dialogs that call functions.  Built, made a project again, and
built to the same code."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import ags_built
import ags_games
import overhaul
from ags_authored import Author, game
from ags_habits import Creature
from overhaul import ags
from overhaul.ags import project as ags_project
from overhaul.ags.decompiler.proof import differences
from overhaul.ags.documents.code import HasScripts
from overhaul.ags.project.elements import node
from overhaul.ags.script.model import Script
from overhaul.document.xmltext import XmlFile, XmlNode
from overhaul.errors import OverhaulError
from overhaul.mods import diff

SEEDS = range(200 if os.environ.get("OVERHAUL_FULL") == "1" else 3)
EDITORS = (
    ("3.6.2.12", "3060209"), ("3.5.1.22", "27"), ("3.4.1", "15"), ("3.2.1", "6"),
)  # fmt: skip
ROOMS = 3


def last(file: XmlFile, *tags: str) -> XmlNode:
    """The last element with one of some names."""
    return [element for element in file.root.walk() if element.tag in tags][-1]


def written(
    folder: Path, editor: str, index: str, seed: int, writer: type[Author] = Author
) -> Path:
    """The project of a game."""
    file = ags_built.project(editor, index)
    files, dialogs = game(seed, editor, ROOMS, writer)
    rooms = last(file, "UnloadedRooms", "Rooms")
    for number in range(2, ROOMS + 1):
        rooms.children.append(node("UnloadedRoom", {"Number": number}, editor))
    listed = last(file, "Dialogs")
    listed.children = [
        ags_built.dialog(editor, number, name, lines)
        for number, (name, lines) in enumerate(zip(("dTalk", "dMore"), dialogs, strict=True))
    ]
    project = ags_built.write(folder, file)
    for number in range(2, ROOMS + 1):
        (project / f"room{number}.crm").write_bytes(ags_games.room().to_bytes())
    for name, text in files.items():
        (project / name).write_text(text, encoding="utf-8", newline="\r\n")
    return project


def scripts_of(path: str | Path) -> dict[str, Script]:
    with overhaul.open(path) as document:
        assert isinstance(document, HasScripts)
        return dict(document.compiled_scripts())


@pytest.mark.parametrize("writer", [Author, Creature])
@pytest.mark.parametrize(("editor", "index"), EDITORS)
def test_games_of_several_rooms_come_back(
    tmp_path: Path, editor: str, index: str, writer: type[Author]
) -> None:
    tried = 0
    for seed in SEEDS:
        folder = tmp_path / str(seed)
        project = written(folder / "project", editor, index, seed, writer)
        try:
            first = ags.build(project, folder / "game").path
        except OverhaulError as error:
            assert "it has dynamic arrays" in str(error), seed
            continue
        with overhaul.open(first) as document:
            made = ags_project.convert(document)
            assert made.is_whole, (seed, made.scripts.failed, made.missing)
            # before 3.5 the game has the name of the folder
            ags_project.write_project(made, folder / "again" / "project")
        second = ags.build(folder / "again" / "project", folder / "built").path
        before, after = scripts_of(first), scripts_of(second)
        assert before.keys() == after.keys()
        for name, script in before.items():
            assert list(differences(script, after[name])) == [], (seed, name)
        # tables of imports are others: what the headers declare and no script uses is not there
        others = [one.path for one in diff(first, second).changes if "script" not in one.path]
        assert others == [], seed
        tried += 1
    assert tried
