"""A project of GameMaker's editor as a document: its file, and all files that it lists."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final, Protocol, Self

from overhaul.document.base import BaseDocument
from overhaul.document.jsontext import JsonError
from overhaul.document.protocol import Buffer, Coverage, Document, Siblings
from overhaul.document.registry import load
from overhaul.errors import FormatError, WorkspaceError
from overhaul.findings import Findings
from overhaul.gamemaker.ide.files import ProjectFiles
from overhaul.gamemaker.ide.gmx import GmxFile, read_gmx
from overhaul.gamemaker.ide.listing import KINDS, Entry
from overhaul.gamemaker.ide.lists import Lists
from overhaul.gamemaker.ide.modern import ModernProject
from overhaul.gamemaker.ide.studio import StudioProject
from overhaul.gamemaker.ide.texts import MERGE_CONFLICT, JsonFile, read_json_file
from overhaul.gamemaker.ide.values import conflict_marks
from overhaul.suggest import some_of

if TYPE_CHECKING:
    from overhaul.document.views import ResourceView
    from overhaul.gamemaker.ide.resources.base import Resource
    from overhaul.gml.dialect import Dialect

_MARK: Final = b"\xef\xbb\xbf"
#: What looks at all files, which needs numpy: loaded when that is asked for.
_MODERN: Final = "overhaul.gamemaker.ide.checking:ModernCheck"
_STUDIO: Final = "overhaul.gamemaker.ide.studio_checking:StudioCheck"

#: Classes of resources, the language and saving: loaded when they are used.
_OVER: Final = "overhaul.gamemaker.ide.resources.kinds:over"
_DIALECT: Final = "overhaul.gamemaker.ide.dialects:dialect_of"
_COMPARED: Final = "overhaul.gamemaker.ide_game.comparing:compared"
_SAVE: Final = "overhaul.gamemaker.ide.saving:save_files"


class _Index:
    """The rows of a project by kind, name, path and id."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self.kinds: dict[str, list[Entry]] = {}
        self.names: dict[tuple[str, str], Entry] = {}
        self.paths: dict[str, Entry] = {}
        self.ids: dict[str, Entry] = {}
        for entry in entries:
            self.kinds.setdefault(entry.kind, []).append(entry)
            self.names.setdefault((entry.kind, entry.name), entry)
            self.paths.setdefault(entry.path, entry)
            if entry.id:
                self.ids.setdefault(entry.id, entry)


class Check(Protocol):
    """Looks at all files of a project; see :mod:`overhaul.gamemaker.ide.checking`."""

    findings: Findings
    otherwise: list[str]

    def run(self) -> None:
        """Look at everything."""


