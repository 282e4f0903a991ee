"""A project of GameMaker's editor as plain files: its own, unchanged.

The project is a folder of plain files already.  Its files can be read, listed and searched; they
are edited where they are, and no copy is packed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial
from typing import Final

from overhaul.document.folder_format import FolderFormat
from overhaul.document.format_parts import NewResources, ResourceMentions
from overhaul.document.plainfiles import Change, Folder, PlainFile, UnpackOptions
from overhaul.document.protocol import Resource, Siblings
from overhaul.errors import FormatError, PlainFileError, WorkspaceError
from overhaul.findings import Findings
from overhaul.gamemaker.ide.dialects import closed
from overhaul.gamemaker.ide.document import IdeProjectDocument
from overhaul.gamemaker.ide.gmx import read_gmx
from overhaul.gamemaker.ide.listing import KINDS, ListedEntry
from overhaul.gamemaker.ide.resources.kinds import listed
from overhaul.gamemaker.ide.resources.templates import kinds_added
from overhaul.gamemaker.ide.texts import read_json_file
from overhaul.gamemaker.ide.values import text_at
from overhaul.gml.errors import SyntaxError_
from overhaul.gml.syntax.parser import parse
from overhaul.media import png

_IN_PLACE: Final = (
    "a project of GameMaker's editor can't be packed: it is a folder of plain files already, "
    "so edit its own files, and check it"
)


class IdeProjectMentions(ResourceMentions):
    """How the files of a project mention resources."""

    has_numbers = True

    def files(self) -> Collection[str]:
        """The files of resources."""
        return ("*.yy", "*.gmx")

    def by_number(self, name: str, paths: Collection[str], read: Callable[[str], bytes]) -> str:
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


class IdeProjectAdditions(NewResources[IdeProjectDocument]):
    """The resources that can be added to a project."""

    def kinds(self, document: IdeProjectDocument) -> dict[str, str]:
        """The kinds that the library adds, without files of their own to choose."""
        return dict.fromkeys(kinds_added(document), "") if document.is_in_folder else {}


MENTIONS: Final = IdeProjectMentions()
ADDITIONS: Final = IdeProjectAdditions()


class IdeProjectFormat(FolderFormat[IdeProjectDocument]):
    """A project of the editor as a folder."""

    edited_in_place = _IN_PLACE
    edits_files = True

    def tree(self, document: IdeProjectDocument) -> Iterable[Resource]:
        """The resources that the project lists."""
        for entry in document.entries:
            place = _own_folder(entry, entry.path)
            if not place or not document.files.has_folder(place):  # its contents are not listed
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
        """Give files of the project other contents; which files there are, the project says.

        Raises PlainFileError for a file that is added or removed without a change of the project's
        file, FormatError for JSON, XML or GML that is broken.
        """
        for path, change in changes.items():
            if change != "changed" and document.name not in changes:
                raise PlainFileError(f"it can't be {change} alone: {_WITH_ITS_RESOURCE}", path)
            if change == "removed":
                document.files.write(path, None)
                document.forget(path)
                continue
            data = folder.read(path)
            if path.endswith((".yy", ".yyp")):
                file = read_json_file(data, source=path)
                if not isinstance(file.value, dict):
                    raise FormatError("expected an object", source=path)
                document.put(path, file)
            elif path.endswith(".gmx"):
                document.put(path, read_gmx(data, source=path))
            else:
                if path.endswith(".gml") and path.startswith(_CODED):
                    _check_source(document, path, data)
                elif path.endswith(".png") and change == "changed":
                    _check_picture(path, document.files.read(path), data)
                document.files.write(path, data)
        return Findings()

    def changes_of(
        self, document: IdeProjectDocument, verb: str, kind: str, name: str, new: str
    ) -> tuple[Mapping[str, bytes | None], Findings]:
        """The changes of the files by a verb of the library: ``add``, ``rename``, ``duplicate``
        or ``remove``. Raises WorkspaceError for what it refuses."""
        resources = listed(document, kind)
        before = document.to_bytes()
        findings = Findings()
        try:
            match verb:
                case "add":
                    resources.add(new)
                case "rename":
                    findings += resources.rename(name, new)
                case "duplicate":
                    resources.duplicate(name, new)
                case _:
                    findings += resources.remove(name, force=True)
        except (ValueError, KeyError) as error:
            raise WorkspaceError(str(error)) from error
        changes = dict(document.files.changed)
        if document.to_bytes() != before:
            changes[document.name] = document.to_bytes()
        return changes, findings

    def siblings_of(self, document: IdeProjectDocument, built: Siblings) -> Siblings:
        """The files of the project as they are edited."""
        return document.files

    def empty(self, settings: Mapping[str, object]) -> IdeProjectDocument:
        """Refuse: GameMaker makes new projects."""
        raise WorkspaceError(_IN_PLACE)

    @property
    def mentions(self) -> IdeProjectMentions:
        """Names, and the ids of 2.0 to 2.2."""
        return MENTIONS

    @property
    def additions(self) -> IdeProjectAdditions:
        """The resources that can be added."""
        return ADDITIONS


#: The folders whose sources the game has; those of extensions are in a form of their own.
_CODED: Final = ("objects/", "rooms/", "scripts/", "timelines/")
#: Several scripts of Studio 1 in one file.
_SEVERAL: Final = re.compile(r"^#define\b", re.MULTILINE)
_WITH_ITS_RESOURCE: Final = "files are added and removed with the resource that has them"
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


def _check_picture(path: str, old: bytes, new: bytes) -> None:
    """Refuse files other than pictures, and pictures of another size than the file of the
    resource has."""
    if not new.startswith(png.SIGNATURE):
        raise PlainFileError("not a PNG picture", path)
    if old.startswith(png.SIGNATURE) and png.size(old) != png.size(new):
        (width, height), (wanted, high) = png.size(new), png.size(old)
        message = f"a picture of {width} x {height} pixels; its resource has {wanted} x {high}"
        raise PlainFileError(message, path)


def _check_source(document: IdeProjectDocument, path: str, data: bytes) -> None:
    """Raise SyntaxError_ for GML that is none; names are looked at while it is written."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FormatError("not a text in UTF-8", source=path, offset=error.start) from None
    if _SEVERAL.search(text):
        return
    try:
        parse(closed(text, document.dialect), document.dialect, name=path)
    except SyntaxError_ as error:
        error.name = path
        raise


def _own_folder(entry: ListedEntry, path: str) -> str:
    """The folder that has only the files of a resource; empty where others have theirs in it."""
    folder = path.rpartition("/")[0]
    return folder if folder.count("/") > 0 and entry.kind != "included file" else ""
