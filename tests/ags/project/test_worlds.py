"""Random games of several scripts: built, made a project again, and built to the same code."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import ags_built
import overhaul
from ags_worlds import world
from overhaul import ags
from overhaul.ags import project as ags_project
from overhaul.ags.decompiler.proof import differences
from overhaul.ags.documents.code import HasScripts
from overhaul.ags.script.model import Script

SEEDS = range(200 if os.environ.get("OVERHAUL_FULL") == "1" else 3)
EDITORS = (
    ("3.6.2.12", "3060209"), ("3.6.0.51", "3060020"), ("3.5.1.22", "27"), ("3.4.0.16", "13"),
)  # fmt: skip


def scripts_of(path: str | Path) -> dict[str, Script]:
    with overhaul.open(path) as document:
        assert isinstance(document, HasScripts)
        return dict(document.compiled_scripts())


@pytest.mark.parametrize(("editor", "index"), EDITORS)
def test_scripts_that_share_names_come_back(tmp_path: Path, editor: str, index: str) -> None:
    for seed in SEEDS:
        folder = tmp_path / str(seed)
        project = ags_built.write(folder / "project", ags_built.project(editor, index))
        for name, text in world(seed, editor).items():
            (project / name).write_text(text, newline="\r\n")
        game = ags.build(project, folder / "game")
        with overhaul.open(game.path) as document:
            made = ags_project.convert(document)
            assert made.is_whole, (seed, made.scripts.failed, made.missing)
            ags_project.write_project(made, folder / "again")
        built = ags.build(folder / "again", folder / "built")
        before, after = scripts_of(game.path), scripts_of(built.path)
        assert before.keys() == after.keys()
        for name, script in before.items():
            assert list(differences(script, after[name])) == [], (seed, name)
