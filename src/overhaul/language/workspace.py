"""The files of a game that somebody edits, with the language of each."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from overhaul.document.families import language_of
from overhaul.document.protocol import Document
from overhaul.document.registry import load
from overhaul.errors import OverhaulError, WorkspaceError
from overhaul.findings import Findings
from overhaul.folder.packing import packed
from overhaul.folder.toml import NAME, FolderSettings
from overhaul.language.answers import Diagnostic, Severity
from overhaul.language.places import diagnostic
from overhaul.language.protocol import Language, Starts
from overhaul.language.texts import DocumentTexts, FolderTexts, Lines, Texts

#: The language of projects of GameMaker's editor, and what checks one.
#: The same for Studio 1, whose code is in XML.
_GMX: Final = ".project.gmx"
_OPENED: Final = "overhaul.language.gml.editors:opened"
_CHECKED: Final = "overhaul.language.gml.ide_projects:checked"
#: The same for Adventure Game Studio.
_AGF: Final = "Game.agf"
_AGS_OPENED: Final = "overhaul.language.ags.projects:opened"
_AGS_CHECKED: Final = "overhaul.language.ags.projects:checked"


class Workspace:
    """Files that are edited: those of an unpacked folder, or of a document that is open.

    ``texts`` are the files as editors show them; ``languages`` those that some file is written in.
    ``kind`` is that of the document.
    """

    def __init__(
        self,
        texts: Texts,
        languages: list[Language],
        kind: str = "",
        check: Callable[[Mapping[str, bytes | None]], Findings] | None = None,
        home: str = NAME,
    ) -> None:
        self.texts = texts
        self.languages = languages
        self.kind = kind
        #: the file that says what the folder is
        self.home: str = home
        self._check = check

    @classmethod
    def of_folder(cls, folder: str | os.PathLike[str]) -> Workspace:
        """An unpacked folder.  Raises WorkspaceError for one that is none."""
        root = os.fspath(folder)
        kind = FolderSettings.load(root).kind
        texts = FolderTexts(root)
        starts = _starts(kind)
        language = None if starts is None else starts.of_folder(texts)
        return cls(texts, [] if language is None else [language], kind)

    @classmethod
    def of_project(cls, path: str | os.PathLike[str]) -> Workspace:
        """A project of an editor, of GameMaker or Adventure Game Studio, by its file.  Raises
        FormatError for a broken one."""
        place = os.path.realpath(path)
        is_ags = place.endswith(_AGF)
        texts, language = load(_AGS_OPENED if is_ags else _OPENED)(place)
        check = partial(load(_AGS_CHECKED if is_ags else _CHECKED), place)
        kind = "ags-project" if is_ags else "gamemaker-ide-project"
        return cls(texts, [language], kind, check, os.path.basename(place))

    @classmethod
    def of_document(cls, document: Document, files: Mapping[str, Callable[[], bytes]]) -> Workspace:
        """A document that is open, and the plain files that unpacking would write, by path."""
        starts = _starts(document.kind)
        if starts is None:
            return cls(DocumentTexts(files), [], document.kind)
        texts, language = starts.of_document(document, files)
        return cls(texts, [] if language is None else [language], document.kind)

    def close(self) -> None:
        """Release the files that were opened."""
        for language in self.languages:
            language.close()

    def language_of(self, path: str) -> Language | None:
        """The language of a file; None for one without."""
        return next((language for language in self.languages if language.knows(path)), None)

    def names_of(self, path: str) -> Language | None:
        """The language that can be asked for the names in a file: also in JSON."""
        known = self.language_of(path)
        if known is not None:
            return known
        return next((language for language in self.languages if language.knows_names(path)), None)

    @property
    def root(self) -> str:
        """The folder.  Raises WorkspaceError where it is a document that is open."""
        if not isinstance(self.texts, FolderTexts):
            raise WorkspaceError("this is a file: unpack it to change it")
        return self.texts.root

    def prove(self, contents: Mapping[str, bytes | None]) -> Findings:
        """Pack in memory with other contents of some files (None: gone); the findings of that.

        Raises what packing raises.
        """
        if self._check is not None:
            return self._check(self.unsaved | dict(contents))
        return packed(self.root, self.unsaved | dict(contents)).findings

    def outcome(self, unsaved: Mapping[str, bytes]) -> Findings:
        """Pack the folder in memory, or check the project: the findings of that, or of the error.

        It touches nothing that others change, so that it may run in a thread of its own.
        """
        return outcome(self.root, unsaved) if self._check is None else self._check(dict(unsaved))

    def diagnostics(self, path: str) -> list[Diagnostic]:
        """The errors and warnings of a file as it is shown: those of packing."""
        language = self.language_of(path)
        return [] if language is None else language.diagnostics(path)

    def check(self) -> dict[str, list[Diagnostic]]:
        """All that packing the folder as it is shown reports, by file; ``""`` has what names none.

        Every error and warning is there once, in the words of ``pack``.
        """
        return self.reports(self.outcome(self.unsaved))

    @property
    def unsaved(self) -> dict[str, bytes]:
        """The texts of open files as they would be saved, by path."""
        return self.texts.unsaved if isinstance(self.texts, FolderTexts) else {}

    def reports(self, findings: Findings) -> dict[str, list[Diagnostic]]:
        """Findings of packing, by file; what is about no text is under ``""``."""
        found: dict[str, list[Diagnostic]] = {}
        for each in findings:
            path = each.path if each.path in self.texts else ""
            message = str(each.replaced(path="", line=0) if path else each)
            try:
                lines = Lines(self.texts.read(path) if path else "")
            except OverhaulError:
                lines = Lines("")
            severity: Severity = "error" if each.severity == "error" else "warning"
            at = (each.line or 1, each.column or 1) if path else (1, 1)
            found.setdefault(path, []).append(diagnostic(severity, message, *at, lines))
        return found


def _starts(kind: str) -> Starts | None:
    """The function that opens the code of a kind of document; None where no language is known."""
    target = language_of(kind)
    starts: Starts | None = load(target) if target else None
    return starts


def outcome(root: str, unsaved: Mapping[str, bytes]) -> Findings:
    """Pack a folder in memory: the findings of that, or of the error.

    It touches nothing of a workspace, so that it may run in a thread of its own.
    """
    try:
        return packed(root, unsaved).findings
    except OverhaulError as error:
        return error.findings
    except OSError as error:
        return WorkspaceError(str(error)).findings
