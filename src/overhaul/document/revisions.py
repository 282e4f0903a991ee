"""Files of a revision of a git repository: ``HEAD~1:Game.yyp``, in git's own notation.

They are read from the repository; nothing is checked out. The path behind the colon is from the
top of the repository, and with ``./`` from the current folder.
"""

from __future__ import annotations

import posixpath
import subprocess
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Final

from overhaul.document.archives import ArchiveSiblings
from overhaul.document.protocol import Siblings
from overhaul.document.repositories import git
from overhaul.errors import FormatError, WorkspaceError
from overhaul.suggest import listed

#: The part of a path before the colon of a drive of Windows.
_DRIVE: Final = 1
#: How the mode of a file with content begins: a link's and another repository's do not.
_FILE: Final = b"100"


def is_revision(path: str) -> bool:
    """Whether a path has the form of a file in a revision."""
    revision, colon, _ = path.partition(":")
    return bool(colon) and len(revision) > _DRIVE and not path.startswith("-")


def find_in_revision(
    path: str, projects: tuple[str, ...]
) -> tuple[bytes, str, Siblings, Callable[[], None]]:
    """A file in a revision: its bytes, its path, the files next to it, and what releases them.

    A folder stands for the only project file in it; ``projects`` are their endings. Raises
    FileNotFoundError for an unknown revision, or an unknown file in it; FormatError for a folder
    with several projects or none.
    """
    revision, _, name = path.partition(":")
    try:
        tree = git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{tree}}")
        prefix = git("rev-parse", "--show-prefix").decode().strip()
    except WorkspaceError as error:
        raise FileNotFoundError(2, "there is no such file, and no such revision", path) from error
    files = RevisionFiles(tree.decode().strip())
    if name == "." or name.startswith(("./", "../")):
        name = posixpath.join(prefix, name)
    inside = posixpath.normpath(name or ".")
    if inside not in files.listed:
        inside = _in_folder(files, inside, path, projects)
    try:
        data = files.read(inside)
    except BaseException:
        files.close()
        raise
    return data, f"{revision}:{inside}", ArchiveSiblings(files, inside), files.close


def _in_folder(files: RevisionFiles, folder: str, path: str, projects: tuple[str, ...]) -> str:
    start = "" if folder == "." else f"{folder}/"
    below = [name[len(start) :] for name in files.listed if name.startswith(start)]
    if not below:
        raise FileNotFoundError(2, "the revision has no such file", path)
    found = [name for name in below if "/" not in name and name.casefold().endswith(projects)]
    if len(found) == 1:
        return start + found[0]
    if found:
        raise FormatError(f"there are {len(found)} projects in it: {listed(found)}", source=path)
    raise FormatError("a folder without a project file: name a file in it", source=path)


class RevisionFiles:
    """The files of a revision, by their paths from the top of the repository."""

    def __init__(self, tree: str) -> None:
        self._tree = tree
        self._reader: subprocess.Popen[bytes] | None = None

    @cached_property
    def listed(self) -> Mapping[str, bytes]:
        """The ids of the files by their paths, without links and other repositories."""
        rows = git("ls-tree", "-r", "-z", "--full-tree", self._tree).split(b"\0")
        found: dict[str, bytes] = {}
        for row in filter(None, rows):
            facts, _, path = row.partition(b"\t")
            mode, _, blob = facts.split()
            if mode.startswith(_FILE):
                found[path.decode("utf-8", "surrogateescape")] = blob
        return found

    def names(self) -> list[str]:
        """The paths of all files."""
        return list(self.listed)

    def read(self, name: str) -> bytes:
        """The bytes of a file.  Raises FileNotFoundError for an unknown path."""
        blob = self.listed.get(name)
        if blob is None:
            raise FileNotFoundError(2, "the revision has no such file", name)
        reader = self._reader or self._start()
        assert reader.stdin is not None and reader.stdout is not None
        reader.stdin.write(blob + b"\n")
        reader.stdin.flush()
        header = reader.stdout.readline().split()
        if header[1:2] == [b"blob"]:
            size = int(header[2])
            data = reader.stdout.read(size + 1)  # a line end follows
            if len(data) == size + 1:
                return data[:-1]
        raise WorkspaceError(f"git cat-file: {name!r} can't be read")

    def _start(self) -> subprocess.Popen[bytes]:
        """A process that reads one file after another: one for each file takes milliseconds."""
        self._reader = subprocess.Popen(
            ["git", "cat-file", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        return self._reader

    def close(self) -> None:
        """Let go of the repository."""
        reader, self._reader = self._reader, None
        if reader is not None:
            reader.communicate()
