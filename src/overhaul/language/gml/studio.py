"""The GML of a project of Studio 1, most of whose code is in XML.

A question about a place in the XML is asked about the piece of code there; places in pieces, which
answers have, become those of the file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import msgspec

from overhaul.document.xmltext import escaped
from overhaul.findings import Findings
from overhaul.language.answers import (
    Completion,
    Diagnostic,
    Doubt,
    Edit,
    Fold,
    Hover,
    Lens,
    Renamed,
    Signature,
    Span,
    Symbol,
    Token,
)
from overhaul.language.gml.ide_projects import IdeLanguage
from overhaul.language.gml.xml_code import Piece, StudioTexts, home_of, is_coded, path_of
from overhaul.language.protocol import Proof
from overhaul.language.texts import Lines


class StudioLanguage(IdeLanguage):
    """The GML of a project of Studio 1."""

    def __init__(self, texts: StudioTexts, name: str) -> None:
        super().__init__(texts, name)
        self._studio = texts

    def knows(self, path: str) -> bool:
        """Sources, and XML with code."""
        return super().knows(path) or is_coded(path)

    def knows_names(self, path: str) -> bool:
        """The same."""
        return super().knows_names(path) or is_coded(path)

    # -- places ------------------------------------------------------------------------------------

    def _pieces(self, path: str) -> Iterator[tuple[str, Piece]]:
        """The pieces of a file, each with its path."""
        for number, piece in enumerate(self._studio.pieces(path)):
            yield path_of(path, number), piece

    def _inside(self, path: str, offset: int) -> tuple[str, Piece | None, int] | None:
        """The piece at a place of a file; the place itself in a source; None around pieces."""
        if not is_coded(path):
            return path, None, offset
        for inner, piece in self._pieces(path):
            at = piece.offset(offset)
            if at is not None:
                return inner, piece, at
        return None

    def _outside(self, span: Span) -> Span:
        """A place in a file."""
        home, piece = home_of(span.path), self._studio.piece(span.path)
        if home is None or piece is None:
            return span
        return Span(home[0], *piece.span(span.start, span.end))

    def _all_outside(self, spans: Iterable[Span]) -> list[Span]:
        return [self._outside(span) for span in spans]

    # -- answers -----------------------------------------------------------------------------------

    def diagnostics(self, path: str) -> list[Diagnostic]:
        """The findings of compiling each piece of a file."""
        if not is_coded(path):
            return super().diagnostics(path)
        lines = Lines(self.texts.read(path))
        made: list[Diagnostic] = []
        for inner, piece in self._pieces(path):
            for one in super().diagnostics(inner) if piece.is_code else ():
                start, end = piece.span(one.start, one.end)
                line, column = lines.place(start)
                made.append(Diagnostic(one.severity, one.message, line + 1, column + 1, start, end))
        return made

    def completion(self, path: str, offset: int) -> Completion:
        """The names that may stand at a place; none around pieces."""
        at = self._inside(path, offset)
        if at is None:
            return Completion(offset, offset, [])
        found = super().completion(at[0], at[2])
        if at[1] is None:
            return found
        start, end = at[1].span(found.start, found.end)
        return msgspec.structs.replace(found, start=start, end=end)

    def signature(self, path: str, offset: int) -> Signature | None:
        """The call whose arguments are written at a place."""
        at = self._inside(path, offset)
        return None if at is None else super().signature(at[0], at[2])

    def hover(self, path: str, offset: int) -> Hover | None:
        """The description of the name at a place."""
        at = self._inside(path, offset)
        found = None if at is None else super().hover(at[0], at[2])
        if at is None or found is None or at[1] is None:
            return found
        start, end = at[1].span(found.start, found.end)
        return msgspec.structs.replace(found, start=start, end=end)

    def definitions(self, path: str, offset: int) -> list[Span]:
        """Where the name at a place gets its meaning."""
        at = self._inside(path, offset)
        return [] if at is None else self._all_outside(super().definitions(at[0], at[2]))

    def references(self, path: str, offset: int, *, declaration: bool = True) -> list[Span]:
        """All places that mean the same."""
        at = self._inside(path, offset)
        if at is None:
            return []
        return self._all_outside(super().references(at[0], at[2], declaration=declaration))

    def renameable(self, path: str, offset: int) -> Span | None:
        """The range of a name that can be renamed."""
        at = self._inside(path, offset)
        span = None if at is None else super().renameable(at[0], at[2])
        return None if span is None else self._outside(span)

    def rename(self, path: str, offset: int, new: str, prove: Proof) -> Renamed:
        """All edits for another name, of the XML too."""
        at = self._inside(path, offset)
        if at is None:
            return Renamed([], [], [])

        def prove_files(contents: Mapping[str, bytes | None]) -> Findings:
            return prove(self._studio.contents_with(contents))

        made = super().rename(at[0], at[2], new, prove_files)
        edits = [self._edit_outside(edit) for edit in made.edits]
        return Renamed(edits, made.moves, [self._doubt_outside(doubt) for doubt in made.doubts])

    def _edit_outside(self, edit: Edit) -> Edit:
        span = self._outside(Span(edit.path, edit.start, edit.end))
        is_inner = span.path != edit.path
        return Edit(span.path, span.start, span.end, escaped(edit.text) if is_inner else edit.text)

    def _doubt_outside(self, doubt: Doubt) -> Doubt:
        home, piece = home_of(doubt.path), self._studio.piece(doubt.path)
        if home is None or piece is None:
            return doubt
        place = piece.place(Lines(piece.text).offset(doubt.line - 1, 0))
        line, _ = Lines(self.texts.read(home[0])).place(place)
        return Doubt(home[0], line + 1, doubt.text)

    # -- the file ----------------------------------------------------------------------------------

    def symbols(self, path: str) -> list[Symbol]:
        """The declarations of a file's pieces."""
        if not is_coded(path):
            return super().symbols(path)
        return [
            self._symbol_outside(symbol)
            for inner, _ in self._pieces(path)
            for symbol in super(StudioLanguage, self).symbols(inner)
        ]

    def all_symbols(self, query: str) -> list[Symbol]:
        """The symbols of all files."""
        return [self._symbol_outside(symbol) for symbol in super().all_symbols(query)]

    def _symbol_outside(self, symbol: Symbol) -> Symbol:
        name = self._outside(Span(symbol.path, symbol.start, symbol.end))
        whole = self._outside(Span(symbol.path, symbol.begin, symbol.until))
        return msgspec.structs.replace(
            symbol, path=name.path, start=name.start, end=name.end, begin=whole.start,
            until=whole.end,
        )  # fmt: skip

    def tokens(self, path: str) -> list[Token]:
        """The pieces of the code of a file with their colours."""
        if not is_coded(path):
            return super().tokens(path)
        return [
            Token(*piece.span(token.start, token.end), token.role)
            for inner, piece in self._pieces(path)
            for token in super(StudioLanguage, self).tokens(inner)
        ]

    def format(self, path: str) -> list[Edit]:
        """Nothing in XML: GameMaker's form is kept."""
        return [] if is_coded(path) else super().format(path)

    def folds(self, path: str) -> list[Fold]:
        """Nothing in XML, whose elements an editor folds."""
        return [] if is_coded(path) else super().folds(path)

    def lenses(self, path: str) -> list[Lens]:
        """The uses of what a source declares; nothing in XML."""
        found = [] if is_coded(path) else super().lenses(path)
        return [msgspec.structs.replace(lens, uses=self._all_outside(lens.uses)) for lens in found]
