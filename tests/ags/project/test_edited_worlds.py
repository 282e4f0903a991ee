"""Random edits of random projects: a step warns of what a whole compilation finds, no more."""

from __future__ import annotations

import os
import re
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

import ags_built
from ags_worlds import world
from overhaul.ags.agf.compiling import ProjectCompiler
from overhaul.ags.language.errors import ScriptError
from overhaul.workbench import FileBench
from overhaul.workbench.bench import NothingChanged

SEEDS = range(60 if os.environ.get("OVERHAUL_FULL") == "1" else 2)
EDITORS = (("3.6.2.12", "3060209"), ("3.4.0.16", "13"))
EDITS = 8


def mistaken(folder: Path) -> set[str]:
    """The scripts and headers with errors of a project in a folder."""
    compiler = ProjectCompiler(folder)
    found: set[str] = set()
    for path in sorted(folder.glob("*.asc")):
        try:
            compiler.compile(path)
        except ScriptError as error:
            found.update(each.name for each in error.errors)
    return found


def edited(random: Random, text: str) -> str:
    """A text in which a name has another letter everywhere or once, or a line is gone or moved."""
    lines = text.split("\n")
    names = re.findall(r"\b[A-Za-z]\d_\d+\b", text)
    kind = random.randrange(4)
    if kind < 2 and names:
        name = random.choice(names)
        return re.sub(rf"\b{name}\b", f"x{name}", text, count=kind)
    at = random.randrange(len(lines))
    line = lines.pop(at)
    if kind == 3:
        lines.insert(random.randrange(len(lines) + 1), line)
    return "\n".join(lines)


@pytest.mark.parametrize(("editor", "index"), EDITORS)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_step_warns_of_what_compiling_finds(
    tmp_path: Path, editor: str, index: str, seed: int
) -> None:
    random = Random(seed)
    project = ags_built.write(tmp_path / "project", ags_built.project(editor, index))
    for name, text in world(seed, editor).items():
        (project / name).write_text(text, newline="\r\n")
    assert mistaken(project) == set()
    warned = 0
    with closing(FileBench(str(project / "Game.agf"))) as bench:
        bench.load()
        for _ in range(EDITS):
            path = random.choice([p for p in bench.view.files if p.endswith((".asc", ".ash"))])
            text = bench.view.read(path).decode()
            try:
                step = bench.step({path: edited(random, text).encode()}, "edit")
            except NothingChanged:
                continue
            bench.save()
            found = mistaken(project)
            said = {each.path for each in step.said() if each.code != "missing-name"}
            assert said == found, (seed, path)
            warned += bool(found)
            bench.go(0)
            bench.save()
    assert warned > 0
