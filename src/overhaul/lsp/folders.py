"""The unpacked folders that an editor shows, and their files as addresses."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit
from urllib.request import url2pathname

from overhaul.errors import OverhaulError, WorkspaceError
from overhaul.folder.toml import NAME
from overhaul.language.protocol import Language
from overhaul.language.texts import FolderTexts, Lines
from overhaul.language.workspace import Workspace

#: How project files of editors end: GameMaker's, and Adventure Game Studio's.
_PROJECTS = (".yyp", ".project.gmx", "Game.agf")


class File(NamedTuple):
    """A file of an unpacked folder."""

    workspace: Workspace
    path: str

    @property
    def texts(self) -> FolderTexts:
        """The files of the folder."""
        texts = self.workspace.texts
        assert isinstance(texts, FolderTexts)
        return texts

    @property
    def text(self) -> str:
        """Its text as the editor shows it.  Raises WorkspaceError."""
        return self.texts.read(self.path)

    @property
    def lines(self) -> Lines:
        """The lines of the text."""
        return Lines(self.text)

    @property
    def language(self) -> Language | None:
        """Its language; None for a file without."""
        return self.workspace.language_of(self.path)


class Folders:
    """The folders that were met: a file belongs to the nearest one around it with overhaul.toml."""

    def __init__(self) -> None:
        self._known: dict[str, Workspace] = {}
        #: why a folder can't be read, by its path
        self.refused: dict[str, str] = {}
        #: how the editor writes the addresses of files
        self._uris: dict[tuple[str, str], str] = {}

    def __iter__(self) -> Iterator[Workspace]:
        return iter(list(self._known.values()))

    def open(self, root: str) -> Workspace | None:
        """The workspace of a folder; None where it is none, or can't be read."""
        root = os.path.realpath(root)
        known = self._known.get(root)
        if known is not None:
            return known
        project = None if os.path.isfile(os.path.join(root, NAME)) else _project_in(root)
        if project is None and not os.path.isfile(os.path.join(root, NAME)):
            return None
        try:
            made = Workspace.of_folder(root) if project is None else Workspace.of_project(project)
        except OverhaulError as error:
            self.refused[root] = str(error)
            return None
        self._known[root] = made
        return made

    def file(self, uri: str) -> File | None:
        """The file of an address; None for one outside of unpacked folders."""
        place = path_of(uri)
        if place is None:
            return None
        place = os.path.realpath(place)
        root = os.path.dirname(place)
        while True:
            workspace = self.open(root)
            if workspace is not None:
                path = os.path.relpath(place, workspace.root).replace(os.sep, "/")
                if path.startswith("."):
                    return None
                self._uris[workspace.root, path] = uri
                return File(workspace, path)
            above = os.path.dirname(root)
            if above == root:
                return None
            root = above

    def uri(self, workspace: Workspace, path: str) -> str:
        """The address of a file, as the editor wrote it."""
        known = self._uris.get((workspace.root, path))
        return known or uri_of(os.path.join(workspace.root, *path.split("/")))


def _project_in(root: str) -> str | None:
    """The only project file of an editor in a folder; None without one."""
    try:
        names = [name for name in os.listdir(root) if name.endswith(_PROJECTS)]
    except OSError:  # no folder
        return None
    return os.path.join(root, names[0]) if len(names) == 1 else None


def path_of(uri: str) -> str | None:
    """The path of an address ``file:///...``; None for another one."""
    parts = urlsplit(uri)
    if parts.scheme != "file":
        return None
    if parts.netloc and parts.netloc != "localhost":
        return None  # on another computer
    if os.name == "nt":
        return url2pathname(parts.path)
    return unquote(parts.path)


def uri_of(path: str) -> str:
    """The address of a path.  Raises WorkspaceError for a path that is not absolute."""
    try:
        return Path(path).as_uri()
    except ValueError as error:
        raise WorkspaceError(str(error)) from error
