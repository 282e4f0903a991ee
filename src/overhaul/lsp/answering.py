"""Requests of an editor, answered by the languages of its files."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

from overhaul.errors import OverhaulError
from overhaul.language.answers import Renamed, Span
from overhaul.language.protocol import Language
from overhaul.language.texts import Lines
from overhaul.lsp.converting import Converter
from overhaul.lsp.folders import File, Folders

_T = TypeVar("_T")
#: how many places that a rename left as they are a message lists
_LISTED = 10
USES = "overhaul.showUses"


class Answers:
    """Answers requests about files of folders."""

    def __init__(self, server: LanguageServer, folders: Folders) -> None:
        self.server = server
        self.folders = folders
        self.converter: Converter = Converter()

    def _ask(
        self, uri: str, ask: Callable[[File, Language, Lines], _T], *, names: bool = False
    ) -> _T | None:
        """The answer of a file's language; None where it has none.

        ``names``: the question is about a name, which JSON files have too.
        """
        file = self.folders.file(uri)
        language = None if file is None else file.language
        if names and file is not None:
            language = file.workspace.names_of(file.path)
        if file is None or language is None:
            return None
        try:
            return ask(file, language, file.lines)
        except OverhaulError as error:
            raise JsonRpcException(str(error), code=lsp.LSPErrorCodes.RequestFailed) from error

    def completion(self, params: lsp.CompletionParams) -> lsp.CompletionList | None:
        """The names that may stand at a place."""

        def ask(file: File, language: Language, lines: Lines) -> lsp.CompletionList:
            found = language.completion(file.path, self.converter.offset(lines, params.position))
            where = self.converter.range(lines, found.start, found.end)
            items = [self.converter.item(each, where, n) for n, each in enumerate(found.items)]
            return lsp.CompletionList(is_incomplete=found.incomplete, items=items)

        return self._ask(params.text_document.uri, ask)

    def signature_help(self, params: lsp.SignatureHelpParams) -> lsp.SignatureHelp | None:
        """The call at a place."""

        def ask(file: File, language: Language, lines: Lines) -> lsp.SignatureHelp | None:
            found = language.signature(file.path, self.converter.offset(lines, params.position))
            return None if found is None else self.converter.signature(found)

        return self._ask(params.text_document.uri, ask)

    def hover(self, params: lsp.HoverParams) -> lsp.Hover | None:
        """The description of a name."""

        def ask(file: File, language: Language, lines: Lines) -> lsp.Hover | None:
            found = language.hover(file.path, self.converter.offset(lines, params.position))
            return None if found is None else self.converter.hover(lines, found, language.name)

        return self._ask(params.text_document.uri, ask, names=True)

    def definitions(self, params: lsp.DefinitionParams) -> list[lsp.Location] | None:
        """Where a name gets its meaning."""

        def ask(file: File, language: Language, lines: Lines) -> list[lsp.Location]:
            offset = self.converter.offset(lines, params.position)
            return self._locations(file, language.definitions(file.path, offset))

        return self._ask(params.text_document.uri, ask, names=True)

    def references(self, params: lsp.ReferenceParams) -> list[lsp.Location] | None:
        """All places of a name."""

        def ask(file: File, language: Language, lines: Lines) -> list[lsp.Location]:
            offset = self.converter.offset(lines, params.position)
            declaration = params.context.include_declaration
            found = language.references(file.path, offset, declaration=declaration)
            return self._locations(file, found)

        return self._ask(params.text_document.uri, ask, names=True)

    def _locations(self, file: File, spans: Iterable[Span]) -> list[lsp.Location]:
        known: dict[str, Lines] = {}
        found = []
        for span in spans:
            if span.path not in known:
                known[span.path] = Lines(file.texts.read(span.path))
            uri = self.folders.uri(file.workspace, span.path)
            found.append(self.converter.location(known[span.path], span, uri))
        return found

    def prepare_rename(self, params: lsp.PrepareRenameParams) -> lsp.Range | None:
        """The name that would be renamed."""

        def ask(file: File, language: Language, lines: Lines) -> lsp.Range | None:
            offset = self.converter.offset(lines, params.position)
            found = language.renameable(file.path, offset)
            return None if found is None else self.converter.range(lines, found.start, found.end)

        return self._ask(params.text_document.uri, ask, names=True)

    def rename(self, params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
        """All edits for another name."""

        def ask(file: File, language: Language, lines: Lines) -> lsp.WorkspaceEdit:
            offset = self.converter.offset(lines, params.position)
            prove = file.workspace.prove
            made = language.rename(file.path, offset, params.new_name, prove)
            return self._edit(file, made)

        return self._ask(params.text_document.uri, ask, names=True)

    def _edit(self, file: File, made: Renamed) -> lsp.WorkspaceEdit:
        """A rename for the editor.  Raises JsonRpcException where it can't rename files."""
        shown = self.server.client_capabilities.workspace
        edit = None if shown is None else shown.workspace_edit
        operations = () if edit is None else edit.resource_operations or ()
        # an edit without document_changes has no place for renames of files
        renames_files = lsp.ResourceOperationKind.Rename in operations
        if made.moves and not (edit and edit.document_changes and renames_files):
            raise JsonRpcException(
                f"renaming this renames files too ({made.moves[0].path} becomes "
                f"{made.moves[0].to}), and this editor does not rename files on request: rename it "
                f"in the browser (overhaul view {file.workspace.root})",
                code=lsp.LSPErrorCodes.RequestFailed,
            )
        changes: dict[str, list[lsp.TextEdit]] = {}
        for path in dict.fromkeys(change.path for change in made.edits):
            lines = Lines(file.texts.read(path))
            changes[self.folders.uri(file.workspace, path)] = [
                self.converter.edit(lines, change) for change in made.edits if change.path == path
            ]
        self._report(made)
        if edit is None or not edit.document_changes:
            return lsp.WorkspaceEdit(changes=changes)
        documents: list[lsp.TextDocumentEdit | lsp.CreateFile | lsp.RenameFile | lsp.DeleteFile] = [
            lsp.TextDocumentEdit(
                lsp.OptionalVersionedTextDocumentIdentifier(uri=uri, version=self._version(uri)),
                list(edits),
            )
            for uri, edits in changes.items()
        ]
        documents += [
            lsp.RenameFile(
                self.folders.uri(file.workspace, move.path),
                self.folders.uri(file.workspace, move.to),
            )
            for move in made.moves
        ]
        return lsp.WorkspaceEdit(document_changes=documents)

    def _version(self, uri: str) -> int | None:
        known = self.server.workspace.text_documents.get(uri)
        return None if known is None else known.version

    def _report(self, made: Renamed) -> None:
        """List the places that may mean what was renamed."""
        if not made.doubts:
            return
        places = [
            f"{doubt.path}:{doubt.line}: {doubt.text}" if doubt.path else doubt.text
            for doubt in made.doubts[:_LISTED]
        ]
        if len(made.doubts) > _LISTED:
            places.append(f"... ({len(made.doubts)} in all)")
        text = "These places may mean it, and stay as they are:\n" + "\n".join(places)
        self.server.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Warning, text))

    def document_symbols(self, params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol] | None:
        """The declarations of a file."""

        def ask(file: File, language: Language, lines: Lines) -> list[lsp.DocumentSymbol]:
            found: list[lsp.DocumentSymbol] = []
            for symbol in language.symbols(file.path):
                shown = self.converter.symbol(lines, symbol)
                if symbol.container and found and found[-1].name == symbol.container:
                    found[-1].children = [*(found[-1].children or ()), shown]
                else:
                    found.append(shown)
            return found

        return self._ask(params.text_document.uri, ask)

    def workspace_symbols(self, params: lsp.WorkspaceSymbolParams) -> list[lsp.WorkspaceSymbol]:
        """The declarations of all files, by a part of their name."""
        found = []
        for workspace in self.folders:
            for language in workspace.languages:
                for symbol in language.all_symbols(params.query):
                    lines = Lines(workspace.texts.read(symbol.path))
                    uri = self.folders.uri(workspace, symbol.path)
                    found.append(self.converter.workspace_symbol(lines, symbol, uri))
        return found

    def formatting(self, params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit] | None:
        """One layout."""
        return self._ask(
            params.text_document.uri,
            lambda file, language, lines: [
                self.converter.edit(lines, edit) for edit in language.format(file.path)
            ],
        )

    def semantic_tokens(self, params: lsp.SemanticTokensParams) -> lsp.SemanticTokens | None:
        """The colours of a file."""
        return self._ask(
            params.text_document.uri,
            lambda file, language, lines: lsp.SemanticTokens(
                self.converter.tokens(lines, language.tokens(file.path))
            ),
        )

    def code_lenses(self, params: lsp.CodeLensParams) -> list[lsp.CodeLens] | None:
        """How often what a file declares is used."""

        def ask(file: File, language: Language, lines: Lines) -> list[lsp.CodeLens]:
            found = []
            for lens in language.lenses(file.path):
                where = self.converter.range(lines, lens.start, lens.end)
                uri = params.text_document.uri
                uses = self._locations(file, lens.uses)
                shown = lsp.Command(lens.title, command=USES, arguments=[uri, where.start, uses])
                found.append(lsp.CodeLens(where, shown))
            return found

        return self._ask(params.text_document.uri, ask)

    def folding_ranges(self, params: lsp.FoldingRangeParams) -> list[lsp.FoldingRange] | None:
        """Lines that can be folded."""

        def ask(file: File, language: Language, lines: Lines) -> list[lsp.FoldingRange]:
            return [
                lsp.FoldingRange(
                    fold.first - 1,
                    fold.last - 1,
                    kind=lsp.FoldingRangeKind.Comment if fold.is_comment else None,
                )
                for fold in language.folds(file.path)
            ]

        return self._ask(params.text_document.uri, ask)
