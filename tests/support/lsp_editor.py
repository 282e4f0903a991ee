"""An editor that speaks to the language server, as a client of pygls."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from threading import Thread
from typing import Any

from real_files import ROOT

#: how long an editor waits for what the server says by itself
LONG = 60


class Editor:
    """An editor that shows an unpacked folder."""

    def __init__(self, client: Any, folder: Path) -> None:
        from lsprotocol import types

        self.lsp: Any = types
        self.client = client
        self.folder = folder
        self.diagnostics: dict[str, list[Any]] = {}
        self.messages: list[str] = []
        #: the title of the button that the person presses; "" closes the question
        self.answer = ""
        self.watching: list[Any] = []
        self.texts: dict[str, str] = {}
        self.started: Any = None
        self._news = asyncio.Event()
        self._versions: dict[str, int] = {}
        for name, reported in (
            (types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS, self._published),
            (types.WINDOW_SHOW_MESSAGE, self._reported),
            (types.CLIENT_REGISTER_CAPABILITY, self._registered),
            (types.WINDOW_SHOW_MESSAGE_REQUEST, self._asked),
        ):
            client.feature(name)(lambda params, reported=reported: reported(params))

    def _published(self, params: Any) -> None:
        self.diagnostics[self.path(params.uri)] = params.diagnostics
        self._news.set()

    def _reported(self, params: Any) -> None:
        self.messages.append(params.message)

    def _asked(self, params: Any) -> Any:
        self.messages.append(params.message)
        return next((each for each in params.actions if each.title == self.answer), None)

    def _registered(self, params: Any) -> None:
        self.watching += params.registrations

    def uri(self, path: str) -> str:
        """The address of a file."""
        return (self.folder / path).as_uri()

    def path(self, uri: str) -> str:
        """The path of an address."""
        return uri.removeprefix(self.folder.as_uri() + "/")

    def place(self, path: str, word: str, *, behind: bool = False) -> Any:
        """The position of a word in an open text, in UTF-16."""
        text = self.texts[path]
        at = text.index(word) + (len(word) if behind else 0)
        line = text.count("\n", 0, at)
        begun = text[text.rfind("\n", 0, at) + 1 : at]
        return self.lsp.Position(line, len(begun.encode("utf-16-le")) // 2)

    def document(self, path: str) -> Any:
        """A file as requests name it."""
        return self.lsp.TextDocumentIdentifier(self.uri(path))

    def open(self, path: str) -> str:
        """Show a file."""
        text = (self.folder / path).read_bytes().decode()
        self.texts[path] = text
        self._versions[path] = 1
        self.client.text_document_did_open(
            self.lsp.DidOpenTextDocumentParams(
                self.lsp.TextDocumentItem(self.uri(path), "gml", 1, text)
            )
        )
        return text

    def type(self, path: str, text: str) -> None:
        """Give an open file another text."""
        self.texts[path] = text
        self._versions[path] += 1
        self.client.text_document_did_change(
            self.lsp.DidChangeTextDocumentParams(
                self.lsp.VersionedTextDocumentIdentifier(self._versions[path], self.uri(path)),
                [self.lsp.TextDocumentContentChangeWholeDocument(text)],
            )
        )

    def save(self, path: str) -> None:
        """Save an open file."""
        (self.folder / path).write_text(self.texts[path], newline="")
        self.client.text_document_did_save(self.lsp.DidSaveTextDocumentParams(self.document(path)))

    async def reported(self, path: str, *messages: str) -> None:
        """Wait until a file has these reports."""

        async def wait() -> None:
            while [each.message for each in self.diagnostics.get(path, ())] != list(messages):
                self._news.clear()
                await self._news.wait()

        try:
            await asyncio.wait_for(wait(), LONG)
        except TimeoutError:
            raise AssertionError(f"reported of {path}: {self.diagnostics.get(path)}") from None

    def apply(self, edit: Any) -> None:
        """Do what a rename says, on the disk."""
        for change in edit.document_changes:
            if hasattr(change, "edits"):
                place = self.folder / self.path(change.text_document.uri)
                place.write_text(edited(place.read_text(), change.edits), newline="")
            else:
                new = self.folder / self.path(change.new_uri)
                new.parent.mkdir(parents=True, exist_ok=True)
                (self.folder / self.path(change.old_uri)).rename(new)


def edited(text: str, edits: Any) -> str:
    """A text with edits of the protocol."""
    lines = text.split("\n")

    def offset(position: Any) -> int:
        start = sum(len(line) + 1 for line in lines[: position.line])
        line = lines[position.line].encode("utf-16-le")[: 2 * position.character]
        return start + len(line.decode("utf-16-le"))

    for edit in sorted(edits, key=lambda each: -offset(each.range.start)):
        start, end = offset(edit.range.start), offset(edit.range.end)
        text = text[:start] + edit.new_text + text[end:]
    return text


def served_here(client: Any) -> Thread:
    """A server on a thread, to which a client is connected; starting a process takes longer than
    most of what it is asked."""
    from pygls.io_ import StdinAsyncReader, StdoutWriter, run_async

    from overhaul.lsp.server import Server

    (asked, asking), (reported, telling) = os.pipe(), os.pipe()
    files = os.fdopen(asked, "rb"), os.fdopen(telling, "wb")

    def serve() -> None:
        with files[0], files[1]:
            Server().start_io(*files)

    thread = Thread(target=serve, daemon=True)
    thread.start()
    client.protocol.set_writer(StdoutWriter(os.fdopen(asking, "wb")))

    async def read() -> None:
        with open(reported, "rb") as answers:
            reader = StdinAsyncReader(answers)
            await run_async(client._stop_event, reader, client.protocol)

    client._async_tasks.append(asyncio.create_task(read()))
    return thread


@asynccontextmanager
async def editing(
    folder: Path, *, process: bool = False, document_changes: bool = True
) -> AsyncIterator[Editor]:
    """An editor of a folder, with a server of its own: a thread, or the command in a process.

    ``document_changes``: whether the editor takes edits that rename files.
    """
    from lsprotocol import types
    from pygls.lsp.client import LanguageClient

    client: Any = LanguageClient("editor", "1")
    editor = Editor(client, folder.resolve())
    thread = None
    if process:
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
        await client.start_io(sys.executable, "-m", "overhaul", "lsp", env=environment)
    else:
        thread = served_here(client)
    capabilities = types.ClientCapabilities(
        workspace=types.WorkspaceClientCapabilities(
            workspace_edit=types.WorkspaceEditClientCapabilities(
                document_changes=document_changes,
                resource_operations=[types.ResourceOperationKind.Rename],
            ),
            did_change_watched_files=types.DidChangeWatchedFilesClientCapabilities(
                dynamic_registration=True
            ),
        )
    )
    root = editor.folder
    editor.started = await client.initialize_async(
        types.InitializeParams(
            capabilities,
            process_id=os.getpid(),
            root_uri=root.as_uri(),
            workspace_folders=[types.WorkspaceFolder(root.as_uri(), root.name)],
        )
    )
    client.initialized(types.InitializedParams())
    try:
        yield editor
    finally:
        await client.shutdown_async(None)
        client.exit(None)
        await asyncio.sleep(0)
        if thread is None:
            await client._server.wait()
        else:
            client.protocol.writer.close()
            await asyncio.to_thread(thread.join)
        await client.stop()
