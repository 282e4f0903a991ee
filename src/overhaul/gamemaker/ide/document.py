"""A project of GameMaker's editor as a document: its file, and all files that it lists."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Protocol, Self, cast

from overhaul.document.jsontext import JsonError
from overhaul.document.protocol import Buffer, Coverage, Document, Siblings
from overhaul.document.registry import load
from overhaul.document.views import ResourceView
from overhaul.errors import FormatError, WorkspaceError
from overhaul.findings import Findings
from overhaul.gamemaker.ide.files import ProjectFiles
from overhaul.gamemaker.ide.listing import KINDS
from overhaul.gamemaker.ide.lists import Lists
from overhaul.gamemaker.ide.model import ProjectModel
from overhaul.gamemaker.ide.modern import ModernProject
from overhaul.gamemaker.ide.resources.base import Resource
from overhaul.gamemaker.ide.values import MERGE_CONFLICT, conflict_marks
from overhaul.gml.context import Context
from overhaul.suggest import some_of

#: The functions that look at all files, which need numpy: loaded when they are asked for.
_MODERN: Final = "overhaul.gamemaker.ide.checking:ModernCheck"
_STUDIO: Final = "overhaul.gamemaker.ide.studio_checking:StudioCheck"
#: Comparing and saving, as well.
_CONTEXT: Final = "overhaul.gamemaker.ide.dialects:context_of"
_COMPARED: Final = "overhaul.gamemaker.ide_game.comparing:compared"
_SAVE: Final = "overhaul.document.saving:save_files"


class Check(Protocol):
    """Looks at all files of a project; see :mod:`overhaul.gamemaker.ide.checking`."""

    findings: Findings
    otherwise: list[str]
    undeclared: Counter[str]

    def run(self) -> None:
        """Look at everything."""


class IdeProjectDocument(Lists, ProjectModel):
    """A project of GameMaker: Studio 1 (.project.gmx), or of GameMaker Studio 2 and later (.yyp).

    ``version`` is the release of the editor that wrote it.  The resources are attributes
    (``project.sprites["spr_player"]``); an edit of one changes its place in its file and nothing
    else, and :meth:`save` writes the files that changed.
    """

    kind = "gamemaker-ide-project"
    #: the kinds of pictures
    drawn_kinds: Sequence[str] = ("room", "sprite", "tile set", "background")

    def __init__(self, data: bytes, source: str | None, siblings: Siblings | None) -> None:
        super().__init__(data, source, siblings)
        self._is_checked = False

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

    def resources(self, kind: str) -> Iterable[ResourceView]:
        """The resources of a kind, in the order of the project."""
        return (cast("Resource", self.over(entry)) for entry in self.entries_of(kind))

    def resource_at(self, kind: str, position: int, name: str) -> ResourceView | None:
        """The resource that ``ls`` lists at a position among those of its kind."""
        entries = self.entries_of(kind)
        inside = 0 <= position < len(entries)
        return cast("Resource", self.over(entries[position])) if inside else None

    def save(self, path: str | os.PathLike[str] | None = None, *, force: bool = False) -> None:
        """Write the files that changed, where the project is: all of them, or none.

        Files that were taken out are kept in ``.overhaul/removed``.  Raises WorkspaceError for a
        project that is not in a folder, and for another path: a project is more than its file.
        """
        del force
        if self.source is None or not self.is_in_folder:
            raise WorkspaceError("only a project in a folder is saved: unpack its archive first")
        if path is not None and os.path.abspath(path) != os.path.abspath(self.source):
            raise WorkspaceError("a project is saved where it is: copy its folder for another one")
        folder = os.path.dirname(os.path.abspath(self.source))
        load(_SAVE)(folder, self.files.changed, self.files.moved)
        self.files.saved()

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
        if check.undeclared:
            counts = [f"{name} ({count})" for name, count in check.undeclared.most_common()]
            message = f"fields that are not declared, and kept as they are: {some_of(counts)}"
            self.findings.add_note("undeclared", message)

    def context(self) -> Context:
        """The context of the language tools: the dialect, the resources by name."""
        return cast("Context", load(_CONTEXT)(self.version, self.entries))

    def counterpart(self, other: Document) -> tuple[Document, Document, list[str]] | None:
        """The project and a game, each as what both have, and what only one has in words."""
        made: tuple[Document, Document, list[str]] | None = load(_COMPARED)(self, other)
        return made

    def to_bytes(self) -> bytes:
        """The project file."""
        return self.project.file.to_bytes()

    def companions(self) -> Mapping[str, bytes]:
        """The other files of the project that are not as on the disk, by their paths."""
        return {path: data for path, data in self.files.differing().items() if path != self.name}

    def removed_files(self) -> frozenset[str]:
        """The paths of the files that were taken out."""
        return self.files.removed()

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
