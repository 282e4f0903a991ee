"""A project of GameMaker's editor as plain files: its own, as they are.

The project is a folder of plain files already.  Its files can be read, listed and searched; they
are edited where they are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial
from typing import Final

from overhaul.document.folder_format import FolderFormat
from overhaul.document.plainfiles import Change, Folder, PlainFile, UnpackOptions
from overhaul.document.protocol import Resource
from overhaul.errors import FormatError, WorkspaceError
from overhaul.findings import Findings
from overhaul.gamemaker.ide.document import IdeProjectDocument
from overhaul.gamemaker.ide.listing import KINDS, ListedEntry
from overhaul.gamemaker.ide.texts import read_json_file
from overhaul.gamemaker.ide.values import text_at


class IdeProjectFormat(FolderFormat[IdeProjectDocument]):
    """A project of the editor as a folder."""

    uses_numbers = True
    edited_in_place = True

    def use_files(self) -> Collection[str]:
        """The files of resources."""
        return ("*.yy", "*.gmx")

    def uses_by_number(
        self, name: str, paths: Collection[str], read: Callable[[str], bytes]
    ) -> str:
        """The id of a resource of 2.0 to 2.2, which others refer to it by."""
        own = [path for path in paths if path.endswith(f"/{name}/{name}.yy")]
        for path in own:
            try:
                key = text_at(read_json_file(read(path)).value, "id")
            except FormatError:  # verify says what is wrong with it
                continue
            if key:
                return re.escape(f'"{key}"')
        return ""

    def defines(self, path: str, line: str, name: str) -> bool:
        """Whether a line is in the resource's own file or in the list of a project, or repeats the
        name of the line before."""
        own = path.rpartition("/")[2].partition(".")[0] == name
        listing = path.endswith(".project.gmx")
        return own or listing or line.lstrip().startswith('"path":')

    def tree(self, document: IdeProjectDocument) -> Iterable[Resource]:
        """The resources that the project lists."""
        for entry in document.entries:
            place = _own_folder(entry, entry.path)
            if not place or not document.files.has_folder(place):  # what is in it is not listed
                path = document.path_of(entry) or entry.path
                place = _own_folder(entry, path) or path
            yield Resource(entry.kind, entry.name, place)

    def settings(self, document: IdeProjectDocument) -> dict[str, object]:
        """Nothing: the files say all of it."""
        return {}

    def plain_files(
        self, document: IdeProjectDocument, options: UnpackOptions
    ) -> Iterator[PlainFile]:
        """The project file, the files of resources, and all others in the folders of a project."""
        yield PlainFile(document.name, document.to_bytes, origin="project")
        seen = {document.name}
        for entry in document.entries:
            path = document.path_of(entry)
            if path is None:
                continue
            folder = _own_folder(entry, path)
            for found in document.files.below(folder) if folder else (path,):
                if found not in seen:
                    seen.add(found)
                    yield PlainFile(found, partial(document.files.read, found), origin=entry.name)
        for found in _others(document):
            if found not in seen:
                yield PlainFile(found, partial(document.files.read, found), origin="project")

    def apply(
        self, document: IdeProjectDocument, folder: Folder, changes: Mapping[str, Change]
    ) -> Findings:
        """Refuse: a project is edited where it is."""
        raise WorkspaceError(_IN_PLACE)

    def empty(self, settings: Mapping[str, object]) -> IdeProjectDocument:
        """Refuse: GameMaker makes new projects."""
        raise WorkspaceError(_IN_PLACE)


_IN_PLACE: Final = (
    "a project of GameMaker's editor can't be packed: it is a folder of plain files already, "
    "so edit its own files, and check it"
)
FORMAT: Final = IdeProjectFormat()
#: Files that an editor writes next to that of a project, or puts in its package.
_NEXT: Final = frozenset(("help.rtf", "metadata.json", "yymanifest.xml"))


def _others(document: IdeProjectDocument) -> Iterator[str]:
    """The files in the folders of a project, listed or not: pictures and sounds of Studio 1, icons,
    options, what an extension brings along; next to the project file, those that belong to it."""
    names, folders = document.files.listing("")
    stem = document.name.partition(".")[0]
    yield from (name for name in names if name in _NEXT or name == f"{stem}.resource_order")
    known = {stem} if document.is_extension else {*KINDS}
    for folder in folders:
        if folder in known:
            yield from document.files.below(folder)


def _own_folder(entry: ListedEntry, path: str) -> str:
    """The folder that has only the files of a resource; empty where others have theirs in it."""
    folder = path.rpartition("/")[0]
    return folder if folder.count("/") > 0 and entry.kind != "included file" else ""
