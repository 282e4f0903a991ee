"""Projects of the editor: files of authors read and written, games converted and compiled again."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest

import overhaul
from overhaul import mods
from overhaul.ags import compile_project
from overhaul.ags.decompiler.proof import differences
from overhaul.ags.documents.code import HasScripts
from overhaul.ags.project.converting import convert, write_project
from overhaul.ags.script.model import read_script
from overhaul.document.reading import open_data
from overhaul.document.xmltext import read_xml, write_xml
from overhaul.errors import OverhaulError
from real_files import NO_CORPUS, corpus_files, corpus_folder, sample

PROJECTS = corpus_files("ags*/**/*.agf") + corpus_files("ags*/**/*.agf.gz")
GAMES = corpus_files("ags*/**/*.ags") + corpus_files("ags*/**/*.exe")


def test_projects_come_back_as_they_were() -> None:
    if not PROJECTS:
        pytest.skip(NO_CORPUS)
    for path in sample(PROJECTS, 20):
        data = path.read_bytes()
        data = gzip.decompress(data) if path.suffix == ".gz" else data
        assert write_xml(read_xml(data)) == data, path


def read_file(path: Path) -> bytes:
    data = path.read_bytes()
    return gzip.decompress(data) if path.suffix == ".gz" else data


def test_projects_are_documents(tmp_path: Path) -> None:
    if not PROJECTS:
        pytest.skip(NO_CORPUS)
    for number, path in enumerate(sample(PROJECTS, 5, seed=4)):
        file, folder = tmp_path / f"{number}.agf", tmp_path / str(number)
        file.write_bytes(read_file(path))
        overhaul.unpack(file, folder)
        overhaul.pack(folder, tmp_path / "again", from_scratch=True, force=True)
        assert (tmp_path / "again").read_bytes() == file.read_bytes(), path
        ego = next(iter(sorted(folder.glob("characters/*.json"))), None)
        if ego is None:
            continue
        ego.write_text(re.sub(r'"RealName": ".*?"', '"RealName": "Edited"', ego.read_text()))
        overhaul.pack(folder, tmp_path / "again", force=True)
        changes = mods.diff(file, tmp_path / "again").changes
        assert [change.path for change in changes] == [ego.relative_to(folder).as_posix()], path


def test_games_are_compared_with_their_projects() -> None:
    root = corpus_folder()
    if root is None:
        pytest.skip(NO_CORPUS)
    same = 0
    for game in sample(sorted(root.glob("ags-pairs/*/compiled/*/game28.dta.gz")), 6, seed=5):
        project = game.parents[2] / "src" / game.parent.name[:8] / "Game.agf.gz"
        if not project.exists():
            continue
        one = open_data(read_file(game), source="game28.dta")
        two = open_data(read_file(project), source="Game.agf")
        difference = mods.diff(one, two)
        assert difference.apart, game
        same += not difference
    assert same


def test_recovered_frames_have_the_sounds_of_the_author() -> None:
    root = corpus_folder()
    if root is None:
        pytest.skip(NO_CORPUS)
    with_sounds = 0
    for folder in sorted(root.glob("ags-projects/*/")):
        project = folder / "project" / "Game.agf"
        games = [*folder.glob("compiled/*.ags"), *folder.glob("compiled/*.exe")]
        for game in games if project.exists() else ():
            with overhaul.open(game) as document:
                made = _sounds(convert(document).files["Game.agf"]())
            author = _sounds(project.read_bytes())
            assert made == author, game
            with_sounds += len(author)
    assert with_sounds


def _sounds(project: bytes) -> dict[tuple[str, int, int], str]:
    """The sounds of the frames that have one."""
    found = {}
    for view in (one for one in read_xml(project).root.walk() if one.tag == "View"):
        loops = [one for one in view.walk() if one.tag == "Loop"]
        for number, loop in enumerate(loops):
            frames = (one for one in loop.walk() if one.tag == "ViewFrame")
            for place, frame in enumerate(frames):
                if int(frame.value("Sound") or 0) > 0:
                    found[view.value("ID"), number, place] = frame.value("Sound")
    return found


def test_recovered_projects_compile(tmp_path: Path) -> None:
    if not GAMES:
        pytest.skip(NO_CORPUS)
    tried = compiled = 0
    for number, path in enumerate(sample(GAMES, 4, seed=2)):
        with overhaul.open(path) as document:
            try:
                made = convert(document)
            except OverhaulError:
                continue  # a game before 3.0, a package of sounds
            folder = tmp_path / str(number)
            write_project(made, folder)
        for script in folder.glob("*.asc"):
            tried += 1
            try:
                compile_project(folder, script)
                compiled += 1
            except OverhaulError:
                continue
    assert compiled == tried


def test_recovered_dialogs_are_those_of_the_game(tmp_path: Path) -> None:
    if not GAMES:
        pytest.skip(NO_CORPUS)
    same = 0
    for number, path in enumerate(sample(GAMES, 6, seed=3)):
        with overhaul.open(path) as document:
            try:
                made = convert(document)
            except OverhaulError:
                continue  # a game before 3.0, a package of sounds
            write_project(made, tmp_path / str(number))
            assert isinstance(document, HasScripts)
            scripts = dict(document.compiled_scripts())
        name = next((name for name in scripts if name.endswith("__DialogScripts.asc")), None)
        if name is not None:
            new = read_script(compile_project(tmp_path / str(number), "__DialogScripts.asc"))[0]
            assert list(differences(scripts[name], new)) == [], path
            same += 1
    assert same
