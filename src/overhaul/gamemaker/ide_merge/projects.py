"""Two editions of a project that were made of a third one, merged: all files, by path.

Resources that one edition renamed get that name in the others first. The merged project is
checked: a fault that neither edition has is a conflict, as is code that names a resource that
the other edition removed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from overhaul.gamemaker.ide.document import IdeProjectDocument
from overhaul.gamemaker.ide.resources.code import names_in
from overhaul.gamemaker.ide.resources.users import CODED, sources_of
from overhaul.gamemaker.ide_merge.conflicts import Conflict
from overhaul.gamemaker.ide_merge.files import merge_files
from overhaul.gamemaker.ide_merge.renames import find_renames, follow
from overhaul.gamemaker.ide_merge.trees import Tree, same_files

#: Where the other side of a file is kept that can't hold both.
KEPT: Final = ".overhaul/theirs"


@dataclass
class MergedProject:
    """A merged project: ``tree`` has its files, ``changed`` the paths of those that are not as in
    ours, ``renamed`` the new names of resources by the old ones."""

    tree: Tree
    changed: list[str]
    conflicts: list[Conflict] = field(default_factory=list)
    renamed: dict[str, str] = field(default_factory=dict)

    def to_json(self) -> dict[str, object]:
        """The output of ``overhaul merge --json``."""
        return {
            "changed": self.changed,
            "renamed": self.renamed,
            "conflicts": [conflict.to_json() for conflict in self.conflicts],
        }


def merge_projects(base: Tree, ours: Tree, theirs: Tree) -> MergedProject:
    """The project that both editions make of one.

    Raises FormatError for an edition whose project file can't be read, WorkspaceError for one
    without a project.
    """
    first = ours
    own, other = find_renames(base, ours), find_renames(base, theirs)
    named = {rename.path: rename.new for rename in own}
    conflicts: list[Conflict] = []
    for rename in other:
        if named.get(rename.path, rename.new) != rename.new:
            reason = f"renamed to {named[rename.path]} by ours and to {rename.new} by theirs"
            conflicts.append(Conflict(rename.path, reason))
    apart = {conflict.path for conflict in conflicts}
    own, other = ([one for one in side if one.path not in apart] for side in (own, other))
    (base,), clashes = follow([base], [one for one in own if one in other], "ours", "theirs")
    conflicts += clashes
    alone = [one for one in own if one not in other]
    (base, theirs), clashes = follow([base, theirs], alone, "ours", "theirs")
    conflicts += clashes
    alone = [one for one in other if one not in own]
    (base, ours), clashes = follow([base, ours], alone, "theirs", "ours")
    conflicts += clashes
    merging = _Merging(base, ours, theirs)
    merging.run()
    merged = MergedProject(merging.tree, [], [*conflicts, *merging.conflicts])
    merged.renamed = {rename.old: rename.new for rename in (*own, *other)}
    merged.changed = sorted(
        path for path in {*first.files, *merged.tree.files}
        if not same_files(path, (first, merged.tree))
    )  # fmt: skip
    return merged


class _Merging:
    def __init__(self, base: Tree, ours: Tree, theirs: Tree) -> None:
        self.tree: Tree = Tree("the merged project", {})
        self.conflicts: list[Conflict] = []
        self._base = base
        self._ours = ours
        self._theirs = theirs

    def run(self) -> None:
        """Merge each file, and check what comes of it."""
        files = self.tree.files
        for path in sorted({*self._base.files, *self._ours.files, *self._theirs.files}):
            chosen = self._unchanged(path)
            if chosen is None:
                self._file(path)
            elif path in chosen:
                files[path] = chosen.files[path]
        if not any(conflict.path == self._ours.project_file for conflict in self.conflicts):
            marked = {conflict.path for conflict in self.conflicts}
            self.conflicts += [
                conflict
                for conflict in check_merged(self._base, self._ours, self._theirs, self.tree)
                if conflict.path not in marked
            ]

    def _unchanged(self, path: str) -> Tree | None:
        """The edition whose file counts because no other changed it; None if both did."""
        if same_files(path, (self._ours, self._theirs)):
            return self._ours
        if same_files(path, (self._base, self._ours)):
            return self._theirs
        return self._ours if same_files(path, (self._base, self._theirs)) else None

    def _file(self, path: str) -> None:
        """Merge a file that both changed."""
        files = self.tree.files
        if path not in self._ours or path not in self._theirs:
            is_ours = path in self._ours
            files[path] = (self._ours if is_ours else self._theirs).files[path]
            one, two = ("ours", "theirs") if is_ours else ("theirs", "ours")
            self.conflicts.append(Conflict(path, f"changed by {one} and removed by {two}"))
            return
        base = self._base.read(path) if path in self._base else b""
        merged = merge_files(path, base, self._ours.read(path), self._theirs.read(path))
        files[path] = merged.data
        self.conflicts += merged.conflicts
        if merged.conflicts and merged.data == self._ours.read(path):
            files[f"{KEPT}/{path}"] = self._theirs.files[path]


# -- the whole ------------------------------------------------------------------------------------


def check_merged(base: Tree, ours: Tree, theirs: Tree, merged: Tree) -> list[Conflict]:
    """The faults of a merged project that neither edition has."""
    return [*_faults(ours, theirs, merged), *_names(base, ours, theirs, merged)]


def _faults(ours: Tree, theirs: Tree, merged: Tree) -> list[Conflict]:
    """Faults that neither edition has."""
    found = list(_faults_of(merged.document()))
    if not found:
        return []
    known = {one for tree in (ours, theirs) for one in _faults_of(tree.document())}
    return [
        Conflict(path, f"{message}, and neither ours nor theirs says that")
        for path, code, message in found
        if (path, code, message) not in known
    ]


def _names(base: Tree, ours: Tree, theirs: Tree, merged: Tree) -> Iterator[Conflict]:
    """Code of one edition that names what the other removed; two resources of one name."""
    documents = [tree.document() for tree in (base, ours, theirs, merged)]
    before, one, other, now = map(_counts, documents)
    for tree, by, theirs_of, removes in ((ours, "ours", other, "theirs"),
                                         (theirs, "theirs", one, "ours")):  # fmt: skip
        gone = {*before} - {*now} - {*theirs_of}
        for path, name in _naming(base, tree, gone):
            if path in merged and name.encode() in merged.read(path):
                yield Conflict(path, f"{by} names {name} here, which {removes} removed")
    for name, count in now.items():
        if count > 1 and one[name] < 2 and other[name] < 2:
            yield Conflict(documents[3].name, f"two resources are called {name}")


def _naming(base: Tree, tree: Tree, gone: set[str]) -> Iterator[tuple[str, str]]:
    """Code that an edition changed so that it names what is gone: its path, and the name."""
    if not gone:
        return
    document, before = tree.document(), base.document()
    for entry in document.project.entries:
        for path, text in sources_of(document, entry):
            if not same_files(path, (base, tree)):
                known = dict(sources_of(before, entry)).get(path, "")
                names = names_in(text, document.dialect) - names_in(known, document.dialect)
                yield from ((path, name) for name in sorted(gone & names))


def _counts(document: IdeProjectDocument) -> Counter[str]:
    return Counter(entry.name for entry in document.project.entries if entry.kind in CODED)


def _faults_of(document: IdeProjectDocument) -> Iterator[tuple[str, str, str]]:
    document.decode()
    for finding in document.findings:
        if finding.severity != "note" and finding.code != "unusual":
            yield finding.path, finding.code, finding.message
