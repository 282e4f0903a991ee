"""A .gm82 project as plain files: its own, unchanged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Final

from overhaul.document.folder_format import FolderFormat
from overhaul.document.plainfiles import Change, Folder, PlainFile, UnpackOptions
from overhaul.document.protocol import Resource
from overhaul.errors import WorkspaceError
from overhaul.findings import Findings
from overhaul.gamemaker.classic.kinds import BY_PLURAL
from overhaul.gamemaker.gm82.document import Gm82Document
from overhaul.gamemaker.gm82.model import FOLDERS, ROOMS

#: the files of a resource, behind the folder of its kind and its name
_FILES: Final = {
    "sprites": "/sprite.txt", "paths": "/path.txt", "rooms": "/room.txt", "scripts": ".gml",
    "timelines": ".gml", "objects": ".gml", "triggers": ".gml",
}  # fmt: skip

_IN_PLACE: Final = (
    "a .gm82 project can't be packed: it is a folder of text files already, so edit its own files, "
    "and check it; overhaul convert makes a .gm81 of it"
)


class Gm82Format(FolderFormat[Gm82Document]):
    """A .gm82 project as a folder."""

    edited_in_place = _IN_PLACE

    def tree(self, document: Gm82Document) -> Iterable[Resource]:
        """The resources that the indices list."""
        for kind, slots in document.slots().items():
            for slot in slots:
                if slot.exists:
                    path = f"{kind}/{slot.name}{_FILES.get(kind, '.txt')}"
                    yield Resource(BY_PLURAL[kind].singular, slot.name, path)

    def settings(self, document: Gm82Document) -> dict[str, object]:
        """Nothing: the files say all of it."""
        return {}

    def plain_files(self, document: Gm82Document, options: UnpackOptions) -> Iterator[PlainFile]:
        """The project file, and the files in the folders of the project."""
        yield PlainFile(document.name, document.to_bytes, origin="project")
        files = document.folder.files
        for folder in (*FOLDERS, ROOMS, "settings"):
            for path in files.below(folder):
                yield PlainFile(path, partial(files.read, path), origin=folder)

    def apply(
        self, document: Gm82Document, folder: Folder, changes: Mapping[str, Change]
    ) -> Findings:
        """Raise WorkspaceError: a project is edited in its own folder."""
        raise WorkspaceError(_IN_PLACE)

    def empty(self, settings: Mapping[str, object]) -> Gm82Document:
        """Raise WorkspaceError: a project is edited in its own folder."""
        raise WorkspaceError(_IN_PLACE)


FORMAT: Final = Gm82Format()
