"""Real projects that are broken on purpose: check names the fault, repair loses nothing."""

from __future__ import annotations

from collections import Counter

import pytest

from broken_projects import KINDS, broken, counted, repaired
from overhaul.errors import FormatError, WorkspaceError
from overhaul.gamemaker.ide_merge.trees import Tree, tree_of
from real_files import NO_CORPUS, corpus_files, sample
from repeats import times

#: Small projects that open; another program wrote those of Stitch.
PROJECTS = [
    path
    for path in corpus_files("gmprojects*/**/*.yyp")
    if "/broken/" not in path.as_posix()
    and "stitch" not in path.as_posix()
    and sum(1 for _ in path.parent.rglob("*.yy")) < 250
]
#: Broken projects; all of them with OVERHAUL_FULL=1.
MADE = 2_000
#: What may be left to people: a text that can be read in several ways, and what uses a
#: resource that is gone and that only GameMaker makes.
READ = (
    "gone",
    "cut",
    "no bracket",
    "no opening bracket",
    "two brackets",
    "no end",
    "block",
    "quote",
)


def faults(tree: Tree) -> Counter[tuple[str, str, str]]:
    document = tree.document()
    document.decode()
    return Counter(
        (one.path, one.code, one.message) for one in document.findings if one.severity != "note"
    )


def sound(path: str) -> Tree:
    """A project of the corpus, which lacks some files, as repair makes it."""
    return repaired(tree_of(path))[0]


def test_broken_projects_are_repaired() -> None:
    if not PROJECTS:
        pytest.skip(NO_CORPUS)
    counts: Counter[str] = Counter()
    projects = sample(PROJECTS, 20, seed=4)
    each = -(-times(MADE, 50) // len(projects))
    for number, path in enumerate(projects):
        tree = sound(str(path))
        known, before = faults(tree), counted(tree.document())
        for turn in range(each):
            seed = number * each + turn
            kind = list(KINDS)[seed % len(KINDS)]
            made = broken(tree, kind, seed)
            if made is None:
                continue
            try:
                named: list[object] = list(faults(made.tree) - known)
            except FormatError as error:
                named = [error]
            try:
                fixed, steps, left = repaired(made.tree)
            except WorkspaceError:
                assert kind in READ, made.words
                left, steps = ["the project file"], []
            assert named or not steps, made.words
            if left:
                assert kind in READ, (made.words, left)
                counts["left"] += 1
                continue
            assert not faults(fixed) - known, (path, made.words)
            after = counted(fixed.document())
            # with the file of a room, its instances are gone
            had = counted(made.tree.document()) if kind == "gone" else before
            lost = {what: had[what] - after[what] for what in had if what != "files"}
            assert all(count <= (kind == "gone") for count in lost.values()), (made.words, lost)
            counts[kind] += 1
    assert counts.total() > each * len(projects) // 2
