"""A project as its resources need it: what it lists, and its files as they are now."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Final

from overhaul.document.base import BaseDocument
from overhaul.document.protocol import Siblings
from overhaul.document.registry import load
from overhaul.errors import FormatError
from overhaul.gamemaker.ide.files import ProjectFiles
from overhaul.gamemaker.ide.gmx import GmxFile, read_gmx
from overhaul.gamemaker.ide.listing import ListedEntry
from overhaul.gamemaker.ide.modern import ModernProject
from overhaul.gamemaker.ide.studio import StudioProject
from overhaul.gamemaker.ide.texts import JsonFile, read_json_file
from overhaul.gml.dialect import Dialect

_MARK: Final = b"\xef\xbb\xbf"
#: Classes of resources, and the language: loaded when they are used.
_OVER: Final = "overhaul.gamemaker.ide.resources.kinds:over"
_OPTIONS: Final = "options/windows/options_windows.yy"
_INTERPOLATE: Final = "option_windows_interpolate_pixels"
_TRUE: Final = ("true", "True", "-1")
_DIALECT: Final = "overhaul.gamemaker.ide.dialects:dialect_of"


class _Index:
    """The rows of a project by kind, name, path and id."""

    def __init__(self, entries: Iterable[ListedEntry]) -> None:
        self.kinds: dict[str, list[ListedEntry]] = {}
        self.names: dict[tuple[str, str], ListedEntry] = {}
        self.paths: dict[str, ListedEntry] = {}
        self.ids: dict[str, ListedEntry] = {}
        for entry in entries:
            self.kinds.setdefault(entry.kind, []).append(entry)
            self.names.setdefault((entry.kind, entry.name), entry)
            self.paths.setdefault(entry.path, entry)
            if entry.id:
                self.ids.setdefault(entry.id, entry)


class ProjectModel(BaseDocument):
    """A project: ``project`` is its file, ``files`` are all others, with the edits of them.

    ``moved`` has the paths of renamed resources, by those that they had.
    """

    def __init__(self, data: bytes, source: str | None, siblings: Siblings | None) -> None:
        super().__init__(source)
        is_json = data.removeprefix(_MARK).lstrip()[:1] == b"{" or (source or "").endswith(".yyp")
        self.files: ProjectFiles = ProjectFiles(siblings)
        self.project: ModernProject | StudioProject = (
            ModernProject(data, source)
            if is_json
            else StudioProject(data, source, self.name if source else "")
        )
        self.version = self.project.release
        self.size: int = len(data)
        self.moved: dict[str, str] = {}
        self._read: dict[str, JsonFile | GmxFile] = {}
        self._index: _Index | None = None

    @property
    def name(self) -> str:
        """The name of the project file."""
        name = (self.source or "").replace("\\", "/").rpartition("/")[2] or "project"
        if ("!" in name or ":" in name) and name not in self.files.listing("")[0]:
            name = name.rpartition("!")[2].rpartition(":")[2]  # in an archive, or of a revision
        return name

    @property
    def is_in_folder(self) -> bool:
        """Whether it is on the disk: not in an archive, and not of a revision."""
        source = self.source or ""
        return os.path.isfile(source) or not ("!" in source or ":" in source)

    @property
    def entries(self) -> list[ListedEntry]:
        """The resources, in the order of the project, and its included files."""
        known = {entry.path for entry in self.project.entries}
        included = [entry for entry in self.project.included if entry.path not in known]
        return [*self.project.entries, *included]

    @property
    def is_studio(self) -> bool:
        """Whether it is a project of Studio 1."""
        return isinstance(self.project, StudioProject)

    @property
    def is_extension(self) -> bool:
        """Whether it is an extension of Studio 1 without a project."""
        return isinstance(self.project, StudioProject) and self.project.is_extension

    # -- resources ------------------------------------------------------------------------------

    def _entries(self) -> _Index:
        if self._index is None:
            self._index = _Index(self.entries)
        return self._index

    def entries_of(self, kind: str) -> Sequence[ListedEntry]:
        """The rows that list the resources of a kind, in their order."""
        return self._entries().kinds.get(kind, [])

    def entry_named(self, kind: str, name: str) -> ListedEntry | None:
        """The first row of a kind and a name."""
        return self._entries().names.get((kind, name))

    def entry_at(self, path: str) -> ListedEntry | None:
        """The row that lists a file."""
        return self._entries().paths.get(path)

    def entry_of_id(self, key: str) -> ListedEntry | None:
        """The row of an id of 2.0 to 2.2."""
        return self._entries().ids.get(key)

    def names_of(self, kind: str) -> list[str]:
        """The names of the resources of a kind."""
        return [entry.name for entry in self.entries_of(kind)]

    def over(self, entry: ListedEntry) -> object:
        """The resource of a row."""
        made: object = load(_OVER)(self, entry.kind, entry.path)
        return made

    def path_of(self, entry: ListedEntry) -> str | None:
        """The path of the file of a resource as it is spelled; None if it is not there."""
        return self.files.spelled(entry.path)

    @property
    def smooth(self) -> bool:
        """Whether the game interpolates pixels: on Windows, in the first configuration."""
        try:
            if isinstance(self.project, StudioProject):
                configuration = next(iter(self.entries_of("configuration")), None)
                path = None if configuration is None else self.path_of(configuration)
                root = None if path is None else self.gmx_file(path).root
                return root is not None and root.value("Options/option_interpolate") in _TRUE
            value = self.json_file(_OPTIONS).value if self.files.has(_OPTIONS) else None
        except FormatError:  # check says what is wrong with it
            return False
        return isinstance(value, dict) and value.get(_INTERPOLATE) is True

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
            self.project = (
                ModernProject(data, self.source)
                if isinstance(file, JsonFile)
                else StudioProject(data, self.source, path)
            )
            self._index = None
        else:
            self._read[path] = file
        self.files.write(path, data)

    def forget(self, path: str) -> None:
        """Read a file again when it is asked for: its bytes were changed, or it was taken out."""
        self._read.pop(path, None)
