"""A project of GameMaker's editor as a document: its file, and all files that it lists."""

from __future__ import annotations

from collections import Counter
from typing import Final, Protocol, Self

from overhaul.document.base import BaseDocument
from overhaul.document.jsontext import JsonError
from overhaul.document.protocol import Buffer, Coverage, Siblings
from overhaul.document.registry import load
from overhaul.errors import FormatError
from overhaul.findings import Findings
from overhaul.gamemaker.ide.files import ProjectFiles
from overhaul.gamemaker.ide.listing import KINDS, Entry
from overhaul.gamemaker.ide.modern import ModernProject
from overhaul.gamemaker.ide.studio import StudioProject
from overhaul.gamemaker.ide.texts import MERGE_CONFLICT
from overhaul.gamemaker.ide.values import conflict_marks
from overhaul.suggest import some_of

_MARK: Final = b"\xef\xbb\xbf"
#: What looks at all files, which needs numpy: loaded when that is asked for.
_MODERN: Final = "overhaul.gamemaker.ide.checking:ModernCheck"
_STUDIO: Final = "overhaul.gamemaker.ide.studio_checking:StudioCheck"


class Check(Protocol):
    """Looks at all files of a project; see :mod:`overhaul.gamemaker.ide.checking`."""

    findings: Findings
    otherwise: list[str]

    def run(self) -> None:
        """Look at everything."""


class IdeProjectDocument(BaseDocument):
    """A project of GameMaker: Studio 1 (.project.gmx), or of GameMaker Studio 2 and later (.yyp).

    ``version`` is the release of the editor that wrote it.
    """

    kind = "gamemaker-ide-project"

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
