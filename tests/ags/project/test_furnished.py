"""Random projects with a random value for each element: built, made projects, and built again."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import overhaul
from ags_furnished import EDITORS, LONG, furnished, write
from overhaul import ags
from overhaul.ags import project as ags_project
from overhaul.ags.project.elements import elements
from overhaul.document.xmltext import XmlNode, read_xml
from overhaul.mods import diff

SEEDS = range(100 if os.environ.get("OVERHAUL_FULL") == "1" else 2)
#: What game data does not store, or not of all: the first value is another one in a project that
#: was recovered.
_NOT_STORED = {
    "Character": {"MovementSpeed", "MovementSpeedX", "MovementSpeedY"},
    "MouseCursor": {"Animate", "View", "AnimateOnlyOnHotspots", "AnimateOnlyWhenMoving"},
    "InventoryItem": set[str](),
    "NormalGUI": set[str](),
    "TextWindowGUI": set[str](),
    "GUILabel": {"Locked"},
    "GUIButton": {"Locked", "TextPaddingHorizontal", "TextPaddingVertical"},
    "GUISlider": {"Locked"},
    "GUITextBox": {"Locked"},
    "GUIInventory": {"Locked"},
    "GUIListBox": {"Locked"},
    "Dialog": {"Script"},
    "DialogOption": set[str](),
}


def game_of(folder: Path) -> XmlNode:
    game = read_xml((folder / "Game.agf").read_bytes()).root.find("Game")
    assert game is not None
    return game


@pytest.mark.parametrize(("editor", "index"), EDITORS)
def test_games_with_all_kinds_of_values_come_back(tmp_path: Path, editor: str, index: str) -> None:
    for seed in SEEDS:
        folder = tmp_path / str(seed)
        project = write(folder / "mine", furnished(seed, editor, index))
        built = ags.build(project, folder / "game")
        game = built.path
        with overhaul.open(game) as document:
            made = ags_project.convert(document)
            assert (made.doubts, made.missing) == (0, []), (seed, made.scripts)
            ags_project.write_project(made, folder / "again" / "mine")
        again = ags.build(folder / "again" / "mine", folder / "built").path
        assert [change.path for change in diff(game, again).changes] == [], seed
        shared = "Settings/LegacySpeechAnimationSpeed"
        if editor < "3.3":
            assert (
                len({game_of(path).value(shared) for path in (project, folder / "again" / "mine")})
                == 1
            )
        setups = [folder / name / "acsetup.cfg" for name in ("game", "built")]
        assert setups[0].exists() == (editor >= "3.4.1")
        if setups[0].exists():
            assert setups[0].read_bytes() == setups[1].read_bytes(), seed
        first, second = game_of(project), game_of(folder / "again" / "mine")
        for owner, lost in _NOT_STORED.items():
            kept = [one.name for one in elements(owner, editor) if one.name not in lost]
            before, after = (
                [node for node in root.walk() if node.tag == owner] for root in (first, second)
            )
            assert len(before) == len(after), (seed, owner)
            for one, two in zip(before, after, strict=True):
                said = {name: (one.value(name), two.value(name)) for name in kept}
                differ = {name: pair for name, pair in said.items() if pair[0] != pair[1]}
                for name, (text, short) in list(differ.items()):
                    if text == LONG and any(repr(LONG) in one.message for one in built.findings):
                        assert text.startswith(short), (seed, owner, name)
                        del differ[name]
                assert differ == {}, (seed, owner)
