"""The scripts of a project of Adventure Game Studio's editor, edited where they are."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final

from overhaul.ags.agf.compiling import ProjectCompiler
from overhaul.ags.agf.files import ProjectFiles
from overhaul.ags.folder.code import HEADER, SOURCE
from overhaul.ags.language import Declared, declared
from overhaul.ags.project.compiled_again import held_files
from overhaul.ags.project.document import ProjectDocument
from overhaul.document.plainfiles import Change
from overhaul.document.protocol import Document
from overhaul.errors import FormatError, OverhaulError, SourceError
from overhaul.findings import Finding, Findings
from overhaul.language.ags.games import AgsScripts
from overhaul.language.ags.language import AgsLanguage
from overhaul.language.answers import Diagnostic
from overhaul.language.places import diagnostic
from overhaul.language.protocol import Starts
from overhaul.language.texts import DocumentTexts, FolderTexts, Lines, Texts

_ROOM: Final = re.compile(r"room\d+\.asc", re.IGNORECASE)


class _Shown(ProjectFiles):
    """The files of a project, with texts in the place of some: by their paths in the folder."""

    def __init__(self, root: str, texts: Mapping[str, bytes]) -> None:
        super().__init__(Path(root))
        self._texts = texts

    def read(self, path: Path) -> bytes:
        """The bytes of a file, as it is shown."""
        shown = self._texts.get(os.path.relpath(path, self.root).replace(os.sep, "/"))
        return super().read(path) if shown is None else shown


class AgsProject(AgsScripts):
    """The scripts of a project."""

    refused = "names of a project are not renamed: Game.agf and its rooms name functions, too"

    def __init__(self, texts: Texts, files: Callable[[], ProjectFiles]) -> None:
        """``files`` gives the files of the project, as they are shown."""
        super().__init__(texts)
        self._open_files = files
        self._seen = -1
        self._compiler: ProjectCompiler | None = None
        #: why the project can't be read
        self._refused: OverhaulError | None = None
        self._kept: dict[str, tuple[str, Declared | None]] = {}
        #: the names by script, since the files changed last
        self._now: dict[str, Declared | None] = {}

    def _look(self) -> None:
        """Look again at the project where its files became others."""
        seen = len(self.texts.changes)
        if seen == self._seen:
            return
        self._seen, self._now, self._refused = seen, {}, None
        compiler, self._compiler = self._compiler, None
        files = self._open_files()
        try:
            if compiler is not None:
                compiler.files = files
            if compiler is None or not compiler.is_current():
                compiler = ProjectCompiler(files)
            self._compiler = compiler
        except OverhaulError as error:
            self._refused = error

    def _difference(self, path: str) -> Change | None:
        return None

    def _compiling(self) -> ProjectCompiler:
        """The compiler of the project as it is shown.  Raises OverhaulError."""
        self._look()
        if self._compiler is None:
            refused = self._refused or FormatError("the project is not read")
            raise refused.with_traceback(None)
        return self._compiler

    def is_of_room(self, path: str) -> bool:
        """Whether a script is that of a room, which no other one can use."""
        return _ROOM.fullmatch(path) is not None

    def declared(self, path: str) -> Declared | None:
        """The names that a script can use besides its own; None if they are not known."""
        script = path[: path.rindex(".")] + SOURCE
        self._look()
        if script not in self._now:
            self._now[script] = self._names(script)
        return self._now[script]

    def _names(self, script: str) -> Declared | None:
        kept = self._kept.get(script)
        try:
            compiler = self._compiling()
            headers = compiler.headers_of(compiler.folder / script)
            stamp = "\0".join(source.text for source in headers[1:])
            if kept is None or kept[0] != stamp:
                kept = self._kept[script] = stamp, declared(headers, compiler.options)
        except OverhaulError:
            return None if kept is None else kept[1]
        return kept[1]

    def check(self, path: str) -> list[Diagnostic]:
        """The findings of building about a script or a header."""
        script = path[: path.rindex(".")] + SOURCE
        if script not in self.texts:
            return []
        lines = Lines(self.texts.read(path))
        try:
            mistakes = _mistakes(self._compiling(), script)
        except OverhaulError:  # of Game.agf, which building reports
            return []
        return [
            diagnostic("error", mistake.message, mistake.line, mistake.column, lines)
            for mistake in mistakes
            if mistake.name.lower() == path.lower()
        ]

    def files_of(self, path: str) -> Iterator[str]:
        """The script that a file is one of, its header, and those of others."""
        stem = path[: path.rindex(".")]
        own = [name for name in (stem + SOURCE, stem + HEADER) if name in self.texts]
        yield from own
        try:
            headers = self._compiling().project.headers
        except OverhaulError:
            return
        yield from (name for name in headers if name in self.texts and name not in own)


def _mistakes(compiler: ProjectCompiler, script: str) -> list[SourceError]:
    """The mistakes in a script, or in a header before it."""
    try:
        compiler.compile(compiler.folder / script)
    except SourceError as error:
        return list(getattr(error, "errors", ())) or [error]
    return []


def opened(place: str) -> tuple[FolderTexts, AgsLanguage]:
    """The files around Game.agf as texts, and their language."""
    texts = FolderTexts(os.path.dirname(place))
    return texts, AgsLanguage(texts, AgsProject(texts, lambda: _Shown(texts.root, texts.unsaved)))


class _OfProject(Starts):
    def of_folder(self, texts: FolderTexts) -> None:
        """Nothing: unpacking a project leaves its scripts next to it."""

    def of_document(
        self, document: Document, files: Mapping[str, Callable[[], bytes]]
    ) -> tuple[DocumentTexts, AgsLanguage]:
        assert isinstance(document, ProjectDocument)
        texts, project = DocumentTexts(files), document.to_bytes()

        def read(name: str) -> bytes:
            return texts.data(name) if name in texts else document.near(name)

        shown = AgsProject(texts, lambda: held_files(document, project, read))
        return texts, AgsLanguage(texts, shown)


PROJECT: Final = _OfProject()


def checked(place: str, contents: Mapping[str, bytes | None]) -> Findings:
    """The faults of all scripts of a project with other contents of some files.

    It touches nothing of a workspace, so that it may run in a thread of its own.
    """
    root = os.path.dirname(place)
    shown = {path: data for path, data in contents.items() if data is not None}
    found: dict[tuple[str, int, int, str], Finding] = {}
    try:
        compiler = ProjectCompiler(_Shown(root, shown))
        names = [name for name in compiler.files.names() if name.lower().endswith(SOURCE)]
        known = {name.lower() for name in compiler.project.headers}
        for name in names:
            if not _ROOM.fullmatch(name) and name[: -len(SOURCE)].lower() + HEADER not in known:
                continue  # no script of the project
            for each in _mistakes(compiler, name):
                key = each.name, each.line, each.column, each.message
                found[key] = Finding("error", each.code, each.message, each.name, "", *key[1:3])
    except OverhaulError as error:
        return error.findings
    return Findings(found.values())
