"""Answers of the language service as types of the protocol, and back.

The protocol counts lines and characters from 0; characters are units of UTF-16, unless the editor
chose another encoding.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from lsprotocol import types as lsp

from overhaul.language.answers import (
    Diagnostic,
    Edit,
    Hover,
    Kind,
    Proposal,
    Role,
    Signature,
    Span,
    Symbol,
    Token,
)
from overhaul.language.texts import Lines

UTF16: Final = "utf-16"
_KINDS: Final[dict[Kind, lsp.CompletionItemKind]] = {
    "asset": lsp.CompletionItemKind.File,
    "builtin": lsp.CompletionItemKind.Function,
    "constant": lsp.CompletionItemKind.Constant,
    "enum": lsp.CompletionItemKind.Enum,
    "field": lsp.CompletionItemKind.Field,
    "function": lsp.CompletionItemKind.Function,
    "keyword": lsp.CompletionItemKind.Keyword,
    "local": lsp.CompletionItemKind.Variable,
    "macro": lsp.CompletionItemKind.Constant,
    "member": lsp.CompletionItemKind.EnumMember,
    "method": lsp.CompletionItemKind.Method,
    "parameter": lsp.CompletionItemKind.Variable,
    "struct": lsp.CompletionItemKind.Struct,
    "variable": lsp.CompletionItemKind.Variable,
}
_SYMBOLS: Final[dict[Kind, lsp.SymbolKind]] = {
    "asset": lsp.SymbolKind.File,
    "constant": lsp.SymbolKind.Constant,
    "enum": lsp.SymbolKind.Enum,
    "field": lsp.SymbolKind.Field,
    "function": lsp.SymbolKind.Function,
    "macro": lsp.SymbolKind.Constant,
    "member": lsp.SymbolKind.EnumMember,
    "method": lsp.SymbolKind.Method,
    "struct": lsp.SymbolKind.Struct,
    "variable": lsp.SymbolKind.Variable,
}
#: the types of tokens that the server names, and the ones that colours have
TOKEN_TYPES: Final = (
    "comment", "macro", "keyword", "variable", "property", "number", "string", "operator",
    "function", "type", "enumMember", "parameter", "class",
)  # fmt: skip
TOKEN_MODIFIERS: Final = ("defaultLibrary", "readonly")
_TOKENS: Final[dict[Role, tuple[str, int]]] = {
    "comment": ("comment", 0),
    "directive": ("macro", 0),
    "keyword": ("keyword", 0),
    "name": ("variable", 0),
    "field": ("property", 0),
    "number": ("number", 0),
    "string": ("string", 0),
    "operator": ("operator", 0),
    "function": ("function", 0),
    "builtin": ("function", 1),
    "asset": ("class", 0),
    "constant": ("enumMember", 2),
    "parameter": ("parameter", 0),
    "local": ("variable", 0),
    "type": ("type", 0),
}


class Converter:
    """Converts places of texts; ``encoding`` is what the editor counts characters in."""

    def __init__(self, encoding: str = UTF16) -> None:
        self.encoding = encoding

    # -- places ------------------------------------------------------------------------------------

    def position(self, lines: Lines, offset: int) -> lsp.Position:
        """The position of an offset."""
        line, column = lines.place(offset)
        start = lines.starts[line]
        return lsp.Position(line, self._units(lines.text[start : start + column]))

    def offset(self, lines: Lines, position: lsp.Position) -> int:
        """The offset of a position; the end of the line for one behind it."""
        text = lines.line(position.line)
        column = position.character
        if not text.isascii():
            column, units = 0, 0
            while column < len(text) and units < position.character:
                units += self._units(text[column])
                column += 1
        return lines.offset(position.line, column)

    def _units(self, text: str) -> int:
        if text.isascii() or self.encoding == "utf-32":
            return len(text)
        if self.encoding == "utf-8":
            return len(text.encode("utf-8", "surrogatepass"))
        return len(text.encode("utf-16-le", "surrogatepass")) // 2

    def range(self, lines: Lines, start: int, end: int) -> lsp.Range:
        """The range of two offsets."""
        return lsp.Range(self.position(lines, start), self.position(lines, end))

    # -- answers -----------------------------------------------------------------------------------

    def diagnostic(self, lines: Lines, found: Diagnostic) -> lsp.Diagnostic:
        """A report."""
        error = found.severity == "error"
        return lsp.Diagnostic(
            range=self.range(lines, found.start, found.end),
            severity=lsp.DiagnosticSeverity.Error if error else lsp.DiagnosticSeverity.Warning,
            source="overhaul",
            message=found.message,
        )

    def item(self, found: Proposal, where: lsp.Range, number: int) -> lsp.CompletionItem:
        """A name that is offered; ``number`` keeps the order."""
        return lsp.CompletionItem(
            label=found.name,
            kind=_KINDS[found.kind],
            detail=found.detail or None,
            documentation=found.about or None,
            sort_text=f"{number:05}",
            text_edit=lsp.TextEdit(where, found.inserted or found.name),
        )

    def hover(self, lines: Lines, found: Hover, language: str) -> lsp.Hover:
        """The description of a name, as Markdown."""
        fence = "```" if "```" not in found.code else "`````"
        said = found.about.replace("\n", "  \n")
        text = f"{fence}{language}\n{found.code}\n{fence}\n{said}"
        return lsp.Hover(
            lsp.MarkupContent(lsp.MarkupKind.Markdown, text),
            self.range(lines, found.start, found.end),
        )

    def signature(self, found: Signature) -> lsp.SignatureHelp:
        """A call."""
        parameters = [
            lsp.ParameterInformation(
                (
                    self._units(found.text[: parameter.start]),
                    self._units(found.text[: parameter.end]),
                )
            )
            for parameter in found.parameters
        ]
        shown = lsp.SignatureInformation(
            found.text, documentation=found.about or None, parameters=parameters
        )
        return lsp.SignatureHelp([shown], 0, found.active)

    def edit(self, lines: Lines, found: Edit) -> lsp.TextEdit:
        """An edit."""
        return lsp.TextEdit(self.range(lines, found.start, found.end), found.text)

    def symbol(self, lines: Lines, found: Symbol) -> lsp.DocumentSymbol:
        """A declaration of a file."""
        whole = self.range(lines, min(found.begin, found.start), max(found.until, found.end))
        name = self.range(lines, found.start, found.end)
        return lsp.DocumentSymbol(
            found.name or "(no name)",
            _SYMBOLS.get(found.kind, lsp.SymbolKind.Variable),
            whole,
            name,
            children=[],
        )

    def workspace_symbol(self, lines: Lines, found: Symbol, uri: str) -> lsp.WorkspaceSymbol:
        """A declaration of one of many files."""
        return lsp.WorkspaceSymbol(
            location=lsp.Location(uri, self.range(lines, found.start, found.end)),
            name=found.name,
            kind=_SYMBOLS.get(found.kind, lsp.SymbolKind.Variable),
            container_name=found.container or None,
        )

    def location(self, lines: Lines, found: Span, uri: str) -> lsp.Location:
        """A place in a file."""
        return lsp.Location(uri, self.range(lines, found.start, found.end))

    def tokens(self, lines: Lines, found: Iterable[Token]) -> list[int]:
        """The colours of a file: five numbers for each piece of a line."""
        data: list[int] = []
        line_before = column_before = 0
        for token in found:
            if token.role not in _TOKENS:
                continue
            name, modifiers = _TOKENS[token.role]
            for start, end in _in_lines(lines, token):
                line, column = lines.place(start)
                begin = lines.starts[line]
                at = self._units(lines.text[begin : begin + column])
                length = self._units(lines.text[start:end])
                same = line == line_before
                data += (
                    line - line_before,
                    at - column_before if same else at,
                    length,
                    TOKEN_TYPES.index(name),
                    modifiers,
                )
                line_before, column_before = line, at
        return data


def _in_lines(lines: Lines, token: Token) -> Iterable[tuple[int, int]]:
    """The parts of a token in each of its lines."""
    first, last = lines.place(token.start)[0], lines.place(max(token.end - 1, token.start))[0]
    for line in range(first, last + 1):
        start = max(token.start, lines.starts[line])
        end = min(token.end, lines.end(line))
        if start < end:
            yield start, end
