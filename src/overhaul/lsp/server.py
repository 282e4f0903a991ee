"""The language server: takes the texts of an editor, and answers its requests."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import TypeVar

from cattrs.errors import BaseValidationError
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol
from pygls.protocol.json_rpc import JsonRPCRequestMessage, RPCMessage

from overhaul.errors import OverhaulError
from overhaul.folder.packing import pack
from overhaul.folder.targets import target_of
from overhaul.language.workspace import Workspace
from overhaul.lsp.answering import Answers
from overhaul.lsp.converting import TOKEN_MODIFIERS, TOKEN_TYPES, UTF16, Converter
from overhaul.lsp.folders import File, Folders, path_of
from overhaul.lsp.reporting import Reporter
from overhaul.version import __version__

logger: logging.Logger = logging.getLogger(__name__)

PACK = "overhaul.pack"
#: the answer that lets packing replace a file
REPLACE = "Replace"
_Params = TypeVar("_Params")


class _Answered:
    """Stands for a message that got its answer while it was read."""


class _Protocol(LanguageServerProtocol):
    """Answers requests that can't be read with an error: pygls logs them, and the editor waits."""

    def structure_message(self, data: dict[str, object]) -> object:
        """A message as an object of the protocol."""
        if not all(key in data for key in ("jsonrpc", "id", "method")):
            return super().structure_message(data)
        kind = self.get_message_type(str(data["method"])) or JsonRPCRequestMessage
        try:
            return self._converter.structure(data, kind)
        except (BaseValidationError, TypeError, ValueError, AttributeError, LookupError) as error:
            message = f"{data['method']}: invalid parameters"
            logger.debug("%s: %s", message, error)
            answer = JsonRpcInvalidParams(message).to_response_error()
            number = data["id"]
            if isinstance(number, int | str):
                self._send_response(number, error=answer)
            return _Answered()

    def handle_message(self, message: RPCMessage | _Answered) -> None:
        """Answer a message."""
        if not isinstance(message, _Answered):
            super().handle_message(message)


