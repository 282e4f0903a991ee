"""A merge in a git repository, looked at before it is committed."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Final

from overhaul.document.repositories import git
from overhaul.errors import WorkspaceError
from overhaul.gamemaker.ide_merge.conflicts import Conflict
from overhaul.gamemaker.ide_merge.projects import check_merged
from overhaul.gamemaker.ide_merge.trees import PROJECTS, Tree

#: git names the commits that it merges to hooks so.
_HEADS: Final = "GITHEAD_"
#: Files that only need to exist.
_MEDIA: Final = (".wav", ".ogg", ".mp3", ".mp4", ".ttf", ".otf", ".dll", ".zip", ".jar")


def check_merge() -> list[Conflict]:
    """The faults of the merge that git is about to commit, which neither of its sides has.

    Raises WorkspaceError where git merges nothing, or projects of more than two commits.
    """
    heads = _their_commits()
    tree = git("write-tree").decode().strip()
    projects = _projects(tree)
    if not projects:
        return []
    if len(heads) > 1:
        raise WorkspaceError(
            f"a merge of {len(heads) + 1} commits is not checked: merge one after another, or "
            "commit it with --no-verify"
        )
    theirs = heads[0]
    base = _base(theirs)
    conflicts: list[Conflict] = []
    for path in projects:
        folder = path.rpartition("/")[0]
        one, two, three, merged = (_tree(commit, folder) for commit in (base, "HEAD", theirs, tree))
        name = path.rpartition("/")[2]
        if all(name in side for side in (one, two, three)):
            conflicts += check_merged(one, two, three, merged)
    return conflicts


def _their_commits() -> list[str]:
    """The commits that are merged into ours."""
    heads = [name.removeprefix(_HEADS) for name in os.environ if name.startswith(_HEADS)]
    if not heads:
        path = os.fsdecode(git("rev-parse", "--git-path", "MERGE_HEAD")).removesuffix("\n")
        try:
            with open(path, encoding="ascii") as file:
                heads = file.read().split()
        except FileNotFoundError:
            raise WorkspaceError(
                "git merges nothing here: run this after git merge has stopped"
            ) from None
    own = git("rev-parse", "HEAD").decode().strip()
    return [head for head in heads if head != own]


def _base(theirs: str) -> str:
    """The commit that both sides were made of; a tree without files for unrelated histories."""
    found = git("merge-base", "HEAD", theirs, codes=(0, 1))
    return (found or git("hash-object", "-t", "tree", "--stdin")).decode().strip()


def _listing(commit: str) -> list[tuple[str, str]]:
    """The files of a commit: the id and the path of each."""
    rows = git("ls-tree", "-r", "-z", "--full-tree", commit).split(b"\0")
    found = []
    for row in filter(None, rows):
        about, _, path = row.partition(b"\t")
        _, kind, key = about.decode().split(" ")[:3]
        if kind == "blob":
            found.append((key, path.decode("utf-8", "surrogateescape")))
    return found


def _projects(commit: str) -> list[str]:
    return [path for _, path in _listing(commit) if path.endswith(PROJECTS)]


def _tree(commit: str, folder: str) -> Tree:
    """The files of a project in a commit; sounds and the like are empty."""
    start = f"{folder}/" if folder else ""
    rows = [(key, path[len(start) :]) for key, path in _listing(commit) if path.startswith(start)]
    wanted = [row for row in rows if not row[1].endswith(_MEDIA)]
    contents = _contents([key for key, _ in wanted])
    files: dict[str, bytes] = {path: b"" for _, path in rows}
    files |= {path: data for (_, path), data in zip(wanted, contents, strict=True)}
    return Tree(commit, files)


def _contents(keys: Sequence[str]) -> list[bytes]:
    """The bytes of objects of git, in their order."""
    answer = git("cat-file", "--batch", given="".join(f"{key}\n" for key in keys).encode())
    made: list[bytes] = []
    at = 0
    for _ in keys:
        end = answer.index(b"\n", at)
        size = int(answer[at:end].split(b" ")[2])
        made.append(answer[end + 1 : end + 1 + size])
        at = end + size + 2
    return made
