"""The files of a part of a project that is not a resource."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from overhaul.document.plainfiles import PlainFile
from overhaul.folder.edits import Edits
from overhaul.folder.jsonkit import in_file
from overhaul.gamemaker.classic.records import Project
from overhaul.gamemaker.classic_folder.names import Names


@dataclass(frozen=True)
class Part:
    """A part of a project: which files it has, how they are made, how they are read.

    In ``files`` a name with / at its end is a folder; errors name the first.
    """

    files: tuple[str, ...]
    show: Callable[[Project, Names], Iterator[PlainFile]]
    read_files: Callable[[Project, Edits, Names], None]

    def has(self, path: str) -> bool:
        """Whether this is one of the part's files."""
        return any(
            path.startswith(name) if name.endswith("/") else path == name for name in self.files
        )

    def read(self, project: Project, files: Edits, names: Names) -> None:
        """Read the part anew from its files."""
        with in_file(self.files[0]):
            self.read_files(project, files, names)
