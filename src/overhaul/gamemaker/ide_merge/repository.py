"""A merge in a git repository, looked at before it is committed."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from typing import Final

from overhaul.errors import WorkspaceError
from overhaul.gamemaker.ide_merge.conflicts import Conflict
from overhaul.gamemaker.ide_merge.projects import check_merged
from overhaul.gamemaker.ide_merge.trees import PROJECTS, Tree

#: git names the commits that it merges to hooks so.
_HEADS: Final = "GITHEAD_"
#: Files of which it counts only that they are there.
_MEDIA: Final = (".wav", ".ogg", ".mp3", ".mp4", ".ttf", ".otf", ".dll", ".zip", ".jar")


def _git(*words: str, given: bytes = b"") -> bytes:
    """What git answers.  Raises WorkspaceError where it says that something is wrong."""
    try:
        done = subprocess.run(["git", *words], input=given, capture_output=True, check=False)
    except FileNotFoundError as error:
        raise WorkspaceError("git is not installed, or not in PATH") from error
    if done.returncode:
        reason = done.stderr.decode("utf-8", "replace").strip().partition("\n")[0]
        raise WorkspaceError(f"git {words[0]}: {reason or 'it failed'}")
    return done.stdout


def check_merge() -> list[Conflict]:
    """What is wrong in the merge that git is about to commit, and in neither of its sides.

    Raises WorkspaceError where git merges nothing, or more than two commits.
    """
    theirs = _their_commit()
    base = _git("merge-base", "HEAD", theirs).decode().strip()
    tree = _git("write-tree").decode().strip()
    conflicts: list[Conflict] = []
    for path in _projects(tree):
        folder = path.rpartition("/")[0]
        one, two, three, merged = (_tree(commit, folder) for commit in (base, "HEAD", theirs, tree))
        name = path.rpartition("/")[2]
        if all(name in side for side in (one, two, three)):
            conflicts += check_merged(one, two, three, merged)
    return conflicts


def _their_commit() -> str:
    """The commit that is merged into ours."""
    heads = [name.removeprefix(_HEADS) for name in os.environ if name.startswith(_HEADS)]
    if not heads:
        heads = _git("rev-parse", "-q", "--verify", "MERGE_HEAD").decode().split()
    own = _git("rev-parse", "HEAD").decode().strip()
    heads = [head for head in heads if head != own]
    if len(heads) != 1:
        raise WorkspaceError(f"expected a merge of two commits, got {len(heads) + 1}")
    return heads[0]


def _listing(commit: str) -> list[tuple[str, str]]:
    """The files of a commit: the id and the path of each."""
    rows = _git("ls-tree", "-r", "-z", "--full-tree", commit).split(b"\0")
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
    answer = _git("cat-file", "--batch", given="".join(f"{key}\n" for key in keys).encode())
    made: list[bytes] = []
    at = 0
    for _ in keys:
        end = answer.index(b"\n", at)
        size = int(answer[at:end].split(b" ")[2])
        made.append(answer[end + 1 : end + 1 + size])
        at = end + size + 2
    return made
