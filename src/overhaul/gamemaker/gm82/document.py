"""A .gm82 project as a document: its file, and those in the folders next to it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Self

from overhaul.document.protocol import Buffer, Coverage, Siblings
from overhaul.document.stored import Stored
from overhaul.errors import FormatError, WorkspaceError
from overhaul.gamemaker.classic.documents.project import ProjectDocument
from overhaul.gamemaker.classic.records import Project
from overhaul.gamemaker.gm82.model import FOLDERS, ROOMS, Gm82Project
from overhaul.gamemaker.gm82.reading import read_folder
from overhaul.gamemaker.gm82.writing import write_folder
from overhaul.suggest import some_of


class Gm82Document(ProjectDocument):
    """A project of the community's Game Maker 8.2, a folder of text files.

    ``project`` has the records of a .gm81 project, ``folder`` what only the folder has besides;
    both are read when they are first touched.
    """

    kind = "gamemaker-gm82-project"

    def __init__(self, version: int = 810, source: str | None = None) -> None:
        super().__init__(version, source)
        self.version = "8.2"
        self._head = b""
        self._siblings: Siblings | None = None
        self._folder: Gm82Project | None = None
        self._is_checked = False
        self._changed: dict[str, tuple[bytes, bytes]] = {}

    @classmethod
    def from_bytes(
        cls,
        data: Buffer,
        *,
        source: str | None = None,
        assume_version: str | None = None,
        strict: bool = False,
        siblings: Siblings | None = None,
    ) -> Self:
        """Open a project; its files are read when they are asked for.

        Raises FormatError with ``strict`` for a fault in any file of the project.
        """
        document = cls(source=source)
        document._head, document._siblings = bytes(data), siblings
        document.size = len(data)
        if strict:
            document.decode()
            wrong = [found for found in document.findings if found.severity != "note"]
            if wrong:
                raise FormatError(str(wrong[0]), source=source, code=wrong[0].code)
        return document

    @property
    def name(self) -> str:
        """The name of the .gm82 file."""
        return os.path.basename((self.source or "game.gm82").replace("!", "/"))

    @property
    def folder(self) -> Gm82Project:
        """The project with what only its folder has."""
        if self._folder is None:
            self._folder = read_folder(self._head, self.name, self._siblings)
            self.findings += self._folder.findings
        return self._folder

    @property
    def project(self) -> Project:
        """The project's records, as a .gm81 file has them."""
        return self.folder.project

    def let_go(self) -> None:
        """Let go of the records."""
        super().let_go()
        self._folder = self._siblings = None
        self._changed = {}

    def info(self) -> dict[str, object]:
        """The product, the version of the folder, the game id, and the number of resources."""
        facts = super().info()
        facts["product"] = "Game Maker 8.2"
        facts["gm82_version"] = self.folder.version
        return facts

    def decode(self) -> None:
        """Read every file, write it again, and find those that become others."""
        if self._is_checked:
            return
        self._is_checked = True
        made = self.folder
        known = len(made.findings)
        written = write_folder(made)
        self.findings += made.findings[known:]
        del made.findings[known:]
        for path, data in written.items():
            stored = self._head if path == made.name else None
            if stored is None and made.has(path):
                stored = made.data(path)
            if stored == bytes(data):
                continue
            if path != made.name:
                self._changed[path] = stored or b"", bytes(data)
            if stored is None:
                self.findings.warn("unusual", "the file is not there, and would be written", path)
            else:
                line = _line_in(stored, bytes(data))
                message = "Game Maker 8.2 writes the file in another form"
                self.findings.warn("unusual", message, path, line=line)
        self._find_others(set(written))

    def _find_others(self, written: set[str]) -> None:
        """Count the lines that are not understood, and the files that the project does not list."""
        made = self.folder
        for path, line in made.layouts.kept_lines():
            message = f"a line is not understood, and kept as it is: {line!r}"
            self.findings.warn("undeclared", message, path)
        folders = [*sorted({*FOLDERS, ROOMS} & made.folders), "settings"]
        others = [path for folder in folders for path in made.files.below(folder)]
        others = [path for path in others if path not in written]
        if others:
            message = f"files that the project does not list ({len(others)}): {some_of(others)}"
            self.findings.add_note("unlisted", message, others[0])

    def changed_files(self) -> Mapping[str, tuple[Buffer, Buffer]]:
        """The other files that Game Maker 8.2 writes in another form, or would write."""
        return self._changed

    def write(self) -> bytes:
        """The .gm82 file."""
        if self._folder is None:
            return self._head
        return bytes(write_folder(self.folder)[self.name])

    def coverage(self) -> Coverage:
        """All of the .gm82 file is understood."""
        return Coverage(self.size)

    def stored(self, kind: str, position: int, name: str) -> Sequence[Stored]:
        """Nothing: the files are text."""
        return ()

    def stored_parts(self) -> Sequence[Stored]:
        """Nothing: the files are text."""
        return ()

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Refuse: a project is more than its file."""
        del path, force
        raise WorkspaceError(
            "a .gm82 project is a folder of text files: edit these, or make a .gm81 of it with "
            "overhaul convert"
        )


def _line_in(one: bytes, two: bytes) -> int:
    """The first line in which two files differ."""
    pairs = zip(one.split(b"\n"), two.split(b"\n"), strict=False)
    equal = 0
    for first, second in pairs:
        if first != second:
            break
        equal += 1
    return equal + 1
