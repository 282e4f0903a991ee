"""Edits of two people in real projects: they commute or conflict, and break no project."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import overhaul
from overhaul import mods
from overhaul.errors import FormatError
from overhaul.gamemaker.ide_merge.projects import merge_projects
from overhaul.gamemaker.ide_merge.trees import Tree, tree_of
from project_edits import Edit, Refused, edits_of, meaning
from real_files import NO_CORPUS, corpus_files
from repeats import times
from repositories import git, started

PROJECTS = corpus_files("gmprojects*/**/*.yyp") + corpus_files("gmprojects*/**/*.project.gmx")
#: Pairs of edits; all of them with OVERHAUL_FULL=1.
PAIRS = 500
#: Merges by git.
GIT = 60


def faults(tree: Tree) -> Counter[tuple[str, str, str]]:
    document = tree.document()
    document.decode()
    return Counter(
        (one.path, one.code, one.message) for one in document.findings
        if one.severity != "note" and one.code != "unusual"
    )  # fmt: skip


def edited(tree: Tree, seed: int) -> tuple[Tree, list[Edit]]:
    """What someone makes of a project, and the edits that could be made."""
    project = tree.document()
    made = []
    for edit in edits_of(tree.document(), seed):
        before = dict(project.files.changed)
        try:
            edit.on(project)
        except Refused:
            assert project.files.changed == before, edit
            continue
        made.append(edit)
    return tree.changed(project), made


def one_pair(base: Tree, seed: int) -> str:
    """Merge what two people did: "conflict", or "commutes" where that is what came of it."""
    (ours, own), (theirs, others) = edited(base, 2 * seed + 1), edited(base, 2 * seed + 2)
    words = [[edit.words for edit in edits] for edits in (own, others)]
    merged = merge_projects(base, ours, theirs)
    turned = merge_projects(base, theirs, ours)
    assert bool(merged.conflicts) == bool(turned.conflicts), words
    if merged.conflicts:
        return "conflict"
    known = faults(ours) | faults(theirs)
    assert not [one for one in faults(merged.tree) if one not in known], words
    said = meaning(merged.tree)
    assert said == meaning(turned.tree), words
    for side, edits in ((ours, others), (theirs, own)):
        project = side.document()
        try:
            for edit in edits:
                edit.on(project)
        except Refused:  # both did the same, or one renamed what the other names
            continue
        assert meaning(side.changed(project)) == said, words
    return "commutes"


def test_edits_of_two_people() -> None:
    if not PROJECTS:
        pytest.skip(NO_CORPUS)
    counts: Counter[str] = Counter()
    for seed in range(times(PAIRS, 40)):
        path = PROJECTS[seed % len(PROJECTS)]
        try:
            overhaul.open(path).close()
        except FormatError:  # one that does not open
            counts["broken"] += 1
            continue
        counts[one_pair(tree_of(str(path)), seed)] += 1
    assert counts["commutes"] > counts["conflict"]


def test_git_merges_real_projects(tmp_path: Path) -> None:
    """What git commits is a project without a new fault, and what a merge of whole projects gives
    where nothing was renamed."""
    if not PROJECTS:
        pytest.skip(NO_CORPUS)
    counts: Counter[str] = Counter()
    small = [one for one in PROJECTS if "/broken/" not in one.as_posix()
             and sum(1 for _ in one.parent.rglob("*")) < 400]  # fmt: skip
    for seed in range(times(GIT, 20)):
        path = small[seed * 7 % len(small)]
        base = tree_of(str(path))
        (ours, own), (theirs, others) = edited(base, 2 * seed + 1), edited(base, 2 * seed + 2)
        if base.files == ours.files or base.files == theirs.files:
            continue
        folder = tmp_path / f"{seed}"
        with pytest.MonkeyPatch.context() as patch:
            started(folder, tmp_path / f"programs{seed}", patch)
            mods.git_setup(folder)
            commit(folder, base)
            git("checkout", "-qb", "other")
            commit(folder, theirs)
            git("checkout", "-q", "main")
            commit(folder, ours)
            said = git("merge", "-m", "both", "other", code=None)
            is_merged = git("log", "--merges", "--oneline") != ""
        words = [[edit.words for edit in edits] for edits in (own, others)], said
        counts["merged" if is_merged else "stopped"] += 1
        if not is_merged:
            assert "CONFLICT" in said or "overhaul: conflict" in said, words
            continue
        made = tree_of(str(folder))
        made.files.pop(".gitattributes")
        known = faults(ours) | faults(theirs)
        assert not [one for one in faults(made) if one not in known], words
        whole = merge_projects(base, ours, theirs)
        if not whole.renamed and not whole.conflicts:
            assert meaning(made) == meaning(whole.tree), words
    assert counts["merged"] > counts["stopped"]


def commit(folder: Path, tree: Tree) -> None:
    """Commit an edition of a project."""
    there = tree_of(str(folder)).files if any(folder.iterdir()) else {}
    for path in there.keys() - tree.files.keys() - {".gitattributes"}:
        (folder / path).unlink()
    for path in tree.files:
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(tree.read(path))
    git("add", "-A")
    git("commit", "-qm", "work")
