"""What is written of real projects is read by the npm package @bscotch/yy wherever that read the
original.

``OVERHAUL_NODE`` names a folder where ``npm install @bscotch/yy`` was run; without it, or without
node, this is skipped.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest

import overhaul
from overhaul.errors import FormatError
from overhaul.gamemaker.ide.document import IdeProjectDocument
from overhaul.gamemaker.ide_merge.projects import merge_projects
from overhaul.gamemaker.ide_merge.trees import Tree, tree_of
from overhaul.gamemaker.ide_release import converted_to, named_release
from project_edits import Refused, edits_of
from real_files import NO_CORPUS, corpus_files, sample
from repeats import times

PROJECTS = corpus_files("gmprojects*/**/*.yyp")
#: The schemas of the package that are asked, by the folder of a file; "" only parses.
SCHEMAS = ("sprites", "objects", "rooms", "scripts", "sounds")
#: The releases that projects are made for, in turn.
RELEASES = ("2.3.0", "2.3.7", "2022.3", "2022.9", "2023.11", "2024.2", "2024.13", "2026.0")
SCRIPT = """
import { Yy } from '@bscotch/yy';
let given = '';
for await (const part of process.stdin) given += part;
const said = JSON.parse(given).map(([text, schema]) => {
  const read = [null, schema].map((name) => {
    try { name ? Yy.parse(text, name) : Yy.parse(text); return ''; } catch (error) {
      return String(error).slice(0, 300);
    }
  });
  return read;
});
console.log(JSON.stringify(said));
"""


def read_by_node(folder: Path, rows: list[tuple[str, str]]) -> list[list[str]]:
    """What the package says of texts: of parsing, and of the schema; "" for nothing."""
    done = subprocess.run(
        ["node", "--input-type=module", "-e", SCRIPT], cwd=folder, input=json.dumps(rows),
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[:1000]
    said: list[list[str]] = json.loads(done.stdout)
    return said


def edited(tree: Tree, seed: int) -> Tree:
    project = tree.document()
    for edit in edits_of(tree.document(), seed):
        try:
            edit.on(project)
        except Refused:
            continue
    return tree.changed(project)


@pytest.fixture
def folder() -> Path:
    """The folder of the package."""
    found = Path(os.environ.get("OVERHAUL_NODE", ""))
    if not PROJECTS:
        pytest.skip(NO_CORPUS)
    if shutil.which("node") is None or not (found / "node_modules/@bscotch/yy").is_dir():
        pytest.skip("node with @bscotch/yy is not installed: see OVERHAUL_NODE")
    return found


def schema_of(name: str) -> str:
    kind = "project" if name.endswith(".yyp") else name.partition("/")[0]
    return kind if kind in (*SCHEMAS, "project") else ""


def test_other_releases_are_read(folder: Path) -> None:
    counts: Counter[str] = Counter()
    for number, path in enumerate(sample(PROJECTS, 12)):
        release = RELEASES[number % len(RELEASES)]
        try:
            with overhaul.open(path) as project:
                assert isinstance(project, IdeProjectDocument)
                made = converted_to(project, named_release(release))
                names = [one for one in made.files if one.endswith((".yy", ".yyp"))]
                rows = [
                    (data.decode("utf-8-sig"), schema_of(one))
                    for one in names
                    for data in (project.files.read(one), made.files[one]())
                ]
        except FormatError:  # one that does not open, or is damaged
            continue
        said = read_by_node(folder, rows)
        for row, name in enumerate(names):
            before, after = said[2 * row], said[2 * row + 1]
            for one, other in zip(before, after, strict=True):
                assert one or not other, (path, release, name, other)
                counts["read" if not other else "neither"] += 1
    assert counts["read"] > counts["neither"]


def test_edits_and_merges_are_read(folder: Path) -> None:
    counts: Counter[str] = Counter()
    for seed in range(times(200, 5)):
        path = PROJECTS[seed % len(PROJECTS)]
        try:
            overhaul.open(path).close()
        except FormatError:  # one that does not open
            continue
        base = tree_of(str(path))
        ours, theirs = edited(base, 2 * seed + 1), edited(base, 2 * seed + 2)
        merged = merge_projects(base, ours, theirs)
        if merged.conflicts:
            continue
        names = [one for one in merged.changed if one.endswith((".yy", ".yyp"))
                 and one in merged.tree]  # fmt: skip
        rows = []
        for name in names:
            schema = schema_of(name)
            was = name
            for old, new in merged.renamed.items():
                was = was.replace(f"/{new}/{new}.", f"/{old}/{old}.")
            first = base.read(was) if was in base else b"{}"
            rows += [(data.decode("utf-8-sig"), schema) for data in (first, merged.tree.read(name))]
        said = read_by_node(folder, rows)
        for number, name in enumerate(names):
            before, after = said[2 * number], said[2 * number + 1]
            for one, other in zip(before, after, strict=True):
                is_new = rows[2 * number][0] == "{}"
                assert not other or (one and not is_new), (path, name, other)
                counts["read" if not other else "neither"] += 1
    assert counts["read"] > counts["neither"]
