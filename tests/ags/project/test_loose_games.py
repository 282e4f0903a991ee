"""Random games of all settings for scripts, with dialogs: built, made projects, and built again."""

from __future__ import annotations

import os
import re
from pathlib import Path
from random import Random

import pytest

import ags_built
import overhaul
from ags_conversations import DIALOGS, OPTIONS, PEOPLE, conversation
from ags_used import settings_of, using
from overhaul import ags
from overhaul.ags import project as ags_project
from overhaul.ags.project.elements import Value, node
from overhaul.ags.project.proving import sees_old_audio
from overhaul.document.xmltext import XmlFile, XmlNode, read_xml, write_xml
from overhaul.errors import OverhaulError
from overhaul.mods import diff

SEEDS = range(200 if os.environ.get("OVERHAUL_FULL") == "1" else 4)
EDITORS = (("3.6.2.12", "3060209"), ("3.6.0.51", "3060020"), ("3.5.1.22", "27"))
_BASE = ags_built.SCRIPTS["GlobalScript.asc"]
#: Commands of dialogs that call what few settings declare.
_OLD = re.compile(r"set-globalint 2 9|play-sound 3")


def last(file: XmlFile, tag: str) -> XmlNode:
    """The last element with a name."""
    return [element for element in file.root.walk() if element.tag == tag][-1]


def written(folder: Path, editor: str, index: str, seed: int) -> Path:
    """A project with random settings, two dialogs, and a script with uses of the library."""
    random = Random(seed)
    settings = settings_of(random, editor)
    file = ags_built.project(
        editor, index,
        EnforceObjectBasedScript=settings.object_based, EnforceNewStrings=settings.new_strings,
        EnforceNewAudio=settings.new_audio,
        UseOldCustomDialogOptionsAPI=not settings.new_dialog_options,
        UseOldKeyboardHandling=not settings.new_keyboard,
        LeftToRightPrecedence=random.random() < 0.5,
    )  # fmt: skip
    people = last(file, "Characters")
    for number, name in enumerate(PEOPLE[1:], start=1):
        people.children.append(ags_built.character(editor, number, name))
    dialogs = last(file, "Dialogs")
    dialogs.children.clear()
    for number, name in enumerate(DIALOGS):
        lines = _OLD.sub("give-score 2", conversation(random).replace("\t", " "))
        dialogs.children.append(ags_built.dialog(editor, number, name, lines))
        options = dialogs.children[-1].children[-1]
        for option in range(2, OPTIONS + 1):
            values: dict[str, Value] = {"ID": option, "Text": "Hello?", "Show": True, "Say": True}
            options.children.append(node("DialogOption", values, editor))
    project = ags_built.write(folder, file)
    (project / "GlobalScript.asc").write_text(_BASE + using(random, settings), newline="\r\n")
    return project


def built(project: Path, folder: Path) -> Path:
    """The game of a project, without the lines of its script that the editor refuses."""
    script = project / "GlobalScript.asc"
    while True:
        try:
            return Path(ags.build(project, folder).path)
        except OverhaulError as error:
            lines = script.read_text().split("\n")
            for finding in sorted(error.findings, key=lambda one: -one.line):
                assert finding.path == str(script), error
                assert finding.line > _BASE.count("\n") + 2, error
                del lines[finding.line - 1]
            script.write_text("\n".join(lines), newline="\r\n")


@pytest.mark.parametrize(("editor", "index"), EDITORS)
def test_games_of_all_settings_come_back(tmp_path: Path, editor: str, index: str) -> None:
    for seed in SEEDS:
        folder = tmp_path / str(seed)
        game = built(written(folder / "project", editor, index, seed), folder / "game")
        with overhaul.open(game) as document:
            made = ags_project.convert(document)
            assert (made.doubts, made.missing) == (0, []), (seed, made.scripts)
            ags_project.write_project(made, folder / "again")
        first, second = (read_xml((folder / name / "Game.agf").read_bytes()).root
                         for name in ("project", "again"))  # fmt: skip
        setting = "Game/Settings/EnforceNewAudio"
        assert first.value(setting) == second.value(setting), seed
        again = ags.build(folder / "again", folder / "built")
        assert [change.path for change in diff(game, again.path).changes] == [], seed


def test_old_functions_of_sounds_are_seen_by_the_places_of_others() -> None:
    project = write_xml(ags_built.project())
    files = {"Game.agf": lambda: project}
    assert not sees_old_audio(files, {})
    assert not sees_old_audio(files, {"no function": 3})
