"""The findings of packing about open files and folders, shown by the editor."""

from __future__ import annotations

import asyncio
import logging

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

from overhaul.errors import OverhaulError
from overhaul.language.answers import Diagnostic
from overhaul.language.texts import Lines
from overhaul.language.workspace import Workspace
from overhaul.lsp.converting import Converter
from overhaul.lsp.folders import Folders

_LOG = logging.getLogger(__name__)
#: the seconds that an editor has to be quiet before a text is checked
PAUSE = 0.15


class Reporter:
    """Checks open files while they are edited, and packs folders in memory when they are saved.

    ``open`` has the addresses of the files that the editor shows.
    """

    def __init__(self, server: LanguageServer, folders: Folders) -> None:
        self.server = server
        self.folders = folders
        self.converter: Converter = Converter()
        self.open: set[str] = set()
        self._waiting: dict[str, asyncio.TimerHandle] = {}
        self._packing: dict[str, asyncio.Task[None]] = {}
        self._again: set[str] = set()
        #: the last findings of packing of each folder, by file
        self._reports: dict[str, dict[str, list[Diagnostic]]] = {}
        self._shown: dict[str, set[str]] = {}

    def check_soon(self, uri: str) -> None:
        """Check an open file once the editor is quiet."""
        self.forget(uri)
        loop = asyncio.get_running_loop()
        self._waiting[uri] = loop.call_later(PAUSE, self.check, uri)

    def forget(self, uri: str) -> None:
        """Do not check a file that waits for it."""
        waiting = self._waiting.pop(uri, None)
        if waiting is not None:
            waiting.cancel()

    def knows(self, workspace: Workspace) -> bool:
        """Whether a folder was packed, or is being packed."""
        return workspace.root in self._reports or workspace.root in self._packing

    def check(self, uri: str) -> None:
        """Report what is wrong in an open file, as its text is now."""
        self._waiting.pop(uri, None)
        file = self.folders.file(uri)
        if file is None or uri not in self.open:
            return
        if file.language is None:
            self.publish(file.workspace, file.path)
            return
        try:
            found = file.workspace.diagnostics(file.path)
        except OverhaulError as error:
            _LOG.debug("%s can't be checked: %s", file.path, error)
            return
        self.publish(file.workspace, file.path, found)

    def check_open(self, workspace: Workspace) -> None:
        """Check all open files of a folder."""
        for uri in sorted(self.open):
            file = self.folders.file(uri)
            if file is not None and file.workspace is workspace:
                self.check(uri)

    def publish(
        self, workspace: Workspace, path: str, found: list[Diagnostic] | None = None
    ) -> None:
        """Show the reports of a file: those of its text, or what packing said last."""
        if found is None:
            found = self._reports.get(workspace.root, {}).get(path, [])
        shown = self._shown.setdefault(workspace.root, set())
        if not found and path not in shown:
            return
        (shown.add if found else shown.discard)(path)
        try:
            lines = Lines(workspace.texts.read(path))
        except OverhaulError:
            lines = Lines("")
        self.server.text_document_publish_diagnostics(
            lsp.PublishDiagnosticsParams(
                self.folders.uri(workspace, path),
                [self.converter.diagnostic(lines, mistake) for mistake in found],
            )
        )

    def pack_soon(self, workspace: Workspace) -> None:
        """Pack a folder in memory, in a thread, and show what that reports."""
        root = workspace.root
        if root in self._packing:
            self._again.add(root)
            return
        task = asyncio.get_running_loop().create_task(self._packed(workspace))
        self._packing[root] = task

    async def _packed(self, workspace: Workspace) -> None:
        root = workspace.root
        try:
            said = await asyncio.to_thread(workspace.outcome, workspace.unsaved)
            before = self._reports.get(root, {})
            now = workspace.reports(said)
            if "" in now:  # about no file: shown where the folder names its type
                now.setdefault(workspace.home, []).extend(now.pop(""))
            self._reports[root] = now
            for path in sorted({*before, *now}):
                uri = self.folders.uri(workspace, path)
                if uri not in self.open or workspace.language_of(path) is None:
                    self.publish(workspace, path)
        finally:
            del self._packing[root]
        if root in self._again:
            self._again.discard(root)
            self.pack_soon(workspace)