class Server(LanguageServer):
    """Answers one editor."""

    def __init__(self) -> None:
        super().__init__(
            "overhaul",
            __version__,
            text_document_sync_kind=lsp.TextDocumentSyncKind.Incremental,
            protocol_cls=_Protocol,
        )
        #: whether the editor asked for the end, as it must before it says goodbye
        self.is_ended = False
        self.folders: Folders = Folders()
        self.reporter: Reporter = Reporter(self, self.folders)
        self.answers: Answers = Answers(self, self.folders)
        self._register()

    def _register(self) -> None:
        """Declare which requests are answered, and by what."""

        def on(name: str, options: object = None) -> Callable[[Callable[[_Params], object]], None]:
            def register(method: Callable[[_Params], object]) -> None:
                def answer(params: _Params) -> object:
                    # methods of objects can't have the attributes that pygls gives
                    return method(params)

                self.feature(name, options)(answer)

            return register

        on(lsp.INITIALIZED)(self.initialized)
        on(lsp.SHUTDOWN)(self.ended)
        on(lsp.TEXT_DOCUMENT_DID_OPEN)(self.opened)
        on(lsp.TEXT_DOCUMENT_DID_CHANGE)(self.changed)
        on(lsp.TEXT_DOCUMENT_DID_CLOSE)(self.closed)
        on(lsp.TEXT_DOCUMENT_DID_SAVE)(self.saved)
        on(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)(self.files_changed)
        completing = lsp.CompletionOptions(trigger_characters=["."])
        on(lsp.TEXT_DOCUMENT_COMPLETION, completing)(self.answers.completion)
        calling = lsp.SignatureHelpOptions(trigger_characters=["(", ","])
        on(lsp.TEXT_DOCUMENT_SIGNATURE_HELP, calling)(self.answers.signature_help)
        on(lsp.TEXT_DOCUMENT_HOVER)(self.answers.hover)
        on(lsp.TEXT_DOCUMENT_DEFINITION)(self.answers.definitions)
        on(lsp.TEXT_DOCUMENT_REFERENCES)(self.answers.references)
        on(lsp.TEXT_DOCUMENT_PREPARE_RENAME)(self.answers.prepare_rename)
        on(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))(self.answers.rename)
        on(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)(self.answers.document_symbols)
        on(lsp.WORKSPACE_SYMBOL)(self.answers.workspace_symbols)
        on(lsp.TEXT_DOCUMENT_FORMATTING)(self.answers.formatting)
        legend = lsp.SemanticTokensLegend([*TOKEN_TYPES], [*TOKEN_MODIFIERS])
        on(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, legend)(self.answers.semantic_tokens)
        on(lsp.TEXT_DOCUMENT_CODE_LENS)(self.answers.code_lenses)
        on(lsp.TEXT_DOCUMENT_FOLDING_RANGE)(self.answers.folding_ranges)

        async def packing(uri: str = "") -> str:
            return await self.pack(uri)

        self.command(PACK)(packing)

    def ended(self, params: None) -> None:
        """The editor ends the conversation."""
        self.is_ended = True

    # -- files -------------------------------------------------------------------------------------

    def initialized(self, params: lsp.InitializedParams) -> None:
        """Look into the folders of the editor, and have it report what others change in them."""
        chosen = self.server_capabilities.position_encoding
        converter = Converter(str(getattr(chosen, "value", chosen) or UTF16))
        self.answers.converter = self.reporter.converter = converter
        for folder in self.workspace.folders.values():
            place = path_of(folder.uri)
            workspace = None if place is None else self.folders.open(place)
            if workspace is not None:
                self.reporter.pack_soon(workspace)
        watched = self.client_capabilities.workspace
        watching = None if watched is None else watched.did_change_watched_files
        if watching is not None and watching.dynamic_registration:
            watch = lsp.DidChangeWatchedFilesRegistrationOptions([lsp.FileSystemWatcher("**/*")])
            self.client_register_capability(
                lsp.RegistrationParams(
                    [
                        lsp.Registration(
                            "overhaul-files", lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, watch
                        )
                    ]
                )
            )

    def opened(self, params: lsp.DidOpenTextDocumentParams) -> None:
        """A file is shown."""
        uri = params.text_document.uri
        self.reporter.open.add(uri)
        file = self._take(uri)
        if file is not None:
            if not self.reporter.knows(file.workspace):
                self.reporter.pack_soon(file.workspace)
            self.reporter.check(uri)

    def changed(self, params: lsp.DidChangeTextDocumentParams) -> None:
        """Somebody types."""
        uri = params.text_document.uri
        if self._take(uri) is not None:
            self.reporter.check_soon(uri)

    def _take(self, uri: str) -> File | None:
        """The file of an address, with the text that the editor shows."""
        file = self.folders.file(uri)
        if file is not None:
            file.texts.put(file.path, self.workspace.get_text_document(uri).source)
        return file

    def closed(self, params: lsp.DidCloseTextDocumentParams) -> None:
        """A file is no longer shown."""
        uri = params.text_document.uri
        self.reporter.open.discard(uri)
        self.reporter.forget(uri)
        file = self.folders.file(uri)
        if file is not None:
            file.texts.drop(file.path)
            self.reporter.publish(file.workspace, file.path)

    def saved(self, params: lsp.DidSaveTextDocumentParams) -> None:
        """A file is saved: what packing says of the folder may be another."""
        file = self.folders.file(params.text_document.uri)
        if file is not None:
            self.reporter.pack_soon(file.workspace)

    def files_changed(self, params: lsp.DidChangeWatchedFilesParams) -> None:
        """Another program changed files of a folder."""
        changed: dict[str, Workspace] = {}
        for change in params.changes:
            file = self.folders.file(change.uri)
            if file is None:
                continue
            is_own = (
                change.type == lsp.FileChangeType.Changed and change.uri in self.reporter.open
            )  # the text that the editor shows counts
            if not is_own:
                file.texts.refresh()
                changed[file.workspace.root] = file.workspace
        for workspace in changed.values():
            self.reporter.pack_soon(workspace)
            self.reporter.check_open(workspace)

    async def pack(self, uri: str) -> str:
        """Pack the folder of a file on the disk; return the path of the file that was written.

        A file that is replaced stays as ``NAME.bak``.  The editor asks before one is replaced that
        is neither the original nor packed of this folder.
        """
        file = self.folders.file(uri)
        if file is None:
            raise _refusal(f"{uri} is in no unpacked folder")
        root = file.workspace.root
        try:
            target = await asyncio.to_thread(target_of, root)
            if target.state == "unknown" and not await self._may_replace(target.path):
                raise _refusal(f"{target.path} is another build of the game, and was not replaced")
            made = await asyncio.to_thread(pack, root, force=target.state != "new")
        except (OverhaulError, OSError) as error:
            raise _refusal(str(error)) from error
        return made.path

    async def _may_replace(self, path: str) -> bool:
        """Ask the person whether a file is replaced."""
        params = lsp.ShowMessageRequestParams(
            lsp.MessageType.Warning,
            f"{path} is neither what this folder was unpacked from nor what was packed from it. "
            "Replace it? The file stays next to the new one, as .bak.",
            [lsp.MessageActionItem(REPLACE), lsp.MessageActionItem("Cancel")],
        )
        answer = await self.window_show_message_request_async(params)
        return answer is not None and answer.title == REPLACE


def _refusal(message: str) -> JsonRpcException:
    return JsonRpcException(message, code=lsp.LSPErrorCodes.RequestFailed)