class IdeProjectDocument(Lists, BaseDocument):
    """A project of GameMaker: Studio 1 (.project.gmx), or of GameMaker Studio 2 and later (.yyp).

    ``version`` is the release of the editor that wrote it.  The resources are attributes
    (``project.sprites["spr_player"]``); an edit of one changes its place in its file and nothing
    else, and :meth:`save` writes the files that changed.
    """

    kind = "gamemaker-ide-project"
    #: what there is to draw
    drawn_kinds: Sequence[str] = ("room", "sprite", "tile set", "background")

    def __init__(self, data: bytes, source: str | None, siblings: Siblings | None) -> None:
        super().__init__(source)
        is_json = data.removeprefix(_MARK).lstrip()[:1] == b"{"
        self.project: ModernProject | StudioProject = (
            ModernProject(data, source) if is_json else StudioProject(data, source)
        )
        self.version = self.project.release
        self.files: ProjectFiles = ProjectFiles(siblings)
        self.size: int = len(data)
        self._is_checked = False
        #: the paths of renamed resources, by those that they had
        self.moved: dict[str, str] = {}
        self._read: dict[str, JsonFile | GmxFile] = {}
        self._index: _Index | None = None

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
        """Read the project file; the others are read when they are asked for.

        Raises FormatError for JSON or XML that is broken, or of something else; with ``strict``
        for a fault in any file of the project.
        """
        try:
            document = cls(bytes(data), source, siblings)
        except JsonError as error:
            others = marked_files(ProjectFiles(siblings)) if error.code == MERGE_CONFLICT else []
            if others:
                error.message += f"; it left marks in {', '.join(others)} too"
            raise
        if strict:
            document.decode()
            wrong = [found for found in document.findings if found.severity != "note"]
            if wrong:
                raise FormatError(str(wrong[0]), source=source, code=wrong[0].code)
        return document

    @property
    def name(self) -> str:
        """What the project file is called."""
        return (self.source or "").replace("\\", "/").rpartition("/")[2] or "project"

    @property
    def entries(self) -> list[Entry]:
        """The resources, in the order of the project, and its included files."""
        known = {entry.path for entry in self.project.entries}
        included = [entry for entry in self.project.included if entry.path not in known]
        return [*self.project.entries, *included]

    @property
    def is_studio(self) -> bool:
        """Whether it is a project of Studio 1."""
        return isinstance(self.project, StudioProject)

    # -- resources ------------------------------------------------------------------------------

    def _entries(self) -> _Index:
        if self._index is None:
            self._index = _Index(self.entries)
        return self._index

    def entries_of(self, kind: str) -> Sequence[Entry]:
        """The rows that list the resources of a kind, in their order."""
        return self._entries().kinds.get(kind, [])

    def entry_named(self, kind: str, name: str) -> Entry | None:
        """The first row of a kind and a name."""
        return self._entries().names.get((kind, name))

    def entry_at(self, path: str) -> Entry | None:
        """The row that lists a file."""
        return self._entries().paths.get(path)

    def entry_of_id(self, key: str) -> Entry | None:
        """The row of an id of 2.0 to 2.2."""
        return self._entries().ids.get(key)

    def names_of(self, kind: str) -> list[str]:
        """The names of the resources of a kind."""
        return [entry.name for entry in self.entries_of(kind)]

    def over(self, entry: Entry) -> Resource:
        """The resource of a row."""
        made: Resource = load(_OVER)(self, entry.kind, entry.path)
        return made

    def resources(self, kind: str) -> Iterable[ResourceView]:
        """The resources of a kind, in the order of the project."""
        return map(self.over, self.entries_of(kind))

    def resource_at(self, kind: str, position: int, name: str) -> ResourceView | None:
        """The resource that ``ls`` lists at a position among those of its kind."""
        entries = self.entries_of(kind)
        return self.over(entries[position]) if 0 <= position < len(entries) else None

    @property
    def dialect(self) -> Dialect:
        """The language of its code."""
        made: Dialect = load(_DIALECT)(self.version)
        return made

    # -- files ----------------------------------------------------------------------------------

    def json_file(self, path: str) -> JsonFile:
        """A file in JSON as it is now.  Raises FormatError for one that is none."""
        file = self._read.get(path)
        if path == self.name and isinstance(self.project, ModernProject):
            return self.project.file
        if not isinstance(file, JsonFile):
            file = self._read[path] = read_json_file(self.files.read(path), source=path)
            file.at()  # its values
        return file

    def gmx_file(self, path: str) -> GmxFile:
        """A file in XML as it is now.  Raises FormatError for one that is none."""
        file = self._read.get(path)
        if path == self.name and isinstance(self.project, StudioProject):
            return self.project.file
        if not isinstance(file, GmxFile):
            file = self._read[path] = read_gmx(self.files.read(path), source=path)
        return file

    def put(self, path: str, file: JsonFile | GmxFile) -> None:
        """Keep a file as it will be saved."""
        data = file.to_bytes()
        if path == self.name:
            is_modern = isinstance(file, JsonFile)
            self.project = (ModernProject if is_modern else StudioProject)(data, self.source)
            self._index = None
        else:
            self._read[path] = file
        self.files.write(path, data)

    def forget(self, path: str) -> None:
        """Read a file again when it is asked for: its bytes were changed, or it was taken out."""
        self._read.pop(path, None)

    def save(self, path: str | os.PathLike[str] | None = None, *, force: bool = False) -> None:
        """Write the files that changed, where the project is: all of them, or none.

        Files that were taken out are kept in ``.overhaul/removed``.  Raises WorkspaceError for a
        project that is not in a folder, and for another path: a project is more than its file.
        """
        del force
        if path is not None and os.path.abspath(path) != os.path.abspath(self.source or ""):
            raise WorkspaceError("a project is saved where it is: copy its folder for another one")
        if self.source is None or "!" in self.source:
            raise WorkspaceError("only a project in a folder is saved: unpack its archive first")
        folder = os.path.dirname(os.path.abspath(self.source))
        load(_SAVE)(folder, self.files.changed, self.files.moved)
        self.files.saved()

    def path_of(self, entry: Entry) -> str | None:
        """The path of the file of a resource as it is spelled; None if it is not there."""
        return self.files.spelled(entry.path)

    def info(self) -> dict[str, object]:
        """The editor that wrote it, how many resources of each kind it lists, which are missing."""
        counts = Counter(entry.kind for entry in self.entries)
        facts: dict[str, object] = {
            "kind": self.kind,
            "compiled_with": self.version,
            "name": self.name.partition(".")[0],
            "configurations": self.project.configurations,
            "resources": dict(sorted(counts.items())),
        }
        if self.files.are_known:
            facts["missing_files"] = [
                entry.path for entry in self.entries if self.path_of(entry) is None
                and not self.project.is_elsewhere(entry)
            ]  # fmt: skip
        return facts

    def decode(self) -> None:
        """Read every file of the project, and find the faults."""
        if self._is_checked:
            return
        self._is_checked = True
        is_modern = isinstance(self.project, ModernProject)
        check: Check = load(_MODERN if is_modern else _STUDIO)(self.project, self.files, self.name)
        check.run()
        self.findings += check.findings
        if check.otherwise:
            names = some_of(check.otherwise)
            message = f"GameMaker writes {names} in another form: another program wrote it"
            self.findings.warn("unusual", message, check.otherwise[0])

    def counterpart(self, other: Document) -> tuple[Document, Document, list[str]] | None:
        """The project and a game, each as what both have, and what only one has in words."""
        made: tuple[Document, Document, list[str]] | None = load(_COMPARED)(self, other)
        return made

    def to_bytes(self) -> bytes:
        """The project file."""
        return self.project.file.to_bytes()

    def coverage(self) -> Coverage:
        """All of the project file is understood."""
        return Coverage(self.size)


def marked_files(files: ProjectFiles) -> list[str]:
    """The files of resources in which a merge left its marks, with the line of the first.

    They are found without the list of the project.
    """
    found: list[str] = []
    for folder in sorted(set(files.listing("")[1]) & set(KINDS)):
        names, folders = files.listing(folder)
        paths = [f"{folder}/{name}" for name in names]
        paths += [f"{folder}/{inner}/{name}" for inner in folders
                  for name in files.listing(f"{folder}/{inner}")[0]]  # fmt: skip
        for path in paths:
            data = files.read(path) if path.endswith((".yy", ".gml")) else b""
            mark = next(conflict_marks(data.decode("utf-8", "replace")), None)
            if mark is not None:
                found.append(f"{path}:{mark.line}")
    return found
