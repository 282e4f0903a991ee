"""Resources that one edition gave another name, and the other editions with these names.

A resource that is gone and one that is new are the same if something says so that chance does not
make: ids in their files, their code or pictures, or what referred to one and refers to the other.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final, NamedTuple

from overhaul.errors import FormatError
from overhaul.gamemaker.ide.document import IdeProjectDocument
from overhaul.gamemaker.ide.listing import ListedEntry
from overhaul.gamemaker.ide.resources.kinds import listed
from overhaul.gamemaker.ide_merge.conflicts import Conflict
from overhaul.gamemaker.ide_merge.trees import Tree

#: Random values: ids, and names of instances.
_GIVEN: Final = re.compile(
    rb"\b(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|inst_[0-9A-F]{6,8})\b"
)
#: A file with less says nothing about where it is from.
_LEAST: Final = 20
#: This share of the lines of a text stays.
_SHARE: Final = 0.5


class Rename(NamedTuple):
    """A resource that has another name in an edition."""

    kind: str
    old: str
    new: str
    path: str


def find_renames(base: Tree, side: Tree) -> list[Rename]:
    """The resources of an edition that have another name than in the one that it was made of."""
    before, after = base.document(), side.document()
    gone = _apart(before, after)
    new = _apart(after, before)
    found: list[Rename] = []
    taken: set[str] = set()
    for old in gone:
        for entry in new:
            if entry.kind != old.kind or entry.path in taken or entry.name == old.name:
                continue
            if _is_same(base, old, side, entry):
                taken.add(entry.path)
                found.append(Rename(old.kind, old.name, entry.name, old.path))
                break
    return found


def _apart(document: IdeProjectDocument, other: IdeProjectDocument) -> list[ListedEntry]:
    """The resources that another edition does not list."""
    known = {entry.path for entry in other.entries}
    return [
        entry for entry in document.project.entries
        if entry.path not in known and document.path_of(entry) is not None
    ]  # fmt: skip


def _is_same(base: Tree, old: ListedEntry, side: Tree, new: ListedEntry) -> bool:
    if old.id:
        return old.id == new.id
    return (
        _shares_ids(base, old, side, new)
        or _shares_content(base, old, side, new)
        or _takes_over(base, old, side, new)
    )


def _shares_ids(base: Tree, old: ListedEntry, side: Tree, new: ListedEntry) -> bool:
    if old.path not in base or new.path not in side:
        return False
    return bool({*_GIVEN.findall(base.read(old.path))} & {*_GIVEN.findall(side.read(new.path))})


def _shares_content(base: Tree, old: ListedEntry, side: Tree, new: ListedEntry) -> bool:
    """Whether code, pictures or sounds of the one are those of the other, but for the name."""
    theirs = dict(_own_files(side, new))
    for name, data in _own_files(base, old):
        other = theirs.get(name)
        if other is None or len(data) < _LEAST:
            continue
        if other == data:
            return True
        one = data.replace(old.name.encode(), new.name.encode()).split(b"\n")
        two = other.split(b"\n")
        is_text = name.endswith((".gml", ".vsh", ".fsh"))
        if is_text and (Counter(one) & Counter(two)).total() >= _SHARE * max(len(one), len(two)):
            return True
    return False


def _own_files(tree: Tree, entry: ListedEntry) -> Iterator[tuple[str, bytes]]:
    """The files of a resource but its own: what each is called without the name, and its bytes."""
    if entry.kind == "script" and entry.path.endswith(".gml"):  # of Studio 1
        yield "source.gml", tree.read(entry.path)
        return
    if entry.folder.rpartition("/")[2] != entry.name:
        return
    for path in tree.files:
        if path.startswith(f"{entry.folder}/") and not path.endswith(".yy"):
            name = path[len(entry.folder) + 1 :]
            yield name.replace(entry.name, "*"), tree.read(path)


def _takes_over(base: Tree, old: ListedEntry, side: Tree, new: ListedEntry) -> bool:
    """Whether a file that referred to the one refers to the other as often, and no more to the
    first."""
    own = f"{old.folder}/"
    for path in base.files:
        if not path.endswith((".yy", ".gmx")) or path.startswith(own) or path not in side:
            continue
        if path.endswith(".project.gmx"):
            continue
        was, now = base.read(path), side.read(path)
        one, two = _mark(path, old), _mark(path, new)
        count = was.count(one)
        if count and not now.count(one) and now.count(two) == count and not was.count(two):
            return True
    return False


def _mark(path: str, entry: ListedEntry) -> bytes:
    """How a file refers to a resource."""
    if path.endswith(".yy"):
        return f'"{entry.path}"'.encode()
    return f'="{entry.name}"'.encode()


def follow(
    trees: list[Tree], renames: list[Rename], by: str, other: str
) -> tuple[list[Tree], list[Conflict]]:
    """Editions with the names that another edition, ``by``, gave."""
    conflicts: list[Conflict] = []
    made: list[Tree] = []
    for tree in trees:
        document = tree.document() if renames else None
        for rename in renames:
            if document is None:
                continue
            if document.entry_named(rename.kind, rename.old) is None:
                reason = f"renamed to {rename.new} by {by} and removed by {other}"
                conflicts.append(Conflict(rename.path, reason))
                continue
            try:
                listed(document, rename.kind).rename(rename.old, rename.new)
            except (ValueError, FormatError) as error:
                reason = f"renamed to {rename.new} by {by}, which {other} can't follow: {error}"
                conflicts.append(Conflict(rename.path, reason))
        made.append(tree if document is None else tree.changed(document))
    return made, conflicts
