"""One side of a comparison: what both a project and a game say of each resource, as plain files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, Self

from overhaul.document.base import BaseDocument
from overhaul.document.folder_format import FolderFormat, HasFormat
from overhaul.document.plainfiles import Change, Folder, PlainFile, UnpackOptions
from overhaul.document.protocol import Buffer, Coverage, Resource, Siblings
from overhaul.errors import WorkspaceError
from overhaul.findings import Findings

_NOT_A_FILE: Final = "the compared side is not a file: compare the project with the game again"


class Side(HasFormat["Side"], BaseDocument):
    """The resources of one of the two.

    ``name`` is what it is called.  :meth:`add` gives it files, by their paths: the first part is
    the kind of resource in the plural, the second its name.
    """

    kind = "gamemaker-compared"

    def __init__(self, name: str, source: str | None) -> None:
        super().__init__(source)
        self.name = name
        self.listed: dict[str, Callable[[], bytes]] = {}
        self.resources_of: dict[str, Resource] = {}

    @property
    def own_format(self) -> FolderFormat[Side]:
        """How it is listed."""
        return _FORMAT

    def add(self, kind: str, name: str, path: str, read: Callable[[], bytes]) -> None:
        """Give it a file of a resource of a kind."""
        self.resources_of[path] = Resource(kind, name, path)
        self.listed[path] = read

    def keep(self, paths: Iterable[str]) -> None:
        """Leave out all other files."""
        wanted = set(paths)
        self.listed = {path: read for path, read in self.listed.items() if path in wanted}
        self.resources_of = {path: self.resources_of[path] for path in self.listed}

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
        """Refuse: it is made of a project or a game."""
        raise WorkspaceError(_NOT_A_FILE)

    def coverage(self) -> Coverage:
        """Nothing: it has no bytes."""
        return Coverage()

    def info(self) -> dict[str, object]:
        """Its name and release."""
        return {"kind": self.kind, "name": self.name}

    def tree(self) -> Iterable[Resource]:
        """The resources."""
        return self.resources_of.values()


class _Format(FolderFormat["Side"]):
    """The files of a side; nothing is packed."""

    def tree(self, document: Side) -> Iterable[Resource]:
        return document.tree()

    def settings(self, document: Side) -> dict[str, object]:
        return {}

    def plain_files(self, document: Side, options: UnpackOptions) -> Iterator[PlainFile]:
        for path, read in document.listed.items():
            yield PlainFile(path, read)

    def apply(self, document: Side, folder: Folder, changes: Mapping[str, Change]) -> Findings:
        raise WorkspaceError(_NOT_A_FILE)

    def empty(self, settings: Mapping[str, object]) -> Side:
        raise WorkspaceError(_NOT_A_FILE)


_FORMAT: Final = _Format()
